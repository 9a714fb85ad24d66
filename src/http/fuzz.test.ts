import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { before, it } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { onEveryDatabase } from '../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { repeat } from '../../test/repeat.ts'
import { isChoice, QUESTION_TYPES } from '../domain/event-types/questions.ts'
import { FIELD_TYPES, FORM_DEFAULTS } from '../domain/forms/routing.ts'
import { insertForm } from '../store/forms/forms.ts'
import { newId } from '../store/new-id.ts'

/** Texts that have broken other services. */
const NASTY: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  'a\ud83d',
  '\n\r\t\u000b\u001b[2J\u007f\u0085',
  '\u202e\u2028\u2029\ufeff\u200b\uffff',
  '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}\u0301\u0301\u0301',
  'İıſßﬀ',
  'a'.repeat(300),
  'ü'.repeat(20_000),
  "' or 1=1; drop table bookings; --",
  '"; select pg_sleep(10); --',
  '\\',
  '%00%ff%zz',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}<%= 7*7 %>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x7f',
  '9007199254740993',
  '2027-02-30',
  '2027-02-30T09:00:00Z',
  '2027-01-12T09:00:00.000000001Z',
  '2027-01-12T09:30:00.000000001Z',
  '2027-01-12T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '-000000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '+999999-12-31T23:59:59Z',
  '2027-01-12T09:00:00Z[UTC][u-ca=hebrew]',
  'Etc/Unknown',
  'UTC',
  'utc\u0000',
  'Europe/Berlin/',
  '+14:00',
  'a@b.example',
  'a@b.example\r\nBcc: c@d.example',
  `${'a'.repeat(64)}@${'b.'.repeat(90)}example`,
  'https://exa\tmple.com:99999/',
  '+49 30 901820',
]

const PROFILE = '/api/public/scheduling/ada'
const FORM = '/api/public/routing/ada/contact'
const GETS = [
  '/api/public/scheduling/:slug',
  '/api/public/scheduling/:slug/:slug/slots',
  '/api/public/scheduling/:slug/:slug/abuse-config',
  '/api/public/scheduling/:slug/:slug/challenge',
  '/api/public/routing/:slug/:slug',
  '/api/public/routing/:slug/:slug/abuse-config',
  '/api/public/routing/:slug/:slug/challenge',
  '/api/embed/:slug',
  '/api/embed/:slug/:slug',
  '/api/embed/routing/:slug/:slug',
  '/api/public/bookings/:slug?token=:slug',
]
const POSTS = [
  '/api/public/scheduling/:slug/:slug/book',
  '/api/public/routing/:slug/:slug/evaluate',
  '/api/public/bookings/:slug/cancel?token=:slug',
  '/api/public/bookings/:slug/reschedule?token=:slug',
]

/** Any sixteen bits, so also halves of surrogate pairs, controls and noncharacters. */
const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 })
const nastyText = fc.oneof(fc.constantFrom(...NASTY), anyText)
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json', withCrossShrink: true },
    nastyText,
    fc.oneof(fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(nastyText, tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Percent-encoded byte by byte, so that halves of pairs and broken encodings get through, too. */
const encoded = (value: string) =>
  [...Buffer.from(value, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const slug = fc.oneof(
  fc.constantFrom('ada', 'talk', 'course', 'contact', 'asking', 'nobody'),
  nastyText.filter((value) => value.length > 0 && value.length < 2000).map(encoded),
  fc.constantFrom(
    '%',
    '%f',
    '%ff',
    '%c3%28',
    '%2e%2e',
    '%2F',
    '.',
    '..',
    '*',
    ':slug',
    '~',
    '!',
    '$&',
    "'",
    '(',
    ';a=b',
    '@',
    '+',
  ),
)
const pathIn = (paths: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...paths), fc.array(slug, { minLength: 2, maxLength: 2 }))
    .map(([path, slugs]) => path.replace(/:slug/g, () => slugs.pop() ?? 'ada'))

const queryOf = (names: readonly string[]) =>
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...names), nastyText.map(encoded)),
        fc.oneof(
          nastyText.map(encoded),
          fc.constantFrom('2027-01-12', '2027-01-13', 'UTC', 'true', '%', '%zz'),
        ),
      ),
      { maxLength: 6 },
    )
    .map((pairs) =>
      pairs
        .map(([name, value]) => `${name}=${value}`)
        .join('&')
        .slice(0, 4000),
    )

