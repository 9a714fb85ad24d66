import { setTimeout as sleep } from 'node:timers/promises'
import { answersWithout, mentions } from '../../../domain/bookings/erased.ts'
import { isActive } from '../../../domain/bookings/states.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import { canonicalEmail, isEmail } from '../../../domain/people/contact.ts'
import { reaches } from '../../../domain/people/user.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { deleteMailFilesWhere } from '../../../outside/mail/mail-files.ts'
import { listedFromRow } from '../../../store/bookings/list.ts'
import { newId } from '../../../store/new-id.ts'
import { findRoles } from '../../../store/people/members.ts'
import {
  anonymizeBookings,
  anonymizeResponse,
  deleteMentions,
  type Erased,
  type ErasureScope,
  findBookingsOfGuest,
  findBookingsWithGuest,
  findResponsesOf,
  findResponsesWith,
  removeAddedGuest,
} from '../../../store/workspace/erasure.ts'
import { forgetDeleted } from '../../../store/workspace/traces.ts'
import { changeState } from '../../bookings/change-state.ts'
import { recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { addressHash, mailboxHash } from '../../mailbox-hash.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { removeTraces } from './remove-traces.ts'

/** How much was erased. */
export interface ErasureCounts {
  readonly bookings: number
  readonly responses: number
}

/** Erases a guest for a host: admins of the instance for everyone, others from what they own or administer. */
export async function eraseForHost(
  context: Context,
  principal: Principal,
  email: string,
): Promise<ErasureCounts> {
  return eraseGuest(context, principal, email, await scopeOf(context, principal))
}

async function scopeOf({ db }: Context, { userId, admin }: Principal): Promise<ErasureScope> {
  if (admin) return 'all'
  const roles = [...(await findRoles(db, userId))]
  return [userId, ...roles.filter(([, role]) => reaches(role, 'admin')).map(([teamId]) => teamId)]
}

/** Who erases when the guest does. */
export const GUEST: Actor = { userId: null, email: 'guest' }

/** Bookings that are made while we erase are erased as well, but not for ever. */
const MAX_ROUNDS = 20

/**
 * Erases what is known about a guest, and returns once it is gone. Upcoming bookings are cancelled first.
 *
 * Bookings and responses stay without the person, so that counts do. Can be repeated: each step leaves either what was
 * there or a note of what is still to do.
 */
export async function eraseGuest(
  context: Context,
  actor: Actor,
  email: string,
  scope: ErasureScope,
): Promise<ErasureCounts> {
  if (!isEmail(email.trim())) throw invalidField('email', sentence`{field} must be an email address.`)
  const address = canonicalEmail(email)
  const erased = new Map<string, Erased>()
  for (let round = 0; ; round++) {
    if (round === MAX_ROUNDS) throw keepsChanging()
    const found = await eraseOnce(context, actor, address, scope)
    for (const one of found) erased.set(one.id, one)
    await removeTraces(context)
    const hashes = { address: addressHash(address), mailbox: mailboxHash(address) }
    await deleteMentions(context.db, address, hashes, scope)
    if (found.length === 0) break
  }
  if (scope === 'all' && context.mailFolder !== undefined) {
    await deleteMailFilesWhere(context.mailFolder, (content) => mentions(content, address))
  }
  await emptyFiles(context)
  await recordErasure(context, actor, [...erased.values()])
  return countsOf([...erased.values()])
}

const keepsChanging = () =>
  new Problem(
    'state_conflict',
    sentence`This guest is booking or changing meetings right now. Please try again.`,
  )

async function eraseOnce(
  context: Context,
  actor: Actor,
  address: string,
  scope: ErasureScope,
): Promise<Erased[]> {
  const { db } = context
  const erased: Erased[] = []
  const bookings = await findBookingsOfGuest(db, address, scope)
  const isAhead = (row: (typeof bookings)[number]) => {
    const { booking } = listedFromRow(row)
    return isActive(booking) && booking.startsAt > context.now()
  }
  for (const row of bookings.filter(isAhead)) await cancelAhead(context, actor, listedFromRow(row))
  const over = (await findBookingsOfGuest(db, address, scope)).filter((row) => !isAhead(row))
  const led = over.flatMap((row) => (row.routing === null ? [] : [JSON.parse(row.routing).responseId]))
  const responses = [
    ...(await findResponsesWith(db, address, scope)).map(({ row, ownerId }) => ({
      row,
      ownerId,
      answers: answersWithout(JSON.parse(row.answers), address),
    })),
    ...(await findResponsesOf(db, led)).map(({ row, ownerId }) => ({ row, ownerId, answers: {} })),
  ]
  // Bookings last: those that are left lead to the responses again.
  for (const { row, ownerId, answers } of responses) {
    await db.transaction().execute((trx) => anonymizeResponse(trx, row, answers))
    erased.push({ kind: 'response', id: row.id, ownerId })
  }
  for (const row of over) {
    await db.transaction().execute((trx) => anonymizeBookings(trx, [row]))
    erased.push({ kind: 'booking', id: row.id, ownerId: row.scheduler_id })
  }
  for (const row of await findBookingsWithGuest(db, address, scope)) {
    await db.transaction().execute((trx) => removeAddedGuest(trx, row.id, address))
    erased.push({ kind: 'booking', id: row.id, ownerId: row.scheduler_id })
  }
  return erased
}

/** The host hears of it; the guest's own email is not sent any more. The next round sees whether it was changed meanwhile. */
async function cancelAhead(
  context: Context,
  actor: Actor,
  seen: ReturnType<typeof listedFromRow>,
): Promise<void> {
  const author = actor.userId === null ? { by: 'guest' as const } : { by: 'host' as const, actor }
  try {
    await changeState(context, seen, { to: 'Cancelled', author, isErasure: true })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

const WAIT = 100
const MAX_WAITS = 300

/** Makes what was deleted disappear from the files, once nobody reads a snapshot from before. */
async function emptyFiles({ db }: Context): Promise<void> {
  for (let waits = 0; !(await forgetDeleted(db)); waits++) {
    if (waits === MAX_WAITS) {
      throw new Problem(
        'unavailable',
        sentence`A backup or an export is being made. Please try again when it is done.`,
      )
    }
    await sleep(WAIT)
  }
}

const countsOf = (erased: readonly Erased[]): ErasureCounts => ({
  bookings: erased.filter(({ kind }) => kind === 'booking').length,
  responses: erased.filter(({ kind }) => kind === 'response').length,
})

/** Records for each owner how much was erased, never whom. */
async function recordErasure(context: Context, actor: Actor, erased: readonly Erased[]): Promise<void> {
  const byOwner = Map.groupBy(erased, ({ ownerId }) => ownerId)
  const owners = new Set([...(actor.userId === null ? [] : [actor.userId]), ...byOwner.keys()])
  for (const schedulerId of owners) {
    const { bookings, responses } = countsOf(byOwner.get(schedulerId) ?? [])
    const audit = { schedulerId, objectType: 'guest', objectId: newId(), action: 'erased' }
    const changes = [`bookings: ${bookings}`, `responses: ${responses}`]
    await recordAudit(context.db, actor, context.now(), { ...audit, changes })
  }
}
