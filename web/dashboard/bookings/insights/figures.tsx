import { SHORT_DATE, writeDate } from '../../../parts/time/dates.ts'
import { Bars } from '../../core/bars.tsx'
import type { EventTypeView, FormView, InsightsView, TargetView } from '../../core/data/views.ts'
import { EmptyState, Section } from '../../core/page.tsx'
import { useTimes, useWeekdays } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'
import { Money } from './money.tsx'
import { Plot } from './plot.tsx'

interface Props {
  readonly insights: InsightsView
  /** What it counts. */
  readonly period: { readonly from: string; readonly to: string; readonly ownerId: string }
  readonly eventTypes: readonly EventTypeView[]
  readonly forms: readonly FormView[]
}

const sum = (counts: readonly { readonly count: number }[]) =>
  counts.reduce((total, { count }) => total + count, 0)

/** The bookings of a period, as numbers and plots. */
export function Figures({ insights, period, eventTypes, forms }: Props) {
  const i = words.insights
  const weekdays = useWeekdays()
  const nameOf = (id: string) => eventTypes.find((one) => one.id === id)?.name ?? i.deleted
  const resultOf = ({ action, eventTypeId, redirectUrl, message }: TargetView) => {
    if (action === 'redirect') return redirectUrl ?? ''
    if (action === 'message') return message ?? ''
    return nameOf(eventTypeId ?? '')
  }
  const { totals, routes, payments } = insights
  const bookings = Object.values(totals).reduce((total, count) => total + count, 0)
  if (bookings === 0 && routes.length === 0 && payments.length === 0)
    return <EmptyState title={i.none}>{i.noneHint}</EmptyState>
  return (
    <>
      <Totals totals={totals} />
      {payments.length > 0 && <Money payments={payments} {...period} />}
      <Plots insights={insights} />
      <div className="sections">
        <Section title={i.byEventType}>
          <Bars
            bars={insights.byEventType.map(({ eventTypeId, held, calledOff }) => ({
              label: nameOf(eventTypeId),
              count: held,
              ...(calledOff > 0 && { note: tell(i.cancelledCount, { count: calledOff }) }),
            }))}
          />
        </Section>
        <Section title={i.byWeekday}>
          <Bars
            bars={weekdays.map((day) => ({
              label: words.weekdays[day - 1] ?? '',
              count: sum(insights.byHour.filter(({ weekday }) => weekday === day)),
            }))}
          />
        </Section>
        {routes.length > 0 && (
          <Section title={i.routes}>
            <Bars
              bars={routes.map(({ formId, result, count }) => ({
                label: resultOf(result),
                count,
                note: forms.find(({ id }) => id === formId)?.name ?? i.deleted,
              }))}
            />
          </Section>
        )}
      </div>
    </>
  )
}

function Totals({ totals }: { readonly totals: InsightsView['totals'] }) {
  const { tag } = useTimes()
  const i = words.insights
  const meetings = totals.Confirmed + totals.Completed + totals.PendingApproval + totals.NoShow
  const cancelled = totals.Cancelled + totals.Declined
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 })
  const all = meetings + cancelled
  const figures = [
    { name: i.meetings, value: meetings },
    { name: i.pending, value: totals.PendingApproval },
    { name: i.cancelled, value: cancelled },
    { name: i.cancelRate, value: all === 0 ? '–' : percent.format(cancelled / all) },
    { name: i.noShows, value: totals.NoShow },
  ]
  return (
    <dl className="figures">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Plots({ insights: { byDay, byHour, leadTimes } }: { readonly insights: InsightsView }) {
  const times = useTimes()
  const i = words.insights
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    label: times.clock(`${String(hour).padStart(2, '0')}:00`),
    count: sum(byHour.filter((one) => one.hour === hour)),
  }))
  return (
    <>
      <Plot
        title={i.overTime}
        kind="line"
        labels={byDay.map(({ date }) => writeDate(times.tag, date, SHORT_DATE))}
        axis={byDay.map(({ date }) => writeDate(times.tag, date, { day: 'numeric', month: 'short' }))}
        first={i.day}
        series={[
          { name: i.meetings, values: byDay.map(({ held }) => held) },
          { name: i.cancelled, values: byDay.map(({ calledOff }) => calledOff), secondary: true },
        ]}
      />
      <div className="sections">
        <Plot
          title={i.byHour}
          kind="bars"
          labels={hours.map(({ label }) => label)}
          axis={hours.map(({ label }) => label)}
          first={i.hour}
          series={[{ name: i.meetings, values: hours.map(({ count }) => count) }]}
        />
        <Plot
          title={i.leadTime}
          kind="bars"
          labels={leadTimes.map(({ hours: until }) => i.leads[String(until)] ?? '')}
          axis={leadTimes.map(({ hours: until }) => i.leadsShort[String(until)] ?? '')}
          first={i.leadTime}
          series={[{ name: i.meetings, values: leadTimes.map(({ count }) => count) }]}
        />
      </div>
    </>
  )
}
