import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { FORM_DEFAULTS } from '../../src/domain/forms/routing.ts'
import { saveFormCounts } from '../../src/services/forms/count-visitors.ts'
import { insertForm } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addUser } from '../kit.ts'
import { openStage, overflowOf, type Stage, untilFocused } from './stage.ts'

describe('the page of a routing form', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
    const ada = await addUser(stage.db, 'ada')
    const talk = await addEventType(stage.db, ada, {
      slug: 'talk',
      name: 'A talk',
      // Without the token of the form, it does not open.
      linkOnly: true,
      questions: [{ key: 'details', label: 'Details', type: 'textarea', required: true, options: [] }],
    })
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      abuse: { honeypot: true, captcha: 'altcha', blocklist: ['spam.example'] },
      id: newId(),
      schedulerId: ada.id,
      slug: 'contact',
      name: 'How can we help?',
      description: 'A question or two.',
      fields: [
        {
          id: 'reason',
          label: 'What is it about?',
          type: 'select',
          required: true,
          options: [
            { id: 'sales', label: 'Sales' },
            { id: 'support', label: 'Support' },
            { id: 'other', label: 'Something else' },
          ],
        },
        { id: 'name', label: 'Your name', type: 'text', required: false, options: [] },
        { id: 'work', label: 'Work address', type: 'email', required: false, options: [] },
        { id: 'details', label: 'Details', type: 'textarea', required: false, options: [] },
      ],
      rules: [
        {
          when: {
            all: [
              { field: 'reason', operator: 'equals', value: 'sales' },
              {
                any: [
                  { field: 'work', operator: 'endsWith', value: '.example' },
                  { field: 'details', operator: 'contains', value: 'urgent' },
                ],
              },
            ],
          },
          target: { action: 'routeToEvent', eventTypeId: talk.id },
        },
        {
          when: { field: 'reason', operator: 'equals', value: 'support' },
          target: { action: 'redirect', url: `${stage.url}/docs` },
        },
      ],
      fallback: { action: 'message', message: 'We will write to you.' },
    })
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  const go = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

  it('leads to the event that the answers mean, and takes them along unseen', async () => {
    const page = await stage.visit('/ada/forms/contact')
    await page.getByLabel('What is it about?').selectOption('Sales')
    await page.getByLabel('Your name').fill('Grace Guest')
    await page.getByLabel('Work address').fill('grace@spam.example')
    await page.getByLabel('Details').fill('Ships, and the sea.')
    await go(page)
    await page.getByRole('alert').getByText('These answers could not be accepted.').waitFor()
    await page.getByLabel('Work address').fill('grace@guests.example')
    await go(page)
    await page.waitForURL(/\/ada\/talk\?routing=[\w-]+$/)
    await page.locator('.slot').first().click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Guest')
    assert.equal(await page.getByLabel('Email').inputValue(), 'grace@guests.example')
    assert.equal(await page.getByLabel('Details').inputValue(), 'Ships, and the sea.')
    await page.getByRole('button', { name: 'Book this time' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    const [booking] = await stage.db.selectFrom('bookings').selectAll().execute()
    assert.equal(booking?.invitee_email, 'grace@guests.example')
    const [response] = await stage.db.selectFrom('routing_responses').selectAll().execute()
    assert.equal(response?.booking_id, booking?.id)
    assert.deepEqual(JSON.parse(booking?.custom_fields ?? ''), { details: 'Ships, and the sea.' })
  })

  it('redirects', async () => {
    const page = await stage.visit('/ada/forms/contact')
    await page.getByLabel('What is it about?').selectOption('Support')
    await go(page)
    await page.waitForURL('**/docs')
  })

  it('shows the message, with the focus on it', async () => {
    const page = await stage.visit('/ada/forms/contact', { viewport: { width: 360, height: 740 } })
    assert.equal(await overflowOf(page), 0)
    await page.getByLabel('What is it about?').selectOption('Sales')
    await go(page)
    await page.getByText('We will write to you.').waitFor()
    await untilFocused(page, 'Thank you')
    // Each solution works once, so the second attempt needs another.
    await page.getByRole('button', { name: 'Start over' }).click()
    await go(page)
    await untilFocused(page, 'Thank you')
  })

  it('shows an error next to its field, and moves the focus there', async () => {
    const page = await stage.visit('/ada/forms/contact')
    await page.getByLabel('Work address').fill('nowhere')
    await go(page)
    const reason = page.getByLabel('What is it about?')
    await page.getByText('Please fill in this field.').waitFor()
    await reason.and(page.locator(':focus')).waitFor()
    const described = await page.getByLabel('Work address').getAttribute('aria-describedby')
    assert.match(await page.locator(`[id="${described}"]`).innerText(), /valid email address/)

    // Whoever leaves now is counted at the furthest question; those before have answered.
    const told = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/left'))
    // Not by leaving: what a page sends after its end, its browser doesn't tell.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
    await told
    await saveFormCounts(stage.context)
    const counts = await stage.db
      .selectFrom('form_counts')
      .select(['step', 'field', 'count'])
      .orderBy('step')
      .execute()
    assert.deepEqual(counts, [
      { step: 'left', field: 'work', count: 1 },
      { step: 'opened', field: '', count: 4 },
    ])
  })

  it('can be filled by its address', async () => {
    const page = await stage.visit('/ada/forms/contact?reason=other&name=Grace')
    assert.equal(await page.getByLabel('What is it about?').inputValue(), 'other')
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Grace')
    await page.waitForURL(({ search }) => search === '')
  })

  it('asks for numbers and several choices, and sends them as what they are', async () => {
    const ada = await addUser(stage.db, 'several')
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: ada.id,
      slug: 'size',
      name: 'Size',
      fields: [
        { id: 'seats', label: 'Seats', type: 'number', required: true, options: [] },
        {
          id: 'topics',
          label: 'Topics',
          type: 'multiselect',
          required: true,
          options: [
            { id: 'price', label: 'Price' },
            { id: 'setup', label: 'Setup' },
          ],
        },
      ],
      rules: [
        {
          when: {
            all: [
              { field: 'seats', operator: 'greaterThan', value: 9.5 },
              { field: 'topics', operator: 'isOnlyOf', value: ['setup'] },
            ],
          },
          target: { action: 'message', message: 'Set up for ten.' },
        },
      ],
      fallback: { action: 'message', message: 'Thank you.' },
    })
    const page = await stage.visit('/several/forms/size?topics=Price&topics=setup')
    await page.getByLabel('Seats').fill('ten')
    const topics = page.getByRole('group', { name: 'Topics' })
    for (const topic of ['Price', 'Setup']) await topics.getByLabel(topic).uncheck()
    await go(page)
    await page.getByText('Please enter a number.').waitFor()
    await topics.getByText('Please fill in this field.').waitFor()
    await page.getByLabel('Seats').fill('10')
    await topics.getByLabel('Setup').check()
    await go(page)
    await page.getByText('Set up for ten.').waitFor()
  })
})
