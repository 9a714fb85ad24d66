import { parseInstant } from '../instant.ts'
import { invalidField } from '../problem.ts'
import { isProse } from '../text.ts'

/** What someone says about a change, as it is kept; throws `invalid`. */
export function readReason(text = ''): string {
  if (!isProse(text)) throw invalidField('reason', 'must not contain control characters.')
  return text.trim()
}

/** Where a booking is to be moved; throws `invalid`. */
export function readStart(text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField('startTime', 'must be a UTC instant such as 2030-01-31T09:30:00Z.')
  }
  return instant
}
