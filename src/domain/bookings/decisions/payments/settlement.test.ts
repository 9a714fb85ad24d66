import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bookableBy, deciding, ledgerOf, NOW, wish } from '../../../../../test/decisions.ts'
import { zones } from '../../../../../test/openings.ts'
import { repeat } from '../../../../../test/repeat.ts'
import { DAY, HOUR, MINUTE } from '../../../interval.ts'
import type { NewJob } from '../../../job.ts'
import type { Checkout, NewLedgerEntry } from '../../../payments/payment.ts'
import { REFUND_WISHES, type RefundWish, refundAsWished, refundByRule } from '../../../payments/refund.ts'
import { NOTHING } from '../../../sentence.ts'
import type { Booking } from '../../booking.ts'
import type { ListedBooking } from '../../listed-booking.ts'
import { isActive } from '../../states.ts'
import type { Author } from '../author.ts'
import { planBooking } from '../decide-booking.ts'
import { planStates } from '../decide-states.ts'
import type { Plan } from '../decision.ts'
import { seriesZone } from '../hosts/choose-hosts.ts'
import { planRefund } from './refunds.ts'
import { type Money, planSettlement } from './settlement.ts'

const TEN = NOW + 2 * HOUR
const REFUND = { fullUntilMinutes: 90, laterPercent: 33 }
const PRICE = { amount: 4900, currency: 'EUR', refund: REFUND }
const HOST: Author = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }

/** What the provider knows of a payment. */
interface Session {
  readonly checkoutId: string
  readonly expiresAt: number
  status: 'open' | 'complete' | 'expired'
  intent: 'none' | 'processing' | 'requires_capture' | 'succeeded' | 'canceled'
  received: number
  readonly refunds: Map<string, { amount: number; status: 'succeeded' | 'failed' }>
}

/** Guests, a host, the provider, the clock and the outbox, all as plain data. */
class World {
  readonly bookable
  readonly ledger
  readonly sessions = new Map<string, Session>()
  readonly notices: (() => void)[] = []
  readonly entries: NewLedgerEntry[] = []
  readonly checkouts = new Map<string, Checkout>()
  /** What may be kept of a booking that was cancelled after it was paid. */
  readonly mayKeep = new Map<string, number>()
  jobs: NewJob[] = []
  now = NOW
  isAway = false
  readonly #decide

  constructor(given: { requiresApproval: boolean; seats: number }) {
    this.bookable = bookableBy(['ada', 'ben'], { price: PRICE, assignment: 'round-robin', ...given })
    this.ledger = ledgerOf(this.bookable)
    this.#decide = deciding(this.ledger)
  }

  /** Decides, and keeps what is written. Refusals change nothing. */
  run<T>(plan: Plan<T>): T | undefined {
    const decision = this.#decide(plan, { now: this.now })
    assert.ok(decision.kind !== 'needs', JSON.stringify(decision))
    const { writes } = decision
    this.jobs.push(...(writes.jobs ?? []).filter(({ kind }) => kind.startsWith('payment-')))
    this.entries.push(...(writes.ledgerEntries ?? []))
    for (const one of [...(writes.checkouts ?? []), ...(writes.checkoutUpdates ?? [])]) {
      this.checkouts.set(one.id, one)
    }
    return decision.kind === 'done' ? decision.result : undefined
  }

  get bookings(): ListedBooking[] {
    return [...this.checkouts.values()].flatMap(({ bookingIds }) => this.listed(bookingIds))
  }

  listed(ids: readonly string[]): ListedBooking[] {
    return ids.map((id) => this.ledger.bookings.find(id) as ListedBooking)
  }

  book(startsAt: number, count: number, email: string): void {
    const repeat = { every: 'week', count } as const
    const wanted = wish(this.bookable, startsAt, { email, payTo: 'account', ...(count > 1 && { repeat }) })
    const checkout = this.run(planBooking({ ...wanted, duplicateKey: email }, this.now))?.checkout
    if (checkout === undefined || this.isAway) return
    this.sessions.set(checkout.id, {
      checkoutId: checkout.id,
      expiresAt: checkout.payBy,
      status: 'open',
      intent: 'none',
      received: 0,
      refunds: new Map(),
    })
  }

