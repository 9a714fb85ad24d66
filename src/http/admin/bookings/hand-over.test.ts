import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import { DAY, HOUR } from '../../../domain/interval.ts'

const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const iso = (instant: number) => new Date(instant).toISOString()

onEveryDatabase('handing over the meetings of a member', ({ db }) => {
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
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    for (const member of [bob, cyd]) {
      const invited = await ada.post(`/teams/${team}/invitations`, { email: member.user.email })
      await member.post(`/invitations/${invited.json().id}/accept`)
    }
    const type = async (slug: string, hosts: readonly Host[], more = {}) => {
      const given = { slug, name: slug, durationMinutes: 30, noticeMinutes: 0, teamId: team, ...more }
      const made = await ada.post('/event-types', {
        ...given,
        hosts: hosts.map(({ user }) => ({ userId: user.id, fixed: false })),
      })
      assert.equal(made.statusCode, 201, made.body)
    }
    const series = { every: ['week'], most: 4 }
    await type('shared', [bob, cyd], { assignment: 'round-robin', series })
    await type('both', [bob, cyd], { assignment: 'collective' })
  })

  async function book(page: string, startsAt: number, given = {}): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${page}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), startsAt, given),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }
  const hostOf = async (id: string) => (await ada.get(`/bookings/${id}`)).json().hostId
  const path = ({ user }: Host) => `/teams/${team}/members/${user.id}/hand-over`

  it('takes no span that ends before it begins', async () => {
    const span = { from: '2027-02-02T00:00:00Z', to: '2027-02-01T00:00:00Z' }
    const refused = await ada.post(path(bob), { automatic: true, ...span })
    assert.deepEqual([refused.statusCode, refused.headers['error-field']], [400, 'to'])
  })

  it('moves each meeting that someone can take, and says why the others stay', async () => {
    // Two at each time: each has one. On Thursday both attend, on Friday one has a series.
    const times = [TUESDAY_NINE, TUESDAY_NINE + DAY, TUESDAY_NINE + DAY + HOUR]
    const ids: string[] = []
    for (const at of times) ids.push(await book('crew/shared', at))
    const together = await book('crew/both', TUESDAY_NINE + 2 * DAY)
    await book('crew/shared', TUESDAY_NINE + 3 * DAY, { repeat: { every: 'week', count: 2 } })
    const of = async (host: Host) => {
      const { items } = (await ada.get(`/bookings?hostId=${host.user.id}&ownerId=${team}`)).json()
      return items.filter((one: { hostId: string }) => one.hostId === host.user.id)
    }
    // Bob has the first; at that time, Cyd is busy with another guest.
    const [mine] = ids as [string]
    const [from, to] = (await hostOf(mine)) === bob.user.id ? [bob, cyd] : [cyd, bob]
    const blocked = await book('crew/shared', TUESDAY_NINE)
    assert.equal(await hostOf(blocked), to.user.id)
    const before = await of(from)
    // Meetings of their own are no business of the team.
    const own = { slug: 'own', name: 'Own', durationMinutes: 30, noticeMinutes: 0 }
    assert.equal((await from.post('/event-types', own)).statusCode, 201)
    await book(`${from.user.slug}/own`, TUESDAY_NINE + 2 * HOUR)

    assert.equal((await ada.post(path(from), {})).statusCode, 400)
    assert.equal((await ada.post(path(from), { hostId: from.user.id })).statusCode, 400)
    assert.equal((await to.post(path(from), { automatic: true })).statusCode, 403)
    assert.equal((await ada.post(path(from), { automatic: true, from: 'soon' })).statusCode, 400)
    assert.deepEqual((await ada.post(path(ada), { automatic: true })).json(), {
      moved: [],
      failed: [],
      more: false,
    })
    const nobody = await ada.post(`/teams/${team}/members/${team}/hand-over`, { automatic: true })
    assert.equal(nobody.statusCode, 404)

    // An absence on Tuesday alone: the meeting that runs into it counts, but nobody can take it.
    const absence = { from: iso(TUESDAY_NINE + HOUR / 4), to: iso(TUESDAY_NINE + DAY) }
    const tuesday = await from.post(path(from), { automatic: true, ...absence })
    assert.equal(tuesday.statusCode, 200, tuesday.body)
    assert.deepEqual(
      tuesday.json().failed.map((one: { bookingId: string }) => one.bookingId),
      [mine],
    )
    assert.match(tuesday.json().failed[0].reason, /^No other host is free/)
    assert.deepEqual(tuesday.json().moved, [])

    const all = (await from.post(path(from), { hostId: to.user.id, reason: 'I am ill.' })).json()
    assert.equal(all.more, false)
    const stayed = all.failed.map((one: { bookingId: string; reason: string }) => [one.bookingId, one.reason])
    assert.deepEqual(
      new Map(stayed).get(mine),
      'This host has another meeting at this time. Choose someone else.',
    )
    assert.match(String(new Map(stayed).get(together)), /attend together/)
    assert.equal(all.failed.length, 2)
    assert.ok(all.moved.every((one: { hostId: string }) => one.hostId === to.user.id))
    const isMoved = ({ id }: { id: string }) =>
      all.moved.some((one: { bookingId: string }) => one.bookingId === id)
    assert.ok(before.filter(({ id }: { id: string }) => id !== mine && id !== together).every(isMoved))
    const left = (await of(from)).map(({ id }: { id: string }) => id)
    assert.ok(left.every((id: string) => id === mine || id === together))
    const again = (await from.post(path(from), { hostId: to.user.id })).json()
    assert.deepEqual([again.moved, again.failed.length], [[], 2])
  })

  it('gives a series to one host, or its meetings to those who can', async () => {
    const at = TUESDAY_NINE + 42 * DAY
    const made = await book('crew/shared', at, { repeat: { every: 'week', count: 3 } })
    const series = (await ada.get(`/bookings/${made}`)).json().series as { id: string }[]
    const [from, to] = (await hostOf(made)) === bob.user.id ? [bob, cyd] : [cyd, bob]
    const span = { from: iso(at), to: iso(at + 30 * DAY) }
    const moved = (await ada.post(path(from), { automatic: true, ...span })).json()
    assert.deepEqual(
      moved.moved.map((one: { bookingId: string }) => one.bookingId),
      series.map(({ id }) => id),
    )
    // One announcement tells of all of them.
    const rows = await db().selectFrom('outbox').select('data').where('kind', '=', 'announce').execute()
    const told = rows.map(({ data }) => JSON.parse(data)).filter(({ type }) => type === 'reassigned')
    assert.deepEqual(
      told
        .filter(({ bookingId }) => series.some(({ id }) => id === bookingId))
        .map(({ together }) => together.length),
      [3, 0, 0],
    )
    const other = await book('crew/shared', at + 7 * DAY)
    assert.equal(await hostOf(other), from.user.id)
    const back = (await ada.post(path(to), { automatic: true, ...span })).json()
    assert.deepEqual(
      [back.moved.length, back.failed.map((one: { bookingId: string }) => one.bookingId)],
      [2, [series[1]?.id]],
    )
  })

  it('shows in the report, by reason, and adds up', async () => {
    const path = `/teams/${team}/assignments?from=2027-01-11&to=2027-03-31`
    const report = (await cyd.get(path)).json()
    assert.deepEqual([report.from, report.to, report.timezone], ['2027-01-11', '2027-03-31', 'UTC'])
    const [only, ...more] = report.eventTypes
    assert.equal(more.length, 0, 'all attend the other event type')
    assert.deepEqual(only.hosts, report.hosts)
    const { items } = (await ada.get(`/bookings?ownerId=${team}&eventTypeId=${only.eventTypeId}`)).json()
    type Share = {
      hostId: string
      name: string
      meetings: number
      due: number
      reasons: Record<string, number>
    }
    const sum = (of: (share: Share) => number) => report.hosts.map(of).reduce((a: number, b: number) => a + b)
    assert.equal(
      sum(({ meetings }) => meetings),
      items.length,
    )
    assert.ok(Math.abs(sum(({ due }) => due) - items.length) < 0.1)
    for (const { hostId, name, meetings, reasons } of report.hosts as Share[]) {
      assert.ok(name !== '')
      const theirs = items.filter((one: { hostId: string }) => one.hostId === hostId)
      assert.equal(theirs.length, meetings)
      for (const [reason, count] of Object.entries(reasons)) {
        const same = theirs.filter(
          (one: { assignment: { reason: string } }) => one.assignment.reason === reason,
        )
        assert.equal(same.length, count, reason)
      }
    }
    assert.ok(sum(({ reasons }) => reasons['manual'] ?? 0) > 0)
    const [first] = items as [{ id: string }]
    assert.equal((await ada.post(`/bookings/${first.id}/cancel`)).statusCode, 200)
    const after = (await ada.get(path)).json().hosts as Share[]
    assert.equal(
      after.reduce((total, { meetings }) => total + meetings, 0),
      items.length - 1,
    )
    assert.deepEqual(
      (await ada.get(`/teams/${team}/assignments`)).json().hosts,
      [],
      'nothing started before today',
    )
    assert.equal((await ada.get(`/teams/${team}/assignments?from=soon`)).statusCode, 400)
  })
})
