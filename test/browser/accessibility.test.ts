import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { isChoice, QUESTION_TYPES } from '../../src/domain/event-types/questions.ts'
import { FORM_DEFAULTS } from '../../src/domain/forms/routing.ts'
import { insertForm } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addUser, bookingOf, plainEventType } from '../kit.ts'
import { assertAccessible as assertNothingFound } from './axe.ts'
import { openStage, type Stage } from './stage.ts'

/** Everything that can be seen of the pages, state by state. */
const STATES: readonly {
  readonly name: string
  readonly path: string
  readonly reach?: (page: Page) => Promise<unknown>
  /** What is different from a state that was looked at as a whole. */
  readonly part?: string
}[] = [
  { name: 'the root', path: '/' },
  { name: 'a profile', path: '/ada' },
  { name: 'a profile without anything to book', path: '/no-times' },
  { name: 'a page that is not there', path: '/ada/none' },
  { name: 'the times', path: '/ada/talk', reach: (page) => page.locator('.slot').first().waitFor() },
  {
    name: 'the search for a zone',
    part: '.zone',
    path: '/ada/talk',
    reach: async (page) => {
      await page.locator('.zone button').click()
      await page.getByRole('combobox').fill('tokyo')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'a month without a free day',
    part: '.times',
    path: '/ada/later?month=2027-03',
    reach: (page) => page.getByText('Next available day').waitFor(),
  },
  {
    name: 'times that could not be loaded',
    part: '.times',
    path: '/ada/talk',
    reach: async (page) => {
      await page.route('**/slots?**', (route) => route.fulfill({ status: 404, json: { error: 'Gone.' } }))
      // The next month has been fetched already.
      await page.getByRole('button', { name: 'Next month' }).first().click()
      await page.getByRole('button', { name: 'Next month' }).first().click()
      await page.getByText('couldn’t load').last().waitFor()
    },
  },
  { name: 'the form', path: '/ada/talk', reach: (page) => page.locator('.slot').first().click() },
  {
    name: 'the form with mistakes',
    part: '.details',
    path: '/ada/talk',
    reach: async (page) => {
      await page.locator('.slot').first().click()
      await page.locator('button[type=submit]').click()
      await page.getByText('Please fill in this field.').first().waitFor()
    },
  },
  {
    name: 'the form that was refused',
    part: '.details',
    path: '/ada/simple?name=Grace&email=grace@guests.example',
    reach: async (page) => {
      await page.route('**/book', (route) => route.fulfill({ status: 400, json: { error: 'No.' } }))
      await page.locator('.slot').first().click()
      await page.locator('button[type=submit]').click()
      await page.locator('.alert').waitFor()
    },
  },
  {
    name: 'the confirmation',
    part: '.details',
    path: '/ada/simple?name=Grace&email=@guests.example',
    reach: async (page) => {
      await page.locator('.slot').first().click()
      await page.getByLabel('Email').fill(`${newId()}@guests.example`)
      await page.locator('button[type=submit]').click()
      await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    },
  },
  { name: 'a routing form', path: '/ada/forms/contact' },
  {
    name: 'a routing form with mistakes',
    part: 'main',
    path: '/ada/forms/contact',
    reach: async (page) => {
      await page.locator('button[type=submit]').click()
      await page.locator('.error').first().waitFor()
    },
  },
  {
    name: 'the message of a routing form',
    part: 'main',
    path: '/ada/forms/contact?topic=tea',
    reach: async (page) => {
      await page.locator('button[type=submit]').click()
      await page.getByText('Thank you').waitFor()
    },
  },
  { name: 'a link that is dead', path: '/booking/x', reach: (page) => page.locator('h1:visible').waitFor() },
]

describe('every state of every page', () => {
  let stage: Stage
  /** One for all: what it has loaded once, it need not load again. */
  let page: Page

  before(async () => {
    stage = await openStage()
    const ada = await addUser(stage.db, 'ada')
    await addUser(stage.db, 'no-times')
    await addEventType(stage.db, ada, {
      slug: 'talk',
      description: 'About this and that.',
      seats: 4,
      requiresApproval: true,
      questions: QUESTION_TYPES.map((type) => ({
        key: type,
        label: `A ${type}`,
        type,
        required: true,
        options: isChoice(type) ? ['Tea', 'Coffee'] : [],
      })),
      abuse: { ...plainEventType().abuse, honeypot: true, captcha: 'altcha' },
    })
    await addEventType(stage.db, ada, { slug: 'simple' })
    await addEventType(stage.db, ada, {
      slug: 'later',
      window: { kind: 'fixed', from: '2027-06-07', to: '2027-06-30' },
    })
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      abuse: { honeypot: true, captcha: 'altcha', blocklist: ['spam.example'] },
      id: newId(),
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: 'A question.',
      fields: [
        { id: 'topic', label: 'Topic', type: 'text', required: true, options: [] },
        { id: 'mail', label: 'Mail', type: 'email', required: false, options: [] },
      ],
      rules: [],
      fallback: { action: 'message', message: 'We will write to you.' },
    })
    page = await stage.visit('/ada')
  })
  afterEach(() => stage.assertNoComplaints())
  after(() => stage?.close())

  const assertAccessible = (state: string, part?: string) => assertNothingFound(page, state, part)

  const ownBooking = async (slot: number) => {
    const body = bookingOf(plainEventType(), slot)
    const { location } = await stage.post('/api/public/scheduling/ada/simple/book', body)
    const { pathname, search } = new URL(location ?? '')
    return pathname.replace('/api/public/bookings/', '/booking/') + search
  }

  for (const { name, path, reach, part } of STATES) {
    it(`has nothing that axe would find: ${name}`, async () => {
      await page.unrouteAll()
      await page.goto(stage.url + path)
      await reach?.(page)
      await assertAccessible(name, part)
    })
  }

  it('has nothing that axe would find: a guest’s booking', async () => {
    await page.goto(stage.url + (await ownBooking(Date.UTC(2027, 2, 25, 10))))
    const cancel = page.getByRole('button', { name: 'Cancel booking' })
    await cancel.waitFor()
    await assertAccessible('the booking')
    await cancel.click()
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    await assertAccessible('the question whether to cancel', '.overlay')
    await dialog.getByRole('button', { name: 'Keep booking' }).click()
    await page.getByRole('button', { name: 'Reschedule' }).click()
    await page.locator('.slot').first().waitFor()
    await assertAccessible('the new time')
    await page.locator('.slot').first().click()
    await assertAccessible('the question whether to move', 'main')
    await page.getByRole('button', { name: 'Keep current time' }).click()
    await cancel.click()
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('Your booking has been cancelled.').first().waitFor()
    await assertAccessible('the cancelled booking', 'main')
  })

  it('would be found wanting, in light and in dark', async () => {
    const shown = await stage.visit('/')
    const add = (tag: string, colour: string) =>
      shown.evaluate(
        ([name, of]) => {
          const element = document.createElement(name)
          element.textContent = 'Added'
          Object.assign(element.style, { colorScheme: 'light dark', color: of, background: 'Canvas' })
          document.querySelector('main')?.replaceChildren(element)
        },
        [tag, colour] as const,
      )
    await add('textarea', 'CanvasText')
    await assert.rejects(assertNothingFound(shown, 'without a label'), /\blabel: <textarea/)
    await add('p', 'light-dark(#777, white)')
    await assert.rejects(assertNothingFound(shown, 'too pale in light'), /color-contrast: <p/)
    await add('p', 'light-dark(black, #555)')
    await assert.rejects(assertNothingFound(shown, 'too pale in dark'), /color-contrast: <p/)
  })

  it('animates nothing for visitors who prefer reduced motion', async () => {
    const calm = await stage.visit('about:blank', { reducedMotion: 'reduce' })
    await calm.addInitScript(() => {
      const moved: string[] = []
      Object.assign(window, { moved })
      for (const type of ['animationstart', 'transitionrun']) {
        document.addEventListener(type, ({ target }) =>
          moved.push(`${type} ${(target as Element).className}`),
        )
      }
    })
    await calm.goto(`${stage.url}/ada/talk`)
    await calm.locator('.slot').first().waitFor()
    await calm.emulateMedia({ colorScheme: 'dark' })
    // An animation that started is reported at the latest with the next frame.
    const moved = await calm.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) {
        await new Promise(requestAnimationFrame)
      }
      return (window as unknown as { moved: string[] }).moved
    })
    assert.deepEqual(moved, [])
  })

  it('has targets of at least 24 pixels', async () => {
    const phone = await stage.visit('/ada/talk', { viewport: { width: 360, height: 740 } })
    await phone.locator('.slot').first().waitFor()
    const small = await phone.evaluate(() =>
      [...document.querySelectorAll('a, button, [role=button]')]
        .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
        // What is shown to a screen reader alone is a pixel wide.
        .filter(({ box }) => box.width > 1 && (box.width < 24 || box.height < 24))
        .map(({ text }) => text),
    )
    assert.deepEqual(small, [])
  })
})
