import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { settleDispute } from '../../src/services/bookings/payments/settle.ts'
import { runDueJobs } from '../jobs.ts'
import { addEventType, addUser, bookingOf } from '../kit.ts'
import type { StripeStandIn } from '../outside/stripe.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import {
  fillIn,
  openPayments,
  type Payments,
  PRICE,
  payThere,
  picture,
  timeOf as time,
  until,
} from './paying.ts'
import { BETWEEN_CHANGES, overflowOf, type Stage } from './stage.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 } }

describe('paying on the booking page', () => {
  let payments: Payments
  let stage: Stage
  let stripe: StripeStandIn

  before(async () => {
    payments = await openPayments()
    ;({ stage, stripe } = payments)
  })
  afterEach(() => stage.endTest())
  after(() => payments?.close())

  const add: Payments['add'] = (slug, given) => payments.add(slug, given)
  const bookedBy = (email: string) => payments.bookedBy(email)
  const statusOf = (id: string) => payments.statusOf(id)
  const arrive = (email: string) => payments.arrive(email)
  const pay = payThere

  const day = (page: Page, name: RegExp) => page.getByRole('gridcell').getByRole('button', { name })
  const waiting = (page: Page) => page.getByText('Already paid?').waitFor()

  const refundedOf = async (id: string) => {
    const row = await stage.db
      .selectFrom('bookings')
      .select('payment')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return JSON.parse(row.payment ?? '{}').refunded
  }
  const failedRefunds = async (id: string) => {
    const rows = await stage.db
      .selectFrom('payment_refunds')
      .select('status')
      .where('booking_id', '=', id)
      .execute()
    return rows.filter(({ status }) => status === 'failed').length
  }

  /** Chooses a time and fills in the form, up to the page of the provider. */
  const goToPayment = async (page: Page, email: string, clock = '14:00', button = 'Pay €49.00') => {
    await fillIn(page, email, clock)
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL(`${stripe.url}/**`)
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
    const { id } = await bookedBy('late@guests.example')
    await page.goBack()
    await waiting(page)
    await payments.expire('late@guests.example')
    await page.getByText('It wasn’t paid in time').waitFor()
    await picture(page, 'expired')
    await page.goto(`${stage.url}/booking/${id}${new URL(page.url()).search}`)
    await page.getByText('It wasn’t paid in time').waitFor()
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.waitForURL(`${stage.url}/late/talk`)
    await time(page, '14:00').waitFor()
  })

  it('ends well on a phone: Back, a second tab, another time, a slow bank', async () => {
    await add('phone')
    const page = await stage.visit('/phone/talk', PHONE)
    await goToPayment(page, 'phone@guests.example')
    const first = await bookedBy('phone@guests.example')
    await page.goBack()
    await waiting(page)
    await page.getByText('We’re keeping this time for you until 13:35').waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'back from the payment')
    await picture(page, 'phone-back')

    // In a second tab, they choose another time: the first one notices.
    const second = await page.context().newPage()
    await second.goto(`${stage.url}/phone/talk`)
    const notice = second.getByRole('region', { name: 'Awaiting payment' })
    await notice.getByText('until 13:35').waitFor()
    assert.equal(await overflowOf(second), 0)
    await picture(second, 'phone-second')
    await goToPayment(second, 'phone@guests.example', '15:00')
    await until(async () => (await statusOf(first.id)) === 'Cancelled')
    const { sessionId } = await payments.checkoutOf('phone@guests.example')
    await page.bringToFront()
    await page.reload()
    await page.getByText('Cancelled').first().waitFor()
    assert.equal(await page.getByText('€49.00 to pay').count(), 0)
    await picture(page, 'phone-first-ended')

    // Their bank takes its time. It was 35 minutes, and nobody knows yet.
    await stripe.pay(sessionId, { by: 'bank' })
    const { id } = await bookedBy('phone@guests.example')
    await second.goto(`${stage.url}/phone/talk`)
    await second.getByRole('region', { name: 'Awaiting payment' }).getByText('You haven’t paid for').waitFor()
    const own = await second.context().newPage()
    await own.goto(stripe.sessions.find((one) => one.id === sessionId)?.successUrl ?? '')
    await waiting(own)
    await own.clock.setFixedTime(BETWEEN_CHANGES + 36 * 60_000)
    await own.reload()
    await own.getByText('Your payment hasn’t arrived yet.').waitFor()
    assert.equal(await overflowOf(own), 0)
    await picture(own, 'phone-slow')
    await stripe.finishBank(sessionId, true)
    await arrive('phone@guests.example')
    await own.getByRole('button', { name: 'Check again' }).click()
    await own.getByText('You’re booked').first().waitFor()
    assert.equal(await statusOf(id), 'Confirmed')
  })

  it('counts people and meetings, and says what each meeting costs', async () => {
    const offer = { series: { every: ['week', 'month'] as const, most: 6 }, maxGuests: 3 }
    await add('series', { ...offer, durations: [], price: { ...PRICE, byDuration: {} } })
    const page = await stage.visit('/series/talk', PHONE)
    await fillIn(page, 'series@guests.example')
    await page.getByText('Total: €49.00').waitFor()
    await page.getByRole('button', { name: 'Add guests' }).click()
    const guests = page.getByRole('textbox', { name: /guests/i })
    // Themselves, someone, and the same person again.
    await guests.pressSequentially('Series@guests.example, other@guests.example, OTHER@guests.example, ')
    await page.getByText('Total: €98.00').waitFor()
    await page.getByText('2 × €49.00').waitFor()
    await page.getByLabel('Repeat').selectOption({ label: 'Every week' })
    await page.getByLabel('Number of meetings').selectOption('3')
    await page.getByText('Total: €294.00').waitFor()
    await page.getByText('3 × 2 × €49.00').waitFor()
    assert.equal(await page.getByRole('listitem').filter({ hasText: '· €98.00' }).count(), 3)
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a series with its prices')
    await picture(page, 'series')
    await page.getByRole('button', { name: 'Pay €294.00' }).click()
    await page.waitForURL(`${stripe.url}/**`)
    await page.getByRole('button', { name: 'Pay 29400 eur' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Pay €294.00' }).click()
    await pay(page)
    await waiting(page)
    await arrive('series@guests.example')
    await page.getByText('You’re booked').first().waitFor()
    await page.getByText('€98.00 paid').waitFor()
    await picture(page, 'series-paid')
    await runDueJobs(stage.context)
    const [mail] = stage.mailbox.filter(({ to }) => String(to).includes('series@guests'))
    assert.match(String(mail?.text), /Payment: €294\.00 paid/)
  })

  it('writes yen without decimals, in every language', async () => {
    const price = { ...PRICE, amount: 4900, currency: 'JPY', byDuration: { '30': 4900, '60': 8900 } }
    await add('yen', { price })
    for (const lang of ['en', 'de', 'es', 'fr', 'ja', 'pt']) {
      const page = await stage.visit(`/yen/talk?lang=${lang}`, PHONE)
      const written = new Intl.NumberFormat(lang, { style: 'currency', currency: 'JPY' }).format(8900)
      assert.doesNotMatch(written, /[.,]00\b/)
      const long = page.locator('.durations button').nth(1)
      await long.waitFor()
      // Some write a space that does not break, some none.
      const digits = (text: string) => text.replaceAll(/[^\d.,]/g, '')
      assert.match(digits(await long.innerText()), /8[.,]?900$/, lang)
      await long.click()
      await page.locator('.slot').first().click()
      const total = page.locator('.price-summary strong')
      await total.waitFor()
      assert.match(digits(await total.innerText()), /^8[.,]?900$/, lang)
      assert.equal(await overflowOf(page), 0, lang)
      await picture(page, `yen-${lang}`)
      await page.context().close()
    }
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

  it('shows a host where the money is, and what became of it', async () => {
    const each = { durations: [], price: { ...PRICE, byDuration: {} } }
    const talk = await add('money', each)
    const wish = await addEventType(
      stage.db,
      { id: talk.schedulerId },
      { slug: 'wish', requiresApproval: true, ...each },
    )
    const buy = async (eventType: EventType, name: string, hour: number) => {
      const email = `${name.toLowerCase()}@guests.example`
      const booking = bookingOf(eventType, Date.UTC(2027, 2, 23, hour), {
        inviteeName: name,
        inviteeEmail: email,
      })
      await stage.post(`/api/public/scheduling/money/${eventType.slug}/book`, booking)
      const { sessionId } = await payments.checkoutOf(email)
      const { id: intentId } = await stripe.pay(sessionId)
      await arrive(email)
      return { ...(await bookedBy(email)), intentId }
    }
    const [disputed, halved, failed] = [
      await buy(talk, 'Disputed', 9),
      await buy(talk, 'Halved', 10),
      await buy(talk, 'Failed', 11),
    ]
    await buy(wish, 'Wished', 12)
    await settleDispute(stage.context, {
      disputeId: 'du_1',
      intentId: disputed.intentId,
      amount: 4900,
    })

    const page = await visitAsHost(stage, 'money@hosts.example', `/app/bookings?open=${halved.id}`)
    const panel = page.getByRole('dialog')
    await panel.getByText('€49.00 paid').waitFor()
    await panel.getByRole('button', { name: 'Cancel booking' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Your guest gets €49.00 back.').waitFor()
    await dialog.getByRole('button', { name: 'Nothing', exact: true }).click()
    await dialog.getByText('Your guest gets nothing back.').waitFor()
    await dialog.getByRole('button', { name: 'By your rule' }).click()
    await dialog.getByText('Your guest gets €24.50 back.').waitFor()
    await picture(page, 'host-cancel')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await dialog.waitFor({ state: 'detached' })
    await runDueJobs(stage.context)
    assert.equal(await refundedOf(halved.id), 2450)
    stripe.refundsAre = 'failed'
    await page.goto(`${stage.url}/app/bookings/${failed.id}`)
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    await dialog.getByText('Your guest gets €49.00 back.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await dialog.waitFor({ state: 'detached' })
    await runDueJobs(stage.context)
    assert.equal(await failedRefunds(failed.id), 1)
    stripe.refundsAre = 'succeeded'

    await page.goto(`${stage.url}/app/bookings/${failed.id}`)
    await page.getByRole('main').getByText('A refund of').waitFor()
    await assertAccessible(page, 'a refund that failed')
    await picture(page, 'host-failed')
    await page.goto(`${stage.url}/app/bookings/${disputed.id}`)
    await page.getByText('€49.00 disputed').waitFor()

    await page.goto(`${stage.url}/app/bookings?view=cancelled`)
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('Halved').getByText('€24.50 of €49.00 refunded').waitFor()
    await row('Failed').getByText('Refund failed', { exact: true }).waitFor()
    await picture(page, 'host-cancelled')
    await page.goto(`${stage.url}/app/bookings`)
    await row('Disputed').getByText('Disputed', { exact: true }).last().waitFor()
    await page
      .getByRole('region', { name: /attention/i })
      .getByText('A refund of')
      .waitFor()
    await assertAccessible(page, 'bookings with their money')
    await picture(page, 'host-list')

    await page.goto(`${stage.url}/app/bookings?view=pending`)
    await row('Wished').getByText('€49.00 reserved').waitFor()
    await row('Wished')
      .getByRole('button', { name: /Decline/ })
      .click()
    await dialog.getByText('Your guest’s card isn’t charged.').waitFor()
    await picture(page, 'host-decline')
    await page.keyboard.press('Escape')

    await page.goto(`${stage.url}/app/insights`)
    const figure = (name: string) => page.locator('.figures > div').filter({ hasText: name })
    await figure('Paid (EUR)').getByText('€147.00').waitFor()
    await figure('Refunded (EUR)').getByText('€24.50').waitFor()
    await figure('Disputed (EUR)').getByText('€49.00').waitFor()
    await assertAccessible(page, 'Insights with money')
    await picture(page, 'host-insights')
    const saves = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download payments as CSV' }).press('Enter')
    const file = await saves
    assert.equal(file.suggestedFilename(), 'payments.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    assert.equal(lines.filter((line) => line.includes('refunded')).length, 1)
    assert.equal(lines.filter((line) => line.includes('disputed')).length, 1)

    const mailTo = (name: string) => stage.mailbox.filter(({ to }) => String(to).includes(`${name}@guests`))
    const said = (name: string) => mailTo(name).map(({ text }) => /Payment: (.*)/.exec(String(text))?.[1])
    assert.deepEqual(said('halved'), ['€49.00 paid', '€24.50 goes back; banks may need a few days'])
    assert.deepEqual(said('wished'), ['€49.00 reserved until the request is answered'])
    const warning = stage.mailbox.find(({ subject }) => subject.includes('failed'))
    assert.equal(warning?.subject, 'A refund of €49.00 for Failed failed')

    await page.setViewportSize({ width: 360, height: 740 })
    for (const path of ['/app/bookings', '/app/insights', `/app/bookings/${failed.id}`]) {
      await page.goto(`${stage.url}${path}`)
      await page.getByText('€').first().waitFor()
      assert.equal(await overflowOf(page), 0, path)
      await picture(page, `host-phone${path.replaceAll(/[^a-z]+/g, '-').slice(0, 20)}`)
    }
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
