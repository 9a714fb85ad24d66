import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { foldText, queryTerms, type SearchScope, termsOf } from './search-terms.ts'

const ADA = { ownerId: '01890a5d-ac96-774b-bcce-b302099a8057' }
const BOB = { ownerId: '01890a5d-ac96-774b-bcce-b302099a8058' }

/** Whether an index would find these texts. */
function isFound(wanted: string, texts: readonly string[], scope: SearchScope = ADA): boolean {
  const query = queryTerms(scope, wanted)
  const terms = termsOf(ADA, texts)
  if (query === undefined) return true
  if ('all' in query) return query.all.every((term) => terms.includes(term))
  return terms.some((term) => term.startsWith(query.beginning))
}

describe('search terms', () => {
  it('find every text that contains what is looked for', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, text, (before, wanted, after) =>
        assert.ok(isFound(wanted, ['other', `${before}${wanted}${after}`])),
      ),
    )
  })

  it('find it whatever its case and accents, also at its end', () => {
    const texts = ['Änne ÅNGSTRÖM', 'aenne@guests.example']
    for (const wanted of ['änne å', 'ANNE', 'ngstr', 'e@g', 'ÖM', 'le', '.ex', 'an'])
      assert.ok(isFound(wanted, texts), wanted)
    for (const wanted of ['ngstx', 'qq', 'mö', 'nnex']) assert.ok(!isFound(wanted, texts), wanted)
  })

  it('differ from owner to owner, and from those of people', () => {
    for (const scope of [BOB, 'people'] as const)
      for (const wanted of ['grace', 'gr']) assert.ok(!isFound(wanted, ['Grace'], scope))
  })

  it('need two letters', () => {
    assert.equal(queryTerms(ADA, 'x'), undefined)
    // A combining mark alone is no letter.
    assert.equal(queryTerms(ADA, 'x\u0301'), undefined)
  })

  it('are letters and digits', () => {
    for (const term of termsOf(ADA, ['O’Neil "x" OR *', '日本 🎈', 'a\\b%_']))
      assert.match(term, /^[a-z0-9]+$/)
  })

  it('fold the final sigma like any other', () => {
    assert.equal(foldText('ΟΔΟΣ'), foldText('οδοσ'))
  })
})
