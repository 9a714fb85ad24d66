import { FIRST_DAY, startsFrom, usuallyBooked } from '../calendar.ts'
import { type Bench, MOST_PER_SECOND, type Part, rateOf, SECONDS, startBaseline } from '../part.ts'
import { findPostgres, makeDatabase } from '../postgres.ts'
import {
  bookings,
  calcomMonthPath,
  getRequest,
  monthPath,
  take,
  VARIED_DAYS,
  variedListings,
} from '../requests.ts'
import { measureInTurn } from '../rounds.ts'
import { seed, slugOf } from '../seed.ts'
import { databaseOf, fetchBytes, type ServerOptions, startServer } from '../server.ts'
import { perSecond, type Row } from '../table.ts'

const HOSTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const EVENT_TYPES = { 'cal-api-version': '2024-06-14' }
const SLOTS = { 'cal-api-version': '2024-09-04' }

/** One booking per this many listings. */
const BOOKING_EVERY = 100

export const slots: Part = (bench) => list(bench, 'SQLite', { dataDir: bench.folder('slots') })

/** `BENCH_POSTGRES_URL` names a server with its own defaults, if not one of ours is to be started. */
export const slotsPostgres: Part = async function* (bench) {
  await using server = await findPostgres()
  await using database = await makeDatabase(server.url, 'punctual_bench_slots')
  const dataDir = bench.folder('slots-postgres')
  yield* list(bench, 'PostgreSQL', { dataDir, databaseUrl: database.url })
}

async function* list(bench: Bench, engine: string, options: ServerOptions): AsyncIterable<Row> {
  const starts = startsFrom(FIRST_DAY, VARIED_DAYS)
  const booked = new Set(usuallyBooked(starts))
  await seed(databaseOf(options), {
    hosts: HOSTS.length,
    booked: [{ hosts: [1, HOSTS.length], starts: [...booked] }],
  })

  await using server = await startServer(options)
  // A host without new bookings.
  const [quiet = 0, ...others] = HOSTS
  const bytes = await fetchBytes(server.port, monthPath(quiet))
  await using plain = await startBaseline({ kind: 'bytes', base64: bytes.toString('base64') })

  const same = [getRequest(monthPath(quiet))]
  const eventTypes = await fetchBytes(server.port, `/v2/event-types?username=${slugOf(quiet)}`, EVENT_TYPES)
  const calcomPath = calcomMonthPath(JSON.parse(eventTypes.toString()).data[0].id)
  const calcomBytes = await fetchBytes(server.port, calcomPath, SLOTS)
  const calcom = [getRequest(calcomPath, SLOTS)]
  const listings = variedListings(others)
  const changes = bookings(
    others,
    starts.filter((start) => !booked.has(start)),
  )
  const varied = () =>
    take(listings, SECONDS * MOST_PER_SECOND).flatMap((listing, i) =>
      i % BOOKING_EVERY === 0 ? [changes.next().value, listing] : [listing],
    )

  const bare = () => rateOf(bench, plain.port, same, 'gets', true)
  const rates = await measureInTurn({
    plain: bare,
    same: () => rateOf(bench, server.port, same, 'gets', true),
    calcom: () => rateOf(bench, server.port, calcom, 'gets', true),
  })
  // On their own: the mails of these bookings would be written while something else is measured.
  const mixed = await measureInTurn({
    plain: bare,
    varied: () => rateOf(bench, server.port, varied(), 'gets'),
  })
  const slotCount = JSON.parse(bytes.toString()).flatMap((day: { slots: unknown[] }) => day.slots).length
  const baseline = perSecond(rates.plain)
  yield {
    what: `GET slots on ${engine}, same request, ${slotCount} slots in ${Math.round(bytes.length / 1000)} KB`,
    ours: perSecond(rates.same),
    baseline,
    value: rates.same / rates.plain,
    target: { atLeast: 0.85 },
  }
  const calcomDays: Record<string, unknown[]> = JSON.parse(calcomBytes.toString()).data
  yield {
    what: `GET /v2/slots on ${engine} beside our own, ${Object.values(calcomDays).flat().length} slots in ${Math.round(calcomBytes.length / 1000)} KB`,
    ours: perSecond(rates.calcom),
    baseline: perSecond(rates.same),
    value: rates.calcom / rates.same,
    target: { atLeast: 0.8 },
  }
  yield {
    what: `GET slots on ${engine}, all different, with bookings between`,
    ours: perSecond(mixed.varied),
    baseline: perSecond(mixed.plain),
    value: mixed.varied / mixed.plain,
    target: { atLeast: 0.25 },
  }
}
