import { parseInstant } from '../instant.ts'
import { isWebAddress } from '../people/contact.ts'
import { invalidField, Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { isProse } from '../text.ts'

/** The link of a video call as its host gives it; throws `invalid` if it is none. */
export function readLink(link: string): string {
  const given = link.trim()
  if (isWebAddress(given)) return given
  throw invalidField('link', sentence`{field} must be a web address that begins with https:// or http://.`)
}

/** The reason given for a change, trimmed; throws `invalid`. */
export function readReason(text = ''): string {
  if (!isProse(text)) throw invalidField('reason', sentence`{field} must not contain control characters.`)
  return text.trim()
}

/** The host who is to take a meeting over; undefined: the next whose turn it is. Throws `invalid` unless one is asked for. */
export function readSuccessor(given: {
  readonly hostId?: string
  readonly automatic?: boolean
}): string | undefined {
  const { hostId, automatic = false } = given
  if ((hostId !== undefined) === automatic) {
    throw new Problem(
      'invalid',
      sentence`Choose a host, or let the round robin choose one: either, not both.`,
      {
        field: 'hostId',
      },
    )
  }
  return hostId
}

/** The new start of a booking; throws `invalid`. */
export function readStart(text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField('startTime', sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  return instant
}
