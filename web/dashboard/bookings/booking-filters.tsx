import { BOOKING_STATUSES } from '../../../src/domain/bookings/booking.ts'
import { addDays } from '../../parts/time/dates.ts'
import { useAll, useEventTypes } from '../core/data/data.ts'
import { useTeamHosts } from '../core/data/team-hosts.ts'
import type { FormView } from '../core/data/views.ts'
import { Select, TextInput } from '../core/fields/fields.tsx'
import { MultiSelect } from '../core/fields/multi-select.tsx'
import { formatInstant, instantAt } from '../core/time/times.ts'
import { words } from '../words.ts'

const NAMES = ['scope', 'eventTypeId', 'hostId', 'formId', 'status', 'from', 'to', 'sort'] as const

/** What the list is narrowed to; empty: no limit. Dates are days in the host's zone, both included. */
export type BookingFilters = { readonly [Name in (typeof NAMES)[number]]: string }

export const filtersIn = (query: URLSearchParams) =>
  Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as BookingFilters

/** Whether anything else narrows the list than whose bookings it shows. */
export const isFiltered = (filters: BookingFilters) =>
  NAMES.some((name) => name !== 'scope' && filters[name] !== '')

/** The filters as the host API takes them, within what the view shows. */
export function toQuery(
  { from, to, ...filters }: BookingFilters,
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
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
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
  const forms = useAll<FormView>('/routing-forms').data ?? []
  const hosts = useTeamHosts()
  const b = words.bookings
  return (
    <div className="filters">
      <MultiSelect
        label={b.what}
        all={b.allEventTypes}
        value={filters.eventTypeId}
        options={eventTypes.map(({ id, name }) => ({ id, label: name }))}
        onChange={(eventTypeId) => onChange({ ...filters, eventTypeId })}
      />
      {hosts.length > 1 && (
        <MultiSelect
          label={b.host}
          all={b.allHosts}
          value={filters.hostId}
          options={hosts}
          onChange={(hostId) => onChange({ ...filters, hostId })}
        />
      )}
      <MultiSelect
        label={b.status}
        all={b.anyStatus}
        value={filters.status}
        options={BOOKING_STATUSES.map((id) => ({ id, label: words.statuses[id] }))}
        onChange={(status) => onChange({ ...filters, status })}
      />
      {forms.length > 0 && (
        <MultiSelect
          label={b.routing}
          all={b.allForms}
          value={filters.formId}
          options={forms.map(({ id, name }) => ({ id, label: name }))}
          onChange={(formId) => onChange({ ...filters, formId })}
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
      <Select
        label={b.sort}
        value={filters.sort}
        options={(['', '-created', 'created'] as const).map((id) => ({ id, label: b.sorts[id || 'start'] }))}
        onChange={(sort) => onChange({ ...filters, sort })}
      />
    </div>
  )
}
