import type { BookableEventType } from '../../domain/bookings/bookable.ts'
import { DAY, type Interval } from '../../domain/interval.ts'
import { type Claim, claimDetails } from '../../domain/slots/openings.ts'
import { findTakenHours, findTakenTime } from '../../store/bookings/bookings.ts'
import { MAX_STALENESS } from './bookable.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { Changes } from './changes.ts'
import type { ListingReads, Reading } from './listing-reads.ts'
import { type OrPromise, then } from './then.ts'

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

type Taken = readonly { readonly hostId: string; readonly claims: readonly Claim[] }[]

/** Claims for a listing. Booking reads the store itself, under its own condition. */
export interface ListedClaims {
  readonly taken: Taken
  /** From here on, a booking by another instance may be missing. */
  readonly freshUntil: number
}

/** A stretch of one host's time; undefined until it is read. */
interface Piece {
  readonly hostId: string
  readonly start: number
  stretch: Stretch | undefined
}

interface Parts {
  readonly reads: ListingReads
  readonly now: () => number
  readonly settings: Changes
  readonly bookings: Changes
}

/** The hosts' claims for listings. Cached if there are several hosts, or if more than their hours count. */
export class Claims {
  readonly #parts: Parts
  readonly #cache = new BoundedCache<Stretch>(CACHED_CLAIMS)

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Claims of the hosts that touch `span`: at most a second old, and never older than a booking made here. */
  get(bookable: BookableEventType, span: Interval): OrPromise<ListedClaims> {
    const [hostId, ...others] = bookable.hostIds
    if (hostId !== undefined && others.length === 0 && claimDetails(bookable.rules) === 'times')
      return this.readHours(hostId, span)
    const pieces = this.#find(bookable, span)
    const missing = pieces.filter(({ stretch }) => stretch === undefined)
    if (missing.length === 0) return assemble(bookable, pieces)
    const { reads, settings } = this.#parts
    const reading = reads.read(
      (marks) => marks.settings === settings.mark && this.#noneBookedSince(marks.bookings, missing),
      (db) => findTakenTime(db, bookable.hostIds, spanOf(missing), claimDetails(bookable.rules) === 'seats'),
    )
    return then(reading, (read) => {
      this.#keep(bookable, missing, read)
      return assemble(bookable, pieces)
    })
  }

  /**
   * The hours that one host has taken, and their revision, in one statement and past the cache: looking for claims in the cache and
   * keeping them takes longer than reading them.
   */
  readHours(
    hostId: string,
    span: Interval,
  ): OrPromise<ListedClaims & { readonly revision: number | undefined }> {
    const { reads, settings, bookings } = this.#parts
    const reading = reads.read(
      (marks) =>
        marks.settings === settings.mark && bookings.noneSince(marks.bookings, bookedIdsIn([hostId], span)),
      (db) => findTakenHours(db, hostId, span),
    )
    return then(reading, ({ value, asOf }) => ({
      taken: [{ hostId, claims: value?.claims ?? [] }],
      revision: value?.revision,
      freshUntil: asOf + MAX_STALENESS,
    }))
  }

  #find(bookable: BookableEventType, span: Interval): Piece[] {
    const now = this.#parts.now()
    const details = claimDetails(bookable.rules)
    const pieces: Piece[] = []
    for (const hostId of bookable.hostIds) {
      for (let start = stretchOf(span.start); start < span.end; start += STRETCH) {
        const stretch = this.#cache.get(keyOf(hostId, details, start))
        const fresh =
          stretch !== undefined &&
          now < stretch.freshUntil &&
          this.#parts.bookings.noneSince(stretch.mark, stretch.bookedIds)
        pieces.push({ hostId, start, stretch: fresh ? stretch : undefined })
      }
    }
    return pieces
  }

  #noneBookedSince(mark: number, pieces: readonly Piece[]): boolean {
    return pieces.every(({ hostId, start }) =>
      this.#parts.bookings.noneSince(mark, bookedIdsOf(hostId, start)),
    )
  }

  #keep(
    { rules }: BookableEventType,
    missing: readonly Piece[],
    { value: taken, asOf, marks }: Reading<Taken>,
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
    const now = this.#parts.now()
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
