import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse as Reply } from 'fastify'
import { onEveryDatabase } from '../../test/databases.ts'
import { addEventType, addUser, appOn, bookingOf, fromSomeoneNew, stoppedClock } from '../../test/kit.ts'
import type { EventType } from '../domain/event-types/event-type.ts'

const KILOBYTE = 1024
const PROFILE = '/api/public/scheduling/ada'
const SLOTS = `${PROFILE}/talk/slots?dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC`
const BOOK = `${PROFILE}/talk/book`
const EVALUATE = '/api/public/routing/ada/contact/evaluate'

onEveryDatabase('the app', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let talk: EventType

  const assertProblem = (reply: Reply, status: number) => {
    assert.equal(reply.statusCode, status, reply.body)
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    const body = reply.json()
    assert.deepEqual(Object.keys(body), ['error'])
    assert.match(body.error, /^\S.*\.$/s, 'a sentence')
    assert.equal(reply.headers['x-content-type-options'], 'nosniff')
  }
  const post = (payload: string | Buffer, headers: Record<string, string> = {}, url = BOOK) =>
    app.inject({
      method: 'POST',
      url,
      headers: { ...fromSomeoneNew(), 'content-type': 'application/json', ...headers },
      payload,
    })
  const rows = async () => (await db().selectFrom('bookings').select('id').execute()).length

  before(async () => {
    app = (await appOn(db(), { now: clock.now })).app
    const ada = await addUser(db(), 'ada')
    talk = await addEventType(db(), ada, { slug: 'talk' })
  })

  // Paths

  it('answers 404 at every path that it does not know, under every method', async () => {
    const paths = [
      '/nothing',
      '/api',
      '/api/',
      '/api/public',
      '/api/embed/',
      '/api/public/nothing',
      '/api/public/scheduling',
      '/api/v1/x',
      `${PROFILE}/talk`,
      `${PROFILE}/talk/nothing`,
      `${PROFILE}/talk/book/more`,
      '//nothing',
      '/favicon.gif',
    ]
    for (const url of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        assertProblem(await app.inject({ method, url }), 404)
      }
    }
  })

  it('answers 404 for a method that a path does not have', async () => {
    for (const [method, url] of [
      ['POST', '/'],
      ['POST', PROFILE],
      ['DELETE', PROFILE],
      ['PUT', BOOK],
      ['GET', BOOK],
      ['GET', EVALUATE],
      ['PATCH', '/api/embed/ada'],
    ] as const) {
      assertProblem(await app.inject({ method, url }), 404)
    }
  })

  it('answers 404 before it reads the body', async () => {
    for (const url of ['/nothing', '/api/public/nothing', `${PROFILE}/talk/nothing`]) {
      assertProblem(await post('{ not JSON', {}, url), 404)
      assertProblem(await post('', {}, url), 404)
      assertProblem(await post('hello', { 'content-type': 'text/plain' }, url), 404)
    }
  })

  it('does not mind a slash at the end', async () => {
    assert.equal((await app.inject({ url: `${PROFILE}/` })).body, (await app.inject({ url: PROFILE })).body)
  })

  it('refuses addresses whose percent-encoding is broken', async () => {
    for (const slug of ['%', '%z', '%zz', '%f', '%ff', '%c3%28', '%ed%a0%80', 'a%', '%2']) {
      for (const url of [
        `/api/public/scheduling/${slug}`,
        `/api/public/scheduling/${slug}/talk/slots`,
        `${PROFILE}/${slug}/abuse-config`,
        `/api/public/routing/ada/${slug}`,
        `/api/embed/${slug}`,
        `/api/embed/routing/${slug}/contact`,
        `/${slug}`,
      ]) {
        const reply = await app.inject({ url })
        assert.ok([400, 404].includes(reply.statusCode), url)
        assertProblem(reply, reply.statusCode)
      }
    }
  })

  it('survives a query whose percent-encoding is broken', async () => {
    for (const query of [
      'dateFrom=%&dateTo=%zz&timezone=%ff',
      '%=%',
      '%ff',
      '&&&==',
      '=',
      '?',
      'dateFrom',
      'dateFrom[]=1',
      'dateFrom[a]=1',
      '__proto__=1&constructor=2',
    ]) {
      assertProblem(await app.inject({ url: `${PROFILE}/talk/slots?${query}` }), 400)
      assert.equal((await app.inject({ url: `${PROFILE}?${query}` })).statusCode, 200)
    }
  })

  it('refuses slugs that are longer than any', async () => {
    for (const length of [65, 100, 201, 1000, 5000]) {
      for (const url of [
        `/api/public/scheduling/${'a'.repeat(length)}`,
        `/api/embed/${'a'.repeat(length)}/talk`,
      ]) {
        const reply = await app.inject({ url })
        assert.ok(reply.statusCode >= 400 && reply.statusCode < 500, String(reply.statusCode))
        assertProblem(reply, reply.statusCode)
      }
    }
  })

  // Bodies

  it('refuses JSON that is malformed, with 400', async () => {
    const before = await rows()
    for (const body of [
      '{',
      '{]',
      '{"a":}',
      "{'a':1}",
      'undefined',
      'NaN',
      '{"a":1}}',
      '\u0000',
      '\ufeff{',
      '{"a":"\n"}',
      'a=b',
    ]) {
      assertProblem(await post(body), 400)
    }
    assertProblem(await post(Buffer.from([0xff, 0xfe, 0x7b, 0x7d])), 400)
    assertProblem(await post(Buffer.from('{"inviteeName":"\xff"}', 'latin1')), 400)
    assert.equal(await rows(), before)
  })

  it('refuses an empty body with 400', async () => {
    assertProblem(await post(''), 400)
    assertProblem(await post('   '), 400)
    assertProblem(await app.inject({ method: 'POST', url: BOOK, headers: fromSomeoneNew() }), 400)
  })

  it('refuses a body over 64 KB with 413, and takes one of exactly 64', async () => {
    const booking = JSON.stringify(bookingOf(talk, Date.parse('2027-01-12T09:00Z')))
    const before = await rows()
    assertProblem(await post(booking.padEnd(64 * KILOBYTE + 1)), 413)
    assertProblem(await post(booking.padEnd(1000 * KILOBYTE)), 413)
    assertProblem(
      await post(`"${'a'.repeat(64 * KILOBYTE)}"`, {}, EVALUATE.replace('contact', 'nothing')),
      404,
    )
    assert.equal(await rows(), before)
    assert.equal((await post(booking.padEnd(64 * KILOBYTE))).statusCode, 201)
  })

  it('refuses every type but JSON with 415', async () => {
    const booking = JSON.stringify(bookingOf(talk, Date.parse('2027-01-12T10:00Z')))
    const before = await rows()
    for (const type of [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonp',
      'application/octet-stream',
      'json',
      '*/*',
      ';',
    ]) {
      assertProblem(await post(booking, { 'content-type': type }), 415)
    }
    const bare = await app.inject({
      method: 'POST',
      url: BOOK,
      headers: fromSomeoneNew(),
      payload: Buffer.from(booking),
    })
    assertProblem(bare, 415)
    assert.equal(await rows(), before)
  })

  it('takes JSON with any parameters and in any case', async () => {
    for (const [i, type] of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset=UTF-8;a=b',
    ].entries()) {
      const booking = bookingOf(talk, Date.parse('2027-01-12T11:00Z') + i * 1_800_000)
      assert.equal((await post(JSON.stringify(booking), { 'content-type': type })).statusCode, 201, type)
    }
  })

  // Other origins

  const failures: readonly [string, number, InjectOptions][] = [
    ['an unknown path', 404, { url: '/api/public/nothing' }],
    ['an unknown embed', 404, { url: '/api/embed/nobody' }],
    ['an unknown profile', 404, { url: '/api/public/scheduling/nobody' }],
    ['a missing parameter', 400, { url: `${PROFILE}/talk/slots` }],
    ['a broken address', 400, { url: '/api/public/scheduling/%zz' }],
    [
      'malformed JSON',
      400,
      { method: 'POST', url: BOOK, headers: { 'content-type': 'application/json' }, payload: '{' },
    ],
    [
      'a wrong type',
      415,
      { method: 'POST', url: BOOK, headers: { 'content-type': 'text/plain' }, payload: 'x' },
    ],
    ['too large a body', 413, { method: 'POST', url: BOOK, payload: { a: 'a'.repeat(70_000) } }],
  ]

  it('lets pages of any origin read its answers, and what went wrong', async () => {
    const headers = { origin: 'https://site.example' }
    for (const url of [
      PROFILE,
      SLOTS,
      `${PROFILE}/talk/abuse-config`,
      '/api/embed/ada',
      '/api/embed/ada/talk',
    ]) {
      const reply = await app.inject({ url, headers })
      assert.deepEqual([reply.statusCode, reply.headers['access-control-allow-origin']], [200, '*'], url)
      assert.equal(reply.headers['access-control-allow-credentials'], undefined)
    }
    for (const [name, status, request] of failures) {
      const reply = await app.inject({
        ...request,
        headers: { ...headers, ...fromSomeoneNew(), ...request.headers },
      })
      assertProblem(reply, status)
      assert.equal(reply.headers['access-control-allow-origin'], '*', name)
    }
  })

  it('tells a browser beforehand that it may', async () => {
    for (const url of [PROFILE, SLOTS, BOOK, EVALUATE, '/api/embed/ada', '/api/public/nothing']) {
      const reply = await app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'https://site.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,idempotency-key',
        },
      })
      assert.deepEqual([reply.statusCode, reply.body], [204, ''], url)
      assert.equal(reply.headers['access-control-allow-origin'], '*')
      const methods = String(reply.headers['access-control-allow-methods']).split(/, */)
      for (const method of ['GET', 'POST']) assert.ok(methods.includes(method), method)
      const allowed = String(reply.headers['access-control-allow-headers']).toLowerCase().split(/, */)
      for (const header of ['content-type', 'idempotency-key']) assert.ok(allowed.includes(header), header)
    }
  })

  it('answers OPTIONS that is no preflight without breaking its word about errors', async () => {
    for (const headers of [
      {},
      { origin: 'https://site.example' },
      { 'access-control-request-method': 'POST' },
    ]) {
      for (const url of [BOOK, PROFILE, '/api/public/nothing', '/nothing']) {
        const reply = await app.inject({ method: 'OPTIONS', url, headers })
        if (reply.statusCode >= 400) assertProblem(reply, reply.statusCode)
        else assert.equal(reply.body, '')
      }
    }
  })
})
