import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isEmail } from '../../domain/people/contact.ts'
import { mailtoOf } from './mailto.ts'

describe('mailtoOf', () => {
  it('leaves an ordinary address readable', () => {
    assert.equal(mailtoOf('ada.lovelace@example.org'), 'mailto:ada.lovelace@example.org')
  })

  it('lets no address add headers or recipients', () => {
    for (const email of [
      'a?bcc=victim%40example.com&body=x@example.org',
      'a%3Fcc=b@example.org',
      'a%0d%0aBcc=b@example.org',
      'a&b=c@example.org',
    ]) {
      assert.ok(isEmail(email), email)
      const { search, hash, pathname } = new URL(mailtoOf(email))
      assert.deepEqual([search, hash, decodeURIComponent(pathname)], ['', '', email])
    }
    fc.assert(
      fc.property(fc.stringMatching(/^[!#$%&'*+/=?^`{|}~a-z0-9]{1,20}$/), (local) => {
        assert.match(mailtoOf(`${local}@example.org`), /^mailto:(?:[^?&%#]|%[0-9A-F]{2})+@example\.org$/)
      }),
    )
  })
})
