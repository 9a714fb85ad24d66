import type { Interval } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { HostAvailability } from '../../domain/slots/openings.ts'
import { checkCalendars } from '../calendars/live-check.ts'
import type { Context } from '../context.ts'
import type { BookableEventType } from '../slots/bookable.ts'
import { OutdatedSettings } from './placing.ts'

/** All calendars together have this long to answer. */
const LIMIT = 2000

/** A decision chose hosts whose calendars must be asked first, which can't be done under a lock. */
class CalendarsNotAsked extends Error {
  readonly hostIds: readonly string[]

  constructor(hostIds: readonly string[]) {
    super('These calendars have not been asked yet.')
    this.hostIds = hostIds
  }
}

/** What the hosts' calendars have said about one booking so far. */
export class CalendarAnswers {
  readonly #asked = new Set<string>()
  readonly #unknown = new Set<string>()
  #signal: AbortSignal | undefined

  /** The groups that may be booked: all, or those whose calendars have answered if the event type insists on that. */
  bookable(
    { eventType }: BookableEventType,
    free: readonly HostAvailability[][],
  ): readonly HostAvailability[][] {
    if (eventType.liveCheck === 'accept' || this.#unknown.size === 0) return free
    const answered = free.filter((group) => !group.some(({ hostId }) => this.#unknown.has(hostId)))
    if (free.length > 0 && answered.length === 0) {
      throw new Problem(
        'unavailable',
        sentence`The calendar could not be checked. Please try again in a moment.`,
      )
    }
    return answered
  }

  /** Throws if these hosts have calendars that were not asked yet. */
  require({ hosts }: BookableEventType, group: readonly HostAvailability[]): void {
    const missing = group
      .map(({ hostId }) => hostId)
      .filter(
        (id) => !this.#asked.has(id) && hosts.some((host) => host.hostId === id && host.hasLiveCalendars),
      )
    if (missing.length > 0) throw new CalendarsNotAsked(missing)
  }

  /**
   * Runs an attempt to take a time, and asks the calendars of the hosts that it chose before it may.
   *
   * The attempt decides again afterwards, so a round robin moves on to a host who is free. Hosts are asked once for
   * each booking, which ends this.
   */
  async asking<T>(context: Context, spans: readonly Interval[], attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof CalendarsNotAsked)) throw error
        this.#signal ??= AbortSignal.timeout(LIMIT)
        const signal = this.#signal
        const { hostIds } = error
        const answers = await Promise.all(spans.map((span) => checkCalendars(context, hostIds, span, signal)))
        for (const id of hostIds) this.#asked.add(id)
        for (const id of answers.flatMap(({ unknown }) => unknown)) this.#unknown.add(id)
        if (answers.some(({ busy }) => busy.length > 0))
          throw new OutdatedSettings('Calendars are known better now.', { cause: error })
      }
    }
  }
}

/** The time that a meeting needs to be free, buffers included. */
export const spanOf = (
  { rules }: BookableEventType,
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number },
): Interval => ({ start: startsAt - rules.bufferBefore, end: endsAt + rules.bufferAfter })
