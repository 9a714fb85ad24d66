import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { bookAt, getListed } from '../../../../test/bookings.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { runDueJobs } from '../../../../test/jobs.ts'
import {
  addEventType,
  addUser,
  bookingOf,
  contextOn,
  MONDAY_NOON,
  stoppedClock,
} from '../../../../test/kit.ts'
import { addPaymentAccount, ledgerLines, PRICE, startPayments } from '../../../../test/payments.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { DAY, HOUR, MINUTE } from '../../../domain/interval.ts'
import { PAY_WITHIN } from '../../../domain/payments/payment.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { findCheckout } from '../../../store/payments/checkouts.ts'
import type { Context } from '../../context.ts'
import { cancel } from '../cancel.ts'
import { changeState } from '../change-state.ts'
import { book } from '../guest/book.ts'
import { reschedule } from '../guest/reschedule.ts'
import { approve } from '../host/approve.ts'
import { decline } from '../host/decline.ts'

const WEDNESDAY = MONDAY_NOON + 2 * DAY - 3 * HOUR
const GUEST: Author = { by: 'guest' }
const HOST: Author = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }

onEveryDatabase('payments', ({ db }) => {
  const clock = stoppedClock()
  let outside: Awaited<ReturnType<typeof startPayments>>
  let context: Context
  let mailbox: Mail[]
  let ada: Scheduler
  let talk: EventType
  let asked: EventType
  let weekly: EventType
  let people = 0

  before(async () => {
    outside = await startPayments(clock.now)
    ;({ context, mailbox } = contextOn(db(), { now: clock.now, payments: outside.payments }))
    outside.hear(context)
  })
  after(() => outside.stripe.close())
  beforeEach(async () => {
    clock.moveTo(MONDAY_NOON)
    ada = await addUser(db(), `paid-${people++}`)
    await addPaymentAccount(context, ada, outside.stripe)
    talk = await addEventType(db(), ada, { price: PRICE, durationMinutes: 60 })
    asked = await addEventType(db(), ada, { price: PRICE, durationMinutes: 60, requiresApproval: true })
    weekly = await addEventType(db(), ada, { price: PRICE, series: { every: ['week'], most: 4 } })
    mailbox.length = 0
  })

  const wait = async (milliseconds: number) => {
    clock.moveTo(clock.now() + milliseconds)
    await runDueJobs(context)
  }
  const now = async (one: ListedBooking) => (await getListed(db(), one.booking.id)).booking
  const sessionOf = async ({ booking }: ListedBooking) =>
    (await findCheckout(db(), booking.payment?.checkoutId ?? ''))?.sessionId ?? ''
  const pay = async (one: ListedBooking, how: 'card' | 'bank' = 'card') => {
    const intent = await outside.stripe.pay(await sessionOf(one), { by: how })
    await runDueJobs(context)
    return intent
  }
  const states = async (one: ListedBooking) => {
    const { status, payment } = await now(one)
    return [status, payment?.status, payment?.refunded]
  }
  const subjects = () => mailbox.map(({ to, subject }) => `${to}: ${subject}`)

  it('tells nobody until it is paid, then everyone, and enters it once', async () => {
    const bookable = await context.slots.getBookable(ada.slug, talk.slug)
    const request = bookingOf(talk, WEDNESDAY)
    const options = { clientAddress: '::1', idempotencyKey: 'once' }
    const first = await book(context, bookable, request, options)
    const again = await book(context, bookable, request, options)
    assert.equal(first.status, 'PendingPayment')
    assert.deepEqual(
      [again.id, again.paymentUrl, again.payBy],
      [first.id, first.paymentUrl, clock.now() + PAY_WITHIN],
    )
    assert.match(first.paymentUrl ?? '', /\/c\/pay\//)
    const one = await getListed(db(), first.id)
    await runDueJobs(context)
    assert.deepEqual(subjects(), [])
    await assert.rejects(bookAt(context, ada, talk, WEDNESDAY), { code: 'slot_unavailable' })
    await assert.rejects(reschedule(context, GUEST, one, { startsAt: WEDNESDAY + HOUR, reason: '' }), {
      code: 'state_conflict',
    })
    await assert.rejects(approve(context, HOST, one), { code: 'state_conflict' })

    outside.stripe.notices.double(3)
    await pay(one)
    outside.stripe.notices.double(1)
    await wait(PAY_WITHIN)
    assert.deepEqual(await states(one), ['Confirmed', 'paid', 0])
    assert.deepEqual(await ledgerLines(db(), first.id), ['paid 4900'])
    assert.equal(mailbox.length, 2)
  })

  it('ends what nobody pays: silently, and the time is free', async () => {
    const one = await bookAt(context, ada, talk, WEDNESDAY)
    await wait(PAY_WITHIN)
    assert.deepEqual(await states(one), ['Expired', 'failed', 0])
    assert.deepEqual(await ledgerLines(db(), one.booking.id), ['expired 4900'])
    assert.equal(outside.stripe.sessions.at(-1)?.status, 'expired')
    assert.deepEqual(subjects(), [])
    const { wanted } = (await findCheckout(db(), one.booking.payment?.checkoutId ?? '')) ?? {}
    assert.equal(wanted?.email, '')
    assert.equal((await bookAt(context, ada, talk, WEDNESDAY)).booking.status, 'PendingPayment')
  })

  it('books nothing while the provider is away, and a repeat books', async () => {
    const bookable = await context.slots.getBookable(ada.slug, talk.slug)
    const options = { clientAddress: '::1', idempotencyKey: 'away' }
    const request = bookingOf(talk, WEDNESDAY)
    outside.stripe.outage(true)
    await assert.rejects(book(context, bookable, request, options), { code: 'unavailable', retryAfter: 60 })
    outside.stripe.outage(false)
    assert.ok((await book(context, bookable, request, options)).paymentUrl)
  })

  it('keeps the time while the provider can’t be asked, and then finds that it was paid', async () => {
    const one = await bookAt(context, ada, talk, WEDNESDAY)
    outside.stripe.notices.lose()
    await outside.stripe.pay(await sessionOf(one))
    outside.stripe.outage(true)
    await wait(PAY_WITHIN)
    assert.deepEqual(await states(one), ['PendingPayment', 'pending', 0])
    outside.stripe.outage(false)
    outside.stripe.notices.lose(false)
    await wait(MINUTE)
    assert.deepEqual(await states(one), ['Confirmed', 'paid', 0])
  })

  it('books again for a slow bank if the time is free, else gives everything back and says so', async () => {
    const [free, taken] = [
      await bookAt(context, ada, talk, WEDNESDAY),
      await bookAt(context, ada, talk, WEDNESDAY + HOUR),
    ]
    for (const one of [free, taken]) await pay(one, 'bank')
    await wait(PAY_WITHIN)
    assert.deepEqual([(await now(free)).status, (await now(taken)).status], ['Expired', 'Expired'])
    await bookAt(context, ada, talk, WEDNESDAY + HOUR)
    for (const one of [free, taken]) await outside.stripe.finishBank(await sessionOf(one), true)
    await runDueJobs(context)
    assert.deepEqual(await states(free), ['Confirmed', 'paid', 0])
    assert.deepEqual(await states(taken), ['Expired', 'refunded', 4900])
    assert.deepEqual(await ledgerLines(db(), taken.booking.id), [
      'expired 4900',
      'paid 4900',
      'refunded 4900',
    ])
    const told = mailbox.filter(({ to }) => to === taken.booking.invitee.email)
    assert.match(told.at(-1)?.subject ?? '', /is on its way back/)
  })

  it('takes reserved money with the approval, and gives it back otherwise', async () => {
    const [yes, no, never, lapsed] = [
      await bookAt(context, ada, asked, WEDNESDAY),
      await bookAt(context, ada, asked, WEDNESDAY + HOUR),
      await bookAt(context, ada, asked, WEDNESDAY + 2 * HOUR),
      await bookAt(context, ada, asked, WEDNESDAY + 3 * HOUR),
    ]
    for (const one of [yes, no, never]) await pay(one)
    const { id } = await pay(lapsed)
    assert.deepEqual(await states(yes), ['PendingApproval', 'authorised', 0])
    await approve(context, HOST, await getListed(db(), yes.booking.id))
    await decline(context, HOST, await getListed(db(), no.booking.id), { reason: '' })
    await cancel(context, GUEST, await getListed(db(), never.booking.id), { reason: '' })
    await outside.stripe.lapse(id)
    await runDueJobs(context)
    assert.deepEqual(await states(yes), ['Confirmed', 'paid', 0])
    assert.deepEqual(await states(no), ['Declined', 'failed', 0])
    assert.deepEqual(await states(never), ['Cancelled', 'failed', 0])
    assert.deepEqual(await states(lapsed), ['Declined', 'failed', 0])
    assert.deepEqual(await ledgerLines(db(), yes.booking.id), ['authorised 4900', 'captured 4900'])
    for (const one of [no, never, lapsed]) {
      assert.deepEqual(await ledgerLines(db(), one.booking.id), ['authorised 4900', 'released 4900'])
    }
  })

  it('finds what was taken by an attempt that did not live to note it', async () => {
    const one = await bookAt(context, ada, asked, WEDNESDAY)
    const { id: intentId } = await pay(one)
    await approve(context, HOST, await getListed(db(), one.booking.id))
    outside.stripe.notices.lose()
    const taking = { amount: 4900, currency: 'EUR', idempotencyKey: 'killed' }
    await context.payments.capture(outside.stripe.key, intentId, taking)
    outside.stripe.notices.lose(false)
    const approved = await getListed(db(), one.booking.id)
    await reschedule(context, GUEST, approved, { startsAt: WEDNESDAY + HOUR, reason: '' })
    assert.deepEqual(await states(one), ['PendingApproval', 'authorised', 0])
    await runDueJobs(context)
    assert.deepEqual(await states(one), ['PendingApproval', 'paid', 0])
  })

  it('gives back by the rule, or as the host says', async () => {
    const cancelled = async (hour: number, change: (one: ListedBooking) => Promise<unknown>, at = 0) => {
      const one = await bookAt(context, ada, talk, WEDNESDAY + hour * HOUR)
      await pay(one)
      clock.moveTo(MONDAY_NOON + at)
      await change(await getListed(db(), one.booking.id))
      await runDueJobs(context)
      clock.moveTo(MONDAY_NOON)
      return (await now(one)).payment?.refunded
    }
    const late = 2 * DAY - 4 * HOUR
    assert.equal(await cancelled(0, (one) => cancel(context, GUEST, one, { reason: '' })), 4900)
    assert.equal(await cancelled(1, (one) => cancel(context, GUEST, one, { reason: '' }), late), 2450)
    assert.equal(await cancelled(2, (one) => cancel(context, HOST, one, { reason: '' }), late), 4900)
    const by = (refund: 'policy' | 'none') => (one: ListedBooking) =>
      cancel(context, HOST, one, { reason: '', refund })
    assert.equal(await cancelled(3, by('policy'), late), 2450)
    assert.equal(await cancelled(4, by('none')), 0)
    const erase = (one: ListedBooking) =>
      changeState(context, one, { to: 'Cancelled', author: GUEST, isErasure: true })
    assert.equal(await cancelled(5, erase, late), 4900)
  })

  it('tells the host of a refund that fails later, and that the money is there again', async () => {
    const one = await bookAt(context, ada, talk, WEDNESDAY)
    await pay(one)
    await cancel(context, GUEST, await getListed(db(), one.booking.id), { reason: '' })
    await runDueJobs(context)
    assert.deepEqual(await states(one), ['Cancelled', 'refunded', 4900])
    await outside.stripe.finishRefund(outside.stripe.refunds.at(-1)?.id ?? '', 'failed')
    await runDueJobs(context)
    assert.deepEqual(await states(one), ['Cancelled', 'paid', 0])
    assert.deepEqual(await ledgerLines(db(), one.booking.id), ['paid 4900', 'refunded 4900', 'paid 4900'])
    assert.match(subjects().at(-1) ?? '', /A refund of €49\.00 for .* failed/)
  })

  it('is paid once for a series, and gives back by the meeting', async () => {
    const first = await bookAt(context, ada, weekly, WEDNESDAY, { repeat: { every: 'week', count: 3 } })
    assert.equal(outside.stripe.sessions.at(-1)?.amount, 3 * 4900)
    await pay(first)
    const { series } = await now(first)
    const rows = await db()
      .selectFrom('bookings')
      .select(['id', 'status'])
      .where('series_id', '=', series?.id ?? '')
      .orderBy('starts_at')
      .execute()
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['Confirmed', 'Confirmed', 'Confirmed'],
    )
    const second = await getListed(db(), rows[1]?.id ?? '')
    await cancel(context, GUEST, second, { reason: '' })
    await runDueJobs(context)
    assert.deepEqual(await states(second), ['Cancelled', 'refunded', 4900])
    assert.deepEqual(await states(first), ['Confirmed', 'paid', 0])
    assert.equal(outside.stripe.refunds.at(-1)?.amount, 4900)
    assert.equal(mailbox.filter(({ to }) => to === first.booking.invitee.email).length, 2)
  })

  it('ends what is cancelled before it is paid, and gives back what comes anyway', async () => {
    const [quiet, late] = [
      await bookAt(context, ada, talk, WEDNESDAY),
      await bookAt(context, ada, talk, WEDNESDAY + HOUR),
    ]
    await outside.stripe.pay(await sessionOf(late))
    for (const one of [quiet, late]) await cancel(context, GUEST, one, { reason: '' })
    await runDueJobs(context)
    assert.deepEqual(await states(quiet), ['Cancelled', 'failed', 0])
    assert.equal(
      outside.stripe.sessions.find(({ reference }) => reference === quiet.booking.payment?.checkoutId)
        ?.status,
      'expired',
    )
    assert.deepEqual(await states(late), ['Cancelled', 'refunded', 4900])
    assert.deepEqual(
      subjects().filter((subject) => !/is on its way back/.test(subject)),
      [],
    )
  })
})
