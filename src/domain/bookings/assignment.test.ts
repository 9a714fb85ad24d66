import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Assignment, assignNext, changesToday, partOf, type Turn } from './assignment.ts'

const turn = (hostId: string, balance = 0, lastAssignedAt: number | null = null, weight = 1): Turn => ({
  hostId,
  balance,
  lastAssignedAt,
  weight,
})

const turns = fc.uniqueArray(
  fc.record({
    hostId: fc.uuid(),
    balance: fc.integer({ min: -3, max: 3 }).map((thirds) => thirds / 3),
    lastAssignedAt: fc.option(fc.nat(3)),
    weight: fc.integer({ min: 1, max: 100 }),
  }),
  { selector: (one) => one.hostId, minLength: 1, maxLength: 6 },
)

/** The balances after an assignment. */
const applied = (list: readonly Turn[], { hostId, changes }: Assignment, at: number): Turn[] =>
  list.map((one) => ({
    ...one,
    balance: one.balance + (changes[one.hostId] ?? 0),
    lastAssignedAt: one.hostId === hostId ? at : one.lastAssignedAt,
  }))

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

const isNear = (a: number, b: number) => Math.abs(a - b) < 1e-9

/** Assigns one meeting for each list of who is free, with who got it. */
function assignAll(start: readonly Turn[], frees: readonly (readonly string[])[]) {
  const given: string[] = []
  let list = [...start]
  for (const [at, free] of frees.entries()) {
    const assignment = assignNext(list.filter(({ hostId }) => free.includes(hostId)))
    if (assignment === undefined) continue
    given.push(assignment.hostId)
    list = applied(list, assignment, at)
  }
  return { given, list }
}

describe('assignNext', () => {
  it('chooses the host who is owed the most', () => {
    assert.equal(assignNext([turn('a', -0.5), turn('b', 0.5, 9), turn('c', 0)])?.hostId, 'b')
  })

  it('adds the shares of this meeting before it chooses', () => {
    assert.equal(assignNext([turn('a', 0.1), turn('b', 0, null, 3)])?.hostId, 'b')
  })

  it('chooses, among equals, the one who has waited longest', () => {
    assert.equal(assignNext([turn('a', 0, 30), turn('b', 0, 10), turn('c', 0, 20)])?.hostId, 'b')
    const tenths = 0.1 + 0.2
    assert.equal(assignNext([turn('a', tenths, 30), turn('b', 0.3, 10)])?.hostId, 'b')
  })

  it('counts never having been assigned as the longest wait', () => {
    assert.equal(assignNext([turn('a', 0, 0), turn('b')])?.hostId, 'b')
    assert.equal(assignNext([turn('a', 0, -1), turn('b')])?.hostId, 'b')
  })

  it('chooses no one from an empty list', () => {
    assert.equal(assignNext([]), undefined)
  })

  it('says why, and owes nothing to those who could not choose', () => {
    const only = assignNext([turn('a', -1, 5, 3)])
    assert.deepEqual(only, { hostId: 'a', reason: 'only', detail: 'The only free host.', changes: {} })
    assert.deepEqual(assignNext([turn('a'), turn('b', 0, null, 3)]), {
      hostId: 'b',
      reason: 'turn',
      detail: 'Next of 2 free hosts.',
      changes: { a: 0.25, b: -0.25 },
    })
  })

  it('does not depend on the order of the hosts', () => {
    fc.assert(
      fc.property(
        turns.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => assert.deepEqual(assignNext(list), assignNext(shuffled)),
      ),
    )
  })

  it('takes turns', () => {
    const everyone = ['a', 'b', 'c']
    const { given } = assignAll(
      everyone.map((id) => turn(id)),
      Array.from({ length: 9 }, () => everyone),
    )
    assert.deepEqual(given, ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'])
  })

  it('does not give a host who was away all the meetings that they missed', () => {
    const away = Array.from({ length: 4 }, () => ['a', 'b'])
    const back = Array.from({ length: 6 }, () => ['a', 'b', 'c'])
    const { given } = assignAll([turn('a'), turn('b'), turn('c')], [...away, ...back])
    assert.deepEqual(given.slice(4), ['c', 'a', 'b', 'c', 'a', 'b'])
  })

  it('gives hosts who are always free what is due to them, to within a meeting', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 4 }),
        fc.nat(80),
        (weights, meetings) => {
          const list = weights.map((weight, i) => turn(`host-${i}`, 0, null, weight))
          const everyone = list.map(({ hostId }) => hostId)
          const { given } = assignAll(
            list,
            Array.from({ length: meetings }, () => everyone),
          )
          for (const { hostId, weight } of list) {
            const due = (meetings * weight) / sumOf(weights)
            const got = given.filter((id) => id === hostId).length
            assert.ok(Math.abs(got - due) <= 1 + 1e-9, `${hostId} got ${got} of ${due}`)
          }
        },
      ),
    )
  })

  it('gives hosts of equal weight what is due to them, to within a meeting for each group they were free in', () => {
    fc.assert(
      fc.property(fc.array(fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']), { maxLength: 80 }), (frees) => {
        const { given, list } = assignAll(
          ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => turn(id)),
          frees,
        )
        assert.ok(isNear(sumOf(list.map(({ balance }) => balance)), 0))
        for (const { hostId, balance } of list) {
          const mine = frees.filter((free) => free.includes(hostId))
          const due = sumOf(mine.map((free) => 1 / free.length))
          const got = given.filter((id) => id === hostId).length
          assert.ok(isNear(balance, due - got))
          const groups = new Set(mine.filter((free) => free.length > 1).map((free) => free.join()))
          assert.ok(Math.abs(got - due) <= groups.size + 1e-9, `${hostId} got ${got} of ${due}`)
        }
      }),
    )
  })
})

describe('changesToday', () => {
  const assignment = assignNext([turn('a'), turn('b'), turn('c', 1)]) as Assignment

  it('reverses an assignment', () => {
    const list = [turn('a'), turn('b'), turn('c', 1)]
    const reversed = changesToday(assignment, ['a', 'b', 'c'], -1)
    const after = applied(applied(list, assignment, 1), { ...assignment, changes: reversed }, 1)
    assert.ok(after.every(({ balance }, i) => isNear(balance, list[i]?.balance as number)))
    assert.deepEqual(changesToday(assignment, ['a', 'b', 'c'], 1), assignment.changes)
  })

  it('reverses the parts of a series one by one', () => {
    const part = changesToday(partOf(assignment, 4), ['a', 'b', 'c'], -1)
    assert.ok(isNear(part['c'] as number, 2 / 3 / 4))
  })

  it('shares the part of those who have left among those who are there, and changes nothing without them', () => {
    const rest = changesToday(assignment, ['a', 'b', 'd'], -1)
    assert.ok(isNear(sumOf(Object.values(rest)), 0))
    assert.ok(isNear(rest['d'] as number, 2 / 9) && isNear(rest['a'] as number, 2 / 9 - 1 / 3))
    assert.deepEqual(changesToday(assignment, [], -1), {})
  })
})
