import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ASSIGNMENT_REASONS } from '../../../../src/domain/bookings/assignment.ts'
import { Bars } from '../../core/bars.tsx'
import { call, withQuery } from '../../core/data/api.ts'
import { useEventTypes, useOne } from '../../core/data/data.ts'
import type { AssignmentsView, TeamView } from '../../core/data/views.ts'
import { Select } from '../../core/fields/fields.tsx'
import { EmptyState, Loaded, Page, RowsSkeleton, Section } from '../../core/page.tsx'
import { useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'
import { PeriodFields, usePeriod } from './period.tsx'

type Shares = AssignmentsView['hosts']

/** How a team's meetings were shared out. */
export default function FairnessPage({ id }: { readonly id: string }) {
  const period = usePeriod()
  const team = useOne<TeamView>(`/teams/${id}`).data?.body
  const [chosen, choose] = useState('')
  const { from, to } = period.dates
  const f = words.fairness
  const report = useQuery({
    queryKey: ['assignments', '/bookings', id, from, to],
    enabled: from !== '' && to !== '',
    queryFn: async ({ signal }) =>
      (await call<AssignmentsView>(withQuery(`/teams/${id}/assignments`, { from, to }), { signal })).body,
  })
  const known = useEventTypes().data ?? []
  const eventTypes = report.data?.eventTypes ?? []
  const one = eventTypes.find(({ eventTypeId }) => eventTypeId === chosen)
  const nameOf = (eventTypeId: string) =>
    known.find((eventType) => eventType.id === eventTypeId)?.name ?? words.insights.deleted
  return (
    <Page
      title={f.title}
      lead={f.lead}
      back={{ to: `/app/teams/${id}`, label: team?.name ?? words.teams.title }}
      wide
    >
      <div className="filters">
        <PeriodFields period={period} />
        <Select
          label={f.eventType}
          value={one?.eventTypeId ?? ''}
          options={[
            { id: '', label: f.all },
            ...eventTypes.map(({ eventTypeId }) => ({ id: eventTypeId, label: nameOf(eventTypeId) })),
          ]}
          onChange={choose}
        />
      </div>
      <Loaded query={report} skeleton={<RowsSkeleton rows={5} />}>
        {({ hosts }) => <SharesShown hosts={one?.hosts ?? hosts} />}
      </Loaded>
    </Page>
  )
}

function SharesShown({ hosts }: { readonly hosts: Shares }) {
  const { tag } = useTimes()
  const f = words.fairness
  if (hosts.length === 0) return <EmptyState title={f.none}>{f.noneHint}</EmptyState>
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 })
  const used = ASSIGNMENT_REASONS.map((reason) => ({
    reason,
    label: words.bookings.assigned[reason],
    count: hosts.reduce((sum, { reasons }) => sum + reasons[reason], 0),
  })).filter(({ count }) => count > 0)
  const nameOf = (name: string) => (name === '' ? f.formerMember : name)
  return (
    <div className="sections">
      <Section title={f.meetings} hint={f.meetingsHint}>
        <Bars
          bars={hosts.map(({ name, meetings, due }) => ({
            label: nameOf(name),
            count: meetings,
            note: tell(f.due, { share: number.format(due) }),
            mark: due,
          }))}
        />
      </Section>
      <Section title={f.reasons}>
        <Bars bars={used} />
      </Section>
      <Section title={f.numbers}>
        <table className="table table-stacked">
          <caption className="sr-only">{f.title}</caption>
          <thead>
            <tr>
              {[f.host, f.got, f.dueColumn, f.reasons].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hosts.map(({ hostId, name, meetings, due, reasons }) => (
              <tr key={hostId}>
                <td data-label={f.host}>{nameOf(name)}</td>
                <td data-label={f.got}>{meetings}</td>
                <td data-label={f.dueColumn}>{number.format(due)}</td>
                <td data-label={f.reasons}>
                  {used
                    .filter(({ reason }) => reasons[reason] > 0)
                    .map(({ reason, label }) => `${label}: ${reasons[reason]}`)
                    .join(', ') || '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </div>
  )
}
