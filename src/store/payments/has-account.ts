import type { Db } from '../engine/database.ts'

/** Whether there is someone to pay for meetings of this user or team. */
export async function hasPaymentAccount(db: Db, schedulerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_accounts')
    .select('id')
    .where('scheduler_id', '=', schedulerId)
    .executeTakeFirst()
  return row !== undefined
}
