import type { Actor } from '../../../domain/people/audit.ts'
import type { Scope } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import { checkName } from '../../../domain/text.ts'
import { newId } from '../../../store/new-id.ts'
import { type ApiToken, insertApiToken } from '../../../store/people/tokens.ts'
import { findUserByEmail } from '../../../store/people/users.ts'
import { change, recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getUser } from '../users.ts'
import { signApiToken } from './principal.ts'
import { createLink, readEmail } from './sign-in.ts'

// For the operator's command line, which acts for users without signing in.

const DAY = 24 * 3_600_000

/** Creates an API token for this user and returns it; it is shown only once. */
export async function issueToken(
  context: Context,
  actor: Actor,
  email: string,
  input: { readonly name: string; readonly scopes: readonly Scope[]; readonly days?: number },
): Promise<string> {
  const user = await getUser(context.db, email)
  if (user.disabledAt !== null) throw new Problem('invalid', english`${user.email} is disabled.`)
  const name = input.name.trim()
  checkName(name)
  const createdAt = context.now()
  const token: ApiToken = {
    id: newId(),
    userId: user.id,
    name,
    scopes: [...new Set(input.scopes)],
    createdAt,
    expiresAt: input.days === undefined ? null : createdAt + input.days * DAY,
  }
  await change(context, actor, user.id, async (trx) => {
    await insertApiToken(trx, token)
    const audit = { schedulerId: user.id, objectType: 'api-token', objectId: token.id }
    return {
      result: undefined,
      audit: { ...audit, action: 'created', changes: Object.keys(input) },
      affects: [],
    }
  })
  return signApiToken(context, token)
}

/** Creates a sign-in link for this address. It works once. */
export async function issueLink(context: Context, actor: Actor, email: string): Promise<string> {
  const link = await createLink(context, email)
  const user = await findUserByEmail(context.db, readEmail(email))
  // An address without an account has no audit to write to yet.
  if (user !== undefined) {
    const audit = { schedulerId: user.id, objectType: 'sign-in-link', objectId: user.id }
    await recordAudit(context.db, actor, context.now(), { ...audit, action: 'created', changes: [] })
  }
  return link
}
