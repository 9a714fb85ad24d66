import { randomUUIDv7 } from 'node:crypto'
import type { Db } from '../../engine/database.ts'

/** A code that was mailed to an address, for one event type. */
interface EmailCode {
  readonly eventTypeId: string
  /** A hash of the address. */
  readonly address: string
  readonly codeHash: string
  readonly expiresAt: number
}

/** Stores a code in place of an older one, with all its tries. */
export async function upsertEmailCode(db: Db, code: EmailCode): Promise<void> {
  const values = { code_hash: code.codeHash, tries: 0, expires_at: code.expiresAt }
  await db
    .insertInto('email_codes')
    .values({ event_type_id: code.eventTypeId, address_hash: code.address, ...values })
    .onConflict((conflict) => conflict.columns(['event_type_id', 'address_hash']).doUpdateSet(values))
    .execute()
}

/** Notes a mail to this guest, which the cap on mails counts as it does those to guests whom others bring. */
export async function insertMail(db: Db, guest: string, now: number): Promise<void> {
  await db
    .insertInto('added_guests')
    .values({ booking_id: randomUUIDv7(), position: 0, guest, created_at: now })
    .execute()
}

/** How many mails this guest got since then, besides those about bookings of their own. */
export async function countMailsSince(db: Db, guest: string, since: number): Promise<number> {
  const row = await db
    .selectFrom('added_guests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('guest', '=', guest)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}
