import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { engine } from '../../src/store/engine/engine.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { openPatiently } from '../databases.ts'
import { signIn } from '../host-api.ts'
import { type AppUnderTest, addEventType, addUser, appOn, bookingOf, fromSomeoneNew } from '../kit.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../postgres.ts'
import { alwaysOpen, FUTURE_MIDNIGHT } from '../server-process.ts'

/** What a guest is promised: a listing is never older than this. */
const SECOND = 1000
const DURATION = 15 * MINUTE

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
}

const pathOf = ({ owner, eventType }: Offered) => `/api/public/scheduling/${owner.slug}/${eventType.slug}`

describe('an instance that reads listings from a standby', { timeout: 400_000 }, () => {
  let servers: ReplicatedPostgres
  let primary: Db
  let standby: Db
  /** The standby, without the limit that the service has for it. */
  let patient: Db
  let here: AppUnderTest
  let there: AppUnderTest
  let offer: Offered
  const others: Offered[] = []
  let slots = 0

  before(async () => {
    servers = await startReplicatedPostgres()
    primary = openPatiently(servers.primary.url)
    standby = openDatabase(servers.standby.url, { queryTimeout: 1000 })
    patient = openPatiently(servers.standby.url)
    await migrate(primary)
    here = await appOn(primary, { replica: standby })
    there = await appOn(primary)
    const add = async (slug: string): Promise<Offered> => {
      const owner = await addUser(primary, slug, alwaysOpen)
      return { owner, eventType: await addEventType(primary, owner, { durationMinutes: 15 }) }
    }
    offer = await add('ada')
    for (let i = 0; i < 20; i++) others.push(await add(`other-${i}`))
  })
  after(async () => {
    await here?.app.close()
    await there?.app.close()
    await standby?.destroy()
    await patient?.destroy()
    await primary?.destroy()
    await servers?.stop()
  })

  const nextStart = () => FUTURE_MIDNIGHT + slots++ * DURATION
  /** What the instance lists on the day of this start, as text. */
  async function listing({ app }: AppUnderTest, offered: Offered, startsAt: number): Promise<string> {
    const date = new Date(startsAt).toISOString().slice(0, 10)
    const url = `${pathOf(offered)}/slots?dateFrom=${date}&dateTo=${date}&timezone=UTC`
    const reply = await app.inject({ method: 'GET', url })
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.body
  }
  async function lists(at: AppUnderTest, offered: Offered, startsAt: number): Promise<boolean> {
    const text = await listing(at, offered, startsAt)
    return text.includes(`"startTime":"${new Date(startsAt).toISOString().slice(0, 19)}`)
  }
  async function book({ app }: AppUnderTest, startsAt: number): Promise<void> {
    const payload = bookingOf(offer.eventType, startsAt)
    const url = `${pathOf(offer)}/book`
    const reply = await app.inject({ method: 'POST', url, payload, headers: fromSomeoneNew() })
    assert.equal(reply.statusCode, 201, reply.body)
  }
  const counts = () => ({ ...here.context.slots.readCounts })
  /** Other guests, who keep the instance reading. */
  async function whileOthersRead(work: () => Promise<void>): Promise<void> {
    let done = false
    const reading = async () => {
      for (let i = 0; !done; i++) await listing(here, others[i % others.length] as Offered, FUTURE_MIDNIGHT)
    }
    const loops = [reading(), reading()]
    try {
      await work()
    } finally {
      done = true
      await Promise.all(loops)
    }
  }
  async function untilStandbyIsRead(): Promise<void> {
    const { replica } = counts()
    while (counts().replica < replica + 10) await sleep(5)
  }
  /** From a moment at which the standby is in use. */
  async function whileStandbyIsBehind(work: () => Promise<void>): Promise<void> {
    await untilStandbyIsRead()
    await sql`select pg_wal_replay_pause()`.execute(patient)
    try {
      await work()
    } finally {
      await sql`select pg_wal_replay_resume()`.execute(patient)
    }
  }

  it('reads from the standby', async () => {
    await whileOthersRead(async () => {
      await untilStandbyIsRead()
      // Each connection shows its last statement only.
      const seen = () =>
        sql`select 1 from pg_stat_activity
        where query like '%claims%' and pid <> pg_backend_pid()`.execute(patient)
      while ((await seen()).rows.length === 0) await sleep(5)
    })
  })

  it('trusts only a standby that follows this primary', async () => {
    const position = await engine(primary).readWalPosition(primary)
    assert.ok(position)
    const replayed = (db: Db, timeline = position.timeline) =>
      engine(db).hasReplayed(db, { ...position, timeline })
    while (!(await replayed(patient))) await sleep(5)
    assert.equal(await replayed(patient, position.timeline + 1), false)
    assert.equal(await replayed(primary), false)
  })

  it('shows within a second what another instance has booked, while the standby is behind', async () => {
    await whileOthersRead(async () => {
      await whileStandbyIsBehind(async () => {
        for (let i = 0; i < 4; i++) {
          const start = nextStart()
          // At another moment of what is cached each time.
          await sleep(i * 130)
          assert.ok(await lists(here, offer, start))
          await book(there, start)
          await sleep(SECOND)
          assert.ok(!(await lists(here, offer, start)), `still listed a second after booking ${i}`)
        }
      })
      await untilStandbyIsRead()
    })
  })

  it('shows at once what it has booked itself', async () => {
    await whileOthersRead(async () => {
      for (let i = 0; i < 5; i++) {
        await whileStandbyIsBehind(async () => {
          const start = nextStart()
          await book(here, start)
          assert.ok(!(await lists(here, offer, start)), `still listed after booking ${i}`)
        })
      }
    })
  })

  it('shows at once what a host has changed here', async () => {
    const host = await signIn(here.app, here.mailbox, 'ada@hosts.example')
    await whileOthersRead(async () => {
      for (const durationMinutes of [30, 45, 60]) {
        await whileStandbyIsBehind(async () => {
          const changed = await host.patch(`/event-types/${offer.eventType.id}`, { durationMinutes })
          assert.equal(changed.statusCode, 200, changed.body)
          const [slot] = JSON.parse(await listing(here, offer, FUTURE_MIDNIGHT + 24 * 60 * MINUTE))[0].slots
          assert.equal(Date.parse(slot.endTime) - Date.parse(slot.startTime), durationMinutes * MINUTE)
        })
      }
    })
  })

  it('reads from the primary when the standby is gone', async () => {
    await whileOthersRead(async () => {
      await untilStandbyIsRead()
      await servers.standby.kill()
      const { primary } = counts()
      while (counts().primary < primary + 20) await sleep(5)
    })
  })
})
