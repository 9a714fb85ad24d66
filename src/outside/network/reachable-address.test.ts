import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  askNameServers,
  checkAddress,
  guardedLookup,
  isReachable,
  RefusedAddress,
  type ResolvedAddress,
  readAddress,
} from './reachable-address.ts'

const PUBLIC = { allowPrivate: false }
const ANYWHERE = { allowPrivate: true }

const of = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** Addresses in private networks. */
const PRIVATE_ADDRESSES = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456:789a::1',
]

/** Addresses where no server of anyone's is. */
const NOBODYS_ADDRESSES = [
  '169.254.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::a9fe:a9fe',
  '::ffff:0:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::6464:64c8',
  '64:ff9b::169.254.170.2',
  '64:ff9b::168.63.129.16',
  '64:ff9b:1::100.100.100.200',
  '64:ff9b:1:a9fe:a9:fe00::',
  '64:ff9b:1:a9:fe:a9fe::',
  '64:ff9b:1:7:a9:fea9:fe00:0',
  '::100.100.100.200',
  '::ffff:100.100.100.200',
  '::ffff:192.0.0.192',
  '2002:a9fe:a9fe::1',
  '2002:6464:64c8::1',
  '2001:0:a9fe:a9fe::1',
  '2001:0:4136:e378:8000:63bf:5601:5601',
  '2001:0:4136:e378:8000:63bf:9b9b:9b37',
  '2001:db8::5efe:100.100.100.200',
  'fe12::200:5efe:169.254.169.254',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
]

const PUBLIC_ADDRESSES = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
]

describe('an IP address', () => {
  it('is reachable if it is public', () => {
    for (const address of PUBLIC_ADDRESSES) assert.ok(isReachable(address, PUBLIC), address)
  })

  it('is not if it is private, loopback, documentation, or IPv4 in disguise; unless that is allowed', () => {
    for (const address of PRIVATE_ADDRESSES) {
      assert.ok(!isReachable(address, PUBLIC), address)
      assert.ok(isReachable(address, ANYWHERE), address)
    }
  })

  it('is never if it is link-local, metadata, multicast or broadcast', () => {
    for (const address of NOBODYS_ADDRESSES) {
      assert.ok(!isReachable(address, PUBLIC), address)
      assert.ok(!isReachable(address, ANYWHERE), address)
    }
  })

  it('is not if it is invalid', () => {
    for (const text of ['', 'example.com', '1.2.3', '2130706433']) assert.ok(!isReachable(text, ANYWHERE))
  })
})

describe('reading an address', () => {
  const refuses = (text: string, reach = PUBLIC) =>
    assert.throws(() => readAddress(text, reach), RefusedAddress, text)

  it('takes public https', () => {
    for (const text of [
      'https://example.com',
      'https://example.com:8443/a/b?c=d',
      'https://93.184.215.14/',
      'https://[2606:4700:4700::1111]/',
      'https://bücher.example/',
      'https://example.com./',
    ]) {
      assert.equal(readAddress(text, PUBLIC).protocol, 'https:', text)
    }
    assert.equal(readAddress(' https://example.com/a#part ', PUBLIC).href, 'https://example.com/a')
  })

  it('takes plain http only where private networks are allowed', () => {
    refuses('http://example.com/')
    assert.equal(readAddress('http://example.com/', ANYWHERE).href, 'http://example.com/')
  })

  it('refuses what is not a web address, with private networks allowed or not', () => {
    for (const text of [
      '',
      'example.com',
      '//example.com',
      '/path',
      'https:example.com',
      'ftp://example.com/',
      'file:///etc/passwd',
      'gopher://example.com/',
      'javascript:alert(1)',
      'data:text/plain,x',
      'unix:/var/run/docker.sock',
      'https://',
      'https://exa mple.com/',
      'https://a..b/',
      'https://./',
      `https://${'a'.repeat(64)}.example/`,
      'https://256.1.1.1/',
      'https://1.2.3.4.5/',
      'https://[fe80::1%25eth0]/',
    ]) {
      refuses(text)
      refuses(text, ANYWHERE)
    }
  })

  it('refuses user names and passwords', () => {
    for (const text of ['https://u@example.com/', 'https://u:p@example.com/', 'https://:p@example.com/']) {
      refuses(text)
      refuses(text, ANYWHERE)
    }
  })

  it('refuses every way to write a private address', () => {
    for (const host of [
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '0X7F.1',
      '0177.0.0.1',
      '017700000001',
      '0',
      '0.0.0.0',
      '①②⑦.0.0.1',
      '127。0。0。1',
      '127%2e0%2e0%2e1',
      '167772161',
      '3232235521',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
      '[fd00:ec2::254]',
      '[fe80::1]',
    ]) {
      refuses(`https://${host}/`)
      refuses(`https://${host}:8443/hook`)
    }
    for (const address of [...PRIVATE_ADDRESSES, ...NOBODYS_ADDRESSES].filter((one) => !one.includes('%'))) {
      refuses(`https://${address.includes(':') ? `[${address}]` : address}/`)
    }
  })

  it('refuses names of this machine and its network', () => {
    for (const host of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'localhost.localdomain',
      'printer.local',
      'metadata.google.internal',
      'router.lan',
      'nas.home.arpa',
      'metadata',
      'intranet.',
    ]) {
      refuses(`https://${host}/`)
      assert.ok(readAddress(`https://${host}/`, ANYWHERE))
    }
  })

  it('never allows an IPv4 address that is not public, in any notation', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const notation = fc.constantFrom<(value: number) => string>(
      (value) => String(value),
      (value) => `0x${value.toString(16)}`,
      (value) => `0${value.toString(8)}`,
    )
    fc.assert(
      fc.property(
        fc.tuple(byte, byte, byte, byte),
        fc.array(notation, { minLength: 4, maxLength: 4 }),
        (bytes, write) => {
          const plain = bytes.join('.')
          const host = bytes.map((value, place) => write[place]?.(value)).join('.')
          const whole = bytes.reduce((sum, value) => sum * 256 + value, 0)
          for (const text of [`https://${host}/`, `https://${whole}/`, `https://0x${whole.toString(16)}/`]) {
            if (isReachable(plain, PUBLIC)) assert.equal(readAddress(text, PUBLIC).hostname, plain)
            else refuses(text)
          }
        },
      ),
    )
  })
})

