import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { BackIcon, NextIcon } from '../../../parts/icons.tsx'
import { addDays, LONG_DATE, SHORT_DATE, weekOf, writeDate } from '../../../parts/time/dates.ts'
import { Button, IconButton } from '../../core/buttons.tsx'
import { listAll, withQuery } from '../../core/data/api.ts'
import { combine, useAll, useEventTypes } from '../../core/data/data.ts'
import type { AbsenceView, EventTypeView, ListedBookingView } from '../../core/data/views.ts'
import { Loaded, RowsSkeleton } from '../../core/page.tsx'
import { Link, navigate, useRoute } from '../../core/router.tsx'
import { formatInstant, instantAt, useTimes, useWeekdays } from '../../core/time/times.ts'
import { DAY_MINUTES, minutesOf, wallTimeOf } from '../../core/time/wall-time.ts'
import { tell, words } from '../../words.ts'
import { type DaySpan, hoursShown, placeSpans } from './week-layout.ts'

const DAY = 86_400_000
const STATUSES = 'Confirmed,PendingApproval,Completed,NoShow'

/** The meetings and time off of a week: seven days side by side, or one at a time on a phone. */
export function WeekView() {
  const { query } = useRoute()
  const times = useTimes()
  const [firstDay = 1] = useWeekdays()
  const today = times.date(Date.now())
  const given = query.get('date') ?? ''
  const date = /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : today
  const from = weekOf(date, firstDay)
  const show = (next: string) =>
    navigate(withQuery('/app/bookings', { layout: 'week', date: next }), { replace: true })
  const loaded = combine(combine(useBookingsFrom(from), useAll<AbsenceView>('/absences')), useEventTypes())
  const w = words.week
  const dates = Array.from({ length: 7 }, (_, day) => addDays(from, day))
  return (
    <>
      <div className="toolbar">
        <h2 className="week-title">
          {writeDate(times.tag, from, SHORT_DATE)} – {times.onDate(addDays(from, 6))}
        </h2>
        <div className="actions actions-tight">
          <IconButton label={w.previous} onPress={() => show(addDays(date, -7))}>
            <BackIcon size={18} />
          </IconButton>
          <Button small onPress={() => show(today)}>
            {w.today}
          </Button>
          <IconButton label={w.next} onPress={() => show(addDays(date, 7))}>
            <NextIcon size={18} />
          </IconButton>
        </div>
      </div>
      <fieldset className="week-strip" aria-label={w.day}>
        {dates.map((one) => (
          <button
            key={one}
            type="button"
            aria-label={writeDate(times.tag, one, LONG_DATE)}
            aria-pressed={one === date}
            data-today={one === today || undefined}
            onClick={() => show(one)}
          >
            <span>{writeDate(times.tag, one, { weekday: 'narrow' })}</span>
            {Number(one.slice(8))}
          </button>
        ))}
      </fieldset>
      <Loaded query={loaded} skeleton={<RowsSkeleton rows={5} />}>
        {([[bookings, absences], eventTypes]) => (
          <Week dates={dates} chosen={date} {...{ today, bookings, absences, eventTypes }} />
        )}
      </Loaded>
    </>
  )
}

/** The bookings of seven days, and those of the night before. */
function useBookingsFrom(date: string) {
  const { zone } = useTimes()
  const start = instantAt(zone, date, '00:00')
  const query = {
    status: STATUSES,
    from: formatInstant(start - DAY),
    to: formatInstant(instantAt(zone, addDays(date, 7), '00:00')),
    order: 'asc',
  }
  return useQuery({
    queryKey: ['all', '/bookings', query],
    queryFn: ({ signal }) => listAll<ListedBookingView>('/bookings', signal, query),
  })
}

interface WeekProps {
  readonly dates: readonly string[]
  readonly chosen: string
  readonly today: string
  readonly bookings: readonly ListedBookingView[]
  readonly absences: readonly AbsenceView[]
  readonly eventTypes: readonly EventTypeView[]
}

/** One meeting; a seated one has several bookings. */
interface Meeting extends DaySpan {
  readonly bookings: readonly [ListedBookingView, ...ListedBookingView[]]
}

interface Absence extends DaySpan {
  readonly id: string
  readonly note: string
}

