import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Live } from '../../../parts/live.tsx'
import { writeDate } from '../../../parts/time/dates.ts'
import { withQuery } from '../../core/data/api.ts'
import { useMe } from '../../core/data/data.ts'
import { useTeamHosts } from '../../core/data/team-hosts.ts'
import type { AbsenceView, BusyView, EventTypeView, ListedBookingView } from '../../core/data/views.ts'
import { Link, opensElsewhere } from '../../core/router.tsx'
import { instantAt, useTimes } from '../../core/time/times.ts'
import { DAY_MINUTES, minutesOf, wallTimeOf } from '../../core/time/wall-time.ts'
import { tell, words } from '../../words.ts'
import { colourOf } from '../host-colour.ts'
import { MoveQuestion } from './move-question.tsx'
import { mayMove, useMoving } from './use-moving.ts'
import { type DaySpan, hoursShown, placeSpans } from './week-layout.ts'

interface WeekProps {
  readonly dates: readonly string[]
  readonly chosen: string
  readonly today: string
  readonly zone: string
  /** Meetings of several hosts: each has a colour and a name. */
  readonly byHost: boolean
  readonly bookings: readonly ListedBookingView[]
  readonly busy: BusyView['items']
  readonly absences: readonly AbsenceView[]
  readonly eventTypes: readonly EventTypeView[]
  readonly onBook: (startAt: number) => void
  /** Opens a booking beside the week. */
  readonly onOpen: (id: string) => void
}

/** One meeting; a seated one has several bookings. */
interface Meeting extends DaySpan {
  readonly bookings: readonly [ListedBookingView, ...ListedBookingView[]]
}

/** A time that a host has no time for guests. */
interface Blocked extends DaySpan {
  readonly id: string
  readonly text: string
  readonly hostId: string
  readonly source: 'calendar' | 'time-off'
}

interface Spanned {
  readonly startTime: string
  readonly endTime: string
}

const MINUTE = 60_000
/** Starts that a click on a free time chooses. */
const STEP = 15
const REM_PER_HOUR = 3

/** The part of a stretch of time that lies on a date, to the second: what touches is not what overlaps. */
function usePartOn(zone: string) {
  const times = useTimes(zone)
  const minutes = (instant: number) => minutesOf(times.wallTime(instant)) + (instant % MINUTE) / MINUTE
  return (date: string, { startTime, endTime }: Spanned): DaySpan | undefined => {
    const [start, end] = [Date.parse(startTime), Date.parse(endTime)]
    // Its last moment: what ends at midnight does not reach the next day.
    const [first, last] = [times.date(start), times.date(end - 1)]
    if (date < first || date > last) return undefined
    return {
      from: date === first ? minutes(start) : 0,
      until: date === last ? minutes(end) || DAY_MINUTES : DAY_MINUTES,
    }
  }
}

