import { parseInstant } from '../instant.ts'
import { invalidField } from '../problem.ts'
import { isProse } from '../text.ts'

/** The reason given for a change, trimmed; throws `invalid`. */
export function readReason(text = ''): string {
  if (!isProse(text)) throw invalidField('reason', 'must not contain control characters.')
  return text.trim()
}

/** The new start of a booking; throws `invalid`. */
export function readStart(text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField('startTime', 'must be a UTC instant such as 2030-01-31T09:30:00Z.')
  }
  return instant
}
