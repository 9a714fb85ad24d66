import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { suggestEmail } from './email-suggestion.ts'

const LETTER = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-.')
const DOMAIN = fc.constantFrom(
  'gmail.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'yahoo.com',
  't-online.de',
)

describe('suggestEmail', () => {
  it('recognises what is often mistyped', () => {
    for (const [typed, meant] of [
      ['gmial.com', 'gmail.com'],
      ['gmai.com', 'gmail.com'],
      ['gmail.co', 'gmail.com'],
      ['gmail.con', 'gmail.com'],
      ['gmail', 'gmail.com'],
      ['GMAIL.CMO', 'gmail.com'],
      ['mgail.com', 'gmail.com'],
      ['hotmial.con', 'hotmail.com'],
      ['outlok.com', 'outlook.com'],
      ['yaho.com', 'yahoo.com'],
      ['iclould.com', 'icloud.com'],
    ]) {
      assert.equal(suggestEmail(`Ada.L+x@${typed}`), `Ada.L+x@${meant}`)
    }
  })

  it('leaves right addresses alone', () => {
    const right =
      'gmail.com GMail.com mail.com email.com ymail.com gmx.com gmx.de web.de yahoo.ca hotmail.ch yahoo.com.ar'
    const others = 'small.com example.org analytical.example sol.com fail.com outlook.fr me.com x.y'
    for (const domain of `${right} ${others}`.split(' '))
      assert.equal(suggestEmail(`ada@${domain}`), undefined, domain)
    for (const text of ['', '@', 'ada', '@gmial.com', 'ada@']) assert.equal(suggestEmail(text), undefined)
  })

  it('suggests a domain that it then leaves alone, for the same mailbox, or nothing', () => {
    const local = fc.stringMatching(/^[a-z.+]{1,10}$/)
    fc.assert(
      fc.property(local, fc.stringMatching(/^[a-z.-]{1,14}$/), (name, domain) => {
        const suggested = suggestEmail(`${name}@${domain}`)
        if (suggested === undefined) return
        assert.ok(suggested.startsWith(`${name}@`) && suggested !== `${name}@${domain}`)
        assert.equal(suggestEmail(suggested), undefined)
      }),
    )
  })

  it('finds a domain with one mistake after its first letter, unless that makes another provider’s', () => {
    fc.assert(
      fc.property(DOMAIN, fc.nat({ max: 20 }), LETTER, fc.nat({ max: 3 }), (domain, place, letter, kind) => {
        const at = 1 + (place % (domain.length - 1))
        const [start, rest] = [domain.slice(0, at), domain.slice(at)]
        const swapped = start + (rest[1] ?? '') + (rest[0] ?? '') + rest.slice(2)
        const typed = [start + rest.slice(1), start + letter + rest, start + letter + rest.slice(1), swapped][
          kind
        ]
        const suggested = suggestEmail(`ada@${typed}`)
        fc.pre(typed !== domain && suggested !== undefined)
        assert.match(suggested as string, /^ada@[a-z.-]+$/)
        if (!/\.[a-z]{2}$/.test(typed as string)) assert.equal(suggested, `ada@${domain}`)
      }),
    )
  })
})