describe('checking an address before it is saved', () => {
  const leadingTo = (...addresses: string[]) => ({ ...PUBLIC, resolve: async () => of(...addresses) })

  it('asks where a name leads', async () => {
    const url = await checkAddress('https://example.com/a', leadingTo('93.184.215.14', '2606:4700::1'))
    assert.equal(url.href, 'https://example.com/a')
  })

  it('refuses a name of which one address is private', async () => {
    for (const address of [...PRIVATE_ADDRESSES, ...NOBODYS_ADDRESSES]) {
      await assert.rejects(checkAddress('https://a.example/', leadingTo(address)), RefusedAddress)
      await assert.rejects(checkAddress('https://a.example/', leadingTo('1.1.1.1', address)), RefusedAddress)
    }
  })

  it('refuses an unknown name', async () => {
    await assert.rejects(checkAddress('https://a.example/', leadingTo()), /"a\.example" could not be found/)
    const resolve = () => Promise.reject(new Error('queryA ENOTFOUND a.example'))
    await assert.rejects(checkAddress('https://a.example/', { ...PUBLIC, resolve }), /could not be found/)
  })

  it('resolves no name where private networks are allowed', async () => {
    const resolve = () => Promise.reject(new Error('asked'))
    assert.ok(await checkAddress('http://receiver/', { ...ANYWHERE, resolve }))
  })
})

describe('the lookup of a socket', () => {
  const ask = (addresses: ResolvedAddress[], options: { all?: boolean; family?: number }) =>
    new Promise((resolve, reject) => {
      const lookup = guardedLookup({ ...PUBLIC, resolve: async () => addresses })
      lookup('a.example', options, (error, address, family) =>
        error ? reject(error) : resolve(options.all ? address : [address, family]),
      )
    })
  const both = of('1.1.1.1', '2606:4700::1')

  it('returns the checked addresses in the requested shape', async () => {
    assert.deepEqual(await ask(both, { all: true }), both)
    assert.deepEqual(await ask(both, {}), ['1.1.1.1', 4])
    assert.deepEqual(await ask(both, { family: 6 }), ['2606:4700::1', 6])
    assert.deepEqual(await ask(both, { family: 4, all: true }), of('1.1.1.1'))
    await assert.rejects(ask(of('1.1.1.1'), { family: 6 }), RefusedAddress)
  })

  it('fails for one private address among public ones, of whichever family', async () => {
    await assert.rejects(ask([...both, ...of('10.0.0.1')], { all: true }), RefusedAddress)
    await assert.rejects(ask([...of('1.1.1.1'), ...of('::1')], { family: 4 }), RefusedAddress)
  })
})

describe('asking name servers', () => {
  it('finds addresses of both families, and nothing for a name without any', async (t) => {
    const server = await startNameServer({
      'a.example': { 1: '01010101', 28: '26064700000000000000000000000001' },
      'four.example': { 1: '7f000001' },
    })
    t.after(() => server.close())
    const resolve = askNameServers([`127.0.0.1:${server.address().port}`])
    assert.deepEqual(await resolve('a.example'), of('1.1.1.1', '2606:4700::1'))
    assert.deepEqual(await resolve('four.example'), of('127.0.0.1'))
    await assert.rejects(resolve('none.example'))
    await assert.rejects(checkAddress('https://four.example/', { ...PUBLIC, resolve }), /public internet/)
  })
})

/** Answers questions for names in this table, by type (1: A, 28: AAAA), over UDP on loopback. */
async function startNameServer(names: Record<string, Record<number, string>>) {
  const server = createSocket('udp4')
  server.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const question = query.subarray(12, at + 5)
    const found = names[labels.join('.').toLowerCase()]
    const data = Buffer.from(found?.[query.readUInt16BE(at + 1)] ?? '', 'hex')
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(data.length > 0 ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    // The name of the question again, its type and class, a minute to live, and the address.
    const answer = Buffer.concat([
      Buffer.of(0xc0, 12),
      question.subarray(-4),
      Buffer.of(0, 0, 0, 60, 0, data.length),
      data,
    ])
    const parts = data.length > 0 ? [header, question, answer] : [header, question]
    server.send(Buffer.concat(parts), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
