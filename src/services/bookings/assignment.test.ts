import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { bookAt, getListed } from '../../../test/bookings.ts'
import { onEveryDatabase, openPatiently } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, contextOn, MONDAY_NOON, stoppedClock } from '../../../test/kit.ts'
import type { Author } from '../../domain/bookings/decisions/author.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Db } from '../../store/engine/database.ts'
import { type HostSeat, replaceHosts } from '../../store/event-types/event-types.ts'
import { bumpRevisions } from '../../store/people/schedulers.ts'
import { deleteTeamHost } from '../../store/people/team-hosts.ts'
import type { Context } from '../context.ts'
import { cancel } from './cancel.ts'
import { reschedule } from './guest/reschedule.ts'
import { decline } from './host/decline.ts'
import { undoAnswer } from './host/undo-answer.ts'

const TUESDAY = MONDAY_NOON + DAY - 3 * HOUR
const GUEST: Author = { by: 'guest' }
const HOST: Author = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }

onEveryDatabase('fair assignment', ({ db, url, engine }) => {
  const clock = stoppedClock()
  const others: Db[] = []
  let context: Context
  before(async () => {
    ;({ context } = contextOn(db(), { now: clock.now }))
  })
  after(() => Promise.all(others.map((other) => other.destroy())))

  let people = 0
  async function newTeam(weights: readonly number[], given: Partial<EventType> = {}) {
    const team = await addTeam(db(), `fair-team-${people++}`)
    const hosts: Scheduler[] = []
    for (const _ of weights) hosts.push(await addUser(db(), `fair-${people++}`))
    const seats = hosts.map(({ id }, i) => ({ hostId: id, fixed: false, weight: weights[i] as number }))
    const talk = await addEventType(db(), team, { assignment: 'round-robin', ...given }, seats)
    return { team, talk, seats, ids: hosts.map(({ id }) => id) }
  }
  async function balancesOf({ id }: EventType): Promise<Record<string, number>> {
    const query = db().selectFrom('event_type_hosts').select(['host_id', 'balance'])
    const rows = await query.where('event_type_id', '=', id).orderBy('host_id').execute()
    return Object.fromEntries(rows.map((row) => [row.host_id, row.balance]))
  }
  const assertBalances = async (talk: EventType, ids: readonly string[], expected: readonly number[]) => {
    const balances = await balancesOf(talk)
    const actual = ids.map((id) => balances[id] as number)
    const isSame = actual.every((balance, i) => Math.abs(balance - (expected[i] as number)) < 1e-9)
    assert.ok(isSame && actual.length === Object.keys(balances).length, JSON.stringify([actual, expected]))
  }

  it('gives hosts meetings by their weights, and says why they got each', async () => {
    const { team, talk, ids } = await newTeam([3, 1])
    const given: string[] = []
    for (let i = 0; i < 8; i++)
      given.push((await bookAt(context, team, talk, TUESDAY + (i * HOUR) / 2)).hostId)
    assert.deepEqual(
      ids.map((id) => given.filter((one) => one === id).length),
      [6, 2],
    )
    await assertBalances(talk, ids, [0, 0])
    const last = await bookAt(context, team, talk, TUESDAY + 5 * HOUR)
    const { hostId, reason, detail } = last.assignment ?? {}
    assert.deepEqual([hostId, reason, detail], [last.hostId, 'turn', 'Next of 2 free hosts.'])
    const only = await bookAt(context, team, talk, TUESDAY + 5 * HOUR)
    assert.deepEqual([only.assignment?.reason, only.assignment?.changes], ['only', {}])
  })

  it('stores nothing about event types without a choice', async () => {
    const ada = await addUser(db(), `fair-${people++}`)
    const talk = await addEventType(db(), ada)
    assert.equal('assignment' in (await bookAt(context, ada, talk, TUESDAY)), false)
  })

  it('reverses what is cancelled or declined, once, and applies it again when that is undone', async () => {
    const { team, talk, ids } = await newTeam([1, 1, 1], { requiresApproval: true })
    const first = await bookAt(context, team, talk, TUESDAY)
    const second = await bookAt(context, team, talk, TUESDAY)
    const rest = ids.find((id) => id !== first.hostId && id !== second.hostId) as string
    const inOrder = [first.hostId, second.hostId, rest]
    await assertBalances(talk, inOrder, [-2 / 3, 1 / 3 - 1 / 2, 1 / 3 + 1 / 2])
    await cancel(context, GUEST, first, { reason: '' })
    await assertBalances(talk, inOrder, [0, -1 / 2, 1 / 2])
    await cancel(context, GUEST, await getListed(db(), first.booking.id), { reason: '' })
    await assertBalances(talk, inOrder, [0, -1 / 2, 1 / 2])
    const declined = await decline(context, HOST, second, { reason: '', undoFor: 8000 })
    await assertBalances(talk, inOrder, [0, 0, 0])
    await undoAnswer(context, HOST, declined)
    await assertBalances(talk, inOrder, [0, -1 / 2, 1 / 2])
  })

  it('takes one turn for a series, of which each meeting gives its part back', async () => {
    const { team, talk, ids } = await newTeam([1, 1], { series: { every: ['week'], most: 4 } })
    const first = await bookAt(context, team, talk, TUESDAY, { repeat: { every: 'week', count: 4 } })
    const inOrder = [first.hostId, ids.find((id) => id !== first.hostId) as string]
    await assertBalances(talk, inOrder, [-1 / 2, 1 / 2])
    await cancel(context, GUEST, first, { reason: '', scope: 'one' })
    await assertBalances(talk, inOrder, [-3 / 8, 3 / 8])
  })

  it('moves the assignment with a booking that goes to another host', async () => {
    const { team, talk, ids } = await newTeam([1, 1])
    const kept = await bookAt(context, team, talk, TUESDAY)
    const other = ids.find((id) => id !== kept.hostId) as string
    const same = await reschedule(context, GUEST, kept, { startsAt: TUESDAY + HOUR, reason: '' })
    assert.deepEqual(same.assignment, kept.assignment)
    await assertBalances(talk, [kept.hostId, other], [-1 / 2, 1 / 2])
    const owner = await addEventType(db(), { id: kept.hostId }, { slug: 'own' })
    const { slug } = await db()
      .selectFrom('schedulers')
      .select('slug')
      .where('id', '=', kept.hostId)
      .executeTakeFirstOrThrow()
    await bookAt(context, { slug } as Scheduler, owner, TUESDAY + 3 * HOUR)
    const moved = await reschedule(context, GUEST, same, { startsAt: TUESDAY + 3 * HOUR, reason: '' })
    assert.deepEqual([moved.hostId, moved.assignment?.reason], [other, 'only'])
    assert.deepEqual(await getListed(db(), moved.booking.id), moved)
    await assertBalances(talk, [kept.hostId, other], [0, 0])
  })

  /** As settings are changed: the owner's revision first, that of the hosts last. */
  const changeHosts = (on: Db, team: Scheduler, talk: EventType, seats: readonly HostSeat[]) =>
    on.transaction().execute(async (trx) => {
      await bumpRevisions(trx, [team.id])
      await replaceHosts(trx, talk.id, seats)
      await bumpRevisions(
        trx,
        seats.map(({ hostId }) => hostId),
      )
    })

  it('shares the balance of a host who leaves, and starts a newcomer at 0', async () => {
    const { team, talk, seats } = await newTeam([1, 1, 1])
    const first = await bookAt(context, team, talk, TUESDAY)
    const staying = seats.filter(({ hostId }) => hostId !== first.hostId)
    const [a, b] = staying.map(({ hostId }) => hostId) as [string, string]
    const newcomer = await addUser(db(), `fair-${people++}`)
    await changeHosts(db(), team, talk, [...staying, { hostId: newcomer.id, fixed: false }])
    await assertBalances(talk, [a, b, newcomer.id], [0, 0, 0])
    await cancel(context, GUEST, first, { reason: '' })
    await assertBalances(talk, [a, b, newcomer.id], [-1 / 9, -1 / 9, 2 / 9])
    await db()
      .transaction()
      .execute((trx) => deleteTeamHost(trx, team.id, newcomer.id))
    await assertBalances(talk, [a, b], [0, 0])
  })

  it('keeps the balances while three instances book and cancel, and members come and go', async () => {
    const { team, talk, seats, ids } = await newTeam([2, 1, 1, 1])
    const contexts = [context]
    // SQLite serves one instance.
    while (engine === 'postgres' && contexts.length < 3) {
      const other = openPatiently(url())
      others.push(other)
      contexts.push(contextOn(other, { now: clock.now }).context)
    }
    const at = (i: number) => contexts[i % contexts.length] as Context
    const bookMany = (from: number) =>
      Array.from({ length: 16 }, (_, i) => bookAt(at(i), team, talk, TUESDAY + from * DAY + i * 30 * MINUTE))
    const first = await Promise.all(bookMany(0))
    for (const [i, { hostId }] of seats.entries()) {
      const due = (16 * (i === 0 ? 2 : 1)) / 5
      assert.ok(Math.abs(first.filter((one) => one.hostId === hostId).length - due) <= 1)
    }
    const comeAndGo = async () => {
      for (let round = 0; round < 4; round++) {
        const without = seats.filter(({ hostId }) => hostId !== ids[round])
        await changeHosts(at(round).db, team, talk, without)
        await changeHosts(at(round + 1).db, team, talk, seats)
      }
    }
    const cancelled = first.slice(0, 12)
    const second = Promise.allSettled(bookMany(1))
    await Promise.all([comeAndGo(), ...cancelled.map((one, i) => cancel(at(i), GUEST, one, { reason: '' }))])
    // Some are asked to try again, because settings change under every attempt.
    for (const outcome of await second) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'unavailable')
    }
    const balances = Object.values(await balancesOf(talk))
    const sum = balances.reduce((total, balance) => total + balance, 0)
    assert.ok(Math.abs(sum) < 1e-9, `${sum}`)
    // Hosts compete in groups of four, and of three while one of them is gone.
    for (const balance of balances) assert.ok(Math.abs(balance) <= 5, JSON.stringify(balances))
  })
})
