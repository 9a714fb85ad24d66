import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseHost, type Turn } from './assignment.ts'

const turn = (hostId: string, upcoming: number, lastAssignedAt: number | null = null): Turn => ({
  hostId,
  upcoming,
  lastAssignedAt,
})

const turns = fc.uniqueArray(
  fc.record({
    hostId: fc.uuid(),
    upcoming: fc.nat(3),
    lastAssignedAt: fc.option(fc.nat(3)),
  }),
  { selector: (one) => one.hostId, minLength: 1, maxLength: 6 },
)

describe('chooseHost', () => {
  it('chooses the host with the fewest upcoming meetings', () => {
    assert.equal(chooseHost([turn('a', 2), turn('b', 1, 9), turn('c', 3)])?.hostId, 'b')
  })

  it('chooses, among equals, the one who has waited longest', () => {
    assert.equal(chooseHost([turn('a', 1, 30), turn('b', 1, 10), turn('c', 1, 20)])?.hostId, 'b')
  })

  it('counts never having been assigned as the longest wait', () => {
    assert.equal(chooseHost([turn('a', 1, 0), turn('b', 1)])?.hostId, 'b')
    assert.equal(chooseHost([turn('a', 1, -1), turn('b', 1)])?.hostId, 'b')
  })

  it('chooses no one from an empty list', () => {
    assert.equal(chooseHost([]), undefined)
  })

  it('does not depend on the order of the hosts', () => {
    fc.assert(
      fc.property(
        turns.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => assert.deepEqual(chooseHost(list), chooseHost(shuffled)),
      ),
    )
  })

  it('never passes over a host who has fewer meetings, or as many and a longer wait', () => {
    fc.assert(
      fc.property(turns, (list) => {
        const chosen = chooseHost(list) as Turn
        for (const other of list) {
          assert.ok(chosen.upcoming <= other.upcoming)
          if (chosen.upcoming === other.upcoming && chosen.lastAssignedAt !== null) {
            assert.ok(other.lastAssignedAt !== null && chosen.lastAssignedAt <= other.lastAssignedAt)
          }
        }
      }),
    )
  })

  it('gives hosts who are always free meetings that never differ by more than one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(40), (hosts, meetings) => {
        let list = Array.from({ length: hosts }, (_, i) => turn(`host-${i}`, 0))
        for (let at = 0; at < meetings; at++) {
          const chosen = chooseHost(list)
          list = list.map((one) => (one === chosen ? turn(one.hostId, one.upcoming + 1, at) : one))
          const counts = list.map((one) => one.upcoming)
          assert.ok(Math.max(...counts) - Math.min(...counts) <= 1)
        }
      }),
    )
  })

  it('takes turns when no host has upcoming meetings', () => {
    let list = ['a', 'b', 'c'].map((hostId) => turn(hostId, 0))
    const given: string[] = []
    for (let at = 0; at < 9; at++) {
      const { hostId } = chooseHost(list) as Turn
      given.push(hostId)
      list = list.map((one) => (one.hostId === hostId ? turn(hostId, 0, at) : one))
    }
    assert.deepEqual(given, ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'])
  })

  it('lets a host who returns catch up, then takes turns', () => {
    let list = [turn('busy', 2, 5), turn('back', 0, 1)]
    const given: string[] = []
    for (let at = 10; at < 16; at++) {
      const { hostId } = chooseHost(list) as Turn
      given.push(hostId)
      list = list.map((one) => (one.hostId === hostId ? turn(hostId, one.upcoming + 1, at) : one))
    }
    assert.deepEqual(given, ['back', 'back', 'busy', 'back', 'busy', 'back'])
  })
})
