import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { type HttpMeter, LATENCY_BOUNDS, type RouteMeter } from '../http/meter.ts'
import type { Context } from '../services/context.ts'
import { contentionCounts } from '../store/bookings/write-path.ts'
import { engine } from '../store/engine/engine.ts'
import type { JobSample } from '../store/work-sample.ts'
import type { SentCounts } from './counted.ts'
import type { Sampler } from './sampler.ts'

/** Where the numbers come from. None of them needs the database at the time of asking. */
interface Sources {
  readonly context: Context
  readonly http: HttpMeter
  readonly sent: SentCounts
  readonly sampler: Sampler
  readonly version: string
  /** Whether backups are scheduled here. */
  readonly backups: boolean
}

const PREFIX = 'punctual_'

/** Makes the function that writes all metrics as text. */
export function createExposition(sources: Sources): () => Promise<string> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: PREFIX, eventLoopMonitoringPrecision: 20 })
  addBuild(registry, sources)
  addHttp(registry, sources)
  addBookings(registry, sources)
  addNotices(registry, sources)
  addDatabase(registry, sources)
  addWork(registry, sources)
  return () => registry.metrics()
}

type Labels = Readonly<Record<string, string | number>>
/** Labels and value of each time series. */
type Series = Iterable<readonly [Labels, number]>

interface Description {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
}

/** Metrics that are read on each scrape, from numbers that are kept elsewhere. */
function read(
  Kind: typeof Counter | typeof Gauge,
  registry: Registry,
  { name, help, labelNames = [] }: Description,
  series: () => Series,
): void {
  new Kind({
    name: PREFIX + name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const [labels, value] of series()) this.inc(labels, value)
    },
  })
}

function addBuild(registry: Registry, { version }: Sources): void {
  read(
    Gauge,
    registry,
    { name: 'build_info', help: 'The running version; always 1.', labelNames: ['version', 'node'] },
    () => [[{ version, node: process.version }, 1]],
  )
}

function addHttp(registry: Registry, { http, context }: Sources): void {
  const names = ['method', 'route', 'status']
  read(
    Counter,
    registry,
    { name: 'http_requests_total', help: 'Requests, by route and status.', labelNames: names },
    () =>
      [...http.routes()].flatMap(({ method, route, statuses }) =>
        [...statuses].map(([status, count]): [Labels, number] => [{ method, route, status }, count]),
      ),
  )
  const name = `${PREFIX}http_request_duration_seconds`
  const latency = {
    name,
    get: async () => ({
      name,
      help: 'Time from a request to its answer, by route.',
      type: 'histogram',
      values: [...http.routes()].flatMap((route) => histogramOf(name, route)),
    }),
  }
  // A Histogram of the library can't be filled from counts, and observing each request costs a microsecond.
  registry.registerMetric(latency as unknown as Metric)

  const counts = context.slots.listingCounts
  read(
    Counter,
    registry,
    { name: 'listings_total', help: 'Slot listings, by whether they were cached.', labelNames: ['cache'] },
    () => [
      [{ cache: 'hit' }, counts.hits],
      [{ cache: 'miss' }, counts.misses],
    ],
  )
  const reads = context.slots.readCounts
  read(
    Counter,
    registry,
    { name: 'listing_reads_total', help: 'Reads for listings, by server.', labelNames: ['server'] },
    () => [
      [{ server: 'primary' }, reads.primary],
      [{ server: 'replica' }, reads.replica],
    ],
  )
}

function histogramOf(name: string, { method, route, buckets, seconds }: RouteMeter) {
  let count = 0
  const cumulative = [...LATENCY_BOUNDS, '+Inf'].map((le, index) => {
    count += buckets[index] as number
    return { metricName: `${name}_bucket`, labels: { method, route, le }, value: count }
  })
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels: { method, route }, value: seconds },
    { metricName: `${name}_count`, labels: { method, route }, value: count },
  ]
}

/** How notices of providers are answered. */
const NOTICES: Readonly<Record<number, string>> = {
  200: 'validated',
  202: 'accepted',
  404: 'unknown',
  429: 'rate_limited',
}

function addNotices(registry: Registry, { http }: Sources): void {
  const help = 'Requests in which a provider told of changes, by outcome.'
  read(Counter, registry, { name: 'calendar_notices_total', help, labelNames: ['provider', 'outcome'] }, () =>
    [...http.routes()].flatMap(({ method, route, statuses }) => {
      const provider = /^\/api\/hooks\/(\w+)$/.exec(route)?.[1]
      if (provider === undefined || method !== 'POST') return []
      return [...statuses].map(([status, count]): [Labels, number] => {
        return [{ provider, outcome: NOTICES[status] ?? 'failed' }, count]
      })
    }),
  )
}

