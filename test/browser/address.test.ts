import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { addEventType, addUser, bookingOf } from '../kit.ts'
import { openStage, type Stage, untilFocused } from './stage.ts'

const CHOSEN = '2027-03-24T13:00:00Z'

describe('the address of a guest’s page', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  const add = async (slug: string, given: Partial<EventType> = {}) =>
    addEventType(stage.db, await addUser(stage.db, slug), { slug: 'talk', name: 'A talk', ...given })
  /** Books on Wednesday at 10:00 UTC, and returns the page's address. */
  const booked = async (slug: string): Promise<string> => {
    const body = bookingOf(await add(slug), Date.UTC(2027, 2, 24, 10))
    const { location } = await stage.post(`/api/public/scheduling/${slug}/talk/book`, body)
    const { pathname, search } = new URL(location ?? '')
    return pathname.replace('/api/public/bookings/', '/booking/') + search
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const time = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\w`) })
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
  const chosenIn = (page: Page) => new URL(page.url()).searchParams.get('slot')

  it('keeps the chosen time for a reload, with what was typed, and for the browser’s own buttons', async () => {
    await add('reloaded', { holds: true })
    const page = await stage.visit('/reloaded/talk?date=2027-03-24')
    await time(page, '14:00').click()
    await page.getByText('We’re holding this time').waitFor()
    assert.equal(chosenIn(page), CHOSEN)
    await page.getByLabel('Name').fill('Grace Guest')
    await page.reload()
    await page.getByText('14:00 – 14:30').waitFor()
    await page.getByText('We’re holding this time').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Guest')
    await page.goBack()
    await time(page, '14:30').waitFor()
    assert.equal(chosenIn(page), null)
    await page.goForward()
    await page.getByText('14:00 – 14:30').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Guest')
    await button(page, 'Change time').click()
    await time(page, '14:30').waitFor()
  })

  it('opens the form of a time that someone shares', async () => {
    await add('shared')
    // In the month that comes with the page, and in a later one.
    for (const [slot, shown] of [
      [CHOSEN, '14:00 – 14:30'],
      ['2027-04-14T13:00:00Z', '15:00 – 15:30'],
    ] as const) {
      const page = await stage.visit(`/shared/talk?slot=${slot}`)
      await page.getByText(shown).waitFor()
      // There is no entry of the times before it.
      await button(page, 'Change time').click()
      await time(page, shown.slice(0, 5)).waitFor()
      assert.equal(chosenIn(page), null)
    }
  })

  it('says that a shared time is no longer available, or ignores what is no time', async () => {
    const eventType = await add('taken')
    const other = bookingOf(eventType, Date.parse(CHOSEN))
    assert.equal((await stage.post('/api/public/scheduling/taken/talk/book', other)).status, 201)
    const page = await stage.visit(`/taken/talk?slot=${CHOSEN}`)
    await page
      .getByRole('alert')
      .getByText(/24 March 2027, 14:00 is no longer available. Please choose another time./)
      .waitFor()
    await time(page, '14:30').waitFor()
    assert.equal(chosenIn(page), null)
    const wrong = await stage.visit('/taken/talk?slot=soon')
    await time(wrong, '14:30').first().waitFor()
    assert.equal(await wrong.getByRole('alert').count(), 0)
  })

  it('keeps the booking when the language changes after booking', async () => {
    await add('spoken')
    const page = await stage.visit('/spoken/talk')
    await time(page, '14:00').click()
    await page.getByLabel('Name').fill('Grace Guest')
    await page.getByLabel('Email').fill('spoken@guests.example')
    await button(page, 'Book this time').click()
    await heading(page, 'You’re booked').waitFor()
    const token = new URL(page.url()).searchParams.get('token')
    for (const [language, sentence] of [
      ['Deutsch', 'Ihr Termin ist gebucht'],
      ['Français', 'Votre rendez-vous est réservé'],
    ] as const) {
      await page.getByRole('link', { name: language }).click()
      await page.locator('.manage').getByText(sentence).first().waitFor()
      await page.getByText('14:00 – 14:30').waitFor()
      assert.equal(new URL(page.url()).searchParams.get('token'), token)
    }
  })

  it('leads back to the booking from each step of rescheduling', async () => {
    const page = await stage.visit(await booked('stepping'))
    await button(page, 'Reschedule').click()
    await untilFocused(page, 'Choose a new time')
    await time(page, '15:00').click()
    await heading(page, /^Reschedule to .*15:00/).waitFor()
    assert.equal(chosenIn(page), '2027-03-24T14:00:00Z')
    await page.reload()
    await heading(page, /^Reschedule to .*15:00/).waitFor()
    await page.goBack()
    await heading(page, 'Choose a new time').waitFor()
    await page.goBack()
    await heading(page, 'A talk').waitFor()
    await untilFocused(page, 'A talk')
    await page.goForward()
    await heading(page, 'Choose a new time').waitFor()
    await page.goForward()
    await button(page, 'Keep current time').click()
    await heading(page, 'A talk').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('step'), null)
    await page.goForward()
    await page.goForward()
    await button(page, 'Confirm new time').click()
    await page.getByText('Your booking has been rescheduled.').first().waitFor()
    await page.getByText('15:00 – 15:30').waitFor()
    assert.equal(chosenIn(page), null)
  })

  it('opens a step of rescheduling, unless the booking can’t be moved', async () => {
    const path = await booked('direct')
    const page = await stage.visit(`${path}&step=reschedule`)
    await heading(page, 'Choose a new time').waitFor()
    await button(page, 'Back').click()
    await heading(page, 'A talk').waitFor()
    await button(page, 'Cancel booking').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('Your booking has been cancelled.').first().waitFor()
    await page.goto(`${stage.url}${path}&step=reschedule&slot=${CHOSEN}`)
    await page.getByRole('link', { name: 'Book again' }).waitFor()
    await heading(page, 'A talk').waitFor()
  })
})

describe('errors of fields', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
    const host = await addUser(stage.db, 'corrected')
    await addEventType(stage.db, host, { slug: 'talk' })
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  it('go when the field is corrected, and no sooner', async () => {
    const page = await stage.visit('/corrected/talk')
    await page.getByRole('button', { name: /^14:00 \w/ }).click()
    await page.getByRole('button', { name: 'Book this time' }).click()
    const errors = page.locator('.error')
    const invalid = page.locator('[aria-invalid=true]')
    await errors.nth(1).waitFor()
    assert.deepEqual(await errors.allInnerTexts(), Array(2).fill('Please fill in this field.'))
    await page.getByLabel('Name').fill('Grace Guest')
    await errors.nth(1).waitFor({ state: 'detached' })
    await page.getByLabel('Email').fill('grace')
    await page.getByText('Please enter a valid email address.').waitFor()
    await page.getByLabel('Email').fill('grace@guests.example')
    await errors.first().waitFor({ state: 'detached' })
    assert.equal(await invalid.count(), 0)
    // No new ones before the next attempt.
    await page.getByLabel('Email').fill('grace')
    await page.getByLabel('Phone number').fill('x')
    assert.equal(await errors.count(), 0)
  })
})
