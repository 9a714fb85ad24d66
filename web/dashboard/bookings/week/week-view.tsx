import { useQuery } from '@tanstack/react-query'
import { isZone } from '../../../../src/domain/zone-names.ts'
import { BackIcon, NextIcon } from '../../../parts/icons.tsx'
import { addDays, LONG_DATE, SHORT_DATE, weekOf, writeDate } from '../../../parts/time/dates.ts'
import { ZonePicker } from '../../../parts/time/zone-picker.tsx'
import { Button, IconButton } from '../../core/buttons.tsx'
import { listAll, withQuery } from '../../core/data/api.ts'
import { combine, useAll, useEventTypes, useMe, useOne, useOwners } from '../../core/data/data.ts'
import { useTeamHosts } from '../../core/data/team-hosts.ts'
import type { AbsenceView, BusyView, ListedBookingView } from '../../core/data/views.ts'
import { Segments } from '../../core/fields/fields.tsx'
import { Loaded, RowsSkeleton } from '../../core/page.tsx'
import { navigate, useRoute } from '../../core/router.tsx'
import { formatInstant, instantAt, useTimes, useWeekdays } from '../../core/time/times.ts'
import { words } from '../../words.ts'
import { colourOf } from '../host-colour.ts'
import { SidePanel } from '../list/side-panel.tsx'
import { Week } from './week-grid.tsx'

const DAY = 86_400_000
const STATUSES = 'Confirmed,PendingApproval,PendingPayment,Completed,NoShow'

/** What the address says of the week: the date, whose meetings, and on whose clocks. */
interface Shown {
  readonly date: string
  /** Empty: mine; `team`: all that I may see; else ids of hosts. */
  readonly hosts: string
  readonly zone: string
}

/** The meetings of a week: seven days side by side, or one at a time on a phone. */
export function WeekView({ onBook }: { readonly onBook: (startAt: number) => void }) {
  const { query } = useRoute()
  const own = useTimes()
  const given = query.get('zone') ?? ''
  const zone = isZone(given) ? given : own.zone
  const times = useTimes(zone)
  const [firstDay = 1] = useWeekdays()
  const today = times.date(Date.now())
  const asked = query.get('date') ?? ''
  const date = /^\d{4}-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked)) ? asked : today
  const hosts = query.get('hosts') ?? ''
  const from = weekOf(date, firstDay)
  const show = (next: Partial<Shown>) => {
    const shown = { date, hosts, zone, ...next }
    const address = withQuery('/app/bookings', {
      layout: 'week',
      date: shown.date,
      hosts: shown.hosts || undefined,
      zone: shown.zone === own.zone ? undefined : shown.zone,
    })
    navigate(address, { replace: true })
  }
  const open = query.get('open') ?? undefined
  const addressOf = (id: string | undefined) => {
    const next = new URLSearchParams(query)
    if (id === undefined) next.delete('open')
    else next.set('open', id)
    return `/app/bookings?${next}`
  }
  const span = weekSpan(zone, from)
  const loaded = combine(
    combine(useBookings(span, hosts), useBusy(span, hosts)),
    combine(useAll<AbsenceView>('/absences'), useEventTypes()),
  )
  const w = words.week
  const dates = Array.from({ length: 7 }, (_, day) => addDays(from, day))
  return (
    <>
      <div className="toolbar">
        <h2 className="week-title">
          {writeDate(times.tag, from, SHORT_DATE)} – {times.onDate(addDays(from, 6))}
        </h2>
        <div className="actions actions-tight">
          <ZonePicker zone={zone} onChange={(next) => show({ zone: next })} at={Date.parse(span.from)} />
          <div className="week-steps">
            <IconButton label={w.previous} onPress={() => show({ date: addDays(date, -7) })}>
              <BackIcon size={18} />
            </IconButton>
            <Button small onPress={() => show({ date: today })}>
              {w.today}
            </Button>
            <IconButton label={w.next} onPress={() => show({ date: addDays(date, 7) })}>
              <NextIcon size={18} />
            </IconButton>
          </div>
        </div>
      </div>
      <HostChoice chosen={hosts} onChange={(next) => show({ hosts: next })} />
      <fieldset className="week-strip" aria-label={w.day}>
        {dates.map((one) => (
          <button
            key={one}
            type="button"
            aria-label={writeDate(times.tag, one, LONG_DATE)}
            aria-pressed={one === date}
            data-today={one === today || undefined}
            onClick={() => show({ date: one })}
          >
            <span>{writeDate(times.tag, one, { weekday: 'narrow' })}</span>
            {Number(one.slice(8))}
          </button>
        ))}
      </fieldset>
      <Loaded query={loaded} skeleton={<RowsSkeleton rows={5} />}>
        {([[bookings, busy], [absences, eventTypes]]) => (
          <>
            {open !== undefined && (
              <SidePanel id={open} ids={bookings.map(({ id }) => id)} addressOf={addressOf} />
            )}
            <Week
              dates={dates}
              chosen={date}
              byHost={hosts !== ''}
              busy={busy.body.items}
              onOpen={(id) => navigate(addressOf(id), { scroll: false })}
              {...{ zone, today, bookings, absences, eventTypes, onBook }}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

interface Span {
  readonly from: string
  readonly to: string
}

/** Seven days, and the night before. */
const weekSpan = (zone: string, date: string): Span => ({
  from: formatInstant(instantAt(zone, date, '00:00') - DAY),
  to: formatInstant(instantAt(zone, addDays(date, 7), '00:00')),
})

function useBookings(span: Span, hosts: string) {
  const whose = hosts === '' ? { scope: 'mine' } : hosts === 'team' ? { scope: 'team' } : { hostId: hosts }
  const query = { status: STATUSES, ...span, ...whose, sort: 'start' }
  return useQuery({
    queryKey: ['all', '/bookings', query],
    queryFn: ({ signal }) => listAll<ListedBookingView>('/bookings', signal, query),
  })
}

function useBusy(span: Span, hosts: string) {
  const me = useMe().data?.body.id
  const hostId = hosts === '' ? me : hosts === 'team' ? undefined : hosts
  return useOne<BusyView>(withQuery('/busy', { ...span, hostId }), me !== undefined)
}

interface HostChoiceProps {
  readonly chosen: string
  readonly onChange: (hosts: string) => void
}

/** Mine, the team, or chosen hosts, each in their colour. */
function HostChoice({ chosen, onChange }: HostChoiceProps) {
  const hasTeams = useOwners().some(({ team }) => team)
  const hosts = useTeamHosts()
  const { whose, whoseBookings } = words.bookings
  if (!hasTeams) return null
  const ids = chosen === '' || chosen === 'team' ? [] : chosen.split(',')
  const toggled = (id: string) => {
    const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]
    return next.length === 0 ? 'team' : next.join(',')
  }
  return (
    <div className="week-hosts">
      <Segments
        label={whose}
        value={chosen === '' ? 'mine' : 'team'}
        options={(['mine', 'team'] as const).map((id) => ({ id, label: whoseBookings[id] }))}
        onChange={(id) => onChange(id === 'mine' ? '' : 'team')}
      />
      {chosen !== '' && (
        <ul className="chips" aria-label={words.week.hosts}>
          {hosts.map(({ id, label }) => (
            <li key={id}>
              <button
                type="button"
                className="chip chip-host"
                aria-pressed={ids.includes(id)}
                data-colour={colourOf(id)}
                onClick={() => onChange(toggled(id))}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
