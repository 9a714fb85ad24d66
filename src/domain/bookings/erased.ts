import type { Answers } from '../forms/routing.ts'
import { canonicalEmail } from '../people/contact.ts'
import type { Booking } from './booking.ts'

/** The name of a guest whose data was erased. Their bookings stay, so that counts do. */
export const ERASED_GUEST = 'Erased guest'

/** Whether the guest's data was erased: every other guest has an address. */
export const isErased = ({ invitee }: Pick<Booking, 'invitee'>): boolean => invitee.email === ''

/** Whether this is the address, however it is written. `address` is canonical. */
export const isAddress = (value: unknown, address: string): boolean =>
  typeof value === 'string' && canonicalEmail(value) === address

/** Whether the text contains the address, however it is written. */
export const mentions = (text: string, address: string): boolean =>
  text.normalize('NFC').toLowerCase().includes(address)

/**
 * What is left of the answers to a form when this address is erased.
 *
 * If one of them is the address, all were given by that person. If one only mentions it, that one goes: someone else
 * may have given the others.
 */
export function answersWithout(answers: Answers, address: string): Answers {
  const entries = Object.entries(answers)
  if (entries.some(([, value]) => isAddress(value, address))) return {}
  return Object.fromEntries(entries.filter(([, value]) => !mentions(JSON.stringify(value) ?? '', address)))
}
