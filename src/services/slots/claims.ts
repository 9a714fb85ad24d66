import type { BookableEventType } from '../../domain/bookings/bookable.ts'
import { DAY, type Interval } from '../../domain/interval.ts'
import { type Claim, claimDetails } from '../../domain/slots/openings.ts'
import { findTakenHours, findTakenTime } from '../../store/bookings/bookings.ts'
import type { Db } from '../../store/engine/database.ts'
import { MAX_STALENESS } from './bookable.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { Changes } from './changes.ts'
import type { ListingReads, Reading } from './listing-reads.ts'

/** Claims are cached in stretches of this length, so that listings of different months share them. */
const STRETCH = 32 * DAY

interface Stretch {
  readonly claims: readonly Claim[]
  /** Ids whose changes make it stale: the host, and this stretch of the host's time. */
  readonly bookedIds: readonly string[]
  readonly mark: number
  readonly freshUntil: number
}

const CACHED_CLAIMS = 50_000

/** Claims for a listing. Booking reads the store itself, under its own condition. */
export interface ListedClaims {
  readonly taken: readonly { readonly hostId: string; readonly claims: readonly Claim[] }[]
  /** From here on, a booking by another instance may be missing. */
  readonly freshUntil: number
}

/** A stretch of one host's time; undefined until it is read. */
interface Piece {
  readonly hostId: string
  readonly start: number
  stretch: Stretch | undefined
}

/** The hosts' claims, cached for listings. */
export class Claims {
  readonly #reads: ListingReads
  readonly #now: () => number
  readonly #bookings: Changes
  readonly #cache = new BoundedCache<Stretch>(CACHED_CLAIMS)

  constructor(reads: ListingReads, now: () => number, bookings: Changes) {
    this.#reads = reads
    this.#now = now
    this.#bookings = bookings
  }

  /**
   * Reads the claims of an event type's one host together with something else, and keeps them for the next `get` of this
   * span. Reads nothing if they are cached.
   */
  async readWith(
    bookable: BookableEventType,
    span: Interval,
    read: (
      includesOwn: (bookings: number) => boolean,
      span: Interval,
    ) => Promise<Reading<readonly Claim[] | undefined>>,
  ): Promise<void> {
    const pieces = this.#find(bookable, span)
    const missing = pieces.filter(({ stretch }) => stretch === undefined)
    const [hostId] = bookable.hostIds
    if (missing.length === 0 || hostId === undefined) return
    const { value: claims, ...when } = await read(
      (bookings) => this.#noneBookedSince(bookings, missing),
      spanOf(missing),
    )
    if (claims !== undefined) this.#keep(bookable, missing, { ...when, value: [{ hostId, claims }] })
  }

  /** Claims of the hosts that touch `span`: at most a second old, and never older than a booking made here. */
  get(bookable: BookableEventType, span: Interval): ListedClaims | Promise<ListedClaims> {
    const pieces = this.#find(bookable, span)
    const missing = pieces.filter(({ stretch }) => stretch === undefined)
    if (missing.length === 0) return assemble(bookable, pieces)
    return this.#read(bookable, pieces, missing)
  }

  #find(bookable: BookableEventType, span: Interval): Piece[] {
    const now = this.#now()
    const details = claimDetails(bookable.rules)
    const pieces: Piece[] = []
    for (const hostId of bookable.hostIds) {
      for (let start = stretchOf(span.start); start < span.end; start += STRETCH) {
        const stretch = this.#cache.get(keyOf(hostId, details, start))
        const fresh =
          stretch !== undefined &&
          now < stretch.freshUntil &&
          this.#bookings.noneSince(stretch.mark, stretch.bookedIds)
        pieces.push({ hostId, start, stretch: fresh ? stretch : undefined })
      }
    }
    return pieces
  }

  async #read(
    bookable: BookableEventType,
    pieces: readonly Piece[],
    missing: readonly Piece[],
  ): Promise<ListedClaims> {
    const reading = await this.#reads.read(
      ({ bookings }) => this.#noneBookedSince(bookings, missing),
      (db) => readClaims(db, bookable, spanOf(missing)),
    )
    this.#keep(bookable, missing, reading)
    return assemble(bookable, pieces)
  }

  #noneBookedSince(mark: number, pieces: readonly Piece[]): boolean {
    return pieces.every(({ hostId, start }) => this.#bookings.noneSince(mark, bookedIdsOf(hostId, start)))
  }

  #keep(
    { rules }: BookableEventType,
    missing: readonly Piece[],
    { value: taken, asOf, marks }: Reading<ListedClaims['taken']>,
  ): void {
    const [mark, freshUntil] = [marks.bookings, asOf + MAX_STALENESS]
    const details = claimDetails(rules)
    for (const piece of missing) {
      const { hostId, start } = piece
      const all = taken.find((time) => time.hostId === hostId)?.claims ?? []
      // By their start, so that a claim across two stretches is kept once.
      const claims = all.filter(({ startsAt }) => startsAt >= start && startsAt < start + STRETCH)
      piece.stretch = { claims, bookedIds: bookedIdsOf(hostId, start), mark, freshUntil }
      this.#cache.set(keyOf(hostId, details, start), piece.stretch, claims.length + 1)
    }
    // Reading hosts in turn would otherwise fill the cache with what is stale.
    const now = this.#now()
    this.#cache.dropWhile((stretch) => now >= stretch.freshUntil)
  }
}

function spanOf(pieces: readonly Piece[]): Interval {
  const starts = pieces.map(({ start }) => start)
  return { start: Math.min(...starts), end: Math.max(...starts) + STRETCH }
}

function assemble(bookable: BookableEventType, pieces: readonly Piece[]): ListedClaims {
  let freshUntil = Infinity
  const taken = bookable.hostIds.map((hostId) => {
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

async function readClaims(
  db: Db,
  { rules, hostIds }: BookableEventType,
  span: Interval,
): Promise<ListedClaims['taken']> {
  const [hostId] = hostIds
  const details = claimDetails(rules)
  if (hostId === undefined || hostIds.length > 1 || details !== 'times') {
    return findTakenTime(db, hostIds, span, details === 'seats')
  }
  return [{ hostId, claims: (await findTakenHours(db, hostId, span))?.claims ?? [] }]
}

/** Ids to note for a booking at `startsAt`: other stretches of the hosts' time stay cached. */
export const bookedIdsAt = (hostIds: readonly string[], startsAt: number): string[] =>
  hostIds.map((hostId) => bookedId(hostId, stretchOf(startsAt)))

/** Ids whose changes make a listing of these hosts in `span` stale. */
export function bookedIdsIn(hostIds: readonly string[], span: Interval): string[] {
  const ids = [...hostIds]
  for (const hostId of hostIds) {
    for (let start = stretchOf(span.start); start < span.end; start += STRETCH)
      ids.push(bookedId(hostId, start))
  }
  return ids
}

const bookedIdsOf = (hostId: string, stretch: number) => [hostId, bookedId(hostId, stretch)]

// By numbers, which are written faster the smaller they are.
const bookedId = (hostId: string, stretch: number) => `${hostId} ${stretch / STRETCH}`

const stretchOf = (instant: number) => Math.floor(instant / STRETCH) * STRETCH

// Event types of one host may need different details of the same claims.
const keyOf = (hostId: string, details: ReturnType<typeof claimDetails>, stretch: number) =>
  `${hostId} ${details} ${stretch / STRETCH}`
