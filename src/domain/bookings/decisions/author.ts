import { type Actor, type AuditEntry, auditEntryOf } from '../../people/audit.ts'
import type { ChangeAuthor } from '../change.ts'
import type { ListedBooking } from '../listed-booking.ts'
import type { Given } from './decision.ts'

/** Who changes a booking: the guest, a host, or the service itself. */
export type Author =
  | { readonly by: 'guest' | 'service' }
  | { readonly by: Extract<ChangeAuthor, 'host'>; readonly actor: Actor }

/** Records what hosts do; for guests and the service, the booking itself is the record. */
export function auditOf(
  author: Author,
  { booking, schedulerId }: ListedBooking,
  action: string,
  { now, newId }: Pick<Given, 'now' | 'newId'>,
): AuditEntry[] {
  if (author.by !== 'host') return []
  const about = { schedulerId, objectType: 'booking', objectId: booking.id }
  return [auditEntryOf(author.actor, newId(), now, { ...about, action, changes: [] })]
}
