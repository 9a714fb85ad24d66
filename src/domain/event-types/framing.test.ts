import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../problem.ts'
import { checkAllowedOrigins, framersOf } from './framing.ts'

const refused = (origins: readonly string[], reason: RegExp) =>
  assert.throws(
    () => checkAllowedOrigins(origins),
    (error) => error instanceof Problem && error.code === 'invalid' && reason.test(error.message),
    origins.join(' '),
  )

describe('checkAllowedOrigins', () => {
  it('accepts https origins, and http on loopback', () => {
    checkAllowedOrigins([])
    checkAllowedOrigins([
      'https://www.example.com',
      'https://example.com:8443',
      'https://xn--bcher-kva.example',
      'https://192.0.2.1',
      'https://[2001:db8::1]:8443',
      'http://localhost:3000',
      'http://app.localhost',
      'http://127.0.0.1:5173',
      'http://[::1]',
    ])
  })

  it('says how to write an almost valid origin', () => {
    refused(['https://Example.com/'], /as https:\/\/example\.com\./)
    refused(['https://example.com:443'], /as https:\/\/example\.com\./)
    refused(['https://example.com/page?x'], /as https:\/\/example\.com\./)
    refused(['https://bücher.example'], /as https:\/\/xn--bcher-kva\.example\./)
  })

  it('refuses other text, and http on other hosts', () => {
    for (const text of ['', 'example.com', '*', 'https://*.example.com', 'null', 'data:x', 'https://a;b']) {
      refused([text], /is not a site/)
    }
    for (const text of ['http://example.com', 'http://localhost.example', 'http://127.0.0.1.example']) {
      refused([text], /must begin with https/)
    }
  })

  it('refuses duplicates, and too many', () => {
    refused(['https://a.example', 'https://a.example'], /twice/)
    const many = Array.from({ length: 51 }, (_, number) => `https://a${number}.example`)
    checkAllowedOrigins(many.slice(1))
    refused(many, /at most 50/)
  })

  it('accepts nothing that could start a new directive in a header', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true }), fc.string(), (url, tail) => {
        for (const text of [url, `https://a${tail}`, URL.parse(`https://a${tail}`)?.origin ?? '']) {
          try {
            checkAllowedOrigins([text])
          } catch {
            continue
          }
          assert.doesNotMatch(text, /[\s;,'"*]/)
        }
      }),
    )
  })
})

describe('framersOf', () => {
  const eventType = (...allowedOrigins: string[]) => ({ allowedOrigins })

  it('is everyone if no event type restricts it', () => {
    assert.equal(framersOf([]), 'everyone')
    assert.equal(framersOf([eventType(), eventType()]), 'everyone')
  })

  it('is the origins that all event types allow', () => {
    const [a, b] = ['https://a.example', 'https://b.example']
    assert.deepEqual(framersOf([eventType(a, b)]), [a, b])
    assert.deepEqual(framersOf([eventType(a, b), eventType(), eventType(b)]), [b])
    assert.deepEqual(framersOf([eventType(a), eventType(b)]), [])
  })
})
