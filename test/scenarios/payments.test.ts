import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { HOUR } from '../../src/domain/interval.ts'
import { JOB_KINDS } from '../../src/domain/job.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { addEventType, addUser, bookingOf, contextOn, fromSomeoneNew } from '../kit.ts'
import { addPaymentAccount, PRICE, startPayments } from '../payments.ts'
import { repeat } from '../repeat.ts'
import { seededRandom } from '../seeded-random.ts'
import {
  alwaysOpen,
  type Client,
  connectTo,
  FUTURE_MIDNIGHT,
  freshHome,
  type Home,
  type ServerProcess,
  startServer,
} from '../server-process.ts'

// Guests race for the same times while their sessions end, notices come twice and in any order, and instances are
// killed. Whatever happens: one booking for each time, and everyone else has their money back.

const PAYMENT_JOBS = JOB_KINDS.filter((kind) => kind.startsWith('payment-'))

const GUESTS = repeat({ few: 8, many: 50 })
const TIMES = repeat({ few: 2, many: 4 })
const KILLS = repeat({ few: 1, many: 8 })

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`paying on ${engine}, with instances that are killed`, () => {
    const random = seededRandom(33)
    let home: Home
    let outside: Awaited<ReturnType<typeof startPayments>>
    let servers: { process: ServerProcess; client: Client }[] = []
    let ada: Scheduler
    let talk: EventType

    const start = async () => {
      const process = await startServer(home, {
        JWT_SECRET: contextOn(home.db).context.jwtSecret,
        STRIPE_API_URL: outside.stripe.url,
      })
      return { process, client: connectTo(process, 20) }
    }
    const stop = async ({ process, client }: (typeof servers)[number], signal: NodeJS.Signals) => {
      client.close()
      process.send(signal)
      await process.exited
    }
    before(async () => {
      home = await freshHome(engine)
      outside = await startPayments(Date.now)
      const { context } = contextOn(home.db, { payments: outside.payments })
      outside.hear(context)
      ada = await addUser(home.db, 'ada', alwaysOpen)
      await addPaymentAccount(context, ada, outside.stripe)
      talk = await addEventType(home.db, ada, { price: PRICE, durationMinutes: 60 })
      const instances = engine === 'postgres' ? 3 : 1
      servers = await Promise.all(Array.from({ length: instances }, start))
    })
    after(async () => {
      await Promise.all(servers.map((server) => stop(server, 'SIGTERM')))
      await outside?.stripe.close()
      await home?.remove()
    })

    const payJobs = () =>
      home.db.updateTable('outbox').where('kind', 'in', PAYMENT_JOBS).where('failed_at', 'is', null)

    /** Ends what is being paid, as if its time were over. */
    const endSessions = async (which: () => boolean) => {
      const open = await home.db.selectFrom('checkouts').select('id').where('status', '=', 'open').execute()
      const ids = open.map(({ id }) => id).filter(which)
      if (ids.length === 0) return
      await home.db.updateTable('checkouts').set({ pay_by: 0 }).where('id', 'in', ids).execute()
      const theirs = ids.map((checkoutId) => JSON.stringify({ checkoutId }))
      await payJobs()
        .set({ due_at: 0 })
        .where('data', 'in', theirs)
        .where('leased_until', 'is', null)
        .execute()
    }
    const isTaken = async (startsAt: number) => {
      const rows = home.db.selectFrom('bookings').select('id').where('starts_at', '=', startsAt)
      return (await rows.where('status', '=', 'Confirmed').execute()).length > 0
    }

    let turn = 0
    /** Books this time as soon as it is free, and pays, or thinks better of it. Repeats whatever gets no answer. */
    async function buy(startsAt: number, guest: number): Promise<void> {
      const body = bookingOf(talk, startsAt)
      const headers = { ...fromSomeoneNew(), 'idempotency-key': randomUUIDv7() }
      for (let tries = 0; tries < 60 && !(await isTaken(startsAt)); tries++) {
        const { client } = servers[turn++ % servers.length] as (typeof servers)[number]
        const path = `/api/public/scheduling/${ada.slug}/${talk.slug}/book`
        const answer = await client.post(path, body, headers).catch(() => undefined)
        if (answer?.status === 201) return settleUp(answer.body, guest)
        // A refusal is the answer to that key for a day.
        if (answer !== undefined && answer.status < 500) headers['idempotency-key'] = randomUUIDv7()
        await endSessions(() => random() < 0.3)
      }
    }
    async function settleUp({ paymentUrl }: { readonly paymentUrl?: string }, guest: number): Promise<void> {
      const id = paymentUrl?.split('/').at(-1) ?? ''
      // The first ones leave, so that the time is taken more than once.
      if (guest < GUESTS / 2 && random() < 0.6) return
      const by = random() < 0.4 ? ('bank' as const) : ('card' as const)
      const paying = outside.stripe.pay(id, { by }).catch(() => undefined)
      await Promise.all([paying, endSessions(() => random() < 0.5)])
    }
    async function killOne(): Promise<void> {
      const victim = servers[Math.floor(random() * servers.length)] as (typeof servers)[number]
      await stop(victim, 'SIGKILL')
      // Others need not wait until its leases have run out.
      await payJobs().set({ leased_until: null }).execute()
      const fresh = await start()
      servers = servers.map((server) => (server === victim ? fresh : server))
    }

    it('sells each time once, and gives everything else back', async () => {
      const { stripe } = outside
      stripe.notices.double(2)
      const kills = async () => {
        for (let kill = 0; kill < KILLS; kill++) await killOne()
      }
      const starts = Array.from({ length: TIMES }, (_, index) => FUTURE_MIDNIGHT + index * HOUR)
      const racing = starts.flatMap((startsAt) =>
        Array.from({ length: GUESTS }, async (_, guest) => {
          if (guest % 4 === 0) stripe.notices.hold()
          await buy(startsAt, guest)
          if (guest % 4 === 3) await stripe.notices.shuffle(random)
        }),
      )
      await Promise.all([kills(), ...racing])
      // Someone buys what nobody has bought in the end.
      for (const startsAt of starts) {
        await endSessions(() => true)
        for (let guest = GUESTS; !(await isTaken(startsAt)) && guest < GUESTS + 30; guest++) {
          await buy(startsAt, guest)
          await atRest()
        }
      }
      await atRest()
      for (const { id, status, paymentStatus } of stripe.sessions) {
        if (status === 'complete' && paymentStatus === 'unpaid') await stripe.finishBank(id, true)
      }
      await atRest()
      await checkAgreement(starts)
    })

    /** Waits until nothing about payments is left to do. */
    async function atRest(): Promise<void> {
      await outside.stripe.notices.shuffle(random)
      let waiting: readonly { readonly kind: string }[] = []
      for (let rounds = 0; rounds < 300; rounds++) {
        await endSessions(() => true)
        await payJobs().set({ due_at: 0 }).where('leased_until', 'is', null).execute()
        const open = await home.db.selectFrom('checkouts').select('id').where('status', '=', 'open').execute()
        const left = home.db.selectFrom('outbox').selectAll().where('kind', 'in', PAYMENT_JOBS)
        waiting = await left.where('failed_at', 'is', null).execute()
        if (open.length === 0 && waiting.length === 0) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      assert.fail(`Payments do not come to rest: ${JSON.stringify(waiting)}`)
    }

    async function checkAgreement(starts: readonly number[]): Promise<void> {
      const { stripe } = outside
      const booked = await home.db.selectFrom('bookings').select(['starts_at', 'status', 'payment']).execute()
      const standing = booked.filter(({ status }) => status === 'Confirmed')
      assert.deepEqual(standing.map(({ starts_at }) => starts_at).sort(), [...starts].sort())
      assert.ok(standing.every(({ payment }) => JSON.parse(payment ?? '{}').status === 'paid'))
      assert.ok(booked.every(({ status }) => status === 'Confirmed' || status === 'Expired'))
      assert.deepEqual(stripe.kept(), { eur: starts.length * PRICE.amount })
      const lines = await home.db.selectFrom('payments').selectAll().execute()
      const checkouts = await home.db.selectFrom('checkouts').select(['id', 'intent_id']).execute()
      for (const { id, intent_id } of checkouts) {
        const sum = (kind: string) =>
          lines
            .filter((line) => line.checkout_id === id && line.kind === kind)
            .reduce((all, { amount }) => all + amount, 0)
        const received = stripe.intents.find((one) => one.id === intent_id)?.received ?? 0
        const returned = stripe.refunds.filter(
          (one) => one.intentId === intent_id && one.status === 'succeeded',
        )
        assert.deepEqual(
          [sum('paid'), sum('refunded')],
          [received, returned.reduce((all, { amount }) => all + amount, 0)],
        )
      }
      const dead = await home.db
        .selectFrom('outbox')
        .select('kind')
        .where('failed_at', 'is not', null)
        .execute()
      assert.deepEqual(dead, [])
    }
  })
}
