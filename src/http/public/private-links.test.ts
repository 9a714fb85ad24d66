import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signIn } from '../../../test/host-api.ts'
import { addEventType, appOn, bookingOf, fromSomeoneNew, stoppedClock } from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { DAY, HOUR } from '../../domain/interval.ts'

const TUESDAY = 'dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'
const TUESDAY_NINE = Date.UTC(2027, 0, 12, 9)

onEveryDatabase('private links', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let slugs = 0

  before(async () => {
    const made = await appOn(db(), { now: clock.now, signup: 'open' })
    app = made.app
    ada = await signIn(app, made.mailbox, 'ada@hosts.example')
    bob = await signIn(app, made.mailbox, 'bob@hosts.example')
    // A new user's hours offer nothing until they are saved.
    for (const host of [ada, bob]) {
      const [hours] = (await host.get('/schedules')).json().items
      const weekly = { 2: [{ opens: '09:00', closes: '17:00' }] }
      assert.equal((await host.patch(`/schedules/${hours.id}`, { timezone: 'UTC', weekly })).statusCode, 200)
    }
  })

  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const post = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'POST', url, headers: { ...fromSomeoneNew(), ...headers }, payload })

  async function addTalk(given: Partial<EventType> = {}) {
    const slug = `talk-${slugs++}`
    const talk = await addEventType(db(), { id: ada.user.id }, { slug, ...given })
    const base = `/api/public/scheduling/${ada.user.slug}/${slug}`
    return {
      talk,
      base,
      page: `/${ada.user.slug}/${slug}`,
      link: async (body: object = {}) => {
        const reply = await ada.post(`/event-types/${talk.id}/links`, body)
        assert.equal(reply.statusCode, 201, reply.body)
        return reply.json()
      },
      book: (token: string | undefined, at: number, given: object = {}, headers = {}) =>
        post(
          `${base}/book${token === undefined ? '' : `?link=${token}`}`,
          { ...bookingOf(talk, at), ...given },
          headers,
        ),
      list: (token: string) => get(`${base}/slots?${TUESDAY}&link=${token}`),
    }
  }

  it('show their token once, and are listed and ended by their host', async () => {
    const { talk, link, list } = await addTalk()
    const expiresAt = '2027-02-01T00:00:00Z'
    const made = await link({
      uses: 2,
      expiresAt,
      durationMinutes: 45,
      answers: { name: 'Grace' },
      note: 'VIP',
    })
    const { token, url, ...shown } = made
    assert.match(token, /^[\w-]{43}$/)
    assert.equal(url, `https://book.example.com/l/${token}`)
    assert.deepEqual(shown, {
      id: made.id,
      uses: 2,
      used: 0,
      expiresAt,
      durationMinutes: 45,
      hostIds: [],
      answers: { name: 'Grace' },
      note: 'VIP',
      createdAt: '2027-01-11T12:00:00Z',
    })
    const path = `/event-types/${talk.id}/links`
    assert.deepEqual((await ada.get(path)).json().items, [shown])
    const rows = await db().selectFrom('private_links').selectAll().where('id', '=', made.id).execute()
    assert.ok(!JSON.stringify(rows).includes(token), 'stored as a hash')
    assert.equal((await bob.get(path)).statusCode, 404)
    assert.equal((await bob.del(`${path}/${made.id}`)).statusCode, 404)
    const other = await addTalk()
    assert.equal((await ada.del(`/event-types/${other.talk.id}/links/${made.id}`)).statusCode, 404)
    assert.equal((await list(token)).statusCode, 200)
    assert.equal((await ada.del(`${path}/${made.id}`)).statusCode, 204)
    assert.equal((await list(token)).statusCode, 404)
    const audit = (await ada.get('/audit')).json().items.filter((entry: { objectId: string }) => {
      return entry.objectId === made.id
    })
    assert.deepEqual(audit.map(({ action }: { action: string }) => action).sort(), ['created', 'deleted'])
  })

  it('refuse settings that could not be used', async () => {
    const { talk } = await addTalk()
    const refused: [object, string][] = [
      [{ uses: 0 }, 'uses'],
      [{ uses: 10_001 }, 'uses'],
      [{ durationMinutes: 1441 }, 'durationMinutes'],
      [{ expiresAt: '2027-01-11T11:59:59Z' }, 'expiresAt'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ hostIds: [bob.user.id] }, 'hostIds.0'],
    ]
    for (const [body, field] of refused) {
      const reply = await ada.post(`/event-types/${talk.id}/links`, body)
      assert.equal(reply.statusCode, 400, JSON.stringify(body))
      assert.equal(reply.headers['error-field'], field)
    }
  })

  it('are spent by booking, and cancelling gives no use back', async () => {
    const { link, book, list } = await addTalk()
    const { token } = await link({ uses: 1 })
    const booked = await book(token, TUESDAY_NINE)
    assert.equal(booked.statusCode, 201, booked.body)
    const { pathname, search } = new URL(String(booked.headers.location))
    assert.equal((await post(`${pathname}/cancel${search}`, {})).statusCode, 200)
    const again = await book(token, TUESDAY_NINE + HOUR)
    assert.equal(again.statusCode, 404)
    assert.deepEqual(again.json(), {
      error: 'This link has already been used. Please ask the host for a new one.',
    })
    assert.equal((await list(token)).statusCode, 404)
    assert.equal((await get(`/l/${token}`)).statusCode, 404)
  })

  it('say what happened to them, and whom to ask', async () => {
    const { link, book, list, page } = await addTalk({ linkOnly: true })
    const [used, expired] = [await link({ uses: 1 }), await link({ expiresAt: '2027-01-11T12:05:00Z' })]
    assert.equal((await book(used.token, TUESDAY_NINE + 21 * DAY)).statusCode, 201)
    clock.moveTo(Date.UTC(2027, 0, 11, 12, 5))
    const name = (await ada.get('/me')).json().name
    for (const [token, heading, sentence] of [
      [used.token, 'This link has already been used', 'This link has already been used.'],
      [expired.token, 'This link has expired', 'This link has expired.'],
    ] as const) {
      for (const url of [`/l/${token}`, `${page}?link=${token}`]) {
        const shown = await get(url, { accept: 'text/html' })
        assert.equal(shown.statusCode, 404)
        assert.ok(shown.body.includes(`<h1>${heading}</h1>`), url)
        assert.ok(shown.body.includes(`Please ask ${name} for a new one.`))
        assert.equal(shown.headers['cache-control'], 'no-store')
        const told = await get(url)
        assert.deepEqual(
          [told.statusCode, told.json().error],
          [404, `${sentence} Please ask the host for a new one.`],
        )
      }
    }
    assert.match((await list('x'.repeat(43))).json().error, /^This link doesn’t work\./)
    const unknown = await get(`/l/${'x'.repeat(43)}`, { accept: 'text/html' })
    assert.equal(unknown.statusCode, 404)
    assert.ok(unknown.body.includes('Page not found'))
    clock.moveTo(Date.UTC(2027, 0, 11, 12))
  })

  it('are not needed to give back a time that was held with one', async () => {
    const { talk, link, book, base } = await addTalk({ holds: true, linkOnly: true })
    const { token } = await link({ uses: 1 })
    const later = TUESDAY_NINE + 14 * DAY
    const { startTime, endTime } = bookingOf(talk, later)
    const held = await post(`${base}/hold?link=${token}`, { startTime, endTime })
    assert.equal(held.statusCode, 201, held.body)
    assert.equal((await book(token, later + HOUR)).statusCode, 201)
    const url = `${base}/hold/${held.json().holdId}?link=${token}`
    assert.equal((await app.inject({ method: 'DELETE', url })).statusCode, 204)
    const holds = db().selectFrom('claims').select('meeting_id').where('meeting_id', '=', held.json().holdId)
    assert.deepEqual(await holds.execute(), [])
    // Who knows no hold of it does not learn that there is such an event type.
    assert.equal((await app.inject({ method: 'DELETE', url })).statusCode, 404)
  })

  it('spend one use on a whole series', async () => {
    const series = { every: ['week'], most: 3 } as const
    const { link, book, talk } = await addTalk({ series, window: { kind: 'unlimited' } })
    const { token } = await link({ uses: 2 })
    const repeat = { every: 'week', count: 3 }
    const at = Date.UTC(2027, 2, 2, 9)
    for (const start of [at, at + HOUR]) {
      const booked = await book(token, start, { repeat })
      assert.equal(booked.statusCode, 201, booked.body)
      assert.equal(booked.json().series.length, 3)
    }
    assert.equal((await book(token, at + 2 * HOUR, { repeat })).statusCode, 404)
    const links = db().selectFrom('private_links').select('used').where('event_type_id', '=', talk.id)
    assert.deepEqual(await links.execute(), [{ used: 2 }])
  })

  it('answer a repeated request again, although its link is used up', async () => {
    const { talk, link, base } = await addTalk()
    const { token } = await link({ uses: 1 })
    const body = bookingOf(talk, TUESDAY_NINE + 2 * HOUR)
    const once = () => post(`${base}/book?link=${token}`, body, { 'idempotency-key': 'the-same' })
    const first = await once()
    assert.equal(first.statusCode, 201, first.body)
    assert.deepEqual((await once()).json(), first.json())
    const other = await post(`${base}/book?link=${token}`, body, { 'idempotency-key': 'another' })
    assert.equal(other.statusCode, 404)
  })

  it('spend nothing on a time that is taken', async () => {
    const { link, book } = await addTalk()
    const { token } = await link({ uses: 1 })
    assert.equal((await book(undefined, TUESDAY_NINE + 3 * HOUR)).statusCode, 201)
    assert.equal((await book(token, TUESDAY_NINE + 3 * HOUR)).statusCode, 400)
    assert.equal((await book(token, TUESDAY_NINE + 4 * HOUR)).statusCode, 201)
  })

  it('end when they expire', async () => {
    const { link, list, book } = await addTalk()
    const { token } = await link({ expiresAt: '2027-01-11T13:00:00Z' })
    assert.equal((await list(token)).statusCode, 200)
    clock.moveTo(Date.UTC(2027, 0, 11, 13))
    assert.equal((await list(token)).statusCode, 404)
    assert.equal((await book(token, TUESDAY_NINE + 5 * HOUR)).statusCode, 404)
    clock.moveTo(Date.UTC(2027, 0, 11, 12))
  })

  it('open an event type that nothing else opens', async () => {
    const { talk, base, page, link, book } = await addTalk()
    const { token } = await link()
    const plain = await get(`${base}/slots?${TUESDAY}`)
    assert.equal(plain.statusCode, 200)
    // Asked for twice, it is cached.
    assert.equal((await get(`${base}/slots?${TUESDAY}`)).statusCode, 200)
    const patched = await ada.patch(`/event-types/${talk.id}`, { linkOnly: true })
    assert.equal(patched.json().linkOnly, true)
    const html = { accept: 'text/html' }
    for (const url of [
      `${base}/slots?${TUESDAY}`,
      `${base}/slots?nonsense`,
      `${base}/abuse-config`,
      `${base}/challenge`,
      page,
      `${page}.md`,
      `${page}.json`,
      `/api/embed${page}`,
    ]) {
      assert.equal((await get(url)).statusCode, 404, url)
      const unknown = `${url}${url.includes('?') ? '&' : '?'}link=${'x'.repeat(43)}`
      assert.equal((await get(unknown)).statusCode, 404, unknown)
    }
    assert.equal((await book(undefined, TUESDAY_NINE)).statusCode, 404)
    assert.equal((await book('x', TUESDAY_NINE)).statusCode, 404)
    const profile = (await get(`/api/public/scheduling/${ada.user.slug}`)).json()
    assert.ok(!profile.eventTypes.some(({ slug }: { slug: string }) => slug === talk.slug))

    assert.equal((await get(`${base}/slots?${TUESDAY}&link=${token}`)).body, plain.body)
    assert.equal((await get(`${base}/abuse-config?link=${token}`)).statusCode, 200)
    assert.equal((await get(`/api/embed${page}?link=${token}`)).json().bookUrl.split('?')[1], `link=${token}`)
    assert.match((await get(`${page}.md?link=${token}`)).body, new RegExp(`/book\\?link=${token}`))
    const short = await get(`/l/${token}?lang=de`, html)
    assert.equal(short.statusCode, 302)
    assert.equal(short.headers.location, `${page}?lang=de&link=${token}`)
    const booked = await book(token, TUESDAY_NINE + 6 * HOUR)
    assert.equal(booked.statusCode, 201, booked.body)
    // The guest's own link needs no other.
    const { pathname, search } = new URL(String(booked.headers.location))
    assert.equal((await get(`${pathname}/slots${search}&${TUESDAY}`)).statusCode, 200)
  })

  it('of one event type open no other', async () => {
    const [one, other] = [await addTalk({ linkOnly: true }), await addTalk({ linkOnly: true })]
    const { token } = await one.link()
    assert.equal((await other.list(token)).statusCode, 404)
    assert.equal((await other.book(token, TUESDAY_NINE)).statusCode, 404)
  })

  it('replace the lengths; the meeting keeps its length when it moves', async () => {
    const { base, link, book } = await addTalk({ durations: [15, 30], durationMinutes: 30 })
    const { token } = await link({ durationMinutes: 120 })
    const [day] = (await get(`${base}/slots?${TUESDAY}&link=${token}`)).json()
    assert.equal(Date.parse(day.slots[0].endTime) - Date.parse(day.slots[0].startTime), 2 * HOUR)
    assert.equal((await get(`${base}/slots?${TUESDAY}&link=${token}&duration=30`)).statusCode, 400)
    const at = Date.parse(day.slots.at(-1).startTime)
    const endTime = day.slots.at(-1).endTime
    assert.equal((await book(token, at)).statusCode, 400, 'half an hour')
    const booked = await book(token, at, { endTime })
    assert.equal(booked.statusCode, 201, booked.body)
    assert.equal((await book(undefined, at, { endTime })).statusCode, 400)
    const { pathname, search } = new URL(String(booked.headers.location))
    const startTime = '2027-01-19T09:00:00Z'
    const moved = await post(`${pathname}/reschedule${search}`, { startTime })
    assert.equal(moved.json().endTime, '2027-01-19T11:00:00Z')
  })

  it('narrow the hosts of a team, whose admins make them', async () => {
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json()
    await db()
      .insertInto('team_members')
      .values({ team_id: team.id, user_id: bob.user.id, role: 'member', created_at: 0 })
      .execute()
    const hosts = [ada, bob].map(({ user }) => ({ hostId: user.id, fixed: false }))
    const demo = await addEventType(db(), team, { slug: 'demo', assignment: 'round-robin' }, hosts)
    const path = `/event-types/${demo.id}/links`
    assert.equal((await bob.post(path, {})).statusCode, 403)
    assert.equal((await bob.get(path)).statusCode, 200)
    const { token } = (await ada.post(path, { hostIds: [bob.user.id] })).json()
    const base = `/api/public/scheduling/crew/demo`
    // A Tuesday that no other test books.
    const at = Date.UTC(2027, 1, 2, 9)
    const first = await post(`${base}/book?link=${token}`, bookingOf(demo, at))
    assert.equal(first.statusCode, 201, first.body)
    const row = await db()
      .selectFrom('bookings')
      .select(['host_id', 'link_id'])
      .where('id', '=', first.json().id)
      .executeTakeFirst()
    assert.equal(row?.host_id, bob.user.id)
    assert.ok(row?.link_id)
    assert.equal((await post(`${base}/book?link=${token}`, bookingOf(demo, at))).statusCode, 400)

    // It also moves to their times alone: Ada would be free.
    const later = bookingOf(demo, at + HOUR, { inviteeEmail: 'later@guests.example' })
    assert.equal((await post(`${base}/book?link=${token}`, later)).statusCode, 201)
    const { pathname, search } = new URL(String(first.headers.location))
    const listed = await get(`${pathname}/slots${search}&dateFrom=2027-02-02&dateTo=2027-02-02&timezone=UTC`)
    assert.doesNotMatch(listed.body, /T10:00:00Z","endTime/)
    assert.match(listed.body, /T11:00:00Z","endTime/)
    const move = (startTime: string) => post(`${pathname}/reschedule${search}`, { startTime })
    assert.equal((await move('2027-02-02T10:00:00Z')).statusCode, 400)
    assert.equal((await move('2027-02-02T11:00:00Z')).statusCode, 200)
    assert.equal((await post(`${base}/book`, bookingOf(demo, at))).statusCode, 201, 'the other host is free')
    const seated = await addEventType(db(), team, { slug: 'class', seats: 5 }, hosts)
    const refused = await ada.post(`/event-types/${seated.id}/links`, { hostIds: [bob.user.id] })
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.headers['error-field'], 'hostIds')
  })
})
