import { createHmac, randomUUID } from 'node:crypto'
import { readTimes } from '../../domain/bookings/request.ts'
import { clientKey } from '../../domain/client-address.ts'
import { MINUTE } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { deleteHold } from '../../store/bookings/holds.ts'
import type { Ledger } from '../../store/bookings/ledger.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import type { Context } from '../context.ts'
import { isId } from '../people/access.ts'
import { type BookableEventType, ofLength, openedBy } from '../slots/bookable.ts'
import type { OpenedEventType } from './open-event-type.ts'
import {
  chooseGroup,
  claimsFor,
  findFreeGroups,
  questionAbout,
  refusalOf,
  requireCurrent,
  slotUnavailable,
  withCurrentSettings,
} from './placing.ts'

/** How long a guest has to fill in the form. */
const HELD_FOR = 5 * MINUTE

/** Live holds of a client on one event type. More would let a few requests block a calendar. */
const MOST_HOLDS = 3

/** A time that is kept for a guest while they fill in the form. */
export interface Hold {
  readonly holdId: string
  readonly expiresAt: number
}

/** Keeps a slot for this client for a while, as a claim with an end; throws `slot_unavailable` if it is taken. */
export async function hold(
  context: Context,
  { bookable: known, access }: OpenedEventType,
  request: { readonly startTime: string; readonly endTime: string },
  clientAddress: string,
): Promise<Hold> {
  requireHolds(known)
  const client = clientOf(context, clientAddress)
  const reload = async () => openedBy(await context.slots.reloadBookable(known), access)
  try {
    return await withCurrentSettings(known, reload, async (current) => {
      requireHolds(current)
      const { startsAt, endsAt } = readTimes(request, current.eventType)
      // Starts are whole minutes, and the database cannot compare a fraction of a millisecond.
      if (startsAt % MINUTE !== 0) throw slotUnavailable()
      const bookable = ofLength(current, (endsAt - startsAt) / MINUTE)
      const question = {
        ...questionAbout(bookable, startsAt),
        holdsOf: { eventTypeId: bookable.eventType.id, client },
      }
      const held = await decideUnderLock(context.db, question, (ledger) =>
        decideHold(ledger, bookable, startsAt, endsAt, client, context.now()),
      )
      context.slots.bookingsChanged(bookable.hostIds)
      return held
    })
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

function decideHold(
  ledger: Ledger,
  bookable: BookableEventType,
  startsAt: number,
  endsAt: number,
  client: string,
  now: number,
): Decision<Hold> {
  requireCurrent(bookable, ledger)
  const free = findFreeGroups(bookable, (hostId) => ledger.claimsOf(hostId), startsAt, now)
  const { group } = chooseGroup(bookable, ledger, free)
  const id = randomUUID()
  const eventTypeId = bookable.eventType.id
  const expiresAt = ledger.databaseTime + HELD_FOR
  const claims = claimsFor(bookable, group, { eventTypeId, meetingId: id, startsAt, endsAt })
  const earlier = ledger.holdsOf(eventTypeId, client)
  return {
    writes: {
      holds: [{ id, eventTypeId, client, claims, expiresAt }],
      freedHolds: earlier.slice(0, Math.max(0, earlier.length + 1 - MOST_HOLDS)),
    },
    result: { holdId: id, expiresAt },
  }
}

/** Gives the time back. One that has ended, or was booked, is no mistake. */
export async function releaseHold(
  context: Context,
  { bookable }: OpenedEventType,
  holdId: string,
): Promise<void> {
  requireHolds(bookable)
  if (!isId(holdId)) throw new Problem('not_found', sentence`There is no such hold.`)
  const hostIds = await deleteHold(context.db, bookable.eventType.id, holdId)
  if (hostIds.length > 0) context.slots.bookingsChanged(hostIds)
}

/** Throws `not_found` if times of this event type can't be held. */
export function requireHolds({ eventType }: BookableEventType): void {
  if (!eventType.holds) throw new Problem('not_found', sentence`Times of this event type can’t be held.`)
}

/** Whose hold it is: the client as the rate limit counts it, without storing the address. */
const clientOf = ({ jwtSecret }: Context, address: string) =>
  createHmac('sha256', jwtSecret)
    .update(`hold ${clientKey(address)}`)
    .digest('base64url')
