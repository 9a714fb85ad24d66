import { type Booking, hostLocation } from '../../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { csvLine } from '../../../format/text/csv.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findEventTypeById } from '../../../store/event-types/event-types.ts'
import { findUser } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { type BookingQuery, findAllBookings } from './list.ts'

const COLUMNS = [
  'startTime',
  'endTime',
  'status',
  'eventType',
  'host',
  'guestName',
  'guestEmail',
  'guestPhone',
  'guestTimezone',
  'additionalGuests',
  'location',
  'notes',
  'answers',
  'reason',
  'source',
  'createdAt',
  'id',
  'routingFormId',
  'routingResponseId',
  'hostNotes',
  'paymentStatus',
  'paymentAmount',
  'paymentCurrency',
  'paymentRefunded',
]

/** The bookings that a query finds, as CSV, a few hundred lines at a time. */
export async function exportBookings(
  context: Context,
  principal: Principal,
  query: BookingQuery,
): Promise<AsyncIterable<string>> {
  const pages = await findAllBookings(context, principal, query)
  const names = new Names(context.db)
  async function* chunks() {
    yield csvLine(COLUMNS)
    for await (const page of pages) {
      let lines = ''
      for (const listed of page) lines += await lineOf(listed, names)
      // Empty ones, too: a reader who has gone away ends it at a yield.
      yield lines
    }
  }
  return chunks()
}

async function lineOf({ booking, hostId, hostNotes }: ListedBooking, names: Names): Promise<string> {
  const { invitee, payment } = booking
  const location = hostLocation(booking)
  return csvLine([
    formatInstant(booking.startsAt),
    formatInstant(booking.endsAt),
    booking.status,
    await names.eventType(booking.eventTypeId),
    await names.host(hostId),
    invitee.name,
    invitee.email,
    invitee.phone,
    invitee.timeZone,
    booking.guests.join(' '),
    location.value === '' ? location.type : location.value,
    booking.notes,
    answersOf(booking),
    booking.reason,
    booking.source,
    formatInstant(booking.createdAt),
    booking.id,
    booking.routing?.formId ?? '',
    booking.routing?.responseId ?? '',
    hostNotes ?? '',
    payment?.status ?? '',
    payment === undefined ? '' : String(payment.amount),
    payment?.currency ?? '',
    payment === undefined ? '' : String(payment.refunded),
  ])
}

const answersOf = ({ customFields }: Booking) =>
  Object.keys(customFields).length === 0 ? '' : JSON.stringify(customFields)

/** Names of event types and hosts, each read once. */
class Names {
  readonly #db: Db
  readonly #known = new Map<string, string>()

  constructor(db: Db) {
    this.#db = db
  }

  eventType(id: string): Promise<string> {
    return this.#nameOf(id, findEventTypeById)
  }

  host(id: string): Promise<string> {
    return this.#nameOf(id, findUser)
  }

  async #nameOf(
    id: string,
    find: (db: Db, id: string) => Promise<{ readonly name: string } | undefined>,
  ): Promise<string> {
    const known = this.#known.get(id) ?? (await find(this.#db, id))?.name ?? id
    this.#known.set(id, known)
    return known
  }
}