export function Week({ dates, chosen, today, zone, byHost, onBook, onOpen, ...data }: WeekProps) {
  const { bookings, busy, absences, eventTypes } = data
  const times = useTimes(zone)
  const [now] = useState(() => Date.now())
  const partOn = usePartOn(zone)
  const blocked = useBlocked(busy, absences, byHost)
  const moving = useMoving({ from: dates[0] ?? '', to: dates.at(-1) ?? '', zone }, eventTypes)
  const days = dates.map((date) => ({
    date,
    meetings: [...Map.groupBy(bookings, ({ meetingId }) => meetingId).values()].flatMap(
      ([first, ...others]) => {
        const part = first && partOn(date, first)
        return first && part ? [{ ...part, bookings: [first, ...others] as const }] : []
      },
    ) satisfies Meeting[],
    blocked: blocked.flatMap((one) => {
      const part = partOn(date, one)
      return part ? [{ ...part, ...one }] : []
    }) satisfies Blocked[],
    slots: moving.slots.flatMap((slot) => {
      const part = partOn(date, slot)
      return part ? [{ ...part, startTime: slot.startTime }] : []
    }),
  }))
  const { first, last } = hoursShown(days.flatMap(({ meetings, slots }) => [...meetings, ...slots]))
  const hours = Array.from({ length: last - first }, (_, hour) => first + hour)
  const rem = (minutes: number) => `${(minutes / 60) * REM_PER_HOUR}rem`
  const place = ({ from, until }: DaySpan) => {
    const [top, bottom] = [Math.max(from, first * 60), Math.min(until, last * 60)]
    return { top: rem(top - first * 60), height: rem(Math.max(0, bottom - top)) }
  }
  const bookAt = (date: string, event: { clientY: number; currentTarget: Element }) => {
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const minute = first * 60 + ((event.clientY - top) / height) * hours.length * 60
    const startAt = instantAt(zone, date, wallTimeOf(Math.floor(minute / STEP) * STEP))
    if (startAt > Date.now()) onBook(startAt)
  }
  const w = words.week
  return (
    <>
      <Live>{moving.text}</Live>
      {moving.text !== '' && (
        <p className="notice-good" aria-hidden="true">
          {moving.text}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys lead from link to link */}
      <div className="week panel" onKeyDown={(event) => moving.onKeyDown(event) || moveFocus(event)}>
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
            <div className="week-body" style={{ height: rem(hours.length * 60) }}>
              {/* By keys, the button above the week does the same. */}
              <button
                type="button"
                className="week-free"
                tabIndex={-1}
                aria-hidden="true"
                onClick={(event) => bookAt(day.date, event)}
              />
              <BlockedTimes blocked={day.blocked} byHost={byHost} place={place} />
              {day.date === today && (
                <span
                  className="week-now"
                  style={{ top: place({ from: minutesOf(times.wallTime(now)), until: DAY_MINUTES }).top }}
                />
              )}
              {day.meetings.length === 0 && day.blocked.length === 0 && <p className="sr-only">{w.none}</p>}
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
                    <MeetingLink
                      meeting={meeting}
                      date={day.date}
                      moving={moving}
                      {...{ zone, byHost, eventTypes, onOpen }}
                    />
                  </li>
                ))}
              </ul>
              {day.slots.map((slot) => (
                <button
                  key={slot.startTime}
                  type="button"
                  className="week-slot"
                  data-start={slot.startTime}
                  aria-label={tell(w.moveTo, { time: times.moment(slot.startTime) })}
                  style={place(slot)}
                  onClick={() => moving.choose(slot.startTime)}
                >
                  {times.time(Date.parse(slot.startTime))}
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
      {moving.asking && <MoveQuestion {...moving.asking} zone={zone} onClose={moving.stop} />}
    </>
  )
}

interface BlockedProps {
  readonly blocked: readonly Blocked[]
  readonly byHost: boolean
  readonly place: (span: DaySpan) => { readonly top: string; readonly height: string }
}

/** What blocks a day, in grey; of several hosts, a line at its edge for each. */
function BlockedTimes({ blocked, byHost, place }: BlockedProps) {
  return blocked.map((one) => (
    <p
      key={one.id}
      className={one.source === 'calendar' ? 'week-busy' : 'week-off'}
      data-narrow={byHost || undefined}
      data-colour={byHost ? colourOf(one.hostId) : undefined}
      style={place(one)}
    >
      {byHost ? <span className="sr-only">{one.text}</span> : one.text}
    </p>
  ))
}

/** What blocks hosts: their calendars without titles, and time off, with one's own notes. */
function useBlocked(
  busy: WeekProps['busy'],
  absences: readonly AbsenceView[],
  byHost: boolean,
): readonly (Omit<Blocked, 'from' | 'until'> & Spanned)[] {
  const me = useMe().data?.body.id
  const hosts = useTeamHosts()
  const w = words.week
  return busy.map(({ hostId, startTime, endTime, source }) => {
    const own = hostId === me && source === 'time-off'
    const note = own
      ? absences.find((one) => one.startTime === startTime && one.endTime === endTime)?.note
      : ''
    const what = source === 'calendar' ? w.busy : w.timeOff
    const about = byHost ? (hosts.find(({ id }) => id === hostId)?.label ?? '') : (note ?? '')
    return {
      id: `${hostId} ${source} ${startTime}`,
      text: about === '' ? what : `${what}: ${about}`,
      hostId,
      startTime,
      endTime,
      source,
    }
  })
}

interface MeetingProps {
  readonly meeting: Meeting
  readonly date: string
  readonly zone: string
  readonly byHost: boolean
  readonly eventTypes: readonly EventTypeView[]
  readonly moving: ReturnType<typeof useMoving>
  readonly onOpen: (id: string) => void
}

/** Shorter meetings have one line. */
const TWO_LINES = 45

function MeetingLink({ meeting, date, zone, byHost, eventTypes, moving, onOpen }: MeetingProps) {
  const times = useTimes(zone)
  const { bookings } = meeting
  const [booking] = bookings
  const what = eventTypes.find(({ id }) => id === booking.eventTypeId)?.name ?? ''
  const who =
    bookings.length === 1 ? booking.invitee.name : tell(words.week.guests, { count: bookings.length })
  const [start, end] = [booking.startTime, booking.endTime].map((at) => times.time(Date.parse(at)))
  const { status, eventTypeId, host } = booking
  const isShort = meeting.until - meeting.from < TWO_LINES
  const canMove = bookings.length === 1 && mayMove(booking)
  const drag = useDrag(() => canMove && moving.start(booking), moving.drop)
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
    <Link
      className="week-meeting"
      to={to}
      draggable={false}
      data-status={status}
      data-short={isShort || undefined}
      data-movable={canMove || undefined}
      data-colour={byHost ? colourOf(host.id) : undefined}
      title={`${start} – ${end} ${who}${byHost ? `, ${host.name}` : ''}`}
      aria-keyshortcuts={canMove ? 'm' : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'm' || !canMove) return
        event.preventDefault()
        moving.start(booking, true)
      }}
      {...drag}
      onClick={(event) => {
        drag.onClick(event)
        if (event.defaultPrevented || bookings.length > 1 || opensElsewhere(event)) return
        event.preventDefault()
        onOpen(booking.id)
      }}
    >
      {isShort && <span className="week-time">{start} </span>}
      <strong>{who}</strong>
      {!isShort && (
        <span>
          {start} {what}
        </span>
      )}
      {byHost && !isShort && <span>{host.name}</span>}
      {/* The height and the colour say it to everyone else. */}
      <span className="sr-only">
        {isShort && ` ${what}`}
        {` – ${end}`}
        {byHost && isShort && `, ${host.name}`}
        {status !== 'Confirmed' && `, ${words.statuses[status]}`}
      </span>
    </Link>
  )
}

