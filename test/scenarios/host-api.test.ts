import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Mail } from '../../src/outside/mail/mail.ts'
import { onEveryDatabase } from '../databases.ts'
import { type Host, signIn } from '../host-api.ts'
import { appOn, fromSomeoneNew, stoppedClock } from '../kit.ts'

/** A Tuesday; the clock of these tests stands at noon, UTC, on the Monday before. */
const TUESDAY = '2027-01-12'

onEveryDatabase('the host API, from first sign-in to audit', ({ db }) => {
  let app: FastifyInstance
  let mailbox: readonly Mail[]
  let ada: Host
  before(async () => {
    const under = await appOn(db(), { now: stoppedClock().now })
    app = under.app
    mailbox = under.mailbox
  })
  after(() => app.close())

  const ok = (answer: LightMyRequestResponse) => {
    assert.ok(answer.statusCode < 300, answer.body)
    return answer.json()
  }
  const guest = {
    slots: async (path: string): Promise<string[]> => {
      const query = `dateFrom=${TUESDAY}&dateTo=${TUESDAY}&timezone=Europe/Berlin`
      const days = ok(await app.inject(`/api/public/scheduling/${path}/slots?${query}`))
      return days.flatMap((day: { slots: { startTime: string }[] }) =>
        day.slots.map((slot) => slot.startTime),
      )
    },
    book: (path: string, startTime: string, minutes: number, more: object = {}) =>
      app.inject({
        method: 'POST',
        url: `/api/public/scheduling/${path}/book`,
        headers: fromSomeoneNew(),
        payload: {
          startTime,
          endTime: new Date(Date.parse(startTime) + minutes * 60_000).toISOString(),
          inviteeName: 'Grace Guest',
          inviteeEmail: 'grace@guests.example',
          inviteeTimezone: 'Europe/Berlin',
          ...more,
        },
      }),
  }

  it('signs in the first user by an emailed link, as the owner', async () => {
    ada = await signIn(app, mailbox, 'ada@example.org')
    const me = ok(await ada.get('/me'))
    assert.deepEqual([me.email, me.slug, me.admin], ['ada@example.org', 'ada', true])
  })

  it('lists the slots that the host has set up, and no others', async () => {
    const schedule = ok(
      await ada.post('/schedules', {
        name: 'Mornings',
        timezone: 'Europe/Berlin',
        weekly: { 2: [{ opens: '09:00', closes: '11:00' }] },
        isDefault: true,
      }),
    )
    assert.equal(schedule.isDefault, true)
    ok(
      await ada.post('/event-types', {
        slug: 'talk',
        name: 'A talk',
        durationMinutes: 45,
        intervalMinutes: 30,
        questions: [{ key: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
      }),
    )
    // Nine to eleven in Berlin, winter: three meetings of 45 minutes fit on a grid of 30.
    const starts = ['08:00', '08:30', '09:00'].map((time) => `${TUESDAY}T${time}:00Z`)
    assert.deepEqual(await guest.slots('ada/talk'), starts)
  })

  it('takes a booking with its answers, and shows it to the host', async () => {
    const [start = ''] = await guest.slots('ada/talk')
    assert.equal((await guest.book('ada/talk', start, 45)).statusCode, 400)
    const booked = ok(await guest.book('ada/talk', start, 45, { customFields: { topic: 'Engines' } }))
    const { items } = ok(await ada.get('/bookings'))
    assert.deepEqual(
      items.map((item: { id: string }) => item.id),
      [booked.id],
    )
    const seen = ok(await ada.get(`/bookings/${booked.id}`))
    assert.equal(seen.invitee.email, 'grace@guests.example')
    assert.deepEqual(seen.customFields, { topic: 'Engines' })
  })

  it('explains why a start is not offered', async () => {
    const { items } = ok(await ada.get('/event-types'))
    const ask = async (start: string) =>
      ok(await ada.get(`/event-types/${items[0].id}/explain?start=${start}`))
    const taken = await ask(`${TUESDAY}T08:00:00Z`)
    assert.equal(taken.offered, false)
    assert.match(taken.groups[0].reasons.join(' '), /Another meeting takes/)
    assert.equal((await ask(`${TUESDAY}T09:00:00Z`)).offered, true)
    assert.match((await ask(`${TUESDAY}T15:00:00Z`)).groups[0].reasons.join(' '), /closed/)
  })

  it('blocks slots during time off, and frees them when it is deleted', async () => {
    const before = await guest.slots('ada/talk')
    const absence = ok(
      await ada.post('/absences', { startTime: `${TUESDAY}T00:00:00Z`, endTime: `${TUESDAY}T23:00:00Z` }),
    )
    assert.deepEqual(await guest.slots('ada/talk'), [])
    assert.equal((await ada.del(`/absences/${absence.id}`)).statusCode, 204)
    assert.deepEqual(await guest.slots('ada/talk'), before)
  })

  it('refuses blocked guests without saying so', async () => {
    ok(await ada.post('/blocklist', { entry: 'guests.example' }))
    const [start = ''] = await guest.slots('ada/talk')
    const refused = await guest.book('ada/talk', start, 45, { customFields: { topic: 'Again' } })
    assert.equal(refused.statusCode, 400)
    assert.doesNotMatch(refused.body, /block/i)
  })

  it('routes a visitor by the form', async () => {
    const [{ id: eventTypeId }] = ok(await ada.get('/event-types')).items
    ok(
      await ada.post('/routing-forms', {
        slug: 'start',
        name: 'Start here',
        fields: [
          {
            id: 'size',
            label: 'Size',
            type: 'select',
            required: true,
            options: [
              { id: 'small', label: 'Small' },
              { id: 'large', label: 'Large' },
            ],
          },
        ],
        rules: [
          {
            when: { field: 'size', operator: 'equals', value: 'large' },
            target: { action: 'routeToEvent', eventTypeId },
          },
        ],
        fallback: { action: 'message', message: 'We will write to you.' },
      }),
    )
    const evaluate = async (size: string) =>
      ok(
        await app.inject({
          method: 'POST',
          url: '/api/public/routing/ada/start/evaluate',
          payload: { answers: { size } },
        }),
      )
    assert.equal((await evaluate('large')).eventTypeSlug, 'talk')
    assert.equal((await evaluate('small')).message, 'We will write to you.')
  })

  it('assigns bookings within a team that someone was invited to', async () => {
    const team = ok(await ada.post('/teams', { slug: 'engines', name: 'Engines' }))
    ok(await ada.post(`/teams/${team.id}/invitations`, { email: 'ben@example.org', role: 'member' }))
    const ben = await signIn(app, mailbox, 'ben@example.org')
    assert.equal(ok(await ben.get('/me')).teams[0]?.id, team.id)
    const [hours] = ok(await ben.get('/schedules')).items
    ok(await ben.patch(`/schedules/${hours.id}`, { timezone: 'UTC' }))
    ok(
      await ada.post('/event-types', {
        teamId: team.id,
        slug: 'call',
        name: 'A call',
        durationMinutes: 30,
        assignment: 'round-robin',
        hosts: [
          { userId: ada.user.id, fixed: false },
          { userId: ben.user.id, fixed: false, weight: 2 },
        ],
      }),
    )
    const starts = await guest.slots('engines/call')
    assert.ok(starts.length > 0)
    const booked = ok(
      await guest.book('engines/call', starts[0] as string, 30, { inviteeEmail: 'g@elsewhere.example' }),
    )
    const seenByBen = ok(await ben.get('/bookings'))
    assert.ok(seenByBen.items.some((item: { id: string }) => item.id === booked.id))
  })

  it('keeps old addresses working after a rename', async () => {
    ok(await ada.patch('/me', { slug: 'countess' }))
    const [eventType] = ok(await ada.get('/event-types')).items.filter(
      (item: { slug: string }) => item.slug === 'talk',
    )
    ok(await ada.patch(`/event-types/${eventType.id}`, { slug: 'lecture' }))
    assert.deepEqual(await guest.slots('ada/talk'), await guest.slots('countess/lecture'))
    assert.equal((await app.inject('/api/public/routing/ada/start')).statusCode, 200)
  })

  it('does not let two tabs overwrite each other', async () => {
    const [eventType] = ok(await ada.get('/event-types')).items
    const first = await ada.get(`/event-types/${eventType.id}`)
    const version = { 'if-match': String(first.headers.etag) }
    ok(await ada.patch(`/event-types/${eventType.id}`, { name: 'One' }, version))
    assert.equal((await ada.patch(`/event-types/${eventType.id}`, { name: 'Two' }, version)).statusCode, 412)
    assert.equal(ok(await ada.get(`/event-types/${eventType.id}`)).name, 'One')
  })

  it('has an audit of all these changes', async () => {
    const { items } = ok(await ada.get('/audit?limit=100'))
    const kinds = new Set(items.map((item: { objectType: string }) => item.objectType))
    for (const kind of ['schedule', 'event-type', 'routing-form', 'team', 'user'])
      assert.ok(kinds.has(kind), kind)
    assert.ok(items.every((item: { actor: string }) => /@example\.org$/.test(item.actor)))
  })
})
