import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { bookAt, changesOf } from '../../test/bookings.ts'
import { onEveryDatabase, openPatiently } from '../../test/databases.ts'
import { addEventType, addUser, contextOn } from '../../test/kit.ts'
import { alwaysOpen, FUTURE_MIDNIGHT } from '../../test/server-process.ts'
import { addDelivery, addWebhook } from '../../test/webhooks.ts'
import type { BookingChange } from '../domain/bookings/change.ts'
import { GiveUp, JOBS, type Job, type NewJob, TryAgainAt } from '../domain/job.ts'
import { verbatim } from '../domain/sentence.ts'
import { cancel } from '../services/bookings/cancel.ts'
import type { Context } from '../services/context.ts'
import type { Db } from '../store/engine/database.ts'
import { insertJobs, notifyInstances } from '../store/outbox.ts'
import { type Delivery, findDelivery } from '../store/webhooks/deliveries.ts'
import type { Handler, Handlers } from './handler.ts'
import { announcing } from './handlers/announce.ts'
import { KindQueue } from './kind-queue.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

/** Long enough that nothing in these tests happens because it has passed. */
const NEVER = 3_600_000

/** Counts calls, and lets a test wait for as many as it expects. */
function recorder<T>() {
  const seen: T[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  return {
    seen,
    note(value: T) {
      seen.push(value)
      for (const { count, resolve } of waiting) if (seen.length >= count) resolve()
    },
    async reach(count: number) {
      if (seen.length >= count) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count, resolve })
      await promise
    },
  }
}

