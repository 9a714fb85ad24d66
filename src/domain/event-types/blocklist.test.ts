import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isBlocked } from './blocklist.ts'

const DOMAIN = 'spam.example'

const letters = fc.stringMatching(/^[a-z0-9]{1,8}$/)

/** The same text with capitals anywhere. */
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((capitals) => [...text].map((letter, i) => (capitals[i] ? letter.toUpperCase() : letter)).join(''))

const blocked = (...emails: string[]) => ({
  by: (...list: string[]) => {
    for (const email of emails) assert.equal(isBlocked(email, list), true, `${email} by ${list}`)
  },
  notBy: (...list: string[]) => {
    for (const email of emails) assert.equal(isBlocked(email, list), false, `${email} by ${list}`)
  },
})

describe('isBlocked', () => {
  it('blocks no one with an empty list', () => {
    fc.assert(fc.property(fc.emailAddress(), (email) => !isBlocked(email, [])))
  })

  it('blocks a listed address in any capitals and with any tag', () => {
    const tag = fc.option(letters, { nil: undefined })
    fc.assert(
      fc.property(inAnyCase('blocked'), inAnyCase('example.com'), tag, (local, domain, word) => {
        const email = `${local}${word === undefined ? '' : `+${word}`}@${domain}`
        return isBlocked(email, ['Blocked@Example.com'])
      }),
    )
  })

  it('does not block other addresses of the same domain', () => {
    blocked(
      'unblocked@example.com',
      'blocked.too@example.com',
      'blocked@mail.example.com',
      'blocked@example.org',
      'example.com@example.org',
    ).notBy('blocked@example.com')
  })

  it('blocks everyone at a listed domain and its subdomains', () => {
    fc.assert(
      fc.property(letters, fc.array(letters, { maxLength: 3 }), inAnyCase(DOMAIN), (local, below, domain) =>
        isBlocked(`${local}@${[...below, domain].join('.')}`, [DOMAIN]),
      ),
    )
  })

  it('blocks no domain that merely looks like a listed one', () => {
    blocked(
      'a@notspam.example',
      'a@not-spam.example',
      'a@spam.example.org',
      'a@spam.examples',
      'a@spamexample',
      'a@example',
      'spam.example@host.example',
    ).notBy(DOMAIN)
    fc.assert(
      fc.property(letters, letters, (local, more) => !isBlocked(`${local}@${more}${DOMAIN}`, [DOMAIN])),
    )
  })

  it('accepts every usual spelling of a domain', () => {
    for (const entry of [
      'spam.example',
      'SPAM.Example',
      '@spam.example',
      '*.spam.example',
      '.spam.example',
      ' spam.example ',
      'spam.example.',
    ]) {
      blocked('a@mail.spam.example').by(entry)
      blocked('a@notspam.example', 'a@other.example').notBy(entry)
    }
  })

  it('compares names in other scripts as DNS does', () => {
    const spellings = [
      'münchen.example',
      'MÜNCHEN.example',
      'mu\u0308nchen.example',
      'xn--mnchen-3ya.example',
    ]
    for (const listed of spellings) {
      for (const spelling of spellings) {
        blocked(`a@${spelling}`, `a@post.${spelling}`).by(listed)
        blocked(`A@${spelling}`, `a+tag@${spelling}`).by(`a@${listed}`)
      }
      blocked('a@munchen.example').notBy(listed)
    }
  })

  it('reads full-width letters as plain ones', () => {
    blocked('a@ｓｐａｍ.example').by(DOMAIN)
  })

  it('checks every entry', () => {
    blocked('a@last.example').by('first.example', 'b@second.example', 'last.example')
  })

  it('blocks no one with empty entries', () => {
    blocked('a@host.example').notBy('', ' ', '.', '@', '*.')
  })
})
