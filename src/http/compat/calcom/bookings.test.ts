import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type Calcom, startCalcom } from '../../../../test/compat/calcom.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { signInWithToken } from '../../../../test/host-api.ts'
import { eraseGuest } from '../../../services/workspace/erasure/erase.ts'

const V = '2024-08-13'
const ABUSE = { honeypot: false, captcha: '', blocklist: [], detectDuplicates: true, rateLimit: null }

onEveryDatabase('bookings by Cal.com’s API v2', ({ db }) => {
  let calcom: Calcom
  before(async () => {
    calcom = await startCalcom(db())
  })
  after(() => calcom.close())

  let guests = 0
  const request = (number: number, start: string, given: object = {}) => ({
    eventTypeId: number,
    start,
    attendee: { name: 'Grace Guest', email: `guest-${guests++}@guests.example`, timeZone: 'Europe/Berlin' },
    ...given,
  })
  const book = (number: number, start: string, given: object = {}, token?: string) =>
    calcom.call('/bookings', {
      version: V,
      body: request(number, start, given),
      ...(token !== undefined && { token }),
    })
  const made = async (number: number, start: string, given: object = {}) => {
    const { status, body } = await book(number, start, given)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  const act = (uid: string, action: string, body: object = {}, token?: string) =>
    calcom.call(`/bookings/${uid}/${action}`, { version: V, body, ...(token !== undefined && { token }) })

  it('are refused without a CAPTCHA token, except to the owner, and to those on the blocklist', async () => {
    const { offer, host } = calcom
    const asked = await offer({ abuse: { ...ABUSE, captcha: 'altcha' } })
    const refused = await book(asked.number, '2027-01-12T09:00:00Z')
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /API token of its owner.*captchaToken/)
    const wrong = await book(asked.number, '2027-01-12T09:00:00Z', { captchaToken: 'eA==' })
    assert.equal(wrong.status, 400)
    const { app, mailbox } = calcom
    const stranger = await signInWithToken(app, mailbox, 'bob@hosts.example')
    assert.equal((await book(asked.number, '2027-01-12T09:00:00Z', {}, stranger.token)).status, 400)
    assert.equal((await book(asked.number, '2027-01-12T09:00:00Z', {}, host.token)).status, 201)
    const url = `/api/public/scheduling/${host.user.slug}/${asked.slug}/challenge`
    const challenge = (await app.inject(url)).json()
    const solution = await solveChallenge({ challenge, deriveKey })
    const captchaToken = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    assert.equal((await book(asked.number, '2027-01-12T13:00:00Z', { captchaToken })).status, 201)
    assert.equal((await book(asked.number, '2027-01-12T14:00:00Z', { captchaToken })).status, 400, 'once')

    const { number } = await offer({ abuse: { ...ABUSE, blocklist: ['spam.example'] } })
    const attendee = { name: 'Spam', email: 'a@spam.example', timeZone: 'UTC' }
    assert.equal((await book(number, '2027-01-12T10:00:00Z', { attendee })).status, 400)
    assert.equal((await book(number, '2027-01-12T10:00:00Z')).status, 201)
  })

  it('need the code that was mailed to the guest, where the event type asks for one', async () => {
    const { call, offer, host, mailbox } = calcom
    const { number } = await offer({ confirmEmail: true })
    const email = 'proven@guests.example'
    const attendee = { name: 'Grace Guest', email, timeZone: 'Europe/Berlin' }
    const refused = await book(number, '2027-01-28T09:00:00Z', { attendee })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /send-code.*emailVerificationCode/)
    const send = (body: object) =>
      call('/bookings/verification/email/send-code', { body: { email, isVerifyingEmail: true, ...body } })
    const codes = () =>
      mailbox.filter(({ to }) => to === email).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] as string)
    // As their clients ask, who name no event type: one alone asks for codes.
    const sent = await send({ username: host.user.slug, language: 'de' })
    assert.deepEqual([sent.status, sent.body], [200, { status: 'success', data: { sent: true } }])
    const [code = ''] = codes()
    const wrong = code === '000000' ? '000001' : '000000'
    const withCode = (emailVerificationCode: string) =>
      book(number, '2027-01-28T09:00:00Z', { attendee, emailVerificationCode })
    assert.equal((await withCode(wrong)).status, 400)
    const made = await withCode(code)
    assert.equal(made.status, 201, JSON.stringify(made.body))

    const second = await offer({ confirmEmail: true })
    const unclear = await send({ username: host.user.slug })
    assert.equal(unclear.status, 400)
    assert.equal(unclear.body.error.message, 'A code is for one event type: eventTypeId must name it.')
    assert.equal((await send({})).status, 400)
    assert.equal((await send({ eventTypeId: second.number })).status, 200)
    assert.equal(codes().length, 2)
    assert.equal((await send({ eventTypeId: (await offer()).number })).status, 404, 'it asks for none')
    assert.equal((await send({ eventTypeId: number, email: 'nobody' })).status, 400)
  })

  it('share the rate limit of our own way to book', async () => {
    const { call, app, host, offer } = calcom
    const { number, slug } = await offer()
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const url = `/api/public/scheduling/${host.user.slug}/${slug}/book`
    let ours = 0
    while ((await app.inject({ method: 'POST', url, headers, payload: {} })).statusCode === 400) ours++
    assert.equal(ours, 15)
    const body = request(number, '2027-01-12T11:00:00Z')
    const refused = await call('/bookings', { version: V, headers, body })
    assert.equal(refused.status, 429)
    assert.equal(refused.body.error.code, 'ThrottlerException')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  })

  it('give each guest a seat, until there are none', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer({ seats: 2 })
    const [first, second] = [
      await made(number, '2027-01-12T12:00:00Z'),
      await made(number, '2027-01-12T12:00:00Z'),
    ]
    assert.notEqual(first.seatUid, second.seatUid)
    assert.equal(first.attendees.length, 1, 'nobody learns of the others')
    assert.equal((await book(number, '2027-01-12T12:00:00Z')).status, 400)
    const cancelled = await act(first.uid, 'cancel', { seatUid: first.seatUid })
    assert.equal(cancelled.body.data.status, 'cancelled')
    assert.equal((await call(`/bookings/${second.uid}`, { version: V })).body.data.status, 'accepted')
    const listed = await call(`/bookings?eventTypeId=${number}&status=upcoming`, {
      version: V,
      token: host.token,
    })
    assert.deepEqual(
      listed.body.data.map(({ uid }: { uid: string }) => uid),
      [second.uid],
    )
  })

  it('repeat as often as is asked, and end together', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer({ series: { every: ['2 weeks'], most: 3 } })
    const all = await made(number, '2027-01-13T09:00:00Z', { recurrenceCount: 3 })
    assert.deepEqual(
      all.map(({ start }: { start: string }) => start.slice(0, 10)),
      ['2027-01-13', '2027-01-27', '2027-02-10'],
    )
    const [first] = all
    assert.ok(
      all.every((one: Record<string, string>) => one.recurringBookingUid === first.recurringBookingUid),
    )
    const listed = await call(`/bookings?eventTypeId=${number}&status=recurring`, {
      version: V,
      token: host.token,
    })
    assert.equal(listed.body.pagination.totalItems, 3)
    const tooMany = await book(number, '2027-01-13T10:00:00Z', { recurrenceCount: 4 })
    assert.equal(tooMany.status, 400)
    assert.match(tooMany.body.error.message, /recurrenceCount|series|meetings/)
    const single = await offer()
    assert.equal((await book(single.number, '2027-01-13T10:00:00Z', { recurrenceCount: 2 })).status, 400)
    assert.ok(!Array.isArray(await made(number, '2027-01-13T11:00:00Z')), 'one is no series')
    const ended = await act(first.uid, 'cancel', { cancelSubsequentBookings: true })
    assert.equal(ended.status, 200, JSON.stringify(ended.body))
    for (const { uid } of all) {
      assert.equal((await call(`/bookings/${uid}`, { version: V })).body.data.status, 'cancelled')
    }
  })

  it('take the place, length, answers and guests that are given, and only what is offered', async () => {
    const { call, offer } = calcom
    const { number } = await offer({
      durations: [30, 60],
      maxGuests: 1,
      locations: [
        { id: 'office', type: 'InPerson', value: '1 Main Street' },
        { id: 'online', type: 'Link', value: 'https://meet.example.com/room' },
        { id: 'phone', type: 'Phone', value: '' },
      ],
      questions: [{ key: 'team_size', label: 'How many?', type: 'number', required: true, options: [] }],
    })
    const answers = { team_size: 7, notes: 'Bring tea' }
    const full = await made(number, '2027-01-14T09:00:00Z', {
      lengthInMinutes: 60,
      guests: ['eve@guests.example'],
      location: { type: 'link' },
      bookingFieldsResponses: answers,
    })
    assert.equal(full.end, '2027-01-14T10:00:00.000Z')
    assert.equal(full.duration, 60)
    assert.equal(full.location, 'https://meet.example.com/room')
    assert.equal(full.description, 'Bring tea')
    assert.deepEqual(full.guests, ['eve@guests.example'])
    assert.equal(full.attendees[1].email, 'eve@guests.example')
    const { team_size, notes } = full.bookingFieldsResponses
    assert.deepEqual({ team_size, notes }, answers)
    const called = await made(number, '2027-01-14T10:00:00Z', {
      location: { type: 'attendeePhone', phone: '+4915112345678' },
      bookingFieldsResponses: answers,
    })
    assert.equal(called.attendees[0].phoneNumber, '+4915112345678')
    assert.equal(called.duration, 30)
    const refusal = async (given: object) => {
      const { status, body } = await book(number, '2027-01-14T11:00:00Z', {
        bookingFieldsResponses: answers,
        ...given,
      })
      assert.equal(status, 400, JSON.stringify(given))
      return body.error.message
    }
    assert.match(await refusal({ lengthInMinutes: 45 }), /lengthInMinutes/)
    assert.match(await refusal({ location: { type: 'integration', integration: 'zoom' } }), /location/)
    assert.match(await refusal({ guests: ['a@guests.example', 'b@guests.example'] }), /guests/i)
    assert.match(await refusal({ bookingFieldsResponses: {} }), /How many\?|team_size/)
    await refusal({ bookingFieldsResponses: { team_size: 'many' } })
    await refusal({ metadata: { key: 'x'.repeat(501) } })
    assert.equal((await call('/bookings', { version: V, body: [] })).status, 400)
  })

  it('are declined, cancelled and confirmed once', async () => {
    const { host, offer } = calcom
    const { number } = await offer({ requiresApproval: true })
    const one = await made(number, '2027-01-15T09:00:00Z')
    const declined = await act(one.uid, 'decline', { reason: 'no time' }, host.token)
    assert.equal(declined.body.data.status, 'rejected')
    assert.equal(declined.body.data.cancellationReason, 'no time')
    for (const action of ['decline', 'confirm', 'cancel']) {
      const again = await act(one.uid, action, {}, host.token)
      assert.equal(again.status, 400, action)
      assert.equal(again.body.error.code, 'BadRequestException')
    }
    const other = await made(number, '2027-01-15T10:00:00Z')
    assert.equal((await act(other.uid, 'decline')).status, 401)
    assert.equal((await act(other.uid, 'cancel', { cancellationReason: 'ill' })).status, 200)
    assert.equal((await act(other.uid, 'cancel')).status, 400)
    assert.equal((await act(other.uid, 'reschedule', { start: '2027-01-15T11:00:00Z' })).status, 400)
    assert.equal((await act(other.uid, 'confirm', {}, host.token)).status, 400)
  })

  it('are listed by pages with totals, and by cursors', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer()
    const hours = ['09', '10', '11', '12', '13']
    for (const hour of hours) await made(number, `2027-01-18T${hour}:00:00Z`)
    const as = { version: V, token: host.token }
    const hoursOf = ({ data }: { data: { start: string }[] }) => data.map(({ start }) => start.slice(11, 13))
    const page = (await call(`/bookings?eventTypeId=${number}&take=2&skip=2`, as)).body
    assert.deepEqual(hoursOf(page), ['11', '12'])
    assert.deepEqual(page.pagination, {
      totalItems: 5,
      remainingItems: 1,
      returnedItems: 2,
      itemsPerPage: 2,
      currentPage: 2,
      totalPages: 3,
      hasNextPage: true,
      hasPreviousPage: true,
    })
    const newest = (await call(`/bookings?eventTypeId=${number}&sortStart=desc&take=1`, as)).body
    assert.deepEqual(hoursOf(newest), ['13'])
    assert.equal((await call('/bookings?take=0', as)).status, 400)
    assert.equal((await call('/bookings?status=lost', as)).status, 400)
    assert.equal((await call('/bookings', { version: V })).status, 401)

    const newer = { ...as, version: '2026-05-01' }
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 4; pages++) {
      const path: string = `/bookings?eventTypeId=${number}&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const { body } = await call(path, newer)
      seen.push(...hoursOf(body))
      assert.equal(body.pagination.hasMore, body.pagination.nextCursor !== null)
      cursor = body.pagination.nextCursor
    }
    assert.equal(cursor, null)
    assert.deepEqual(seen, hours)
    assert.equal((await call('/bookings?cursor=nonsense', newer)).status, 400)
  })

  it('are made, listed and cancelled in the oldest words', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer({ durations: [30, 60] })
    const created = await call('/bookings', {
      body: {
        eventTypeId: number,
        start: '2027-01-19T09:00:00Z',
        end: '2027-01-19T10:00:00Z',
        timeZone: 'Europe/Berlin',
        language: 'de',
        responses: {
          name: { firstName: 'Grace', lastName: 'Guest' },
          email: 'oldest@guests.example',
          notes: 'Bring tea',
        },
        metadata: { order: '9' },
      },
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { data } = created.body
    assert.equal(data.status, 'ACCEPTED')
    assert.equal(data.endTime, '2027-01-19T10:00:00.000Z')
    assert.equal(data.attendees[0].name, 'Grace Guest')
    assert.equal(data.attendees[0].locale, 'de')
    assert.equal(data.responses.notes, 'Bring tea')
    assert.deepEqual(data.metadata, { order: '9' })
    const as = { token: host.token }
    const listed = await call(`/bookings?eventTypeId=${number}&limit=1`, as)
    assert.deepEqual(listed.body.data.bookings, [data])
    assert.equal(listed.body.data.nextCursor, null)
    const cancelled = await call(`/bookings/${data.uid}/cancel`, { body: { cancellationReason: 'ill' } })
    assert.equal(cancelled.status, 201)
    assert.deepEqual(cancelled.body.data, {
      bookingId: data.id,
      bookingUid: data.uid,
      onlyRemovedAttendee: false,
    })
    const after = (await call(`/bookings?eventTypeId=${number}&filters[status]=cancelled`, as)).body.data
    assert.deepEqual(
      after.bookings.map((one: Record<string, string>) => [one.status, one.cancellationReason]),
      [['CANCELLED', 'ill']],
    )
    assert.equal((await call(`/bookings/${data.uid}/reschedule`, { body: {} })).status, 404)

    const groups = (await call('/event-types', as)).body.data.eventTypeGroups
    assert.equal(groups.length, 1)
    assert.equal(groups[0].profile.slug, host.user.slug)
    const own = groups[0].eventTypes.find(({ id }: { id: number }) => id === number)
    assert.equal(own.length, 30)
    assert.equal((await call(`/event-types/${number}`, as)).body.data.eventType.id, number)
  })

  it('open with the uids that they had before they were imported', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer()
    const { uid } = await made(number, '2027-01-20T09:00:00Z')
    const id = uid.slice(0, 36)
    const [old, seat] = ['fJ5w3Qm1kYxA9vTzR2bLcD', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff']
    await db()
      .insertInto('import_uids')
      .values([
        { uid: old, booking_id: id, meeting_id: id },
        { uid: seat, booking_id: id, meeting_id: id },
        { uid: 'a-meeting-with-seats', booking_id: null, meeting_id: id },
      ])
      .execute()
    for (const known of [old, seat]) {
      assert.equal((await call(`/bookings/${known}`, { version: V })).body.data.uid, uid)
      assert.equal((await call(`/bookings/${known}`, { version: V, token: host.token })).status, 200)
    }
    for (const unknown of ['a-meeting-with-seats', old.toLowerCase(), `${old}%00`]) {
      assert.equal((await call(`/bookings/${unknown}`, { version: V })).status, 404, unknown)
      assert.equal((await call(`/bookings/${unknown}`, { version: V, token: host.token })).status, 404)
    }
    const listed = await call(`/bookings?bookingUid=${old}`, { version: V, token: host.token })
    assert.deepEqual(
      listed.body.data.map((one: { uid: string }) => one.uid),
      [uid],
    )
    const moved = await act(old, 'reschedule', { start: '2027-01-20T09:15:00Z' })
    assert.equal(moved.status, 400, 'not a listed time')
    const query = `eventTypeId=${number}&start=2027-01-20&end=2027-01-20`
    const free = await call(`/slots?${query}&bookingUidToReschedule=${old}`, { version: '2024-09-04' })
    assert.equal(
      free.body.data['2027-01-20'][0].start,
      '2027-01-20T09:00:00.000Z',
      'its own time is free for it',
    )
    assert.equal((await act(old, 'reschedule', { start: '2027-01-20T10:00:00Z' })).status, 201)
    assert.equal((await act(old, 'cancel')).body.data.status, 'cancelled')
    assert.equal((await call(`/bookings/${uid}`, { version: V })).body.data.start, '2027-01-20T10:00:00.000Z')
  })

  it('export what was stored beside them, and erase it with the guest', async () => {
    const { call, context, host, offer, session } = calcom
    const { number } = await offer()
    // Not digits alone, which ids may have, too.
    const metadata = { order: 'no. 4711', plan: 'large' }
    const { uid, attendees } = await made(number, '2027-01-21T09:00:00Z', { metadata })
    const exported = (await session.get('/me/export')).body
    assert.match(exported, /no\. 4711/)
    await eraseGuest(context, { userId: null, email: 'command line' }, attendees[0].email, 'all')
    const id = uid.slice(0, 36)
    const erased = await call(`/bookings/${id}`, { version: V, token: host.token })
    assert.deepEqual(erased.body.data.metadata, {})
    assert.doesNotMatch((await session.get('/me/export')).body, /no\. 4711/)
  })
})
