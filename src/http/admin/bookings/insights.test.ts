import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn, fromSomeoneNew, MONDAY_NOON, stoppedClock } from '../../../../test/kit.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TUESDAY_NINE = MONDAY_NOON + DAY - 3 * HOUR
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

onEveryDatabase('/api/admin/insights', ({ db }) => {
  let app: FastifyInstance
  let ada: Host
  let eve: Host
  let intro: string
  let team: string
  let form: string

  before(async () => {
    const { mailbox, ...made } = await appOn(db(), { signup: 'open', now: stoppedClock().now })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    eve = await signIn(app, mailbox, 'eve@hosts.example')
    // An hour that is not whole: nine in the morning, UTC, is 14:45 there.
    await ada.patch('/me', { timezone: 'Asia/Kathmandu' })
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    intro = await addType(ada, { slug: 'intro' })
    await addType(ada, { slug: 'crew-talk', teamId: team, hosts: [{ userId: ada.user.id, fixed: true }] })
    await addType(eve, { slug: 'other' })
    await book('ada/intro', TUESDAY_NINE)
    await book('ada/intro', TUESDAY_NINE + DAY)
    const off = await book('ada/intro', TUESDAY_NINE + DAY + HOUR)
    assert.equal((await ada.post(`/bookings/${off}/cancel`)).statusCode, 200)
    await book('crew/crew-talk', TUESDAY_NINE + 2 * DAY)
    await book('eve/other', TUESDAY_NINE)
    const made1 = await ada.post('/routing-forms', {
      slug: 'contact',
      name: 'Contact',
      fields: [{ id: 'topic', label: 'Topic', type: 'text' }],
      rules: [
        {
          when: { field: 'topic', operator: 'equals', value: 'talk' },
          target: { action: 'routeToEvent', eventTypeId: intro },
        },
      ],
      fallback: { action: 'message', message: 'Thank you.' },
    })
    form = made1.json().id
    for (const topic of ['talk', 'tea', 'Talk']) {
      const url = '/api/public/routing/ada/contact/evaluate'
      const answer = await app.inject({
        method: 'POST',
        url,
        payload: { answers: { topic } },
        headers: fromSomeoneNew(),
      })
      assert.equal(answer.statusCode, 200, answer.body)
    }
  })

  async function addType(owner: Host, more: object): Promise<string> {
    const plain = { name: 'A talk', durationMinutes: 30, noticeMinutes: 0 }
    const answer = await owner.post('/event-types', { ...plain, ...more })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  async function book(path: string, startsAt: number): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${path}/book`,
      payload: {
        startTime: new Date(startsAt).toISOString(),
        endTime: new Date(startsAt + HOUR / 2).toISOString(),
        inviteeName: 'Grace Guest',
        inviteeEmail: `grace-${startsAt}@guests.example`,
        inviteeTimezone: 'UTC',
      },
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  const insights = async (query: string, host = ada) => {
    const answer = await host.get(`/insights?${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const WEEK = 'from=2027-01-11&to=2027-01-17'

  it('counts bookings of the host and their teams by date, on the host’s clock', async () => {
    const { byDay, totals, timezone } = await insights(WEEK)
    assert.equal(timezone, 'Asia/Kathmandu')
    assert.equal(byDay.length, 7)
    assert.deepEqual(
      byDay.filter(({ held, calledOff }: Record<string, number>) => held || calledOff),
      [
        { date: '2027-01-12', held: 1, calledOff: 0 },
        { date: '2027-01-13', held: 1, calledOff: 1 },
        { date: '2027-01-14', held: 1, calledOff: 0 },
      ],
    )
    assert.equal(totals.Confirmed, 3)
    assert.equal(totals.Cancelled, 1)
  })

  it('counts them by hour, event type and lead time', async () => {
    const { byHour, byEventType, leadTimes } = await insights(WEEK)
    assert.deepEqual(byHour, [
      { weekday: 2, hour: 14, count: 1 },
      { weekday: 3, hour: 14, count: 1 },
      { weekday: 4, hour: 14, count: 1 },
    ])
    assert.deepEqual(byEventType[0], { eventTypeId: intro, held: 2, calledOff: 1 })
    // Booked on Monday at noon: 21, 45 and 69 hours before.
    const counted = leadTimes.filter(({ count }: { count: number }) => count > 0)
    assert.deepEqual(counted, [
      { hours: 24, count: 1 },
      { hours: 72, count: 2 },
    ])
  })

  it('counts where forms led, most often first', async () => {
    const { routes } = await insights(WEEK)
    assert.deepEqual(
      routes.map(({ formId, result, count }: Record<string, unknown>) => ({ formId, count, result })),
      [
        {
          formId: form,
          count: 2,
          result: { action: 'routeToEvent', eventTypeId: intro, redirectUrl: null, message: null },
        },
        {
          formId: form,
          count: 1,
          result: { action: 'message', eventTypeId: null, redirectUrl: null, message: 'Thank you.' },
        },
      ],
    )
  })

  it('counts for one owner, and nothing of others', async () => {
    const crew = await insights(`${WEEK}&ownerId=${team}`)
    assert.equal(crew.totals.Confirmed, 1)
    assert.deepEqual(crew.routes, [])
    const eves = await insights(WEEK, eve)
    assert.equal(eves.totals.Confirmed, 1)
    assert.deepEqual(eves.routes, [])
    assert.equal((await eve.get(`/insights?ownerId=${team}`)).statusCode, 404)
    assert.equal((await eve.get(`/insights?ownerId=${UNKNOWN_ID}`)).statusCode, 404)
  })

  it('takes both dates in, and no booking beyond them', async () => {
    assert.equal((await insights('from=2027-01-12&to=2027-01-12')).totals.Confirmed, 1)
    assert.equal((await insights('from=2027-01-15&to=2027-01-20')).totals.Confirmed, 0)
    const usual = await insights('')
    assert.deepEqual([usual.from, usual.to], ['2026-12-13', '2027-01-11'])
  })

  it('refuses dates that are malformed, backwards, or too far apart', async () => {
    for (const query of ['from=2027-02-30', 'to=soon', 'from=2027-01-02&to=2027-01-01', 'from=2025-01-01']) {
      const answer = await ada.get(`/insights?${query}`)
      assert.equal(answer.statusCode, 400, query)
      assert.match(answer.json().error, /\.$/)
    }
  })

  it('previews what would be listed with other settings, and saves nothing', async () => {
    const query = 'dateFrom=2027-01-15&dateTo=2027-01-15&timezone=UTC'
    const url = `/event-types/${intro}/preview?${query}`
    const listed = (await app.inject(`/api/public/scheduling/ada/intro/slots?${query}`)).json()
    assert.deepEqual((await ada.post(url, {})).json(), listed)
    const [day] = (await ada.post(url, { durationMinutes: 240 })).json()
    assert.equal(day.slots.length, 2)
    assert.deepEqual((await ada.post(url, { window: { kind: 'rolling', days: 1 } })).json(), [])
    const hours = {
      name: 'Never on Fridays',
      timezone: 'UTC',
      weekly: { 1: [{ opens: '09:00', closes: '10:00' }] },
    }
    const scheduleId = (await ada.post('/schedules', hours)).json().id
    assert.deepEqual((await ada.post(url, { scheduleId })).json(), [])
    assert.deepEqual((await ada.post(url, { hosts: [] })).json(), [])
    const refused = await ada.post(url, { noticeMinutes: 100_000 })
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /notice/)
    assert.equal((await ada.get(`/event-types/${intro}`)).json().durationMinutes, 30)
    assert.equal((await eve.post(url, {})).statusCode, 404)
  })
})
