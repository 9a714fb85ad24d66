import type { EventType } from '../event-types/event-type.ts'
import { canonicalEmail, isEmail } from '../people/contact.ts'
import { invalidField } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { isLine } from '../text.ts'

/** The addresses of those whom a guest brings, each once, without their own; throws `invalid` if they can't come. */
export function readGuests(
  given: readonly string[] = [],
  { maxGuests }: Pick<EventType, 'maxGuests'>,
  inviteeEmail: string,
): string[] {
  if (given.length > 0 && maxGuests === 0) {
    throw invalidField('guests', sentence`{field} must be left out: this event type is for one guest.`)
  }
  const seen = new Set([canonicalEmail(inviteeEmail.trim())])
  const guests: string[] = []
  for (const text of given) {
    const email = text.trim()
    if (!isLine(text) || !isEmail(email))
      throw invalidField('guests', sentence`{field} must be email addresses.`)
    const key = canonicalEmail(email)
    if (!seen.has(key)) guests.push(email)
    seen.add(key)
  }
  if (guests.length > maxGuests) {
    throw invalidField(
      'guests',
      maxGuests === 1
        ? sentence`{field} must be at most 1 email address.`
        : sentence`{field} must be at most ${maxGuests} email addresses.`,
    )
  }
  return guests
}

/** How many people come: the guest and those whom they bring. */
export const partyOf = ({ guests }: { readonly guests: readonly string[] }): number => 1 + guests.length