function addBookings(registry: Registry, { http, context }: Sources): void {
  const help = 'Requests to book, by outcome; reason is the code of the refusal.'
  read(Counter, registry, { name: 'bookings_total', help, labelNames: ['outcome', 'reason'] }, () =>
    [...http.bookings].map(([end, count]) => {
      const labels =
        end === 'booked' ? { outcome: 'booked', reason: '' } : { outcome: 'refused', reason: end }
      return [labels, count]
    }),
  )
  const again = 'Decisions about bookings that were made again, by reason.'
  read(Counter, registry, { name: 'decisions_again_total', help: again, labelNames: ['reason'] }, () =>
    Object.entries({ ...context.decidedAgain, ...contentionCounts(context.db) }).map(([reason, count]) => [
      { reason },
      count,
    ]),
  )
}

function addDatabase(registry: Registry, { context, sampler }: Sources): void {
  read(
    Gauge,
    registry,
    { name: 'database_up', help: 'Whether the last look into the database succeeded.' },
    () => [[{}, sampler.works ? 1 : 0]],
  )
  const { poolUsage } = engine(context.db)
  if (poolUsage === undefined) return
  const help = 'Connections to PostgreSQL, by state.'
  read(Gauge, registry, { name: 'database_connections', help, labelNames: ['state'] }, () => {
    const { idle, inUse } = poolUsage()
    return [
      [{ state: 'idle' }, idle],
      [{ state: 'in_use' }, inUse],
    ]
  })
  read(Gauge, registry, { name: 'database_connections_max', help: 'DATABASE_POOL_SIZE.' }, () => [
    [{}, poolUsage().max],
  ])
  read(Gauge, registry, { name: 'database_waiting', help: 'Statements that wait for a connection.' }, () => [
    [{}, poolUsage().waiting],
  ])
}

function addWork(registry: Registry, { context, sent, sampler, backups }: Sources): void {
  const perKind = (name: string, help: string, value: (job: JobSample, now: number) => number) =>
    read(Gauge, registry, { name, help, labelNames: ['kind'] }, () =>
      [...(sampler.sample?.jobs ?? [])].map(([kind, job]) => [{ kind }, value(job, context.now())]),
    )
  perKind('outbox_due_jobs', 'Jobs that are due, at most 10,000 of a kind.', ({ due }) => due)
  perKind('outbox_scheduled_jobs', 'Jobs for later, at most 10,000 of a kind.', ({ scheduled }) => scheduled)
  perKind('outbox_dead_jobs', 'Jobs that were given up, at most 10,000 in all.', ({ dead }) => dead)
  perKind('outbox_oldest_due_seconds', 'For how long the oldest job has been due.', ({ oldestDueAt }, now) =>
    oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1000,
  )
  const byOutcome = (counts: Readonly<Record<string, number>>) => () =>
    Object.entries(counts).map(([outcome, count]): [Labels, number] => [{ outcome }, count])
  read(
    Counter,
    registry,
    { name: 'mails_total', help: 'Attempts to send an email.', labelNames: ['outcome'] },
    byOutcome(sent.mails),
  )
  const deliveries = byOutcome(sent.deliveries)
  read(
    Counter,
    registry,
    { name: 'webhook_deliveries_total', help: 'Tries to deliver a webhook.', labelNames: ['outcome'] },
    deliveries,
  )
  read(
    Gauge,
    registry,
    { name: 'calendars', help: 'Connected calendars that block time.', labelNames: ['kind', 'health'] },
    () =>
      Object.entries(sampler.sample?.calendars ?? {}).flatMap(([kind, byHealth]) =>
        Object.entries(byHealth).map(([health, count]): [Labels, number] => [{ kind, health }, count]),
      ),
  )
  read(
    Gauge,
    registry,
    { name: 'attention_items', help: 'What needs attention, by kind.', labelNames: ['kind'] },
    () => [...sampler.attention].map(([kind, count]): [Labels, number] => [{ kind }, count]),
  )
  const liveChecks = byOutcome(context.liveChecks)
  read(
    Counter,
    registry,
    { name: 'live_checks_total', help: 'Hosts whose calendars were asked.', labelNames: ['outcome'] },
    liveChecks,
  )
  const messagesHelp = 'Hosts’ own messages, by what became of them.'
  read(
    Counter,
    registry,
    { name: 'messages_total', help: messagesHelp, labelNames: ['channel', 'outcome'] },
    () =>
      Object.entries(context.messagesSent).flatMap(([channel, outcomes]) =>
        Object.entries(outcomes).map(([outcome, count]): [Record<string, string>, number] => [
          { channel, outcome },
          count,
        ]),
      ),
  )
  read(
    Gauge,
    registry,
    { name: 'sampled_timestamp_seconds', help: 'When outbox and calendars were last read.' },
    () => [[{}, sampler.takenAt / 1000]],
  )
  if (!backups) return
  const help = 'When the last scheduled backup was complete, on any instance; 0: never.'
  read(Gauge, registry, { name: 'backup_last_success_timestamp_seconds', help }, () =>
    sampler.sample === undefined ? [] : [[{}, sampler.sample.backedUpAt / 1000]],
  )
}
