import type { EventType } from '../event-types/event-type.ts'
import { invalidField } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { isLine, isProse } from '../text.ts'

/** A link that a host gives to a guest, for one event type. Its token is stored as a hash. */
export interface PrivateLink {
  readonly id: string
  readonly eventTypeId: string
  /** How many bookings it is good for; null: any number. */
  readonly uses: number | null
  /** How many were made. Cancelling gives none back. */
  readonly used: number
  readonly expiresAt: number | null
  /** Replaces the lengths of the event type; null: they stay. */
  readonly durationMinutes: number | null
  /** The hosts it narrows the event type to; empty: all. */
  readonly hostIds: readonly string[]
  /** Prefills the form: `name`, `email`, `phone`, `notes`, and the event type's questions by key. */
  readonly answers: Readonly<Record<string, PrefilledAnswer>>
  /** For the host alone. */
  readonly note: string
  readonly createdAt: number
}

type PrefilledAnswer = string | number | boolean

const MAX_USES = 10_000
const MAX_MINUTES = 24 * 60

/** Why a link no longer opens its event type. */
export type LinkEnd = 'used' | 'expired'

/** Undefined: it still opens its event type. */
export function endOf({ uses, used, expiresAt }: PrivateLink, now: number): LinkEnd | undefined {
  if (uses !== null && used >= uses) return 'used'
  return expiresAt !== null && now >= expiresAt ? 'expired' : undefined
}

/** Whether the link still opens its event type. */
export const isUsable = (link: PrivateLink, now: number): boolean => endOf(link, now) === undefined

/** Throws `invalid` with the reason if a link with these settings could not be used. */
export function checkPrivateLink(link: PrivateLink, hostIds: readonly string[], now: number): void {
  const { uses, expiresAt, durationMinutes, answers, note } = link
  if (uses !== null) checkUses(uses)
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField('expiresAt', sentence`{field} must be in the future.`)
  if (durationMinutes !== null) checkMinutes(durationMinutes)
  for (const [index, hostId] of link.hostIds.entries()) {
    if (!hostIds.includes(hostId)) {
      throw invalidField(`hostIds.${index}`, sentence`{field} must be a host of this event type.`)
    }
  }
  for (const [key, answer] of Object.entries(answers)) {
    if (!isLine(key) || (typeof answer === 'string' && !isProse(answer))) {
      throw invalidField('answers', sentence`{field} must not contain control characters.`)
    }
  }
  if (!isProse(note)) throw invalidField('note', sentence`{field} must not contain control characters.`)
}

/** The event type as the link offers it. */
export function eventTypeThrough(eventType: EventType, { durationMinutes }: PrivateLink): EventType {
  return durationMinutes === null ? eventType : { ...eventType, durationMinutes, durations: [] }
}

function checkUses(uses: number): void {
  if (Number.isInteger(uses) && uses >= 1 && uses <= MAX_USES) return
  throw invalidField('uses', sentence`{field} must be a whole number from ${1} to ${MAX_USES}.`)
}

function checkMinutes(minutes: number): void {
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_MINUTES) return
  const complaint = sentence`{field} must be a whole number of minutes from ${1} to ${MAX_MINUTES}.`
  throw invalidField('durationMinutes', complaint)
}
