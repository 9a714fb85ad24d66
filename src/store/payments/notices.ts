import type { Trx } from '../engine/database.ts'

/** Notes that a notice was heard. False if it was before. */
export async function insertPaymentNotice(trx: Trx, id: string, at: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('payment_notices')
    .values({ id, at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}
