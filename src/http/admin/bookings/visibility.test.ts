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

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR

onEveryDatabase('bookings that members of a team see', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let cyd: Host
  let dan: Host
  let team: string
  let hours = 0

  before(async () => {
    const { mailbox, ...made } = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    cyd = await signIn(app, mailbox, 'cyd@hosts.example')
    dan = await signIn(app, mailbox, 'dan@hosts.example')
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    for (const [member, role] of [
      [bob, 'member'] as const,
      [cyd, 'member'] as const,
      [dan, 'admin'] as const,
    ]) {
      const invited = await ada.post(`/teams/${team}/invitations`, { email: member.user.email, role })
      await member.post(`/invitations/${invited.json().id}/accept`)
    }
    for (const [slug, assignment, hosts] of [
      ['bobs', 'round-robin', [bob]],
      ['cyds', 'round-robin', [cyd]],
      ['turns', 'round-robin', [bob, cyd]],
      ['both', 'collective', [bob, cyd]],
    ] as const) {
      const made = await ada.post('/event-types', {
        teamId: team,
        slug,
        name: slug,
        durationMinutes: 30,
        noticeMinutes: 0,
        assignment,
        hosts: hosts.map(({ user }) => ({ userId: user.id, fixed: assignment === 'collective' })),
      })
      assert.equal(made.statusCode, 201, made.body)
    }
  })

  /** As a guest does, an hour after the booking before. */
  async function book(slug: string): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/crew/${slug}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), TUESDAY_NINE + hours++ * HOUR),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  const listed = async (host: Host, query = '') =>
    (await host.get(`/bookings${query}`)).json().items.map(({ id }: { id: string }) => id)

  const exported = async (host: Host) =>
    (await host.get('/bookings.csv')).body.trimEnd().split('\r\n').slice(1).length

  const statusOf = async (host: Host, id: string) => (await host.get(`/bookings/${id}`)).statusCode

  it('are those they host, until the team shows them all', async () => {
    const [bobs, cyds, both] = [await book('bobs'), await book('cyds'), await book('both')]
    const all = [bobs, cyds, both]
    for (const manager of [ada, dan]) assert.deepEqual(await listed(manager), all)
    assert.deepEqual(await listed(bob), [bobs, both])
    assert.deepEqual(await listed(cyd, '?order=desc'), [both, cyds])
    for (const query of [
      `?ownerId=${team}`,
      '?status=Confirmed',
      '?text=guest',
      `?from=${new Date(TUESDAY_NINE).toISOString()}`,
    ]) {
      assert.deepEqual(await listed(bob, query), [bobs, both], query)
    }
    assert.deepEqual(await listed(bob, `?hostId=${cyd.user.id}`), [both])
    assert.deepEqual([await exported(ada), await exported(bob)], [3, 2])
    assert.deepEqual([await statusOf(bob, cyds), await statusOf(bob, both)], [404, 200])
    // Nor does a mistake in the request tell that it exists.
    assert.equal((await bob.post(`/bookings/${cyds}/cancel`, { mistake: true })).statusCode, 404)

    assert.equal((await bob.patch(`/teams/${team}`, { membersSeeAll: true })).statusCode, 403)
    const changed = await dan.patch(`/teams/${team}`, { membersSeeAll: true })
    assert.deepEqual([changed.statusCode, changed.json().membersSeeAll], [200, true])
    const [entry] = (await ada.get('/audit')).json().items
    assert.deepEqual([entry.objectType, entry.changes], ['team', ['membersSeeAll']])
    assert.deepEqual(await listed(bob), all)
    assert.equal(await exported(bob), 3)
    assert.equal(await statusOf(bob, cyds), 200)
    assert.equal((await bob.post(`/bookings/${cyds}/cancel`)).statusCode, 403)
    const again = await ada.patch(`/teams/${team}`, { name: 'The crew' })
    assert.equal(again.json().membersSeeAll, true)
    await ada.patch(`/teams/${team}`, { membersSeeAll: false })
    assert.equal(await statusOf(bob, cyds), 404)
  })

  it('include what private links fill in, which is for admins unless the team shows all', async () => {
    const types = (await ada.get(`/event-types?ownerId=${team}`)).json().items
    const { id } = types.find(({ slug }: { slug: string }) => slug === 'bobs')
    const answers = { name: 'Grace', email: 'grace@guests.example' }
    const made = await dan.post(`/event-types/${id}/links`, { answers, note: 'For a customer' })
    assert.equal(made.statusCode, 201, made.body)
    const linkOf = async (host: Host) => (await host.get(`/event-types/${id}/links`)).json().items[0]
    for (const manager of [ada, dan]) assert.deepEqual((await linkOf(manager)).answers, answers)
    for (const member of [bob, cyd]) {
      const { answers: shown, note } = await linkOf(member)
      assert.deepEqual([shown, note], [{}, 'For a customer'])
    }
    await ada.patch(`/teams/${team}`, { membersSeeAll: true })
    assert.deepEqual((await linkOf(bob)).answers, answers)
    await ada.patch(`/teams/${team}`, { membersSeeAll: false })
  })

  it('are answered once more to those who give one away', async () => {
    const shared = await book('turns')
    const { hostId } = (await ada.get(`/bookings/${shared}`)).json()
    const [from, to] = hostId === bob.user.id ? [bob, cyd] : [cyd, bob]
    const moved = await from.post(`/bookings/${shared}/reassign`, { hostId: to.user.id })
    assert.deepEqual([moved.statusCode, moved.json().hostId], [200, to.user.id])
    assert.deepEqual([await statusOf(from, shared), await statusOf(to, shared)], [404, 200])

    // A cancelled meeting takes no host's time: its main host alone is known.
    const both = await book('both')
    const main = (await ada.get(`/bookings/${both}`)).json().hostId
    const [first, second] = main === bob.user.id ? [bob, cyd] : [cyd, bob]
    const cancelled = await second.post(`/bookings/${both}/cancel`)
    assert.deepEqual([cancelled.statusCode, cancelled.json().status], [200, 'Cancelled'])
    assert.deepEqual([await statusOf(first, both), await statusOf(second, both)], [200, 404])

    const eventTypes = (await ada.get(`/event-types?ownerId=${team}`)).json().items
    const { id: eventTypeId } = eventTypes.find(({ slug }: { slug: string }) => slug === 'turns')
    const made: { id: string; hostId: string }[] = []
    for (let i = 0; i < 2; i++) {
      const guest = bookingOf(plainEventType(), TUESDAY_NINE + hours * HOUR)
      const answer = await bob.post('/bookings', {
        eventTypeId,
        ...guest,
        inviteeEmail: `g${i}@guests.example`,
      })
      assert.equal(answer.statusCode, 201, answer.body)
      made.push(answer.json())
    }
    for (const { id, hostId } of made) {
      assert.equal(await statusOf(bob, id), hostId === bob.user.id ? 200 : 404)
    }
    assert.equal(new Set(made.map((one) => one.hostId)).size, 2)
  })

  it('are counted for all members', async () => {
    const period = '?from=2027-01-11&to=2027-01-15'
    const counts = async (host: Host) => (await host.get(`/insights${period}&ownerId=${team}`)).json().totals
    assert.deepEqual(await counts(bob), await counts(ada))
    assert.equal((await bob.get(`/teams/${team}/assignments${period}`)).statusCode, 200)
  })
})
