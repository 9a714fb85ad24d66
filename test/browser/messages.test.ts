import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import type { RoutingForm } from '../../src/domain/forms/routing.ts'
import { addForm } from '../forms.ts'
import { runDueJobs } from '../jobs.ts'
import { addEventType, addUser, bookingOf } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { cutOffOn } from './cut-off.ts'
import { visitAsHost } from './host.ts'
import { addJapaneseFont } from './japanese-font.ts'
import { pressUntil } from './press-until.ts'
import { openStage, overflowOf, type Stage, untilFocused } from './stage.ts'

const DESKTOP = { viewport: { width: 1280, height: 900 } }
const PHONE = { width: 360, height: 740 }
const WEDNESDAY_TEN = Date.UTC(2027, 2, 24, 10)

describe('messages in the dashboard', () => {
  let stage: Stage
  let talk: EventType
  let form: RoutingForm

  before(async () => {
    const sender = { isIdempotent: true, send: async () => '', check: async () => {} }
    stage = await openStage({ sms: { sender, countries: ['+49'], dailyLimit: 1 } })
    const ada = await addUser(stage.db, 'ada')
    talk = await addEventType(stage.db, ada, {
      slug: 'talk',
      name: 'A talk',
      reminderMinutes: [60],
      questions: [{ key: 'company', label: 'Company', type: 'text', required: false, options: [] }],
    })
    await addEventType(stage.db, ada, { slug: 'lunch', name: 'Lunch' })
    form = await addForm(stage.db, ada)
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
  const save = (page: Page) => button(page, 'Save changes').click()
  /** Until the preview says this. */
  const reads = (page: Page, text: string) =>
    page
      .frameLocator('iframe[title="The email as it reads"]')
      .locator('p')
      .filter({ hasText: text })
      .first()
      .waitFor()
  const open = async (page: Page) => {
    await page.getByRole('tab', { name: 'Messages' }).click()
    await page.getByRole('heading', { name: /^When it is booked/ }).waitFor()
  }
  const add = async (page: Page, sample: string) => {
    await button(page, 'Add message').click()
    await page.getByLabel('Begin with').selectOption(sample)
    await button(page, 'Write the message').click()
  }

  it('are written in place, as guests will read them', async () => {
    await stage.post(
      '/api/public/scheduling/ada/talk/book',
      bookingOf(talk, WEDNESDAY_TEN, { inviteeName: 'Grace Hopper' }),
    )
    const page = await visitAsHost(stage, 'ada@hosts.example', `/app/event-types/${talk.id}`, DESKTOP)
    await open(page)
    await page.getByText('Confirmed: A talk with Name of ada', { exact: false }).waitFor()
    await page.getByRole('heading', { name: /^An hour before the start/ }).waitFor()
    await assertAccessible(page, 'the timeline', '#messages-panel')

    // An error is shown where it is, and nothing is sent to the server.
    await button(page, /^Use your own words: Confirmed/).click()
    const subject = page.getByLabel('Subject', { exact: true })
    const body = page.getByLabel('Text', { exact: true })
    assert.equal(await body.inputValue(), 'Hello {{guest.firstName}},\n\n')
    await subject.fill('See you, {{guest.firstName}}')
    await body.fill('Hello {{guest.firstName}},\n\nfor {{guest.nmae}}')
    await page.getByText('There is no value called "guest.nmae". (line 3, column 5)').waitFor()
    await save(page)
    assert.equal(await selection(page), '{{guest.nmae}}')
    assert.equal(await stage.db.selectFrom('messages').selectAll().executeTakeFirst(), undefined)

    // What was typed survives.
    await page.reload()
    await open(page)
    await page.getByText('(line 3, column 5)').waitFor()

    // A value from the menu, and something to say where it is empty.
    await body.fill('Hello {{guest.firstName}},\n\nI’m looking forward to ')
    await body.press('End')
    await button(page, 'Insert a value (Text)').click()
    await page.getByRole('menuitem', { name: 'Answer to “Company”' }).click()
    await page.getByText('“answers.company” may be empty (line 3, column 24).').waitFor()
    await assertAccessible(page, 'the editor of a message', '#messages-panel')
    await button(page, 'Say something else then').click()
    assert.equal(await selection(page), '…')
    await page.keyboard.type('your company')
    assert.match(
      await body.inputValue(),
      /\{\{#if answers\.company\}\}\{\{answers\.company\}\}\{\{else\}\}your company\{\{\/if\}\}$/,
    )
    await reads(page, 'Hello Maria,')
    await page.getByLabel('With', { exact: true }).selectOption({ index: 1 })
    await reads(page, 'I’m looking forward to your company')
    await button(page, 'Desktop').last().click()

    // In Japanese, with words of its own.
    await addJapaneseFont(page)
    await page.getByLabel('Add a language').selectOption('日本語')
    await reads(page, 'Grace様')
    await body.fill('{{guest.firstName}}様、ようこそ')
    await reads(page, 'Grace様、ようこそ')
    await save(page)
    const own = card(page, 'When it is booked')
    await own.getByText('Standard email in your words').waitFor()
    await untilFocused(page, 'Standard email in your words')

    // The test comes to the host; the next guest gets the words with the invitation.
    await button(page, 'Send me a test of When it is booked').click()
    await page.getByText('We’ve emailed you the test.').first().waitFor()
    assert.equal(stage.mailbox.at(-1)?.to, 'ada@hosts.example')
    assert.equal(stage.mailbox.at(-1)?.subject, 'See you, Maria')
    const inviteeEmail = 'next@guests.example'
    await stage.post(
      '/api/public/scheduling/ada/talk/book',
      bookingOf(talk, WEDNESDAY_TEN + 3_600_000, { inviteeName: 'Alan Next', inviteeEmail }),
    )
    await runDueJobs(stage.context)
    const arrived = stage.mailbox.find(({ to }) => to === inviteeEmail)
    assert.equal(arrived?.subject, 'See you, Alan')
    assert.match(arrived?.text ?? '', /I’m looking forward to your company/)
    assert.ok(arrived?.invitation, 'it still has the invitation')
  })

  it('are added, turned off, deleted and brought back, and say what a branch changes', async () => {
    const page = await visitAsHost(stage, 'ada@hosts.example', `/app/event-types/${talk.id}`, {
      viewport: PHONE,
    })
    await open(page)
    for (const sample of ['Thank-you', 'Missed meeting']) {
      await add(page, sample)
      await reads(page, 'Hello Maria,')
      assert.equal(await overflowOf(page), 0)
      await save(page)
      await card(page, sample).waitFor()
    }
    await page.getByRole('heading', { name: /^An hour after the end/ }).waitFor()
    // Nobody is missed where the meeting takes place.
    await page.getByRole('heading', { name: 'Other messages' }).waitFor()
    await page.getByLabel('If the meeting …').selectOption('is missed by the guest')
    await card(page, 'Missed meeting').getByText('Only in this case').waitFor()
    await card(page, 'Thank-you').getByText('Not sent in this case').waitFor()
    assert.deepEqual(await cutOffOn(page), [])
    await assertAccessible(page, 'a branch', '#messages-panel')

    await page.getByLabel('If the meeting …').selectOption('takes place')
    await button(page, 'Turn off Thank-you').click()
    await card(page, 'Thank-you').getByText('Off', { exact: true }).waitFor()
    await button(page, 'Turn on Thank-you').click()
    await page.getByRole('heading', { name: /^An hour after the end/ }).waitFor()
    await button(page, 'Delete Thank-you').click()
    await page.getByRole('status').getByText('“Thank-you” deleted').waitFor()
    await card(page, 'Thank-you').waitFor({ state: 'detached' })
    await button(page, 'Undo: bring back Thank-you').click()
    await card(page, 'Thank-you').waitFor()

    // A second message for the same mail is refused, with the reason; nothing typed is lost.
    await add(page, 'Empty message')
    await page.getByLabel('When', { exact: true }).selectOption('When it is booked')
    await page.getByRole('switch', { name: 'Use these words in the standard email' }).click()
    await save(page)
    await page
      .getByText('“When it is booked” already replaces this mail.', { exact: false })
      .first()
      .waitFor()
    await pressUntil(button(page, 'Discard').last(), button(page, 'Add message'))
    await add(page, 'Still on?')
    await page.getByLabel('Sent by').selectOption('Text message')
    await page.getByLabel('Subject', { exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('Text', { exact: true }).fill('{{guest.firstName}}, see you at {{start | time}}')
    await page.getByText('Length: 1 SMS').waitFor()
    await assertAccessible(page, 'a text message', '#messages-panel')
    await save(page)
    await card(page, 'Still on?').getByText('Text message').waitFor()
  })

  it('are shown with a booking, and nudge those who answered a form', async () => {
    // Plans what was added since for bookings that there are.
    await runDueJobs(stage.context)
    const { id } = await stage.db
      .selectFrom('bookings')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const page = await visitAsHost(stage, 'ada@hosts.example', `/app/bookings/${id}`, DESKTOP)
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.getByText('Sent, 22 Mar 2027', { exact: false }).waitFor()
    await messages.getByText('Planned, 24 Mar 2027', { exact: false }).waitFor()
    await page.goto(`${stage.url}/app/forms/${form.id}`)
    const nudges = page.getByRole('region', { name: 'If no booking follows' })
    await nudges.getByText('Nothing is sent.').waitFor()
    await button(page, 'Add message').click()
    await button(page, 'Write the message').click()
    await reads(page, 'Thank you for your answers')
    await assertAccessible(page, 'the nudge of a form', '.editor-main')
    await nudges.getByRole('button', { name: 'Save changes' }).click()
    await card(page, 'No time picked yet').getByText('An hour after the answers, without a booking').waitFor()
  })
})

/** What is selected in the control that has the focus. */
function selection(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement
    const isText = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement
    return isText ? focused.value.slice(focused.selectionStart ?? 0, focused.selectionEnd ?? 0) : ''
  })
}
