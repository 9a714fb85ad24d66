import type { PageRequest } from '../../domain/cursor.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findOwnersHostedBy } from '../../store/event-types/event-types.ts'
import { findPeople, findPerson, PEOPLE_ORDERS, type Person } from '../../store/people/people.ts'
import { lockSchedulers } from '../../store/people/schedulers.ts'
import { hasOtherAdmin, updateUser } from '../../store/people/users.ts'
import { change } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, notFound, readIdPage, requireInstanceAdmin } from './access.ts'
import { endAccess } from './sign-in/end-access.ts'
import type { Principal } from './sign-in/principal.ts'

// For admins of the instance. The command line has the same in `users.ts`.

export async function listPeople(
  context: Context,
  principal: Principal,
  { search = '', sort = 'created' }: { readonly search?: string; readonly sort?: string },
  page: PageRequest,
): Promise<Person[]> {
  requireInstanceAdmin(principal)
  const order = PEOPLE_ORDERS.find((known) => known === sort)
  if (order === undefined) throw invalidField('sort', sentence`{field} must be one of ${PEOPLE_ORDERS}.`)
  const asked = { search: search.trim(), sort: order, now: context.now() }
  return findPeople(context.db, asked, readIdPage(page))
}

export async function getPerson(context: Context, principal: Principal, id: string): Promise<Person> {
  requireInstanceAdmin(principal)
  const person = await findPerson(context.db, getId(id), context.now())
  if (person === undefined) throw notFound()
  return person
}

interface PersonChange {
  readonly role?: 'admin' | 'member'
  readonly disabled?: boolean
}

/**
 * Changes the role of a person, or disables or enables them. Disabling ends their sessions and API tokens.
 *
 * An admin who can sign in always stays.
 */
export async function updatePerson(
  context: Context,
  principal: Principal,
  id: string,
  { role, disabled }: PersonChange,
): Promise<Person> {
  requireInstanceAdmin(principal)
  const userId = getId(id)
  // Of two admins who change each other at once, the second must see the first.
  return change(
    context,
    principal,
    userId,
    async (trx) => {
      const before = await findPerson(trx, userId, context.now())
      if (before === undefined) throw notFound()
      const { user } = before
      const admin = role === undefined ? user.admin : role === 'admin'
      const isDisabled = disabled ?? user.disabledAt !== null
      const leaves = user.admin && user.disabledAt === null && (!admin || isDisabled)
      if (leaves && !(await hasOtherAdmin(trx, userId))) {
        throw new Problem('in_use', sentence`This is the only admin here. Make someone else an admin first.`)
      }
      const disabledAt = isDisabled ? (user.disabledAt ?? context.now()) : null
      const changes = [
        ...(admin !== user.admin ? ['admin'] : []),
        ...(disabledAt !== user.disabledAt ? ['disabledAt'] : []),
      ]
      await updateUser(trx, userId, { admin, disabledAt })
      const ends = isDisabled && user.disabledAt === null
      if (ends) await endAccess(trx, userId)
      const affects = changes.includes('disabledAt') ? await findOwnersHostedBy(trx, userId) : []
      const audit = { ...about(userId), action: 'updated', changes }
      return { result: (await findPerson(trx, userId, context.now())) as Person, audit, affects }
    },
    lockSchedulers,
  )
}

/** Ends all sessions and API tokens of a person. */
export async function signPersonOut(context: Context, principal: Principal, id: string): Promise<void> {
  const { user } = await getPerson(context, principal, id)
  await change(context, principal, user.id, async (trx) => {
    await endAccess(trx, user.id)
    const audit = { ...about(user.id), action: 'signed out', changes: ['sessions', 'tokens'] }
    return { result: undefined, audit, affects: [] }
  })
}

const about = (userId: string) => ({ schedulerId: userId, objectType: 'user', objectId: userId })
