import { canonicalEmail, isEmail } from '../people/contact.ts'
import { invalidField } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { isLine } from '../text.ts'

/**
 * Whether the list blocks this address.
 *
 * Entries are addresses or domains. A domain includes its subdomains. A listed
 * address stays blocked with a plus tag or in other capitals.
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
 * An entry in its canonical form: `a@b.example`, without tag and capitals, or `b.example`.
 *
 * `b.example`, `@b.example` and `*.b.example` mean the same domain. Throws `invalid`
 * for an entry that could never match, or that would block too many by mistake.
 */
export function readBlocklistEntry(text: string, field = 'entry'): string {
  const given = text.trim()
  const isAddress = given.includes('@') && !given.startsWith('@')
  const entry = isAddress ? given : given.replace(/^(?:@|\*\.|\.)/, '').replace(/\.$/, '')
  const address = isAddress ? entry : `anyone@${entry}`
  const domain = address.slice(address.lastIndexOf('@') + 1)
  // IP addresses and names that DNS can't hold never appear in a guest's address.
  const isName = /[^\d.][^.]*$/.test(URL.parse(`http://${domain}`)?.hostname ?? '')
  if (!isLine(address) || !address.isWellFormed() || !isEmail(address) || !isName) {
    throw invalidField(field, sentence`{field} must be an email address, or a domain such as example.com.`)
  }
  return comparable(entry)
}

/** Throws `invalid`, naming the entry, unless every entry can be read. */
export function checkBlocklist(blocklist: readonly string[], field: string): void {
  for (const [index, entry] of blocklist.entries()) readBlocklistEntry(entry, `${field}.${index}`)
}

function comparable(entry: string): string {
  const canonical = canonicalEmail(entry)
  const at = canonical.lastIndexOf('@')
  // Keep a local part that is only a tag: without it, the entry would block the whole domain.
  const local = at < 0 ? '' : canonical.slice(0, at).replace(/(?!^)\+.*$/, '')
  const domain = canonical.slice(at + 1).replace(/\.$/, '')
  // Compare domains in their ASCII form, as DNS does.
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? domain
  return at < 0 ? ascii : `${local}@${ascii}`
}
