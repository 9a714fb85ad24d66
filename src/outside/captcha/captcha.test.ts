import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type CaptchaVerifier,
  passes,
  refuses,
  say,
  startCaptchaVerifier,
} from '../../../test/captcha-verifier.ts'
import { verifyCaptcha } from './captcha.ts'

describe('verifyCaptcha', () => {
  let verifier: CaptchaVerifier
  const verify = (url = verifier.url) =>
    verifyCaptcha({ siteKey: 'public', secret: 's&cret', verifyUrl: url }, 'a token/+=', '192.0.2.7', {
      hosts: ['book.example.com', 'www.ada.example'],
      action: 'book',
    })

  before(async () => {
    verifier = await startCaptchaVerifier()
  })
  after(() => verifier.close())

  it('posts the secret, the token and the client’s address as a form', async () => {
    verifier.answer(passes)
    await verify()
    assert.deepEqual(verifier.asked.at(-1), {
      secret: 's&cret',
      response: 'a token/+=',
      remoteip: '192.0.2.7',
    })
  })

  it('trusts the service’s answer', async () => {
    verifier.answer(passes)
    assert.equal(await verify(), true)
    verifier.answer(refuses)
    assert.equal(await verify(), false)
  })

  it('accepts only true as success', async () => {
    for (const body of [
      '{}',
      '{"success":"true"}',
      '{"success":1}',
      '{"success":null}',
      '[]',
      '"yes"',
      '5',
    ]) {
      verifier.answer(say(body))
      assert.equal(await verify(), false, body)
    }
  })

  it('refuses a token of another site, or for another action, where the service names them', async () => {
    const answers: readonly [object, boolean][] = [
      [{ hostname: 'book.example.com' }, true],
      [{ hostname: 'WWW.ada.example', action: 'book' }, true],
      [{ hostname: '', action: '' }, true],
      [{ hostname: null, action: null }, true],
      [{ hostname: 'evil.example' }, false],
      [{ hostname: 'evil.book.example.com' }, false],
      [{ hostname: ['book.example.com', 'evil.example'] }, false],
      [{ action: 'login' }, false],
      [{ hostname: 'book.example.com', action: 'login' }, false],
    ]
    for (const [more, accepted] of answers) {
      verifier.answer(say(JSON.stringify({ success: true, ...more })))
      assert.equal(await verify(), accepted, JSON.stringify(more))
    }
  })

  it('fails when the service answers with anything but a proper 200', async () => {
    for (const status of [301, 400, 403, 404, 429, 500, 503]) {
      verifier.answer(say('{"success":true}', status))
      await assert.rejects(verify(), Error, String(status))
    }
    for (const garbage of ['', 'OK', '{"success":true', '<html>', 'null']) {
      verifier.answer(say(garbage))
      await assert.rejects(verify(), Error, garbage)
    }
  })

  it('follows no redirect, not even to a success', async () => {
    verifier.answer((response) => response.writeHead(307, { location: verifier.url }).end())
    const before = verifier.asked.length
    await assert.rejects(verify())
    assert.equal(verifier.asked.length, before + 1)
  })

  it('fails when the service hangs up in the middle', async () => {
    verifier.answer((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"succ')
      response.destroy()
    })
    await assert.rejects(verify())
  })

  it('fails when there is no service', async () => {
    // Not a port that was given back: a test beside this one may get it.
    await assert.rejects(verify('http://127.0.0.1:2/'))
  })

  it('times out if the service does not answer', async (t) => {
    // The types have not heard of this one yet.
    t.mock.timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] })
    const silent = [
      () => {},
      // Or one that begins to answer, and never ends.
      (response: import('node:http').ServerResponse) => void response.writeHead(200).write('{"success":true'),
    ]
    for (const how of silent) {
      verifier.answer(how)
      const asked = verifier.nextAsked()
      const outcome = assert.rejects(verify())
      await Promise.race([asked, outcome])
      t.mock.timers.tick(60_000)
      await outcome
    }
  })
})
