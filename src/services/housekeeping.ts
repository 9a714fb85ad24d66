import { deleteExpired } from '../store/expiry.ts'
import type { Context } from './context.ts'

/** Deletes expired rows: sessions, links, idempotency keys and the like. */
export function forgetExpired({ db, now }: Context): Promise<void> {
  return deleteExpired(db, now())
}
