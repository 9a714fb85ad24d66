import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyWrites, emptyLedger, joinWrites, type Writes } from './ledger.ts'

describe('joinWrites', () => {
  /** One of each kind: a kind that is forgotten when joining is missed below, and one that is missing here is a type error. */
  const everything = (n: number): Required<{ [Kind in keyof Writes]: unknown[] }> => ({
    claims: [`claim ${n}`],
    freedMeetings: [`meeting ${n}`],
    holds: [`hold ${n}`],
    freedHolds: [`freed ${n}`],
    bookings: [`booking ${n}`],
    updates: [`update ${n}`],
    checkouts: [`checkout ${n}`],
    checkoutUpdates: [`checkout update ${n}`],
    ledgerEntries: [`entry ${n}`],
    refunds: [`refund ${n}`],
    refundUpdates: [`refund update ${n}`],
    balances: [`balance ${n}`],
    answers: [`answer ${n}`],
    guestMails: [`mail ${n}`],
    spentLinks: [`link ${n}`],
    unspentLinks: [`unspent link ${n}`],
    spentResponses: [`response ${n}`],
    usedCodes: [`code ${n}`],
    failedCodes: [`failed ${n}`],
    audit: [`entry ${n}`],
    jobs: [`job ${n}`],
    withdrawnJobs: [n],
  })

  it('keeps everything of every kind, in order', () => {
    const [one, two] = [everything(1), everything(2)]
    const joined = joinWrites([one, two] as unknown as Writes[])
    for (const kind of Object.keys(one) as (keyof typeof one)[]) {
      assert.deepEqual(joined[kind], [...one[kind], ...two[kind]], kind)
    }
  })

  it('leaves out what nobody writes', () => {
    assert.deepEqual(joinWrites([{}, { spentLinks: ['link'] }, {}]), { spentLinks: ['link'] })
  })
})

describe('applyWrites', () => {
  it('shows the next decision what this one writes, whatever the kind', () => {
    const ledger = emptyLedger()
    const code = { eventTypeId: 'e', address: 'a', codeHash: 'h', tries: 0, expiresAt: 9 }
    ledger.codes.add(code)
    ledger.turns.add('e', { hostId: 'ada', balance: 0, weight: 1, lastAssignedAt: null })
    ledger.announcements.add({ jobId: 7, record: { bookingId: 'b', sequence: 2 } as never })
    applyWrites(ledger, {
      failedCodes: [code],
      balances: [{ eventTypeId: 'e', hostId: 'ada', by: -0.5, assignedAt: 5 }],
      withdrawnJobs: [7],
    })
    assert.equal(ledger.codes.find('e', 'a')?.tries, 1)
    assert.deepEqual(ledger.turns.of('e'), [{ hostId: 'ada', balance: -0.5, weight: 1, lastAssignedAt: 5 }])
    assert.equal(ledger.announcements.of({ id: 'b', sequence: 2 }), undefined)
    applyWrites(ledger, { usedCodes: [{ ...code, mailbox: 'm' }] })
    assert.equal(ledger.codes.find('e', 'a'), undefined)
  })

  it('finds the newer of two answers to one key, so that a repeat after a day books once', () => {
    const ledger = emptyLedger()
    const answer = { eventTypeId: 'e', key: 'k', bodyHash: 'h', answer: 'old', expiresAt: 1 }
    ledger.answers.add(answer)
    applyWrites(ledger, { answers: [{ ...answer, answer: 'new', expiresAt: 99 }] })
    assert.equal(ledger.answers.find('e', 'k')?.answer, 'new')
  })
})
