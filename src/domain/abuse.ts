import { canonicalEmail } from './contact.ts'

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

function comparable(entry: string): string {
  const canonical = canonicalEmail(entry)
  const at = canonical.lastIndexOf('@')
  const local = at < 0 ? '' : canonical.slice(0, at).replace(/\+.*$/, '')
  const domain = canonical.slice(at + 1).replace(/\.$/, '')
  // Names in other scripts compare as DNS does.
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? domain
  return at < 0 ? ascii : `${local}@${ascii}`
}
