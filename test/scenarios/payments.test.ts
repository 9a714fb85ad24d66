import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { HOUR } from '../../src/domain/interval.ts'
import { JOB_KINDS } from '../../src/domain/job.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addUser, bookingOf, contextOn, fromSomeoneNew } from '../kit.ts'
import type { Deliver, OutsideNotice } from '../outside/stripe-notices.ts'
import { type OutsideSession, sessionView } from '../outside/stripe-objects.ts'
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
// killed. Whatever happens: one booking for each time, and everyone else has their money back. Notices come as Stripe's
// do: signed, over the network, to any instance, and again later if nobody takes them. Forged ones come among them.

const PAYMENT_JOBS = JOB_KINDS.filter((kind) => kind.startsWith('payment-'))

const GUESTS = repeat({ few: 8, many: 50 })
const TIMES = repeat({ few: 1, many: 4 })
const KILLS = repeat({ few: 1, many: 8 })
/** Guests who want the same time at once. */
const AT_ONCE = 4

const starts = Array.from({ length: TIMES }, (_, index) => FUTURE_MIDNIGHT + index * HOUR)

/** How often Stripe's stand-in tries what an instance that is away has not taken. */
const MOST_TRIES = 600
const AWAY: ReadonlySet<number> = new Set([0, 503])

