import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import { sql } from 'kysely'
import {
  type CaptchaVerifier,
  passes,
  refuses,
  startCaptchaVerifier,
} from '../../../test/captcha-verifier.ts'
import { onEveryDatabase, openPatiently } from '../../../test/databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  changeElsewhere,
  fromSomeoneNew,
  stoppedClock,
} from '../../../test/kit.ts'
import { BOOKING_SOURCES } from '../../domain/bookings/booking.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { LOCATION_TYPES } from '../../domain/event-types/location.ts'
import { isChoice, QUESTION_TYPES, type Question } from '../../domain/event-types/questions.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** An instant of January 2027: `at('12T09:00')`. The 11th is a Monday, and it is noon. */
const at = (text: string) => Date.parse(`2027-01-${text}Z`)

/** The sentences, by what they must at least say. */
const SAYS = {
  unavailable: /no longer available/i,
  duplicate: /no longer available/i,
  honeypot: /hidden field|automated/i,
  captcha: /captcha/i,
}

onEveryDatabase('POST /api/public/scheduling/…/book', ({ db, url, engine }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let verifier: CaptchaVerifier
  let hosts = 0

  interface Offered {
    readonly host: Scheduler
    readonly eventType: EventType
    readonly path: string
  }

  /** An event type of a host with nothing else to do. */
  const offer = async (given: Partial<EventType> = {}): Promise<Offered> => {
    const host = await addUser(db(), `host-${++hosts}`)
    const eventType = await addEventType(db(), host, { slug: 'talk', ...given })
    return { host, eventType, path: `/api/public/scheduling/${host.slug}/${eventType.slug}/book` }
  }
  const post = (path: string, payload: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    app.inject({
      method: 'POST',
      url: path,
      headers: { ...fromSomeoneNew(), 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
  const book = ({ path, eventType }: Offered, startsAt: number, given: Record<string, unknown> = {}) =>
    post(path, bookingOf(eventType, startsAt, given))

  const rowsOf = ({ eventType }: Offered) =>
    db().selectFrom('bookings').selectAll().where('event_type_id', '=', eventType.id).execute()
  const claimsOf = ({ eventType }: Offered) =>
    db().selectFrom('claims').selectAll().where('event_type_id', '=', eventType.id).execute()
  const countRows = async () => {
    const tables = ['bookings', 'claims', 'idempotency_keys', 'used_solutions'] as const
    return Promise.all(
      tables.map(async (table) => (await db().selectFrom(table).selectAll().execute()).length),
    )
  }

  const assertBooked = (reply: Reply) => {
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  /** Refused with that status, one sentence, and without a trace. */
  const assertRefused = async (request: () => Promise<Reply>, status: number, says: RegExp) => {
    const rows = await countRows()
    const reply = await request()
    assert.equal(reply.statusCode, status, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, says)
    assert.deepEqual(await countRows(), rows, 'something was written')
  }

  before(async () => {
    verifier = await startCaptchaVerifier()
    const turnstile = { siteKey: 'site', secret: 'secret', verifyUrl: verifier.url }
    const captcha = { altchaSecret: 'altcha-secret-of-the-tests', services: { turnstile } }
    app = (await appOn(db(), { now: clock.now, captcha })).app
  })
  after(() => verifier.close())

  // The answer

  it('answers 201 with the booking: these fields, all of them text, and no others', async () => {
    const offered = await offer({ location: { type: 'Phone', value: '+1 212 555 0100' } })
    const reply = await book(offered, at('12T09:00'), {
      inviteeName: 'Grace Guest',
      inviteeEmail: 'Grace@Guests.example',
      inviteePhone: '+49 30 901820',
      inviteeTimezone: 'Asia/Tokyo',
      inviteeNotes: 'Between us.',
      inviteeLocale: 'de',
      customFields: { secret: 'kept' },
    })
    const { id, ...rest } = assertBooked(reply)
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    assert.deepEqual(rest, {
      eventTypeId: offered.eventType.id,
      status: 'Confirmed',
      startTime: '2027-01-12T09:00:00Z',
      endTime: '2027-01-12T09:30:00Z',
      invitee: {
        name: 'Grace Guest',
        email: 'Grace@Guests.example',
        phone: '+49 30 901820',
        timezone: 'Asia/Tokyo',
      },
      location: { type: 'Phone', value: '+1 212 555 0100' },
      createdAt: '2027-01-11T12:00:00Z',
    })
    assert.deepEqual(
      (await rowsOf(offered)).map((row) => row.id),
      [id],
    )
  })

  it('has an empty text where there is nothing to say, never null', async () => {
    const offered = await offer({ location: { type: 'InPerson', value: '' } })
    const { invitee, location } = assertBooked(await book(offered, at('12T09:00')))
    assert.equal(invitee.phone, '')
    assert.deepEqual(location, { type: 'InPerson', value: '' })
  })

  it('tells the location of each type', async () => {
    for (const type of LOCATION_TYPES) {
      const location = { type, value: 'https://place.example/' }
      assert.deepEqual(assertBooked(await book(await offer({ location }), at('12T09:00'))).location, location)
    }
  })

  it('writes one booking and takes the host’s time once', async () => {
    const offered = await offer()
    const [bookings = 0, claims = 0] = await countRows()
    assertBooked(await book(offered, at('12T09:00')))
    const [bookingsNow, claimsNow] = await countRows()
    assert.deepEqual([bookingsNow, claimsNow], [bookings + 1, claims + 1])
  })

  it('tells the link of a meeting only once it is agreed on', async () => {
    const location = { type: 'Video', value: 'https://meet.example/room' } as const
    const waiting = assertBooked(
      await book(await offer({ location, requiresApproval: true }), at('12T09:00')),
    )
    assert.deepEqual(waiting.location, { type: 'Video', value: '' })
  })

  it('confirms at once, or waits for approval where the host wants that', async () => {
    const waiting = await offer({ requiresApproval: true })
    assert.equal(assertBooked(await book(waiting, at('12T09:00'))).status, 'PendingApproval')
    assert.equal((await rowsOf(waiting))[0]?.status, 'PendingApproval')
    assert.equal(assertBooked(await book(await offer(), at('12T09:00'))).status, 'Confirmed')
  })

  it('holds the slot of a booking that waits for approval', async () => {
    const waiting = await offer({ requiresApproval: true })
    assertBooked(await book(waiting, at('12T09:00')))
    await assertRefused(() => book(waiting, at('12T09:00')), 400, SAYS.unavailable)
    const listing = await app.inject({
      url: waiting.path.replace(/book$/, 'slots?dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'),
    })
    assert.equal(listing.json()[0].slots[0].startTime, '2027-01-12T09:30:00Z')
  })

  it('takes a listed slot unchanged', async () => {
    const offered = await offer({ durationMinutes: 45, intervalMinutes: 20 })
    const listing = await app.inject({
      url: offered.path.replace(
        /book$/,
        'slots?dateFrom=2027-01-13&dateTo=2027-01-13&timezone=Asia/Kathmandu',
      ),
    })
    const { startTime, endTime } = listing.json()[0].slots.at(-1)
    const booking = assertBooked(
      await post(offered.path, { ...bookingOf(offered.eventType, 0), startTime, endTime }),
    )
    assert.deepEqual([booking.startTime, booking.endTime], [startTime, endTime])
  })

  it('books a hidden event type for those who know its address', async () => {
    assertBooked(await book(await offer({ hidden: true }), at('12T09:00')))
  })

  // Unknown addresses

  it('answers 404 for a user or event type that is not there', async () => {
    const { host, eventType } = await offer()
    for (const path of [
      `nobody/${eventType.slug}`,
      `${host.slug}/nothing`,
      'nobody/nothing',
      `${host.slug}/%00`,
      `${host.slug}/TALK`,
    ]) {
      const request = () => post(`/api/public/scheduling/${path}/book`, bookingOf(eventType, at('12T09:00')))
      await assertRefused(request, 404, /\S/)
    }
  })

  // The order of checks

  it('checks in the order: limit, existence, shape, honeypot, CAPTCHA, blocklist, duplicate, slot', async () => {
    const offered = await offer()
    const taken = at('12T09:00')
    const began = clock.now()
    assertBooked(await book(offered, taken, { inviteeEmail: 'evil@spam.example' }))
    assertBooked(await book(offered, at('12T11:00')))
    const abuse = {
      ...offered.eventType.abuse,
      honeypot: true,
      captcha: 'turnstile',
      blocklist: ['spam.example'],
    }
    const configure = async (change: object) => {
      await changeElsewhere(db(), offered.eventType.schedulerId, (trx) =>
        trx
          .updateTable('event_types')
          .set({ abuse: JSON.stringify({ ...abuse, ...change }) })
          .where('id', '=', offered.eventType.id)
          .execute(),
      )
      // What changed behind the service's back is seen within a second.
      clock.moveTo(clock.now() + 1000)
    }
    await configure({})
    verifier.answer(refuses)
    const wrong = bookingOf(offered.eventType, taken, {
      inviteeName: '',
      inviteeEmail: 'evil@spam.example',
      honeypotValue: 'filled',
      captchaToken: 'wrong',
    })

    const crowded = fromSomeoneNew()
    const elsewhere = '/api/public/scheduling/nobody/nothing/book'
    for (let i = 0; i < 15; i++) await post(elsewhere, wrong, crowded)
    await assertRefused(() => post(elsewhere, '{ not JSON', crowded), 429, /\S/)
    await assertRefused(() => post(offered.path, wrong, crowded), 429, /\S/)

    await assertRefused(() => post(elsewhere, '{ not JSON'), 404, /\S/)
    await assertRefused(() => post(elsewhere, wrong), 404, /\S/)

    await assertRefused(() => post(offered.path, { ...wrong, source: 5 }), 400, /source/)
    await assertRefused(() => post(offered.path, wrong), 400, /inviteeName/)

    const shaped = { ...wrong, inviteeName: 'Evil Guest' }
    await assertRefused(() => post(offered.path, shaped), 400, SAYS.honeypot)
    assert.equal(
      verifier.asked.length,
      0,
      'the verifier is not asked about a request that has failed already',
    )

    const honest = { ...shaped, honeypotValue: '' }
    await assertRefused(() => post(offered.path, honest), 400, SAYS.captcha)
    assert.equal(verifier.asked.length, 1)

    verifier.answer(passes)
    const rows = await countRows()
    const blocked = await post(offered.path, honest)
    assert.equal(blocked.statusCode, 400)
    assert.doesNotMatch(blocked.body, /captcha|already|available|block|list|spam/i)
    assert.deepEqual(await countRows(), rows)

    await configure({ blocklist: [] })
    await assertRefused(() => post(offered.path, honest), 400, SAYS.duplicate)
    await assertRefused(
      () => post(offered.path, { ...honest, inviteeEmail: 'good@guests.example' }),
      400,
      SAYS.unavailable,
    )
    assertBooked(await post(offered.path, { ...honest, ...times(offered.eventType, at('12T09:30')) }))
    clock.moveTo(began)
  })

  const times = ({ durationMinutes }: EventType, startsAt: number) => ({
    startTime: new Date(startsAt).toISOString(),
    endTime: new Date(startsAt + durationMinutes * 60_000).toISOString(),
  })

  // The shape of the body

  it('wants every required field, and names the one that is missing', async () => {
    const offered = await offer()
    for (const field of ['startTime', 'endTime', 'inviteeName', 'inviteeEmail', 'inviteeTimezone']) {
      const { [field]: _, ...rest } = bookingOf(offered.eventType, at('12T09:00')) as Record<string, unknown>
      await assertRefused(() => post(offered.path, rest), 400, new RegExp(`\\b${field}\\b`))
      await assertRefused(
        () => post(offered.path, { ...rest, [field]: '' }),
        400,
        new RegExp(`\\b${field}\\b`),
      )
    }
  })

  it('wants every field to be of its type, and names the one that is not', async () => {
    const offered = await offer()
    const texts = [
      'startTime',
      'endTime',
      'inviteeName',
      'inviteeEmail',
      'inviteePhone',
      'inviteeTimezone',
      'inviteeLocale',
      'inviteeNotes',
      'source',
      'honeypotValue',
      'captchaToken',
    ]
    for (const field of texts) {
      for (const value of [5, true, null, [], {}, ['a']]) {
        const request = () => book(offered, at('12T09:00'), { [field]: value })
        await assertRefused(request, 400, new RegExp(`\\b${field}\\b`))
      }
    }
    for (const value of [5, true, null, [], 'text']) {
      await assertRefused(() => book(offered, at('12T09:00'), { customFields: value }), 400, /customFields/)
    }
  })

  it('refuses a body that is not an object', async () => {
    const offered = await offer()
    for (const body of ['null', '5', '"text"', '[]', '[{}]', 'true']) {
      await assertRefused(() => post(offered.path, body), 400, /\S/)
    }
  })

  it('limits the length of every text', async () => {
    const offered = await offer()
    const most = { inviteeName: 200, inviteeNotes: 5000 }
    for (const [i, [field, length]] of Object.entries(most).entries()) {
      const request = () => book(offered, at('12T09:00'), { [field]: 'a'.repeat(length + 1) })
      await assertRefused(request, 400, new RegExp(field))
      assertBooked(await book(offered, at('12T10:00') + i * HOUR, { [field]: 'a'.repeat(length) }))
    }
    for (const field of [
      'inviteeEmail',
      'inviteePhone',
      'inviteeTimezone',
      'inviteeLocale',
      'startTime',
      'endTime',
      'captchaToken',
    ]) {
      const request = () => book(offered, at('12T09:00'), { [field]: '1'.repeat(30_000) })
      await assertRefused(request, 400, new RegExp(field))
    }
  })

  it('refuses names, addresses, numbers, zones and languages that are none', async () => {
    const offered = await offer()
    const misfits: Record<string, string[]> = {
      inviteeName: [' ', 'Grace\nGuest', 'Grace\u0007'],
      inviteeEmail: [
        'grace',
        'grace@',
        'grace@guests',
        'a b@guests.example',
        'a@b.example\r\nBcc: c@d.example',
        'Grace <a@b.example>',
      ],
      inviteePhone: ['call me', '1'],
      inviteeTimezone: ['Berlin', '+01:00', 'Mars/Olympus'],
      inviteeLocale: ['x', 'german', 'de_', 'de DE'],
      inviteeNotes: ['\u0000', '\u001b[2J'],
    }
    for (const [field, values] of Object.entries(misfits)) {
      for (const value of values) {
        const request = () => book(offered, at('12T09:00'), { [field]: value })
        await assertRefused(request, 400, field === 'inviteeNotes' ? /\S/ : new RegExp(field))
      }
    }
  })

  it('keeps the guest’s language and notes', async () => {
    const offered = await offer()
    assertBooked(
      await book(offered, at('12T09:00'), { inviteeLocale: 'pt-BR', inviteeNotes: 'Zeile\n\u{1f600}' }),
    )
    const [row] = await rowsOf(offered)
    assert.deepEqual([row?.invitee_locale, row?.notes], ['pt-BR', 'Zeile\n\u{1f600}'])
  })

  it('refuses an end that does not belong to the start', async () => {
    const offered = await offer()
    for (const endTime of [
      '2027-01-12T09:00:00Z',
      '2027-01-12T08:30:00Z',
      '2027-01-12T09:29:00Z',
      '2027-01-12T10:00:00Z',
      '2027-01-13T09:30:00Z',
    ]) {
      await assertRefused(() => book(offered, at('12T09:00'), { endTime }), 400, /endTime/)
    }
  })

  it('takes every spelling of an instant that says it is UTC, and answers in one', async () => {
    const offered = await offer()
    const spellings = [
      (time: string) => `2027-01-12T${time}:00Z`,
      (time: string) => `2027-01-12T${time}Z`,
      (time: string) => `2027-01-12T${time}:00.000Z`,
      (time: string) => `2027-01-12T${time}:00.000000Z`,
      (time: string) => `2027-01-12t${time}:00z`,
      (time: string) => `2027-01-12T${time}:00+00:00`,
      (time: string) => `2027-01-12T${time}:00.0+00:00`,
    ]
    for (const [i, spell] of spellings.entries()) {
      const [start, end] = [`${9 + i}:00`, `${9 + i}:30`].map((time) => time.padStart(5, '0')) as [
        string,
        string,
      ]
      const reply = await book(offered, 0, { startTime: spell(start), endTime: spell(end) })
      const { startTime, endTime } = assertBooked(reply)
      assert.deepEqual([startTime, endTime], [`2027-01-12T${start}:00Z`, `2027-01-12T${end}:00Z`])
    }
  })

  it('refuses every other spelling', async () => {
    const offered = await offer()
    for (const startTime of [
      '2027-01-12T09:00:00',
      '2027-01-12T09:00',
      '2027-01-12',
      '2027-01-12T10:00:00+01:00',
      '2027-01-12T09:00:00-00:30',
      '2027-02-30T09:00:00Z',
      '2027-01-32T09:00:00Z',
      '2027-01-12T24:30:00Z',
      '2027-01-12T09:61:00Z',
      'Tue, 12 Jan 2027 09:00:00 GMT',
      '1799744400',
      'now',
      '999999-01-01T00:00:00Z',
    ]) {
      await assertRefused(() => book(offered, at('12T09:00'), { startTime }), 400, /startTime/)
    }
  })

  it('never rounds an instant into a slot', async () => {
    const offered = await offer()
    for (const fraction of ['.5', '.001', '.0001', '.000000001', '.999999999']) {
      const [startTime, endTime] = ['00', '30'].map((minute) => `2027-01-12T09:${minute}:00${fraction}Z`)
      await assertRefused(() => book(offered, 0, { startTime, endTime }), 400, SAYS.unavailable)
    }
  })

  it('knows where a booking came from: the API, unless it says otherwise', async () => {
    const offered = await offer()
    assertBooked(await book(offered, at('12T09:00')))
    for (const [i, source] of BOOKING_SOURCES.entries()) {
      assertBooked(await book(offered, at('12T10:00') + i * HOUR, { source }))
    }
    const sources = (await rowsOf(offered)).sort((a, b) => a.starts_at - b.starts_at).map((row) => row.source)
    assert.deepEqual(sources, ['API', ...BOOKING_SOURCES])
    for (const source of ['', 'api', 'Phone']) {
      await assertRefused(() => book(offered, at('12T14:00'), { source }), 400, /source/)
    }
  })

  it('ignores fields it does not know, and those that are not the guest’s to set', async () => {
    const offered = await offer({ requiresApproval: true })
    const reply = await book(offered, at('12T09:00'), {
      id: 'mine',
      status: 'Confirmed',
      createdAt: '1999-01-01T00:00:00Z',
      eventTypeId: 'other',
      hostId: 'other',
      location: { type: 'Link', value: 'https://evil.example' },
      whatever: [{ deep: true }],
      constructor: { name: 'x' },
    })
    const booking = assertBooked(reply)
    assert.notEqual(booking.id, 'mine')
    assert.equal(booking.eventTypeId, offered.eventType.id)
    assert.equal(booking.status, 'PendingApproval')
    assert.deepEqual(booking.location, { type: offered.eventType.location.type, value: '' })
    assert.equal(Date.parse(booking.createdAt), clock.now())
  })

  // Custom fields

  const ANSWERS: Record<Question['type'], { fits: unknown; misfits: unknown }> = {
    text: { fits: 'A line', misfits: 'two\nlines' },
    textarea: { fits: 'two\nlines', misfits: 7 },
    select: { fits: 'Tea', misfits: 'Water' },
    radio: { fits: 'Tea', misfits: 'Water' },
    multiselect: { fits: ['Tea', 'Coffee'], misfits: 'Tea' },
    checkbox: { fits: true, misfits: 'yes' },
    number: { fits: 3.5, misfits: 'three' },
    phone: { fits: '+49 30 901820', misfits: 'call me' },
    email: { fits: 'else@guests.example', misfits: 'else' },
    url: { fits: 'https://guests.example/me', misfits: 'javascript:alert(1)' },
  }
  const questions = (required: boolean): Question[] =>
    QUESTION_TYPES.map((type) => ({
      key: `my-${type}`,
      label: `Your ${type}?`,
      type,
      required,
      options: isChoice(type) ? ['Tea', 'Coffee'] : [],
    }))
  const fitting = Object.fromEntries(QUESTION_TYPES.map((type) => [`my-${type}`, ANSWERS[type].fits]))

  it('keeps answers to questions of every type, and to unknown ones', async () => {
    const offered = await offer({ questions: questions(true) })
    const customFields = {
      ...fitting,
      utm_source: 'news',
      unknown: { deep: [1, null, 'ü'] },
      toString: 'x',
      '': 'y',
    }
    assertBooked(await book(offered, at('12T09:00'), { customFields }))
    const [row] = await rowsOf(offered)
    assert.deepEqual(JSON.parse(row?.custom_fields ?? ''), customFields)
  })

  it('names the label of an answer that does not fit, or is missing', async () => {
    const [strict, lenient] = [
      await offer({ questions: questions(true) }),
      await offer({ questions: questions(false) }),
    ]
    for (const type of QUESTION_TYPES) {
      const label = new RegExp(`"Your ${type}\\?"`)
      const wrong = { ...fitting, [`my-${type}`]: ANSWERS[type].misfits }
      const { [`my-${type}`]: _, ...missing } = fitting
      for (const offered of [strict, lenient]) {
        await assertRefused(() => book(offered, at('12T09:00'), { customFields: wrong }), 400, label)
      }
      await assertRefused(() => book(strict, at('12T09:00'), { customFields: missing }), 400, label)
    }
    await assertRefused(() => book(strict, at('12T09:00')), 400, /"Your text\?"/)
    assertBooked(await book(lenient, at('12T09:00')))
  })

  // Rules that a direct request cannot get around

  it('refuses times that are not slots: off the grid, out of hours, on a day off, in the past', async () => {
    const offered = await offer()
    for (const time of [
      '12T09:10',
      '12T09:15',
      '12T08:30',
      '12T17:00',
      '12T16:45',
      '16T10:00',
      '11T11:30',
      '04T10:00',
    ]) {
      await assertRefused(() => book(offered, at(time)), 400, SAYS.unavailable)
    }
    for (const startTime of [
      '1970-01-01T09:00:00Z',
      '9999-12-30T09:00:00Z',
      '-271821-04-20T00:00:00Z',
      '+275760-09-12T23:00:00Z',
    ]) {
      const endTime = Temporal.Instant.from(startTime).add({ minutes: 30 }).toString()
      await assertRefused(() => book(offered, 0, { startTime, endTime }), 400, SAYS.unavailable)
    }
  })

  it('holds the minimum notice to the minute', async () => {
    const offered = await offer({ noticeMinutes: 24 * 60 })
    await assertRefused(() => book(offered, at('12T11:30')), 400, SAYS.unavailable)
    assertBooked(await book(offered, at('12T12:00')))
  })

  it('holds the booking window, rolling or fixed', async () => {
    const rolling = await offer({ window: { kind: 'rolling', days: 1 } })
    await assertRefused(() => book(rolling, at('13T09:00')), 400, SAYS.unavailable)
    assertBooked(await book(rolling, at('12T16:30')))
    const business = await offer({ window: { kind: 'rolling', days: 5, businessDays: true } })
    await assertRefused(() => book(business, at('19T09:00')), 400, SAYS.unavailable)
    assertBooked(await book(business, at('18T16:30')))
    const fixed = await offer({ window: { kind: 'fixed', from: '2027-01-13', to: '2027-01-14' } })
    await assertRefused(() => book(fixed, at('12T16:30')), 400, SAYS.unavailable)
    await assertRefused(() => book(fixed, at('15T09:00')), 400, SAYS.unavailable)
    assertBooked(await book(fixed, at('13T09:00')))
    assertBooked(await book(fixed, at('14T16:30')))
  })

  it('holds limits per day, week and month', async () => {
    const none = { day: null, week: null, month: null }
    const cases = [
      { limits: { ...none, day: 1 }, full: '12T15:00', free: '13T09:00' },
      { limits: { ...none, week: 1 }, full: '15T15:00', free: '18T09:00' },
      { limits: { ...none, month: 1 }, full: '29T15:00', free: '32T09:00' },
    ]
    for (const { limits, full, free } of cases) {
      const offered = await offer({ limits })
      const later = free.startsWith('32') ? Date.parse('2027-02-01T09:00Z') : at(free)
      assertBooked(await book(offered, at('12T09:00')))
      await assertRefused(() => book(offered, at(full)), 400, SAYS.unavailable)
      assertBooked(await book(offered, later))
    }
  })

  it('holds limits per year and of minutes against guests who come at once', async () => {
    const none = { day: null, week: null, month: null }
    for (const limit of [{ limits: { ...none, year: 2 } }, { limitMinutes: { ...none, year: 75 } }]) {
      const offered = await offer({ ...limit, window: { kind: 'unlimited' } })
      const replies = await Promise.all(
        ['12T09:00', '13T10:00', '14T11:00', '19T12:00', '26T13:00'].map((time) => book(offered, at(time))),
      )
      const statuses = replies.map(({ statusCode }) => statusCode).sort()
      assert.deepEqual(statuses, [201, 201, 400, 400, 400])
      const days = 'slots?dateFrom=2027-01-11&dateTo=2027-01-31&timezone=UTC'
      assert.deepEqual((await app.inject({ url: offered.path.replace(/book$/, days) })).json(), [])
      await assertRefused(() => book(offered, Date.parse('2027-12-31T09:00Z')), 400, SAYS.unavailable)
      assertBooked(await book(offered, Date.parse('2028-01-03T09:00Z')))
    }
  })

  it('holds the buffers on both sides of a meeting', async () => {
    const offered = await offer({ bufferBeforeMinutes: 15, bufferAfterMinutes: 15 })
    assertBooked(await book(offered, at('12T12:00')))
    for (const time of ['12T11:30', '12T12:30'])
      await assertRefused(() => book(offered, at(time)), 400, SAYS.unavailable)
    for (const time of ['12T11:00', '12T13:00']) assertBooked(await book(offered, at(time)))
  })

  it('gives a host’s time to one event type only', async () => {
    const offered = await offer()
    const longer = await addEventType(db(), offered.host, { slug: 'longer', durationMinutes: 60 })
    assertBooked(await book(offered, at('12T09:30')))
    const path = offered.path.replace('/talk/', '/longer/')
    await assertRefused(() => post(path, bookingOf(longer, at('12T09:00'))), 400, SAYS.unavailable)
    assertBooked(await post(path, bookingOf(longer, at('12T10:00'))))
  })

  it('fills every seat of a slot, and not one more', async () => {
    const offered = await offer({ seats: 3 })
    for (let i = 0; i < 3; i++) assertBooked(await book(offered, at('12T09:00')))
    await assertRefused(() => book(offered, at('12T09:00')), 400, SAYS.unavailable)
    const rows = await rowsOf(offered)
    assert.deepEqual(rows.map((row) => row.seat).sort(), [1, 2, 3])
    assert.equal(new Set(rows.map((row) => row.meeting_id)).size, 1)
    assert.equal((await claimsOf(offered)).length, 1)
  })

  const team = async (assignment: EventType['assignment']): Promise<Offered & { members: Scheduler[] }> => {
    const members = [await addUser(db(), `host-${++hosts}`), await addUser(db(), `host-${++hosts}`)]
    const host = await addTeam(db(), `team-${++hosts}`)
    const fixed = assignment === 'collective'
    const eventType = await addEventType(
      db(),
      host,
      { slug: 'talk', assignment },
      members.map(({ id }) => ({ hostId: id, fixed })),
    )
    return { host, eventType, members, path: `/api/public/scheduling/${host.slug}/talk/book` }
  }

  it('gives the meetings of a round-robin to its hosts in turn', async () => {
    const offered = await team('round-robin')
    const ids = offered.members.map(({ id }) => id).sort()
    for (const time of ['12T09:00', '12T10:00', '12T11:00', '12T12:00'])
      assertBooked(await book(offered, at(time)))
    const given = (await rowsOf(offered)).sort((a, b) => a.starts_at - b.starts_at).map((row) => row.host_id)
    assert.deepEqual(given.slice(0, 2).sort(), ids)
    assert.deepEqual(given.slice(2, 4).sort(), ids)
    assertBooked(await book(offered, at('12T09:00')))
    await assertRefused(() => book(offered, at('12T09:00')), 400, SAYS.unavailable)
  })

  it('takes the time of every host of a collective meeting, or of none', async () => {
    const offered = await team('collective')
    assertBooked(await book(offered, at('12T09:00')))
    const claimed = (await claimsOf(offered)).map((claim) => claim.host_id)
    assert.deepEqual(claimed.sort(), offered.members.map(({ id }) => id).sort())
    await assertRefused(() => book(offered, at('12T09:00')), 400, SAYS.unavailable)

    const [, member] = offered.members as [Scheduler, Scheduler]
    const own = await addEventType(db(), member, { slug: 'own' })
    assertBooked(await post(`/api/public/scheduling/${member.slug}/own/book`, bookingOf(own, at('12T10:00'))))
    await assertRefused(() => book(offered, at('12T10:00')), 400, SAYS.unavailable)
  })

  // Idempotency-Key

  const keyed = (offered: Offered, key: string, body: object) =>
    post(offered.path, body, { 'idempotency-key': key })

  it('answers a repeated key and body as it did the first time, and books once', async () => {
    const offered = await offer()
    const body = bookingOf(offered.eventType, at('12T09:00'), { customFields: { a: 1 } })
    const first = assertBooked(await keyed(offered, 'retry-1', body))
    for (let i = 0; i < 3; i++) assert.deepEqual(assertBooked(await keyed(offered, 'retry-1', body)), first)
    assert.equal((await rowsOf(offered)).length, 1)
  })

  it('books once for one key, also when the repeats overtake each other', async () => {
    const offered = await offer()
    const body = bookingOf(offered.eventType, at('12T09:00'))
    const replies = await Promise.all(Array.from({ length: 10 }, () => keyed(offered, 'rush', body)))
    const ids = new Set(replies.map((reply) => assertBooked(reply).id))
    assert.equal(ids.size, 1)
    assert.equal((await rowsOf(offered)).length, 1)
  })

  it('repeats a refusal, too, even when the slot has become free', async () => {
    const offered = await offer()
    assertBooked(await book(offered, at('12T09:00')))
    const body = bookingOf(offered.eventType, at('12T09:00'))
    const refused = await keyed(offered, 'late', body)
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, SAYS.unavailable)
    await db().deleteFrom('bookings').where('event_type_id', '=', offered.eventType.id).execute()
    await db().deleteFrom('claims').where('event_type_id', '=', offered.eventType.id).execute()
    const again = await keyed(offered, 'late', body)
    assert.deepEqual([again.statusCode, again.body], [refused.statusCode, refused.body])
    assert.deepEqual(await rowsOf(offered), [])
    assertBooked(await keyed(offered, 'another', body))
  })

  it('refuses a known key with another body', async () => {
    const offered = await offer()
    const body = bookingOf(offered.eventType, at('12T09:00'))
    assertBooked(await keyed(offered, 'used', body))
    for (const other of [
      { ...body, inviteeName: 'Someone Else' },
      bookingOf(offered.eventType, at('12T10:00')),
      { ...body, inviteeNotes: '' },
    ]) {
      await assertRefused(() => keyed(offered, 'used', other), 400, /Idempotency-Key/)
    }
  })

  it('knows a key for 24 hours', async () => {
    const offered = await offer()
    const body = bookingOf(offered.eventType, at('13T09:00'))
    const firstAt = clock.now()
    const first = assertBooked(await keyed(offered, 'daily', body))
    clock.moveTo(firstAt + DAY - 1)
    assert.deepEqual(assertBooked(await keyed(offered, 'daily', body)), first)
    clock.moveTo(firstAt + DAY)
    assertBooked(await keyed(offered, 'daily', bookingOf(offered.eventType, at('13T10:00'))))
    assert.equal((await rowsOf(offered)).length, 2)
    clock.moveTo(firstAt)
  })

  it('keeps the keys of event types apart', async () => {
    const [one, other] = [await offer(), await offer()]
    assertBooked(await keyed(one, 'shared', bookingOf(one.eventType, at('12T09:00'))))
    assertBooked(await keyed(other, 'shared', bookingOf(other.eventType, at('12T10:00'))))
    assert.deepEqual([(await rowsOf(one)).length, (await rowsOf(other)).length], [1, 1])
  })

  it('refuses a key that is empty, too long or not visible ASCII', async () => {
    const offered = await offer()
    const body = bookingOf(offered.eventType, at('12T09:00'))
    for (const key of ['', 'a b', 'a\tb', 'é', 'a'.repeat(256)]) {
      await assertRefused(() => keyed(offered, key, body), 400, /Idempotency-Key/)
    }
    assertBooked(await keyed(offered, `!${'~'.repeat(254)}`, body))
  })

  it('remembers nothing about a body that it could not understand', async () => {
    const offered = await offer()
    const body = bookingOf(offered.eventType, at('12T09:00'))
    await assertRefused(() => keyed(offered, 'typo', { ...body, inviteeEmail: 'typo' }), 400, /inviteeEmail/)
    assertBooked(await keyed(offered, 'typo', body))
  })

  // SQLite lets one transaction write at a time, so no other can come between.
  if (engine === 'postgres') {
    it('returns the answer that another instance gave to the same key in between', async () => {
      const offered = await offer()
      const other = openPatiently(url(), { poolSize: 1 })
      const waits = async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db())
        return rows[0]?.count === 1
      }
      try {
        const pending = await other.transaction().execute(async (trx) => {
          await trx
            .insertInto('idempotency_keys')
            .values({
              event_type_id: offered.eventType.id,
              key: 'contested',
              body_hash: 'of another body',
              answer: '{"problem":{"code":"slot_unavailable","message":"Taken."}}',
              expires_at: clock.now() + DAY,
            })
            .execute()
          const reply = keyed(offered, 'contested', bookingOf(offered.eventType, at('12T09:00')))
          while (!(await waits())) await new Promise(setImmediate)
          return { reply }
        })
        const reply = await pending.reply
        assert.equal(reply.statusCode, 400, reply.body)
        assert.match(reply.json().error, /Idempotency-Key/)
        assert.deepEqual(await rowsOf(offered), [])
      } finally {
        await other.destroy()
      }
    })
  }
})
