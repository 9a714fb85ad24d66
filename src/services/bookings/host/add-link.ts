import { type Author, auditOf } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { updateLocations } from '../../../store/bookings/locations.ts'
import { newId } from '../../../store/new-id.ts'
import { insertAuditEntry } from '../../../store/people/audit.ts'
import type { Context } from '../../context.ts'
import { announceLink } from '../links/keep-link.ts'

/** Gives an upcoming video call the link that its host has for it, or another one, and tells all its guests. */
export async function addLink(
  context: Context,
  author: Author,
  seen: ListedBooking,
  link: string,
): Promise<ListedBooking> {
  const now = context.now()
  const { status, endsAt, location, meetingId } = seen.booking
  if (location.type !== 'Video') refuse(sentence`Only video calls get a link.`)
  if (location.provider)
    refuse(sentence`This booking gets its link from ${nameOf(context, location.provider)}.`)
  if (status !== 'Confirmed' || endsAt <= now) {
    refuse(sentence`A link can only be added to a confirmed meeting that is not over.`)
  }
  await context.db.transaction().execute(async (trx) => {
    const linked = await updateLocations(trx, meetingId, link, 'host')
    await announceLink(trx, linked, author.by, now)
    if (linked.length === 0) return
    for (const entry of auditOf(author, seen, 'link-added', { now, newId })) {
      await insertAuditEntry(trx, entry)
    }
  })
  context.outbox.wake(['announce'])
  return seen
}

const nameOf = ({ kinds }: Context, provider: string) => kinds.findLink(provider)?.link.title ?? provider

function refuse(reason: ReturnType<typeof sentence>): never {
  throw new Problem('state_conflict', reason)
}
