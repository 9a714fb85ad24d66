import { DAY } from '../interval.ts'
import { Problem } from '../problem.ts'
import { isProse } from '../text.ts'

/** A span in which a host takes no meetings, whatever the schedule says. */
export interface Absence {
  readonly id: string
  readonly userId: string
  readonly startsAt: number
  readonly endsAt: number
  /** For the host alone; guests only see that nothing is free. */
  readonly note: string
}

const MAX_DAYS = 400
const END_OF_TIME = Date.UTC(10_000, 0)

/** Throws `invalid` with the reason when nobody could be away like this. */
export function checkAbsence({ startsAt, endsAt, note }: Omit<Absence, 'id' | 'userId'>): void {
  if (startsAt < 0 || endsAt >= END_OF_TIME) {
    throw new Problem('invalid', 'startTime and endTime must lie between the years 1970 and 9999.')
  }
  if (endsAt <= startsAt) throw new Problem('invalid', 'endTime must be after startTime.')
  if (endsAt - startsAt > MAX_DAYS * DAY) {
    throw new Problem('invalid', `An absence lasts at most ${MAX_DAYS} days. Make several of it.`)
  }
  if (!isProse(note) || !note.isWellFormed()) {
    throw new Problem('invalid', 'note must not contain control characters.')
  }
}
