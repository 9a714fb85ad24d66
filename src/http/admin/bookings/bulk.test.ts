import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signInWithToken } from '../../../../test/host-api.ts'
import { jobsOf, runDueJobs } from '../../../../test/jobs.ts'
import {
  addEventType,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import type { Context } from '../../../services/context.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const NOT_YOURS = 'There is nothing here, or it is not yours.'

interface Result {
  readonly id: string
  readonly ok: boolean
  readonly error: string | null
}

onEveryDatabase('changes to many bookings at once', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let mailbox: Mail[]
  let ada: Host
  let bob: Host
  let cyd: Host
  let eve: Host
  let workshop: string
  let hours = 0

  before(async () => {
    const made = await appOn(db(), { signup: 'open', now: clock.now })
    app = made.app
    context = made.context
    mailbox = made.mailbox
    ada = await signInWithToken(app, mailbox, 'ada@hosts.example')
    bob = await signInWithToken(app, mailbox, 'bob@hosts.example')
    cyd = await signInWithToken(app, mailbox, 'cyd@hosts.example')
    eve = await signInWithToken(app, mailbox, 'eve@hosts.example')
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    for (const member of [bob, cyd]) {
      const invited = await ada.post(`/teams/${team}/invitations`, { email: member.user.email })
      await member.post(`/invitations/${invited.json().id}/accept`)
    }
    const hosts = [bob, cyd].map(({ user }) => ({ userId: user.id, fixed: false }))
    for (const [slug, more] of [
      ['asked', { requiresApproval: true }],
      ['intro', {}],
      ['turns', { teamId: team, assignment: 'round-robin', hosts }],
    ] as const) {
      const answer = await ada.post('/event-types', {
        slug,
        name: slug,
        durationMinutes: 30,
        noticeMinutes: 0,
        ...more,
      })
      assert.equal(answer.statusCode, 201, answer.body)
    }
    const seated = { slug: 'seated', assignment: 'round-robin', seats: 3 } as const
    const turn = [{ hostId: bob.user.id, fixed: false }]
    workshop = (await addEventType(db(), { id: team }, seated, turn)).id
  })

  const pageOf = (slug: string) => (slug === 'turns' || slug === 'seated' ? 'crew' : ada.user.slug)

  /** As guests do, each an hour after the one before; or all of them in one meeting. */
  async function book(slug: string, count: number, together = false): Promise<string[]> {
    const ids: string[] = []
    for (let guest = 0; guest < count; guest++) {
      const day = Math.floor(hours / 8)
      const startsAt = TUESDAY_NINE + ((day % 4) * 24 + Math.floor(day / 4) * 168 + (hours % 8)) * HOUR
      if (!together || guest === count - 1) hours++
      const answer = await app.inject({
        method: 'POST',
        url: `/api/public/scheduling/${pageOf(slug)}/${slug}/book`,
        headers: fromSomeoneNew(),
        payload: bookingOf(plainEventType(), startsAt),
      })
      assert.equal(answer.statusCode, 201, answer.body)
      ids.push(answer.json().id)
    }
    return ids
  }

  async function bulk(host: Host, body: object): Promise<Result[]> {
    const answer = await host.post('/bookings/bulk', body)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().results
  }

  const statusesOf = async (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await ada.get(`/bookings/${id}`)).json().status))

  const fine = (ids: readonly string[]) => ids.map((id) => ({ id, ok: true, error: null }))

  it('approve and decline, in the order asked, and twice change nothing twice', async () => {
    const [a, b, c] = (await book('asked', 3)) as [string, string, string]
    assert.deepEqual(await bulk(ada, { action: 'approve', ids: [c, a] }), fine([c, a]))
    assert.deepEqual(await bulk(ada, { action: 'decline', ids: [b], reason: 'Away' }), fine([b]))
    assert.deepEqual(await statusesOf([a, b, c]), ['Confirmed', 'Declined', 'Confirmed'])
    const before = (await ada.get(`/bookings/${a}`)).json().sequence
    assert.deepEqual(await bulk(ada, { action: 'approve', ids: [a, a, c] }), fine([a, a, c]))
    assert.equal((await ada.get(`/bookings/${a}`)).json().sequence, before)
    assert.equal((await ada.get(`/bookings/${b}`)).json().reason, 'Away')
  })

  it('can be undone where one can be', async () => {
    const ids = await book('asked', 2)
    assert.deepEqual(await bulk(ada, { action: 'decline', ids, undoable: true }), fine(ids))
    for (const id of ids) assert.equal((await ada.post(`/bookings/${id}/undo`)).statusCode, 200)
    assert.deepEqual(await statusesOf(ids), ['PendingApproval', 'PendingApproval'])
  })

  it('name what fails row by row, and do the rest', async () => {
    const [mine] = (await book('intro', 1)) as [string]
    const [pending] = (await book('asked', 1)) as [string]
    const results = await bulk(ada, {
      action: 'cancel',
      ids: [UNKNOWN_ID, mine, 'nonsense', pending],
      reason: 'Ill',
    })
    assert.deepEqual(
      results.map(({ id, ok }) => [id, ok]),
      [
        [UNKNOWN_ID, false],
        [mine, true],
        ['nonsense', false],
        [pending, true],
      ],
    )
    assert.deepEqual([results[0]?.error, results[2]?.error], [NOT_YOURS, NOT_YOURS])
    const [early] = (await book('intro', 1)) as [string]
    const [refused] = await bulk(ada, { action: 'no-show', ids: [early] })
    assert.deepEqual(refused, { id: early, ok: false, error: 'This meeting has not started yet.' })
    const single = await ada.post(`/bookings/${early}/no-show`)
    assert.equal(single.json().error, refused?.error)
  })

  it('say it in the language of the request', async () => {
    const answer = await ada.post(
      '/bookings/bulk',
      { action: 'cancel', ids: [UNKNOWN_ID] },
      { 'accept-language': 'de' },
    )
    assert.equal(answer.json().results[0].error, 'Hier gibt es nichts, oder es gehört jemand anderem.')
  })

  it('are only for those who may make the single change', async () => {
    const [id] = (await book('intro', 1)) as [string]
    assert.deepEqual(await bulk(eve, { action: 'cancel', ids: [id] }), [{ id, ok: false, error: NOT_YOURS }])
    const [turn] = (await book('turns', 1)) as [string]
    const { hostId } = (await ada.get(`/bookings/${turn}`)).json()
    const other = hostId === bob.user.id ? cyd : bob
    const single = await other.post(`/bookings/${turn}/cancel`)
    const [many] = await bulk(other, { action: 'cancel', ids: [turn] })
    assert.equal(many?.ok, false)
    assert.equal(many?.error, single.json().error)
    assert.deepEqual(await statusesOf([id, turn]), ['Confirmed', 'Confirmed'])
  })

  it('hand a seated meeting over once, for the host who gives it away', async () => {
    const ids = await book('seated', 3, true)
    const hosts = [bob, cyd].map(({ user }) => ({ userId: user.id, fixed: false }))
    const changed = await ada.patch(`/event-types/${workshop}`, { hosts, seats: 1 })
    assert.equal(changed.statusCode, 200, changed.body)
    const asked = { action: 'hand-over', ids, hostId: cyd.user.id }
    assert.deepEqual(await bulk(bob, asked), fine(ids))
    for (const id of ids) assert.equal((await ada.get(`/bookings/${id}`)).json().hostId, cyd.user.id)
    await runDueJobs(context)
    const told = mailbox.length
    assert.deepEqual(await bulk(ada, asked), fine(ids))
    assert.equal((await jobsOf(db(), 'announce')).length, 0)
    await runDueJobs(context)
    assert.equal(mailbox.length, told)
  })

  it('refuse a request that says too little or too much, and change nothing', async () => {
    const ids = await book('intro', 1)
    const refusals: [object, RegExp][] = [
      [{ action: 'hand-over', ids }, /who takes these meetings over/],
      [{ action: 'delete', ids }, /action/i],
      [{ action: 'cancel', ids: [] }, /list of ids/],
      [{ action: 'cancel', ids: Array.from({ length: 201 }, () => ids[0]) }, /200/],
      [{ action: 'cancel' }, /list of ids/],
      [{ action: 'cancel', ids, why: 'x' }, /why/],
      [{ action: 'cancel', ids, reason: 'x'.repeat(1001) }, /1000/],
    ]
    for (const [body, said] of refusals) {
      const answer = await ada.post('/bookings/bulk', body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, said)
    }
    assert.deepEqual(await statusesOf(ids), ['Confirmed'])
    assert.equal((await app.inject({ method: 'POST', url: '/api/admin/bookings/bulk' })).statusCode, 401)
  })
})
