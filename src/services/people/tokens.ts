import { randomUUIDv7 } from 'node:crypto'
import type { Scope } from '../../domain/people/user.ts'
import { Problem } from '../../domain/problem.ts'
import { checkName } from '../../domain/text.ts'
import { type ApiToken, deleteApiToken, findApiTokens, insertApiToken } from '../../store/people/tokens.ts'
import { change } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, notFound } from './access.ts'
import { type Principal, signApiToken } from './principal.ts'

const DAY = 24 * 3_600_000

export async function listTokens(
  context: Context,
  principal: Principal,
  cursor: string | undefined,
  limit: number,
): Promise<ApiToken[]> {
  return findApiTokens(context.db, principal.userId, cursor && getId(cursor), limit)
}

/** Creates an API token. Only this answer holds the secret. */
export async function createToken(
  context: Context,
  principal: Principal,
  input: { readonly name: string; readonly scopes: readonly Scope[]; readonly expiresInDays?: number },
): Promise<{ readonly token: ApiToken; readonly secret: string }> {
  if (principal.via.kind !== 'session') {
    // Otherwise a leaked token could create another one and survive its own revocation.
    throw new Problem('forbidden', 'An API token cannot make API tokens. Sign in for that.')
  }
  const name = input.name.trim()
  checkName(name)
  const createdAt = context.now()
  const token: ApiToken = {
    id: randomUUIDv7(),
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

/** Revokes a token. It stops working at once. */
export async function revokeToken(context: Context, principal: Principal, id: string): Promise<void> {
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    if (!(await deleteApiToken(trx, userId, getId(id)))) throw notFound()
    const audit = { ...about({ id, userId }), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [] }
  })
}

const about = ({ id, userId }: Pick<ApiToken, 'id' | 'userId'>) => ({
  schedulerId: userId,
  objectType: 'api-token',
  objectId: id,
})
