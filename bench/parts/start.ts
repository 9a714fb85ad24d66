import { setTimeout as sleep } from 'node:timers/promises'
import { FIRST_DAY, startsFrom, usuallyBooked } from '../calendar.ts'
import { CONNECTIONS, type Part } from '../part.ts'
import { bookings, getRequest, monthPath, VARIED_DAYS, variedListings } from '../requests.ts'
import { median } from '../rounds.ts'
import { seed } from '../seed.ts'
import { databaseOf, secondsOfNpmStart, startServer } from '../server.ts'
import type { Row } from '../table.ts'

const STARTS = 5
/** In milliseconds. */
const AT_REST = 3000
const REQUESTS = 100_000
/** In seconds. Takes about ten on two idle cores. */
const WORK_LIMIT = 150
const HOSTS = 100

export const start: Part = async function* (bench) {
  const dataDir = (i: number) => bench.folder(`start-${i}`)
  const secondsOf = (i: number) => secondsOfNpmStart({ dataDir: dataDir(i), demo: true })
  const first: number[] = []
  const again: number[] = []
  const megabytes: number[] = []
  // From the second start on, compiled code is cached.
  await secondsOf(STARTS)
  for (let i = 0; i < STARTS; i++) {
    first.push(await secondsOf(i))
    again.push(await secondsOf(i))
    await using server = await startServer({ dataDir: dataDir(i), demo: true })
    // What starting left behind is given back a second later.
    await sleep(AT_REST)
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
  yield row('`npm start` to first answer, new data folder', median(first), 's', 0.8)
  yield row('`npm start` to first answer, once more', median(again), 's', 0.8)
  yield row('resident memory after start', median(megabytes), 'MB', 120)
  yield row('resident memory after 100,000 requests', await megabytesAfterWork(), 'MB', 190)

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
