import { DAY } from '../../interval.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { Zones } from '../../zone.ts'
import type { SourceBooking, SourceKey, SourceRow, SourceSettings } from '../source.ts'
import { idIn, lookUp, textIn, treeIn } from '../values.ts'
import { countGainedAndLost } from './differences.ts'
import { eachOfTheirs, type TheirMeeting, theirMeeting } from './their-events.ts'

const DAYS = 60
/** Meetings of that many days ago still count for a limit. */
const REACHES: Readonly<Record<string, number>> = { PER_YEAR: 366, PER_MONTH: 31, PER_WEEK: 7 }

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
  /** How far back meetings count, by event type. */
  readonly #reaches: ReadonlyMap<string, number>
  readonly #hosts: ReadonlySet<string>
  readonly #meetings: TheirMeeting[] = []

  constructor(source: SourceSettings, now: number) {
    this.#source = source
    this.#now = now
    this.#reaches = new Map((source.EventType ?? []).map((row) => [idIn(row), reachOf(row)]))
    this.#hosts = new Set((source.users ?? []).map((row) => textIn(row, 'email').toLowerCase()))
  }

  note(booking: SourceBooking): void {
    const meeting = theirMeeting(booking)
    if (meeting === undefined || meeting.start > this.#now + (DAYS + 2) * DAY) return
    if (meeting.end <= this.#now - (this.#reaches.get(meeting.eventType) ?? DAY)) return
    // There may be a hundred thousand: who is no host is only counted.
    const attendees = meeting.attendees.map((address) => (this.#hosts.has(address) ? address : ''))
    this.#meetings.push({ ...meeting, attendees })
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

function reachOf(row: SourceRow): number {
  const limits = { ...treeIn(row, 'bookingLimits'), ...treeIn(row, 'durationLimits') }
  return Math.max(1, ...Object.keys(limits).map((name) => lookUp(REACHES, name) ?? 1)) * DAY
}
