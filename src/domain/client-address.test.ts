import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { clientKey } from './client-address.ts'

/** The eight groups of an IPv6 address, as numbers, by way of the URL parser. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [left = '', right] = canonical.split('::')
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const head = numbers(left)
  const tail = right === undefined ? [] : numbers(right)
  return [...head, ...Array(8 - head.length - tail.length).fill(0), ...tail]
}

const hex = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
const group = fc.nat(0xffff)
const network = fc.tuple(group, group, group, group)
/** Not all zero: such addresses stand for IPv4 ones. */
const ordinary = network.filter((groups) => groups.some((one) => one !== 0))
const host = fc.tuple(group, group, group, group)

/** Ways to write the same eight groups. */
function spellings(groups: readonly number[]): string[] {
  const full = groups.map((one) => one.toString(16).padStart(4, '0')).join(':')
  const canonical = new URL(`http://[${full}]/`).hostname.slice(1, -1)
  return [full, full.toUpperCase(), hex(groups), canonical, `${canonical}%eth0`]
}

describe('clientKey', () => {
  it('is the whole IPv4 address', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => assert.equal(clientKey(address), address)))
  })

  it('is the first 64 bits of an IPv6 address', () => {
    fc.assert(
      fc.property(ordinary, ordinary, host, host, (one, other, near, far) => {
        assert.equal(clientKey(hex([...one, ...near])), clientKey(hex([...one, ...far])))
        const same = one.every((value, i) => value === other[i])
        assert.equal(clientKey(hex([...one, ...near])) === clientKey(hex([...other, ...near])), same)
      }),
    )
  })

  it('differs for networks that differ in a single bit', () => {
    fc.assert(
      fc.property(ordinary, host, fc.nat(3), fc.nat(15), (one, near, index, bit) => {
        const other = one.with(index, (one[index] as number) ^ (1 << bit))
        fc.pre(other.some((value) => value !== 0))
        assert.notEqual(clientKey(hex([...one, ...near])), clientKey(hex([...other, ...near])))
      }),
    )
  })

  it('gives all spellings of an address the same key', () => {
    fc.assert(
      fc.property(network, host, (one, near) => {
        const keys = spellings([...one, ...near]).map(clientKey)
        assert.equal(new Set(keys).size, 1, keys.join(' '))
      }),
    )
    const zeros = fc.constantFrom(0, 0, 0, 1, 0xffff)
    fc.assert(
      fc.property(fc.array(zeros, { minLength: 8, maxLength: 8 }), (groups) => {
        const keys = spellings(groups).map(clientKey)
        assert.equal(new Set(keys).size, 1, keys.join(' '))
      }),
    )
  })

  it('agrees with the URL parser on generated addresses', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
        assert.equal(clientKey(address), clientKey(canonical))
        const networkOf = groupsOf(address).slice(0, 4)
        fc.pre(networkOf.some((one) => one !== 0))
        assert.equal(clientKey(address), clientKey(`${hex(networkOf)}::`))
      }),
    )
  })

  it('reads an IPv4 address mapped into IPv6 as IPv4, in any notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const canonical = new URL(`http://[::ffff:${address}]/`).hostname.slice(1, -1)
        for (const spelling of [
          `::ffff:${address}`,
          `::FFFF:${address}`,
          `0:0:0:0:0:ffff:${address}`,
          canonical,
        ]) {
          assert.equal(clientKey(spelling), address, spelling)
        }
      }),
    )
  })

  it('gives text that is not an address its own key', () => {
    assert.equal(clientKey('unknown'), clientKey('unknown'))
    assert.notEqual(clientKey('unknown'), clientKey('127.0.0.1'))
  })
})
