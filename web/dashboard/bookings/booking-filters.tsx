import { useQuery } from '@tanstack/react-query'
import { addDays } from '../../parts/time/dates.ts'
import { listAll } from '../core/data/api.ts'
import { useEventTypes, useOwners } from '../core/data/data.ts'
import type { MemberView } from '../core/data/views.ts'
import { Select, TextInput } from '../core/fields/fields.tsx'
import { formatInstant, instantAt } from '../core/time/times.ts'
import { words } from '../words.ts'

/** What the list is narrowed to; empty: no limit. Dates are days in the host's zone, both included. */
export interface BookingFilters {
  readonly eventTypeId: string
  readonly hostId: string
  readonly from: string
  readonly to: string
}

const NAMES = ['eventTypeId', 'hostId', 'from', 'to'] as const

export function filtersIn(query: URLSearchParams): BookingFilters {
  const [eventTypeId = '', hostId = '', from = '', to = ''] = NAMES.map((name) => query.get(name) ?? '')
  return { eventTypeId, hostId, from, to }
}

export const isFiltered = (filters: BookingFilters) => NAMES.some((name) => filters[name] !== '')

/** The filters as the host API takes them, within what the view shows. */
export function toQuery(
  { eventTypeId, hostId, from, to }: BookingFilters,
  view: Readonly<Record<string, string>>,
  zone: string,
): Record<string, string> {
  const midnight = (date: string) => formatInstant(instantAt(zone, date, '00:00'))
  const starts = [view.from, from === '' ? undefined : midnight(from)].filter((at) => at !== undefined)
  const ends = [view.to, to === '' ? undefined : midnight(addDays(to, 1))].filter((at) => at !== undefined)
  // Instants of one format sort as text.
  const [latest, earliest] = [starts.sort().at(-1), ends.sort()[0]]
  return {
    ...view,
    ...(eventTypeId !== '' && { eventTypeId }),
    ...(hostId !== '' && { hostId }),
    ...(latest !== undefined && { from: latest }),
    ...(earliest !== undefined && { to: earliest }),
  }
}

interface Props {
  readonly filters: BookingFilters
  readonly onChange: (filters: BookingFilters) => void
}

export function BookingFilterFields({ filters, onChange }: Props) {
  const eventTypes = useEventTypes().data ?? []
  const hosts = useTeamHosts()
  const b = words.bookings
  return (
    <div className="filters">
      <Select
        label={b.what}
        value={filters.eventTypeId}
        options={[
          { id: '', label: b.allEventTypes },
          ...eventTypes.map(({ id, name }) => ({ id, label: name })),
        ]}
        onChange={(eventTypeId) => onChange({ ...filters, eventTypeId })}
      />
      {hosts.length > 1 && (
        <Select
          label={b.host}
          value={filters.hostId}
          options={[{ id: '', label: b.allHosts }, ...hosts]}
          onChange={(hostId) => onChange({ ...filters, hostId })}
        />
      )}
      <TextInput
        label={b.from}
        type="date"
        value={filters.from}
        onChange={(from) => onChange({ ...filters, from })}
      />
      <TextInput
        label={b.to}
        type="date"
        value={filters.to}
        onChange={(to) => onChange({ ...filters, to })}
      />
    </div>
  )
}

/** Everyone in the user's teams. */
function useTeamHosts() {
  const teamIds = useOwners()
    .filter(({ team }) => team)
    .map(({ id }) => id)
  const members = useQuery({
    queryKey: ['all', '/teams', 'members', teamIds],
    enabled: teamIds.length > 0,
    queryFn: ({ signal }) =>
      Promise.all(teamIds.map((id) => listAll<MemberView>(`/teams/${id}/members`, signal))),
  })
  const names = new Map((members.data ?? []).flat().map(({ userId, name }) => [userId, name]))
  return [...names].map(([id, label]) => ({ id, label }))
}
