import type { Booking, BookingStatus } from '../../../domain/bookings/booking.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { DAY, MINUTE } from '../../../domain/interval.ts'
import { insertBooking, insertClaim } from '../../../store/bookings/bookings.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'

interface DemoMeeting {
  readonly event: string
  /** Weekdays from today: -1 is the last one before it, 1 the first after it. */
  readonly day: number
  /** Within the host's hours. Those ahead are two weeks away, so that guests who try the demo find every slot free. */
  readonly time: '14:00' | '15:00' | '16:00' | '16:30'
  readonly status: BookingStatus
  readonly guests: readonly [string, ...string[]]
  readonly notes?: string
  readonly reason?: string
}

const MEETINGS: readonly DemoMeeting[] = [
  { event: 'quick', day: -4, time: '16:30', status: 'NoShow', guests: ['Charles Babbage'] },
  { event: 'intro', day: -2, time: '16:30', status: 'Completed', guests: ['Grace Hopper'] },
  {
    event: 'intro',
    day: -1,
    time: '16:00',
    status: 'Cancelled',
    guests: ['Alan Turing'],
    reason: 'My train is late. I’ll book another time.',
  },
  {
    event: 'intro',
    day: 10,
    time: '16:30',
    status: 'Confirmed',
    guests: ['Katherine Johnson'],
    notes: 'I’d like to see how routing forms work.',
  },
  {
    event: 'consultation',
    day: 11,
    time: '15:00',
    status: 'PendingApproval',
    guests: ['Edsger Dijkstra'],
    notes: 'Which of two event types should we use?',
  },
  {
    event: 'workshop',
    day: 12,
    time: '14:00',
    status: 'Confirmed',
    guests: ['Barbara Liskov', 'Donald Knuth', 'Radia Perlman'],
  },
  { event: 'consultation', day: 13, time: '16:00', status: 'PendingApproval', guests: ['Margaret Hamilton'] },
]

interface DemoHost {
  readonly hostId: string
  readonly timeZone: string
  /** By slug. */
  readonly eventTypes: ReadonlyMap<string, EventType>
}

/** Something to look at in the demo's dashboard: past, upcoming, pending and cancelled. No one is emailed about them. */
export async function addDemoBookings(trx: Trx, host: DemoHost, now: number): Promise<void> {
  for (const meeting of MEETINGS) {
    const eventType = host.eventTypes.get(meeting.event)
    if (eventType !== undefined) await addMeeting(trx, { host, eventType }, meeting, now)
  }
}

async function addMeeting(
  trx: Trx,
  { host: { hostId, timeZone }, eventType }: { readonly host: DemoHost; readonly eventType: EventType },
  { day, time, status, guests, notes = '', reason = '' }: DemoMeeting,
  now: number,
): Promise<void> {
  const startsAt = weekdayFrom(now, timeZone, day).toZonedDateTime({
    timeZone,
    plainTime: time,
  }).epochMilliseconds
  const times = { startsAt, endsAt: startsAt + eventType.durationMinutes * MINUTE }
  const meetingId = newId()
  const booked = {
    eventTypeId: eventType.id,
    ...times,
    status,
    guests: [],
    location: eventType.location,
    notes,
    customFields: {},
    source: 'BookingPage',
    utm: {},
    createdAt: Math.min(startsAt, now) - 3 * DAY,
    sequence: reason === '' ? 0 : 1,
    reason,
  } as const
  for (const [index, name] of guests.entries()) {
    const email = `${name.toLowerCase().replace(' ', '.')}@guests.example`
    // A meeting that is not seated has the id of its booking.
    const id = index === 0 ? meetingId : newId()
    const booking: Booking = {
      ...booked,
      id,
      meetingId,
      invitee: { name, email, phone: '', timeZone: 'Europe/London', locale: 'en' },
    }
    await insertBooking(trx, {
      booking,
      schedulerId: eventType.schedulerId,
      hostId,
      seat: index + 1,
      seats: eventType.seats,
      duplicateKey: email,
    })
  }
  if (status === 'Cancelled') return
  await insertClaim(trx, hostId, {
    meetingId,
    eventTypeId: eventType.id,
    ...times,
    bufferBefore: eventType.bufferBeforeMinutes * MINUTE,
    bufferAfter: eventType.bufferAfterMinutes * MINUTE,
    seatsTaken: guests.length,
  })
}

/** The weekday that is so many weekdays from today in this zone. */
function weekdayFrom(now: number, timeZone: string, count: number): Temporal.PlainDate {
  const step = Math.sign(count)
  let date = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  for (let left = Math.abs(count); left > 0; ) {
    date = date.add({ days: step })
    if (date.dayOfWeek <= 5) left--
  }
  return date
}
