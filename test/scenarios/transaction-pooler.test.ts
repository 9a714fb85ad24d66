import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { lockHosts } from '../../src/store/people/schedulers.ts'
import { type FreshDatabase, freshDatabase, openPatiently } from '../databases.ts'
import { isInstalled } from '../installed.ts'
import { addEventType, addUser, bookingOf, fromSomeoneNew } from '../kit.ts'
import { probePgBouncer, startPgBouncer } from '../pgbouncer.ts'
import { alwaysOpen, FUTURE_MIDNIGHT, type ServerProcess, startServer } from '../server-process.ts'
import { startSmtpSink } from '../smtp-sink.ts'
import { startTransactionPooler } from '../transaction-pooler.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'
import { addWebhook } from '../webhooks.ts'

const DURATION = 15 * MINUTE

async function answer(response: Response) {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  const body: any = await response.json()
  return { status: response.status, body, location: response.headers.get('location') ?? '' }
}

/** A guest of this event type, whichever instance they happen to reach. */
function guestOf(owner: Scheduler, eventType: EventType) {
  const pathAt = ({ port }: ServerProcess) =>
    `http://127.0.0.1:${port}/api/public/scheduling/${owner.slug}/${eventType.slug}`
  const post = (url: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...fromSomeoneNew() }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).then(answer)
  }
  return {
    book: (at: ServerProcess, startsAt: number) => post(`${pathAt(at)}/book`, bookingOf(eventType, startsAt)),
    cancel: (at: ServerProcess, location: string) => {
      const { pathname, search } = new URL(location, 'http://any')
      return post(`http://127.0.0.1:${at.port}${pathname}/cancel${search}`, {})
    },
    async lists(at: ServerProcess, startsAt: number): Promise<boolean> {
      const date = new Date(startsAt).toISOString().slice(0, 10)
      const { status, body } = await fetch(
        `${pathAt(at)}/slots?dateFrom=${date}&dateTo=${date}&timezone=UTC`,
      ).then(answer)
      assert.equal(status, 200)
      return JSON.stringify(body).includes(new Date(startsAt).toISOString().slice(0, 19))
    },
  }
}

const poolers: [string, typeof startTransactionPooler][] = [
  ['a stand-in that is as strict as PgBouncer', startTransactionPooler],
]
if (await isInstalled('PgBouncer', probePgBouncer)) poolers.push(['PgBouncer', startPgBouncer])

