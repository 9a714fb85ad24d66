import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../problem.ts'
import { isBlocked, readBlocklistEntry } from './blocklist.ts'

describe('readBlocklistEntry', () => {
  it('turns every spelling of a domain into one', () => {
    for (const text of [
      'spam.example',
      ' SPAM.Example ',
      '@spam.example',
      '*.spam.example',
      '.spam.example',
      'spam.example.',
    ]) {
      assert.equal(readBlocklistEntry(text), 'spam.example', text)
    }
    assert.equal(readBlocklistEntry('*.Post.MÜNCHEN.example'), 'post.xn--mnchen-3ya.example')
  })

  it('turns every spelling of an address into one', () => {
    for (const text of [
      'bob@spam.example',
      ' Bob@SPAM.example',
      'bob+news@spam.example',
      'BOB+@spam.example',
    ]) {
      assert.equal(readBlocklistEntry(text), 'bob@spam.example', text)
    }
    assert.equal(readBlocklistEntry('bob@münchen.example'), 'bob@xn--mnchen-3ya.example')
  })

  it('refuses anything else', () => {
    for (const text of [
      '',
      ' ',
      '@',
      '*',
      '*.',
      '.',
      '..',
      'com',
      '*.com',
      'localhost',
      'spam',
      'spam..example',
      'spam example.com',
      'https://spam.example',
      'spam.example/path',
      'spam.example:25',
      '*@spam.example.*',
      '*.*.example',
      '@*.spam.example',
      'a@b',
      'a@b@c.example',
      'a@',
      'bob@spam.example, eve@spam.example',
      'Bob <bob@spam.example>',
      '127.0.0.1',
      '1.2',
      'bob@127.0.0.1',
      '1.0x1',
      '-spam.example',
      'spam.example\u0000',
      'sp\u0007am@spam.example',
      'half\ud800@spam.example',
      `${'a'.repeat(300)}.example`,
    ]) {
      assert.throws(
        () => readBlocklistEntry(text),
        (error) => error instanceof Problem && error.code === 'invalid',
        JSON.stringify(text),
      )
    }
  })

  it('blocks the address that an entry was made from, and is stable', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (email) => {
        assert.ok(isBlocked(email, [readBlocklistEntry(email)]))
        const domain = readBlocklistEntry(email.slice(email.lastIndexOf('@')))
        assert.equal(readBlocklistEntry(domain), domain)
        assert.ok(isBlocked(email, [domain]))
      }),
    )
  })

  it('never turns an address into its whole domain', () => {
    for (const entry of ['+news@mail.example', readBlocklistEntry('+news@mail.example')]) {
      assert.equal(isBlocked('+news@mail.example', [entry]), true)
      assert.equal(isBlocked('bob@mail.example', [entry]), false)
    }
  })
})
