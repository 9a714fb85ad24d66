import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assignNext, partOf, reassignTo, type Turn } from './assignment.ts'
import { type CountedAssignment, sharesOf } from './fairness.ts'

const turn = (hostId: string, weight = 1, balance = 0): Turn => ({
  hostId,
  weight,
  balance,
  lastAssignedAt: null,
})
const counted = (assignment: CountedAssignment['assignment'] | undefined, given = {}): CountedAssignment => {
  assert.ok(assignment)
  return { eventTypeId: 'talk', assignment, parts: 1, count: 1, ...given }
}
const brief = (all: readonly CountedAssignment[]) =>
  sharesOf(all).map(({ hostId, meetings, due }) => [hostId, meetings, due])

describe('sharesOf', () => {
  it('owes each free host their share of a meeting, by weight, whoever gets it', () => {
    const next = assignNext([turn('ada', 3), turn('bob')])
    assert.deepEqual(brief([counted(next, { count: 4 })]), [
      ['ada', 4, 3],
      ['bob', 0, 1],
    ])
  })

  it('owes a meeting without a choice to the one who was free', () => {
    assert.deepEqual(brief([counted(assignNext([turn('ada')]))]), [['ada', 1, 1]])
  })

  it('counts every meeting of a series as one', () => {
    const next = assignNext([turn('ada'), turn('bob')])
    assert.ok(next)
    assert.deepEqual(brief([counted(partOf(next, 4), { parts: 4, count: 4 })]), [
      ['ada', 4, 2],
      ['bob', 0, 2],
    ])
  })

  it('counts reasons, and sums to the number of meetings', () => {
    const free = [turn('ada'), turn('bob'), turn('cyd')]
    const all = [counted(assignNext(free), { count: 2 }), counted(reassignTo('bob', free))]
    const shares = sharesOf(all)
    assert.deepEqual(
      shares.map(({ hostId, reasons: { turn, manual } }) => [hostId, turn, manual]),
      [
        ['ada', 2, 0],
        ['bob', 0, 1],
        ['cyd', 0, 0],
      ],
    )
    assert.equal(
      shares.reduce((sum, { due }) => sum + due, 0),
      3,
    )
  })
})
