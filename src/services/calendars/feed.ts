import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { meetingUid } from '../../domain/bookings/booking.ts'
import { DAY } from '../../domain/interval.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findHostedBookings } from '../../store/bookings/hosted.ts'
import { findFeedTokenHash, findSchedulerBySlug, updateFeedTokenHash } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import { change } from '../change.ts'
import type { Context } from '../context.ts'
import { notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'

const PAST = 30 * DAY
const FUTURE = 365 * DAY
const MAX_EVENTS = 5000

const feedHash = (token: string) => createHash('sha256').update(token).digest('hex')

/** Creates a new secret link to the feed of the user's bookings, and revokes the old one. It is shown only once. */
export async function rotateFeed(context: Context, principal: Principal): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const user = await changeToken(context, principal, feedHash(token), 'updated')
  return `${context.publicUrl}/${user.slug}/calendar.ics?token=${token}`
}

/** Whether there is a link to the feed. */
export async function hasFeed({ db }: Context, { userId }: Principal): Promise<boolean> {
  return Boolean(await findFeedTokenHash(db, userId))
}

/** Revokes the feed link. */
export async function closeFeed(context: Context, principal: Principal): Promise<void> {
  await changeToken(context, principal, null, 'deleted')
}

async function changeToken(context: Context, principal: Principal, hash: string | null, action: string) {
  const { userId } = principal
  return change(context, principal, userId, async (trx) => {
    const user = await findUser(trx, userId)
    if (user === undefined) throw notFound()
    await updateFeedTokenHash(trx, userId, hash)
    const audit = { schedulerId: userId, objectType: 'calendar-feed', objectId: userId, action, changes: [] }
    return { result: user, audit, affects: [] }
  })
}

/** The bookings that this user hosts, as iCalendar text; throws `not_found` without the right token. */
export async function readFeed(context: Context, userSlug: string, token: string): Promise<string> {
  const user = isSlug(userSlug) ? await findSchedulerBySlug(context.db, userSlug) : undefined
  const expected = user && (await findFeedTokenHash(context.db, user.id))
  if (user === undefined || !expected || !isSame(feedHash(token), expected)) {
    throw new Problem('not_found', sentence`There is no such calendar. Check the address.`)
  }
  const now = context.now()
  const found = await findHostedBookings(
    context.db,
    user.id,
    { start: now - PAST, end: now + FUTURE },
    MAX_EVENTS,
  )
  // Loaded on demand: the library is large, and few instances ever serve a feed.
  const { writeCalendarEvents } = await import('../../format/icalendar/event.ts')
  const { hostEntryOf } = await import('./host-entry.ts')
  const meetings = Map.groupBy(found, ({ booking }) => booking.meetingId)
  const entries = [...meetings].flatMap(([meetingId, seated]) => {
    // Guests who still wait for approval are not counted with those who attend.
    const attending = seated.filter(({ booking }) => booking.status !== 'PendingApproval')
    const [first, ...others] = attending.length > 0 ? attending : seated
    if (first === undefined) return []
    const all = [first, ...others]
    const roster = {
      ...first,
      meetingId,
      uid: meetingUid({ meetingId, uid: first.meetingUid, bookings: all.map(({ booking }) => booking) }),
      sequence: Math.max(...all.map(({ sequence }) => sequence)),
      seats: Math.max(...all.map(({ seats }) => seats)),
      bookings: [first.booking, ...others.map(({ booking }) => booking)] as const,
    }
    return [hostEntryOf(roster, user.locale, Math.max(...all.map(({ booking }) => booking.createdAt)))]
  })
  return writeCalendarEvents(entries, user.name)
}

const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))
