import { setImmediate as nextTurn } from 'node:timers/promises'
import { MINUTE } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import type { BookableEventTypes } from './bookable.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { Changes } from './changes.ts'
import type { FirstStarts } from './first-start.ts'

/** What was found stays true this long, unless settings or bookings change here. */
const REMEMBERED_FOR = 10 * MINUTE
const REMEMBERED = 20_000

/** Event types that one request looks at: with more, each request continues where the last one stopped. */
const LOOKED_AT = 100

export interface OwnedEventType {
  readonly id: string
  readonly schedulerId: string
}

interface Known {
  readonly bookable: boolean
  readonly lookedAt: number
  /** Schedulers whose changes make it worth another look. */
  readonly dependsOn: readonly string[]
  readonly marks: { readonly settings: number; readonly bookings: number }
}

interface Given {
  /** How far ahead something must be bookable. */
  readonly ahead: number
  readonly now: () => number
  readonly settings: Changes
  readonly bookings: Changes
  readonly bookables: BookableEventTypes
  readonly firstStarts: FirstStarts
}

/** Knows which event types nobody can book soon. An owner may have a thousand, so it remembers what it found. */
export class BookableSoon {
  readonly #given: Given
  readonly #known = new BoundedCache<Known>(REMEMBERED)

  constructor(given: Given) {
    this.#given = given
  }

  /** The ids of those without a start. One that was never looked at counts as bookable. */
  async findUnbookable(eventTypes: readonly OwnedEventType[]): Promise<Set<string>> {
    const lookedAt = ({ id }: OwnedEventType) => this.#known.get(id)?.lookedAt ?? 0
    const outdated = eventTypes.filter(({ id }) => !this.#isCurrent(this.#known.get(id)))
    for (const one of outdated.sort((a, b) => lookedAt(a) - lookedAt(b)).slice(0, LOOKED_AT)) {
      await this.#look(one)
      // SQLite answers at once: without this, other requests would wait for all of them.
      await nextTurn()
    }
    return new Set(eventTypes.filter(({ id }) => this.#known.get(id)?.bookable === false).map(({ id }) => id))
  }

  #isCurrent(known: Known | undefined): boolean {
    const { now, settings, bookings } = this.#given
    if (known === undefined || now() >= known.lookedAt + REMEMBERED_FOR) return false
    if (!settings.noneSince(known.marks.settings, known.dependsOn)) return false
    // A booking can only take time away, so what is bookable may wait.
    return known.bookable || bookings.mark === known.marks.bookings
  }

  async #look({ id, schedulerId }: OwnedEventType): Promise<void> {
    const { ahead, now, settings, bookings, bookables, firstStarts } = this.#given
    const marks = { settings: settings.mark, bookings: bookings.mark }
    try {
      const found = await bookables.getById(schedulerId, id)
      const bookable = await firstStarts.has(found, found.groups, ahead)
      this.#known.set(id, { bookable, lookedAt: now(), dependsOn: found.dependsOn, marks })
    } catch (error) {
      // Deleted in this moment.
      if (!(error instanceof Problem)) throw error
    }
  }
}
