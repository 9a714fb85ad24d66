import type { BookableEventType } from '../../../domain/bookings/bookable.ts'
import type { Plan } from '../../../domain/bookings/decisions/decision.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Context } from '../../context.ts'
import type { Prepare } from '../attempt.ts'

/** The event type that a request is about. It may be a minute old: decisions compare its revisions under the lock. */
export class KnownEventType {
  readonly #context: Context
  readonly #open: (bookable: BookableEventType) => BookableEventType
  #known: BookableEventType

  constructor(
    context: Context,
    known: BookableEventType,
    /** What the event type is for this request, whenever it is read again. */
    open: (bookable: BookableEventType) => BookableEventType = (bookable) => bookable,
  ) {
    this.#context = context
    this.#open = open
    this.#known = known
  }

  /** Reads something by its settings. A refusal by settings that may be outdated is checked again with fresh ones. */
  async read<T>(read: (bookable: BookableEventType) => T | Promise<T>): Promise<T> {
    try {
      return await read(this.#known)
    } catch (error) {
      if (!(error instanceof Problem) || this.#context.now() < this.#known.freshUntil) throw error
      const { scheduler, eventType } = this.#known
      this.#known = this.#open(await this.#context.slots.getBookable(scheduler.slug, eventType.slug))
      return read(this.#known)
    }
  }

  /** Plans by its settings, and again once they are outdated. */
  planning<T>(plan: (bookable: BookableEventType) => Plan<T> | Promise<Plan<T>>): Prepare<T> {
    return async (isOutdated) => {
      // Read by a slug that has moved, it has no revisions to compare.
      if (isOutdated || this.#known.revisions.size === 0) {
        this.#known = this.#open(await this.#context.slots.reloadBookable(this.#known))
      }
      return this.read(plan)
    }
  }
}