  /** The guest pays on the provider's page, if that still takes money. */
  pay(session: Session, isSlow: boolean): void {
    if (session.status !== 'open' || this.now >= session.expiresAt) return
    session.status = 'complete'
    const { isManual } = this.#checkout(session)
    session.intent = isManual ? 'requires_capture' : isSlow ? 'processing' : 'succeeded'
    this.#receive(session)
  }

  /** A slow bank pays. */
  finish(session: Session): void {
    if (session.intent !== 'processing') return
    session.intent = 'succeeded'
    this.#receive(session)
  }

  #receive(session: Session): void {
    if (session.intent === 'succeeded') session.received = this.#checkout(session).amount
    this.#notify(session)
  }

  lapse(session: Session): void {
    if (session.intent !== 'requires_capture') return
    session.intent = 'canceled'
    this.#notify(session)
  }

  /** What a notice says is what was so when it was written. */
  #notify(session: Session): void {
    const money = this.#moneyIn(session)
    this.notices.push(() => money && this.settle(session.checkoutId, money))
  }

  #checkout = ({ checkoutId }: Pick<Session, 'checkoutId'>) => this.checkouts.get(checkoutId) as Checkout

  #moneyIn({ checkoutId, intent, received }: Session): Money | undefined {
    const id = `pi ${checkoutId}`
    if (intent === 'succeeded') return { kind: 'paid', reference: id, intentId: id, amount: received }
    const { amount } = this.#checkout({ checkoutId })
    if (intent === 'requires_capture') return { kind: 'authorised', intentId: id, amount }
    return intent === 'canceled' ? { kind: 'released', intentId: id } : undefined
  }

  settle(checkoutId: string, money: Money): void {
    const all = this.listed(this.#checkout({ checkoutId }).bookingIds)
    const again = { bookable: this.bookable, zone: seriesZone(this.bookable, zones) }
    const isLate = all.some(({ booking }) => booking.status === 'Expired')
    const hasCome = money.kind === 'paid' || money.kind === 'authorised'
    const done = this.run(planSettlement({ checkoutId, all, money, ...(isLate && hasCome && { again }) }))
    if (done === undefined) this.run(planSettlement({ checkoutId, all, money, isGone: true }))
  }

  change(
    booking: Booking,
    to: 'Confirmed' | 'Declined' | 'Cancelled',
    author: Author,
    refund: RefundWish,
  ): void {
    const seen = this.ledger.bookings.find(booking.id) as ListedBooking
    const before = seen.booking
    const done = this.run(planStates([seen], { to, author, refund }, this.now))
    if (done === undefined || before.status === to || before.payment?.status !== 'paid') return
    const paid = before.payment.amount
    const at = { startsAt: before.startsAt, now: this.now }
    const wanted = to === 'Declined' ? 'full' : author.by === 'guest' ? 'policy' : refund
    this.mayKeep.set(booking.id, paid - refundAsWished(paid, wanted, REFUND, at))
  }

  /** Does a job, if the provider is there. `dies`: the process is killed before it notes what it has done. */
  work(job: NewJob, dies: boolean): void {
    if (this.isAway || job.dueAt > this.now) return
    const isDone = this.#do(job, dies)
    if (isDone) this.jobs = this.jobs.filter((other) => other !== job)
  }

  #do({ kind, data }: NewJob, dies: boolean): boolean {
    const { checkoutId = '', refundId = '' } = data as { checkoutId?: string; refundId?: string }
    if (kind === 'payment-refund') return this.#refund(refundId, dies)
    const checkout = this.checkouts.get(checkoutId)
    const session = this.sessions.get(checkoutId)
    if (checkout === undefined) return true
    const all = this.listed(checkout.bookingIds).map(({ booking }) => booking)
    if (kind === 'payment-expire') {
      const waits = all.some(({ status }) => status === 'PendingPayment')
      if (checkout.status !== 'open' || (waits && this.now < checkout.payBy)) return true
      if (session?.status === 'open') session.status = 'expired'
      if (dies) return false
      this.settle(checkoutId, (session && this.#moneyIn(session)) ?? { kind: 'closed' })
    }
    const standing = all.filter(({ status }) => status === 'Confirmed' || status === 'PendingApproval')
    if (session === undefined || checkout.status !== 'authorised') return true
    if (kind === 'payment-capture') {
      const isApproved = standing.some(({ status }) => status === 'Confirmed')
      if (isApproved && session.intent === 'requires_capture') {
        session.intent = 'succeeded'
        session.received = standing.reduce((sum, { payment }) => sum + (payment?.amount ?? 0), 0)
      }
      if (dies) return false
      this.settle(checkoutId, this.#moneyIn(session) as Money)
    }
    if (kind === 'payment-release' && standing.length === 0) {
      if (session.intent === 'requires_capture') session.intent = 'canceled'
      if (dies) return false
      this.settle(checkoutId, this.#moneyIn(session) as Money)
    }
    return true
  }

  #refund(refundId: string, dies: boolean): boolean {
    const refund = this.ledger.checkouts.findRefund(refundId)
    if (refund?.status !== 'asked') return true
    const session = this.sessions.get(refund.checkoutId) as Session
    session.refunds.set(refundId, { amount: refund.amount, status: 'succeeded' })
    if (dies) return false
    this.hearOfRefund(refundId)
    return true
  }

  hearOfRefund(refundId: string): void {
    const refund = this.ledger.checkouts.findRefund(refundId)
    const made = refund && this.sessions.get(refund.checkoutId)?.refunds.get(refundId)
    if (refund === undefined || made === undefined) return
    const all = this.listed(this.#checkout(refund).bookingIds)
    const status = made.status === 'failed' ? 'failed' : 'done'
    const news = {
      refundId,
      reference: `re ${refundId}`,
      amount: made.amount,
      status,
      failure: NOTHING,
    } as const
    this.run(planRefund({ checkoutId: refund.checkoutId, all, news }))
  }

  /** Everything that waits is done: the provider is there, and all notices come, some of them again. */
  comeToRest(): void {
    this.isAway = false
    this.now += DAY
    for (const session of this.sessions.values()) if (session.status === 'open') session.status = 'expired'
    for (const job of [...this.jobs]) this.work(job, false)
    for (const session of this.sessions.values()) this.finish(session)
    for (let rounds = 0; rounds < 10; rounds++) {
      for (const notice of this.notices) notice()
      for (const job of [...this.jobs]) this.work(job, false)
    }
    assert.deepEqual(
      this.jobs
        .map(({ kind }) => kind)
        .filter((kind) => kind !== 'payment-gone' && kind !== 'payment-failed'),
      [],
    )
  }

  /** What is wrong with it: money and meetings that disagree. */
  findDisagreements(): string[] {
    const wrong: string[] = []
    for (const checkout of this.checkouts.values()) {
      const session = this.sessions.get(checkout.id)
      const given = [...(session?.refunds.values() ?? [])].filter(({ status }) => status === 'succeeded')
      const kept = (session?.received ?? 0) - given.reduce((sum, { amount }) => sum + amount, 0)
      let due = 0
      for (const { booking } of this.listed(checkout.bookingIds)) {
        const { status, payment } = booking
        if (status === 'PendingPayment') wrong.push(`${booking.id} waits for ever`)
        if (status === 'Confirmed') {
          due += payment?.amount ?? 0
          if (payment?.status !== 'paid') wrong.push(`${booking.id} stands and is ${payment?.status}`)
        } else if (status === 'PendingApproval') {
          if (payment?.status === 'paid') due += payment.amount
          else if (session?.intent !== 'requires_capture') wrong.push(`${booking.id} has no money reserved`)
        } else due += this.mayKeep.get(booking.id) ?? 0
      }
      if (kept !== due) wrong.push(`${checkout.id}: kept ${kept} of which ${due} is due`)
      const needsIt = this.listed(checkout.bookingIds).some(
        ({ booking }) => booking.status === 'PendingApproval',
      )
      if (session?.intent === 'requires_capture' && !needsIt)
        wrong.push(`${checkout.id}: reserved for nothing`)
      const lines = this.entries.filter(({ checkoutId }) => checkoutId === checkout.id)
      const sum = (...kinds: string[]) =>
        lines.filter(({ kind }) => kinds.includes(kind)).reduce((all, { amount }) => all + amount, 0)
      if (sum('paid', 'captured') - sum('refunded') !== kept)
        wrong.push(`${checkout.id}: the ledger says otherwise`)
    }
    for (const hostId of ['ada', 'ben']) {
      const starts = this.ledger.claims.of(hostId).map(({ startsAt }) => startsAt)
      if (new Set(starts).size !== starts.length) wrong.push(`${hostId} is booked twice`)
    }
    const taken = this.bookings.filter(({ booking }) => isActive(booking))
    const places = taken.map(({ booking, hostId, seat }) => `${booking.startsAt} ${hostId} ${seat}`)
    if (new Set(places).size !== places.length) wrong.push(`sold twice: ${places.join(', ')}`)
    return wrong
  }
}

const index = fc.nat({ max: 7 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('book' as const),
      slot: fc.nat({ max: 1 }),
      count: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), of: index, isSlow: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('finish' as const, 'lapse' as const), of: index }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('notice' as const), of: index }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work' as const), of: index, dies: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'decline' as const), of: index }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      of: index,
      asHost: fc.boolean(),
      refund: fc.constantFrom(...REFUND_WISHES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(5, 20, 40) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), on: fc.boolean() }) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(items.length, 1)]

