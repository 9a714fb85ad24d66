import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { PaymentAccount } from '../../domain/payments/account.ts'
import { NOTHING, type Sentence } from '../../domain/sentence.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageById } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

export async function findPaymentAccount(db: Db, id: string): Promise<PaymentAccount | undefined> {
  const row = await db.selectFrom('payment_accounts').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** The account that gets the money for a user's or team's meetings. */
export async function findPaymentAccountOf(db: Db, schedulerId: string): Promise<PaymentAccount | undefined> {
  const found = db.selectFrom('payment_accounts').selectAll().where('scheduler_id', '=', schedulerId)
  const row = await found.executeTakeFirst()
  return row && fromRow(row)
}

/** The accounts of these users and teams, oldest first. */
export async function findPaymentAccounts(
  db: Db,
  schedulerIds: readonly string[],
  page: Page,
): Promise<PaymentAccount[]> {
  const rows = await db
    .selectFrom('payment_accounts')
    .selectAll()
    .where('scheduler_id', 'in', schedulerIds)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

/** All of them: for resealing. */
export async function findAllPaymentAccounts(db: Db): Promise<PaymentAccount[]> {
  return (await db.selectFrom('payment_accounts').selectAll().orderBy('id').execute()).map(fromRow)
}

/** How many accounts there are, by their status. */
export async function countPaymentAccounts(db: Db): Promise<Record<PaymentAccount['status'], number>> {
  const rows = await db
    .selectFrom('payment_accounts')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  return {
    ok: 0,
    reconnect: 0,
    ...Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])),
  }
}

/** No id is before this one. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Some of all accounts, by id: for what looks at each of them in turn. */
export async function findSomePaymentAccounts(
  db: Db,
  { after = FIRST_ID, limit }: Page,
): Promise<PaymentAccount[]> {
  const found = db.selectFrom('payment_accounts').selectAll().where('id', '>', after)
  return (await found.orderBy('id').limit(limit).execute()).map(fromRow)
}

export async function insertPaymentAccount(trx: Trx, account: PaymentAccount): Promise<void> {
  await trx.insertInto('payment_accounts').values(toRow(account)).execute()
}

/** Replaces the key and what came with it. */
export async function renewPaymentAccount(
  trx: Trx,
  account: Pick<PaymentAccount, 'id' | 'name' | 'sealedKey' | 'hookId' | 'sealedHookSecret'>,
): Promise<void> {
  await trx
    .updateTable('payment_accounts')
    .set({
      name: account.name,
      sealed_key: account.sealedKey,
      hook_id: account.hookId,
      sealed_hook_secret: account.sealedHookSecret,
      status: 'ok',
      ...lastErrorRow(NOTHING),
    })
    .where('id', '=', account.id)
    .execute()
}

/** Notes that the provider refuses the key. False if that is known, or the account has another key by now. */
export async function endPaymentAccount(
  trx: Trx,
  { id, sealedKey }: Pick<PaymentAccount, 'id' | 'sealedKey'>,
  reason: Sentence,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payment_accounts')
    .set({ status: 'reconnect', ...lastErrorRow(reason) })
    .where('id', '=', id)
    .where('status', '=', 'ok')
    .where('sealed_key', '=', sealedKey)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the same secrets under another key of the service, unless they were replaced meanwhile. */
export async function resealPaymentAccount(
  db: Db,
  before: Pick<PaymentAccount, 'id' | 'sealedKey' | 'sealedHookSecret'>,
  after: Pick<PaymentAccount, 'sealedKey' | 'sealedHookSecret'>,
): Promise<void> {
  await db
    .updateTable('payment_accounts')
    .set({ sealed_key: after.sealedKey, sealed_hook_secret: after.sealedHookSecret })
    .where('id', '=', before.id)
    .where('sealed_key', '=', before.sealedKey)
    .where('sealed_hook_secret', '=', before.sealedHookSecret)
    .execute()
}

export async function deletePaymentAccount(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('payment_accounts').where('id', '=', id).execute()
}

/** Event types of this user or team that cost something; a few of their names. */
export async function findPricedNames(db: Db, schedulerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('event_types')
    .select('name')
    .where('scheduler_id', '=', schedulerId)
    .where('price', 'is not', null)
    .orderBy('id')
    .limit(5)
    .execute()
  return rows.map(({ name }) => name)
}

/** Whether money of this account is still on its way: it would be lost without the key. */
export async function hasPaymentsUnderWay(db: Db, accountId: string): Promise<boolean> {
  const checkout = await db
    .selectFrom('checkouts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['open', 'authorised'])
    .limit(1)
    .executeTakeFirst()
  if (checkout !== undefined) return true
  const refund = await db
    .selectFrom('payment_refunds')
    .innerJoin('checkouts', 'checkouts.id', 'payment_refunds.checkout_id')
    .select('payment_refunds.id')
    .where('checkouts.account_id', '=', accountId)
    .where('payment_refunds.status', '=', 'asked')
    .limit(1)
    .executeTakeFirst()
  return refund !== undefined
}

const lastErrorRow = (lastError: Sentence) => {
  const { text, parts } = pairOf(lastError)
  return { last_error: text, last_error_parts: parts }
}

const toRow = (account: PaymentAccount) => ({
  id: account.id,
  scheduler_id: account.schedulerId,
  provider: account.provider,
  account: account.account,
  name: account.name,
  sealed_key: account.sealedKey,
  hook_id: account.hookId,
  sealed_hook_secret: account.sealedHookSecret,
  status: account.status,
  ...lastErrorRow(account.lastError),
  created_at: account.createdAt,
})

const fromRow = (row: Selectable<Schema['payment_accounts']>): PaymentAccount => ({
  id: row.id,
  schedulerId: row.scheduler_id,
  provider: row.provider,
  account: row.account,
  name: row.name,
  sealedKey: row.sealed_key,
  hookId: row.hook_id,
  sealedHookSecret: row.sealed_hook_secret,
  status: row.status,
  lastError: sentenceFrom(row.last_error, row.last_error_parts),
  createdAt: row.created_at,
})
