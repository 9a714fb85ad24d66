import { canonicalEmail, isEmail } from '../people/contact.ts'
import { invalidField } from '../problem.ts'
import { isLine } from '../text.ts'

/**
 * Is the address on the list, whatever its spelling?
 *
 * Entries are addresses or domains. A domain covers everything below it, and a
 * listed address cannot come back with a plus-tag or other capitals.
 */
export function isBlocked(email: string, blocklist: readonly string[]): boolean {
  if (blocklist.length === 0) return false
  const address = comparable(email)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return blocklist.some((listed) => {
    const entry = comparable(listed)
    if (entry.includes('@') && !entry.startsWith('@')) return entry === address
    const blocked = entry.replace(/^(?:@|\*\.|\.)/, '')
    return domain === blocked || domain.endsWith(`.${blocked}`)
  })
}

/**
 * An entry in the one spelling that lists keep: `a@b.example`, without tag and capitals, or `b.example`.
 *
 * Domains may be given as `b.example`, `@b.example` or `*.b.example`, which all
 * mean the same. Throws `invalid` for what could never block anyone, or by mistake too many.
 */
export function readBlocklistEntry(text: string, field = 'entry'): string {
  const given = text.trim()
  const isAddress = given.includes('@') && !given.startsWith('@')
  const entry = isAddress ? given : given.replace(/^(?:@|\*\.|\.)/, '').replace(/\.$/, '')
  const address = isAddress ? entry : `anyone@${entry}`
  const domain = address.slice(address.lastIndexOf('@') + 1)
  // Numbers are hosts that nobody has mail from, and what DNS could not say is nobody's.
  const isName = /[^\d.][^.]*$/.test(URL.parse(`http://${domain}`)?.hostname ?? '')
  if (!isLine(address) || !address.isWellFormed() || !isEmail(address) || !isName) {
    throw invalidField(field, 'must be an email address, or a domain such as example.com.')
  }
  return comparable(entry)
}

function comparable(entry: string): string {
  const canonical = canonicalEmail(entry)
  const at = canonical.lastIndexOf('@')
  // A name that is nothing but a tag stays: without it, the entry would be the whole domain.
  const local = at < 0 ? '' : canonical.slice(0, at).replace(/(?!^)\+.*$/, '')
  const domain = canonical.slice(at + 1).replace(/\.$/, '')
  // Names in other scripts compare as DNS does.
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? domain
  return at < 0 ? ascii : `${local}@${ascii}`
}
