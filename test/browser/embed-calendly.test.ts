import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { calendlyUris } from '../../src/domain/bookings/calendly-uris.ts'
import { addEventType, addUser } from '../kit.ts'
import { buildApp } from './app.ts'
import { assertFramesAccessible } from './axe.ts'
import { barePageWith, openSite, type Site } from './site.ts'
import { openStage, type Stage } from './stage.ts'

const GUEST = { name: 'Grace Guest', email: 'grace@guests.example', topic: 'A secret of mine.' }

interface Heard {
  readonly origin: string
  readonly event: string
  readonly payload: Record<string, unknown>
}

/** What sites with analytics do: every message with a name of Calendly's, and apart from these those with its origin. */
const WATCH = `
  window.heard = []
  addEventListener('message', ({ origin, data }) => {
    if (String(data.event).startsWith('calendly.')) heard.push({ origin, ...data })
  })
`

const APP = `
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { InlineWidget, PopupButton, PopupWidget, useCalendlyEventListener } from 'react-calendly'

const element = document.getElementById('app')!
const root = document.getElementById('root')!
const url = element.dataset.service + '/ada/talk'
const prefill = { firstName: 'Grace', lastName: 'Guest', email: '${GUEST.email}', customAnswers: { a1: 'Tea' } }
const calls = window.calls = [] as string[]
function App() {
  const [height, setHeight] = useState('')
  useCalendlyEventListener({
    onEventTypeViewed: () => calls.push('viewed'),
    onDateAndTimeSelected: () => calls.push('selected'),
    onEventScheduled: ({ data }) => calls.push(data.payload.invitee.uri),
    onPageHeightResize: ({ data }) => setHeight(data.payload.height),
  })
  return <>
    <InlineWidget url={url} prefill={prefill} pageSettings={{ primaryColor: '#1d4ed8', backgroundColor: '101820', hideEventTypeDetails: true }} utm={{ utmSource: 'react' }} />
    <output>{height}</output>
    <PopupButton url={url} rootElement={root} text="By button" />
    <PopupWidget url={element.dataset.service + '/ada'} rootElement={root} text="By badge" color="#123456" />
  </>
}
createRoot(element).render(<StrictMode><App /></StrictMode>)
`

