import { readReason, readSuccessor } from '../../../domain/bookings/change-request.ts'
import { allAttend } from '../../../domain/bookings/decisions/decide-reassignment.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { Interval } from '../../../domain/interval.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { type Sentence, sentence } from '../../../domain/sentence.ts'
import { findUpcomingHosted } from '../../../store/bookings/hosted.ts'
import { findTeamMember } from '../../../store/people/members.ts'
import type { Context } from '../../context.ts'
import { getId, notFound, requireRole } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { getTeam } from '../../people/teams/teams.ts'
import { instantIn } from '../../period.ts'
import type { Members } from '../series-members.ts'
import { countChange, countForUser, type HostMailLimits } from './host-mails.ts'
import { reassignAll } from './reassign.ts'

/** Who takes over what, with the names on the wire. */
interface HandOverRequest {
  readonly hostId?: string
  readonly automatic?: boolean
  readonly reason?: string
  /** Only meetings that touch this span. */
  readonly from?: string
  readonly to?: string
}

/** Whose meetings of which team. */
interface Leaving {
  readonly teamId: string
  readonly userId: string
  readonly mailLimits: HostMailLimits
}

/** What became of a person's meetings. */
interface HandedOverMeetings {
  /** One booking for each meeting. */
  readonly moved: readonly ListedBooking[]
  readonly failed: readonly { readonly booking: ListedBooking; readonly reason: Sentence }[]
  /** There were more than one request hands over: ask again. */
  readonly more: boolean
}

const MAILED = { to: 'everyone in the meeting', ends: false } as const

/** Each one takes a transaction, and someone waits for the answer. */
const MOST = 500

/**
 * Hands all upcoming meetings of a person with a team over to others, those of an absence if a span is given.
 *
 * Each on its own: a meeting that nobody can take doesn't stop the rest. Meetings of one series go to one host if there is
 * one who can take them all. Admins of the team may do this, and the person themself.
 */
export async function handOver(
  context: Context,
  principal: Principal,
  { teamId, userId, mailLimits }: Leaving,
  request: HandOverRequest,
): Promise<HandedOverMeetings> {
  const { team } = await getTeam(context.db, principal, teamId)
  const from = getId(userId)
  if (from !== principal.userId) await requireRole(context.db, principal, team.id, 'admin')
  const to = { hostId: readSuccessor(request), reason: readReason(request.reason) }
  if (to.hostId === from) {
    throw new Problem('invalid', sentence`Choose someone else to take these meetings over.`, {
      field: 'hostId',
    })
  }
  const { start, end } = spanOf(request)
  const upcoming = (await findUpcomingHosted(context.db, from, context.now())).filter(
    ({ schedulerId, booking }) => schedulerId === team.id && booking.startsAt < end && booking.endsAt > start,
  )
  // Someone who has left the team may still host meetings of it.
  if (upcoming.length === 0 && (await findTeamMember(context.db, team.id, from)) === undefined)
    throw notFound()

  await countForUser(mailLimits.changes, principal.userId)
  const moved: ListedBooking[] = []
  const failed: { booking: ListedBooking; reason: Sentence }[] = []
  const author = { by: 'host', actor: principal } as const
  const attempt = async (all: Members): Promise<Problem | undefined> => {
    try {
      await countChange(context, mailLimits, all[0], MAILED)
      const first = await reassignAll(context, author, all, to)
      moved.push(...all.map((one) => ({ ...one, hostId: first.hostId })))
      return undefined
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return error
    }
  }
  for (const all of together(upcoming.slice(0, MOST))) {
    const [first] = all
    const refusal = first.hostId === from ? await attempt(all) : allAttend()
    if (refusal === undefined) continue
    if (all.length === 1 || first.hostId !== from) {
      failed.push(...all.map((booking) => ({ booking, reason: refusal.sentence })))
      continue
    }
    for (const one of all) {
      const alone = await attempt([one])
      if (alone !== undefined) failed.push({ booking: one, reason: alone.sentence })
    }
  }
  return { moved, failed, more: upcoming.length > MOST }
}

/** What is handed over at once: the meetings of a series, or one meeting with all its guests. */
function together(bookings: readonly ListedBooking[]): Members[] {
  const groups = new Map<string, Members>()
  for (const one of bookings) {
    const { series, meetingId } = one.booking
    const key = `${one.hostId} ${series?.id ?? meetingId}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [one])
    else if (series !== undefined) known.push(one)
  }
  return [...groups.values()]
}

function spanOf({ from, to }: HandOverRequest): Interval {
  const start = from === undefined ? 0 : instantIn('from', from)
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : instantIn('to', to)
  if (end < start) throw invalidField('to', sentence`{field} must not be before the start.`)
  return { start, end }
}
