import { Resolver as NameServers, lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Every address of a name; throws when it has none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Which addresses may be reached when somebody else has chosen them. */
export interface Reach {
  /** Private networks and plain http as well, for installations that stand in such a network. */
  readonly allowPrivate: boolean
  readonly resolve?: Resolve
}

/** An address that must not be reached. The message is a sentence for whoever chose it. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/** Where nobody's server is, in any network: what answers there is the machine's own keeper of secrets. */
const NEVER: readonly string[] = [
  '169.254.0.0/16', // link-local, with the metadata of most clouds
  '168.63.129.16/32', // Azure's host
  '100.100.100.200/32', // Alibaba's metadata
  '192.0.0.192/32', // Oracle's metadata
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, with the broadcast address
  'fe80::/10', // link-local
  'fec0::/10', // site-local, as it was
  'fd00:ec2::/32', // AWS's metadata
  'fd20:ce::254/128', // Google's metadata
  'ff00::/8', // multicast
  // The same link-local addresses, in clothes of IPv6.
  '::a9fe:0/112',
  '64:ff9b::a9fe:0/112',
  '2002:a9fe::/32',
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
 * All of IPv6 that is public. What lies outside is loopback, unspecified, unique
 * local, mapped or translated IPv4, or not given out to anyone yet.
 */
const PUBLIC_V6: readonly string[] = ['2000::/3']

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

const never = listOf(NEVER)
const privateNetworks = listOf(PRIVATE)
const publicV6 = listOf(PUBLIC_V6)

/** May this IP address be connected to? */
export function isReachable(address: string, { allowPrivate }: Reach): boolean {
  const [bare = ''] = address.split('%')
  const version = isIP(bare)
  if (version === 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (never.check(bare, family)) return false
  if (allowPrivate) return true
  if (family === 'ipv6' && !publicV6.check(bare, family)) return false
  return !privateNetworks.check(bare, family)
}

/** Names that stand for a place near the machine, whatever a name server says of them. */
const NEARBY = /^(?:[^.]+|.*\.(?:localhost|localdomain|local|internal|lan|home\.arpa))$/

/**
 * Understands an address without asking anyone; throws `RefusedAddress`.
 *
 * A name that passes may still stand for a private address: `guardedLookup` is
 * what decides, when the connection is made.
 */
export function readAddress(text: string, reach: Reach): URL {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || !/^\s*https?:\/\//i.test(text)) {
    throw new RefusedAddress('This is not a web address. It has to look like https://example.com/path.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedAddress('An address must not contain a user name or a password.')
  }
  if (url.protocol !== 'https:' && !reach.allowPrivate) {
    throw new RefusedAddress('An address must begin with https://.')
  }
  url.hash = ''
  const host = hostOf(url)
  if (isIP(host) !== 0) {
    if (!isReachable(host, reach)) throw notPublic(host)
  } else {
    const name = host.replace(/\.$/, '').toLowerCase()
    if (name === '' || name.split('.').some((label) => label === '' || label.length > 63)) {
      throw new RefusedAddress(`"${host}" is not the name of a host.`)
    }
    if (!reach.allowPrivate && NEARBY.test(name)) throw notPublic(host)
  }
  return url
}

/** Understands an address, and asks where its name leads; throws `RefusedAddress`. For when it is saved. */
export async function checkAddress(text: string, reach: Reach): Promise<URL> {
  const url = readAddress(text, reach)
  const host = hostOf(url)
  // In a network of one's own, a name may well be given out later.
  if (isIP(host) === 0 && !reach.allowPrivate) await resolveGuarded(host, reach)
  return url
}

/**
 * What a socket asks for the address of a name.
 *
 * It hands over what it has just checked, so that no second answer of a name
 * server can come between check and connection. Sockets do not ask it about
 * addresses that are IP already: those are for `readAddress`.
 */
export function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    resolveGuarded(hostname, reach).then(
      (found) => {
        const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family
        const fitting = family ? found.filter((one) => one.family === family) : found
        const [first] = fitting
        if (first === undefined) callback(new RefusedAddress(`"${hostname}" has no such address.`), '')
        else if (options.all) callback(null, [...fitting])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

/** One address that must not be reached is enough: which one a socket takes is chance. */
async function resolveGuarded(hostname: string, reach: Reach): Promise<readonly ResolvedAddress[]> {
  const resolve = reach.resolve ?? (reach.allowPrivate ? resolveNearby : resolvePublic)
  let found: readonly ResolvedAddress[]
  try {
    found = await resolve(hostname)
  } catch (error) {
    throw new RefusedAddress(`The host "${hostname}" cannot be found.`, { cause: error })
  }
  if (found.length === 0) throw new RefusedAddress(`The host "${hostname}" cannot be found.`)
  if (!found.every(({ address }) => isReachable(address, reach))) throw notPublic(hostname)
  return found
}

/** As every program on this machine would: with its own list of hosts, and the names of its network. */
const resolveNearby: Resolve = (hostname) => systemLookup(hostname, { all: true })

/**
 * Asks name servers alone: these, or else the system's.
 *
 * The system's own way would occupy one of few threads for each question, so
 * that a name server that hangs would hold up everyone else.
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

/** The URL parser has already turned every way to write an IPv4 address into the usual one. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const notPublic = (host: string) =>
  new RefusedAddress(`"${host}" is not on the public internet. Only public addresses can be used here.`)
