import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, dateIn } from '../../parts/time/dates.ts'
import { call, withQuery } from '../core/api.ts'
import { combine, useAll, useEventTypes, useOwners } from '../core/data.ts'
import { Select, TextInput } from '../core/fields.tsx'
import { Loaded, Page, RowsSkeleton } from '../core/page.tsx'
import { useTimes } from '../core/times.ts'
import type { FormView, InsightsView } from '../core/views.ts'
import { words } from '../words.ts'
import { Figures } from './figures.tsx'

const LAST_DAYS = [30, 90, 365]
const NEXT_DAYS = 30

interface Dates {
  readonly from: string
  readonly to: string
}

/** The period to count: some days before or after today, or two dates. */
function usePeriod() {
  const today = dateIn(useTimes().zone, Date.now())
  const [chosen, choose] = useState('30')
  const [custom, setCustom] = useState<Dates>({ from: addDays(today, -29), to: today })
  return { chosen, choose, custom, setCustom, dates: datesOf(chosen, today, custom) }
}

function datesOf(chosen: string, today: string, custom: Dates): Dates {
  if (chosen === 'custom') return custom
  if (chosen === 'next') return { from: today, to: addDays(today, NEXT_DAYS - 1) }
  return { from: addDays(today, 1 - Number(chosen)), to: today }
}

export default function InsightsPage() {
  const period = usePeriod()
  const owners = useOwners()
  const [ownerId, setOwnerId] = useState('')
  const { from, to } = period.dates
  const i = words.insights
  const insights = useQuery({
    queryKey: ['insights', '/bookings', from, to, ownerId],
    enabled: from !== '' && to !== '',
    queryFn: async ({ signal }) => {
      const path = withQuery('/insights', { from, to, ownerId: ownerId === '' ? undefined : ownerId })
      return (await call<InsightsView>(path, { signal })).body
    },
  })
  const named = combine(useEventTypes(), useAll<FormView>('/routing-forms'))
  return (
    <Page title={i.title} lead={i.lead} wide>
      <div className="filters">
        <PeriodFields period={period} />
        {owners.length > 1 && (
          <Select
            label={words.owner}
            value={ownerId}
            options={[{ id: '', label: i.everyone }, ...owners.map(({ id, name }) => ({ id, label: name }))]}
            onChange={setOwnerId}
          />
        )}
      </div>
      <Loaded query={combine(insights, named)} skeleton={<RowsSkeleton rows={5} />}>
        {([found, [eventTypes, forms]]) => <Figures insights={found} eventTypes={eventTypes} forms={forms} />}
      </Loaded>
    </Page>
  )
}

function PeriodFields({ period }: { readonly period: ReturnType<typeof usePeriod> }) {
  const { chosen, choose, custom, setCustom } = period
  const i = words.insights
  return (
    <>
      <Select
        label={i.period}
        value={chosen}
        options={[
          ...LAST_DAYS.map((days) => ({ id: String(days), label: i.last(days) })),
          { id: 'next', label: i.next(NEXT_DAYS) },
          { id: 'custom', label: i.custom },
        ]}
        onChange={choose}
      />
      {chosen === 'custom' && (
        <>
          <TextInput
            label={i.from}
            type="date"
            value={custom.from}
            onChange={(from) => setCustom({ ...custom, from })}
          />
          <TextInput
            label={i.to}
            type="date"
            value={custom.to}
            onChange={(to) => setCustom({ ...custom, to })}
          />
        </>
      )}
    </>
  )
}
