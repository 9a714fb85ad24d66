import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { Context } from '../../../services/context.ts'
import { newId } from '../../../store/new-id.ts'
import { findAuditEntries } from '../../../store/people/audit.ts'
import { insertTeamMember } from '../../../store/people/members.ts'
import { updateUser } from '../../../store/people/users.ts'

const WEEK = { startTime: '2027-02-01T00:00:00Z', endTime: '2027-02-08T00:00:00Z', note: 'Skiing' }
/** In UTC. */
const WEEK_VIEW = {
  ...WEEK,
  redirectTo: null,
  startDate: '2027-02-01',
  endDate: '2027-02-07',
  bookings: 0,
}

onEveryDatabase('time off in the host API', ({ db }) => {
  let app: FastifyInstance
  let context: Context
  let ada: Host
  let bob: Host
  let carl: Host

  before(async () => {
    const made = await appOn(db(), { now: stoppedClock().now, signup: 'open' })
    app = made.app
    context = made.context
    ada = await signIn(made.app, made.mailbox, 'ada@hosts.example')
    bob = await signIn(made.app, made.mailbox, 'bob@hosts.example')
    carl = await signIn(made.app, made.mailbox, 'carl@hosts.example')
  })

  const make = async (host: Host, given: object = {}) => {
    const reply = await host.post('/absences', { ...WEEK, ...given })
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }

  it('saves an absence and shows it as it was saved', async () => {
    const made = await ada.post('/absences', WEEK)
    assert.equal(made.statusCode, 201, made.body)
    const { id, ...rest } = made.json()
    assert.deepEqual(rest, WEEK_VIEW)
    const seen = await ada.get(`/absences/${id}`)
    assert.deepEqual(seen.json(), { id, ...WEEK_VIEW })
    assert.equal(seen.headers.etag, made.headers.etag)
    const { note: _, ...noteless } = WEEK
    assert.equal((await ada.post('/absences', noteless)).json().note, '')
  })

  it('takes whole days in the host’s zone, and counts the meetings inside', async () => {
    assert.equal((await carl.patch('/me', { timezone: 'europe/berlin' })).json().timezone, 'Europe/Berlin')
    const hours = await carl.post('/schedules', { name: 'Away', timezone: 'america/NEW_york' })
    assert.equal(hours.json().timezone, 'America/New_York')
    const made = await carl.post('/absences', { startDate: '2027-03-27', endDate: '2027-03-28' })
    assert.equal(made.statusCode, 201, made.body)
    const { id, ...shown } = made.json()
    // The clocks go forward on the second day.
    assert.deepEqual(shown, {
      startTime: '2027-03-26T23:00:00Z',
      endTime: '2027-03-28T22:00:00Z',
      note: '',
      redirectTo: null,
      startDate: '2027-03-27',
      endDate: '2027-03-28',
      bookings: 0,
    })
    await addEventType(db(), carl.user, { slug: 'talk' })
    for (const date of [2, 3]) {
      const payload = bookingOf(plainEventType(), Date.UTC(2027, 1, date, 9))
      const url = `/api/public/scheduling/${carl.user.slug}/talk/book`
      const booked = await app.inject({ method: 'POST', url, payload, headers: fromSomeoneNew() })
      assert.equal(booked.statusCode, 201, booked.body)
    }
    const etag = String((await carl.get(`/absences/${id}`)).headers.etag)
    const moved = await carl.patch(
      `/absences/${id}`,
      { startDate: '2027-02-01', endDate: '2027-02-02' },
      { 'if-match': etag },
    )
    assert.deepEqual([moved.json().startTime, moved.json().bookings], ['2027-01-31T23:00:00Z', 1])
    const [listed] = (await carl.get('/absences')).json().items
    assert.deepEqual(listed, moved.json())
    const part = await carl.patch(`/absences/${id}`, { startTime: '2027-01-31T23:30:00Z' })
    assert.deepEqual([part.json().startDate, part.json().endDate], [null, null])
    for (const [given, field] of [
      [{ startDate: '2027-03-28' }, 'endDate'],
      [{ endDate: '2027-03-28' }, 'startDate'],
      [{ startDate: '2027-03-28', endDate: '2027-03-27' }, 'endDate'],
      [{ startDate: '2027-02-30', endDate: '2027-03-27' }, 'startDate'],
      [{ ...WEEK, startDate: '2027-03-28', endDate: '2027-03-28' }, 'startDate'],
    ] as const) {
      const refused = await carl.post('/absences', given)
      assert.deepEqual([refused.statusCode, refused.headers['error-field']], [400, field])
    }
  })

  it('takes any instant that says it is UTC, and never makes the span shorter', async () => {
    const made = await make(ada, {
      startTime: '2027-03-01T08:00:00.999+00:00',
      endTime: '2027-03-01T09:00:00.000000001Z',
    })
    assert.equal(made.startTime, '2027-03-01T08:00:00Z')
    assert.equal(made.endTime, '2027-03-01T09:00:01Z')
  })

  it('refuses invalid spans with the field and the reason', async () => {
    for (const [given, field, reason] of [
      [{ endTime: WEEK.startTime }, 'endTime', /^The end must be after the start\.$/],
      [{ endTime: '2027-01-01T00:00:00Z' }, 'endTime', /^The end must be after the start\.$/],
      [{ endTime: '2028-03-09T00:00:01Z' }, 'endTime', /400 days/],
      [{ startTime: '2027-02-01' }, 'startTime', /^The start must be a UTC instant/],
      [{ startTime: '2027-02-01T00:00:00' }, 'startTime', /^The start must be a UTC instant/],
      [{ startTime: '2027-02-01T00:00:00+01:00' }, 'startTime', /^The start must be a UTC instant/],
      [{ endTime: 'tomorrow' }, 'endTime', /^The end must be a UTC instant/],
      [{ startTime: '-002027-02-01T00:00:00Z' }, 'startTime', /1970/],
      [{ startTime: '+120000-01-01T00:00:00Z', endTime: '+120000-01-02T00:00:00Z' }, 'endTime', /9999/],
      [{ note: 'nul\u0000' }, 'note', /NUL/],
      [{ note: 'bell\u0007' }, 'note', /^The note must not contain control characters/],
      [{ note: null }, 'note', /^The note must be text/],
      [{ startTime: 1_800_000_000_000 }, 'startTime', /^The start must be text/],
    ] as const) {
      const reply = await ada.post('/absences', { ...WEEK, ...given })
      assert.equal(reply.statusCode, 400, JSON.stringify(given))
      assert.match(reply.json().error, reason)
      assert.equal(reply.headers['error-field'], field)
    }
    const { endTime: _, ...endless } = WEEK
    assert.equal((await ada.post('/absences', endless)).json().error, 'The end is required.')
    await make(ada, { endTime: '2028-03-07T00:00:00Z' })
  })

  it('changes what is sent, and checks the span as a whole', async () => {
    const { id } = await make(ada)
    const changed = await ada.patch(`/absences/${id}`, { note: 'Surfing' })
    assert.deepEqual(changed.json(), { id, ...WEEK_VIEW, note: 'Surfing' })
    const backwards = await ada.patch(`/absences/${id}`, { endTime: '2027-01-31T00:00:00Z' })
    assert.equal(backwards.statusCode, 400)
    assert.match(backwards.json().error, /after the start/)
    assert.equal((await ada.get(`/absences/${id}`)).json().endTime, WEEK.endTime)
  })

  it('does not let two tabs overwrite each other', async () => {
    const { id } = await make(ada)
    const etag = `${(await ada.get(`/absences/${id}`)).headers.etag}`
    const replies = await Promise.all(
      ['One', 'Two'].map((note) => ada.patch(`/absences/${id}`, { note }, { 'if-match': etag })),
    )
    assert.deepEqual(replies.map((reply) => reply.statusCode).sort(), [200, 412])
    assert.equal((await ada.del(`/absences/${id}`, { 'if-match': etag })).statusCode, 412)
    assert.equal((await ada.del(`/absences/${id}`)).statusCode, 204)
    assert.equal((await ada.get(`/absences/${id}`)).statusCode, 404)
  })

  it('refuses fields that clients may not set', async () => {
    const made = await make(ada, {})
    for (const more of [{ id: newId() }, { userId: bob.user.id }, { ownerId: bob.user.id }]) {
      assert.equal((await ada.patch(`/absences/${made.id}`, more)).statusCode, 400)
    }
    assert.equal((await bob.get(`/absences/${made.id}`)).statusCode, 404)
    assert.equal((await ada.get(`/absences/${made.id}`)).statusCode, 200)
  })

  it('hides the time off of others', async () => {
    const { id } = await make(ada, { note: 'Between ourselves' })
    assert.equal((await bob.get(`/absences/${id}`)).statusCode, 404)
    assert.equal((await bob.patch(`/absences/${id}`, { note: 'x' })).statusCode, 404)
    assert.equal((await bob.del(`/absences/${id}`)).statusCode, 404)
    assert.doesNotMatch((await bob.get('/absences')).body, /Between ourselves/)
    assert.equal((await ada.get(`/absences/${id}`)).json().note, 'Between ourselves')
    assert.equal((await ada.get('/absences/nonsense')).statusCode, 404)
  })

  it('lists what is still to come before what is over, page by page', async () => {
    const day = (date: number) => `2027-04-${String(date).padStart(2, '0')}T00:00:00Z`
    for (const date of [3, 1, 5, 5, 2, 5, 4]) {
      await make(bob, { startTime: day(date), endTime: day(date + 1), note: `${date}` })
    }
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const reply = await bob.get(`/absences?limit=2${cursor && `&cursor=${cursor}`}`)
      assert.equal(reply.statusCode, 200, reply.body)
      seen.push(...reply.json().items.map(({ note }: { note: string }) => note))
      cursor = reply.json().nextCursor
    }
    assert.deepEqual(seen, ['5', '5', '5', '4', '3', '2', '1'])
    assert.equal((await bob.get('/absences?cursor=nonsense')).statusCode, 400)
  })

  it('invalidates cached slots of the host', async () => {
    const revision = async () => {
      const row = await db()
        .selectFrom('schedulers')
        .select('revision')
        .where('id', '=', ada.user.id)
        .executeTakeFirstOrThrow()
      return row.revision
    }
    let before = await revision()
    const talk = await addEventType(db(), ada.user)
    const read = async () => context.slots.getBookable(ada.user.slug, talk.slug)
    let cached = await read()
    assert.equal(await read(), cached)
    const staleNow = async () => {
      assert.notEqual(await read(), cached)
      const after = await revision()
      assert.ok(after > before)
      before = after
      cached = await read()
    }
    const { id } = await make(ada)
    await staleNow()
    await ada.patch(`/absences/${id}`, { endTime: '2027-02-09T00:00:00Z' })
    await staleNow()
    await ada.del(`/absences/${id}`)
    await staleNow()
  })

  it('leads guests to the colleague who stands in', async () => {
    const [dora, emil] = await Promise.all(['dora', 'emil'].map((slug) => addUser(db(), slug)))
    assert.ok(dora && emil)
    const team = await addTeam(db(), 'stand-ins')
    for (const userId of [bob.user.id, dora.id]) {
      await insertTeamMember(db(), { teamId: team.id, userId, role: 'member' }, 0)
    }
    const talk = await addEventType(db(), bob.user, { slug: 'stand-in' })
    const { id } = await make(bob, { redirectTo: dora.id })
    for (const redirectTo of [emil.id, bob.user.id, team.id, newId(), 'nobody']) {
      const refused = await bob.patch(`/absences/${id}`, { redirectTo })
      assert.equal(refused.statusCode, 400, refused.body)
      assert.equal(refused.headers['error-field'], 'redirectTo')
      assert.match(refused.json().error, /Choose someone from one of your teams/)
    }
    assert.equal((await bob.get(`/absences/${id}`)).json().redirectTo, dora.id)

    const page = async (language = 'en') =>
      (await app.inject(`/${bob.user.slug}/stand-in?lang=${language}`)).body
    const link = (path: string) => `<a class="link" href="${path}">Book with ${dora.name} instead</a>`
    const away = 'is away: Feb 1 – 7, 2027.'
    assert.ok((await page()).replaceAll(/[\u2009\u202f]/g, ' ').includes(`${away} ${link('/dora')}`))
    assert.match(await page('de'), /ist abwesend: 01\.–07\.02\.2027\./)
    await addEventType(db(), dora, { slug: 'stand-in' })
    assert.ok((await page()).includes(link('/dora/stand-in')))

    const base = `/api/public/scheduling/${bob.user.slug}/stand-in`
    const slots = await app.inject(`${base}/slots?dateFrom=2027-02-01&dateTo=2027-02-07&timezone=UTC`)
    assert.deepEqual(slots.json(), [])
    const asked = await bob.get(`/event-types/${talk.id}/explain?start=2027-02-02T10:00:00Z`)
    assert.deepEqual(asked.json().groups[0].reasons, [
      `The host is away from 2027-02-01T00:00:00Z to 2027-02-08T00:00:00Z. Guests are led to ${dora.name}.`,
    ])

    await updateUser(db(), dora.id, { disabledAt: 1 })
    assert.ok(!(await page()).includes('is away'), 'a disabled account stands in for nobody')
    await updateUser(db(), dora.id, { disabledAt: null })
    await bob.patch(`/absences/${id}`, { redirectTo: null })
    assert.ok(!(await page()).includes('is away'))
  })

  it('records that an absence was changed, without its note', async () => {
    const { id } = await make(bob, { note: 'Surgery' })
    await bob.patch(`/absences/${id}`, { endTime: '2027-02-09T00:00:00Z' })
    await bob.del(`/absences/${id}`)
    const entries = await findAuditEntries(db(), [bob.user.id], { limit: 50 })
    const about = entries.filter(({ objectId }) => objectId === id)
    assert.deepEqual(
      about.map(({ action, objectType, changes }) => ({ action, objectType, changes })),
      [
        { action: 'deleted', objectType: 'absence', changes: [] },
        { action: 'updated', objectType: 'absence', changes: ['endsAt'] },
        { action: 'created', objectType: 'absence', changes: ['startsAt', 'endsAt', 'note'] },
      ],
    )
    assert.doesNotMatch(JSON.stringify(about), /Surgery/)
  })
})
