import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Sentence } from '../../../domain/sentence.ts'
import type { Context } from '../../context.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { type HostedBooking, readBooking } from '../reports/list.ts'
import { getChangeable } from './change-as-host.ts'

/** What became of one booking: why it was refused, unless it is as asked for. */
export interface ManyResult {
  readonly id: string
  readonly refusal: Sentence | undefined
}

interface ManyChange {
  /** The change of a single booking. */
  readonly change: (author: Author, seen: ListedBooking) => Promise<ListedBooking>
  /** Whether there is nothing left to do. */
  readonly isDone: (current: HostedBooking) => boolean
}

/**
 * Changes several bookings, each on its own, by the rules of the single change. The results are in the order asked.
 *
 * Who may change what is decided before the first change: a host who hands over the first seat of a meeting can no
 * longer see the others, which went along.
 */
export async function changeMany(
  context: Context,
  principal: Principal,
  ids: readonly string[],
  { change, isDone }: ManyChange,
): Promise<ManyResult[]> {
  const author = { by: 'host', actor: principal } as const
  const refusals = new Map<string, Sentence | undefined>()
  const allowed: string[] = []
  const trying = async (id: string, work: () => Promise<void>) => {
    try {
      await work()
      refusals.set(id, undefined)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refusals.set(id, error.sentence)
    }
  }
  for (const id of new Set(ids)) {
    await trying(id, async () => {
      await getChangeable(context, principal, id)
      allowed.push(id)
    })
  }
  for (const id of allowed) {
    await trying(id, async () => {
      const current = await readBooking(context, id)
      if (!isDone(current)) await change(author, current)
    })
  }
  return ids.map((id) => ({ id, refusal: refusals.get(id) }))
}
