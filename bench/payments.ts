// What a booking that is paid costs beside one that is free: statements, round trips and processor time on PostgreSQL.
// Run it with `node bench/payments.ts`; the provider is the tests' stand-in, in the same process.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { EventType } from '../src/domain/event-types/event-type.ts'
import { DAY, HOUR } from '../src/domain/interval.ts'
import { book } from '../src/services/bookings/guest/book.ts'
import { settleNotice } from '../src/services/bookings/payments/work.ts'
import { openDatabase } from '../src/store/engine/open-database.ts'
import { migratedDatabase } from '../test/databases.ts'
import { jobsOf, runDueJobs } from '../test/jobs.ts'
import { addEventType, addUser, bookingOf, contextOn, MONDAY_NOON, stoppedClock } from '../test/kit.ts'
import { addPaymentAccount, PRICE, startPayments } from '../test/payments.ts'
import { alwaysOpen } from '../test/server-process.ts'

const BOOKINGS = 200

/** Counts the statements that are sent to a database. */
async function counting(url: string) {
  const target = new URL(url)
  const counts = { statements: 0 }
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    let rest: Buffer = Buffer.alloc(0)
    let isStarted = false
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk)
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= (isStarted ? 5 : 4)) {
        // The first message has no type.
        const length = isStarted ? rest.readInt32BE(1) + 1 : rest.readInt32BE(0)
        if (rest.length < length) break
        if (isStarted && 'EQ'.includes(String.fromCharCode(rest[0] ?? 0))) counts.statements++
        isStarted = true
        rest = rest.subarray(length)
      }
    })
    upstream.on('data', (chunk) => client.write(chunk))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const counted = new URL(url)
  counted.port = String((server.address() as AddressInfo).port)
  return { url: counted.href, counts, close: () => server.close() }
}

const fresh = await migratedDatabase('postgres')
const line = await counting(fresh.url)
const db = openDatabase(line.url)
const clock = stoppedClock()
const outside = await startPayments(clock.now)
try {
  const { context } = contextOn(db, { now: clock.now, payments: outside.payments })
  outside.hear(context)
  const ada = await addUser(db, 'ada', alwaysOpen)
  await addPaymentAccount(context, ada, outside.stripe)
  const given = { durationMinutes: 30, window: { kind: 'unlimited' } } as const
  const free = await addEventType(db, ada, given)
  const paid = await addEventType(db, ada, { ...given, price: PRICE })

  const measure = async (eventType: EventType, firstAt: number) => {
    const once = async (index: number) => {
      const bookable = await context.slots.getBookable(ada.slug, eventType.slug)
      const request = bookingOf(eventType, firstAt + index * HOUR)
      return book(context, bookable, request, {
        clientAddress: `10.0.${index >> 8}.${index & 255}`,
        idempotencyKey: undefined,
      })
    }
    for (let index = 0; index < 20; index++) await once(index)
    await runDueJobs(context)
    line.counts.statements = 0
    const before = process.cpuUsage()
    for (let index = 20; index < 20 + BOOKINGS; index++) await once(index)
    const { user, system } = process.cpuUsage(before)
    return { statements: line.counts.statements / BOOKINGS, cpu: (user + system) / 1000 / BOOKINGS }
  }
  const show = (name: string, { statements, cpu }: { statements: number; cpu: number }) =>
    process.stdout.write(
      `${name}: ${statements.toFixed(1)} statements, ${cpu.toFixed(2)} ms of processor time\n`,
    )
  show('free', await measure(free, MONDAY_NOON + 30 * DAY))
  show('paid, until the guest has the address', await measure(paid, MONDAY_NOON + 60 * DAY))

  const sessions = outside.stripe.sessions.filter(({ status }) => status === 'open')
  for (const { id } of sessions) await outside.stripe.pay(id)
  const jobs = await jobsOf(db, 'payment-notice')
  line.counts.statements = 0
  const before = process.cpuUsage()
  for (const { data } of jobs) await settleNotice(context, data)
  const { user, system } = process.cpuUsage(before)
  show(`settling, all ${jobs.length / sessions.length} notices of a payment`, {
    statements: line.counts.statements / sessions.length,
    cpu: (user + system) / 1000 / sessions.length,
  })
} finally {
  await outside.stripe.close()
  await db.destroy()
  line.close()
  await fresh.drop()
}