describe('behind a pooler in transaction mode', () => {
  const open = async (ending: AsyncDisposableStack): Promise<{ fresh: FreshDatabase; db: Db }> => {
    const fresh = await freshDatabase('postgres')
    const db = openPatiently(fresh.url)
    ending.defer(async () => {
      await db.destroy()
      await fresh.drop()
    })
    return { fresh, db }
  }
  const start = async (ending: AsyncDisposableStack, environment: Record<string, string>) => {
    const server = await startServer({ environment })
    ending.defer(async () => {
      server.send('SIGKILL')
      await server.exited
    })
    return server
  }

  for (const [name, startPooler] of poolers) {
    it(`serves guests and sends mail and webhooks through ${name}`, { timeout: 500_000 }, async () => {
      await using ending = new AsyncDisposableStack()
      const { fresh, db } = await open(ending)
      const pooler = await startPooler(fresh.url)
      ending.defer(() => pooler.stop())
      const sink = await startSmtpSink()
      ending.defer(() => sink.close())
      const receiver = await startWebhookReceiver()
      ending.defer(() => receiver.close())
      const environment = {
        DATABASE_URL: pooler.url,
        DATABASE_POOLER: 'transaction',
        SMTP_URL: sink.url,
        WEBHOOK_ALLOW_PRIVATE: 'on',
      }
      // They start together on an empty database. Only one of them hears of jobs; the other one polls.
      const [here, there] = await Promise.all([
        start(ending, { ...environment, DATABASE_LISTEN_URL: fresh.url }),
        start(ending, environment),
      ])
      const owner = await addUser(db, 'ada', alwaysOpen)
      const eventType = await addEventType(db, owner, { durationMinutes: 15, reminderMinutes: [] })
      await addWebhook(db, owner, { url: receiver.url })
      const guest = guestOf(owner, eventType)

      assert.ok(await guest.lists(here, FUTURE_MIDNIGHT))
      const booked = await guest.book(here, FUTURE_MIDNIGHT)
      assert.equal(booked.status, 201, JSON.stringify(booked.body))
      assert.ok(!(await guest.lists(here, FUTURE_MIDNIGHT)))
      assert.equal((await guest.book(there, FUTURE_MIDNIGHT)).status, 400)
      // Many at once, over fewer connections than there are guests.
      const starts = Array.from({ length: 16 }, (_, i) => FUTURE_MIDNIGHT + (i + 1) * DURATION)
      const all = await Promise.all(starts.map((at, i) => guest.book(i % 2 === 0 ? here : there, at)))
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201]))

      const cancelled = await guest.cancel(there, booked.location)
      assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
      assert.ok(await guest.lists(there, FUTURE_MIDNIGHT))
      assert.equal((await guest.book(there, FUTURE_MIDNIGHT)).status, 201)

      const jobs = () => db.selectFrom('outbox').select('id').execute()
      while ((await jobs()).length > 0) await sleep(20)
      const events = receiver.received.map(({ body }) => JSON.parse(body).type).sort()
      assert.deepEqual(events, ['booking.cancelled', ...Array(18).fill('booking.created')])
      // To the guest and to the host, about every change.
      assert.equal(sink.received.length, 2 * 19)
      assert.equal(new Set(sink.received.map(({ mail }) => mail.messageId)).size, 2 * 19)
      for (const { output } of [here, there])
        assert.doesNotMatch(output(), /listening for jobs|"level":[456]0/)

      // The server must give up first: nothing that was answered with 503 may happen later.
      for (const patient of [here, there]) {
        patient.send('SIGKILL')
        await patient.exited
      }
      const hasty = await start(ending, { ...environment, DATABASE_TIMEOUT_SECONDS: '5' })
      const later = FUTURE_MIDNIGHT + 40 * DURATION
      await db.transaction().execute(async (trx) => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
        await lockHosts(trx, [owner.id])
        assert.equal((await guest.book(hasty, later)).status, 503)
        // The worker may wait for this host, too, and gives up as well.
        const waiting = () =>
          sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(trx)
        while ((await waiting()).rows.length > 0) await sleep(20)
      })
      let status = 503
      // A machine that stands still may take longer than five seconds once more.
      while (status === 503) ({ status } = await guest.book(hasty, later))
      assert.equal(status, 201)
    })
  }

  for (const [name, startPooler] of poolers) {
    it(`has PostgreSQL compile no statement through ${name}`, async (t) => {
      await using ending = new AsyncDisposableStack()
      const { fresh, db } = await open(ending)
      await migrate(db)
      const pooler = await startPooler(fresh.url)
      if (pooler === undefined) {
        t.diagnostic(`${name} is not installed: only the stand-in was tried`)
        return
      }
      ending.defer(() => pooler.stop())
      const pooled = openPatiently(pooler.url, { pooledTransactions: true })
      ending.defer(() => pooled.destroy())
      const settingOf = async (on: Db) => (await sql<{ jit: string }>`show jit`.execute(on)).rows[0]?.jit
      assert.equal(await settingOf(pooled), 'off')
      // Where the role may not be changed, at least transactions have it.
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
      await sql`alter role session_user in database ${sql.id(rows[0]?.name ?? '')} set jit = on`.execute(db)
      const later = await startTransactionPooler(fresh.url)
      ending.defer(() => later.stop())
      const unset = openPatiently(later.url, { pooledTransactions: true })
      ending.defer(() => unset.destroy())
      assert.equal(await settingOf(unset), 'on')
      assert.equal(await unset.transaction().execute(settingOf), 'off')
      assert.equal(await settingOf(db), 'off')
    })
  }

  it('is refused by the pooler unless it is configured for one', async () => {
    await using ending = new AsyncDisposableStack()
    const { fresh } = await open(ending)
    const pooler = await startTransactionPooler(fresh.url)
    ending.defer(() => pooler.stop())
    await assert.rejects(start(ending, { DATABASE_URL: pooler.url }), /unsupported startup parameter/)
  })
})
