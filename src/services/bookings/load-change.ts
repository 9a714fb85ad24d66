import type { BookedMeeting, BookingChange, ChangeRecord, MeetingHost } from '../../domain/bookings/change.ts'
import { GiveUp } from '../../domain/job.ts'
import type { User } from '../../domain/people/user.ts'
import { findMeeting, type Meeting } from '../../store/bookings/meetings.ts'
import type { Db } from '../../store/engine/database.ts'
import { findUser } from '../../store/people/users.ts'

/** Loads everything that mail, webhooks and calendars need about a change; throws `GiveUp` if its booking is gone. */
export async function getBookingChange(db: Db, record: ChangeRecord): Promise<BookingChange> {
  const found = await findMeeting(db, record.bookingId)
  if (found === undefined) throw new GiveUp('The booking is gone.')
  const { type, status, startsAt, endsAt, sequence, hostIds, formerHostIds = [] } = record
  // The booking may have changed again since; that change has its own announcement.
  const reason = type === 'declined' || type === 'cancelled' ? record.reason : ''
  const known = new Map(found.hosts.map((host) => [host.id, host]))
  const hostsOf = async (ids: readonly string[]) => {
    const hosts = await Promise.all(ids.map((id) => known.get(id) ?? findUser(db, id)))
    return hosts.flatMap((host) => (host === undefined ? [] : [meetingHostOf(host)]))
  }
  return {
    ...record,
    ...bookedMeetingOf(found),
    booking: { ...found.listed.booking, status, startsAt, endsAt, sequence, reason },
    ...(hostIds && { hosts: await hostsOf(hostIds) }),
    formerHosts: await hostsOf(formerHostIds),
  }
}

/** What guests and emails may know of a meeting. */
export function bookedMeetingOf({ listed, eventType, scheduler, hosts }: Meeting): BookedMeeting {
  const { id, kind, slug, name, timeZone, locale, branding } = scheduler
  return {
    booking: listed.booking,
    eventType,
    scheduler: { id, kind, slug, name, timeZone, locale, ...branding },
    hosts: hosts.map(meetingHostOf),
  }
}

function meetingHostOf({ id, slug, name, email, timeZone, locale }: User): MeetingHost {
  return { id, slug, name, email, timeZone, locale }
}
