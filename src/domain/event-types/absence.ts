import { DAY } from '../interval.ts'
import { invalidField, Problem } from '../problem.ts'
import { checkProse } from '../text.ts'

/** Time off: a span in which a host takes no meetings, even within their schedule. */
export interface Absence {
  readonly id: string
  readonly userId: string
  readonly startsAt: number
  readonly endsAt: number
  /** Only the host sees it; guests see no times there. */
  readonly note: string
}

const MAX_DAYS = 400
const END_OF_TIME = Date.UTC(10_000, 0)

/** Throws `invalid` with the reason if this can't be an absence. */
export function checkAbsence({ startsAt, endsAt, note }: Omit<Absence, 'id' | 'userId'>): void {
  if (startsAt < 0 || endsAt >= END_OF_TIME) {
    throw invalidField(startsAt < 0 ? 'startTime' : 'endTime', 'must be between the years 1970 and 9999.')
  }
  if (endsAt <= startsAt) throw invalidField('endTime', 'must be after the start.')
  if (endsAt - startsAt > MAX_DAYS * DAY) {
    const reason = `Time off can last at most ${MAX_DAYS} days. Add it in several parts.`
    throw new Problem('invalid', reason, { field: 'endTime' })
  }
  checkProse(note, 'note')
}