let guests = 0

function take(world: World, one: Step): void {
  const session = 'of' in one ? pick([...world.sessions.values()], one.of) : undefined
  const booking = 'of' in one ? pick(world.bookings, one.of)?.booking : undefined
  if (one.do === 'book') world.book(TEN + one.slot * HOUR, one.count, `guest-${guests++}@guests.example`)
  if (one.do === 'pay' && session) world.pay(session, one.isSlow)
  if (one.do === 'finish' && session) world.finish(session)
  if (one.do === 'lapse' && session) world.lapse(session)
  if (one.do === 'notice') pick(world.notices, one.of)?.()
  const job = one.do === 'work' ? pick(world.jobs, one.of) : undefined
  if (one.do === 'work' && job) world.work(job, one.dies)
  if (one.do === 'approve' && booking) world.change(booking, 'Confirmed', HOST, 'full')
  if (one.do === 'decline' && booking) world.change(booking, 'Declined', HOST, 'full')
  if (one.do === 'cancel' && booking) {
    world.change(booking, 'Cancelled', one.asHost ? HOST : { by: 'guest' }, one.refund)
  }
  if (one.do === 'wait') world.now += one.minutes * MINUTE
  if (one.do === 'outage') world.isAway = one.on
}

describe('money and meetings', () => {
  it('agree once the outbox is empty, whatever guest, host, provider and clock do', () => {
    fc.assert(
      fc.property(
        fc.record({ requiresApproval: fc.boolean(), seats: fc.constantFrom(1, 2) }),
        fc.array(step, { maxLength: 40, size: 'max' }),
        (given, steps) => {
          const world = new World(given)
          for (const one of steps) take(world, one)
          world.comeToRest()
          assert.deepEqual(world.findDisagreements(), [])
        },
      ),
      { numRuns: repeat({ few: 300, many: 20_000 }) },
    )
  })
})

describe('a refund by the rule', () => {
  it('gives everything back in time, and the share after that, rounded up', () => {
    const at = (minutes: number) => ({ startsAt: TEN, now: TEN - minutes * MINUTE })
    assert.equal(refundByRule(4900, REFUND, at(90)), 4900)
    assert.equal(refundByRule(4901, REFUND, at(89)), 1618)
    assert.equal(refundByRule(4900, { ...REFUND, laterPercent: 0 }, at(1)), 0)
  })
})
