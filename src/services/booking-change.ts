import type { BookingChange, ChangeRecord, MeetingHost } from '../domain/booking-change.ts'
import { GiveUp } from '../domain/job.ts'
import { findBooking, findMeetingHosts } from '../store/booking-list.ts'
import type { Db } from '../store/database.ts'
import { findEventTypeById } from '../store/event-types.ts'
import { findScheduler } from '../store/schedulers.ts'
import { findUser } from '../store/users.ts'

/** A change with all that is needed to tell someone about it; throws `GiveUp` when there is nothing left to tell of. */
export async function getBookingChange(db: Db, record: ChangeRecord): Promise<BookingChange> {
  const listed = await findBooking(db, record.bookingId)
  const eventType = listed && (await findEventTypeById(db, listed.booking.eventTypeId))
  const scheduler = listed && (await findScheduler(db, listed.schedulerId))
  if (listed === undefined || eventType === undefined || scheduler === undefined) {
    throw new GiveUp('The booking is gone.')
  }
  const { status, startsAt, endsAt } = record
  const claimed = record.hostIds ?? [
    ...new Set([listed.hostId, ...(await findMeetingHosts(db, listed.booking.meetingId))]),
  ]
  return {
    ...record,
    booking: { ...listed.booking, status, startsAt, endsAt },
    eventType,
    scheduler: { ...scheduler, ...scheduler.branding },
    hosts: await hostsOf(db, claimed),
    formerHosts: await hostsOf(db, record.formerHostIds ?? []),
  }
}

async function hostsOf(db: Db, ids: readonly string[]): Promise<MeetingHost[]> {
  const users = await Promise.all(ids.map((id) => findUser(db, id)))
  return users.filter((user) => user !== undefined)
}