onEveryDatabase('the worker', ({ db, url, engine }) => {
  let context: Context
  const workers: Worker[] = []
  const errors: string[] = []
  before(async () => {
    ;({ context } = contextOn(db()))
  })
  beforeEach(() => db().deleteFrom('outbox').execute())
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    errors.splice(0)
  })

  function start(handlers: Handlers, more: Partial<WorkerOptions> = {}): Worker {
    const onError = (error: Error, what: string) => void errors.push(`${what}: ${error.message}`)
    const worker = startWorker(context, { handlers, pollEvery: NEVER, onError, ...more })
    workers.push(worker)
    return worker
  }
  const write = (to: Db, ...jobs: Partial<NewJob>[]) =>
    to.transaction().execute(async (trx) => {
      const now = Date.now()
      const whole = jobs.map((job) => ({ kind: 'mail' as const, lane: null, data: {}, dueAt: now, ...job }))
      await insertJobs(trx, whole, now)
      await notifyInstances(trx)
    })
  const queue = async (...jobs: Partial<NewJob>[]) => {
    await write(db(), ...jobs)
    context.outbox.wake()
  }
  const left = () => db().selectFrom('outbox').selectAll().orderBy('id').execute()

  it('runs the jobs that were queued before it started', async () => {
    const done = recorder<unknown>()
    await write(db(), { data: 1 }, { data: 2 })
    const worker = start({ mail: async (_, { data }) => done.note(data) })
    await done.reach(2)
    await worker.stop()
    assert.deepEqual(done.seen.toSorted(), [1, 2])
    assert.deepEqual(await left(), [])
  })

  it('wakes at once when a job is queued, without waiting for its next poll', async () => {
    const done = recorder<unknown>()
    start({ mail: async (_, { data }) => done.note(data) })
    for (const data of [1, 2, 3]) {
      await queue({ data })
      await done.reach(data)
    }
    assert.deepEqual(errors, [])
  })

  it('wakes when something becomes due', async () => {
    const done = recorder<number>()
    start({ mail: async () => done.note(Date.now()) })
    const dueAt = Date.now() + 150
    await queue({ dueAt })
    await done.reach(1)
    assert.ok((done.seen[0] as number) >= dueAt)
  })

  it('does not sleep past what becomes due while it looks', async () => {
    const start = Date.now()
    for (let ahead = 1; ahead <= 12; ahead++) {
      // Every look at this clock moves it on.
      let time = start
      const ticking = { ...context, now: () => time++ }
      const done = recorder<unknown>()
      await write(db(), { dueAt: start + ahead })
      const handlers = { mail: async () => done.note(ahead) }
      const worker = startWorker(ticking, { handlers, pollEvery: NEVER })
      workers.push(worker)
      await done.reach(1)
      await worker.stop()
    }
  })

  it('keeps the order of a lane, even after failures', async () => {
    const done = recorder<unknown>()
    let failures = 2
    start({
      mail: async (_, { data }) => {
        if (data === 'b' && failures-- > 0) throw new TryAgainAt(Date.now() + 20, verbatim('not yet'))
        done.note(data)
      },
    })
    await queue(...['a', 'b', 'c', 'd'].map((data) => ({ data, lane: 'one' })))
    await done.reach(4)
    assert.deepEqual(done.seen, ['a', 'b', 'c', 'd'])
  })

  it('retries failed jobs later, and gives up on hopeless ones and after too many attempts', async () => {
    const tried = recorder<Job>()
    const worker = start({
      mail: async (_, job) => {
        tried.note(job)
        throw job.data === 'hopeless' ? new GiveUp(verbatim('no such address')) : new Error('no answer')
      },
    })
    const queuedAt = Date.now()
    await queue({ data: 'later' }, { data: 'hopeless' }, { data: 'last' })
    await tried.reach(3)
    await worker.stop()
    const [later, hopeless, last] = await left()
    assert.deepEqual([later?.attempts, later?.failed_at, later?.error], [1, null, 'no answer'])
    assert.equal(later?.leased_until, null)
    assert.ok((later?.due_at as number) >= queuedAt + 4000)
    assert.deepEqual([hopeless?.attempts, hopeless?.error], [1, 'no such address'])
    assert.ok(hopeless?.failed_at)
    assert.deepEqual(errors, [`gave up on a job (mail ${hopeless?.id}): no such address`])

    await db()
      .updateTable('outbox')
      .set({ attempts: 8, due_at: Date.now() })
      .where('id', '=', last?.id as number)
      .execute()
    const again = start({ mail: async (_, job) => Promise.reject(new Error(`try ${job.attempts}`)) })
    await untilDead(last?.id as number)
    await again.stop()
    const dead = (await left()).find(({ id }) => id === last?.id)
    assert.deepEqual([dead?.attempts, dead?.error], [9, 'try 8'])
  })

  it('records the outcome of deliveries, and retries one that cannot be recorded alone', async () => {
    const webhook = await addWebhook(db(), await addUser(db(), 'sender'))
    const pending = [1, 2, 3].map(() => addDelivery(db(), webhook, { status: 'pending' }))
    const deliveries = await Promise.all(pending)
    const statusOf = (n: number) => (n === 1 ? 'unheard of' : 'succeeded') as Delivery['status']
    const done = recorder<unknown>()
    const worker = start({
      webhook: async (_, { data }, record) => {
        const n = data as number
        record({ delivery: { ...(deliveries[n] as Delivery), status: statusOf(n) } })
        done.note(n)
      },
    })
    await queue(...deliveries.map((_, data) => ({ kind: 'webhook' as const, data })))
    await done.reach(3)
    await worker.stop()
    const [unfit, ...others] = await left()
    assert.deepEqual([unfit?.data, unfit?.attempts, others], ['1', 1, []])
    assert.match(unfit?.error ?? '', /constraint/)
    const statuses = await Promise.all(deliveries.map(({ id }) => findDelivery(db(), id)))
    assert.deepEqual(
      statuses.map((delivery) => delivery?.status),
      ['succeeded', 'pending', 'succeeded'],
    )
  })

  async function untilDead(id: number): Promise<void> {
    for (;;) {
      const row = await db().selectFrom('outbox').select('failed_at').where('id', '=', id).executeTakeFirst()
      if (row?.failed_at) return
    }
  }

  it('lets neither a kind, nor a lane, nor a receiver that hangs hold up the others', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const [hanging, done] = [recorder<unknown>(), recorder<unknown>()]
    const handle = async (_: Context, { data }: Job) => {
      if (data === 'hangs') {
        hanging.note(data)
        return released
      }
      done.note(data)
    }
    const worker = start({ mail: handle, webhook: handle }, { grace: NEVER })
    // More than may run at once, all before the others.
    const stuck = Array.from({ length: 250 }, (_, i) => ({
      kind: 'webhook' as const,
      lane: `webhook:stuck:${i}`,
      data: 'hangs',
    }))
    await queue(...stuck, { lane: 'mail', data: 'hangs' })
    await hanging.reach(31)
    await queue(
      { data: 'mail of no lane' },
      { lane: 'another', data: 'mail of another lane' },
      { kind: 'webhook', lane: 'webhook:well:1', data: 'webhook' },
      { lane: 'mail', data: 'behind' },
    )
    await done.reach(3)
    assert.deepEqual(done.seen.toSorted(), ['mail of another lane', 'mail of no lane', 'webhook'])
    release()
    await hanging.reach(251)
    await done.reach(4)
    await worker.stop()
    assert.deepEqual(await left(), [])
  })

  it('goes on with a job for as long as it takes, past its lease', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const tried = recorder<number>()
    const handlers: Handlers = {
      mail: async (_, { id }) => {
        tried.note(id)
        await released
      },
    }
    // So long that a machine that stands still for some seconds renews it in time.
    const options = { lease: 8000, pollEvery: 15 }
    start(handlers, options)
    start(handlers, options)
    await queue({})
    await tried.reach(1)
    const leasedUntil = async () => Number((await left())[0]?.leased_until)
    const first = await leasedUntil()
    while (Date.now() <= first || (await leasedUntil()) <= first) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    release()
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    assert.equal(tried.seen.length, 1)
    assert.deepEqual(await left(), [])
  })

  it('leases a job so briefly that others have it within 15 seconds of a kill', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const tried = recorder<number>()
    const handlers: Handlers = {
      mail: async (_, { id }) => {
        tried.note(id)
        await released
      },
    }
    start(handlers, {})
    await queue({})
    await tried.reach(1)
    const [job] = await left()
    // The others look every five seconds.
    assert.ok(Number(job?.leased_until) - Date.now() <= 10_000)
    release()
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  })

  it('does not begin a job again that it still runs, although the lease has run out', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const begun = recorder<unknown>()
    const worker = start({
      mail: async (_, { data }) => {
        begun.note(data)
        await released
      },
    })
    await queue({ data: 'first' })
    await begun.reach(1)
    await db().updateTable('outbox').set({ leased_until: 1 }).execute()
    // Both are taken by one statement, the first one first.
    await queue({ data: 'second' })
    await begun.reach(2)
    release()
    await worker.stop()
    assert.deepEqual(begun.seen, ['first', 'second'])
    assert.deepEqual(await left(), [])
  })

  it('finishes what runs when it is stopped, and gives back what it has not begun', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const begun = recorder<unknown>()
    const worker = start({
      mail: async (_, { data }) => {
        begun.note(data)
        await released
      },
    })
    const running = JOBS.mail.atOnce
    await queue(...Array.from({ length: running + 4 }, (_, data) => ({ data })))
    await begun.reach(running)
    const stopping = worker.stop()
    release()
    await stopping
    assert.equal(begun.seen.length, running)
    const rest = await left()
    assert.equal(rest.length, 4)
    for (const job of rest) assert.equal(job.leased_until, null)
  })

  it('does not wait forever for what hangs when it is stopped', async () => {
    const begun = recorder<number>()
    const worker = start(
      {
        mail: (_, { id }) => {
          begun.note(id)
          return new Promise(() => {})
        },
      },
      { grace: 20 },
    )
    await queue({})
    await begun.reach(1)
    await worker.stop()
    assert.equal((await left()).length, 1)
  })

  it('slows down while requests need the event loop, never stops, and catches up later', async () => {
    const done = recorder<number>()
    let loop = { utilisation: 1, requestRate: 5000 }
    const asked = recorder<void>()
    start(
      { mail: async (_, { id }) => done.note(id) },
      {
        loop: () => {
          asked.note()
          return loop
        },
      },
    )
    await asked.reach(1)
    const from = performance.now()
    await queue(...Array.from({ length: 400 }, () => ({})))
    await done.reach(8)
    // However long that took: not more than was allowed for it.
    const allowed = () => (JOBS.mail.busyRate * (performance.now() - from)) / 1000 + 1
    assert.ok(done.seen.length <= allowed(), `${done.seen.length} of ${allowed()}`)
    assert.ok((await left()).length >= 390 - allowed())
    loop = { utilisation: 0.2, requestRate: 10 }
    await done.reach(400)
    assert.equal(new Set(done.seen).size, 400)
  })

  it('ends at once also while it gives way', async () => {
    const asked = recorder<void>()
    const worker = start(
      { mail: async () => {}, webhook: async () => {} },
      {
        loop: () => {
          asked.note()
          return { utilisation: 1, requestRate: 5000 }
        },
      },
    )
    await asked.reach(1)
    await queue(...Array.from({ length: 50 }, () => ({})))
    await asked.reach(3)
    await worker.stop()
    for (const job of await left()) assert.equal(job.leased_until, null)
  })

  it('leaves jobs alone that it does not know how to do', async () => {
    const done = recorder<unknown>()
    const worker = start({ mail: async (_, { data }) => done.note(data) })
    await queue({ kind: 'calendar-write' }, { data: 'mail' })
    await done.reach(1)
    await worker.stop()
    assert.deepEqual(
      (await left()).map(({ kind, leased_until }) => [kind, leased_until]),
      [['calendar-write', null]],
    )
  })

  it('queues the jobs of all channels in the transaction that deletes the announcement', async () => {
    const ada = await addUser(db(), 'ada', alwaysOpen)
    const talk = await addEventType(db(), ada)
    const listed = await bookAt(context, ada, talk, FUTURE_MIDNIGHT)
    const heard = recorder<BookingChange>()
    const told = recorder<unknown>()
    let broken = true
    const announce = announcingTo([
      (_, changes, now) =>
        changes.map((change) => {
          heard.note(change)
          return { kind: 'mail', lane: null, data: change.type, dueAt: now }
        }),
      async () => {
        if (broken) throw new TryAgainAt(Date.now() + 30, verbatim('the second channel is broken'))
        return []
      },
    ])
    start({
      announce,
      mail: async (_, { data }) => told.note(data),
    })
    await cancel(context, { by: 'guest' }, listed, { reason: 'A cold.' })
    await heard.reach(1)
    assert.equal((await changesOf(db(), listed.booking.id)).length, 1)
    assert.deepEqual(told.seen, [])
    broken = false
    await told.reach(2)
    assert.deepEqual(told.seen, ['created', 'cancelled'])
    const change = heard.seen.at(-1)
    assert.deepEqual(
      [change?.booking.status, change?.reason, change?.eventType.id, change?.hosts[0]?.id],
      ['Cancelled', 'A cold.', talk.id, ada.id],
    )
    assert.deepEqual(await changesOf(db(), listed.booking.id), [])
  })

  it('handles several announcements at once, and a failing one alone fails', async () => {
    const cy = await addUser(db(), 'cy', alwaysOpen)
    const talk = await addEventType(db(), cy)
    const [broken, gone, ...well] = await Array.fromAsync([0, 1, 2, 3], (hour) =>
      bookAt(context, cy, talk, FUTURE_MIDNIGHT + hour * 3_600_000),
    )
    await db()
      .deleteFrom('bookings')
      .where('id', '=', gone?.booking.id as string)
      .execute()
    const told = recorder<unknown>()
    const worker = start({
      announce: announcingTo([
        (_, changes, now) =>
          changes.map(({ bookingId }) => {
            if (bookingId === broken?.booking.id) throw new Error('a channel is broken')
            return { kind: 'mail', lane: null, data: bookingId, dueAt: now }
          }),
      ]),
      mail: async (_, { data }) => told.note(data),
    })
    await told.reach(2)
    await worker.stop()
    assert.deepEqual(told.seen.toSorted(), well.map(({ booking }) => booking.id).toSorted())
    const rest = (await left()).map(({ lane, error, failed_at }) => [lane, error, failed_at !== null])
    assert.deepEqual(rest, [
      [`booking:${broken?.booking.id}`, 'a channel is broken', false],
      [`booking:${gone?.booking.id}`, 'The booking is gone.', true],
    ])
  })

  it('runs its sweeps, again and again, and survives those that fail', async () => {
    const swept = recorder<string>()
    const sweep = (name: string) => ({
      name,
      every: 5,
      run: async () => {
        swept.note(name)
        if (name === 'sweep the yard') throw new Error('a broken broom')
      },
    })
    start({}, { sweeps: [sweep('sweep the yard'), sweep('working')] })
    await swept.reach(8)
    assert.ok(swept.seen.filter((name) => name === 'working').length >= 2)
    assert.ok(errors.includes('could not sweep the yard: a broken broom'))
  })

  it('drains thousands of jobs of one receiver without taking them one by one', async () => {
    const count = 3000
    const done = recorder<number>()
    await write(
      db(),
      ...Array.from({ length: count }, (_, i) => ({ kind: 'webhook' as const, lane: `webhook:one:${i}` })),
    )
    const worker = start({
      webhook: async (_, { id }) => {
        await new Promise((resolve) => setImmediate(resolve))
        done.note(id)
      },
    })
    await done.reach(count)
    await worker.stop()
    assert.equal(new Set(done.seen).size, count)
    assert.deepEqual(await left(), [])
  })

  if (engine === 'postgres') {
    it('hears of jobs that another instance has written, and still does after its connection was lost', async () => {
      const other = openPatiently(url())
      after(() => other.destroy())
      const done = recorder<unknown>()
      const lost = recorder<string>()
      start(
        { mail: async (_, { data }) => done.note(data) },
        { onError: (error, what) => lost.note(`${what}: ${error.message}`) },
      )
      await write(db(), { data: 'before' })
      await done.reach(1)
      await write(other, { data: 'heard' })
      await done.reach(2)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen %'`.execute(other)
      await lost.reach(1)
      // This notification is lost; the job is found once the connection is back.
      await write(other, { data: 'missed' })
      await done.reach(3)
      await write(other, { data: 'heard again' })
      await done.reach(4)
      assert.match(lost.seen[0] as string, /^could not listen for jobs/)
    })
  }
})