const headerText = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '*/*',
    'application/json',
    'text/html;q=0.9',
    'gzip, br',
    'null',
    'bytes=0-0',
    'W/"x"',
    '::1',
    '1.2.3.4, garbage',
    'a'.repeat(500),
    '0',
    '-1',
    'keep-alive, x',
    '%00',
    '"',
    '\\',
    '\u00ff\u0080',
  ),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
)
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'accept-language',
    'accept-version',
    'content-type',
    'content-encoding',
    'cookie',
    'authorization',
    'forwarded',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-http-method-override',
    'x-request-id',
    'request-id',
    'origin',
    'referer',
    'range',
    'if-none-match',
    'if-modified-since',
    'idempotency-key',
    'prefer',
    'te',
    'user-agent',
    'host',
    'access-control-request-method',
  ),
  headerText,
  { maxKeys: 5 },
)

const LEAKS =
  /\bat [\w.]+ \(|node:|node_modules|\.ts\b|\.js\b|sqlite|postgres|\bselect\b|\binsert\b|\bupdate\b|constraint|syntax error|\brelation\b|\bcolumn\b|errno|stack|undefined|\[object/i

onEveryDatabase('any request', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let booked = 0
  let recorded = 0

  const talk = plainEventType({ slug: 'talk' })
  const questions = QUESTION_TYPES.map((type, i) => ({
    key: type,
    label: `Question ${i}`,
    type,
    required: false,
    options: isChoice(type) ? ['a', 'b'] : [],
  }))

  /** Checks what every answer must be, and keeps count of what may have been written. */
  const survives = async (request: InjectOptions): Promise<number> => {
    const reply = await app.inject({ ...request, headers: { ...fromSomeoneNew(), ...request.headers } })
    const { statusCode, body } = reply
    const told = `${request.method ?? 'GET'} ${request.url} → ${statusCode} ${body.slice(0, 300)}`
    assert.ok(statusCode >= 200 && statusCode < 500, told)
    if (statusCode >= 400 && request.method !== 'HEAD') {
      assert.match(String(reply.headers['content-type']), /^application\/json/, told)
      const problem = JSON.parse(body)
      assert.deepEqual(Object.keys(problem), ['error'], told)
      assert.equal(typeof problem.error, 'string', told)
      assert.notEqual(problem.error, '', told)
      assert.doesNotMatch(problem.error, LEAKS, told)
    }
    if (statusCode === 201) booked++
    const evaluated =
      String(request.url).includes('/evaluate') && !String(request.url).includes('dryRun=true')
    if (statusCode === 200 && request.method === 'POST' && evaluated) recorded++
    return statusCode
  }
  const postText = (url: string, payload: string | Buffer, more: Record<string, string> = {}) =>
    survives({ method: 'POST', url, headers: { 'content-type': 'application/json', ...more }, payload })
  const post = (url: string, body: unknown, more: Record<string, string> = {}) =>
    postText(url, JSON.stringify(body), more)

  /** The database holds exactly what was acknowledged. */
  const assertNothingElseWritten = async () => {
    const count = async (table: 'bookings' | 'claims' | 'routing_responses' | 'used_solutions') =>
      (await db().selectFrom(table).selectAll().execute()).length
    assert.equal(await count('bookings'), booked)
    assert.ok((await count('claims')) <= booked)
    assert.equal(await count('routing_responses'), recorded)
    assert.equal(await count('used_solutions'), 0)
  }

  before(async () => {
    app = (await appOn(db(), { now: clock.now })).app
    const ada = await addUser(db(), 'ada')
    await addEventType(db(), ada, talk)
    await addEventType(db(), ada, { slug: 'course', seats: 500 })
    await addEventType(db(), ada, { slug: 'asking', questions, seats: 500 })
    await addEventType(db(), ada, {
      slug: 'guarded',
      abuse: {
        honeypot: true,
        captcha: 'altcha',
        blocklist: ['spam.example'],
        detectDuplicates: true,
        rateLimit: 5,
      },
    })
    await insertForm(db(), {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: FIELD_TYPES.map((type, i) => ({
        id: type,
        label: `Question ${i}`,
        type,
        required: false,
        options: isChoice(type) ? [{ id: 'a', label: 'A' }] : [],
      })),
      rules: [
        {
          when: {
            any: [
              { field: 'text', operator: 'contains', value: 'a' },
              { all: [{ field: 'select', operator: 'isAnyOf', value: ['a'] }] },
            ],
          },
          target: { action: 'redirect', url: 'https://help.example/' },
        },
      ],
      fallback: { action: 'message', message: 'Thanks.' },
    })
  })

  const valid = (startsAt = Date.parse('2027-01-12T09:00Z')) => bookingOf(talk, startsAt)
  const FIELDS = [
    'startTime',
    'endTime',
    'inviteeName',
    'inviteeEmail',
    'inviteePhone',
    'inviteeTimezone',
    'inviteeLocale',
    'customFields',
    'inviteeNotes',
    'source',
    'honeypotValue',
    'captchaToken',
  ]

  it('as any one field of a booking, is taken or refused', async () => {
    for (const field of FIELDS) {
      for (const value of [
        ...NASTY,
        null,
        true,
        0,
        -1,
        1e308,
        [],
        [[]],
        {},
        { a: {} },
        ['2027-01-12T09:00:00Z'],
      ]) {
        await post(`${PROFILE}/course/book`, { ...valid(), [field]: value })
      }
    }
    assert.ok(booked > 0, 'some of it is taken')
    await assertNothingElseWritten()
  })

  it('as both times of a booking, is taken or refused', async () => {
    const times = NASTY.filter((value) => /^[+-]?\d{4,6}-/.test(value))
    for (const startTime of times) {
      for (const endTime of times) await post(`${PROFILE}/course/book`, { ...valid(), startTime, endTime })
      const half = Temporal.Duration.from({ minutes: 30 })
      try {
        const endTime = Temporal.Instant.from(startTime).add(half).toString()
        await post(`${PROFILE}/course/book`, { ...valid(), startTime, endTime })
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
    }
    await assertNothingElseWritten()
  })

  it('as a custom field or an answer, is taken or refused', async () => {
    for (const type of QUESTION_TYPES) {
      for (const value of [...NASTY, null, true, false, 0, -1, 1e308, [], {}]) {
        await post(`${PROFILE}/asking/book`, { ...valid(), customFields: { [type]: value, more: value } })
      }
    }
    for (const type of FIELD_TYPES) {
      for (const value of [...NASTY, null, true, 5, [], {}]) {
        await post(`${FORM}/evaluate`, { answers: { [type]: value, [String(value)]: value } })
      }
    }
    assert.ok(recorded > 0, 'some of it is taken')
    await assertNothingElseWritten()
  })

  it('as a booking, is taken or refused', async () => {
    const field = fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: anyJson },
    )
    const body = fc.record(Object.fromEntries(FIELDS.map((name) => [name, field])), { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(
        body,
        anyJson,
        fc.constantFrom('talk', 'course', 'asking', 'guarded'),
        async (changes, extra, event) => {
          const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
          await post(`${PROFILE}/${event}/book`, { ...valid(), ...given, extra })
        },
      ),
      { numRuns: repeat({ few: 100, many: 3000 }) },
    )
    await assertNothingElseWritten()
  })

  it('to change a guest’s booking is accepted or refused', async () => {
    const own = async () => {
      const starts = Date.parse('2027-01-13T09:00Z')
      const payload = bookingOf(plainEventType({ slug: 'course' }), starts)
      const url = `${PROFILE}/course/book`
      const { headers } = await app.inject({ method: 'POST', url, payload, headers: fromSomeoneNew() })
      booked++
      const { pathname, search } = new URL(String(headers.location))
      return { path: pathname, search }
    }
    let { path, search } = await own()
    for (const value of [...NASTY, null, true, 0, -1, 1e308, [], {}]) {
      await post(`${path}/reschedule${search}`, { startTime: value })
      await post(`${path}/reschedule${search}`, { startTime: '2027-01-13T09:30:00Z', reason: value })
      await post(`${path}/cancel${search}`, { reason: value, extra: value })
      const { statusCode } = await app.inject(path + search)
      assert.equal(statusCode, 200)
      ;({ path, search } = await own())
    }
    const places = fc.constantFrom('reschedule', 'cancel')
    await fc.assert(
      fc.asyncProperty(places, anyJson, fc.option(nastyText), async (place, body, token) => {
        const query = token === null ? search : `?token=${encoded(token)}`
        const status = await post(`${path}/${place}${query}`, body)
        if (token !== null) assert.ok(status >= 400)
        await survives({ url: `${path}${query}` })
      }),
      { numRuns: repeat({ few: 30, many: 600 }) },
    )
    await assertNothingElseWritten()
  })

  it('as an evaluation, is taken or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.oneof(fc.constantFrom(...FIELD_TYPES), nastyText), anyJson, { maxKeys: 6 }),
        async (answers) => {
          await post(`${FORM}/evaluate`, { answers })
        },
      ),
      { numRuns: repeat({ few: 66, many: 2000 }) },
    )
    await assertNothingElseWritten()
  })

  it('as JSON of any shape, is taken or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(`${PROFILE}/talk/book`, `${FORM}/evaluate`),
        anyJson,
        async (url, body) => {
          await post(url, body)
        },
      ),
      { numRuns: repeat({ few: 66, many: 2000 }) },
    )
    await assertNothingElseWritten()
  })

  it('as bytes of any kind, is taken or refused', async () => {
    const whole = JSON.stringify(valid())
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.nat(whole.length).map((end) => whole.slice(0, end)),
      fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
        const damaged = Buffer.from(whole)
        damaged[at] = byte
        return damaged
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(`${PROFILE}/course/book`, `${FORM}/evaluate`),
        bytes,
        async (url, body) => {
          await postText(url, body)
        },
      ),
      { numRuns: repeat({ few: 100, many: 3000 }) },
    )
    await assertNothingElseWritten()
  })

  it('however deep or long it is, is refused in time', async () => {
    const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
    const inside = (field: string, value: string) =>
      `${JSON.stringify(valid()).slice(0, -1)},"${field}":${value}}`
    const values = [
      deep('[', ']', 20),
      deep('[', ']', 5000),
      deep('[', ']', 30_000),
      deep('{"a":', '}', 5000).replace('}', '1}'),
      `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`,
      `[${'0,'.repeat(30_000)}0]`,
      `"${'\\u0000'.repeat(5000)}"`,
      `"${'\\ud800'.repeat(5000)}"`,
      '1e999999',
      '-1e-999999',
      '9'.repeat(5000),
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
    ]
    for (const value of values) {
      await postText(`${PROFILE}/course/book`, value)
      await postText(`${FORM}/evaluate`, value)
      await postText(`${FORM}/evaluate`, `{"answers":${value}}`)
      for (const field of ['customFields', 'inviteeNotes', 'extra', '__proto__']) {
        await postText(`${PROFILE}/course/book`, inside(field, value))
      }
    }
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    await assertNothingElseWritten()
  })

  it('as a slug, leads somewhere or nowhere', async () => {
    await fc.assert(
      fc.asyncProperty(pathIn(GETS), async (url) => void (await survives({ url }))),
      { numRuns: repeat({ few: 133, many: 4000 }) },
    )
    await fc.assert(
      fc.asyncProperty(pathIn(POSTS), anyJson, async (url, body) => void (await post(url, body))),
      { numRuns: repeat({ few: 50, many: 1500 }) },
    )
    await assertNothingElseWritten()
  })

  it('as a query, is understood or refused', async () => {
    const slots = `${PROFILE}/talk/slots?`
    for (const value of NASTY.filter((each) => each.length < 2000)) {
      for (const name of ['dateFrom', 'dateTo', 'timezone']) {
        const usual = new URLSearchParams({ dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone: 'UTC' })
        usual.delete(name)
        await survives({ url: `${slots}${usual}&${name}=${encoded(value)}` })
      }
    }
    const names = ['dateFrom', 'dateTo', 'timezone', 'dryRun', '__proto__', 'dateFrom[]', 'timezone[a][b]']
    await fc.assert(
      fc.asyncProperty(queryOf(names), async (query) => {
        await survives({ url: slots + query })
        await survives({ url: `/api/embed/ada?${query}` })
        await post(`${FORM}/evaluate?${query}`, { answers: {} })
      }),
      { numRuns: repeat({ few: 50, many: 1500 }) },
    )
    await assertNothingElseWritten()
  })

  it('as dates and a zone, lists slots or is refused', async () => {
    const year = fc.oneof(fc.integer({ min: 2026, max: 2028 }), fc.nat(9999))
    const number = (most: number) => fc.nat(most).map((value) => String(value).padStart(2, '0'))
    const date = fc
      .tuple(year, number(13), number(32))
      .map(([y, m, d]) => `${String(y).padStart(4, '0')}-${m}-${d}`)
    const zone = fc.constantFrom(
      ...Intl.supportedValuesOf('timeZone'),
      'GMT',
      'EST5EDT',
      'Etc/GMT-14',
      'Asia/Calcutta',
    )
    await fc.assert(
      fc.asyncProperty(
        date,
        fc.option(date, { nil: undefined }),
        zone,
        async (dateFrom, dateTo, timezone) => {
          const query = new URLSearchParams({ dateFrom, dateTo: dateTo ?? dateFrom, timezone })
          await survives({ url: `${PROFILE}/talk/slots?${query}` })
        },
      ),
      { numRuns: repeat({ few: 100, many: 3000 }) },
    )
  })

  it('as a header, changes nothing or is refused', async () => {
    const requests: readonly InjectOptions[] = [
      { url: PROFILE },
      { url: `${PROFILE}/talk/slots?dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC` },
      { url: `${PROFILE}/talk/abuse-config` },
      { url: '/api/embed/ada/talk' },
      { method: 'HEAD', url: PROFILE },
      { method: 'POST', url: `${FORM}/evaluate`, payload: { answers: {} } },
      { method: 'POST', url: `${PROFILE}/talk/book`, payload: { ...valid(), inviteeName: '' } },
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...requests), headers, async (request, given) => {
        await survives({
          ...request,
          headers: { ...(request.method === 'POST' && { 'content-type': 'application/json' }), ...given },
        })
      }),
      { numRuns: repeat({ few: 133, many: 4000 }) },
    )
    await assertNothingElseWritten()
  })

  it('under any method, is served or refused', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const path of [...GETS, ...POSTS]) await survives({ method, url: path.replace(/:slug/g, 'ada') })
    }
    await assertNothingElseWritten()
  })

  it('as a raw request line, is answered in full', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const targets = [
      '*',
      '//',
      '///',
      '/.',
      '/..',
      '/../..',
      '/%',
      '/?',
      '/#',
      '/;',
      'http://',
      'http://[',
      'https://evil.example/api/embed/ada',
      '/api/embed/ada#x',
      '/api/embed/ada?#',
      '/api//embed//ada',
      '/api/./embed/ada',
      '/API/EMBED/ADA',
      '/api/embed/\xff',
      '/api/embed/<>"{}|^`',
      '/\\',
      'ada',
      '?',
      '%2fapi%2fembed%2fada',
      `/${'a/'.repeat(4000)}`,
      `/api/embed/${'%41'.repeat(2000)}`,
    ]
    try {
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD', 'PROPFIND', 'TRACE']) {
        for (const target of targets) {
          const socket = connect(port, '127.0.0.1')
          socket.on('error', () => {})
          socket.write(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 'latin1')
          const answer = await text(socket)
          const told = `${method} ${target.slice(0, 80)} → ${answer.slice(0, 300)}`
          assert.match(answer, /^HTTP\/1\.1 [234]\d\d /, told)
          const [head = '', body = ''] = answer.split('\r\n\r\n')
          if (!/^HTTP\/1\.1 4/.test(head) || method === 'HEAD') continue
          assert.deepEqual(Object.keys(JSON.parse(body)), ['error'], told)
          assert.doesNotMatch(body, LEAKS, told)
        }
      }
    } finally {
      await app.close()
    }
    await assertNothingElseWritten()
  })
})
