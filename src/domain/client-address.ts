/**
 * The key under which a client is counted: an IPv4 address, or the /64 of an
 * IPv6 one, since a single subscriber is given that many addresses to choose from.
 */
export function clientKey(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^(?:0*:)*:?(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!bare.includes(':')) return bare
  // An embedded dotted quad stands for two groups, neither of them among the first four.
  const groups = bare.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')
  const [head = '', tail] = groups.split('::') as [string, string | undefined]
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const network = [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
