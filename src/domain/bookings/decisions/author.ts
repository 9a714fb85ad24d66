import { type Actor, type AuditEntry, auditEntryOf } from '../../people/audit.ts'
import type { ChangeAuthor } from '../change.ts'
import type { ListedBooking } from '../listed-booking.ts'
import type { Given } from './decision.ts'

/** Who changes a booking: the guest, a host, or the service itself. */
export type Author =
  | { readonly by: 'service' }
  /** `clientOf` tells clients apart by a tag, for each mailbox another one; left out: not known. */
  | { readonly by: 'guest'; readonly clientOf?: (mailbox: string) => string }
  | { readonly by: Extract<ChangeAuthor, 'host'>; readonly actor: Actor }

/** The tag of the client that causes a mail to this mailbox; undefined: not a guest's, or not known. */
export const clientFor = (author: Author, mailbox: string): string | undefined =>
  author.by === 'guest' ? author.clientOf?.(mailbox) : undefined

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
