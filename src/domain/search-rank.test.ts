import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { foldQuery, rankOf } from './search-rank.ts'

const rank = (wanted: string, title: string, others: readonly string[] = []) =>
  rankOf(foldQuery(wanted), title, others)

describe('rankOf', () => {
  it('puts the whole title first, then its beginning, a word of it, and a part of a word', () => {
    const titles = ['Intro', 'Introduction', 'An intro', 'Reintroduction']
    const ranks = titles.map((title) => rank('intro', title) ?? assert.fail(title))
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(ranks).size, ranks.length)
    assert.equal(ranks[0], 0)
  })

  it('ignores case, accents and needless spaces', () => {
    assert.equal(rank('  BJORN  olund ', 'Björn Ölund'), 0)
    assert.equal(rank('Ölu', 'Olund'), 2)
  })

  it('finds what only another text has, after titles', () => {
    const byAddress = rank('grace@', 'Somebody', ['grace@guests.example']) ?? assert.fail()
    assert.ok(byAddress > (rank('grace', 'Grace') ?? 0))
    assert.equal(rank('grace@guests.example', 'Somebody', ['grace@guests.example']), 1)
  })

  it('leaves out what has nothing of it', () => {
    assert.equal(rank('xyz', 'Intro', ['intro']), undefined)
  })
})