const aWhile = () => new Promise((resolve) => setTimeout(resolve, 50))

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
      outside = await startPayments(Date.now, deliver)
      outside.stripe.notices.persist(MOST_TRIES, aWhile)
      const { context } = contextOn(home.db, { payments: outside.payments })
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
    /** Wherever a load balancer sends it. An instance that was killed refuses the connection. */
    const deliver: Deliver = async (url, body, headers) => {
      const { process } = servers[turn++ % servers.length] as (typeof servers)[number]
      const at = `http://127.0.0.1:${process.port}${new URL(url).pathname}`
      const answer = await fetch(at, { method: 'POST', body, headers })
      await answer.arrayBuffer()
      return answer
    }
    const forgeries: OutsideNotice[] = []
    /** Someone else than Stripe says that this session was paid. */
    async function forge(session: OutsideSession): Promise<void> {
      const endpoint = outside.stripe.endpoints[0] as (typeof outside.stripe.endpoints)[number]
      const id = `evt_forged_${forgeries.length}`
      const type = 'checkout.session.completed'
      const paid = { ...sessionView(session), status: 'complete', payment_status: 'paid' }
      const object = { ...paid, payment_intent: `pi_forged_${forgeries.length}` }
      const body = JSON.stringify({ id, type, created: Math.floor(Date.now() / 1000), data: { object } })
      const notice = { id, type, url: endpoint.url, secret: 'whsec_guessed', body, at: Date.now() }
      forgeries.push(notice)
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const status = await outside.stripe.notices.send(notice)
        if (status === 400) return
        assert.ok(AWAY.has(status), `${status}`)
        await aWhile()
      }
      assert.fail('Nobody has answered.')
    }

    /** Those who wait for their bank, by what they have bought. */
    const waiting = new Map<number, string[]>(starts.map((startsAt) => [startsAt, []]))
    let steps = 0

    /** Books this time as soon as it is free, until somebody has it; repeats whatever gets no answer. */
    async function buy(startsAt: number, guest: number, by: () => 'card' | 'bank'): Promise<void> {
      const body = bookingOf(talk, startsAt)
      let key = newId()
      for (let tries = 0; tries < MOST_TRIES && !(await isTaken(startsAt)); tries++) {
        const { client } = servers[turn++ % servers.length] as (typeof servers)[number]
        const path = `/api/public/scheduling/${ada.slug}/${talk.slug}/book`
        const headers = { ...fromSomeoneNew(), 'idempotency-key': key }
        const answer = await client.post(path, body, headers).catch(() => undefined)
        if (answer?.status === 201) return settleUp(answer.body, { startsAt, guest, by: by() })
        // A refusal is the answer to that key for a day.
        if (answer !== undefined && answer.status < 500) key = newId()
        await endSessions(() => random() < 0.3)
        await aWhile()
      }
    }
    async function settleUp(
      { paymentUrl }: { readonly paymentUrl?: string },
      { startsAt, guest, by }: { startsAt: number; guest: number; by: 'card' | 'bank' },
    ): Promise<void> {
      steps++
      const id = paymentUrl?.split('/').at(-1) ?? ''
      const session = outside.stripe.sessions.find((one) => one.id === id)
      if (guest % 10 === 0 && session?.status === 'open') await forge(session)
      // Some close the page.
      if (random() < 0.15) return
      const paying = outside.stripe.pay(id, { by }).then(
        () => by === 'bank' && waiting.get(startsAt)?.push(id),
        () => undefined,
      )
      await Promise.all([paying, endSessions(() => random() < 0.3)])
    }
    /** Guests who want the same time, a few at once. */
    async function crowd(guests: readonly number[], buying: (guest: number) => Promise<void>): Promise<void> {
      const left = [...guests]
      const next = async (): Promise<void> => {
        const guest = left.shift()
        if (guest === undefined) return
        if (guest % 4 === 0) outside.stripe.notices.hold()
        await buying(guest)
        if (guest % 4 === 3) await outside.stripe.notices.shuffle(random)
        return next()
      }
      await Promise.all(Array.from({ length: AT_ONCE }, next))
    }
    async function banksPay(startsAt: number): Promise<void> {
      for (const id of waiting.get(startsAt)?.splice(0) ?? []) {
        steps++
        await outside.stripe.finishBank(id, random() < 0.9)
      }
    }
    /** Most guests wait for their banks, so their time goes to the next one. Then all banks pay, and others by card. */
    async function race(startsAt: number): Promise<void> {
      const guests = Array.from({ length: GUESTS }, (_, guest) => guest)
      const slow = Math.ceil(GUESTS * 0.7)
      await crowd(guests.slice(0, slow), (guest) => buy(startsAt, guest, () => 'bank'))
      const others = (guest: number) => buy(startsAt, guest, () => (random() < 0.3 ? 'bank' : 'card'))
      await Promise.all([banksPay(startsAt), crowd(guests.slice(slow), others)])
    }
    async function killOne(): Promise<void> {
      const victim = servers[Math.floor(random() * servers.length)] as (typeof servers)[number]
      await stop(victim, 'SIGKILL')
      // Others need not wait until its leases have run out.
      await payJobs().set({ leased_until: null }).execute()
      const fresh = await start()
      servers = servers.map((server) => (server === victim ? fresh : server))
    }

    it('sells each time once, and gives everything else back', async (t) => {
      const { stripe } = outside
      const startedAt = performance.now()
      stripe.notices.double(2)
      const races = Promise.all(starts.map(race))
      let isOver = false
      const over = races.finally(() => {
        isOver = true
      })
      for (let kill = 1; kill <= KILLS; kill++) {
        // All along, not all at the beginning.
        while (!isOver && steps < (kill * TIMES * GUESTS) / KILLS) await aWhile()
        await killOne()
      }
      await over
      // Someone buys what nobody has bought in the end.
      for (const startsAt of starts) {
        await endSessions(() => true)
        for (let guest = GUESTS; !(await isTaken(startsAt)) && guest < GUESTS + 30; guest++) {
          await buy(startsAt, guest, () => 'card')
          await atRest()
        }
      }
      await atRest()
      for (const startsAt of starts) await banksPay(startsAt)
      await atRest()
      await checkAgreement()
      const { all, delivered } = stripe.notices
      const answers = Map.groupBy(delivered, ({ status }) => status)
      t.diagnostic(
        [
          `${stripe.sessions.length} sessions, ${stripe.intents.length} payments, ${stripe.refunds.length} refunds`,
          `${KILLS} kills, ${all.length} notices, ${forgeries.length} forged`,
          [...answers].map(([status, { length }]) => `${length} × ${status}`).join(', '),
          `${Math.round(performance.now() - startedAt)} ms`,
        ].join('; '),
      )
    })

    /** Waits until nothing about payments is left to do. */
    async function atRest(): Promise<void> {
      await outside.stripe.notices.shuffle(random)
      await outside.stripe.settled()
      let unfinished: readonly { readonly kind: string }[] = []
      for (let rounds = 0; rounds < MOST_TRIES; rounds++) {
        await endSessions(() => true)
        await payJobs().set({ due_at: 0 }).where('leased_until', 'is', null).execute()
        const open = await home.db.selectFrom('checkouts').select('id').where('status', '=', 'open').execute()
        const left = home.db.selectFrom('outbox').selectAll().where('kind', 'in', PAYMENT_JOBS)
        unfinished = await left.where('failed_at', 'is', null).execute()
        if (open.length === 0 && unfinished.length === 0) return
        await aWhile()
      }
      assert.fail(`Payments do not come to rest: ${JSON.stringify(unfinished)}`)
    }

    async function checkAgreement(): Promise<void> {
      const { stripe } = outside
      const genuine = stripe.notices.delivered.filter(({ notice }) => !forgeries.includes(notice))
      const answered = new Set(genuine.map(({ status }) => status))
      assert.ok(answered.isSubsetOf(AWAY.union(new Set([200]))), [...answered].join(', '))
      assert.ok(
        stripe.notices.all.every(({ id }) =>
          genuine.some(({ notice, status }) => notice.id === id && status === 200),
        ),
      )
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
