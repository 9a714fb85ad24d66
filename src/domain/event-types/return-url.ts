import { isWebAddress } from '../people/contact.ts'
import { invalidField } from '../problem.ts'
import { sentence } from '../sentence.ts'

/** Throws `invalid` unless guests can be sent to this address after booking. Empty is allowed. */
export function checkReturnUrl(text: string): void {
  if (text === '') return
  const url = isWebAddress(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:') {
    throw invalidField('returnUrl', sentence`{field} must be a web address that begins with https://.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidField('returnUrl', sentence`{field} must not contain a user name or password.`)
  }
}

/** The return address for one booking. It says nothing about the guest. */
export function returnAddress(
  returnUrl: string,
  booking: { readonly id: string; readonly status: string },
): string {
  const url = new URL(returnUrl)
  url.searchParams.set('bookingId', booking.id)
  url.searchParams.set('status', booking.status)
  return url.href
}
