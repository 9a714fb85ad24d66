import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { changesOf } from '../../../../test/bookings.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const iso = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}Z`

onEveryDatabase('actions of hosts on bookings', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let cyd: Host
  let team: string

  before(async () => {
    const { mailbox, ...made } = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    cyd = await signIn(app, mailbox, 'cyd@hosts.example')
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew', membersSeeAll: true })).json().id
    for (const member of [bob, cyd]) {
      const invited = await ada.post(`/teams/${team}/invitations`, { email: member.user.email })
      await member.post(`/invitations/${invited.json().id}/accept`)
    }
    const type = (slug: string, more = {}) =>
      ada.post('/event-types', { slug, name: slug, durationMinutes: 30, noticeMinutes: 0, ...more })
    await type('intro')
    await type('asked', { requiresApproval: true })
    await type('ours', { teamId: team, hosts: [{ userId: bob.user.id, fixed: true }] })
  })

  async function book(page: string, startsAt: number): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${page}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), startsAt),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  async function done(
    answer: Promise<{ statusCode: number; body: string; json(): Record<string, unknown> }>,
  ) {
    const got = await answer
    assert.equal(got.statusCode, 200, got.body)
    return got.json()
  }

  it('approves and declines, with the reason kept', async () => {
    const page = `${ada.user.slug}/asked`
    const [first, second] = [await book(page, TUESDAY_NINE), await book(page, TUESDAY_NINE + HOUR)]
    const approved = await done(ada.post(`/bookings/${first}/approve`))
    assert.deepEqual([approved.status, approved.sequence, approved.reason], ['Confirmed', 1, ''])
    const declined = await done(ada.post(`/bookings/${second}/decline`, { reason: ' Not this week. ' }))
    assert.deepEqual([declined.status, declined.reason], ['Declined', 'Not this week.'])
    assert.deepEqual(await done(ada.get(`/bookings/${second}`)), declined)

    const conflict = await ada.post(`/bookings/${second}/approve`)
    assert.equal(conflict.statusCode, 409)
    assert.deepEqual(conflict.json(), { error: 'This booking has been declined.' })
    await done(ada.post(`/bookings/${second}/decline`, {}))
    assert.equal((await changesOf(db(), second)).length, 1)
    // Open again.
    await book(page, TUESDAY_NINE + HOUR)
  })

  it('undoes an answer until it is announced', async () => {
    const page = `${ada.user.slug}/asked`
    const [yes, no, lost] = [
      await book(page, TUESDAY_NINE + 24 * HOUR),
      await book(page, TUESDAY_NINE + 25 * HOUR),
      await book(page, TUESDAY_NINE + 26 * HOUR),
    ]
    const dueOf = async (id: string) =>
      (
        await db()
          .selectFrom('outbox')
          .select(['id', 'due_at'])
          .where('lane', '=', `booking:${id}`)
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow()
      ).due_at - clock.now()

    assert.equal((await done(ada.post(`/bookings/${yes}/approve`, { undoable: true }))).status, 'Confirmed')
    assert.equal(await dueOf(yes), 8000)
    const undone = await done(ada.post(`/bookings/${yes}/undo`))
    assert.deepEqual([undone.status, undone.sequence], ['PendingApproval', 2])
    assert.deepEqual(await changesOf(db(), yes), [], 'nothing is announced')
    assert.deepEqual(await done(ada.post(`/bookings/${yes}/undo`)), undone, 'repeating does nothing')
    assert.equal((await done(ada.post(`/bookings/${yes}/approve`))).status, 'Confirmed')
    assert.equal(await dueOf(yes), 0)

    const told = { undoable: true, reason: 'Not this week.' }
    await done(ada.post(`/bookings/${no}/decline`, told))
    const again = await done(ada.post(`/bookings/${no}/undo`))
    assert.deepEqual([again.status, again.reason], ['PendingApproval', ''])
    const taken = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${page}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), TUESDAY_NINE + 25 * HOUR),
    })
    assert.equal(taken.statusCode, 400, 'it has its time again')

    await done(ada.post(`/bookings/${lost}/decline`, told))
    await book(page, TUESDAY_NINE + 26 * HOUR)
    const late = await ada.post(`/bookings/${lost}/undo`)
    assert.equal(late.statusCode, 409)
    assert.match(late.json().error, /taken meanwhile/)
    assert.equal((await done(ada.get(`/bookings/${lost}`))).status, 'Declined')
    assert.equal((await changesOf(db(), lost)).length, 1)

    // As the worker leaves it.
    await db().deleteFrom('outbox').where('lane', '=', `booking:${yes}`).execute()
    const announced = await ada.post(`/bookings/${yes}/undo`)
    assert.equal(announced.statusCode, 409)
    assert.match(announced.json().error, /too late to undo/)
    const { items } = (await ada.get(`/audit?ownerId=${ada.user.id}`)).json()
    assert.equal(items.filter(({ action }: { action: string }) => action === 'undone').length, 2)
  })

  it('hands a meeting over, for its host and admins of the team', async () => {
    const made = await ada.post('/event-types', {
      slug: 'shared',
      name: 'Shared',
      durationMinutes: 30,
      noticeMinutes: 0,
      teamId: team,
      assignment: 'round-robin',
      hosts: [bob, cyd].map(({ user }) => ({ userId: user.id, fixed: false })),
    })
    assert.equal(made.statusCode, 201, made.body)
    const id = await book('crew/shared', TUESDAY_NINE + 48 * HOUR)
    const { hostId } = await done(ada.get(`/bookings/${id}`))
    const [from, to] = hostId === bob.user.id ? [bob, cyd] : [cyd, bob]
    for (const body of [{}, { hostId: to.user.id, automatic: true }, { automatic: false }]) {
      assert.equal((await from.post(`/bookings/${id}/reassign`, body)).statusCode, 400)
    }
    const stranger = await from.post(`/bookings/${id}/reassign`, { hostId: ada.user.id })
    assert.deepEqual([stranger.statusCode, stranger.headers['error-field']], [400, 'hostId'])
    assert.equal((await to.post(`/bookings/${id}/reassign`, { automatic: true })).statusCode, 403)
    assert.equal((await to.get(`/bookings/${id}/hosts`)).statusCode, 403)
    assert.deepEqual(await done(from.get(`/bookings/${id}/hosts`)), {
      hosts: [{ hostId: to.user.id, name: to.user.name, free: true, obstacle: null }],
    })
    const moved = await done(from.post(`/bookings/${id}/reassign`, { hostId: to.user.id }))
    assert.deepEqual([moved.hostId, moved.hostIds, moved.sequence], [to.user.id, [to.user.id], 1])
    assert.deepEqual(moved.assignment, {
      hostId: to.user.id,
      reason: 'manual',
      detail: 'Handed over by hand.',
    })
    // They have handed it over.
    assert.equal((await from.post(`/bookings/${id}/reassign`, { automatic: true })).statusCode, 403)
    const back = await done(ada.post(`/bookings/${id}/reassign`, { automatic: true }))
    assert.deepEqual([back.hostId, (back.assignment as { reason: string }).reason], [hostId, 'automatic'])
    assert.equal(
      (await ada.post(`/bookings/${id}/reassign`, { automatic: true }, { 'if-match': '"0"' })).statusCode,
      412,
    )
    await book('crew/shared', TUESDAY_NINE + 48 * HOUR)
    const busy = await ada.post(`/bookings/${id}/reassign`, { hostId: to.user.id })
    assert.equal(busy.statusCode, 409)
    assert.match(busy.json().error, /another meeting at this time/)
  })

  it('undoes no change but an answer to a request', async () => {
    const id = await book(`${ada.user.slug}/intro`, TUESDAY_NINE + 27 * HOUR)
    assert.equal((await ada.post(`/bookings/${id}/undo`)).statusCode, 409)
    await done(ada.post(`/bookings/${id}/cancel`))
    assert.equal((await ada.post(`/bookings/${id}/undo`)).statusCode, 409)
  })

  it('reschedules a booking, and cancels it', async () => {
    const id = await book(`${ada.user.slug}/intro`, TUESDAY_NINE + 2 * HOUR)
    const startTime = iso(TUESDAY_NINE + 3 * HOUR)
    const moved = await done(ada.post(`/bookings/${id}/reschedule`, { startTime, reason: 'A clash.' }))
    assert.deepEqual([moved.id, moved.startTime, moved.sequence], [id, startTime, 1])
    assert.equal(moved.endTime, iso(TUESDAY_NINE + 3.5 * HOUR))
    const [change] = await changesOf(db(), id)
    assert.deepEqual([change?.type, change?.by, change?.reason], ['rescheduled', 'host', 'A clash.'])
    const cancelled = await done(ada.post(`/bookings/${id}/cancel`, { reason: 'I am ill.' }))
    assert.deepEqual([cancelled.status, cancelled.reason], ['Cancelled', 'I am ill.'])
    const late = await ada.post(`/bookings/${id}/reschedule`, { startTime })
    assert.equal(late.statusCode, 409)
  })

  it('refuses malformed requests, and changes nothing', async () => {
    const id = await book(`${ada.user.slug}/intro`, TUESDAY_NINE + 4 * HOUR)
    const before = await done(ada.get(`/bookings/${id}`))
    const wrong: [string, object | undefined][] = [
      ['reschedule', undefined],
      ['reschedule', {}],
      ['reschedule', { startTime: 'tomorrow' }],
      ['reschedule', { startTime: '2027-01-12T14:00:00' }],
      ['reschedule', { startTime: iso(TUESDAY_NINE + 4 * HOUR + 60_000) }],
      ['cancel', { reason: 5 }],
      ['cancel', { reason: 'x'.repeat(1001) }],
      ['cancel', { reason: 'bell\u0007' }],
      ['decline', { reason: null }],
    ]
    for (const [action, body] of wrong) {
      const { statusCode, body: said } = await ada.post(`/bookings/${id}/${action}`, body)
      assert.equal(statusCode, 400, `${action} ${JSON.stringify(body)}: ${said}`)
    }
    assert.deepEqual(await done(ada.get(`/bookings/${id}`)), before)
    assert.deepEqual(await changesOf(db(), id), [])
    assert.equal((await ada.post('/bookings/nonsense/cancel')).statusCode, 404)
  })

  it('marks a no-show once the meeting has started', async () => {
    const id = await book(`${ada.user.slug}/intro`, TUESDAY_NINE + 5 * HOUR)
    const early = await ada.post(`/bookings/${id}/no-show`)
    assert.deepEqual([early.statusCode, early.json()], [409, { error: 'This meeting has not started yet.' }])
    clock.moveTo(TUESDAY_NINE + 5 * HOUR)
    const token = await bearerNow()
    assert.equal((await done(token.post(`/bookings/${id}/no-show`))).status, 'NoShow')
    const stale = await token.del(`/bookings/${id}/no-show`, { 'if-match': '"old"' })
    assert.equal(stale.statusCode, 412)
    for (const _ of ['once', 'again'])
      assert.equal((await token.del(`/bookings/${id}/no-show`)).statusCode, 204)
    assert.equal((await token.get(`/bookings/${id}`)).json().status, 'Confirmed')
    assert.equal((await done(token.post(`/bookings/${id}/no-show`))).status, 'NoShow')
    clock.moveTo(TUESDAY_NINE + 6 * HOUR)
    assert.equal((await token.del(`/bookings/${id}/no-show`)).statusCode, 204)
    assert.equal((await token.get(`/bookings/${id}`)).json().status, 'Completed')
    clock.moveTo(MONDAY_NOON)
    const announced = (await changesOf(db(), id)).map(({ type }) => type)
    assert.deepEqual(announced, ['no_show', 'no_show'], 'taking it back is not announced')
  })

  it('undoes a decline at the request’s own length', async () => {
    const lengths = { durationMinutes: 30, durations: [30, 50], requiresApproval: true, noticeMinutes: 0 }
    await ada.post('/event-types', { slug: 'lengths', name: 'Lengths', ...lengths })
    // The second start of 50 minutes, which is no start of 30.
    const startsAt = TUESDAY_NINE + 48 * HOUR + 50 * 60_000
    const asked = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${ada.user.slug}/lengths/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType({ durationMinutes: 50 }), startsAt),
    })
    assert.equal(asked.statusCode, 201, asked.body)
    const { id } = asked.json()
    await done(ada.post(`/bookings/${id}/decline`, { undoable: true }))
    const undone = await done(ada.post(`/bookings/${id}/undo`))
    assert.deepEqual(
      [undone.status, undone.startTime, undone.endTime],
      ['PendingApproval', iso(startsAt), iso(startsAt + 50 * 60_000)],
    )
  })

  it('does not count what hosts book as mails that strangers cause', async () => {
    const often = await ada.post('/event-types', {
      slug: 'often',
      name: 'Often',
      durationMinutes: 30,
      maxGuests: 1,
      noticeMinutes: 0,
    })
    const given = { inviteeEmail: 'often@guests.example', guests: ['brought@guests.example'] }
    const at = (n: number) => bookingOf(plainEventType(), TUESDAY_NINE + (14 * 24 + n) * HOUR, given)
    for (let n = 0; n < 6; n++) {
      const made = await ada.post('/bookings', { ...at(n), eventTypeId: often.json().id })
      assert.equal(made.statusCode, 201, made.body)
      assert.deepEqual(made.json().guests, given.guests)
    }
    const url = `/api/public/scheduling/${ada.user.slug}/often/book`
    const booked = await app.inject({ method: 'POST', url, headers: fromSomeoneNew(), payload: at(7) })
    assert.equal(booked.statusCode, 201, booked.body)
    const mailed = await db().selectFrom('added_guests').select('guest').execute()
    assert.deepEqual(mailed, [{ guest: 'brought@guests.example' }])
  })

  it('books for a guest, past notice, window, approval and CAPTCHA, but never over another meeting', async () => {
    const strict = await ada.post('/event-types', {
      slug: 'strict',
      name: 'Strict',
      durationMinutes: 30,
      durations: [30, 60],
      noticeMinutes: 2000,
      window: { kind: 'rolling', days: 2 },
      requiresApproval: true,
      abuse: {
        honeypot: true,
        captcha: 'altcha',
        blocklist: ['evil.example'],
        detectDuplicates: true,
        rateLimit: 1,
      },
    })
    const eventTypeId = strict.json().id
    const guest = (startsAt: number, more = {}) => ({
      ...bookingOf(plainEventType(), startsAt),
      eventTypeId,
      ...more,
    })
    const nextWeek = TUESDAY_NINE + 7 * 24 * HOUR
    for (const startsAt of [TUESDAY_NINE + 7.5 * HOUR, nextWeek]) {
      const made = await ada.post('/bookings', guest(startsAt))
      assert.equal(made.statusCode, 201, made.body)
      const { id, status, source, startTime, ownerId } = made.json()
      assert.deepEqual(
        [status, source, startTime, ownerId],
        ['Confirmed', 'Host', iso(startsAt), ada.user.id],
      )
      assert.equal((await ada.get(`/bookings/${id}`)).headers.etag, made.headers.etag)
      const job = await db()
        .selectFrom('outbox')
        .select('data')
        .where('lane', '=', `booking:${id}`)
        .executeTakeFirstOrThrow()
      assert.deepEqual([JSON.parse(job.data).type, JSON.parse(job.data).by], ['created', 'host'])
      const { items } = (await ada.get('/audit')).json()
      assert.ok(
        items.some((entry: Record<string, unknown>) => entry.objectId === id && entry.action === 'created'),
      )
    }
    const hour = { endTime: iso(nextWeek + 2 * HOUR) }
    assert.equal((await ada.post('/bookings', guest(nextWeek + HOUR, hour))).statusCode, 201)
    for (const [wrong, field, sentence] of [
      [guest(nextWeek), undefined, /no longer available/],
      [guest(nextWeek + 1.5 * HOUR), undefined, /no longer available/],
      [guest(nextWeek - 8 * HOUR), undefined, /no longer available/],
      [guest(nextWeek + 4 * HOUR, { endTime: iso(nextWeek + 4.75 * HOUR) }), 'endTime', /30 or 60 minutes/],
      [guest(nextWeek + 4 * HOUR, { inviteeEmail: 'a@evil.example' }), 'inviteeEmail', /blocked/],
      [guest(nextWeek + 4 * HOUR, { inviteeName: ' ' }), 'inviteeName', /^The guest’s name is required/],
    ] as const) {
      const refused = await ada.post('/bookings', wrong)
      assert.equal(refused.statusCode, 400, refused.body)
      assert.match(refused.json().error, sentence)
      assert.equal(refused.headers['error-field'], field)
    }
    assert.equal((await bob.post('/bookings', guest(nextWeek + 4 * HOUR))).statusCode, 404)
    assert.equal((await ada.post('/bookings', guest(nextWeek, { eventTypeId: 'none' }))).statusCode, 404)
    // Of a team, its hosts and admins may.
    const { items: types } = (await ada.get(`/event-types?ownerId=${team}`)).json()
    const ours = { eventTypeId: types.find(({ slug }: { slug: string }) => slug === 'ours').id }
    assert.equal((await cyd.post('/bookings', guest(nextWeek, ours))).statusCode, 403)
    assert.equal((await bob.post('/bookings', guest(nextWeek, ours))).statusCode, 201)
    assert.equal((await ada.post('/bookings', guest(nextWeek + HOUR, ours))).statusCode, 201)
  })

  /** Ada’s access token has run out by then; an API token of hers has not. */
  async function bearerNow() {
    clock.moveTo(MONDAY_NOON)
    const { token } = (await ada.post('/tokens', { name: 'Later', scopes: ['write'] })).json()
    clock.moveTo(TUESDAY_NINE + 5 * HOUR)
    return bearer(app, token)
  }

  it('lets hosts and team admins act, and other members only read', async () => {
    const [first, second] = [
      await book('crew/ours', TUESDAY_NINE),
      await book('crew/ours', TUESDAY_NINE + HOUR),
    ]
    const look = await cyd.get(`/bookings/${first}`)
    assert.equal(look.statusCode, 200)
    assert.equal((await cyd.post(`/bookings/${first}/cancel`)).statusCode, 403)
    assert.equal((await done(bob.post(`/bookings/${first}/cancel`))).status, 'Cancelled')
    assert.equal((await done(ada.post(`/bookings/${second}/cancel`))).status, 'Cancelled')
    const { items } = (await ada.get(`/audit?ownerId=${team}`)).json()
    const about = items.filter((entry: { objectId: string }) => [first, second].includes(entry.objectId))
    assert.deepEqual(
      about.map((entry: { action: string }) => entry.action),
      ['cancelled', 'cancelled'],
    )
  })

  it('acts only on the version in If-Match', async () => {
    const id = await book(`${ada.user.slug}/intro`, TUESDAY_NINE + 6 * HOUR)
    const etag = String((await ada.get(`/bookings/${id}`)).headers.etag)
    const startTime = iso(TUESDAY_NINE + 7 * HOUR)
    await done(ada.post(`/bookings/${id}/reschedule`, { startTime }, { 'if-match': etag }))
    const stale = await ada.post(`/bookings/${id}/cancel`, {}, { 'if-match': etag })
    assert.equal(stale.statusCode, 412)
    const now = String((await ada.get(`/bookings/${id}`)).headers.etag)
    await done(ada.post(`/bookings/${id}/cancel`, {}, { 'if-match': now }))
  })

  it('saves the sites that may embed an event type; all by default', async () => {
    const made = await ada.post('/event-types', { slug: 'framed', name: 'Framed', durationMinutes: 30 })
    assert.deepEqual(made.json().allowedOrigins, [])
    const { id } = made.json()
    const allowedOrigins = ['https://www.example.com', 'http://localhost:5173']
    assert.deepEqual(
      (await ada.patch(`/event-types/${id}`, { allowedOrigins })).json().allowedOrigins,
      allowedOrigins,
    )
    assert.deepEqual((await ada.post(`/event-types/${id}/clone`)).json().allowedOrigins, allowedOrigins)
    for (const wrong of [
      ['http://www.example.com'],
      ['*'],
      ['https://a.example/'],
      'https://a.example',
      [1],
    ]) {
      const refused = await ada.patch(`/event-types/${id}`, { allowedOrigins: wrong })
      assert.equal(refused.statusCode, 400, refused.body)
    }
    assert.deepEqual((await ada.get(`/event-types/${id}`)).json().allowedOrigins, allowedOrigins)
  })

  it('saves the cancellation policy of an event type, with defaults', async () => {
    const fields = ['cancelNoticeMinutes', 'rescheduleNoticeMinutes', 'reminderMinutes'] as const
    const of = (view: Record<string, unknown>) => fields.map((name) => view[name])
    const made = await ada.post('/event-types', { slug: 'kept', name: 'Kept', durationMinutes: 30 })
    assert.deepEqual(of(made.json()), [0, 0, [1440, 60]])
    const { id } = made.json()
    const changes = { cancelNoticeMinutes: 60, rescheduleNoticeMinutes: 120, reminderMinutes: [] }
    assert.deepEqual(of((await ada.patch(`/event-types/${id}`, changes)).json()), [60, 120, []])
    assert.deepEqual(of((await ada.get(`/event-types/${id}`)).json()), [60, 120, []])
    assert.deepEqual(of((await ada.post(`/event-types/${id}/clone`)).json()), [60, 120, []])
    for (const reminderMinutes of [[4], [60, 60], [1, 2, 3, 4, 5, 6], 'soon', ['60']]) {
      const refused = await ada.patch(`/event-types/${id}`, { reminderMinutes })
      assert.equal(refused.statusCode, 400, refused.body)
    }
    assert.deepEqual(of((await ada.get(`/event-types/${id}`)).json()), [60, 120, []])
  })
})
