import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { changesOf } from '../../../test/bookings.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { manageToken } from '../../services/bookings/guest/manage-link.ts'
import type { Context } from '../../services/context.ts'

const [MINUTE, HOUR] = [60_000, 3_600_000]
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const iso = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}Z`

onEveryDatabase('/api/public/bookings', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let people = 0

  before(async () => {
    ;({ app, context } = await appOn(db(), { now: clock.now }))
  })

  /** Books an event type of a new host, and returns the guest’s own link. */
  async function book(given: Partial<EventType> = {}, startsAt = TUESDAY_NINE) {
    const host = await addUser(db(), `host-${people++}`)
    const talk = await addEventType(db(), host, given)
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.slug}/${talk.slug}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(talk, startsAt),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const link = new URL(String(answer.headers.location))
    assert.equal(link.origin, 'https://book.example.com')
    const path = (action = '') => `${link.pathname}${action}${link.search}`
    return { host, talk, booking: answer.json(), answer, path }
  }
  const get = (url: string) => app.inject({ url })
  const post = (url: string, payload?: object) =>
    app.inject({ method: 'POST', url, headers: fromSomeoneNew(), ...(payload && { payload }) })

  it('shows a guest their booking, and what they may do about it', async () => {
    const { host, talk, booking, answer, path } = await book({
      cancelNoticeMinutes: 60,
      rescheduleNoticeMinutes: 120,
    })
    assert.match(String(answer.headers['access-control-expose-headers']), /\bLocation\b/)
    assert.ok(!answer.body.includes('token'), 'the body is as it was')
    const shown = await get(path())
    assert.equal(shown.statusCode, 200, shown.body)
    assert.equal(shown.headers['cache-control'], 'no-store')
    assert.equal(shown.headers['access-control-allow-origin'], '*')
    const { calendarLinks, ...view } = shown.json()
    assert.equal(calendarLinks.length, 3)
    assert.deepEqual(view, {
      ...booking,
      eventType: { slug: talk.slug, name: talk.name, durationMinutes: 30 },
      userSlug: host.slug,
      host: { name: host.name, email: `${host.slug}@hosts.example` },
      hosts: [{ name: host.name, avatarUrl: '' }],
      guests: [],
      answers: [],
      notes: '',
      payment: null,
      reason: '',
      canCancel: true,
      canReschedule: true,
      cancelUntil: iso(TUESDAY_NINE - HOUR),
      rescheduleUntil: iso(TUESDAY_NINE - 2 * HOUR),
      manageUrl: `https://book.example.com/booking/${booking.id}?token=${manageToken(context, booking.id)}`,
      returnUrl: '',
    })
    clock.moveTo(TUESDAY_NINE - 90 * MINUTE)
    const later = (await get(path())).json()
    assert.deepEqual([later.canCancel, later.canReschedule], [true, false])
    clock.moveTo(MONDAY_NOON)
    assert.deepEqual((await get(path())).json(), shown.json())
    assert.deepEqual(await changesOf(db(), booking.id), [])
  })

  it('cannot be moved while its host is disabled, and says so', async () => {
    const { path, host } = await book()
    await db().updateTable('schedulers').set({ disabled_at: 1 }).where('id', '=', host.id).execute()
    context.slots.settingsChanged([host.id])
    const { canCancel, canReschedule } = (await get(path())).json()
    assert.deepEqual([canCancel, canReschedule], [true, false])
    await db().updateTable('schedulers').set({ disabled_at: null }).where('id', '=', host.id).execute()
    context.slots.settingsChanged([host.id])
    assert.equal((await get(path())).json().canReschedule, true)
  })

  it('cannot be read without its link', async () => {
    const [{ booking, path }, other] = [await book(), await book()]
    const token = manageToken(context, booking.id)
    const wrong = [
      '',
      '?token=',
      `?token=${token.slice(1)}`,
      `?token=${token}A`,
      `?token=${token.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
      `?token=${manageToken(context, other.booking.id)}`,
      `?token=${token}&token=${token}`,
      `?token[]=${token}`,
    ]
    for (const query of wrong) {
      const url = path().replace(/\?.*/, query)
      const answers = [
        await get(url),
        await get(url.replace(/(\?|$)/, '/calendar.ics$1')),
        await post(url.replace(/(\?|$)/, '/cancel$1')),
        await post(url.replace(/(\?|$)/, '/reschedule$1'), { startTime: iso(TUESDAY_NINE + HOUR) }),
      ]
      for (const { statusCode, body } of answers) assert.equal(statusCode, 404, `${query}: ${body}`)
      assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
    }
    const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
    const unknown = await get(`/api/public/bookings/${unknownId}?token=${manageToken(context, unknownId)}`)
    assert.equal(unknown.statusCode, 404)
    assert.equal((await get(path())).json().status, 'Confirmed')
  })

  it('lets a guest reschedule, and cancel, with or without a reason', async () => {
    const { booking, path } = await book()
    const startTime = iso(TUESDAY_NINE + HOUR)
    const moved = await post(path('/reschedule'), { startTime, reason: 'A delay.' })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.deepEqual([moved.json().id, moved.json().startTime], [booking.id, startTime])
    assert.equal(moved.headers['cache-control'], 'no-store')
    const taken = await post(path('/reschedule'), { startTime: iso(TUESDAY_NINE + 7 * MINUTE) })
    assert.equal(taken.statusCode, 400)

    const cancelled = await post(path('/cancel'))
    assert.equal(cancelled.statusCode, 200, cancelled.body)
    const { status, reason, canCancel, canReschedule } = cancelled.json()
    assert.deepEqual([status, reason, canCancel, canReschedule], ['Cancelled', '', false, false])
    assert.deepEqual((await post(path('/cancel'), { reason: 'Again.' })).json(), cancelled.json())
    const late = await post(path('/reschedule'), { startTime })
    assert.equal(late.statusCode, 409)
    assert.deepEqual(late.json(), { error: 'This booking has been cancelled.' })
    assert.deepEqual(
      (await changesOf(db(), booking.id)).map(({ type, by }) => `${type} by ${by}`),
      ['rescheduled by guest', 'cancelled by guest'],
    )
  })

  it('holds to the cutoff, and says what to do then', async () => {
    const { path } = await book({ cancelNoticeMinutes: 60, rescheduleNoticeMinutes: 60 })
    clock.moveTo(TUESDAY_NINE - HOUR)
    for (const action of ['/cancel', '/reschedule']) {
      const late = await post(path(action), { startTime: iso(TUESDAY_NINE + HOUR) })
      assert.equal(late.statusCode, 409)
      assert.match(late.json().error, /too late .* contact the host/)
    }
    clock.moveTo(MONDAY_NOON)
    assert.equal((await get(path())).json().status, 'Confirmed')
  })

  it('asks for approval again after a guest reschedules', async () => {
    const { booking, path } = await book({ requiresApproval: true })
    await db().updateTable('bookings').set({ status: 'Confirmed' }).where('id', '=', booking.id).execute()
    const moved = await post(path('/reschedule'), { startTime: iso(TUESDAY_NINE + HOUR) })
    assert.equal(moved.json().status, 'PendingApproval')
  })

  it('answers preflights', async () => {
    const { path } = await book()
    const answer = await app.inject({
      method: 'OPTIONS',
      url: path('/cancel'),
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    assert.equal(answer.statusCode, 204)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  })
})
