import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, dateIn } from '../../parts/time/dates.ts'
import { Bars } from '../core/bars.tsx'
import { call, withQuery } from '../core/data/api.ts'
import { combine, useOne } from '../core/data/data.ts'
import type { FormView, FunnelView } from '../core/data/views.ts'
import { Select } from '../core/fields/fields.tsx'
import { EmptyState, Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'
import { FormViews } from './form-views.tsx'

const LAST_DAYS = [7, 30, 90, 365]

/** How far visitors of a form come, and where they give up. */
export default function FunnelPage({ id }: { readonly id: string }) {
  const form = useOne<FormView>(`/routing-forms/${id}`)
  const today = dateIn(useTimes().zone, Date.now())
  const [days, setDays] = useState('30')
  const from = addDays(today, 1 - Number(days))
  const funnel = useQuery({
    queryKey: ['funnel', `/routing-forms/${id}`, from],
    queryFn: async ({ signal }) =>
      (await call<FunnelView>(withQuery(`/routing-forms/${id}/funnel`, { from }), { signal })).body,
  })
  const f = words.forms
  return (
    <Page
      wide
      title={form.data?.body.name ?? f.title}
      back={{ to: '/app/forms', label: f.title }}
      actions={<FormViews formId={id} shown="funnel" />}
    >
      <div className="filters">
        <Select
          label={words.insights.period}
          value={days}
          options={LAST_DAYS.map((count) => ({
            id: String(count),
            label: tell(words.insights.last, { count }),
          }))}
          onChange={setDays}
        />
      </div>
      <Loaded query={combine(form, funnel)} skeleton={<RowsSkeleton rows={5} />}>
        {([found, counted]) => <FunnelBars form={found.body} funnel={counted} />}
      </Loaded>
    </Page>
  )
}

const STEPS = ['opened', 'answered', 'routed', 'booked', 'met'] as const

function FunnelBars({ form, funnel }: { readonly form: FormView; readonly funnel: FunnelView }) {
  const { tag } = useTimes()
  const w = words.forms.funnel
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 })
  if (funnel.opened === 0 && funnel.answered === 0) {
    return <EmptyState title={w.none}>{w.noneHint}</EmptyState>
  }
  const labelOf = (fieldId: string | null) => {
    if (fieldId === null) return w.untouched
    const index = form.fields.findIndex(({ id }) => id === fieldId)
    return (
      form.fields[index]?.label ||
      (index < 0 ? fieldId : tell(words.forms.fieldNumbered, { number: index + 1 }))
    )
  }
  return (
    <div className="sections">
      <Section title={w.title} hint={w.hint}>
        <Bars
          bars={STEPS.map((step, index) => {
            const before = STEPS[index - 1]
            const [count, earlier] = [funnel[step], before === undefined ? 0 : funnel[before]]
            return {
              label: w.steps[step],
              count,
              ...(before &&
                earlier > 0 && {
                  note: tell(w.shares[before], { percent: percent.format(count / earlier) }),
                }),
            }
          })}
        />
      </Section>
      <Section title={w.dropOff} hint={w.dropOffHint}>
        <Bars bars={funnel.dropOff.map(({ fieldId, count }) => ({ label: labelOf(fieldId), count }))} />
      </Section>
    </div>
  )
}
