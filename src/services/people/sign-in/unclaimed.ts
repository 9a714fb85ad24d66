import { hasAdmin } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'

/** Whether nobody runs this instance yet, so that any address may sign in and own it. */
export async function isUnclaimed({ db, signup }: Pick<Context, 'db' | 'signup'>): Promise<boolean> {
  return signup !== 'closed' && !(await hasAdmin(db))
}
