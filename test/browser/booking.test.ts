import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { MESSAGE_DEFAULTS } from '../../src/domain/messages/message.ts'
import { issuePrivateLink } from '../../src/services/bookings/links/private-links.ts'
import { insertMessage } from '../../src/store/messages/messages.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addTeam, addUser, bookingOf, plainEventType, weekdays } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { openStage, overflowOf, type Stage, untilFocused } from './stage.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('the booking page', () => {
  let stage: Stage

  before(async () => {
    const sender = { isIdempotent: true, send: async () => '', check: async () => {} }
    stage = await openStage({ sms: { sender, countries: ['+49'], dailyLimit: 1 } })
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  /** An event type at `/{slug}/talk`, with its own host. */
  const add = async (slug: string, given: Partial<EventType> = {}) => {
    const host = await addUser(stage.db, slug, weekdays('America/New_York'))
    return addEventType(stage.db, host, { slug: 'talk', ...given })
  }
  const day = (page: Page, name: RegExp) => page.getByRole('gridcell').getByRole('button', { name })
  const time = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\w`) })
  const heading = (page: Page, name: string) => page.getByRole('heading', { name })
  const submit = (page: Page) => page.getByRole('button', { name: 'Book this time' })
  const introduce = async (page: Page, email: string) => {
    await page.getByLabel('Name').fill('Grace Guest')
    await page.getByLabel('Email', { exact: true }).fill(email)
  }
  const bookedBy = (email: string) =>
    stage.db.selectFrom('bookings').selectAll().where('invitee_email', '=', email).execute()

  it('books for a guest in another zone, beyond a change of clocks', async () => {
    await add('zones')
    const page = await stage.visit('/zones/talk')
    // Nine in New York. Until Sunday, that is five hours away; from then on, six.
    await day(page, /26 March/).click()
    await time(page, '14:00').waitFor()
    await day(page, /29 March/).click()
    await time(page, '15:00').click()
    await introduce(page, 'zones@guests.example')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.match(await page.getByRole('main').innerText(), /29 March 2027\s+15:00 – 15:30 \(Berlin, GMT\+2\)/)
    const [booking] = await bookedBy('zones@guests.example')
    assert.equal(booking?.starts_at, Date.UTC(2027, 2, 29, 13))
    assert.equal(booking?.invitee_time_zone, 'Europe/Berlin')
    assert.equal(booking?.source, 'BookingPage')
    const address = new URL(page.url())
    assert.equal(address.pathname, `/booking/${booking?.id}`)
    assert.match(address.search, /^\?token=[\w-]+$/, 'the address says nothing about the guest')
    // The link that the answer's Location leads to.
    const link = await page.getByRole('link', { name: 'Reschedule or cancel' }).getAttribute('href')
    assert.match(link ?? '', new RegExp(`^/booking/${booking?.id}\\?token=[\\w-]+$`))
  })

  it('keeps the confirmation at an address of its own', async () => {
    await add('kept')
    const page = await stage.visit('/kept/talk?lang=en')
    await time(page, '14:00').click()
    await introduce(page, 'kept@guests.example')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    await page.goBack()
    await time(page, '14:30').waitFor()
    assert.equal(new URL(page.url()).pathname, '/kept/talk')
    await page.goForward()
    await heading(page, 'You’re booked').waitFor()
    await page.reload()
    await page.locator('.manage').getByText('You’re booked').first().waitFor()
    await page.getByText('14:00 – 14:30').waitFor()
    await page.getByRole('link', { name: 'Download .ics' }).waitFor()
    await page.goBack()
    await time(page, '14:30').waitFor()
    await page.goForward()
    await page.getByText('14:00 – 14:30').waitFor()
    await page.goBack()
    await time(page, '14:30').click()
    await introduce(page, 'kept-too@guests.example')
    await submit(page).click()
    await page.getByRole('button', { name: 'Book another meeting' }).click()
    await time(page, '15:00').waitFor()
    assert.match(page.url(), /\/kept\/talk\?lang=en$/)
  })

  it('goes to the page that the host chose, and says nothing about the guest', async () => {
    await add('returning', { returnUrl: 'https://host.example/thanks?from=punctual' })
    const page = await stage.visit('/returning/talk')
    await page.route('https://host.example/**', (route) => route.fulfill({ body: 'Thanks' }))
    await time(page, '14:00').click()
    await introduce(page, 'returning@guests.example')
    await submit(page).click()
    await page.getByText('Thanks').waitFor()
    const [booking] = await bookedBy('returning@guests.example')
    const address = `https://host.example/thanks?from=punctual&bookingId=${booking?.id}&status=Confirmed`
    assert.equal(page.url(), address)
    assert.equal((await stage.ownBooking(String(booking?.id))).returnUrl, address)
    await page.goBack()
    await page.locator('.manage').getByText('You’re booked').first().waitFor()
  })

  it('books through a private link, and holds the time meanwhile', async () => {
    const talk = await add('linked', { linkOnly: true, holds: true })
    const terms = { uses: 1, answers: { name: 'Grace Linked' } }
    const { token } = await issuePrivateLink(stage.context, { userId: null, email: 'test' }, talk, terms)
    const page = await stage.visit(`/l/${token}?lang=en`, PHONE)
    const held = () =>
      stage.db.selectFrom('claims').select('starts_at').where('event_type_id', '=', talk.id).execute()
    await time(page, '14:00').click()
    await page.getByText('We’re holding this time for you until 13:05.').waitFor()
    assert.equal((await held()).length, 1)
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a held time')
    const released = page.waitForResponse((reply) => reply.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Change time' }).click()
    assert.equal((await released).status(), 204)
    assert.deepEqual(await held(), [])
    await time(page, '14:30').click()
    await page.getByText('We’re holding this time').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Linked')
    await page.getByLabel('Email').fill('linked@guests.example')
    await page.clock.fastForward('05:01')
    await page.getByText('We’re no longer holding this time.').waitFor()
    await stage.db.updateTable('claims').set({ expires_at: 1 }).where('event_type_id', '=', talk.id).execute()
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.doesNotMatch(page.url(), /link=/)
    assert.equal(await page.getByRole('button', { name: 'Book another meeting' }).count(), 0)
    const [booking] = await bookedBy('linked@guests.example')
    assert.equal(booking?.invitee_name, 'Grace Linked')
    // The link is used up: back at the times, and when it is opened again.
    await page.goBack()
    await heading(page, 'This link has already been used').waitFor()
    await assertAccessible(page, 'a link that was used')
    assert.equal(await overflowOf(page), 0)
    await page.goto(`${stage.url}/l/${token}?lang=de`)
    await heading(page, 'Dieser Link wurde schon verwendet').waitFor()
    await page.getByText('Bitte Name of linked um einen neuen Link bitten.').waitFor()
    await page.getByRole('link', { name: 'Zum gebuchten Termin' }).click()
    await page.getByText('14:30 – 15:00').waitFor()
    assert.equal(new URL(page.url()).pathname, `/booking/${booking?.id}`)
    // A browser that knows nothing of it.
    const stranger = await stage.visit(`/linked/talk?link=${token}`)
    await stranger.getByText('Please ask Name of linked for a new one.').waitFor()
    assert.equal(await stranger.getByRole('link', { name: 'Go to your booking' }).count(), 0)
    await stranger.goto(`${stage.url}/l/${token.slice(0, -2)}xx`)
    await heading(stranger, 'Page not found').waitFor()
  })

  it('asks for the code that proves the guest’s address', async () => {
    await add('proven', { confirmEmail: true })
    const page = await stage.visit('/proven/talk?lang=de', PHONE)
    await time(page, '14:00').click()
    await page.getByLabel('Name').fill('Grace Guest')
    await page.getByLabel('E-Mail').fill('proven@guests.example')
    await page.getByRole('button', { name: 'Code anfordern' }).click()
    await page.getByText('Wir haben einen Code an proven@guests.example geschickt.').waitFor()
    const field = page.getByLabel('Code aus der E-Mail')
    assert.ok(await field.evaluate((input) => input === document.activeElement))
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a code')
    const book = page.getByRole('button', { name: 'Termin buchen' })
    await field.fill('12')
    await book.click()
    await page.getByText('Geben Sie die sechs Ziffern aus der E-Mail ein.').waitFor()
    const code = () => /\d{6}/.exec(stage.mailbox.at(-1)?.subject ?? '')?.[0] ?? ''
    await field.fill(String((Number(code()) + 1) % 1_000_000).padStart(6, '0'))
    const refused = page.waitForResponse(/\/book$/)
    await book.click()
    await page.getByText('Dieser Code ist falsch. Verbleibende Versuche: 4.').waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await page.locator('[name=code]:focus').waitFor()
    // In the language of the page, not of the browser.
    assert.equal(await (await refused).headerValue('content-language'), 'de')
    await field.fill(code())
    await page.getByText('Verbleibende Versuche').waitFor({ state: 'detached' })
    await book.click()
    await page.getByRole('heading', { name: 'gebucht' }).waitFor()
    assert.equal((await bookedBy('proven@guests.example')).length, 1)
  })

  it('solves a challenge for the code, and another one to book', async () => {
    const abuse = { ...plainEventType().abuse, captcha: 'altcha' as const }
    await add('proven-guarded', { confirmEmail: true, abuse })
    const page = await stage.visit('/proven-guarded/talk')
    await time(page, '14:00').click()
    await introduce(page, 'proven-guarded@guests.example')
    const asked = page.waitForRequest(/\/verify-email$/)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByText('We emailed a code to proven-guarded@guests.example').waitFor()
    const { captchaToken } = (await asked).postDataJSON()
    assert.ok(captchaToken)
    await page.getByText('Verified').waitFor()
    const code = /\d{6}/.exec(stage.mailbox.at(-1)?.subject ?? '')?.[0] ?? ''
    await page.getByLabel('Code from the email').fill(code)
    const booked = page.waitForRequest(/\/book$/)
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.notEqual((await booked).postDataJSON().captchaToken, captchaToken)
    assert.equal((await bookedBy('proven-guarded@guests.example')).length, 1)
  })

  it('lets a guest choose a length before the time, and repeat the meeting', async () => {
    const series = { every: ['week', 'month'], most: 4 } as const
    await add('lengths', { durations: [15, 30, 60], series, window: { kind: 'unlimited' } })
    const page = await stage.visit('/lengths/talk?lang=en', PHONE)
    const length = (name: string) => page.getByRole('button', { name, exact: true })
    await time(page, '14:30').waitFor()
    assert.equal(await length('30 minutes').getAttribute('aria-pressed'), 'true')
    await length('1 hour').press('Enter')
    await page.getByText('1 hour').nth(1).waitFor()
    await time(page, '14:30').waitFor({ state: 'detached' })
    assert.equal(await overflowOf(page), 0)
    assert.match(page.url(), /\?lang=en&duration=60$/)
    await assertAccessible(page, 'a choice of lengths')
    await page.reload()
    assert.equal(await length('1 hour').getAttribute('aria-pressed'), 'true')
    await time(page, '15:00').click()
    await introduce(page, 'lengths@guests.example')
    await page.getByLabel('Repeat').selectOption('Every week')
    await page.getByLabel('Number of meetings').selectOption('3')
    // The host’s wall time stays, so the guest’s hour moves with the clocks of New York and Berlin.
    assert.equal(await page.getByRole('status').getByRole('listitem').count(), 3)
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a series')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    await page.getByText('15:00 – 16:00').first().waitFor()
    assert.doesNotMatch(page.url(), /duration/)
    assert.equal((await bookedBy('lengths@guests.example')).length, 3)
    const dates = page.getByRole('listitem').filter({ hasText: /:00 – /u })
    assert.equal(await dates.count(), 3)
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a booked series')
    // A booking moves at its own length, and its own time is not in its way.
    await page.getByRole('link', { name: 'Reschedule or cancel' }).click()
    await page.getByRole('button', { name: 'Reschedule' }).waitFor()
    assert.equal(await dates.count(), 3)
    await dates.nth(1).getByRole('link').click()
    await dates.nth(0).getByRole('link').click()
    await dates.nth(1).getByRole('link').waitFor()
    assert.equal(await dates.nth(0).getByRole('link').count(), 0)
    await assertAccessible(page, 'the dates of a series')
    await page.getByRole('button', { name: 'Reschedule' }).click()
    await time(page, '16:00').waitFor()
    assert.equal(await time(page, '15:00').count(), 0, 'where it is')
    await time(page, '16:00').click()
    await page.getByRole('button', { name: 'Confirm new time' }).click()
    await page.getByText('16:00 – 17:00').first().waitFor()
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByLabel('This and the following meetings').check()
    await assertAccessible(page, 'which meetings to cancel')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('Your booking has been cancelled.').nth(1).waitFor()
    const left = await bookedBy('lengths@guests.example')
    assert.deepEqual([...new Set(left.map(({ status }) => status))], ['Cancelled'])
  })

  it('lets a guest choose where to meet, and asks for a number to call', async () => {
    await add('choices', {
      maxGuests: 2,
      location: { type: 'InPerson', value: '1 Example Street' },
      locations: [
        { id: 'office', type: 'InPerson', value: '1 Example Street', provider: '', label: 'Berlin office' },
        { id: 'call', type: 'Phone', value: '', provider: '', label: '' },
        { id: 'video', type: 'Video', value: 'https://meet.example/secret', provider: '', label: '' },
      ],
    })
    const page = await stage.visit('/choices/talk?lang=en', PHONE)
    await page.locator('.facts').getByText('Berlin office').waitFor()
    await time(page, '14:30').click()
    const choice = page.getByRole('group', { name: 'Location' })
    const office = choice.getByRole('radio', { name: /Berlin office\s*1 Example Street/ })
    assert.equal(await office.isChecked(), true)
    await introduce(page, 'places@guests.example')
    await office.press('ArrowDown')
    assert.equal(
      await choice.getByRole('radio', { name: 'Phone call: the host calls you' }).isChecked(),
      true,
    )
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a choice of locations')
    await submit(page).click()
    await page.locator('input[name=phone]:focus').waitFor()
    await page.getByText('Please fill in this field.').waitFor()
    await page.getByRole('button', { name: 'Add guests' }).click()
    await page.locator('input[name=guests]:focus').waitFor()
    const brought = page.getByLabel('Emails of guests you’re bringing (up to 2)')
    await brought.fill('tom@guests.example, una')
    await submit(page).click()
    await page.getByText('Please enter a valid email address.').waitFor()
    await brought.fill('wrong@guests.example ')
    await page.getByRole('button', { name: 'Remove wrong@guests.example' }).click()
    await page.locator('input[name=guests]:focus').waitFor()
    await page.keyboard.type('una@guests.example')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove una@guests.example' }).waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'guests as chips')
    // What was chosen and typed survives another language.
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await heading(page, 'Ihre Angaben').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Guest')
    assert.doesNotMatch(page.url(), /locationId|Grace/)
    await page.getByRole('radio', { name: 'Telefonat: Sie werden angerufen', checked: true }).waitFor()
    await page.getByLabel('Telefonnummer').fill('030 901820')
    await page.getByRole('button', { name: 'Diesen Termin buchen' }).click()
    await page.getByText(/Telefonat: Sie werden angerufen\s*\+4930901820/).waitFor()
    const [booking] = await bookedBy('places@guests.example')
    assert.deepEqual([booking?.location_type, booking?.location_value], ['Phone', '+4930901820'])
    assert.equal(booking?.guests, '["tom@guests.example","una@guests.example"]')
  })

  it('opens at the date or the month that the link asks for', async () => {
    await add('asked-for')
    const shown = async (query: string) => {
      const page = await stage.visit(`/asked-for/talk?${query}`)
      await page.locator('.slot').first().waitFor()
      return page.locator('.times h2').innerText()
    }
    assert.match(await shown('date=2027-04-14'), /14 Apr/)
    assert.match(await shown('date=2027-04-17'), /19 Apr/, 'Saturday is not free')
    assert.match(await shown('month=2027-05'), /3 May/)
    for (const wrong of ['date=2027-02-31', 'date=2020-01-01', 'month=soon']) {
      assert.match(await shown(wrong), /22 Mar/, wrong)
    }
  })

  it('says at once that there is no connection, and never books later', async () => {
    await add('offline')
    const page = await stage.visit('/offline/talk')
    await time(page, '14:00').click()
    await introduce(page, 'offline@guests.example')
    await page.context().setOffline(true)
    await submit(page).click()
    await page.getByText('We couldn’t reach the server.').waitFor()
    await page.getByRole('button', { name: 'Change time' }).click()
    await time(page, '14:00').waitFor()
    await page.context().setOffline(false)
    // Anything that the page had held back would be sent before this.
    const listed = page.waitForResponse((response) => response.url().includes('/slots?'))
    await page.getByRole('button', { name: 'Next month' }).click()
    await listed
    assert.deepEqual(await bookedBy('offline@guests.example'), [])
  })

  it('is used by keyboard alone, with the focus where something new is', async () => {
    await add('keys')
    const page = await stage.visit('/keys/talk')
    await time(page, '14:00').waitFor()
    const { keyboard } = page
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 40; presses++) {
        await keyboard.press('Tab')
        const label = await page.evaluate(
          () =>
            document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        )
        if (name.test(label)) return
      }
      assert.fail(`no ${name} within reach of the Tab key`)
    }
    await tabTo(/22 March 2027/)
    // Saturday is in the grid, and can be reached, but not chosen.
    for (let presses = 0; presses < 5; presses++) await keyboard.press('ArrowRight')
    await keyboard.press('Enter')
    assert.match(await page.locator('.times h2').innerText(), /22 Mar/)
    for (let presses = 0; presses < 4; presses++) await keyboard.press('ArrowLeft')
    await keyboard.press('Enter')
    await tabTo(/^14:30 Tuesday,? 23 March/)
    await keyboard.press('Enter')
    await heading(page, 'Your details').waitFor()
    await untilFocused(page, 'Your details')

    // Sent too early: the first missing field has the focus.
    await tabTo(/^Book this time/)
    await keyboard.press('Enter')
    await page.getByText('Please fill in this field.').first().waitFor()
    await page.locator('[name="name"]:focus').waitFor()
    await keyboard.type('Grace Guest')
    await keyboard.press('Tab')
    await keyboard.type('keys@guests.example')
    await keyboard.press('Enter')
    await heading(page, 'You’re booked').waitFor()
    await untilFocused(page, 'You’re booked')
    assert.equal((await bookedBy('keys@guests.example'))[0]?.starts_at, Date.UTC(2027, 2, 23, 13, 30))
  })

  it('leads the Tab key to a day that can be chosen, and names the first of them', async () => {
    await add('weekend', { window: { kind: 'fixed', from: '2027-03-24', to: '2027-04-30' } })
    const page = await stage.visit('/weekend/talk')
    await time(page, '14:00').waitFor()
    await day(page, /24 March 2027 selected, First available date/).waitFor()
    assert.equal(await day(page, /22 March.*First available date/).count(), 0)
    const reached = () =>
      page.evaluate(() => document.querySelector('.day[tabindex="0"]')?.getAttribute('aria-label') ?? '')
    assert.match(await reached(), /24 March/)
    // A month later, the same day of the month would be a Saturday.
    await page.getByRole('button', { name: 'Next month' }).first().click()
    await day(page, /\b1 April 2027 selected/).waitFor()
    assert.match(await reached(), /1 April/)
    await day(page, /\b1 April/).focus()
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('ArrowRight')
    assert.match(await reached(), /3 April/, 'the arrow keys go everywhere')
    await page.keyboard.press('Tab')
    await page.waitForFunction(() =>
      /1 April/.test(document.querySelector('.day[tabindex="0"]')?.getAttribute('aria-label') ?? ''),
    )
  })

  it('shows what is selected in forced colours', async () => {
    await add('forced')
    const page = await stage.visit('/forced/talk', { forcedColors: 'active' })
    await time(page, '14:00').waitFor()
    const colourOf = (part: string) =>
      page
        .locator(part)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    assert.notEqual(await colourOf('.day[data-selected]'), await colourOf('.day-free:not([data-selected])'))
    assert.notEqual(
      await colourOf('.segments [aria-pressed=true]'),
      await colourOf('.segments [aria-pressed=false]'),
    )
  })

  it('fits a phone of 360 pixels at every step', async () => {
    await add('phone', { name: 'Donaudampfschifffahrtsgesellschaftskapitänsbesprechung', seats: 3 })
    const page = await stage.visit('/phone/talk', PHONE)
    await page.getByText('3 seats left').first().waitFor()
    assert.equal(await overflowOf(page), 0)
    await time(page, '14:00').click()
    await heading(page, 'Your details').waitFor()
    assert.equal(await overflowOf(page), 0)
    await introduce(page, 'phone@guests.example')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.equal(await overflowOf(page), 0)
    assert.equal((await bookedBy('phone@guests.example')).length, 1)
  })

  it('brings the times of a chosen day into view on a phone', async () => {
    await add('below', { description: 'A few words.\nAnd a few more.\nAnd more.', requiresApproval: true })
    const page = await stage.visit('/below/talk', PHONE)
    await day(page, /25 March/).click()
    await page.waitForFunction(() => {
      const box = [...document.querySelectorAll('.slot')].at(0)?.getBoundingClientRect()
      return box !== undefined && box.top >= 0 && box.bottom <= innerHeight
    })
    // March has five weeks: no sixth is left empty.
    const gap = await page.evaluate(() => {
      const edge = (part: string) => document.querySelector(part)?.getBoundingClientRect()
      return (edge('.zone')?.top ?? 0) - (edge('.month')?.bottom ?? 0)
    })
    assert.ok(gap < 24, `${gap} pixels`)
  })

  it('does not overflow from right to left', async () => {
    await add('rtl')
    for (const options of [PHONE, {}]) {
      const page = await stage.visit('/rtl/talk', options)
      await time(page, '14:00').waitFor()
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl'
      })
      assert.equal(await overflowOf(page), 0)
      await time(page, '14:00').click()
      await heading(page, 'Your details').waitFor()
      assert.equal(await overflowOf(page), 0)
    }
  })

  it('solves the challenge and leaves the honeypot alone', async () => {
    const abuse = { ...plainEventType().abuse, honeypot: true, captcha: 'altcha' as const }
    await add('guarded', { abuse })
    const page = await stage.visit('/guarded/talk')
    await time(page, '14:00').click()
    await introduce(page, 'guarded@guests.example')
    // The honeypot can't be seen, heard or reached with Tab.
    assert.equal(await page.getByRole('textbox', { name: 'Leave this empty' }).count(), 0)
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.equal((await bookedBy('guarded@guests.example')).length, 1)
  })

  it('says that a slot was just taken, keeps the typed answers, and books another', async () => {
    const eventType = await add('race')
    const page = await stage.visit('/race/talk')
    await day(page, /24 March/).click()
    await time(page, '14:00').click()
    await introduce(page, 'race@guests.example')
    await page.getByLabel('Additional notes').fill('I will be late.')
    const other = bookingOf(eventType, Date.UTC(2027, 2, 24, 13))
    assert.equal((await stage.post('/api/public/scheduling/race/talk/book', other)).status, 201)
    await submit(page).click()
    await page.getByRole('alert').getByText('Someone just booked 14:00').waitFor()
    await untilFocused(page, /24 Mar/)
    await time(page, '14:00').waitFor({ state: 'detached' })
    await time(page, '14:30').click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Guest')
    assert.equal(await page.getByLabel('Additional notes').inputValue(), 'I will be late.')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.equal((await bookedBy('race@guests.example'))[0]?.starts_at, Date.UTC(2027, 2, 24, 13, 30))
  })

  it('takes known answers from the address, keeps the campaign, and cleans the address', async () => {
    await add('known', {
      questions: [
        { key: 'company', label: 'Company', type: 'text', required: true, options: [] },
        { key: 'topic', label: 'Topic', type: 'select', required: false, options: ['Tea', 'Coffee'] },
        {
          key: 'drinks',
          label: 'Drinks',
          type: 'multiselect',
          required: true,
          options: ['Tea', 'Milk', 'Gin'],
        },
        { key: 'way', label: 'By', type: 'radio', required: true, options: ['Train', 'Ship'] },
        { key: 'plan', label: 'Plan', type: 'text', required: false, options: [], hidden: true },
        { key: 'seller', label: 'Seller', type: 'email', required: false, options: [], hidden: true },
        { key: 'agreed', label: 'I agree', type: 'checkbox', required: true, options: [] },
      ],
    })
    const query = new URLSearchParams({
      name: 'Grace <b>Guest</b>',
      email: 'known@guests.example',
      notes: 'Hello',
      company: 'Navy',
      topic: 'Coffee',
      agreed: 'true',
      plan: 'Gold',
      seller: 'not an address',
      drinks: 'Gin',
      utm_source: 'letter',
      lang: 'en',
    })
    query.append('drinks', 'Ale')
    query.append('drinks', 'Tea')
    const page = await stage.visit(`/known/talk?${query}`)
    await time(page, '14:00').waitFor()
    await page.reload()
    await time(page, '14:00').click()
    await page.waitForURL(({ search }) => search === '?lang=en&slot=2027-03-22T13%3A00%3A00Z')
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace <b>Guest</b>')
    assert.equal(await page.getByLabel('Topic').inputValue(), 'Coffee')
    const drinks = page.getByRole('group', { name: 'Drinks' })
    assert.deepEqual(
      await drinks.getByRole('checkbox').evaluateAll((all) => all.map((one) => one.matches(':checked'))),
      [true, false, true],
    )
    await drinks.getByLabel('Gin').uncheck()
    await drinks.getByLabel('Milk').check()
    assert.deepEqual(await page.getByLabel(/Plan|Seller/).all(), [])
    await submit(page).click()
    await page.getByRole('group', { name: 'By' }).getByText('Please fill in this field.').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'way')
    await page.keyboard.press('ArrowDown')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await submit(page).click()
    const body = (await sent).postDataJSON()
    assert.deepEqual(body.utm, { source: 'letter' })
    assert.deepEqual(body.customFields, {
      company: 'Navy',
      topic: 'Coffee',
      drinks: ['Tea', 'Milk'],
      way: 'Ship',
      plan: 'Gold',
      agreed: true,
    })
    await heading(page, 'You’re booked').waitFor()
    await page.getByText('Tea, Milk').waitFor()
    assert.equal((await bookedBy('known@guests.example'))[0]?.notes, 'Hello')
  })

  it('books once, however often a broken connection is tried again', async () => {
    await add('broken')
    const page = await stage.visit('/broken/talk')
    await time(page, '14:00').click()
    await introduce(page, 'broken@guests.example')
    let tries = 0
    await page.route('**/book', async (route) => {
      tries++
      if (tries > 1) return route.continue()
      // The server books, but its answer never arrives.
      await route.fetch()
      await route.abort()
    })
    await submit(page).click()
    await page.getByText('Nothing was lost. Please try again.').waitFor()
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.equal(tries, 2)
    assert.equal((await bookedBy('broken@guests.example')).length, 1)
  })

  it('books once if the outcome of the first attempt is unknown, also with a challenge', async () => {
    await add('unknown', { abuse: { ...plainEventType().abuse, captcha: 'altcha' } })
    const page = await stage.visit('/unknown/talk')
    await time(page, '14:00').click()
    await introduce(page, 'unknown@guests.example')
    const keys: (string | undefined)[] = []
    await page.route('**/book', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      // The server books, but can't say so.
      await route.fetch()
      await route.fulfill({ status: 504, json: { error: 'It may or may not be saved.' } })
    })
    await submit(page).click()
    await page.getByText('Nothing was lost. Please try again.').waitFor()
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
    assert.equal((await bookedBy('unknown@guests.example')).length, 1)
  })

  it('says when to try again after too many attempts', async () => {
    await add('limited', { abuse: { ...plainEventType().abuse, rateLimit: 1 } })
    const page = await stage.visit('/limited/talk')
    for (const [start, email] of [
      ['14:00', 'first@guests.example'],
      ['14:30', 'second@guests.example'],
    ] as const) {
      await time(page, start).click()
      await introduce(page, email)
      await submit(page).click()
      const again = page.getByRole('button', { name: 'Book another meeting' })
      await again.or(page.getByRole('alert').getByText('Too many attempts')).waitFor()
      if (await again.isVisible()) await again.click()
    }
    assert.match(await page.getByRole('alert').innerText(), /try again at 13:0\d\./)
  })

  it('leads to the next available day', async () => {
    await add('later', { window: { kind: 'fixed', from: '2027-06-07', to: '2027-06-30' } })
    const page = await stage.visit('/later/talk?month=2027-03')
    assert.equal(await day(page, /First available date/).count(), 0, 'no day of March is one')
    await page.getByRole('button', { name: 'Next available day: Mon 7 Jun' }).click()
    await time(page, '15:00').waitFor()
    assert.match(await page.getByRole('main').innerText(), /June 2027/)
    await untilFocused(page, /7 Jun/)
  })

  it('opens on the first month with times, and shows it at once', async () => {
    await add('summer', { window: { kind: 'fixed', from: '2027-06-07', to: '2027-06-30' } })
    const page = await stage.visit('/summer/talk', PHONE)
    await time(page, '15:00').waitFor()
    assert.match(await page.getByRole('main').innerText(), /June 2027/)
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    assert.ok(!loaded.some((url) => url.includes('dateFrom=2027-06')), 'June came with the page')
    await page.getByRole('button', { name: 'Previous month' }).click()
    await page.getByText('No times available in May 2027.').waitFor()
  })

  it('leaves out weeks that have passed, so that a phone shows the times sooner', async () => {
    await add('weeks')
    const page = await stage.visit('/weeks/talk', PHONE)
    await time(page, '14:00').waitFor()
    // It is Monday the 22nd, and March has five weeks.
    assert.equal(await page.locator('.month tbody tr:visible').count(), 2)
    const top = await page.locator('.slot').first().boundingBox()
    assert.ok((top?.y ?? 999) < 480, `times begin at ${top?.y}`)
    await page.getByRole('button', { name: 'Next month' }).click()
    await heading(page, 'April 2027').waitFor()
    assert.equal(await page.locator('.month tbody tr:visible').count(), 5)
  })

  it('shows as many times as the window has space for', async () => {
    const host = await addUser(stage.db, 'tall', weekdays('Europe/Berlin'))
    await addEventType(stage.db, host, { slug: 'talk', durationMinutes: 15 })
    const heights: number[] = []
    for (const height of [700, 1000]) {
      const page = await stage.visit('/tall/talk', { viewport: { width: 1280, height } })
      await page.locator('.slot').first().waitFor()
      heights.push((await page.locator('.slots').boundingBox())?.height ?? 0)
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight),
        true,
        `a window of ${height}`,
      )
    }
    assert.ok((heights[1] ?? 0) - (heights[0] ?? 0) >= 200, String(heights))
  })

  it('has the same margin at every step on a phone', async () => {
    await add('margins', { durations: [30, 60] })
    const page = await stage.visit('/margins/talk', PHONE)
    const leftOf = async (part: string) => {
      const text = page.locator(part).first()
      await text.waitFor()
      return text.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return Math.round(range.getBoundingClientRect().left)
      })
    }
    await time(page, '14:00').waitFor()
    for (const part of ['.about h1', '.month-bar h2', '.zone button', '.times h2']) {
      assert.equal(await leftOf(part), 20, part)
    }
    await time(page, '14:00').click()
    for (const part of ['.about h1', '.details h2', '.details .label'])
      assert.equal(await leftOf(part), 20, part)
    await introduce(page, 'margins@guests.example')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.equal(await leftOf('.details h2'), 20)
    await page.getByRole('link', { name: 'Reschedule or cancel' }).click()
    await page.getByRole('button', { name: 'Cancel booking' }).waitFor()
    assert.equal(await leftOf('.manage h1'), 20)
  })

  it('confirms who of a team comes, whom they bring, what they answered and until when they may cancel', async () => {
    const team = await addTeam(stage.db, 'facts-team')
    const member = await addUser(stage.db, 'facts-member', weekdays('America/New_York'))
    const picture = '/images/01890000-0000-7000-8000-000000000000'
    await stage.db
      .updateTable('schedulers')
      .set({ avatar_url: picture })
      .where('id', '=', member.id)
      .execute()
    const given = {
      slug: 'talk',
      name: 'Facts',
      assignment: 'round-robin',
      maxGuests: 2,
      cancelNoticeMinutes: 30,
      location: { type: 'Video', value: '' },
      questions: [{ key: 'why', label: 'Why?', type: 'text', required: true, options: [] }],
    } as const
    await addEventType(stage.db, team, given, [{ hostId: member.id, fixed: false }])
    const page = await stage.visit('/facts-team/talk')
    await time(page, '14:30').click()
    await introduce(page, 'facts@guests.example')
    await page.getByRole('button', { name: 'Add guests' }).click()
    await page.getByLabel('Emails of guests').fill('bob@guests.example')
    await page.getByLabel('Why?').fill('To learn')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    await page.getByText(/^You can cancel until 22 Mar 2027, 14:00\.$/).waitFor()
    const factsOn = async (shown: Page) =>
      (await shown.locator('.meeting dd').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    const facts = await factsOn(page)
    assert.deepEqual(
      [facts[0], facts[1], ...facts.slice(3, -1)],
      [
        'Facts',
        'Name of facts-member',
        'Video call The link follows by email.',
        'bob@guests.example',
        'Why? To learn',
      ],
    )
    assert.match((await page.locator('.meeting img').getAttribute('src')) ?? '', new RegExp(`${picture}$`))
    await page.getByRole('link', { name: 'Reschedule or cancel' }).click()
    await page.locator('.manage .meeting').waitFor()
    assert.deepEqual(await factsOn(page), facts.slice(1))
    const [row] = await bookedBy('facts@guests.example')
    const location = 'https://meet.example/facts'
    await stage.db
      .updateTable('bookings')
      .set({ location_value: location })
      .where('id', '=', row?.id ?? '')
      .execute()
    await page.reload()
    assert.equal(await page.getByRole('link', { name: 'Join' }).getAttribute('href'), location)
  })

  it('says without JavaScript what to do, and shows nothing that never loads', async () => {
    await add('scriptless', { requiresApproval: true })
    const page = await stage.visit('/scriptless/talk', { ...PHONE, javaScriptEnabled: false })
    const notice = page.locator('.noscript')
    await notice.getByText('This page needs JavaScript').waitFor()
    assert.ok(((await notice.boundingBox())?.y ?? 999) < 100, 'it is at the top')
    assert.match((await notice.getByRole('link').getAttribute('href')) ?? '', /^mailto:.+@.+/)
    assert.equal(await page.locator('.bar:visible').count(), 0)
    assert.equal(await overflowOf(page), 0)
  })

  it('points out a mistyped address, and never insists', async () => {
    await add('typo')
    const page = await stage.visit('/typo/talk')
    await time(page, '14:30').click()
    const email = page.getByLabel('Email', { exact: true })
    await introduce(page, 'grace@gmial.com')
    await email.blur()
    await page.getByRole('button', { name: 'Did you mean gmail.com?' }).click()
    assert.equal(await email.inputValue(), 'grace@gmail.com')
    assert.equal(await page.getByText('Did you mean').count(), 0)
    await email.fill('grace@outlok.com')
    await email.press('Tab')
    await page.getByRole('button', { name: 'Did you mean outlook.com?' }).waitFor()
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    assert.equal((await bookedBy('grace@outlok.com')).length, 1)
  })

  it('asks whether to send text messages, and needs a number only then', async () => {
    const talk = await add('texted')
    await stage.db.transaction().execute((trx) =>
      insertMessage(trx, {
        ...MESSAGE_DEFAULTS,
        id: newId(),
        schedulerId: talk.schedulerId,
        createdAt: 0,
        name: 'Soon',
        on: 'before',
        minutes: 60,
        by: 'sms',
        texts: { en: { subject: '', body: 'See you soon' } },
      }),
    )
    const page = await stage.visit('/texted/talk?smsConsent=true', PHONE)
    await time(page, '14:00').click()
    await introduce(page, 'texted@guests.example')
    const box = page.getByLabel('Text me about this meeting')
    assert.equal(await box.isChecked(), false)
    await box.check()
    await submit(page).click()
    await page.locator('input[name=phone]:focus').waitFor()
    await page.getByLabel('Phone number').fill('0151 12345678')
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'asking for text messages')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    const [booking] = await bookedBy('texted@guests.example')
    assert.equal(booking?.sms_number, '+4915112345678')
  })

  it('takes a phone number with its country, guessed, chosen or typed', async () => {
    await add('dial', { location: { type: 'Phone', value: '' }, locations: [] })
    const page = await stage.visit('/dial/talk', { locale: 'en-US', timezoneId: 'Europe/Vienna' })
    await page.locator('.slot').first().click()
    const [country, number] = [page.getByLabel('Country code'), page.getByLabel('Phone number')]
    await page.locator('.phone-country', { hasText: '+43' }).first().waitFor()
    assert.equal(await country.inputValue(), 'AT')
    await introduce(page, 'dial@guests.example')
    await number.fill('12')
    await submit(page).click()
    await page.getByText('Please enter a valid phone number.').waitFor()
    await number.fill('+49 30 901820')
    await number.blur()
    assert.deepEqual([await country.inputValue(), await number.inputValue()], ['DE', '30 901820'])
    // By keyboard, as in any list.
    await country.focus()
    await page.keyboard.type('Switz')
    assert.equal(await country.inputValue(), 'CH')
    await assertAccessible(page, 'a phone number')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    const [booking] = await bookedBy('dial@guests.example')
    assert.equal(booking?.invitee_phone, '+4130901820')
  })

  it('tells what it is about: with lists and links, the place, and who comes', async () => {
    const [host, other] = [
      await addUser(stage.db, 'first-member', weekdays('Asia/Tokyo')),
      await addUser(stage.db, 'other-member'),
    ]
    const team = await addTeam(stage.db, 'crew')
    const description = '**Bring** it.\n\n- See [the guide](https://example.com/guide)'
    const location = { type: 'InPerson', value: '1 Example Street' } as const
    const members = [host, other].map(({ id }) => ({ hostId: id, fixed: false }))
    const given = { slug: 'talk', description, location, assignment: 'round-robin' } as const
    await addEventType(stage.db, team, given, members)
    const page = await stage.visit('/crew/talk')
    await page.getByText('1 Example Street').waitFor()
    await page.getByText('Name of first-member or Name of other-member').waitFor()
    assert.equal(
      await page.getByRole('listitem').getByRole('link', { name: 'the guide' }).getAttribute('href'),
      'https://example.com/guide',
    )
    assert.equal(await page.locator('strong', { hasText: 'Bring' }).count(), 1)
    await day(page, /23 March/).click()
    // Nine in Tokyo is one in Berlin.
    await heading(page, 'Night').waitFor()
    await page.getByRole('link', { name: 'Name of crew' }).click()
    await page.getByRole('heading', { name: 'Name of crew' }).waitFor()
    assert.match(await page.getByRole('main').innerText(), /Bring it\.\s+• See the guide/)
  })

  it('says who calls whom, and no number before booking', async () => {
    await add('you-call', { location: { type: 'Phone', value: '+1 555 0100' } })
    await add('they-call', { location: { type: 'Phone', value: '' } })
    const page = await stage.visit('/you-call/talk')
    await page.getByText('Phone call: you call the host').waitFor()
    assert.doesNotMatch(await page.content(), /555 0100/)
    await (await stage.visit('/they-call/talk')).getByText('Phone call: the host calls you').waitFor()
  })

  it('says that nothing is available for a year', async () => {
    await add('never', { window: { kind: 'fixed', from: '2027-01-01', to: '2027-01-02' } })
    const page = await stage.visit('/never/talk')
    await page.getByText('Please contact Name of never.').waitFor()
  })

  it('says that a request waits for the host', async () => {
    await add('asked', { requiresApproval: true })
    const page = await stage.visit('/asked/talk')
    await time(page, '14:00').click()
    await introduce(page, 'asked@guests.example')
    await page.getByRole('button', { name: 'Request this time' }).click()
    await heading(page, 'Request sent').waitFor()
    assert.equal(await page.getByText('Add to calendar').count(), 0)
  })

  it('finds another zone by its city, and remembers it', async () => {
    await add('moved')
    const page = await stage.visit('/moved/talk')
    await page.getByRole('button', { name: 'Time zone: Berlin (GMT+1). Change' }).click()
    await page.getByRole('combobox').fill('sao paulo')
    await page.getByRole('option', { name: 'Sao Paulo' }).click()
    await time(page, '10:00').waitFor()
    await page.reload()
    await time(page, '10:00').waitFor()
    await page.getByRole('button', { name: /Time zone: Sao Paulo/ }).waitFor()
  })

  it('finds zones by cities, countries and abbreviations, and suggests those of guest and host', async () => {
    await add('places')
    const page = await stage.visit('/places/talk', { timezoneId: 'Asia/Calcutta' })
    await page.getByRole('button', { name: 'Time zone: Kolkata (GMT+5:30). Change' }).click()
    const suggested = page.getByRole('group', { name: 'Suggested' }).getByRole('option')
    await suggested.first().waitFor()
    assert.deepEqual(await suggested.allInnerTexts(), [
      'Kolkata, India\n17:30 · GMT+5:30',
      'UTC · Name of places’s time\n12:00 · GMT+0',
    ])
    for (const [typed, found] of [
      ['germany', 'Berlin, Germany'],
      ['munich', 'Berlin, Germany · Munich'],
      ['PST', 'Los Angeles, United States · PST'],
      ['kyiv', 'Kyiv, Ukraine'],
      ['saigon', 'Ho Chi Minh City, Vietnam · Saigon'],
    ] as const) {
      await page.getByRole('combobox').fill(typed)
      await page.getByRole('option').first().filter({ hasText: found }).waitFor()
    }
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Time zone: Ho Chi Minh City/ }).waitFor()
  })

  it('names zones in the guest’s language, and one of no place by its offset alone', async () => {
    await add('named')
    const german = await stage.visit('/named/talk?lang=de', { timezoneId: 'Asia/Tokyo', locale: 'de-DE' })
    await german.getByRole('button', { name: 'Zeitzone: Tokio (GMT+9). Ändern' }).click()
    for (const [typed, found] of [
      ['Mailand', 'Rom, Italien · Mailand'],
      ['Texas', 'Chicago, Vereinigte Staaten · Texas'],
      ['prague', 'Prag, Tschechien · Prague'],
    ] as const) {
      await german.getByRole('combobox').fill(typed)
      await german.getByRole('option').first().filter({ hasText: found }).waitFor()
    }
    const japanese = await stage.visit('/named/talk?lang=ja')
    await japanese.getByRole('button', { name: /ベルリン \(GMT\+1\)/ }).waitFor()
    await japanese.locator('.slot').first().click()
    await japanese.getByText(/\(ベルリン, GMT\+1\)/).waitFor()
    const placeless = await stage.visit('/named/talk', { timezoneId: 'Etc/GMT+5' })
    await placeless.getByRole('button', { name: 'Time zone: GMT-5. Change' }).click()
    const suggested = placeless.getByRole('group', { name: 'Suggested' }).getByRole('option')
    await suggested.first().waitFor()
    assert.equal((await suggested.allInnerTexts())[0], 'GMT-5\n07:00')
  })

  it('keeps what is typed before the list of zones is loaded', async () => {
    await add('early')
    const page = await stage.visit('/assets/punctual-mark-2.svg')
    const released = Promise.withResolvers<void>()
    await page.route(/\/assets\/zone-search-/, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto(`${stage.url}/early/talk`)
    await page.getByRole('button', { name: 'Time zone: Berlin (GMT+1). Change' }).click()
    await page.keyboard.type('new y')
    released.resolve()
    await page.getByRole('option', { name: 'New York' }).waitFor()
    // It goes on where it stopped.
    await page.keyboard.type('ork')
    assert.equal(await page.getByRole('combobox').inputValue(), 'new york')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Time zone: New York/ }).waitFor()
  })

  it('shows hours as the guest’s country does, or as they choose', async () => {
    await add('clock')
    const page = await stage.visit('/clock/talk', { locale: 'en-US' })
    await time(page, '2:00 PM').waitFor()
    await page.getByRole('button', { name: '24h' }).click()
    await time(page, '14:00').waitFor()
    await page.reload()
    await time(page, '14:00').waitFor()
  })

  it('tells before and after booking until when it can be changed, in the hours that the guest chose', async () => {
    await add('cutoffs', { cancelNoticeMinutes: 24 * 60, rescheduleNoticeMinutes: 7 * 24 * 60, holds: true })
    const page = await stage.visit('/cutoffs/talk?date=2027-03-25')
    await page.getByRole('button', { name: '12h' }).click()
    await time(page, '2:00 pm').click()
    await page.getByText('We’re holding this time for you until 1:05 pm.').waitFor()
    const until = page.getByText(/You can cancel until 24 Mar 2027, 2:00 pm\./)
    await until.waitFor()
    assert.match(await until.innerText(), /^This can’t be rescheduled online: it starts too soon\./)
    await introduce(page, 'cutoffs@guests.example')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    await until.waitFor()
    await page.getByRole('link', { name: 'Reschedule or cancel' }).click()
    await page.getByRole('button', { name: 'Cancel booking' }).waitFor()
    await until.waitFor()
  })

  it('tells screen readers that times could not be loaded, and not that there are none', async () => {
    await add('unheard')
    const page = await stage.visit('/unheard/talk')
    await time(page, '14:00').waitFor()
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    // The next month was fetched ahead; the one after it was not.
    for (let months = 0; months < 2; months++)
      await page.getByRole('button', { name: 'Next month' }).first().click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    const spoken = page.locator('.times').getByRole('status')
    assert.equal(await spoken.innerText(), 'We couldn’t load the available times.')
    await page.context().setOffline(false)
    await spoken.getByText(/times available on/).waitFor()
  })

  it('reads every time out in full', async () => {
    await add('spoken')
    const page = await stage.visit('/spoken/talk')
    const label = await time(page, '14:00').textContent()
    assert.match(label ?? '', /^14:00 Monday,? 22 March 2027, Central European Standard Time$/)
  })

  it('leads back from the form by the browser’s own button', async () => {
    await add('back')
    const page = await stage.visit('/back/talk')
    await day(page, /25 March/).click()
    await time(page, '14:00').click()
    await heading(page, 'Your details').waitFor()
    await page.goBack()
    await time(page, '14:30').waitFor()
    assert.match(await page.locator('.times h2').innerText(), /25 Mar/)
  })

  it('speaks the guest’s language, down to the first day of the week', async () => {
    await add('words')
    const german = await stage.visit('/words/talk', { locale: 'de-DE' })
    await german.getByRole('heading', { name: 'März 2027' }).waitFor()
    assert.equal(await german.getAttribute('html', 'lang'), 'de-DE')
    assert.equal(await german.locator('th').first().innerText(), 'Mo')
    await time(german, '14:00').click()
    await german.getByRole('heading', { name: 'Ihre Angaben' }).waitFor()
    await german.getByRole('button', { name: 'Diesen Termin buchen' }).waitFor()
    await add('familiar')
    await stage.db
      .updateTable('schedulers')
      .set({ german_address: 'du' })
      .where('slug', '=', 'familiar')
      .execute()
    await german.goto(`${stage.url}/familiar/talk`)
    await time(german, '14:00').click()
    await german.getByRole('heading', { name: 'Deine Angaben' }).waitFor()
    const japanese = await stage.visit('/words/talk?lang=ja')
    await japanese.getByRole('heading', { name: '2027年3月' }).waitFor()
    await japanese.getByText('ビデオ通話').waitFor()
  })

  it('can be read in another language, and prints what was booked', async () => {
    await add('switched')
    const page = await stage.visit('/switched/talk?date=2027-03-25')
    await time(page, '14:00').waitFor()
    await page.getByRole('link', { name: 'Français' }).click()
    await page.getByRole('heading', { name: 'mars 2027' }).waitFor()
    assert.equal(new URL(page.url()).search, '?date=2027-03-25&lang=fr')
    await page.getByRole('link', { name: 'English' }).click()
    await time(page, '14:00').click()
    await introduce(page, 'printed@guests.example')
    await submit(page).click()
    await heading(page, 'You’re booked').waitFor()
    await page.emulateMedia({ media: 'print' })
    assert.ok(await page.getByText('14:00 – 14:30').isVisible())
    for (const unprinted of ['.foot', '.actions'])
      assert.ok(await page.locator(unprinted).isHidden(), unprinted)
  })

  it('offers the meeting to the guest’s calendar', async () => {
    await add('file')
    const page = await stage.visit('/file/talk')
    await time(page, '14:00').click()
    await introduce(page, 'file@guests.example')
    await submit(page).click()
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download .ics' }).click()
    const lines = (await (await file).createReadStream().then((stream) => stream.toArray()))
      .map(String)
      .join('')
      .split('\r\n')
    assert.ok(lines.includes('DTSTART:20270322T130000Z'), lines.join('\n'))
    assert.ok(lines.includes('DTEND:20270322T133000Z'))
    const [booking] = await bookedBy('file@guests.example')
    assert.ok(lines.includes(`UID:${booking?.id}@punctual`), 'it is the event of the mail')
    assert.equal((await file).suggestedFilename(), 'talk.ics')
    const { calendarLinks } = await stage.ownBooking(String(booking?.id))
    assert.equal(calendarLinks.length, 3)
    for (const { name, url } of calendarLinks) {
      assert.equal(await page.getByRole('link', { name, exact: true }).getAttribute('href'), url)
    }
  })
})
