import type { Db } from '../../engine/database.ts'
import { newId } from '../../new-id.ts'

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
export async function insertMail(
  db: Db,
  { guest, client, sentAt }: { readonly guest: string; readonly client: string; readonly sentAt: number },
): Promise<void> {
  await db
    .insertInto('added_guests')
    .values({ booking_id: newId(), position: 0, guest, created_at: sentAt, client })
    .execute()
}

/** How many mails this guest got since then, besides those about bookings of their own; `own`: caused by this client. */
export async function countMailsSince(
  db: Db,
  guest: string,
  since: number,
  client: string,
): Promise<{ readonly own: number; readonly all: number }> {
  const rows = await db
    .selectFrom('added_guests')
    .select('client')
    .where('guest', '=', guest)
    .where('created_at', '>', since)
    .execute()
  return { own: rows.filter((row) => row.client === client).length, all: rows.length }
}
