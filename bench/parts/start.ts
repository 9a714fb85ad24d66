import { FIRST_DAY, startsFrom, usuallyBooked } from '../calendar.ts'
import { CONNECTIONS, type Part } from '../part.ts'
import { bookings, getRequest, monthPath, VARIED_DAYS, variedListings } from '../requests.ts'
import { median } from '../rounds.ts'
import { seed } from '../seed.ts'
import { databaseOf, startServer } from '../server.ts'
import type { Row } from '../table.ts'

const STARTS = 5
const REQUESTS = 100_000
/** In seconds. Takes about ten on two idle cores. */
const WORK_LIMIT = 150
const HOSTS = 100

export const start: Part = async function* (bench) {
  const seconds: number[] = []
  const megabytes: number[] = []
  for (let i = 0; i < STARTS; i++) {
    await using server = await startServer({ dataDir: bench.folder(`start-${i}`), demo: true })
    seconds.push(server.startSeconds)
    megabytes.push(server.residentMegabytes())
  }
  const row = (what: string, value: number, unit: string, atMost: number): Row => ({
    what,
    ours: '',
    baseline: '',
    value,
    unit,
    target: { atMost },
  })
  yield row('start to first answer, new data folder', median(seconds), 's', 1.5)
  yield row('resident memory after start', median(megabytes), 'MB', 130)
  yield row('resident memory after 100,000 requests', await megabytesAfterWork(), 'MB', 200)

  async function megabytesAfterWork(): Promise<number> {
    const options = { dataDir: bench.folder('work') }
    const starts = startsFrom(FIRST_DAY, VARIED_DAYS)
    const booked = new Set(usuallyBooked(starts))
    await seed(databaseOf(options), {
      hosts: HOSTS,
      booked: [{ hosts: [1, HOSTS], starts: [...booked] }],
    })
    await using server = await startServer(options)

    const hosts = Array.from({ length: HOSTS }, (_, i) => i + 1)
    const listings = variedListings(hosts)
    const changes = bookings(
      hosts,
      starts.filter((start) => !booked.has(start)),
    )
    // Of twenty, one books, nine are new listings and ten are repeated ones.
    const requests = Array.from({ length: REQUESTS }, (_, i) => {
      if (i % 20 === 0) return changes.next().value
      return i % 2 === 0 ? listings.next().value : getRequest(monthPath(hosts[i % HOSTS] as number))
    })
    const work = { port: server.port, connections: CONNECTIONS, seconds: WORK_LIMIT, requests, repeat: false }
    const { gets, posts } = await bench.load.ask(work)
    if (gets + posts !== REQUESTS)
      throw new Error(`only ${gets + posts} requests were answered in ${WORK_LIMIT} s`)
    return server.residentMegabytes()
  }
}
