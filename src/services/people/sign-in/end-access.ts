import type { Trx } from '../../../store/engine/database.ts'
import { deleteSessionsOf } from '../../../store/people/sessions.ts'
import { deleteApiTokensOf } from '../../../store/people/tokens.ts'

/** Ends all sessions and API tokens of a user. Deleted, not suspended: a leaked token must never work again. */
export async function endAccess(trx: Trx, userId: string): Promise<void> {
  await deleteSessionsOf(trx, userId)
  await deleteApiTokensOf(trx, userId)
}
