import type { Author } from '../../../domain/bookings/decisions/author.ts'
import {
  planSuccession,
  type SucceededMeetings,
} from '../../../domain/bookings/decisions/decide-succession.ts'
import { decideWithin } from '../../../store/bookings/write-path.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'

/**
 * Gives meetings of a host who leaves to another host, and cancels others, within a transaction that has locked both.
 *
 * Guests hear of it as of any such change, once for each booking or series. Returns the hosts whose meetings have changed.
 */
export async function giveToSuccessor(
  trx: Trx,
  author: Author,
  meetings: SucceededMeetings,
  now: number,
): Promise<readonly string[]> {
  if (meetings.moved.length + meetings.cancelled.length === 0) return []
  const { questions, decisions } = planSuccession(meetings, author)
  const given = { now, newId, found: NOTHING }
  const changed = await decideWithin(
    trx,
    questions,
    decisions.map((decide) => (ledger) => decide(ledger, given)),
  )
  return [...new Set(changed.flat())]
}

/** These decisions ask no calendars, and know no caps. */
const NOTHING = {
  asked: new Set<string>(),
  silent: new Set<string>(),
  exempt: { mails: new Set<string>(), open: new Set<string>() },
}
