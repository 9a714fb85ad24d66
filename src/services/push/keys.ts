import { newPushKeys, type PushKeys } from '../../outside/push/push.ts'
import { deleteAllSubscriptions } from '../../store/push/subscriptions.ts'
import { findOrInsertSecret, replaceSecret } from '../../store/secrets.ts'
import type { Context } from '../context.ts'
import { seal, unseal } from '../seal.ts'

/** The secret's name, and the purpose for which it is sealed. */
export const PUSH_KEYS = 'push-keys'

/** The key pair of web push, made at the first start. All instances get the same one. */
export async function openPushKeys(
  context: Pick<Context, 'db' | 'jwtSecret' | 'previousJwtSecret'>,
): Promise<PushKeys> {
  const made = seal(context, PUSH_KEYS, JSON.stringify(newPushKeys()))
  const stored = await findOrInsertSecret(context.db, PUSH_KEYS, made)
  const text = unseal(context, PUSH_KEYS, stored)
  if (text !== undefined) return JSON.parse(text)
  // Another JWT_SECRET sealed it. Subscriptions work with the lost key alone, so they go, too.
  await context.db.transaction().execute(async (trx) => {
    if (await replaceSecret(trx, PUSH_KEYS, stored, made)) await deleteAllSubscriptions(trx)
  })
  return openPushKeys(context)
}
