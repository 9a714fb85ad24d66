import type { BookedMeeting, MeetingHost } from '../../domain/bookings/change.ts'
import { EVENT_TYPE_DEFAULTS, type EventType } from '../../domain/event-types/event-type.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { User } from '../../domain/people/user.ts'
import type { Db } from '../../store/engine/database.ts'
import { findEventTypeById, findEventTypes, findHostSeats } from '../../store/event-types/event-types.ts'
import { findUser } from '../../store/people/users.ts'

/** An id that nothing real has. */
const NIL_ID = '00000000-0000-0000-0000-000000000000'

/** What an example is about. */
interface ExampleOf {
  readonly owner: Scheduler
  /** Which event type; undefined: the owner's first. */
  readonly eventTypeId: string | undefined
  /** Who looks at it: they are the host where there is no other. */
  readonly viewer: User
  readonly now: number
  /** Undefined: in a week. */
  readonly startsAt?: number | undefined
  /** The guest's language; undefined: the owner's. */
  readonly language?: string | undefined
}

/** A meeting that nobody has booked, to show how texts read. */
export async function exampleMeeting(db: Db, given: ExampleOf): Promise<BookedMeeting> {
  const { owner, viewer, now, language = owner.locale } = given
  const eventType = await exampleEventType(db, given)
  const startsAt = given.startsAt ?? Math.ceil((now + 7 * DAY) / HOUR) * HOUR
  const { branding, ...scheduler } = owner
  return {
    eventType,
    scheduler: { ...scheduler, ...branding },
    hosts: await hostsOf(db, eventType, viewer),
    booking: {
      id: NIL_ID,
      meetingId: NIL_ID,
      eventTypeId: eventType.id,
      status: 'Confirmed',
      startsAt,
      endsAt: startsAt + eventType.durationMinutes * MINUTE,
      invitee: {
        name: 'Maria Example',
        email: 'maria@example.com',
        phone: '',
        timeZone: owner.timeZone,
        locale: language,
      },
      guests: ['alex@example.com'],
      location: eventType.location,
      notes: '',
      customFields: Object.fromEntries(eventType.questions.map(({ key, label }) => [key, `(${label})`])),
      source: 'BookingPage',
      utm: {},
      createdAt: now,
      sequence: 0,
      reason: '…',
    },
  }
}

async function exampleEventType(db: Db, { owner, eventTypeId }: ExampleOf): Promise<EventType> {
  const wanted = eventTypeId === undefined ? undefined : await findEventTypeById(db, eventTypeId)
  const found = wanted ?? (await findEventTypes(db, owner.id))[0]
  return (
    found ?? { ...EVENT_TYPE_DEFAULTS, id: NIL_ID, schedulerId: owner.id, slug: 'example', name: owner.name }
  )
}

async function hostsOf(db: Db, { id }: EventType, viewer: User): Promise<MeetingHost[]> {
  const [seat] = id === NIL_ID ? [] : await findHostSeats(db, id)
  const host = (seat && (await findUser(db, seat.hostId))) ?? viewer
  const { slug, name, email, timeZone, locale, germanAddress, timeFormat } = host
  return [{ id: host.id, slug, name, email, timeZone, locale, germanAddress, timeFormat }]
}
