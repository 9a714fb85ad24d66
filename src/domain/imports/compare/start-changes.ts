import { DAY } from '../../interval.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { Zones } from '../../zone.ts'
import type { SourceBooking, SourceKey, SourceSettings } from '../source.ts'
import { idIn } from '../values.ts'
import { countGainedAndLost } from './differences.ts'
import { eachOfTheirs, type TheirMeeting, theirMeeting } from './their-events.ts'

const DAYS = 60
/** Meetings of that long ago still count for limits. */
const YEAR = 366 * DAY

/** What an event type gains and loses, in words. */
export interface StartChange {
  readonly key: SourceKey
  readonly sentence: Sentence
}

/** Counts the starts that guests gain and lose by the move. Like a planner of meetings, it has to see each booking once before. */
export class StartChanges {
  readonly #source: SourceSettings
  readonly #zones = new Zones()
  readonly #now: number
  readonly #limited: ReadonlySet<string>
  readonly #meetings: TheirMeeting[] = []

  constructor(source: SourceSettings, now: number) {
    this.#source = source
    this.#now = now
    this.#limited = new Set(
      (source.EventType ?? [])
        .filter((row) => [row.bookingLimits, row.durationLimits].some((limits) => limits != null))
        .map((row) => idIn(row)),
    )
  }

  note(booking: SourceBooking): void {
    const meeting = theirMeeting(booking)
    if (meeting === undefined || meeting.start > this.#now + (DAYS + 2) * DAY) return
    const past = this.#limited.has(meeting.eventType) ? YEAR : DAY
    if (meeting.end > this.#now - past) this.#meetings.push(meeting)
  }

  /** The event types whose guests see other starts here than there, one by one: each takes its time. */
  *each(): Generator<StartChange | undefined> {
    const now = this.#now
    const span = { start: now, end: now + DAYS * DAY }
    for (const event of eachOfTheirs(this.#source, this.#meetings, this.#zones)) {
      // For guests on the clocks of the event type: those elsewhere see a few more differences.
      const { gained, lost } = countGainedAndLost(event, { now, zone: event.zone, span })
      yield gained + lost === 0
        ? undefined
        : {
            key: `EventType/${event.id}`,
            sentence: sentence`Times that guests see in the next ${DAYS} days: ${gained} more and ${lost} fewer than there.`,
          }
    }
  }
}
