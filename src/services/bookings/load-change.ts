import type { BookedMeeting, BookingChange, ChangeRecord, MeetingHost } from '../../domain/bookings/change.ts'
import { GiveUp } from '../../domain/job.ts'
import type { User } from '../../domain/people/user.ts'
import { english } from '../../domain/sentence.ts'
import { findSeries } from '../../store/bookings/list.ts'
import { findMeeting, type Meeting } from '../../store/bookings/meetings.ts'
import type { Db } from '../../store/engine/database.ts'
import { findRefundsOf } from '../../store/payments/refunds.ts'
import { findUser } from '../../store/people/users.ts'

/** Loads everything that mail, webhooks and calendars need about a change; throws `GiveUp` if its booking is gone. */
export async function getBookingChange(db: Db, record: ChangeRecord): Promise<BookingChange> {
  const found = await findMeeting(db, record.bookingId)
  if (found === undefined) throw new GiveUp(english`The booking is gone.`)
  return changeOf(db, found, record)
}

/** A change of a booking that has been read already. */
export async function changeOf(db: Db, found: Meeting, record: ChangeRecord): Promise<BookingChange> {
  const { type, status, startsAt, endsAt, sequence, payment, hostIds, formerHostIds = [] } = record
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
    booking: {
      ...found.listed.booking,
      status,
      startsAt,
      endsAt,
      sequence,
      reason,
      ...(payment && { payment }),
    },
    ...(hostIds && { hosts: await hostsOf(hostIds) }),
    formerHosts: await hostsOf(formerHostIds),
    isSeated: isSeated(found),
    ...(await seriesOf(db, found)),
    ...(await refundOf(db, record)),
  }
}

/** What goes back to the guest of meetings that were called off. */
async function refundOf(
  db: Db,
  { type, bookingId, together = [bookingId], payment }: ChangeRecord,
): Promise<Pick<BookingChange, 'refund'>> {
  if ((type !== 'cancelled' && type !== 'declined') || payment === undefined) return {}
  const refunds = await findRefundsOf(db, payment.checkoutId)
  const theirs = refunds.filter((one) => one.status !== 'failed' && together.includes(one.bookingId))
  return { refund: theirs.reduce((sum, { amount }) => sum + amount, 0) }
}

/** The bookings of its series, if it has one. */
export async function seriesOf(db: Db, { listed }: Meeting): Promise<Pick<BookedMeeting, 'series'>> {
  const { series } = listed.booking
  if (series === undefined) return {}
  return { series: (await findSeries(db, series.id)).map(({ booking, hostId }) => ({ ...booking, hostId })) }
}

/** Whether several guests can share the meeting, or could when one of them booked. */
function isSeated({ listed: { booking, seats }, confirmedIds }: Meeting): boolean {
  return seats > 1 || booking.meetingId !== booking.id || confirmedIds.some((id) => id !== booking.id)
}

/** How long a change that was announced is kept in memory, in milliseconds, and how many at most. */
const KEPT = 5000
const MAX_KEPT = 1000

const announced = new WeakMap<Db, Map<string, { readonly change: BookingChange; readonly at: number }>>()

/** Keeps changes for the emails about them, which follow at once. */
export function keepAnnounced(db: Db, changes: readonly BookingChange[]): void {
  const kept = announced.get(db) ?? new Map()
  announced.set(db, kept)
  for (const change of changes) kept.set(change.id, { change, at: performance.now() })
  for (const [id, { at }] of kept) {
    if (kept.size <= MAX_KEPT && performance.now() - at <= KEPT) break
    kept.delete(id)
  }
}

/** Drops the changes that are kept: they say what bookings said before. */
export function forgetAnnounced(db: Db): void {
  announced.delete(db)
}

/** Loads a change, unless it was announced here a moment ago. */
export async function getAnnouncedChange(db: Db, record: ChangeRecord): Promise<BookingChange> {
  const kept = announced.get(db)?.get(record.id)
  if (kept !== undefined && performance.now() - kept.at <= KEPT) return kept.change
  return getBookingChange(db, record)
}

/** What guests and emails may know of a meeting. */
export function bookedMeetingOf({ listed, eventType, scheduler, hosts }: Meeting): BookedMeeting {
  const { id, kind, slug, name, timeZone, locale, germanAddress, avatarUrl, branding, hasMessages } =
    scheduler
  return {
    booking: listed.booking,
    eventType,
    scheduler: {
      id,
      kind,
      slug,
      name,
      timeZone,
      locale,
      germanAddress,
      avatarUrl,
      ...branding,
      ...(hasMessages && { hasMessages }),
    },
    hosts: hosts.map(meetingHostOf),
  }
}

function meetingHostOf(user: User): MeetingHost {
  const { id, slug, name, email, timeZone, locale, avatarUrl, germanAddress, timeFormat, hasPush } = user
  return {
    id,
    slug,
    name,
    email,
    timeZone,
    locale,
    avatarUrl,
    germanAddress,
    timeFormat,
    ...(hasPush && { hasPush }),
  }
}
