import { canonicalEmail } from './contact.ts'

/** What all addresses of one mailbox share: `a+x@example.com` and `a+y@example.com` are one. */
export function guestKey(email: string): string {
  const canonical = canonicalEmail(email)
  const at = canonical.lastIndexOf('@')
  const [name = ''] = canonical.slice(0, at).split('+')
  return `${name === '' ? canonical.slice(0, at) : name}${canonical.slice(at)}`
}
