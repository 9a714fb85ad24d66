import type { BookedMeeting, BookingChange, ChangeRecord, MeetingHost } from '../../domain/bookings/change.ts'
import { isActive } from '../../domain/bookings/states.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { GiveUp } from '../../domain/job.ts'
import { findBooking, type ListedBooking } from '../../store/bookings/list.ts'
import type { Db } from '../../store/engine/database.ts'
import { findEventTypeById, findHostSeats } from '../../store/event-types/event-types.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import { meetingHosts } from './change-state.ts'

/** Loads everything that mail, webhooks and calendars need about a change; throws `GiveUp` if its booking is gone. */
export async function getBookingChange(db: Db, record: ChangeRecord): Promise<BookingChange> {
  const listed = await findBooking(db, record.bookingId)
  const meeting = listed && (await findMeeting(db, listed, record.hostIds))
  if (meeting === undefined) throw new GiveUp('The booking is gone.')
  const { type, status, startsAt, endsAt, sequence } = record
  // The booking may have changed again since; that change has its own announcement.
  const reason = type === 'declined' || type === 'cancelled' ? record.reason : ''
  return {
    ...record,
    ...meeting,
    booking: { ...meeting.booking, status, startsAt, endsAt, sequence, reason },
    formerHosts: await hostsOf(db, record.formerHostIds ?? []),
  }
}

/** The booking with the people and settings around it; undefined when some of that is gone. */
export async function findMeeting(
  db: Db,
  listed: ListedBooking,
  hostIds?: readonly string[],
): Promise<BookedMeeting | undefined> {
  const { booking, schedulerId } = listed
  const [eventType, scheduler] = await Promise.all([
    findEventTypeById(db, booking.eventTypeId),
    findScheduler(db, schedulerId),
  ])
  if (eventType === undefined || scheduler === undefined) return undefined
  const { id, kind, slug, name, timeZone, locale, branding } = scheduler
  return {
    booking,
    eventType,
    scheduler: { id, kind, slug, name, timeZone, locale, ...branding },
    hosts: await hostsOf(db, hostIds ?? (await hostIdsOf(db, listed, eventType))),
  }
}

/** Cancelling deletes the claims that say who shared a meeting; its event type still knows who always does. */
async function hostIdsOf(db: Db, listed: ListedBooking, { id, assignment }: EventType): Promise<string[]> {
  const claiming = await meetingHosts(db, listed)
  if (isActive(listed.booking) || claiming.length > 1) return claiming
  const seats = await findHostSeats(db, id)
  const sharing = seats.filter(({ fixed }) => fixed || assignment === 'collective')
  return [...new Set([...claiming, ...sharing.map(({ hostId }) => hostId)])]
}

async function hostsOf(db: Db, ids: readonly string[]): Promise<MeetingHost[]> {
  const users = await Promise.all(ids.map((id) => findUser(db, id)))
  return users.flatMap((user) => {
    if (user === undefined) return []
    const { id, slug, name, email, timeZone, locale } = user
    return [{ id, slug, name, email, timeZone, locale }]
  })
}
