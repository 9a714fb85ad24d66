import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { DAY } from '../../../domain/interval.ts'
import { type Job, TryAgainAt } from '../../../domain/job.ts'
import { hookRemovalJob } from '../../../domain/payments/account.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import { canonicalEmail } from '../../../domain/people/contact.ts'
import { isGone, type User } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { english, sentence, type Value } from '../../../domain/sentence.ts'
import { findUpcomingHosted } from '../../../store/bookings/hosted.ts'
import { findCalendarPage } from '../../../store/calendars/calendars.ts'
import { type Channel, findChannelsOf } from '../../../store/calendars/channels.ts'
import { deleteConnection, findConnectionPage } from '../../../store/calendars/connections.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { findOwnersHostedBy } from '../../../store/event-types/event-types.ts'
import { insertJobs } from '../../../store/outbox.ts'
import {
  deletePaymentAccount,
  findPaymentAccountOf,
  hasPaymentsUnderWay,
} from '../../../store/payments/accounts.ts'
import { deleteInvitationsBy } from '../../../store/people/invitations.ts'
import { updateFeedMaker } from '../../../store/people/made-by-token.ts'
import { deleteTeamMember, findRoles, hasOtherOwner } from '../../../store/people/members.ts'
import {
  bumpRevisions,
  findScheduler,
  lockHosts,
  lockSchedulers,
  updateFeedTokenHash,
} from '../../../store/people/schedulers.ts'
import { deleteTeamHost, findSoleHosted, hideEventTypes } from '../../../store/people/team-hosts.ts'
import { findUser, findUsers, updateUser } from '../../../store/people/users.ts'
import {
  anonymizeAudit,
  anonymizeDeliveries,
  deleteOwned,
  deleteTracesOf,
  emptyUser,
  hasJobsAbout,
  hasLinkJobs,
} from '../../../store/workspace/account.ts'
import { cancel } from '../../bookings/cancel.ts'
import { revocationJob } from '../../calendars/revoke.ts'
import { recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../people/access.ts'
import { endAccess } from '../../people/sign-in/end-access.ts'
import { type Principal, requireSession } from '../../people/sign-in/principal.ts'

/** What becomes of the meetings ahead. `refuse`: while there are any, the account stays. */
export type MeetingsAhead = 'refuse' | 'cancel'

/** The data of an `account-delete` job. */
export interface AccountDeletion {
  readonly userId: string
  /** The teams that they were in, and who took over: their webhooks may have been told about the user. */
  readonly teamIds: readonly string[]
}

/** Whose account is deleted: the user's own, or by an admin that of someone else. */
type Whose = 'own' | 'other'

/** Who did what a deleted account did, in the audit. */
const DELETED_ACCOUNT = 'deleted account'

/** Deletes the account of the signed-in user, who repeats their email address to confirm it. */
export async function deleteOwnAccount(
  context: Context,
  principal: Principal,
  email: string,
  meetings: MeetingsAhead,
): Promise<void> {
  requireSession(principal, sentence`An API token cannot delete your account. Sign in for that.`)
  if (canonicalEmail(email) !== principal.email) {
    throw new Problem('invalid', sentence`Enter the email address that you sign in with, to confirm.`, {
      field: 'email',
    })
  }
  await deleteAccount(context, principal, principal.userId, { meetings, whose: 'own' })
}

/**
 * Closes an account for good, at once and in one transaction: sign-in, page, teams. An outbox job does the rest, which
 * takes longer: it cancels meetings, lets the mails go out that still need the host's name and address, and deletes.
 * Returns how many meetings it cancels.
 */
export async function deleteAccount(
  context: Context,
  actor: Actor,
  userId: string,
  { meetings, whose }: { readonly meetings: MeetingsAhead; readonly whose: Whose },
): Promise<number> {
  const now = context.now()
  const { affected, cancelled } = await context.db.transaction().execute(async (trx) => {
    // Of two admins who leave at once, the second must see that the first has left.
    if ((await findUser(trx, userId))?.admin === true) await lockSchedulers(trx)
    const teamIds = [...(await findRoles(trx, userId)).keys()]
    const owners = await findOwnersHostedBy(trx, userId)
    // This locks them: no one else leaves these teams, and no one books this host, before we are done.
    const affected = [...new Set([userId, ...teamIds, ...owners])]
    await bumpRevisions(trx, affected)
    await lockHosts(trx, [userId])
    const user = await findUser(trx, userId)
    if (user === undefined || isGone(user)) throw notFound()
    await refuseLastAdmin(trx, user, whose)
    await refuseOnlyOwner(trx, userId, whose)
    const upcoming = await findUpcomingHosted(trx, userId, now)
    if (meetings === 'refuse') refuseMeetings(user, upcoming, whose)

    for (const teamId of teamIds) {
      await leaveTeam(trx, teamId, userId)
      await recordLeaving(trx, actor, { teamId, userId }, now)
    }
    await closeAccount(trx, actor, { user, teamIds }, now)
    return { affected, cancelled: meetingCount(upcoming) }
  })
  context.slots.settingsChanged(affected)
  context.outbox.wake()
  return cancelled
}

/** How many meetings these bookings are in. */
export const meetingCount = (bookings: readonly ListedBooking[]) =>
  new Set(bookings.map(({ booking }) => booking.meetingId)).size

export async function recordLeaving(
  trx: Trx,
  actor: Actor,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  now: number,
): Promise<void> {
  const audit = { schedulerId: teamId, objectType: 'team-member', objectId: userId, action: 'left' }
  await recordAudit(trx, actor, now, { ...audit, changes: ['members', 'hosts'] })
}

/** Ends sign-in, sessions, tokens and the feed, and queues the rest of the deletion. */
export async function closeAccount(
  trx: Trx,
  actor: Actor,
  { user, teamIds }: { readonly user: User; readonly teamIds: readonly string[] },
  now: number,
): Promise<void> {
  const userId = user.id
  await updateUser(trx, userId, { admin: false, disabledAt: user.disabledAt ?? now, closedAt: now })
  await endAccess(trx, userId)
  await updateFeedTokenHash(trx, userId, null)
  await updateFeedMaker(trx, userId, null)
  const audit = { schedulerId: userId, objectType: 'user', objectId: userId, action: 'closed' }
  await recordAudit(trx, actor, now, { ...audit, changes: [] })
  const data: AccountDeletion = { userId, teamIds }
  await insertJobs(trx, [{ kind: 'account-delete', lane: null, data, dueAt: now }], now)
}

export async function refuseLastAdmin(trx: Trx, { id, admin }: User, whose: Whose): Promise<void> {
  if (!admin) return
  const others = (await findUsers(trx)).filter((user) => user.id !== id)
  if (others.length === 0 || others.some((user) => user.admin && user.disabledAt === null)) return
  throw new Problem(
    'in_use',
    whose === 'own'
      ? sentence`You are the only admin here. Another user must be made an admin first.`
      : sentence`This is the only admin here. Make someone else an admin first.`,
  )
}

async function refuseOnlyOwner(trx: Trx, userId: string, whose: Whose): Promise<void> {
  const names: string[] = []
  for (const [teamId, role] of await findRoles(trx, userId)) {
    if (role !== 'owner' || (await hasOtherOwner(trx, teamId, userId))) continue
    names.push((await findScheduler(trx, teamId))?.name ?? '')
  }
  if (names.length === 0) return
  throw new Problem(
    'in_use',
    whose === 'own'
      ? sentence`You are the only owner of: ${names}. Make someone else an owner, or delete the team, first.`
      : sentence`This person is the only owner of: ${names}. Choose who takes over, or make someone else an owner first.`,
  )
}

/** How many times a refusal lists. */
const MAX_LISTED = 10

function refuseMeetings(user: User, bookings: readonly ListedBooking[], whose: Whose): void {
  const count = meetingCount(bookings)
  if (count === 0) return
  const { name, timeZone } = user
  const times = timesOf(bookings, timeZone)
  if (whose === 'other') {
    throw new Problem(
      'in_use',
      count === 1
        ? sentence`${name} hosts one upcoming meeting: ${times} (times in ${{ zone: timeZone }}). Choose who takes over, or have it cancelled.`
        : sentence`${name} hosts ${count} upcoming meetings: ${times} (times in ${{ zone: timeZone }}). Choose who takes over, or have them cancelled.`,
    )
  }
  throw new Problem(
    'in_use',
    count === 1
      ? sentence`You host one upcoming meeting: ${times} (times in ${{ zone: timeZone }}). Cancel them first, or have them cancelled with your account.`
      : sentence`You host ${count} upcoming meetings: ${times} (times in ${{ zone: timeZone }}). Cancel them first, or have them cancelled with your account.`,
  )
}

/** When these meetings are: the first few of them. */
export function timesOf(bookings: readonly ListedBooking[], timeZone: string): Value {
  const starts = new Map(bookings.map(({ booking }) => [booking.meetingId, booking.startsAt]))
  const listed = [...starts.values()]
    .slice(0, MAX_LISTED)
    .map((instant): Value => ({ instant, timeZone }))
    .reduce((before, after) => sentence`${before}; ${after}`)
  const more = starts.size - MAX_LISTED
  return more > 0 ? sentence`${listed}; and ${more} more` : listed
}

async function leaveTeam(trx: Trx, teamId: string, userId: string): Promise<void> {
  const soleHosted = await findSoleHosted(trx, teamId, userId)
  await hideEventTypes(
    trx,
    soleHosted.map(({ id }) => id),
  )
  await deleteTeamHost(trx, teamId, userId)
  await deleteInvitationsBy(trx, teamId, userId)
  await deleteTeamMember(trx, teamId, userId)
}

/** How long to wait for the mails about cancelled meetings: what cannot be sent by then is not sent. */
const MAILS_LAST = DAY
/** How long to wait for guests' money to go back: longer than a refund is tried. */
const MONEY_LASTS = 14 * DAY
const LONGEST_WAIT = 60_000

/** Does what is left of a deletion. Every step can be repeated. */
export async function finishDeletion(
  context: Context,
  { userId, teamIds }: AccountDeletion,
  { createdAt, attempts }: Pick<Job, 'createdAt' | 'attempts'>,
): Promise<void> {
  const { db } = context
  const user = await findUser(db, userId)
  if (user === undefined || user.email === '') return
  await cancelUpcoming(context, userId)
  const wait = Math.min(LONGEST_WAIT, 1000 * 2 ** attempts)
  if (context.now() < createdAt + MAILS_LAST && (await isStillTold(context, userId))) {
    throw new TryAgainAt(context.now() + wait, english`Mails about cancelled meetings are still being sent.`)
  }
  if (context.now() < createdAt + MONEY_LASTS && (await isStillPaid(context, userId))) {
    throw new TryAgainAt(context.now() + wait, english`Money of guests is still on its way.`)
  }
  const channels = await findChannels(context, userId)
  await deleteOwned(db, userId)
  await deleteConnections(context, userId, channels)
  await anonymizeDeliveries(db, teamIds, userId)
  await anonymizeAudit(db, userId, DELETED_ACCOUNT)
  await db.transaction().execute(async (trx) => {
    await deleteTracesOf(trx, user.email)
    await bumpRevisions(trx, [userId])
    await emptyUser(trx, userId, context.now())
    const audit = { schedulerId: userId, objectType: 'user', objectId: userId, action: 'deleted' }
    await recordAudit(trx, actorOf(userId), context.now(), { ...audit, changes: [] })
  })
  context.slots.settingsChanged([userId, ...teamIds])
}

/** Whether guests or calendars still have to hear of meetings that this host no longer has. */
async function isStillTold({ db }: Context, userId: string): Promise<boolean> {
  const calendars = await findCalendarPage(db, userId, { limit: 100 })
  const ids = [userId, ...calendars.map(({ id }) => id)]
  if (await hasJobsAbout(db, ['announce', 'mail', 'calendar-write'], ids)) return true
  const connections = await findConnectionPage(db, userId, { limit: 100 })
  const connectionIds = connections.map(({ id }) => id)
  // A meeting that went to another host is still at the provider, in this user's account.
  if (connectionIds.length > 0 && (await hasJobsAbout(db, ['meeting-link'], connectionIds))) return true
  return hasLinkJobs(db, userId)
}

/** Whether money is on its way through the account that this host has connected: guests get it back with its key. */
async function isStillPaid({ db }: Context, userId: string): Promise<boolean> {
  const account = await findPaymentAccountOf(db, userId)
  return account !== undefined && (await hasPaymentsUnderWay(db, account.id))
}

const actorOf = (userId: string): Actor => ({ userId, email: DELETED_ACCOUNT })

/** Cancels the meetings ahead as their host, with the usual mails. */
async function cancelUpcoming(context: Context, userId: string): Promise<void> {
  const author = { by: 'host', actor: actorOf(userId) } as const
  for (const seen of await findUpcomingHosted(context.db, userId, context.now())) {
    try {
      await cancel(context, author, seen, { reason: '' })
    } catch (error) {
      // A guest has just changed it.
      if (!(error instanceof Problem)) throw error
    }
  }
  const [left] = await findUpcomingHosted(context.db, userId, context.now())
  if (left !== undefined)
    throw new TryAgainAt(context.now() + 1000, english`A meeting has just been changed.`)
}

type ChannelsOf = ReadonlyMap<string, readonly Channel[]>

/** What each connection has at its provider. Deleting the calendars forgets it. */
async function findChannels({ db }: Context, userId: string): Promise<ChannelsOf> {
  const found = new Map<string, readonly Channel[]>()
  for (const { id } of await findConnectionPage(db, userId, { limit: 100 })) {
    found.set(id, await findChannelsOf(db, id))
  }
  return found
}

async function deleteConnections(context: Context, userId: string, channels: ChannelsOf): Promise<void> {
  const account = await findPaymentAccountOf(context.db, userId)
  if (account !== undefined) {
    const { id: accountId, sealedKey, hookId } = account
    await context.db.transaction().execute(async (trx) => {
      await deletePaymentAccount(trx, accountId)
      const now = context.now()
      await insertJobs(trx, [hookRemovalJob({ accountId, sealedKey, hookId }, now)], now)
    })
  }
  for (const { id } of await findConnectionPage(context.db, userId, { limit: 100 })) {
    await context.db.transaction().execute(async (trx) => {
      const connection = await deleteConnection(trx, userId, id)
      const revocation = connection && revocationJob(context, connection, channels.get(id) ?? [])
      if (revocation !== undefined) await insertJobs(trx, [revocation], context.now())
    })
  }
  context.outbox.wake()
}
