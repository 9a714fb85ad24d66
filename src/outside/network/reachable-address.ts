import { Resolver as NameServers, lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { type Sentence, say, sentence } from '../../domain/sentence.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name; throws if it has none. */
type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Which addresses may be reached at URLs that users have entered. */
export interface Reach {
  /** Also allows private networks and plain http, for installations inside such a network. */
  readonly allowPrivate: boolean
  readonly resolve?: Resolve
}

/** A URL that must not be reached. The message is for the user who entered it. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  readonly sentence: Sentence

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(say(sentence), options)
    this.sentence = sentence
  }
}

/** Cloud machines serve their own secrets there. */
const METADATA: readonly string[] = [
  '169.254.0.0/16', // link-local, with the metadata of most clouds
  '168.63.129.16/32', // Azure's host
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
]

/** Never a receiver in any network. */
const NEVER: readonly string[] = [
  ...METADATA,
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, with the broadcast address
  'fe80::/10', // link-local
  'fec0::/10', // site-local, as it was
  'fd00:ec2::/32', // AWS's metadata
  'fd20:ce::254/128', // Google's metadata
  'ff00::/8', // multicast
]

const PRIVATE: readonly string[] = [
  '0.0.0.0/8', // this network; Linux takes it for loopback
  '10.0.0.0/8',
  '100.64.0.0/10', // behind a carrier's NAT
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '2001::/23', // Teredo, benchmarks, ORCHID and other protocols
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address in disguise
  '3fff::/20', // documentation
]

/**
 * All public IPv6. Everything else is loopback, unspecified, unique local, mapped or translated IPv4, or unassigned.
 */
const PUBLIC_V6: readonly string[] = ['2000::/3']

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

const metadata = listOf(METADATA)
const never = listOf(NEVER)
const privateNetworks = listOf(PRIVATE)
const publicV6 = listOf(PUBLIC_V6)

/** Whether a connection to this IP address is allowed. */
export function isReachable(address: string, { allowPrivate }: Reach): boolean {
  const [bare = ''] = address.split('%')
  const version = isIP(bare)
  if (version === 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (never.check(bare, family)) return false
  if (family === 'ipv6' && ipv4Within(bare).some((one) => metadata.check(one, 'ipv4'))) return false
  if (allowPrivate) return true
  if (family === 'ipv6' && !publicV6.check(bare, family)) return false
  return !privateNetworks.check(bare, family)
}

/** The IPv4 addresses that this IPv6 address may lead to: mapped, compatible, translated (NAT64) or tunnelled. */
function ipv4Within(address: string): string[] {
  const groups = groupsOf(address)
  const at = (index: number) => groups[index] ?? 0
  const dotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const begins = (...prefix: readonly number[]) => prefix.every((group, index) => at(index) === group)
  const last = dotted(at(6), at(7))
  // ::a.b.c.d, ::ffff:a.b.c.d and ::ffff:0:a.b.c.d
  if (begins(0, 0, 0, 0)) return [last]
  if (begins(0x64, 0xff9b, 0)) return [last]
  if (begins(0x64, 0xff9b, 1)) {
    // RFC 6052 knows several lengths of the prefix, and leaves out bits 64 to 71.
    const middle = (high: number) => ((at(high) & 255) << 8) | (at(high + 1) >> 8)
    return [
      dotted(at(3), middle(4)),
      dotted(((at(3) & 255) << 8) | (at(4) & 255), at(5)),
      dotted(middle(4), middle(5)),
      last,
    ]
  }
  if (begins(0x2002)) return [dotted(at(1), at(2))]
  // Teredo: its server, and its client with every bit inverted.
  if (begins(0x2001, 0)) return [dotted(at(2), at(3)), dotted(at(6) ^ 0xffff, at(7) ^ 0xffff)]
  // ISATAP, in any network.
  return (at(4) & 0xfdff) === 0 && at(5) === 0x5efe ? [last] : []
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [before = '', after = ''] = hostname.slice(1, -1).split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [head, tail] = [read(before), read(after)]
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** Names of this machine or its network, regardless of DNS. */
const NEARBY = /^(?:[^.]+|.*\.(?:localhost|localdomain|local|internal|lan|home\.arpa))$/

/**
 * Parses and checks a URL without a DNS query; throws `RefusedAddress`.
 *
 * A name that passes may still resolve to a private address: `guardedLookup` decides when the connection is made.
 */
export function readAddress(text: string, reach: Reach): URL {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || !/^\s*https?:\/\//i.test(text)) {
    throw new RefusedAddress(sentence`This is not a web address. Enter one such as https://example.com/path.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedAddress(sentence`The address must not contain a user name or password.`)
  }
  if (url.protocol !== 'https:' && !reach.allowPrivate) {
    throw new RefusedAddress(sentence`The address must start with https://.`)
  }
  url.hash = ''
  const host = hostOf(url)
  if (isIP(host) !== 0) {
    if (!isReachable(host, reach)) throw notPublic(host)
  } else {
    const name = host.replace(/\.$/, '').toLowerCase()
    if (name === '' || name.split('.').some((label) => label === '' || label.length > 63)) {
      throw new RefusedAddress(sentence`"${host}" is not a valid host name.`)
    }
    if (!reach.allowPrivate && NEARBY.test(name)) throw notPublic(host)
  }
  return url
}

/** Checks a URL with a DNS query, when it is saved; throws `RefusedAddress`. */
export async function checkAddress(text: string, reach: Reach): Promise<URL> {
  const url = readAddress(text, reach)
  const host = hostOf(url)
  // In a private network, the name may be assigned later.
  if (isIP(host) === 0 && !reach.allowPrivate) await resolveGuarded(host, reach)
  return url
}

/**
 * The DNS lookup of our sockets.
 *
 * It returns the addresses that it has just checked, so that no second DNS answer can come between check and
 * connection. Sockets do not call it for IP addresses: `readAddress` checks those.
 */
export function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    resolveGuarded(hostname, reach).then(
      (found) => {
        const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family
        const fitting = family ? found.filter((one) => one.family === family) : found
        const [first] = fitting
        if (first === undefined)
          callback(new RefusedAddress(sentence`"${hostname}" has no such address.`), '')
        else if (options.all) callback(null, [...fitting])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

/** One forbidden address is enough to refuse, because the socket may pick any of them. */
async function resolveGuarded(hostname: string, reach: Reach): Promise<readonly ResolvedAddress[]> {
  const resolve = reach.resolve ?? (reach.allowPrivate ? resolveNearby : resolvePublic)
  let found: readonly ResolvedAddress[]
  try {
    found = await resolve(hostname)
  } catch (error) {
    throw new RefusedAddress(sentence`The host "${hostname}" could not be found.`, { cause: error })
  }
  if (found.length === 0) throw new RefusedAddress(sentence`The host "${hostname}" could not be found.`)
  if (!found.every(({ address }) => isReachable(address, reach))) throw notPublic(hostname)
  return found
}

/** The system's resolver, with its hosts file and local names. */
const resolveNearby: Resolve = (hostname) => systemLookup(hostname, { all: true })

/**
 * Asks name servers directly: these, or else the system's.
 *
 * The system's resolver would occupy one of few threads for each query, so that a name server that hangs would block
 * everything else.
 */
export function askNameServers(servers: readonly string[] = []): Resolve {
  const nameServers = new NameServers({ timeout: 2500, tries: 2 })
  if (servers.length > 0) nameServers.setServers(servers)
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([
      nameServers.resolve4(hostname),
      nameServers.resolve6(hostname),
    ])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ]
  }
}

const resolvePublic = askNameServers()

/** The URL parser has already normalised every notation of an IPv4 address. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const notPublic = (host: string) =>
  new RefusedAddress(sentence`"${host}" is not on the public internet. Use a public address.`)