/** The handler of announcements as the worker knows it. */
const announcingTo = (channels: Parameters<typeof announcing>[0]) => announcing(channels) as Handler

describe('jobs that were taken', () => {
  const job = (id: number, lane: string | null) => ({
    id,
    lane,
    kind: 'webhook' as const,
    data: {},
    attempts: 0,
    createdAt: 0,
    leasedUntil: 0,
  })

  it('share their room among receivers', () => {
    const queue = new KindQueue('webhook', 10)
    queue.querying(0)
    queue.add(
      Array.from({ length: 20 }, (_, i) => job(i, `webhook:a:${i}`)),
      true,
    )
    const running: number[] = []
    for (let next = queue.next(); next !== undefined; next = queue.next()) running.push(next.id)
    assert.deepEqual(running, [0, 1, 2])
    assert.deepEqual(queue.wanted(1), { limit: 20, without: ['webhook:a:'] })
    queue.querying(1)
    queue.add([job(50, 'webhook:b:1'), job(51, null)], false)
    assert.equal(queue.next()?.id, 50)
    assert.equal(queue.next()?.id, 51)
    assert.equal(queue.next(), undefined)
  })

  it('start again in a group once half of them have ended, if they are to share what they read', () => {
    const queue = new KindQueue('reminder', 4, true)
    queue.querying(0)
    queue.add(
      Array.from({ length: 8 }, (_, i) => job(i, null)),
      false,
    )
    const startAll = () => {
      const started = []
      for (let next = queue.next(); next !== undefined; next = queue.next()) started.push(next)
      return started
    }
    const [first, second, ...others] = startAll()
    assert.ok(first && second)
    assert.equal(others.length, 2)
    queue.ended(first)
    assert.deepEqual(startAll(), [])
    queue.ended(second)
    assert.deepEqual(
      startAll().map(({ id }) => id),
      [4, 5],
    )
  })

  it('share their room among owners, however many receivers each has', () => {
    const queue = new KindQueue('webhook', 10)
    queue.querying(0)
    queue.add(
      Array.from({ length: 20 }, (_, i) => job(i, `webhook:mallory:${i}:1`)),
      true,
    )
    const running: number[] = []
    for (let next = queue.next(); next !== undefined; next = queue.next()) running.push(next.id)
    assert.deepEqual(running, [0, 1, 2, 3])
    assert.deepEqual(queue.wanted(1)?.without, ['webhook:mallory:'])
    queue.querying(1)
    queue.add([job(50, 'webhook:ada:1:1')], false)
    assert.equal(queue.next()?.id, 50)
    assert.equal(queue.next(), undefined)
  })

  it('are not looked for around a crowded receiver more than a few times a second', () => {
    const queue = new KindQueue('webhook', 10)
    queue.querying(0)
    queue.add(
      Array.from({ length: 20 }, (_, i) => job(i, `webhook:a:${i}`)),
      true,
    )
    while (queue.next() !== undefined);
    queue.querying(1000)
    queue.mayHaveMore = true
    assert.equal(queue.wanted(1100), undefined)
    assert.equal(queue.throttledFor(1100), 150)
    assert.ok(queue.wanted(1250))
    // It found none, so it queries less often.
    for (const at of [2000, 4000, 6000]) {
      queue.querying(at)
      queue.add([], false)
      queue.mayHaveMore = true
    }
    assert.equal(queue.throttledFor(6100), 900)
    queue.querying(8000)
    queue.add([job(99, 'webhook:b:1')], false)
    queue.mayHaveMore = true
    assert.equal(queue.throttledFor(8100), 150)
  })
})
