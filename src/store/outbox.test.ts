import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { sql } from 'kysely'
import { onEveryDatabase } from '../../test/databases.ts'
import { MONDAY_NOON } from '../../test/kit.ts'
import type { NewJob } from '../domain/job.ts'
import { verbatim } from '../domain/sentence.ts'
import { engine } from './engine/engine.ts'
import {
  deleteJobs,
  expediteJobs,
  extendLeases,
  findFailedJobs,
  findFailingJobs,
  findNextDue,
  insertJobs,
  markJobDead,
  releaseJobs,
  scheduleRetry,
  type TakenJob,
  type TakeOptions,
  takeJobs,
} from './outbox.ts'

const NOON = MONDAY_NOON
const LEASE = 60_000

onEveryDatabase('the outbox', ({ db, engine: name }) => {
  beforeEach(() => db().deleteFrom('outbox').execute())

  const write = (...jobs: Partial<NewJob>[]) =>
    db()
      .transaction()
      .execute((trx) =>
        insertJobs(
          trx,
          jobs.map((job) => ({ kind: 'mail', lane: null, data: {}, dueAt: NOON, ...job })),
          NOON,
        ),
      )
  const take = (given: Partial<TakeOptions> = {}) =>
    takeJobs(db(), { kind: 'mail', limit: 10, without: [], now: NOON, lease: LEASE, ...given })
  const dataOf = (jobs: readonly TakenJob[]) => jobs.map(({ data }) => data)
  const one = (jobs: readonly TakenJob[]): TakenJob => {
    assert.equal(jobs.length, 1)
    return jobs[0] as TakenJob
  }

  it('leases due jobs of one kind, the longest due first', async () => {
    await write(
      { data: 'second', dueAt: NOON },
      { data: 'later', dueAt: NOON + 1 },
      { data: 'first', dueAt: NOON - 1 },
      { data: 'another kind', kind: 'webhook' },
    )
    assert.deepEqual(dataOf(await take({ limit: 1 })), ['first'])
    assert.deepEqual(dataOf(await take()), ['second'])
    assert.deepEqual(dataOf(await take()), [])
    assert.deepEqual(dataOf(await take({ kind: 'webhook' })), ['another kind'])
    assert.deepEqual(dataOf(await take({ now: NOON + 1 })), ['later'])
  })

  it('leases a job to one worker until the lease expires', async () => {
    await write({ data: 'a' })
    const job = one(await take({ lease: 0 }))
    assert.equal(one(await take()).id, job.id)
    assert.deepEqual(await take(), [])
    await extendLeases(db(), [job.id], 0)
    assert.equal(one(await take({ lease: 0 })).id, job.id)
    await extendLeases(db(), [job.id], LEASE)
    assert.deepEqual(await take(), [])
    await releaseJobs(db(), [job.id])
    assert.equal(one(await take()).id, job.id)
    assert.deepEqual(await deleteJobs(db(), [job.id, job.id + 1000]), new Set([job.id]))
    assert.deepEqual(await deleteJobs(db(), [job.id]), new Set())
    assert.deepEqual(await take(), [])
  })

  it('leases by the database’s clock, whatever an instance’s own clock says', async () => {
    await write({ data: 'a' })
    const job = one(await take())
    assert.deepEqual(await take({ now: NOON + 2 * LEASE }), [])
    const { rows } = await sql<{ left: number }>`
      select leased_until - ${engine(db()).now} as left from outbox`.execute(db())
    assert.ok((rows[0]?.left ?? 0) <= LEASE, 'not beyond the lease')
    // The clock was a day ahead when this lease was taken, and has been set back.
    await extendLeases(db(), [job.id], 24 * 60 * LEASE)
    assert.equal(one(await take()).id, job.id)
  })

  // SQLite has one writer, so nothing waits.
  if (name === 'postgres') {
    it('extends leases without waiting for jobs that are being completed', async () => {
      await write({ data: 'ending' }, { data: 'held' })
      const [ending, held] = await take({ lease: 0 })
      assert.ok(ending && held)
      await db()
        .transaction()
        .execute(async (trx) => {
          await deleteJobs(trx, [ending.id])
          await extendLeases(db(), [ending.id, held.id], LEASE)
          // If the statement above had waited while it held this job, this would be a deadlock.
          await deleteJobs(trx, [held.id])
          throw new Error('rolled back')
        })
        .catch(() => {})
      assert.deepEqual(dataOf(await take()), ['ending'])
    })
  }

  it('runs a lane in order without blocking other lanes', async () => {
    await write(
      { lane: 'a', data: 'a1' },
      { lane: 'a', data: 'a2', dueAt: NOON - 5 },
      { lane: 'b', data: 'b1' },
      { data: 'free' },
    )
    const taken = await take()
    assert.deepEqual(dataOf(taken), ['a1', 'b1', 'free'])
    assert.deepEqual(await take(), [])
    await deleteJobs(db(), [taken[0]?.id as number])
    assert.deepEqual(dataOf(await take()), ['a2'])
  })

  it('delays a whole lane when its first job is retried later', async () => {
    await write({ lane: 'a', data: 'a1' }, { lane: 'a', data: 'a2' }, { lane: 'b', data: 'b1' })
    const [first] = await take()
    await scheduleRetry(db(), first as TakenJob, NOON + 5000, verbatim('no answer'))
    assert.deepEqual(await take({ now: NOON + 4999 }), [])
    assert.equal(await findNextDue(db(), new Map([['mail', NOON]])), NOON + 5000)
    const again = one(await take({ now: NOON + 5000 }))
    assert.deepEqual([again.id, again.attempts], [first?.id, 1])
    await deleteJobs(db(), [again.id])
    assert.deepEqual(dataOf(await take({ now: NOON + 5000 })), ['a2'])
  })

  it('changes a job only for the worker that has its lease', async () => {
    await write({ lane: 'a', data: 'a1' }, { lane: 'a', data: 'a2' })
    const slow = one(await take({ lease: 0 }))
    const ours = one(await take())
    assert.equal(ours.id, slow.id)
    await scheduleRetry(db(), slow, NOON + 5000, verbatim('too late'))
    await markJobDead(db(), slow, NOON, verbatim('too late'))
    const rows = await db().selectFrom('outbox').select(['due_at', 'attempts', 'failed_at']).execute()
    for (const row of rows)
      assert.deepEqual({ ...row, due_at: 0 }, { due_at: 0, attempts: 0, failed_at: null })
    assert.ok(rows.every(({ due_at }) => due_at <= NOON))
    const renewed = await extendLeases(db(), [ours.id], LEASE)
    await scheduleRetry(
      db(),
      { ...ours, leasedUntil: renewed.get(ours.id) ?? 0 },
      NOON + 5000,
      verbatim('no answer'),
    )
    assert.equal(one(await take({ now: NOON + 5000 })).attempts, 1)
  })

  it('continues a lane after a dead job', async () => {
    await write({ lane: 'a', data: 'a1' }, { lane: 'a', data: 'a2' })
    await markJobDead(db(), one(await take()), NOON, verbatim('gone'))
    assert.deepEqual(dataOf(await take({ now: NOON + LEASE })), ['a2'])
  })

  it('skips lanes that are excluded', async () => {
    await write({ lane: 'x:1:1' }, { lane: 'x:2:1', data: 'other' }, { lane: 'x:1:2' }, { data: 'free' })
    assert.deepEqual(dataOf(await take({ without: ['x:1:'] })), ['other', 'free'])
  })

  it('finds when the next job of these kinds becomes due', async () => {
    const after = (mail: number, webhook?: number) =>
      findNextDue(
        db(),
        new Map([['mail', mail] as const, ...(webhook === undefined ? [] : [['webhook', webhook] as const])]),
      )
    assert.equal(await after(NOON, NOON), undefined)
    await write({ dueAt: NOON + 7 }, { dueAt: NOON + 3, kind: 'webhook' }, { dueAt: NOON - 3 })
    assert.equal(await after(NOON), NOON + 7)
    assert.equal(await after(NOON, NOON), NOON + 3)
    assert.equal(await after(NOON, NOON + 3), NOON + 7)
    assert.equal(await after(NOON - 4, NOON), NOON - 3)
  })

  it('leases each job to one worker, however many ask at once', async () => {
    await write(...Array.from({ length: 200 }, (_, i) => ({ data: i })))
    const taken = await Promise.all(Array.from({ length: 10 }, () => take({ limit: 30 })))
    const ids = taken.flat().map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const rest = await take({ limit: 300 })
    assert.equal(ids.length + rest.length, 200)
  })

  it('brings forward a failed job with those that were put off behind it, and no others', async () => {
    await write(
      { data: 'first', lane: 'a' },
      { data: 'behind', lane: 'a' },
      { data: 'reminder', lane: 'a', dueAt: NOON + 90_000 },
      { data: 'alone' },
      { data: 'fine', lane: 'b', dueAt: NOON + 60_000 },
    )
    for (const job of await take()) await scheduleRetry(db(), job, NOON + 60_000, verbatim('later'))
    assert.deepEqual(dataOf(await take()), [])
    const failing = await findFailingJobs(db(), { kind: 'mail', after: 0 }, 10)
    assert.equal(failing.length, 2)
    assert.deepEqual(await findFailingJobs(db(), { kind: 'mail', after: failing[0] as number }, 10), [
      failing[1],
    ])
    assert.deepEqual(await findFailingJobs(db(), { kind: 'webhook', after: 0 }, 10), [])
    await db()
      .transaction()
      .execute((trx) => expediteJobs(trx, failing, NOON))
    const rows = await db()
      .selectFrom('outbox')
      .select(['data', 'due_at', 'attempts'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ data, due_at, attempts }) => [JSON.parse(data), due_at - NOON, attempts]),
      [
        ['first', 0, 1],
        ['behind', 0, 0],
        ['reminder', 90_000, 0],
        ['alone', 0, 1],
        ['fine', 60_000, 0],
      ],
    )
  })

  it('finds what has failed, given up or not', async () => {
    await write({ data: 'fails' }, { data: 'dies' }, { data: 'waits', dueAt: NOON + 1 })
    const [fails, dies] = (await take()) as [TakenJob, TakenJob]
    await scheduleRetry(db(), fails, NOON + 5000, verbatim('busy'))
    await markJobDead(db(), dies, NOON, verbatim('gone'))
    const found = await findFailedJobs(db(), 10)
    const common = { kind: 'mail', attempts: 1, createdAt: NOON }
    assert.deepEqual(
      found.sort((a, b) => a.id - b.id),
      [
        { ...common, id: fails.id, nextAttemptAt: NOON + 5000, error: verbatim('busy') },
        { ...common, id: dies.id, nextAttemptAt: null, error: verbatim('gone') },
      ],
    )
    assert.equal((await findFailedJobs(db(), 1)).length, 2)
  })
})
