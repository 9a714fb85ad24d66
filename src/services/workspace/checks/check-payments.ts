import { existsSync } from 'node:fs'
import { sentence, sentenceOf, verbatim } from '../../../domain/sentence.ts'
import { type PaymentProvider, PaymentRefused } from '../../../outside/payments/provider.ts'
import type { Db } from '../../../store/engine/database.ts'
import { countPaymentAccounts } from '../../../store/payments/accounts.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { Finding } from './check-surroundings.ts'

const PATIENCE = 5000

/** Where guests pay: does the provider answer, and does it still accept all keys? It is asked only if anyone uses it. */
export async function checkPayments(
  surroundings: Surroundings,
  payments: PaymentProvider,
): Promise<Finding[]> {
  const { ok, reconnect: lost } = await countAccounts(surroundings)
  const all = ok + lost
  if (all === 0) return []
  const what = verbatim('Stripe')
  try {
    // There is no such key, so it refuses it if it answers.
    await payments.readAccount('doctor')
  } catch (error) {
    if (!(error instanceof PaymentRefused)) {
      const advice = sentence`See that this machine can reach STRIPE_API_URL.`
      return [{ what, state: 'broken', says: sentenceOf(error), advice }]
    }
  }
  if (lost === 0) return [{ what, state: 'ok', says: sentence`answers; connected accounts: ${all}` }]
  const says = sentence`refuses the keys of ${lost} of ${all} accounts`
  return [
    {
      what,
      state: 'warning',
      says,
      advice: sentence`Their owners were told by email to connect them again.`,
    },
  ]
}

const NONE = { ok: 0, reconnect: 0 }

/** None if the database can't be read: that is said elsewhere. */
async function countAccounts({ databaseUrl, sqliteFile, openStore }: Surroundings): Promise<typeof NONE> {
  if (databaseUrl === '' && !existsSync(sqliteFile)) return NONE
  let db: Db | undefined
  try {
    db = openStore({ poolSize: 1, queryTimeout: PATIENCE })
    return await countPaymentAccounts(db)
  } catch {
    return NONE
  } finally {
    await db?.destroy()
  }
}