/** Pixels after which a press is a drag. */
const DRAGGED = 6

/** Tells a drag from a click. A finger scrolls the page instead. */
function useDrag(onStart: () => void, onDrop: (x: number, y: number) => void) {
  const from = useRef<{ readonly x: number; readonly y: number }>(undefined)
  const dragged = useRef(false)
  return {
    onPointerDown: (event: PointerEvent) => {
      dragged.current = false
      if (event.button !== 0 || event.pointerType === 'touch') return
      from.current = { x: event.clientX, y: event.clientY }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (from.current === undefined || dragged.current) return
      const { x, y } = from.current
      if (Math.hypot(clientX - x, clientY - y) < DRAGGED) return
      dragged.current = true
      onStart()
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      from.current = undefined
      if (dragged.current) onDrop(clientX, clientY)
    },
    onClick: (event: { preventDefault(): void }) => {
      if (dragged.current) event.preventDefault()
    },
  }
}

/** The arrow keys: up and down within a day, left and right to the nearest day with meetings. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const here = document.activeElement
  if (!(here instanceof HTMLElement)) return
  const kind = here.classList.contains('week-slot') ? '.week-slot' : '.week-meeting'
  const days = [...event.currentTarget.querySelectorAll('.week-column')]
    .map((day) => [...day.querySelectorAll<HTMLElement>(kind)])
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
