import { MESSAGE_DEFAULTS } from '../../src/domain/messages/message.ts'
import type { Context } from '../../src/services/context.ts'
import { planForBookings } from '../../src/services/messages/plan.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { insertMessage } from '../../src/store/messages/messages.ts'
import { newId } from '../../src/store/new-id.ts'
import { findSchedulerBySlug } from '../../src/store/people/schedulers.ts'
import { runDueJobs } from '../../test/jobs.ts'
import { evenly, FIRST_DAY, startsFrom } from '../calendar.ts'
import type { Part } from '../part.ts'
import { findPostgres, makeDatabase } from '../postgres.ts'
import { seed, slugOf } from '../seed.ts'
import { databaseOf } from '../server.ts'
import { perSecond, type Row } from '../table.ts'
import { contextOn } from './search.ts'

const HOUR = 3_600_000
const HOSTS = 40
const BOOKINGS = 250
const MESSAGES = HOSTS * BOOKINGS
/** Hosts without messages, and how many bookings each of them has. */
const OTHERS = { hosts: 4000, bookings: 250 }
const DAYS = 28
/** So long before a meeting that all are due before the first of them starts. */
const MINUTES_BEFORE = 30 * 24 * 60

const SUBJECT = 'Please bring'

const STARTS = startsFrom(FIRST_DAY, DAYS)
const [FIRST_START = 0] = STARTS

/** Plans and sends 10,000 messages, alone and beside a million bookings that have none. */
export const messages: Part = (bench) =>
  compare(
    'SQLite',
    databaseOf({ dataDir: bench.folder('few') }),
    databaseOf({ dataDir: bench.folder('many') }),
  )

/** Measured only when named, as `growth-postgres` is. */
export const messagesPostgres: Part = async function* () {
  await using server = await findPostgres()
  await using few = await makeDatabase(server.url, 'punctual_bench_few')
  await using many = await makeDatabase(server.url, 'punctual_bench_many')
  yield* compare('PostgreSQL', few.url, many.url)
}

async function* compare(engine: string, few: string, many: string): AsyncIterable<Row> {
  const own = { hosts: [1, HOSTS] as const, starts: evenly(STARTS, BOOKINGS), numberedGuests: true as const }
  const others = {
    hosts: [HOSTS + 1, HOSTS + OTHERS.hosts] as const,
    starts: evenly(STARTS, OTHERS.bookings),
  }
  await seed(few, { hosts: HOSTS, booked: [own] })
  await seed(many, { hosts: HOSTS + OTHERS.hosts, booked: [own, others] })
  const alone = await measure(few)
  const beside = await measure(many)
  const count = MESSAGES.toLocaleString('en')
  for (const step of ['planned', 'sent'] as const) {
    yield {
      what: `${count} messages ${step} on ${engine}, beside 1,000,000 bookings`,
      ours: perSecond(beside[step]),
      baseline: perSecond(alone[step]),
      value: alone[step] / beside[step],
      target: { atMost: 1.3 },
    }
  }
}

/** How many messages a second are planned, and sent. */
async function measure(url: string): Promise<Record<'planned' | 'sent', number>> {
  const db = openDatabase(url)
  let now = FIRST_START - MINUTES_BEFORE * 60_000 - HOUR
  const base = await contextOn(db, () => now)
  let sent = 0
  const context: Context = {
    ...base,
    // Not the mails about the booking that all others are made of.
    mailer: async ({ subject }) => {
      if (subject === SUBJECT) sent++
    },
  }
  try {
    const ids = await insertMessages(context)
    const planned = await rateOf(async () => {
      for (const id of ids) await planForBookings(context, id, now)
    })
    now = FIRST_START - HOUR
    const rate = await rateOf(() => runDueJobs(context))
    if (sent !== MESSAGES) throw new Error(`${sent} messages were sent instead of ${MESSAGES}`)
    return { planned, sent: rate }
  } finally {
    await db.destroy()
  }
}

async function rateOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return MESSAGES / ((performance.now() - startedAt) / 1000)
}

/** One message of each host; returns their ids. */
async function insertMessages({ db, now }: Context): Promise<string[]> {
  const ids: string[] = []
  for (let host = 1; host <= HOSTS; host++) {
    const owner = await findSchedulerBySlug(db, slugOf(host))
    if (owner === undefined) throw new Error(`there is no host ${host}`)
    const id = newId()
    const texts = { en: { subject: SUBJECT, body: 'Hello {{guest.name}}, please bring your questions.' } }
    const given = { name: SUBJECT, on: 'before', minutes: MINUTES_BEFORE, texts } as const
    const message = { ...MESSAGE_DEFAULTS, ...given, id, schedulerId: owner.id, createdAt: now() }
    await db.transaction().execute((trx) => insertMessage(trx, message))
    ids.push(id)
  }
  return ids
}
