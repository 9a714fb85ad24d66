import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as nextTurn } from 'node:timers/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { NOTHING } from '../../src/domain/sentence.ts'
import { stripeProvider } from '../../src/outside/payments/stripe/stripe.ts'
import { settleSession } from '../../src/services/bookings/payments/settle.ts'
import { sealSecrets } from '../../src/services/payments/accounts.ts'
import { insertPaymentAccount } from '../../src/store/payments/accounts.ts'
import { addEventType, addUser, weekdays } from '../kit.ts'
import { type StripeStandIn, startStripe } from '../outside/stripe.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { BETWEEN_CHANGES, openStage, overflowOf, type Stage } from './stage.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 } }

const price = {
  amount: 4900,
  currency: 'EUR',
  refund: { fullUntilMinutes: 1440, laterPercent: 50 },
  byDuration: { '30': 4900, '60': 8900 },
}

/** Until something that was sent has arrived. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (await isDone()) return
    await nextTurn(10)
  }
  assert.fail('it never arrived')
}

describe('paying on the booking page', () => {
  let stage: Stage
  let stripe: StripeStandIn

  before(async () => {
    // Notices have tests of their own: here the money arrives when a test says so.
    stripe = await startStripe({ now: () => BETWEEN_CHANGES, deliver: async () => ({ status: 200 }) })
    stage = await openStage({ payments: stripeProvider({ apiUrl: stripe.url }) })
    // Guests return to its public address.
    Object.assign(stage.context, { publicUrl: stage.url })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await stage?.close()
    await stripe?.close()
  })

  /** An event type that costs something, at `/{slug}/talk`. */
  const add = async (slug: string, given: Partial<EventType> = {}) => {
    const host = await addUser(stage.db, slug, weekdays('Europe/Berlin'))
    const id = randomUUIDv7()
    const account = {
      id,
      schedulerId: host.id,
      provider: 'stripe',
      account: stripe.account.id,
      name: stripe.account.name,
      ...sealSecrets(stage.context, id, { key: stripe.key, hookSecret: 'whsec_none' }),
      hookId: '',
      status: 'ok',
      lastError: NOTHING,
      createdAt: 0,
    } as const
    await stage.db.transaction().execute((trx) => insertPaymentAccount(trx, account))
    return addEventType(stage.db, host, { slug: 'talk', durations: [30, 60], price, ...given })
  }

  const day = (page: Page, name: RegExp) => page.getByRole('gridcell').getByRole('button', { name })
  const time = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\w`) })
  const waiting = (page: Page) => page.getByText('Already paid?').waitFor()
  const bookedBy = async (email: string) => {
    const [booking] = await stage.db
      .selectFrom('bookings')
      .select(['id', 'status', 'payment'])
      .where('invitee_email', '=', email)
      .orderBy('id', 'desc')
      .execute()
    assert.ok(booking)
    return booking
  }

  const statusOf = async (id: string) =>
    (await stage.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirst())?.status

  /** Chooses a time and fills in the form, up to the page of the provider. */
  const goToPayment = async (page: Page, email: string, clock = '14:00', button = 'Pay €49.00') => {
    await time(page, clock).click()
    await page.getByLabel('Name').fill('Grace Guest')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL(`${stripe.url}/**`)
  }
  /** The provider says what became of the session. */
  const arrive = async (email: string) => {
    const { payment } = await bookedBy(email)
    const { checkoutId } = JSON.parse(payment ?? '{}')
    const { session_id } = await stage.db
      .selectFrom('checkouts')
      .select('session_id')
      .where('id', '=', checkoutId)
      .executeTakeFirstOrThrow()
    const session = await stage.context.payments.readSession(stripe.key, session_id ?? '')
    await settleSession(stage.context, checkoutId, session)
  }
  const pay = (page: Page) => page.getByRole('button', { name: /^Pay \d/ }).click()
  const picture = async (page: Page, name: string) => {
    if (process.env.PICTURES === undefined) return
    await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: `${process.env.PICTURES}/${name}-dark.png`, fullPage: true })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  it('says the price before a time is chosen, takes the guest to the payment, and welcomes them back', async () => {
    await add('paid')
    const page = await stage.visit('/paid/talk', PHONE)
    await page.locator('.about').getByText('€49.00').waitFor()
    await page.getByRole('button', { name: '1 hour · €89.00' }).click()
    await page.locator('.about').getByText('€89.00').waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'times with prices')
    await picture(page, 'times')
    await page.getByRole('button', { name: '30 minutes · €49.00' }).click()
    await day(page, /26 March/).click()
    await time(page, '14:00').click()
    await page.getByText('Total: €49.00').waitFor()
    await page.getByText('Cancel until 25 Mar 2027, 14:00, and you get everything back.').waitFor()
    await page.getByText('After that, you get 50% back.').waitFor()
    await assertAccessible(page, 'the form with its price')
    await picture(page, 'form')
    await page.goBack()
    await goToPayment(page, 'paid@guests.example')

    const { id, status } = await bookedBy('paid@guests.example')
    assert.equal(status, 'PendingPayment')
    assert.equal(stage.mailbox.length, 0)
    await pay(page)
    await page.waitForURL(`${stage.url}/booking/${id}?**`)
    await waiting(page)
    await page.getByText('We’re keeping this time for you until 13:35').waitFor()
    await assertAccessible(page, 'waiting for the payment')
    assert.equal(await overflowOf(page), 0)
    await picture(page, 'waiting')
    await arrive('paid@guests.example')
    // The page finds out by itself.
    await page.getByText('You’re booked').first().waitFor()
    await page.getByText('€49.00 paid').waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'paid')
    await picture(page, 'paid')

    await page.getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('You’ll get €49.00 back.').waitFor()
    await picture(page, 'cancel')
  })

  it('offers to pay, or another time, to a guest who comes back without paying', async () => {
    await add('back')
    const page = await stage.visit('/back/talk')
    await goToPayment(page, 'back@guests.example')
    const first = await bookedBy('back@guests.example')
    await page.goBack()
    await waiting(page)
    const link = page.getByRole('link', { name: 'Pay €49.00' })
    assert.ok((await link.getAttribute('href'))?.startsWith(stripe.url))

    // A second tab, or a new one after the first was closed.
    const second = await page.context().newPage()
    await second.clock.setFixedTime(BETWEEN_CHANGES)
    await page.close()
    await second.goto(`${stage.url}/back/talk`)
    const notice = second.getByRole('region', { name: 'Awaiting payment' })
    await notice.getByText('You haven’t paid for').waitFor()
    await assertAccessible(second, 'an unpaid booking')
    await picture(second, 'unpaid')
    assert.equal(await time(second, '14:00').count(), 0, 'the time is kept for them')
    await notice.getByRole('button', { name: 'Choose another time' }).click()
    await notice.waitFor({ state: 'detached' })
    await time(second, '14:00').waitFor()
    assert.equal(await statusOf(first.id), 'Cancelled')
    assert.equal(stage.mailbox.filter(({ to }) => String(to).includes('back@')).length, 0)
  })

  it('gives the first time back when the guest chooses another one', async () => {
    await add('other')
    const page = await stage.visit('/other/talk')
    await goToPayment(page, 'other@guests.example')
    const first = await bookedBy('other@guests.example')
    await page.goto(`${stage.url}/other/talk`)
    await goToPayment(page, 'other@guests.example', '15:00')
    const second = await bookedBy('other@guests.example')
    assert.notEqual(second.id, first.id)
    assert.equal(second.status, 'PendingPayment')
    // The page was left while that was on its way.
    await until(async () => (await statusOf(first.id)) === 'Cancelled')
  })

  it('only reserves the money where the host approves', async () => {
    await add('approved', { requiresApproval: true })
    const page = await stage.visit('/approved/talk?lang=en')
    await goToPayment(page, 'approved@guests.example', '14:00', 'Reserve €49.00 and request')
    await pay(page)
    await waiting(page)
    await arrive('approved@guests.example')
    await page.getByText('Request sent').first().waitFor()
    await page.getByText('Your card is only reserved: €49.00 is charged once').waitFor()
    await picture(page, 'reserved')
  })

  it('says that it was not paid in time, and where to choose again', async () => {
    await add('late')
    const page = await stage.visit('/late/talk')
    await goToPayment(page, 'late@guests.example')
    const { id, payment } = await bookedBy('late@guests.example')
    const { checkoutId } = JSON.parse(payment ?? '{}')
    await page.goBack()
    await waiting(page)
    const [session] = stripe.sessions.slice(-1)
    assert.ok(session)
    const closed = await stage.context.payments.closeSession(stripe.key, session.id)
    await settleSession(stage.context, checkoutId, closed)
    await page.getByText('It wasn’t paid in time').waitFor()
    await picture(page, 'expired')
    await page.goto(`${stage.url}/booking/${id}${new URL(page.url()).search}`)
    await page.getByText('It wasn’t paid in time').waitFor()
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.waitForURL(`${stage.url}/late/talk`)
    await time(page, '14:00').waitFor()
  })

  it('lets a host set the price in words, see what was paid, and choose the refund', async () => {
    const { id } = await add('desk', { durations: [], price: null })
    const page = await visitAsHost(stage, 'desk@hosts.example', `/app/event-types/${id}`)
    await page.getByRole('tab', { name: 'Price' }).click()
    await page.getByRole('switch', { name: 'Guests pay to book' }).click()
    const amount = page.getByLabel('Price per person')
    await amount.fill('forty')
    await page.getByText('Enter an amount, such as 50.00.').waitFor()
    await amount.fill('49,5')
    await page.getByLabel('Full refund until').first().fill('2')
    await page.getByLabel('Refund after that').fill('50')
    await page
      .getByText('Guests who cancel at least 2 days before the start get everything back, later 50%.')
      .waitFor()
    const framed = page.getByRole('region', { name: 'What guests see' }).frameLocator('iframe')
    await framed.getByText('€49.50').first().waitFor()
    await assertAccessible(page, 'the price in the editor')
    await picture(page, 'editor')
    await page.getByRole('button', { name: 'Save' }).click()
    await until(async () => {
      const { price: saved } = await stage.db
        .selectFrom('event_types')
        .select('price')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return saved !== null
    })
    const { price: saved } = await stage.db
      .selectFrom('event_types')
      .select('price')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(saved ?? ''), {
      amount: 4950,
      currency: 'EUR',
      refund: { fullUntilMinutes: 2880, laterPercent: 50 },
    })

    const guest = await stage.visit('/desk/talk')
    await day(guest, /23 March/).click()
    await goToPayment(guest, 'desk@guests.example', '14:00', 'Pay €49.50')
    await page.goto(`${stage.url}/app/bookings`)
    await page.getByText('€49.50 not paid yet').waitFor()
    await picture(page, 'list')
    await pay(guest)
    await waiting(guest)
    await arrive('desk@guests.example')
    const booking = await bookedBy('desk@guests.example')
    await page.goto(`${stage.url}/app/bookings/${booking.id}`)
    await page.getByText('€49.50 paid').waitFor()
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Your guest gets €49.50 back.').waitFor()
    await dialog.getByRole('button', { name: 'By your rule' }).click()
    await dialog.getByText('Your guest gets €24.75 back.').waitFor()
    await assertAccessible(page, 'the refund of a cancellation')
    await picture(page, 'refund')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('Cancelled').first().waitFor()
    const refunds = await stage.db
      .selectFrom('payment_refunds')
      .select('amount')
      .where('booking_id', '=', booking.id)
      .execute()
    assert.deepEqual(refunds, [{ amount: 2475 }])
  })

  it('tells a host without an account to connect one first', async () => {
    const host = await addUser(stage.db, 'poor')
    const { id } = await addEventType(stage.db, host, { slug: 'talk' })
    const page = await visitAsHost(stage, 'poor@hosts.example', `/app/event-types/${id}`, PHONE)
    await page.getByRole('tab', { name: 'Price' }).click()
    await page.getByText('To charge guests, first connect').waitFor()
    assert.ok(await page.getByRole('switch', { name: 'Guests pay to book' }).isDisabled())
    assert.equal(await overflowOf(page), 0)
    await page.getByRole('link', { name: 'Connect Stripe' }).click()
    await page.waitForURL(`${stage.url}/app/calendars`)
  })
})
