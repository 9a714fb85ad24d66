const QUAD = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/

/**
 * The key for a client's rate limit: an IPv4 address, or the /64 of an IPv6
 * address, because providers give each subscriber a whole /64.
 */
export function clientKey(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  if (!bare.includes(':')) return bare
  const groups = groupsOf(bare)
  if (isMapped(groups)) {
    const [high = 0, low = 0] = groups.slice(6)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return networkOf(groups, 64)
}

/** A site's limit is this many times a client's. */
export const SITE_FACTOR = 8

/**
 * The key for the limit of a client's whole site: the /48 of an IPv6 address, because anyone can rent one with 65,536
 * networks of the size /64. Undefined for IPv4.
 */
export function siteKey(address: string): string | undefined {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  if (!bare.includes(':')) return undefined
  const groups = groupsOf(bare)
  return isMapped(groups) ? undefined : networkOf(groups, 48)
}

const isMapped = (groups: readonly number[]) =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff

const networkOf = (groups: readonly number[], bits: 48 | 64) =>
  `${groups
    .slice(0, bits / 16)
    .map((group) => group.toString(16))
    .join(':')}::/${bits}`

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  const hex = address.replace(QUAD, (_, a, b, c, d) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`
  })
  const [head = '', tail] = hex.split('::') as [string, string | undefined]
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}
