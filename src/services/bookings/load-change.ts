import type { BookingChange, ChangeRecord, MeetingHost } from '../../domain/bookings/change.ts'
import { GiveUp } from '../../domain/job.ts'
import { findBooking } from '../../store/bookings/list.ts'
import type { Db } from '../../store/engine/database.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import { meetingHosts } from './change-state.ts'

/** Loads everything that mail, webhooks and calendars need about a change; throws `GiveUp` if its booking is gone. */
export async function getBookingChange(db: Db, record: ChangeRecord): Promise<BookingChange> {
  const listed = await findBooking(db, record.bookingId)
  const eventType = listed && (await findEventTypeById(db, listed.booking.eventTypeId))
  const scheduler = listed && (await findScheduler(db, listed.schedulerId))
  if (listed === undefined || eventType === undefined || scheduler === undefined) {
    throw new GiveUp('The booking is gone.')
  }
  const { type, status, startsAt, endsAt, sequence } = record
  // The booking may have changed again since; that change has its own announcement.
  const reason = type === 'declined' || type === 'cancelled' ? record.reason : ''
  return {
    ...record,
    booking: { ...listed.booking, status, startsAt, endsAt, sequence, reason },
    eventType,
    scheduler: {
      id: scheduler.id,
      kind: scheduler.kind,
      slug: scheduler.slug,
      name: scheduler.name,
      timeZone: scheduler.timeZone,
      locale: scheduler.locale,
      ...scheduler.branding,
    },
    hosts: await hostsOf(db, record.hostIds ?? (await meetingHosts(db, listed))),
    formerHosts: await hostsOf(db, record.formerHostIds ?? []),
  }
}

async function hostsOf(db: Db, ids: readonly string[]): Promise<MeetingHost[]> {
  const users = await Promise.all(ids.map((id) => findUser(db, id)))
  return users.flatMap((user) => {
    if (user === undefined) return []
    const { id, slug, name, email, timeZone, locale } = user
    return [{ id, slug, name, email, timeZone, locale }]
  })
}
