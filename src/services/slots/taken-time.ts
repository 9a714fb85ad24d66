import { DAY, type Interval } from '../../domain/interval.ts'
import { type Claim, claimDetails } from '../../domain/slots/openings.ts'
import { findTakenHours, findTakenTime } from '../../store/bookings/bookings.ts'
import type { Db } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import { MAX_STALENESS, type Offer } from './offers.ts'
import { Recent } from './recent.ts'

/** Claims are kept by stretches of time, so that listings of different months share what they read. */
const STRETCH = 32 * DAY

interface Stretch {
  readonly claims: readonly Claim[]
  /** Whose bookings would change it. */
  readonly bookedIds: readonly string[]
  readonly mark: number
  readonly freshUntil: number
}

export type TakenTimeCache = Recent<Stretch>

const CACHED_CLAIMS = 50_000

export const createTakenTimeCache = (): TakenTimeCache => new Recent(CACHED_CLAIMS)

/** What is taken of an offer's hosts, for listing. Booking reads the store itself, under its own condition. */
export interface ListedTime {
  readonly taken: readonly { readonly hostId: string; readonly claims: readonly Claim[] }[]
  /** What another instance has booked may be missing from here on. */
  readonly freshUntil: number
}

/** Claims of the offer's hosts that touch `span`, at most a second old, and never older than a booking made here. */
export function getTaken(context: Context, offer: Offer, span: Interval): ListedTime | Promise<ListedTime> {
  const pieces = findPieces(context, offer, span)
  const missing = pieces.filter(({ stretch }) => stretch === undefined)
  if (missing.length === 0) return assemble(offer, pieces)
  return readMissing(context, offer, pieces, missing)
}

/** A stretch of one host's time, if it is known. */
interface Piece {
  readonly hostId: string
  readonly start: number
  stretch: Stretch | undefined
}

function findPieces(context: Context, offer: Offer, span: Interval): Piece[] {
  const now = context.now()
  const pieces: Piece[] = []
  for (const hostId of offer.hostIds) {
    for (let start = stretchOf(span.start); start < span.end; start += STRETCH) {
      const stretch = context.taken.get(keyOf(offer, hostId, start))
      const holds =
        stretch !== undefined &&
        now < stretch.freshUntil &&
        context.bookings.noneSince(stretch.mark, stretch.bookedIds)
      pieces.push({ hostId, start, stretch: holds ? stretch : undefined })
    }
  }
  return pieces
}

async function readMissing(
  context: Context,
  offer: Offer,
  pieces: readonly Piece[],
  missing: readonly Piece[],
): Promise<ListedTime> {
  const { mark } = context.bookings
  const freshUntil = context.now() + MAX_STALENESS
  const starts = missing.map(({ start }) => start)
  const taken = await readClaims(context.db, offer, {
    start: Math.min(...starts),
    end: Math.max(...starts) + STRETCH,
  })
  for (const piece of missing) {
    const { hostId, start } = piece
    const all = taken.find((time) => time.hostId === hostId)?.claims ?? []
    // By their start, so that a claim over the seam of two stretches is kept once.
    const claims = all.filter(({ startsAt }) => startsAt >= start && startsAt < start + STRETCH)
    piece.stretch = { claims, bookedIds: [hostId, bookedId(hostId, start)], mark, freshUntil }
    context.taken.set(keyOf(offer, hostId, start), piece.stretch, claims.length + 1)
  }
  return assemble(offer, pieces)
}

function assemble(offer: Offer, pieces: readonly Piece[]): ListedTime {
  let freshUntil = Infinity
  const taken = offer.hostIds.map((hostId) => {
    let claims: readonly Claim[] = []
    for (const { stretch } of pieces.filter((piece) => piece.hostId === hostId)) {
      if (stretch === undefined) continue
      freshUntil = Math.min(freshUntil, stretch.freshUntil)
      claims = claims.length === 0 ? stretch.claims : claims.concat(stretch.claims)
    }
    return { hostId, claims }
  })
  return { taken, freshUntil }
}

async function readClaims(db: Db, { rules, hostIds }: Offer, span: Interval): Promise<ListedTime['taken']> {
  const [hostId] = hostIds
  const details = claimDetails(rules)
  if (hostId === undefined || hostIds.length > 1 || details !== 'times') {
    return findTakenTime(db, hostIds, span, details === 'seats')
  }
  return [{ hostId, claims: await findTakenHours(db, hostId, span) }]
}

/** Notes a booking of these hosts: what is known of other stretches of their time still holds. */
export function noteBooking(context: Context, hostIds: readonly string[], startsAt: number): void {
  context.bookings.note(hostIds.map((hostId) => bookedId(hostId, stretchOf(startsAt))))
}

/** Whose changes make stale what was listed of these hosts' time in `span`. */
export function bookedIds(hostIds: readonly string[], span: Interval): string[] {
  const ids = [...hostIds]
  for (const hostId of hostIds) {
    for (let start = stretchOf(span.start); start < span.end; start += STRETCH)
      ids.push(bookedId(hostId, start))
  }
  return ids
}

const bookedId = (hostId: string, stretch: number) => `${hostId} ${stretch}`

const stretchOf = (instant: number) => Math.floor(instant / STRETCH) * STRETCH

// Event types of one host may need to know different things of the same claims.
const keyOf = ({ rules }: Offer, hostId: string, start: number) => `${hostId} ${claimDetails(rules)} ${start}`
