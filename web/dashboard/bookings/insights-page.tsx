import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, dateIn, SHORT_DATE, writeDate } from '../../parts/dates.ts'
import { call, withQuery } from '../core/api.ts'
import { Select, TextInput } from '../core/controls.tsx'
import { together, useAll, useEventTypes, useOwners } from '../core/data.ts'
import { Empty, Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { useTimes } from '../core/times.ts'
import type { EventTypeView, FormView, InsightsView } from '../core/views.ts'
import { words } from '../words.ts'
import { Bars } from './bars.tsx'
import { Plot } from './plot.tsx'

const SPANS = { '30': 30, '90': 90, '365': 365 } as const

export default function InsightsPage() {
  const times = useTimes()
  const owners = useOwners()
  const today = dateIn(times.zone, Date.now())
  const [ownerId, setOwnerId] = useState('')
  const [span, setSpan] = useState<string>('30')
  const [own, setOwn] = useState({ from: addDays(today, -29), to: today })
  const days = SPANS[span as keyof typeof SPANS]
  const coming = { from: today, to: addDays(today, 29) }
  const past = { from: addDays(today, 1 - (days ?? 1)), to: today }
  const { from, to } = span === 'next' ? coming : days === undefined ? own : past
  const i = words.insights
  const insights = useQuery({
    queryKey: ['insights', '/bookings', from, to, ownerId],
    enabled: from !== '' && to !== '',
    queryFn: async ({ signal }) => {
      const path = withQuery('/insights', { from, to, ownerId: ownerId === '' ? undefined : ownerId })
      return (await call<InsightsView>(path, { signal })).body
    },
  })
  const named = together(useEventTypes(), useAll<FormView>('/routing-forms'))
  return (
    <Page title={i.title} lead={i.lead} wide>
      <div className="mb-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Select
          label={i.span}
          value={span}
          options={[
            { id: '30', label: i.last(30) },
            { id: '90', label: i.last(90) },
            { id: '365', label: i.last(365) },
            { id: 'next', label: i.next(30) },
            { id: 'own', label: i.own },
          ]}
          onChange={setSpan}
        />
        {span === 'own' && (
          <>
            <TextInput
              label={i.from}
              type="date"
              value={own.from}
              onChange={(date) => setOwn({ ...own, from: date })}
            />
            <TextInput
              label={i.to}
              type="date"
              value={own.to}
              onChange={(date) => setOwn({ ...own, to: date })}
            />
          </>
        )}
        {owners.length > 1 && (
          <Select
            label={i.whose}
            value={ownerId}
            options={[{ id: '', label: i.everyone }, ...owners.map(({ id, name }) => ({ id, label: name }))]}
            onChange={setOwnerId}
          />
        )}
      </div>
      <Loaded query={together(insights, named)} skeleton={<RowsSkeleton rows={5} />}>
        {([found, [eventTypes, forms]]) => <Figures found={found} eventTypes={eventTypes} forms={forms} />}
      </Loaded>
    </Page>
  )
}

interface FiguresProps {
  readonly found: InsightsView
  readonly eventTypes: readonly EventTypeView[]
  readonly forms: readonly FormView[]
}

function Figures({ found, eventTypes, forms }: FiguresProps) {
  const times = useTimes()
  const i = words.insights
  const { totals } = found
  const held = totals.Confirmed + totals.Completed + totals.PendingApproval + totals.NoShow
  const off = totals.Cancelled + totals.Declined
  const percent = new Intl.NumberFormat(times.tag, { style: 'percent', maximumFractionDigits: 0 })
  const share = (part: number, whole: number) => (whole === 0 ? '–' : percent.format(part / whole))
  const figures = [
    { name: i.held, value: held },
    { name: i.waiting, value: totals.PendingApproval },
    { name: i.calledOff, value: off },
    { name: i.offShare, value: share(off, held + off) },
    { name: i.noShows, value: totals.NoShow },
  ]
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    count: found.byHour.filter((one) => one.hour === hour).reduce((sum, { count }) => sum + count, 0),
  }))
  const weekdays = words.weekdays.map((label, index) => ({
    label,
    count: found.byHour
      .filter(({ weekday }) => weekday === index + 1)
      .reduce((sum, { count }) => sum + count, 0),
  }))
  const nameOf = (id: string) => eventTypes.find((one) => one.id === id)?.name ?? i.gone
  const clock = (hour: number) => times.clock(`${String(hour).padStart(2, '0')}:00`)
  const result = ({
    action,
    eventTypeId,
    redirectUrl,
    message,
  }: InsightsView['routes'][number]['result']) => {
    if (action === 'redirect') return redirectUrl ?? ''
    if (action === 'message') return message ?? ''
    return nameOf(eventTypeId ?? '')
  }
  if (held + off === 0 && found.routes.length === 0) return <Empty title={i.none}>{i.noneHint}</Empty>
  return (
    <>
      <dl className="figures">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Plot
        title={i.overTime}
        kind="line"
        labels={found.byDay.map(({ date }) => writeDate(times.tag, date, SHORT_DATE))}
        axis={found.byDay.map(({ date }) => writeDate(times.tag, date, { day: 'numeric', month: 'short' }))}
        first={i.day}
        series={[
          { name: i.held, values: found.byDay.map((day) => day.held) },
          { name: i.calledOff, values: found.byDay.map((day) => day.calledOff), second: true },
        ]}
      />
      <div className="sections lg:grid-cols-2">
        <Plot
          title={i.byHour}
          kind="bars"
          labels={hours.map(({ hour }) => clock(hour))}
          axis={hours.map(({ hour }) => clock(hour))}
          first={i.hour}
          series={[{ name: i.meetings, values: hours.map(({ count }) => count) }]}
        />
        <Plot
          title={i.leadTitle}
          kind="bars"
          labels={found.leadTimes.map(({ hours: until }) => i.leads[String(until)] ?? '')}
          axis={found.leadTimes.map(({ hours: until }) => i.leadsShort[String(until)] ?? '')}
          first={i.ahead}
          series={[{ name: i.meetings, values: found.leadTimes.map(({ count }) => count) }]}
        />
        <Section title={i.byEventType}>
          <Bars
            items={found.byEventType.map(({ eventTypeId, held: count, calledOff }) => ({
              label: nameOf(eventTypeId),
              count,
              note: calledOff > 0 ? i.offNote(calledOff) : '',
            }))}
          />
        </Section>
        <Section title={i.byWeekday}>
          <Bars items={weekdays.map((item) => ({ ...item, note: '' }))} />
        </Section>
        {found.routes.length > 0 && (
          <Section title={i.routes}>
            <Bars
              items={found.routes.map(({ formId, result: target, count }) => ({
                label: result(target),
                count,
                note: forms.find(({ id }) => id === formId)?.name ?? i.gone,
              }))}
            />
          </Section>
        )}
      </div>
    </>
  )
}
