import type { PageRequest } from '../../../domain/cursor.ts'
import { reaches, type Scope } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { checkName } from '../../../domain/text.ts'
import { deleteCalendar } from '../../../store/calendars/calendars.ts'
import type { Db, Trx } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import { findMadeByTokens, type MadeByToken, updateFeedMaker } from '../../../store/people/made-by-token.ts'
import { findRoles } from '../../../store/people/members.ts'
import { updateFeedTokenHash } from '../../../store/people/schedulers.ts'
import { type ApiToken, deleteApiToken, findApiTokens, insertApiToken } from '../../../store/people/tokens.ts'
import { deleteWebhook } from '../../../store/webhooks/webhooks.ts'
import { change, recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getId, notFound, readIdPage } from '../access.ts'
import { type Principal, signApiToken } from './principal.ts'

const DAY = 24 * 3_600_000

/** A token with what it made. */
interface ListedToken extends ApiToken {
  readonly made: MadeByToken
}

const NOTHING: MadeByToken = { webhooks: [], calendars: [], feed: false }

export async function listTokens(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<ListedToken[]> {
  const tokens = await findApiTokens(context.db, principal.userId, readIdPage(page))
  const ids = tokens.map(({ id }) => id)
  const made = await findManagedWorks(context.db, principal, ids)
  return tokens.map((token) => ({ ...token, made: made.get(token.id) ?? NOTHING }))
}

/** What tokens made, without webhooks of teams that the user no longer manages. */
async function findManagedWorks(
  db: Db,
  { userId }: Principal,
  tokenIds: readonly string[],
): Promise<Map<string, MadeByToken>> {
  const made = await findMadeByTokens(db, tokenIds)
  if (![...made.values()].some(({ webhooks }) => webhooks.some(({ ownerId }) => ownerId !== userId))) {
    return new Map(made)
  }
  const roles = await findRoles(db, userId)
  const manages = (ownerId: string) => {
    const role = roles.get(ownerId)
    return ownerId === userId || (role !== undefined && reaches(role, 'admin'))
  }
  return new Map(
    [...made].map(([id, works]) => [
      id,
      { ...works, webhooks: works.webhooks.filter(({ ownerId }) => manages(ownerId)) },
    ]),
  )
}

/** Creates an API token. Only this answer holds the secret. */
export async function createToken(
  context: Context,
  principal: Principal,
  input: { readonly name: string; readonly scopes: readonly Scope[]; readonly expiresInDays?: number },
): Promise<{ readonly token: ApiToken; readonly secret: string }> {
  if (principal.via.kind !== 'session') {
    // Otherwise a leaked token could create another one and survive its own revocation.
    throw new Problem('forbidden', sentence`An API token cannot make API tokens. Sign in for that.`)
  }
  const name = input.name.trim()
  checkName(name)
  const createdAt = context.now()
  const token: ApiToken = {
    id: newId(),
    userId: principal.userId,
    name,
    scopes: [...new Set(input.scopes)],
    createdAt,
    expiresAt: input.expiresInDays === undefined ? null : createdAt + input.expiresInDays * DAY,
  }
  await change(context, principal, principal.userId, async (trx) => {
    await insertApiToken(trx, token)
    const audit = { ...about(token), action: 'created', changes: Object.keys(input) }
    return { result: undefined, audit, affects: [] }
  })
  return { token, secret: await signApiToken(context, token) }
}

/** Revokes a token. It stops working at once. With `end`, so does what it made. */
export async function revokeToken(
  context: Context,
  principal: Principal,
  id: string,
  { end }: { readonly end: boolean },
): Promise<void> {
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    if (!(await deleteApiToken(trx, userId, getId(id)))) throw notFound()
    const made = end ? (await findManagedWorks(trx, principal, [id])).get(id) : undefined
    const owners = made === undefined ? [] : await endWorks(trx, principal, made, context.now())
    const changes = owners.length > 0 ? ['made'] : []
    const audit = { ...about({ id, userId }), action: 'deleted', changes }
    return { result: undefined, audit, affects: owners }
  })
}

/** Ends what a token made, each with its own entry in the audit. Returns whose it was. */
async function endWorks(
  trx: Trx,
  principal: Principal,
  { webhooks, calendars, feed }: MadeByToken,
  now: number,
): Promise<string[]> {
  const { userId } = principal
  const ended = (schedulerId: string, objectType: string, objectId: string) =>
    recordAudit(trx, principal, now, { schedulerId, objectType, objectId, action: 'deleted', changes: [] })
  for (const { id, ownerId } of webhooks) {
    await deleteWebhook(trx, id)
    await ended(ownerId, 'webhook', id)
  }
  for (const { id } of calendars) {
    await deleteCalendar(trx, id)
    await ended(userId, 'calendar', id)
  }
  if (feed) {
    await updateFeedTokenHash(trx, userId, null)
    await updateFeedMaker(trx, userId, null)
    await ended(userId, 'calendar-feed', userId)
  }
  const owners = webhooks.map(({ ownerId }) => ownerId)
  return [...new Set([...owners, ...(calendars.length > 0 || feed ? [userId] : [])])]
}

const about = ({ id, userId }: Pick<ApiToken, 'id' | 'userId'>) => ({
  schedulerId: userId,
  objectType: 'api-token',
  objectId: id,
})
