import type { BookingStatus } from '../../bookings/booking.ts'
import { type Interval, MINUTE } from '../../interval.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import type { PlannedEventType, PlannedUser, SettingsPlan } from '../plan.ts'
import type { SourceBooking, SourceKey, SourceRow } from '../source.ts'
import { flagIn, idIn, instantIn, textIn } from '../values.ts'

/** What a meeting is about, before its guests are looked at. */
export interface ReadMeeting extends Interval {
  readonly status: BookingStatus
  /** The event type that comes along; undefined: it is gone. */
  readonly eventType: PlannedEventType | undefined
  readonly host: PlannedUser
  /** All who host it, the first among them. */
  readonly hosts: readonly PlannedUser[]
  readonly madeAt: number
  readonly takesTime: boolean
  /** It was moved, and another booking took its place. */
  readonly movedAway: boolean
  readonly notes: readonly Sentence[]
}

/** Finds people and event types of a plan by the ids and addresses that bookings have. */
export class PlannedPeople {
  readonly #users = new Map<string, PlannedUser>()
  readonly #byEmail = new Map<string, PlannedUser>()
  readonly #eventTypes = new Map<string, PlannedEventType>()

  constructor({ settings }: SettingsPlan) {
    for (const item of settings) {
      if (item.kind === 'user') {
        this.#users.set(item.key, item)
        this.#byEmail.set(item.content.email, item)
      }
      if (item.kind === 'event-type') this.#eventTypes.set(item.key, item)
    }
  }

  user(key: string): PlannedUser | undefined {
    return this.#users.get(key)
  }

  withEmail(email: string): PlannedUser | undefined {
    return this.#byEmail.get(email.trim().normalize('NFC').toLowerCase())
  }

  eventType(id: string): PlannedEventType | undefined {
    return this.#eventTypes.get(`EventType/${id}`)
  }
}

const MOST_MINUTES = 24 * 60
/** After that, calendars can't read years. */
const LAST_TIME = Date.UTC(9990, 0)

/** Reads a booking; a sentence if it can't come along. */
export function readMeeting(
  given: SourceBooking,
  people: PlannedPeople,
  now: number,
): ReadMeeting | Sentence {
  const { booking } = given
  const status = textIn(booking, 'status').toLowerCase()
  if (status === 'awaiting_host') return sentence`An instant meeting that nobody has taken.`
  const [from, until] = [instantIn(booking, 'startTime'), instantIn(booking, 'endTime')]
  if (from === undefined || until === undefined || until > LAST_TIME) return sentence`Its time can’t be read.`
  const [start, end] = [Math.floor(from / MINUTE) * MINUTE, Math.ceil(until / MINUTE) * MINUTE]
  if (end <= start) return sentence`It ends before it begins.`
  if (end - start > MOST_MINUTES * MINUTE) return sentence`Meetings last at most 24 hours here.`
  const notes: Sentence[] = []
  if (start !== from || end !== until) notes.push(sentence`Its time is rounded to whole minutes.`)
  const eventType = people.eventType(idIn(booking, 'eventTypeId'))
  const host = hostOf(booking, eventType, people)
  if (host === undefined) return sentence`Its host does not come along.`
  const read = readStatus(booking, status, { start, end }, now)
  if (read === undefined) return sentence`Its state is not known here.`
  if (status === 'pending' && read === 'Declined')
    notes.push(sentence`Nobody answered the request in time, so it is declined.`)
  if (eventType === undefined)
    notes.push(
      sentence`Its event type does not come along, so it is among the earlier meetings of ${host.name}.`,
    )
  const hosting = new Set<SourceKey>(eventType?.content.hosts.map(({ user }) => user))
  const others = given.attendees
    .map((attendee) => people.withEmail(textIn(attendee, 'email')))
    .filter((user): user is PlannedUser => user !== undefined && hosting.has(user.key) && user !== host)
  return {
    start,
    end,
    status: read,
    eventType,
    host,
    hosts: [...new Set([host, ...others])],
    madeAt: Math.min(instantIn(booking, 'createdAt') ?? start, start),
    takesTime: read !== 'Cancelled' && read !== 'Declined',
    movedAway: read === 'Cancelled' && flagIn(booking, 'rescheduled'),
    notes,
  }
}

function hostOf(
  booking: SourceRow,
  eventType: PlannedEventType | undefined,
  people: PlannedPeople,
): PlannedUser | undefined {
  const id = idIn(booking, 'userId')
  if (id !== '') return people.user(`users/${id}`)
  // Older bookings name nobody: it was the owner's, or that of its only host.
  const hosts = eventType?.content.hosts ?? []
  const first = hosts.find(({ fixed }) => fixed) ?? hosts[0]
  return first === undefined ? undefined : people.user(first.user)
}

function readStatus(
  booking: SourceRow,
  status: string,
  { start, end }: Interval,
  now: number,
): BookingStatus | undefined {
  switch (status) {
    case 'accepted':
      return end <= now ? 'Completed' : 'Confirmed'
    case 'pending':
      return start > now ? 'PendingApproval' : 'Declined'
    case 'rejected':
      return 'Declined'
    case 'cancelled':
      return 'Cancelled'
    default:
      return flagIn(booking, 'rescheduled') ? 'Cancelled' : undefined
  }
}
