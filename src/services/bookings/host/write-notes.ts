import { type Author, auditOf } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { checkProse } from '../../../domain/text.ts'
import { updateHostNotes } from '../../../store/bookings/bookings.ts'
import { newId } from '../../../store/new-id.ts'
import { insertAuditEntry } from '../../../store/people/audit.ts'
import type { Context } from '../../context.ts'

/** Replaces what hosts note about a booking. Nobody else hears of it, and the audit doesn't have the text. */
export async function writeNotes(
  context: Context,
  author: Author,
  seen: ListedBooking,
  hostNotes: string,
): Promise<ListedBooking> {
  checkProse(hostNotes, 'hostNotes')
  const written = hostNotes.trim()
  if (written === (seen.hostNotes ?? '')) return seen
  await context.db.transaction().execute(async (trx) => {
    await updateHostNotes(trx, seen.booking.id, written)
    for (const entry of auditOf(author, seen, 'updated', { now: context.now(), newId }))
      await insertAuditEntry(trx, { ...entry, changes: ['hostNotes'] })
  })
  return { ...seen, hostNotes: written }
}
