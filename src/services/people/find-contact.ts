import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'

/** Where guests write to a user whom they can't book by themselves; empty if there is nowhere. */
export async function findContact({ db }: Context, userId: string | undefined): Promise<string> {
  const user = userId === undefined ? undefined : await findUser(db, userId)
  return user === undefined || user.disabledAt !== null ? '' : user.email
}
