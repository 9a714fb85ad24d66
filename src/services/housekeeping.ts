import { deleteExpired } from '../store/expiry.ts'
import type { Context } from './context.ts'

/** Forgets what only had to be remembered for a while. */
export function forgetExpired({ db, now }: Context): Promise<void> {
  return deleteExpired(db, now())
}
