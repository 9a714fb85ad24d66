import type { Selectable } from 'kysely'
import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/** Who gets the money for a user's or team's meetings. */
export type PaymentAccount = Selectable<Schema['payment_accounts']>

/** The account of a user or team. */
export function findPaymentAccountOf(db: Db, schedulerId: string): Promise<PaymentAccount | undefined> {
  return db
    .selectFrom('payment_accounts')
    .selectAll()
    .where('scheduler_id', '=', schedulerId)
    .executeTakeFirst()
}
