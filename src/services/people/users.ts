import type { Actor } from '../../domain/people/audit.ts'
import { isGone, type User } from '../../domain/people/user.ts'
import { Problem } from '../../domain/problem.ts'
import { english } from '../../domain/sentence.ts'
import type { Db } from '../../store/engine/database.ts'
import { findOwnersHostedBy } from '../../store/event-types/event-types.ts'
import { lockSchedulers } from '../../store/people/schedulers.ts'
import { findUserByEmail, hasOtherAdmin, updateUser } from '../../store/people/users.ts'
import { change, recordAudit } from '../change.ts'
import type { Context } from '../context.ts'
import { createUser } from './create-user.ts'
import { checkPage } from './me.ts'
import { endAccess } from './sign-in/end-access.ts'
import { readEmail } from './sign-in/sign-in.ts'

// For the operator's command line. Users themselves sign up by signing in.

export async function getUser(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, readEmail(email))
  if (user === undefined || isGone(user)) {
    throw new Problem('not_found', english`There is no user with the address ${email}.`)
  }
  return user
}

/** Adds a user who can then sign in. */
export async function addUser(
  context: Context,
  actor: Actor,
  given: Parameters<typeof createUser>[1],
): Promise<User> {
  const email = readEmail(given.email)
  const user = await context.db.transaction().execute(async (trx) => {
    // Of two requests for the same address or slug, the second must see the first.
    await lockSchedulers(trx)
    if ((await findUserByEmail(trx, email)) !== undefined) {
      throw new Problem('in_use', english`${email} already has an account.`)
    }
    const user = await createUser(trx, { ...given, email }, context.now())
    checkPage(user)
    await recordAudit(trx, actor, context.now(), { ...about(user), action: 'created', changes: [] })
    return user
  })
  context.slots.settingsChanged([user.id])
  return user
}

/** Disables a user: ends their sessions and API tokens, and closes their page. Their teams continue without them. */
export async function disableUser(context: Context, actor: Actor, email: string): Promise<User> {
  const user = await getUser(context.db, email)
  if (user.disabledAt !== null) return user
  // Of two admins who are disabled at once, the second must see the first.
  return change(
    context,
    actor,
    user.id,
    async (trx) => {
      if (user.admin && !(await hasOtherAdmin(trx, user.id))) {
        throw new Problem(
          'in_use',
          english`${email} is the only admin here. Make someone else an admin first.`,
        )
      }
      await updateUser(trx, user.id, { disabledAt: context.now() })
      await endAccess(trx, user.id)
      const audit = { ...about(user), action: 'disabled', changes: ['disabledAt', 'sessions', 'tokens'] }
      return { result: user, audit, affects: await findOwnersHostedBy(trx, user.id) }
    },
    lockSchedulers,
  )
}

/** Enables a disabled user. */
export async function enableUser(context: Context, actor: Actor, email: string): Promise<User> {
  const user = await getUser(context.db, email)
  if (user.disabledAt === null) return user
  return change(context, actor, user.id, async (trx) => {
    await updateUser(trx, user.id, { disabledAt: null })
    const audit = { ...about(user), action: 'enabled', changes: ['disabledAt'] }
    return { result: user, audit, affects: await findOwnersHostedBy(trx, user.id) }
  })
}

const about = ({ id }: User) => ({ schedulerId: id, objectType: 'user', objectId: id })
