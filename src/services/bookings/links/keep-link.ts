import type { ChangeAuthor } from '../../../domain/bookings/change.ts'
import { announcementOf, recordOf } from '../../../domain/bookings/decisions/announcement.ts'
import { bookingLane } from '../../../domain/job.ts'
import { findMeetingHosts } from '../../../store/bookings/list.ts'
import { type LinkedBooking, updateLocations } from '../../../store/bookings/locations.ts'
import { findActiveIds } from '../../../store/bookings/rosters.ts'
import { endWait, type MadeLink, updateMade } from '../../../store/calendars/meeting-links.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import { expediteAnnouncements, insertJobs } from '../../../store/outbox.ts'
import type { Context } from '../../context.ts'

/**
 * Stores a link that was made, and lets the emails go that wait for it. Who was told without it gets an update.
 *
 * Returns false if the link is not wanted any more, or another one was made first.
 */
export async function keepLink(context: Context, made: MadeLink): Promise<boolean> {
  const now = context.now()
  const kept = await context.db.transaction().execute(async (trx) => {
    // First, as announcing does: in another order, the two could wait for each other.
    const lanes = (await findActiveIds(trx, made.meetingId)).map(bookingLane)
    const announced = await expediteAnnouncements(trx, lanes, now)
    if (!(await updateMade(trx, made))) return false
    const linked = await updateLocations(trx, made.meetingId, made.url, 'provider')
    const late = linked.filter(({ booking }) => !announced.has(bookingLane(booking.id)))
    await announceLink(trx, late, 'service', now)
    return true
  })
  context.outbox.wake(['announce'])
  return kept
}

/** Tells everyone of the link that these bookings of one meeting have got. */
export async function announceLink(
  trx: Trx,
  linked: readonly LinkedBooking[],
  by: ChangeAuthor,
  now: number,
): Promise<void> {
  const [first] = linked
  if (first === undefined) return
  const hostIds = await findMeetingHosts(trx, first.booking.meetingId)
  const updates = linked.map(({ booking, hostId, previousLocation }) =>
    announcementOf(
      recordOf(booking, newId(), {
        type: 'updated',
        by,
        reason: '',
        previousStatus: booking.status,
        previousStartsAt: null,
        hostIds: [...new Set([hostId, ...hostIds])],
        formerHostIds: [],
        previousLocation,
        at: now,
      }),
    ),
  )
  await insertJobs(trx, updates, now)
}

/** Lets the emails go that wait for a link which the provider has refused to make. */
export async function stopAwaiting(context: Context, meetingId: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const lanes = (await findActiveIds(trx, meetingId)).map(bookingLane)
    await expediteAnnouncements(trx, lanes, context.now())
    await endWait(trx, meetingId, context.now())
  })
  context.outbox.wake(['announce'])
}