describe('a site that was made for Calendly', () => {
  let stage: Stage
  let site: Site

  before(async () => {
    stage = await openStage()
    site = await openSite(stage.url, { styles: `'self' ${stage.url}` })
    const ada = await addUser(stage.db, 'ada')
    const question = { type: 'text' as const, required: false, options: [], hidden: false }
    await addEventType(stage.db, ada, {
      slug: 'talk',
      name: 'A talk',
      questions: [
        { ...question, key: 'topic', label: 'What about?' },
        { ...question, key: 'other', label: 'What else?' },
      ],
    })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await site?.close()
    await stage?.close()
  })

  const heardOn = (page: Page) => page.evaluate<Heard[]>('heard')
  /** What listeners hear that test for Calendly's origin, without heights, whose number varies. */
  const eventsOn = async (page: Page, origin = 'https://calendly.com') =>
    (await heardOn(page))
      .filter((one) => one.origin === origin && one.event !== 'calendly.page_height')
      .map(({ event, payload }) => ({ event: event.slice('calendly.'.length), payload }))
  const untilHeard = (page: Page, event: string, times = 1) =>
    page.waitForFunction(
      ([wanted, count]) =>
        (window as never as { heard: Heard[] }).heard?.filter(
          (one) => one.event === `calendly.${wanted}` && one.origin === 'https://calendly.com',
        ).length >= count,
      [event, times] as const,
    )
  /** Late enough to be changed. */
  const pick = (frame: FrameLocator) => frame.locator('.slot').nth(3).click()
  const bookedBy = (email: string) =>
    stage.db.selectFrom('bookings').selectAll().where('invitee_email', '=', email).executeTakeFirstOrThrow()
  const scheduled = async (email: string) => {
    const { id, starts_at: startsAt } = await bookedBy(email)
    const { event, invitee } = calendlyUris(stage.context.publicUrl, { id, startsAt })
    return { event: 'event_scheduled', payload: { event: { uri: event }, invitee: { uri: invitee } } }
  }
  const assertNothingPersonal = async (page: Page) => {
    const text = JSON.stringify(await page.evaluate('messages'))
    for (const secret of [...Object.values(GUEST), 'Name of ada', 'ada@hosts.example', 'token']) {
      assert.ok(!text.includes(secret), secret)
    }
  }
  const address = (path: string, own: string, markup: string) => {
    site.add(`${path}.js`, WATCH + own)
    const { url } = stage
    return site.add(
      path,
      barePageWith(
        `<link rel="stylesheet" href="${url}/assets/external/widget.css"><script src="${url}/assets/external/widget.js"></script>${markup}<script src="${path}.js"></script>`,
      ),
    )
  }

  it('books and moves in the page, and its listeners hear of it', async () => {
    const page = await stage.visit(
      `${address(
        '/inline',
        `Calendly.initInlineWidget({
           url: '${stage.url}/ada/talk',
           parentElement: document.getElementById('by-script'),
           prefill: { firstName: 'Grace', lastName: 'Guest', email: '${GUEST.email}', customAnswers: { a1: '${GUEST.topic}', a2: 'More' } },
           utm: { utmCampaign: 'spring' },
           resize: true,
         })`,
        `<div id="by-markup" class="calendly-inline-widget" data-url="https://calendly.com/ada?primary_color=1d4ed8&hide_landing_page_details=1"></div>
         <div class="calendly-inline-widget" data-auto-load="false" data-url="https://calendly.com/ada/talk"></div>
         <div id="by-script"></div>`,
      )}?utm_source=letter`,
    )
    const bodies: { readonly utm?: unknown; readonly customFields?: unknown }[] = []
    page.on('request', (request) => request.url().endsWith('/book') && bodies.push(request.postDataJSON()))
    const profile = page.locator('#by-markup iframe').contentFrame()
    assert.equal(await profile.locator('html').getAttribute('data-hide'), 'profile')
    assert.equal((await page.locator('#by-markup').boundingBox())?.height, 630)
    assert.equal((await page.locator('#by-markup iframe').boundingBox())?.height, 630)
    assert.equal(await page.locator('iframe').count(), 2)
    await untilHeard(page, 'event_type_viewed')
    await untilHeard(page, 'profile_page_viewed')

    const place = page.locator('#by-script')
    const inner = place.locator('iframe')
    assert.doesNotMatch((await inner.getAttribute('src')) ?? '', /grace|secret/i)
    const frame = inner.contentFrame()
    await pick(frame)
    assert.equal(await frame.getByLabel('Name').inputValue(), GUEST.name)
    assert.equal(await frame.getByLabel('What about?').inputValue(), GUEST.topic)
    assert.equal(await frame.getByLabel('What else?').inputValue(), 'More')
    await frame.locator('button[type=submit]').click()
    await untilHeard(page, 'event_scheduled')
    const first = await scheduled(GUEST.email)
    const events = (await eventsOn(page)).filter(({ event }) => event !== 'profile_page_viewed')
    assert.deepEqual(events, [
      { event: 'event_type_viewed', payload: {} },
      { event: 'date_and_time_selected', payload: {} },
      first,
    ])
    // Once, beside the real one.
    assert.deepEqual(await eventsOn(page, stage.url), await eventsOn(page))
    assert.deepEqual(
      bodies.map(({ utm, customFields }) => ({ utm, customFields })),
      [
        {
          utm: { source: 'letter', campaign: 'spring' },
          customFields: { topic: GUEST.topic, other: 'More' },
        },
      ],
    )
    assert.equal((await bookedBy(GUEST.email)).source, 'EmbedWidget')
    // It follows its page, whose height changes while things come and go.
    await page.waitForFunction(() => {
      const { heard } = window as never as { heard: Heard[] }
      const heights = heard
        .filter((one) => one.event === 'calendly.page_height')
        .map((one) => one.payload.height)
      const shown = document.getElementById('by-script')?.style.height ?? ''
      return /^\d+px$/.test(shown) && heights.includes(shown)
    })

    await frame.getByRole('link', { name: 'Reschedule or cancel' }).click()
    await frame.getByRole('button', { name: 'Reschedule' }).click()
    await frame.locator('.slot').last().click()
    await frame.getByRole('button', { name: 'Confirm new time' }).click()
    await untilHeard(page, 'event_scheduled', 2)
    const second = await scheduled(GUEST.email)
    assert.notDeepEqual(second, first)
    assert.deepEqual((await eventsOn(page)).at(-1), second)
    await frame.getByRole('button', { name: 'Cancel booking' }).click()
    await frame.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
    await frame.getByText('Your booking has been cancelled.').first().waitFor()
    await assertNothingPersonal(page)
  })

  it('opens in a dialog and from a badge, and is gone when it is closed', async () => {
    const page = await stage.visit(
      address(
        '/popup',
        `document.getElementById('open').onclick = (event) => {
           event.preventDefault()
           Calendly.initPopupWidget({ url: 'https://calendly.com/ada/talk', prefill: { name: 'Grace Guest', date: new Date(2027, 3, 5) } })
         }
         Calendly.initBadgeWidget({ url: 'https://calendly.com/ada', text: 'Schedule time', color: '#123456', textColor: '#ffffff', branding: false })`,
        '<a id="open" href="#open">Schedule</a>',
      ),
    )
    await page.waitForLoadState('networkidle')
    assert.equal(await page.locator('iframe').count(), 0)
    await page.locator('#open').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const frame = page.locator('.calendly-overlay iframe').contentFrame()
    await frame.getByText('April 2027').first().waitFor()
    await untilHeard(page, 'event_type_viewed')
    await assertFramesAccessible(page)
    // Tab stays in the dialog, though the frame is outside of its tree.
    const places = new Set<string>()
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      places.add(await page.evaluate(() => document.activeElement?.tagName ?? ''))
    }
    assert.deepEqual([...places].sort(), ['DIV', 'IFRAME'])
    await page.evaluate('Calendly.closePopupWidget()')
    await page.locator('.calendly-overlay').waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.id'), 'open')
    assert.equal(await page.evaluate(() => document.documentElement.style.overflow), '')

    const badge = page.locator('.calendly-badge-widget').getByRole('button', { name: 'Schedule time' })
    assert.equal(
      await badge.evaluate((one) => getComputedStyle(one.parentElement as Element).position),
      'fixed',
    )
    await badge.click()
    await frame.getByRole('heading', { name: 'A talk' }).click()
    await pick(frame)
    await page.keyboard.press('Escape')
    await page.locator('.calendly-overlay').waitFor({ state: 'detached' })
    // The second takes the place of the first.
    await page.evaluate(
      `Calendly.showPopupWidget('https://calendly.com/ada'); Calendly.showPopupWidget('https://calendly.com/ada/talk?name=Grace%20Guest')`,
    )
    assert.equal(await page.locator('.calendly-overlay').count(), 1)
    await pick(frame)
    assert.equal(await frame.getByLabel('Name').inputValue(), GUEST.name)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.calendly-overlay').waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.documentElement.style.overflow), '')
    await page.evaluate('Calendly.destroyBadgeWidget()')
    assert.equal(await page.locator('.calendly-badge-widget').count(), 0)
  })

  it('works from its package for React, unchanged', async () => {
    // The package adds a style sheet to the page.
    const open = await openSite(stage.url, { trustedTypes: false, styles: "'self' 'unsafe-inline'" })
    try {
      open.add('/app.js', await buildApp(APP))
      const app = `<div id="app" data-service="${stage.url}"></div><div id="root"></div><script src="/app.js" defer></script>`
      const page = await stage.visit(open.add('/react', barePageWith(app)))
      const frame = page.locator('.calendly-inline-widget iframe').contentFrame()
      await pick(frame)
      const root = frame.locator('html')
      assert.equal(await root.getAttribute('data-theme'), 'dark')
      assert.equal(await root.getAttribute('data-hide'), 'details')
      const [card, accent] = await root.evaluate((html) =>
        ['--card', '--accent'].map((name) => getComputedStyle(html).getPropertyValue(name)),
      )
      assert.equal(card, '#101820')
      assert.match(String(accent), /#1d4ed8/)
      assert.equal(await frame.getByLabel('Name').inputValue(), GUEST.name)
      assert.equal(await frame.getByLabel('What about?').inputValue(), 'Tea')
      // What was in the address of the frame is there no more.
      const framed = page.frames().find((one) => one.url().includes('/ada/talk'))
      assert.doesNotMatch(framed?.url() ?? '', /Grace|Tea/)
      await frame.getByLabel('Email').fill('react@guests.example')
      await frame.locator('button[type=submit]').click()
      await page.waitForFunction(() => (window as never as { calls: string[] }).calls.length === 3)
      const { payload } = await scheduled('react@guests.example')
      assert.deepEqual(await page.evaluate('calls'), ['viewed', 'selected', payload.invitee.uri])
      assert.match(await page.locator('output').innerText(), /^\d+px$/)

      await page.getByRole('button', { name: 'By button' }).click()
      const popup = page.locator('.calendly-overlay iframe').contentFrame()
      await popup.locator('.slot').first().waitFor()
      await page.getByRole('button', { name: 'Close modal' }).click()
      await page.getByText('By badge').click()
      await popup.getByRole('heading', { name: 'A talk' }).click()
      await popup.locator('.slot').first().waitFor()
      // The package's own picture, which this site's policy keeps out.
      assert.throws(() => stage.assertNoComplaints(), /close-icon\.svg/)
    } finally {
      await open.close()
    }
  })

  it('sends none of these messages unless it is asked to', async () => {
    const frame = `<iframe src="${stage.url}/ada/talk?embed=1" title="By hand"></iframe>`
    const page = await stage.visit('/docs')
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.goto(site.add('/silent', barePageWith(frame)))
    await page.locator('iframe').contentFrame().locator('.slot').first().waitFor()
    await page.waitForFunction(() => (window as never as { messages: unknown[] }).messages.length > 0)
    assert.ok(loaded.some((file) => file.includes('/assets/booking-')))
    assert.ok(!loaded.some((file) => /calendly|accent/.test(file)), 'and loads nothing for them')
    const said = await page.evaluate<{ data: { event: string } }[]>('messages')
    assert.deepEqual(
      said.map(({ data }) => data.event),
      ['hello'],
    )
  })
})
