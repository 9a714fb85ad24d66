import { insertJobs } from '../../store/outbox.ts'
import { findPaymentAccount } from '../../store/payments/accounts.ts'
import { insertPaymentNotice } from '../../store/payments/notices.ts'
import type { Context } from '../context.ts'
import { isId } from '../people/access.ts'
import { hookSecretOf } from './accounts.ts'
import type { NoticeJobData } from './notice-job.ts'

/** A notice as it arrived. */
interface GivenNotice {
  readonly body: Buffer
  readonly signature: string
}

/**
 * Hears a notice of the provider. What it means is done by a job, so that the provider gets its answer at once.
 *
 * `unknown`: there is no such account here; `forged`: nobody else than the provider signs so.
 */
export async function receivePaymentNotice(
  context: Context,
  accountId: string,
  { body, signature }: GivenNotice,
): Promise<'heard' | 'unknown' | 'forged'> {
  const account = isId(accountId) ? await findPaymentAccount(context.db, accountId) : undefined
  if (account === undefined) return 'unknown'
  const now = context.now()
  const notice = context.payments.readNotice(body, signature, { secret: hookSecretOf(context, account), now })
  if (notice === undefined) return 'forged'
  const isOurs = notice.account === '' || notice.account === account.account
  if (!isOurs || notice.about === 'nothing') return 'heard'
  const isNew = await context.db.transaction().execute(async (trx) => {
    // Each address hears of an event itself: a user and a team may have the same account.
    if (!(await insertPaymentNotice(trx, `${account.id}:${notice.id}`, now))) return false
    const data: NoticeJobData = { accountId: account.id, notice }
    await insertJobs(trx, [{ kind: 'payment-notice', lane: null, data, dueAt: now }], now)
    return true
  })
  if (isNew) context.outbox.wake()
  return 'heard'
}
