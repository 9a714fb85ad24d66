import type { PageRequest } from '../../domain/cursor.ts'
import type { PaymentAccount } from '../../domain/payments/account.ts'
import { sentence } from '../../domain/sentence.ts'
import { PaymentRefused } from '../../outside/payments/provider.ts'
import type { Db } from '../../store/engine/database.ts'
import { insertJobs } from '../../store/outbox.ts'
import {
  endPaymentAccount,
  findPaymentAccountOf,
  findPaymentAccounts,
} from '../../store/payments/accounts.ts'
import type { Context } from '../context.ts'
import { managedSchedulers, readIdPage } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { seal, unseal } from '../seal.ts'

/** The account that gets the money for a user's or team's meetings; undefined: they can't cost anything. */
export const accountOf = (db: Db, schedulerId: string): Promise<PaymentAccount | undefined> =>
  findPaymentAccountOf(db, schedulerId)

type Sealing = Pick<Context, 'jwtSecret' | 'previousJwtSecret'>

/** With which the provider is asked on behalf of this account. */
export function keyOf(context: Sealing, { id, sealedKey }: Pick<PaymentAccount, 'id' | 'sealedKey'>): string {
  const key = unseal(context, keyPurpose(id), sealedKey)
  if (key === undefined || key === '')
    throw new PaymentRefused('key', sentence`The stored access can no longer be read.`)
  return key
}

/** What the provider signs this account's notices with; empty if that can't be read. */
export const hookSecretOf = (
  context: Sealing,
  { id, sealedHookSecret }: Pick<PaymentAccount, 'id' | 'sealedHookSecret'>,
): string => unseal(context, hookPurpose(id), sealedHookSecret) ?? ''

/** Both secrets as they are stored. */
export const sealSecrets = (
  context: Pick<Context, 'jwtSecret'>,
  id: string,
  { key, hookSecret }: { readonly key: string; readonly hookSecret: string },
): Pick<PaymentAccount, 'sealedKey' | 'sealedHookSecret'> => ({
  sealedKey: seal(context, keyPurpose(id), key),
  sealedHookSecret: seal(context, hookPurpose(id), hookSecret),
})

export const keyPurpose = (id: string) => `payment-key:${id}`
export const hookPurpose = (id: string) => `payment-hook:${id}`

/** Notes that the provider refuses the account's key, and has its owner told, once. Other refusals say nothing of the key. */
export async function noteRefused(
  context: Context,
  account: Pick<PaymentAccount, 'id' | 'sealedKey'>,
  refusal: PaymentRefused,
): Promise<void> {
  if (refusal.because === 'request') return
  const now = context.now()
  const isNew = await context.db.transaction().execute(async (trx) => {
    if (!(await endPaymentAccount(trx, account, refusal.sentence))) return false
    const data = { connectionId: account.id }
    await insertJobs(trx, [{ kind: 'connection-lost', lane: null, data, dueAt: now }], now)
    return true
  })
  if (isNew) context.outbox.wake()
}

/** The accounts of the user, and of the teams that they manage. */
export async function listPaymentAccounts(
  { db }: Context,
  principal: Principal,
  page: PageRequest,
): Promise<PaymentAccount[]> {
  return findPaymentAccounts(db, await managedSchedulers(db, principal), readIdPage(page))
}
