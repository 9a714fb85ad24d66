import { setTimeout as sleep } from 'node:timers/promises'
import { sampleTellings } from '../../src/domain/webhooks/sample.ts'
import { jobFor, UNTRIED } from '../../src/services/webhooks/queue-deliveries.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { newId } from '../../src/store/new-id.ts'
import { insertJobs } from '../../src/store/outbox.ts'
import { findSchedulerBySlug } from '../../src/store/people/schedulers.ts'
import { type Delivery, insertDeliveries } from '../../src/store/webhooks/deliveries.ts'
import { startPostgres } from '../../test/postgres.ts'
import { addWebhook } from '../../test/webhooks.ts'
import { FIRST_DAY, startsFrom, usuallyBooked } from '../calendar.ts'
import { startChild } from '../child.ts'
import { type Bench, MOST_PER_SECOND, type Part, rateOf, SECONDS } from '../part.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../receiver.ts'
import { getRequest, monthPath, take, VARIED_DAYS, variedListings } from '../requests.ts'
import { median } from '../rounds.ts'
import { seed, slugOf } from '../seed.ts'
import { databaseOf, type ServerOptions, startServer } from '../server.ts'
import { perSecond, type Row } from '../table.ts'

const HOSTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const DELIVERIES = 10_000
/** How long the receiver takes to answer. */
const ANSWERS_AFTER = 50
/** All are queued at once and become due in portions: between two of them nothing is delivered. */
const PORTIONS = 5
const PORTION = DELIVERIES / PORTIONS
const HOUR = 3_600_000

type Listings = 'same' | 'varied'
type Rates = Readonly<Record<Listings, number[]>>

const KINDS: readonly Listings[] = ['same', 'varied']

export const deliveries: Part = (bench) => deliver(bench, 'SQLite', { dataDir: bench.folder('deliveries') })

export const deliveriesPostgres: Part = async function* (bench) {
  const postgres = await startPostgres({ durable: true })
  try {
    const dataDir = bench.folder('deliveries-postgres')
    yield* deliver(bench, 'PostgreSQL', { dataDir, databaseUrl: postgres.url })
  } finally {
    await postgres.stop()
  }
}

async function* deliver(bench: Bench, engine: string, given: ServerOptions): AsyncIterable<Row> {
  const options = { ...given, webhookAllowPrivate: true }
  const starts = startsFrom(FIRST_DAY, VARIED_DAYS)
  await seed(databaseOf(options), {
    hosts: HOSTS.length,
    booked: [{ hosts: [1, HOSTS.length], starts: usuallyBooked(starts) }],
  })
  await using receiver = startChild<ReceiverQuestion, ReceiverAnswer>('receiver.ts')
  const { port } = await receiver.ask({ ask: 'start', after: ANSWERS_AFTER })
  const tally = () => receiver.ask({ ask: 'tally' })
  await using server = await startServer(options)

  const same = [getRequest(monthPath(1))]
  const listings = variedListings(HOSTS.slice(1))
  const measure = (which: Listings): Promise<number> =>
    which === 'same'
      ? rateOf(bench, server.port, same, 'gets', true)
      : rateOf(bench, server.port, take(listings, SECONDS * MOST_PER_SECOND), 'gets')
  await using queue = await queueDeliveries(databaseOf(options), `http://127.0.0.1:${port}/hook`)
  const undisturbed: Rates = { same: [], varied: [] }
  const disturbed: Rates = { same: [], varied: [] }
  let seconds = 0
  for (const which of KINDS) await measure(which)
  for (let i = 0; i < PORTIONS; i++) {
    for (const which of KINDS) undisturbed[which].push(await measure(which))
    await receiver.ask({ ask: 'begin' })
    await queue.makeDue(PORTION)
    while ((await tally()).count === 0) await sleep(10)
    for (let n = 0; (await tally()).count < PORTION; n++) {
      const which = KINDS[n % KINDS.length] as Listings
      const rate = await measure(which)
      // Counts only if there were deliveries left at its end.
      if ((await tally()).count < PORTION) disturbed[which].push(rate)
    }
    seconds += (await tally()).seconds
  }

  const compared = (what: string, which: Listings): Row => {
    const [ours, baseline] = [disturbed, undisturbed].map((rates) => median(rates[which]))
    return {
      what: `GET slots, ${what}, during deliveries on ${engine}`,
      ours: perSecond(ours as number),
      baseline: perSecond(baseline as number),
      value: (ours as number) / (baseline as number),
      target: { atLeast: 0.7 },
    }
  }
  yield {
    what: `${DELIVERIES.toLocaleString('en')} deliveries on ${engine}, ${ANSWERS_AFTER} ms each, under load`,
    ours: perSecond(DELIVERIES / seconds),
    baseline: '',
    value: DELIVERIES / seconds,
    unit: '/s',
    target: { atLeast: 300 },
  }
  yield compared('same request', 'same')
  yield compared('all different', 'varied')
}

interface Queue extends AsyncDisposable {
  /** Makes this many more of them due now. */
  makeDue(count: number): Promise<void>
}

/** Queues the deliveries, due much later. */
async function queueDeliveries(database: string, url: string): Promise<Queue> {
  const db = openDatabase(database)
  const owner = await findSchedulerBySlug(db, slugOf(1))
  if (owner === undefined) throw new Error('there is no host to deliver for')
  const webhook = await addWebhook(db, owner, { url })
  const now = Date.now()
  const later = now + HOUR
  const sampled = { format: webhook.format, scheduler: owner, publicUrl: 'https://book.example.com', now }
  const body = JSON.stringify(sampleTellings('booking.created', sampled)[0]?.body)
  const deliveries = Array.from({ length: DELIVERIES }, (): Delivery => {
    const about = { id: newId(), webhookId: webhook.id, bookingId: newId() }
    return { ...UNTRIED, ...about, event: 'booking.created', body, createdAt: now, nextAttemptAt: later }
  })
  await db.transaction().execute(async (trx) => {
    await insertDeliveries(trx, deliveries)
    await insertJobs(
      trx,
      deliveries.map((delivery) => jobFor(webhook, delivery, later)),
      now,
    )
  })
  return {
    async makeDue(count) {
      const waiting = db
        .selectFrom('outbox')
        .select('id')
        .where('due_at', '=', later)
        .orderBy('id')
        .limit(count)
      await db.updateTable('outbox').set({ due_at: now }).where('id', 'in', waiting).execute()
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}
