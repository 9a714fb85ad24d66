import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import ICAL from 'ical.js'
import type { CalDavServer } from '../../../../test/caldav-server.ts'
import { onEveryCalDavServer } from '../../../../test/calendar-servers.ts'
import { calendarOf, calendarText, type FeedServer, startFeedServer } from '../../../../test/feed-server.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  openGuard,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import { HOUR } from '../../../domain/interval.ts'
import { refreshCalendar } from '../../../services/calendars/refresh.ts'
import { createContext } from '../../../services/context.ts'
import { findAnyCalendar } from '../../../store/calendars/calendars.ts'
import { buildApp } from '../../app.ts'

onEveryCalDavServer('connected calendars in the host API', ({ db }, startCalDav) => {
  let app: FastifyInstance
  let under: Awaited<ReturnType<typeof appOn>>
  let host: Host
  let feeds: FeedServer
  let remote: CalDavServer
  const clock = stoppedClock()

  before(async () => {
    feeds = await startFeedServer()
    remote = await startCalDav()
    under = await appOn(db(), { now: clock.now, signup: 'open' })
    app = under.app
    host = await signIn(app, under.mailbox, 'host@hosts.example')
  })
  after(async () => {
    await app.close()
    await feeds.close()
    await remote.stop()
  })

  const feed = (more: object = {}) => ({
    kind: 'feed',
    name: 'Private',
    url: `${feeds.url}/mine.ics`,
    ...more,
  })

  it('are connected, listed, read, changed by version, and disconnected', async () => {
    const made = await host.post('/calendars', feed())
    assert.equal(made.statusCode, 201, made.body)
    const view = made.json()
    assert.equal(view.url, `${feeds.url}/mine.ics`)
    assert.deepEqual([view.busy, view.writeTo, view.refreshedAt, view.lastError], [true, false, null, ''])
    const list = (await host.get('/calendars')).json()
    assert.deepEqual(list.items, [view])
    const shown = await host.get(`/calendars/${view.id}`)
    assert.deepEqual(shown.json(), view)

    const etag = String(shown.headers.etag)
    const changed = await host.patch(`/calendars/${view.id}`, { name: 'Renamed' }, { 'if-match': etag })
    assert.equal(changed.json().name, 'Renamed')
    const late = await host.patch(`/calendars/${view.id}`, { name: 'Again' }, { 'if-match': etag })
    assert.equal(late.statusCode, 412)
    assert.equal((await host.del(`/calendars/${view.id}`, { 'if-match': etag })).statusCode, 412)
    assert.equal((await host.del(`/calendars/${view.id}`)).statusCode, 204)
    assert.equal((await host.get(`/calendars/${view.id}`)).statusCode, 404)
  })

  it('are refused with the reason when they cannot be read', async () => {
    const { username, password, work } = remote
    const { url } = feeds
    feeds.answer('/page', (response) => response.end('<html>Sign in</html>'))
    feeds.answer('/half', (response) => response.end(calendarText(['DTSTART:20270112']).slice(0, 100)))
    const caldav = { kind: 'caldav', url: work, username, password }
    const wrong: [object, string, RegExp][] = [
      [feed({ url: `${url}/none` }), 'url', /^There is no calendar at this address \(404\)\.$/],
      [feed({ url: `${url}/page` }), 'url', /not a calendar/],
      [feed({ url: `${url}/half` }), 'url', /incomplete/],
      [feed({ ...caldav, url: `${url}/page` }), 'url', /no CalDAV server/],
      [feed({ ...caldav, password: 'wrong' }), 'password', /refused the user name and password/],
    ]
    const careful = await signIn(app, under.mailbox, 'careful@hosts.example')
    for (const [body, field, sentence] of wrong) {
      const answer = await careful.post('/calendars', body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, sentence)
      assert.equal(answer.headers['error-field'], field)
    }
    assert.deepEqual((await careful.get('/calendars')).json().items, [])
    const { id } = (await careful.post('/calendars', feed())).json()
    const moved = await careful.patch(`/calendars/${id}`, { url: `${url}/page` })
    assert.equal(moved.statusCode, 400, moved.body)
    const kept = (await careful.get(`/calendars/${id}`)).json()
    assert.equal(kept.url, `${url}/mine.ics`)
  })

  it('are found on a CalDAV server, connected with what was found, and read at once when asked to', async () => {
    const { url, username, password } = remote
    const found = await host.post('/calendars/discover', { url, username, password })
    assert.equal(found.statusCode, 200, found.body)
    const names = found.json().calendars.map((one: { name: string }) => one.name)
    assert.deepEqual(names.sort(), ['home & more', 'work & more'])
    const wrong = await host.post('/calendars/discover', { url, username, password: 'wrong' })
    assert.equal(wrong.statusCode, 400)
    assert.match(wrong.json().error, /user name and password/)
    assert.equal(wrong.headers['error-field'], 'password')
    const feedUrl = `${feeds.url}/no-caldav`
    const notCalDav = await host.post('/calendars/discover', { url: feedUrl, username, password })
    assert.deepEqual([notCalDav.statusCode, notCalDav.headers['error-field']], [400, 'url'])

    const [first] = found.json().calendars
    const body = { kind: 'caldav', name: 'Work', url: first.url, username, password }
    const made = (await host.post('/calendars', body)).json()
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:t\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270112T090000Z\r\nDURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    await remote.request('PUT', `${first.url}x.ics`, text)
    const read = await host.post(`/calendars/${made.id}/refresh`)
    assert.equal(read.statusCode, 200, read.body)
    assert.deepEqual([read.json().busyTimes, read.json().lastError], [1, ''])
    await host.del(`/calendars/${made.id}`)
  })

  it('are read anew on request, although another read began before', async () => {
    const path = '/slow.ics'
    feeds.answer(path, calendarOf())
    const { id } = (await host.post('/calendars', { ...feed(), url: `${feeds.url}${path}` })).json()
    const held = Promise.withResolvers<void>()
    const before = calendarOf()
    feeds.answer(path, (response, request) => void held.promise.then(() => before(response, request)))
    const asked = feeds.nextAsked(path)
    const first = host.post(`/calendars/${id}/refresh`)
    await asked
    feeds.answer(path, calendarOf(['DTSTART:20270112T090000Z', 'DTEND:20270112T100000Z']))
    const second = host.post(`/calendars/${id}/refresh`)
    // By now it has found that the calendar is being read.
    for (let i = 0; i < 5; i++) await host.get('/calendars')
    held.resolve()
    assert.equal((await first).json().busyTimes, 0)
    assert.equal((await second).json().busyTimes, 1)
    await host.del(`/calendars/${id}`)
  })

  it('share one rate limit with everything else that calls other servers', async () => {
    const [busy, other] = [
      await signIn(app, under.mailbox, 'busy@hosts.example'),
      await signIn(app, under.mailbox, 'other@hosts.example'),
    ]
    const [{ id }, elsewhere] = [
      (await busy.post('/calendars', feed())).json(),
      (await other.post('/calendars', feed())).json(),
    ]
    const { id: webhookId } = (
      await busy.post('/webhooks', { url: `${feeds.url}/hook`, events: ['booking.created'] })
    ).json()
    const answers = await Promise.all(Array.from({ length: 40 }, () => busy.post(`/calendars/${id}/refresh`)))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    // Connecting it was the first of thirty.
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 29)
    assert.equal(refused.length, 11)
    for (const answer of [
      ...refused,
      await busy.post(`/webhooks/${webhookId}/test`),
      await busy.post('/calendars/discover', { url: feeds.url, username: 'a', password: 'guessed' }),
    ]) {
      assert.equal(answer.statusCode, 429)
      assert.ok(Number(answer.headers['retry-after']) >= 1)
    }
    assert.equal((await other.post(`/calendars/${elsewhere.id}/refresh`)).statusCode, 200)
    await busy.del(`/calendars/${id}`)
    await other.del(`/calendars/${elsewhere.id}`)
  })

  it('never show, log or store a password in plain text', async () => {
    const password = 'correct horse battery staple'
    const made = await host.post('/calendars', feed({ username: 'ada', password }))
    const { id } = made.json()
    await host.patch(`/calendars/${id}`, { password: `${password}!` })
    const answers = [
      made,
      await host.get(`/calendars/${id}`),
      await host.get('/calendars'),
      await host.get('/audit'),
    ]
    for (const { body } of answers) assert.ok(!body.includes('horse'), body)
    assert.equal(made.json().hasPassword, true)
    assert.match(answers.at(-1)?.body ?? '', /"password"/)
    const rows = await db().selectFrom('calendars').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes('horse'))

    const asked = Promise.withResolvers<string | undefined>()
    feeds.answer('/mine.ics', (response, request) => {
      asked.resolve(request.headers.authorization)
      calendarOf()(response, request)
    })
    await host.post(`/calendars/${id}/refresh`)
    assert.equal(await asked.promise, `Basic ${Buffer.from(`ada:${password}!`).toString('base64')}`)

    // A password is not sent to a server it was not given for.
    const away = await host.patch(`/calendars/${id}`, { url: 'https://elsewhere.example/x.ics' })
    assert.equal(away.statusCode, 400)
    assert.match(away.json().error, /on another server now. Enter its password again/)
    assert.equal(away.headers['error-field'], 'password')
    // Nor can it be read with another secret.
    const stored = await findAnyCalendar(db(), id)
    assert.ok(stored)
    const jwtSecret = 'another-secret-that-only-the-tests-know-of'
    await refreshCalendar(createContext({ ...under.context, jwtSecret }), stored)
    assert.match((await host.get(`/calendars/${id}`)).json().lastError, /enter it again/)
    await host.del(`/calendars/${id}`)
  })

  it('are written to one at a time, and only by CalDAV', async () => {
    const refused = await host.post('/calendars', feed({ writeTo: true }))
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /CalDAV/)
    const ids: string[] = []
    for (const name of ['One', 'Two']) {
      const { work: url, username, password } = remote
      const made = await host.post('/calendars', {
        kind: 'caldav',
        writeTo: true,
        name,
        url,
        username,
        password,
      })
      ids.push(made.json().id)
    }
    const flags = async () => {
      const { items } = (await host.get('/calendars')).json()
      return items.map((one: { writeTo: boolean }) => one.writeTo)
    }
    assert.deepEqual(await flags(), [false, true])
    await host.patch(`/calendars/${ids[0]}`, { writeTo: true })
    assert.deepEqual(await flags(), [true, false])
    for (const id of ids) await host.del(`/calendars/${id}`)
  })

  it('can be chosen by an event type, if a host of it can add bookings there', async () => {
    const { work: url, username, password } = remote
    const account = { kind: 'caldav', name: 'Work', url, username, password }
    const { id } = (await host.post('/calendars', account)).json()
    const talk = { slug: 'chosen', name: 'Talk', durationMinutes: 30 }
    const made = (await host.post('/event-types', talk)).json()
    assert.deepEqual([made.liveCheck, made.writeToCalendarId], ['accept', null])
    const path = `/event-types/${made.id}`
    const changed = await host.patch(path, { liveCheck: 'refuse', writeToCalendarId: id })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.deepEqual([changed.json().liveCheck, changed.json().writeToCalendarId], ['refuse', id])

    const other = await signIn(app, under.mailbox, 'chooser@hosts.example')
    const ics = (await host.post('/calendars', feed())).json().id
    const wrong: [Host, string, RegExp][] = [
      [other, id, /must belong to one of the hosts/],
      [host, 'nonsense', /must belong to one of the hosts/],
      [host, ics, /can’t be added to a feed/],
    ]
    for (const [by, writeToCalendarId, sentence] of wrong) {
      const refused = await by.post('/event-types', { ...talk, slug: 'wrong', writeToCalendarId })
      assert.equal(refused.statusCode, 400, refused.body)
      assert.match(refused.json().error, sentence)
      assert.equal(refused.headers['error-field'], 'writeToCalendarId')
    }
    assert.equal((await host.patch(path, { liveCheck: 'maybe' })).statusCode, 400)
    for (const calendar of [ics, id]) await host.del(`/calendars/${calendar}`)
    assert.equal((await host.get(path)).json().writeToCalendarId, null)
  })

  it('are refused with the field and a sentence when they are not valid', async () => {
    const wrong: [object, string, RegExp][] = [
      [feed({ name: ' ' }), 'name', /^The name must not be empty/],
      [feed({ kind: 'exchange' }), 'kind', /^The kind must be one of feed, caldav, google, microsoft\.$/],
      [feed({ username: 'a:b' }), 'username', /^The user name must not contain a colon/],
      [feed({ password: 'a\nb' }), 'password', /^The password must not/],
      [feed({ url: 'ftp://calendar.example' }), 'url', /^The address must look like https:/],
      [{ kind: 'feed', name: 'No url' }, 'url', /^The address is required/],
    ]
    for (const [body, field, sentence] of wrong) {
      const answer = await host.post('/calendars', body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, sentence)
      assert.equal(answer.headers['error-field'], field)
    }
    assert.deepEqual((await host.get('/calendars')).json().items, [])
    const keen = await signIn(app, under.mailbox, 'keen@hosts.example')
    for (let n = 0; n < 20; n++) await keen.post('/calendars', feed({ name: `${n}` }))
    const many = await keen.post('/calendars', feed())
    assert.equal(many.statusCode, 400)
    assert.match(many.json().error, /at most 20/)
  })

  it('at private addresses are refused when saved, discovered and read', async () => {
    const guard = {
      ...openGuard,
      check: async (address: string) => guard.read(address),
      read: (address: string) => {
        if (address.includes('private')) throw new Error('That is not on the public internet.')
        return new URL(address)
      },
    }
    const context = createContext({ ...under.context, guard })
    const guarded = await buildApp({
      context,
      rateLimits: () => ({ consume: async () => ({}) }) as never,
      isUnavailable: () => false,
    })
    const send = (method: 'POST' | 'PATCH', path: string, payload: object = {}) =>
      guarded.inject({
        method,
        url: `/api/admin${path}`,
        payload,
        headers: { authorization: `Bearer ${host.token}` },
      })
    try {
      const url = 'http://private.example/a.ics'
      const refused = [
        await send('POST', '/calendars', feed({ url })),
        await send('POST', '/calendars/discover', { url, username: 'a', password: 'b' }),
      ]
      const { id } = (await host.post('/calendars', feed())).json()
      await db().updateTable('calendars').set({ url }).where('id', '=', id).execute()
      refused.push(await send('PATCH', `/calendars/${id}`, { url }))
      for (const answer of refused) {
        assert.equal(answer.statusCode, 400, answer.body)
        assert.match(answer.json().error, /not on the public internet/)
      }
      const read = await send('POST', `/calendars/${id}/refresh`)
      assert.match(read.json().lastError, /not on the public internet/)
      await host.del(`/calendars/${id}`)
    } finally {
      await guarded.close()
    }
  })

  it('have a feed of the host’s bookings at a secret link, until it is replaced', async () => {
    await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 30,
      noticeMinutes: 0,
      abuse: plainEventType().abuse,
    })
    const booked = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType(), MONDAY_NOON + 24 * HOUR),
      headers: fromSomeoneNew(),
    })
    assert.equal(booked.statusCode, 201, booked.body)
    assert.deepEqual((await host.get('/me/calendar-feed')).json(), { active: false })
    const made = await host.post('/me/calendar-feed')
    assert.equal(made.statusCode, 201, made.body)
    const address: string = made.json().url
    assert.ok(address.startsWith(`https://book.example.com/${host.user.slug}/calendar.ics?token=`))
    const path = address.slice('https://book.example.com'.length)

    const answer = await app.inject(path)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.match(String(answer.headers['content-type']), /^text\/calendar/)
    const events = new ICAL.Component(ICAL.parse(answer.body) as unknown[]).getAllSubcomponents('vevent')
    assert.deepEqual(
      events.map((event) => event.getFirstPropertyValue('uid')),
      [`${booked.json().id}@punctual`],
    )
    const etag = String(answer.headers.etag)
    const again = await app.inject({ url: path, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])

    for (const wrong of [
      path.slice(0, -1),
      `/${host.user.slug}/calendar.ics`,
      `/nobody/calendar.ics?token=x`,
    ]) {
      const refused = await app.inject(wrong)
      assert.equal(refused.statusCode, 404)
      assert.deepEqual(Object.keys(refused.json()), ['error'])
    }
    const next = (await host.post('/me/calendar-feed')).json().url.slice('https://book.example.com'.length)
    assert.equal((await app.inject(path)).statusCode, 404)
    assert.equal((await app.inject(next)).statusCode, 200)
    assert.deepEqual((await host.get('/me/calendar-feed')).json(), { active: true })
    assert.equal((await host.del('/me/calendar-feed')).statusCode, 204)
    assert.equal((await app.inject(next)).statusCode, 404)
    assert.deepEqual((await host.get('/me/calendar-feed')).json(), { active: false })
    assert.ok(
      !JSON.stringify(await db().selectFrom('schedulers').selectAll().execute()).includes(next.slice(-43)),
    )
  })
})