function Week({ dates, chosen, today, bookings, absences, eventTypes }: WeekProps) {
  const times = useTimes()
  const [now] = useState(() => Date.now())
  /** The part of a stretch of time that lies on a date. */
  const partOn = (date: string, item: { readonly startTime: string; readonly endTime: string }) => {
    const [start, end] = [Date.parse(item.startTime), Date.parse(item.endTime)]
    // Its last moment: what ends at midnight does not reach the next day.
    const [first, last] = [times.date(start), times.date(end - 1)]
    if (date < first || date > last) return undefined
    return {
      from: date === first ? minutesOf(times.wallTime(start)) : 0,
      until: date === last ? minutesOf(times.wallTime(end)) || DAY_MINUTES : DAY_MINUTES,
    }
  }
  const days = dates.map((date) => ({
    date,
    meetings: [...Map.groupBy(bookings, ({ meetingId }) => meetingId).values()].flatMap(
      ([first, ...others]) => {
        const part = first && partOn(date, first)
        return first && part ? [{ ...part, bookings: [first, ...others] as const }] : []
      },
    ) satisfies Meeting[],
    absences: absences.flatMap((absence) => {
      const part = partOn(date, absence)
      return part ? [{ ...part, id: absence.id, note: absence.note }] : []
    }) satisfies Absence[],
  }))
  const { first, last } = hoursShown(days.flatMap(({ meetings }) => meetings))
  const hours = Array.from({ length: last - first }, (_, hour) => first + hour)
  const place = ({ from, until }: DaySpan) => {
    const [top, bottom] = [Math.max(from, first * 60), Math.min(until, last * 60)]
    return { top: `${((top - first * 60) / 60) * 3}rem`, height: `${((bottom - top) / 60) * 3}rem` }
  }
  const w = words.week
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys lead from link to link
    <div className="week panel" onKeyDown={moveFocus}>
      <div className="week-hours" aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour}>{times.clock(wallTimeOf(hour * 60))}</span>
        ))}
      </div>
      {days.map((day) => (
        <section
          key={day.date}
          className="week-column"
          data-chosen={day.date === chosen || undefined}
          data-today={day.date === today || undefined}
        >
          <h3>{writeDate(times.tag, day.date, { weekday: 'short', day: 'numeric' })}</h3>
          <div className="week-body" style={{ height: `${hours.length * 3}rem` }}>
            {day.absences.map((absence) => (
              <p key={absence.id} className="week-off" style={place(absence)}>
                {w.timeOff}
                {absence.note !== '' && `: ${absence.note}`}
              </p>
            ))}
            {day.date === today && (
              <span
                className="week-now"
                style={{ top: place({ from: minutesOf(times.wallTime(now)), until: DAY_MINUTES }).top }}
              />
            )}
            {day.meetings.length === 0 && day.absences.length === 0 && <p className="sr-only">{w.none}</p>}
            <ul>
              {placeSpans(day.meetings).map(({ column, columns, ...meeting }) => (
                <li
                  key={meeting.bookings[0].id}
                  style={{
                    ...place(meeting),
                    left: `${(column / columns) * 100}%`,
                    width: `${100 / columns}%`,
                  }}
                >
                  <MeetingLink meeting={meeting} date={day.date} eventTypes={eventTypes} />
                </li>
              ))}
            </ul>
          </div>
        </section>
      ))}
    </div>
  )
}

interface MeetingProps {
  readonly meeting: Meeting
  readonly date: string
  readonly eventTypes: readonly EventTypeView[]
}

function MeetingLink({ meeting: { bookings }, date, eventTypes }: MeetingProps) {
  const times = useTimes()
  const [booking] = bookings
  const what = eventTypes.find(({ id }) => id === booking.eventTypeId)?.name ?? ''
  const who =
    bookings.length === 1 ? booking.invitee.name : tell(words.week.guests, { count: bookings.length })
  const [start, end] = [booking.startTime, booking.endTime].map((at) => times.time(Date.parse(at)))
  const { status, eventTypeId } = booking
  // Guests who share a meeting have a list of their own.
  const to =
    bookings.length === 1
      ? `/app/bookings/${booking.id}`
      : withQuery('/app/bookings', {
          view: Date.parse(booking.startTime) > Date.now() ? 'upcoming' : 'past',
          eventTypeId,
          from: date,
          to: date,
        })
  return (
    <Link className="week-meeting" to={to} data-status={status}>
      <strong>{who}</strong>
      <span>
        {start} {what}
      </span>
      {/* The height and the colour say it to everyone else. */}
      <span className="sr-only">
        {` – ${end}`}
        {status !== 'Confirmed' && `, ${words.statuses[status]}`}
      </span>
    </Link>
  )
}

/** The arrow keys: up and down within a day, left and right to the nearest day with meetings. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const here = document.activeElement
  if (!(here instanceof HTMLElement)) return
  const days = [...event.currentTarget.querySelectorAll('.week-column')]
    .map((day) => [...day.querySelectorAll<HTMLElement>('.week-meeting')])
    .filter((links) => links.some((link) => link.offsetParent !== null))
  const day = days.findIndex((links) => links.some((link) => link === here))
  const row = days[day]?.indexOf(here) ?? -1
  if (row === -1) return
  const beside = (step: number) => days[day + step]?.[Math.min(row, (days[day + step]?.length ?? 0) - 1)]
  const targets: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowUp: days[day]?.[row - 1],
    ArrowDown: days[day]?.[row + 1],
    ArrowLeft: beside(-1),
    ArrowRight: beside(1),
  }
  if (!(event.key in targets)) return
  event.preventDefault()
  targets[event.key]?.focus()
}
