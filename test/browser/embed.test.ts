import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { FORM_DEFAULTS } from '../../src/domain/forms/routing.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import {
  floatingSnippet,
  inlineSnippet,
  popupSnippet,
  scriptSnippet,
} from '../../src/format/embed-snippets.ts'
import { insertForm } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addUser } from '../kit.ts'
import { assertFramesAccessible } from './axe.ts'
import { eventsOf, messagesOf, openSite, pageWith, type Site, toldOf } from './site.ts'
import { openStage, type Stage } from './stage.ts'

/** Everything that may come along with an event. */
const IDS = /^(?:eventTypeId|eventTypeSlug|bookingId|formId|status|height)$/
const GUEST = { name: 'Grace Guest', email: 'grace@guests.example', notes: 'A secret of mine.' }

describe('the widget on another site', () => {
  let stage: Stage
  let site: Site
  let ada: Scheduler
  let talk: EventType
  let formId: string

  before(async () => {
    stage = await openStage()
    site = await openSite(stage.url)
    ada = await addUser(stage.db, 'ada')
    talk = await addEventType(stage.db, ada, { slug: 'talk', name: 'A talk' })
    await addEventType(stage.db, ada, { slug: 'other', name: 'Another' })
    formId = newId()
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      abuse: { honeypot: true, captcha: 'altcha', blocklist: ['spam.example'] },
      id: formId,
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'mail', label: 'Your address', type: 'email', required: true, options: [] }],
      rules: [
        {
          when: { field: 'mail', operator: 'startsWith', value: 'away' },
          target: { action: 'redirect', url: site.add('/landed', pageWith('')) },
        },
      ],
      fallback: { action: 'routeToEvent', eventTypeId: talk.id },
    })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await site?.close()
    await stage?.close()
  })

  const frameOf = (page: Page, number = 0) => page.locator('iframe').nth(number).contentFrame()
  const pick = async (frame: FrameLocator, time = '') => {
    await frame.locator('.slot', { hasText: time }).first().click()
    await frame.getByRole('heading', { name: 'Your details' }).waitFor()
  }
  const fill = async (frame: FrameLocator, email = GUEST.email) => {
    await frame.getByLabel('Name').fill(GUEST.name)
    await frame.getByLabel('Email').fill(email)
    await frame.getByLabel('Additional notes').fill(GUEST.notes)
  }
  const book = async (frame: FrameLocator) => {
    await frame.locator('button[type=submit]').click()
    await frame.getByRole('heading', { name: 'You’re booked' }).waitFor()
  }
  const untilTold = (page: Page, event: string) =>
    page.waitForFunction(
      (name) => (window as never as { told: { event: string }[] }).told?.some((one) => one.event === name),
      event,
    )
  const bookedBy = (email: string) =>
    stage.db.selectFrom('bookings').selectAll().where('invitee_email', '=', email).executeTakeFirstOrThrow()
  /** Every message that crossed to the site: from the service, of ids, and of nothing of the guest. */
  const assertNothingPersonal = async (page: Page) => {
    const messages = await messagesOf(page)
    assert.ok(messages.length > 3)
    for (const { origin, data } of messages) {
      assert.equal(origin, stage.url)
      assert.deepEqual(Object.keys(data).sort(), ['data', 'event', 'punctual'])
      for (const [key, value] of Object.entries(data.data)) {
        assert.match(key, IDS)
        assert.match(String(value), key === 'eventTypeSlug' ? /^[a-z-]+$/ : /^(?:[0-9a-f-]{36}|\d+)$/)
      }
    }
    const text = JSON.stringify(messages)
    for (const secret of [...Object.values(GUEST), 'Ada Guest', 'ada@example.org']) {
      assert.ok(!text.includes(secret), secret)
    }
  }
  /** What the page asks of the service. */
  const watchRequests = (page: Page) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    return requests
  }

  it('begins at once where it is out of sight, and nothing of it is painted', async () => {
    const far = '<br>'.repeat(2000)
    const address = site.add('/far', pageWith(far + inlineSnippet(stage.url, 'ada/talk')))
    const page = await stage.visit('/assets/punctual-mark-2.svg')
    // Nothing that takes seconds ever comes to pass.
    const soonOnly = `const wait = setTimeout; setTimeout = (what, ms = 0) => ms < 1000 ? wait(what, ms) : 0`
    await page.addInitScript({ content: soonOnly })
    await page.goto(address)
    await untilTold(page, 'ready')
  })

  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 360, height: 740 },
  ]) {
    it(`books in the page, ${viewport.width} pixels wide, and moves nothing on it`, async () => {
      const address = site.add('/inline', pageWith(inlineSnippet(stage.url, 'ada/talk')))
      const page = await stage.visit(`${address}?utm_source=letter`, { viewport })
      const bodies: { readonly utm?: unknown }[] = []
      page.on('request', (request) => request.url().endsWith('/book') && bodies.push(request.postDataJSON()))
      const frame = frameOf(page)
      await frame.locator('.slot').first().waitFor()
      await untilTold(page, 'ready')
      await untilTold(page, 'height')
      assert.equal(await page.evaluate('shift'), 0)
      const exact = await frame
        .locator('#root')
        .evaluate((root) => Math.ceil(root.getBoundingClientRect().height))
      assert.equal((await page.locator('iframe').boundingBox())?.height, exact)
      assert.equal((await toldOf(page)).findLast(({ event }) => event === 'height')?.height, exact)

      const email = `inline${viewport.width}@guests.example`
      await pick(frame)
      await fill(frame, email)
      await book(frame)
      await untilTold(page, 'booked')
      assert.deepEqual(await eventsOf(page), ['ready', 'slotSelected', 'submitting', 'booked'])
      const booking = await bookedBy(email)
      const { bookingId, eventTypeId, link } =
        (await toldOf(page)).find(({ event }) => event === 'booked') ?? {}
      assert.deepEqual(
        { bookingId, eventTypeId, link },
        { bookingId: booking.id, eventTypeId: talk.id, link: 'ada/talk' },
      )
      assert.equal(booking.source, 'EmbedWidget')
      assert.deepEqual(
        bodies.map(({ utm }) => utm),
        [{ source: 'letter' }],
      )
      await assertNothingPersonal(page)
    })
  }

  it('is prefilled and styled by the site, with nothing of it in a URL', async () => {
    const address = site.add(
      '/script',
      pageWith(`<div id="booking"></div>
<script src="${stage.url}/embed.js" defer></script><script src="/own.js" defer></script>`),
    )
    site.add('/own.js', scriptSnippet('ada/talk'))
    const page = await stage.visit('/docs')
    const requests = watchRequests(page)
    await page.goto(address)
    const frame = frameOf(page)
    await frame.locator('.slot').first().click()
    assert.equal(await frame.locator('input[name=name]').inputValue(), 'Ada Guest')
    assert.equal(await frame.locator('input[name=email]').inputValue(), 'ada@example.org')
    assert.equal(await frame.locator('textarea[name=notes]').inputValue(), 'About the engine.')
    const root = frame.locator('html')
    assert.equal(await root.getAttribute('lang'), 'de')
    assert.equal(await root.getAttribute('data-theme'), 'light')
    assert.equal(await root.evaluate((html) => getComputedStyle(html).backgroundColor), 'rgba(0, 0, 0, 0)')
    // Said to a screen reader, and not shown.
    const about = await frame.locator('.about').boundingBox()
    assert.deepEqual([about?.width, about?.height], [1, 1])
    await frame.getByRole('heading', { name: 'A talk' }).waitFor()
    await frame.locator('button[type=submit]').click()
    await page.waitForFunction(() => document.title.startsWith('Booked: '))
    assert.equal(await page.title(), `Booked: ${(await bookedBy('ada@example.org')).id}`)
    await assertNothingPersonal(page)
    assert.ok(requests.length > 5)
    for (const url of requests) assert.doesNotMatch(url, /Ada|ada(?:@|%40)|engine/)
  })

  it('opens in a dialog by keyboard, keeps the focus, and gives it back', async () => {
    const page = await stage.visit('/docs')
    const requests = watchRequests(page)
    await page.goto(site.add('/popup', pageWith(popupSnippet(stage.url, 'ada/talk'))))
    await page.waitForLoadState('networkidle')
    assert.deepEqual(
      requests.filter((url) => url.startsWith(stage.url)),
      [`${stage.url}/embed.js`],
    )

    const opener = page.getByRole('button', { name: 'Book a time' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Book a time' })
    await dialog.waitFor()
    assert.equal(await dialog.getAttribute('aria-modal'), 'true')
    const frame = dialog.locator('iframe').contentFrame()
    await frame.locator('.slot').first().waitFor()
    await untilTold(page, 'ready')
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overflow), 'hidden')
    await assertFramesAccessible(page)

    // Round and round, in both directions: into the frame and out of it, and never to the site.
    const places = new Set<string>()
    const tab = async (key: string) => {
      await page.keyboard.press(key)
      const place = await page.evaluate(() => {
        const { activeElement: host } = document
        return host?.shadowRoot?.activeElement?.tagName ?? host?.id ?? ''
      })
      places.add(place)
      return place
    }
    for (let entered = 0; entered < 2; ) {
      await tab('Tab')
      if ((await tab('Tab')) === 'IFRAME') while ((await tab('Tab')) === 'IFRAME');
      entered++
    }
    for (let presses = 0; presses < 4; presses++) await tab('Shift+Tab')
    assert.deepEqual([...places].sort(), ['BUTTON', 'IFRAME'])

    // From inside the frame, which the site does not hear.
    await frame.locator('.slot').first().focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await opener.evaluate((element) => element === document.activeElement), true)
    // Its event comes after it has closed.
    await page.waitForFunction(() => document.documentElement.style.overflow === '')

    // Closed by mistake: it is as it was.
    await opener.click()
    await pick(frame)
    await fill(frame)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('Enter')
    assert.equal(await frame.getByLabel('Name').inputValue(), GUEST.name)
    // What ends something inside does not end the dialog; the button has the focus, so this one does.
    await frame.getByRole('button', { name: 'Change time' }).click()
    await frame.locator('.zone button').click()
    await frame.getByRole('combobox').press('Escape')
    await frame.locator('.zone button').waitFor()
    assert.equal(await dialog.isVisible(), true)
    await page.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('opens from a button in the corner, and starts over after a booking', async () => {
    const page = await stage.visit('/docs')
    const requests = watchRequests(page)
    await page.goto(site.add('/floating', pageWith(floatingSnippet(stage.url, 'ada/talk'))))
    const opener = page.getByRole('button', { name: 'Book a time' })
    await opener.waitFor()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(
      requests.filter((url) => url.startsWith(stage.url)),
      [`${stage.url}/embed.js`],
    )
    await assertFramesAccessible(page)
    await opener.click()
    const frame = page.getByRole('dialog').locator('iframe').contentFrame()
    await pick(frame)
    await fill(frame, 'floating@guests.example')
    await book(frame)
    await untilTold(page, 'booked')
    assert.equal((await bookedBy('floating@guests.example')).source, 'EmbedWidget')
    await assertNothingPersonal(page)
    await assertFramesAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await opener.click()
    await frame.locator('.slot').first().waitFor()
  })

  it('leads from a form to a booking, and lets it be moved and cancelled', async () => {
    const page = await stage.visit(site.add('/form', pageWith(inlineSnippet(stage.url, 'ada/forms/contact'))))
    const frame = frameOf(page)
    await frame.getByLabel('Your address').fill(GUEST.email)
    await frame.locator('button[type=submit]').click()
    await pick(frame)
    assert.equal(await frame.getByLabel('Email').inputValue(), GUEST.email)
    await frame.getByLabel('Name').fill(GUEST.name)
    await book(frame)
    await frame.getByRole('link', { name: 'Reschedule or cancel' }).click()
    await frame.getByRole('button', { name: 'Reschedule' }).click()
    await frame.locator('.slot').last().click()
    await frame.getByRole('button', { name: 'Confirm new time' }).click()
    await frame.getByText('Your booking has been rescheduled.').first().waitFor()
    await frame.getByRole('button', { name: 'Cancel booking' }).click()
    await frame.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
    await untilTold(page, 'cancelled')
    const told = (await toldOf(page)).filter(({ event }) => event !== 'height')
    const { id } = await bookedBy(GUEST.email)
    assert.deepEqual(
      told.map(({ link, ...rest }) => rest),
      [
        { event: 'ready', formId },
        { event: 'submitting', formId },
        { event: 'routed', formId, eventTypeSlug: 'talk' },
        { event: 'ready', eventTypeId: talk.id },
        { event: 'slotSelected', eventTypeId: talk.id },
        { event: 'submitting', eventTypeId: talk.id },
        { event: 'booked', eventTypeId: talk.id, bookingId: id },
        { event: 'ready', bookingId: id },
        { event: 'rescheduled', bookingId: id },
        { event: 'cancelled', bookingId: id },
      ],
    )
    await assertNothingPersonal(page)
  })

  it('redirects the whole window when a form says so', async () => {
    const page = await stage.visit(site.add('/form', pageWith(inlineSnippet(stage.url, 'ada/forms/contact'))))
    const frame = frameOf(page)
    await frame.getByLabel('Your address').fill('away@guests.example')
    await frame.locator('button[type=submit]').click()
    await page.waitForURL(`${site.url}/landed`)
    // It has no widget, and so nothing to listen to.
    assert.throws(() => stage.assertNoComplaints(), /Punctual is not defined/)
  })

  it('says that something was refused, and with which status', async () => {
    const page = await stage.visit(site.add('/inline', pageWith(inlineSnippet(stage.url, 'ada/talk'))))
    await page.route('**/book', (route) => route.fulfill({ status: 429, json: { error: 'Too often.' } }))
    const frame = frameOf(page)
    await pick(frame)
    await fill(frame)
    await frame.locator('button[type=submit]').click()
    await untilTold(page, 'failed')
    const failed = (await toldOf(page)).find(({ event }) => event === 'failed')
    assert.deepEqual(failed, { event: 'failed', link: 'ada/talk', eventTypeId: talk.id, status: 429 })
  })

  it('stands twice on a page, each for itself', async () => {
    const both = `${inlineSnippet(stage.url, 'ada/talk')}${inlineSnippet(stage.url, 'ada/other')}`
    const page = await stage.visit(site.add('/two', pageWith(both)), {
      viewport: { width: 1000, height: 800 },
    })
    const [first, second] = [frameOf(page, 0), frameOf(page, 1)]
    await pick(first)
    await pick(second)
    // A step back in one is no step back in the other.
    await first.getByRole('button', { name: 'Change time' }).click()
    await first.locator('.slot').first().waitFor()
    await fill(second, 'second@guests.example')
    await book(second)
    await untilTold(page, 'booked')
    const told = (await toldOf(page)).filter(({ event }) => event === 'slotSelected' || event === 'booked')
    assert.deepEqual(
      told.map(({ event, link }) => `${event} ${link}`),
      ['slotSelected ada/talk', 'slotSelected ada/other', 'booked ada/other'],
    )
    assert.equal((await first.locator('.slot').count()) > 0, true)
  })

  it('accepts messages only from its own frames, and only while they show the service', async () => {
    const stranger = await openSite(stage.url)
    const open = await openSite(stage.url, { others: stranger.url })
    try {
      const hostile = stranger.add('/hostile', '<!doctype html><title>Hostile</title>')
      const strangers = `<iframe src="${hostile}" title="Hostile"></iframe><iframe src="${stage.url}/ada/other?embed=1" title="By hand"></iframe>`
      const snippet = `${strangers}${inlineSnippet(stage.url, 'ada/talk')}`
      const page = await stage.visit(open.add('/forged', pageWith(snippet)))
      await untilTold(page, 'ready')
      const forge = { punctual: 1, event: 'booked', data: { bookingId: 'forged' } }
      const heard = () => page.evaluate<number>('messages.length')
      const from = async (frame: string, target: 'parent' | 'self') => {
        const before = await heard()
        const source = page.frames().find((one) => one.url().startsWith(frame))
        await source?.evaluate(
          ([to, message]) => (to === 'parent' ? window.parent : window).postMessage(message, '*'),
          [target, forge] as const,
        )
        await page.waitForFunction(
          (count) => (window as never as { messages: unknown[] }).messages.length > count,
          before,
        )
      }
      // A frame of someone else, and the site's own window.
      await from(hostile, 'parent')
      await from(open.url, 'self')
      // A page of the service, in a frame that is not the widget's.
      await from(`${stage.url}/ada/other`, 'parent')
      // Our own frame, once someone else is in it.
      const widget = page.frames().find((one) => one.url().startsWith(`${stage.url}/ada/talk`))
      assert.ok(widget)
      await page.evaluate((address) => {
        const [, , frame] = document.querySelectorAll('iframe')
        if (frame) frame.src = address
      }, `${hostile}?again`)
      await widget.waitForURL(/again/)
      await from(`${hostile}?again`, 'parent')
      assert.deepEqual(
        (await eventsOf(page)).filter((event) => event === 'booked'),
        [],
      )
      // Malformed messages from the right window do no harm either.
      await widget.goto(`${stage.url}/ada/talk?embed=1`)
      for (const data of [
        null,
        'booked',
        { punctual: 2, event: 'booked' },
        { punctual: 1, event: 'toString' },
      ]) {
        const before = await heard()
        await widget.evaluate((message) => window.parent.postMessage(message, '*'), data)
        await page.waitForFunction(
          (count) => (window as never as { messages: unknown[] }).messages.length > count,
          before,
        )
      }
      assert.deepEqual(
        (await eventsOf(page)).filter((event) => event !== 'ready'),
        [],
      )
    } finally {
      await open.close()
      await stranger.close()
    }
  })

  it('sends messages only to its parent window, and accepts none from others', async () => {
    const stranger = await openSite(stage.url)
    const open = await openSite(stage.url, { others: stranger.url })
    try {
      const hostile = stranger.add('/hostile', '<!doctype html><title>Hostile</title>')
      // No script of ours here: nothing answers the page.
      const snippet = `<iframe src="${stage.url}/ada/talk?embed=1" title="Ours"></iframe><iframe src="${hostile}" title="Hostile"></iframe>`
      const page = await stage.visit(
        open.add('/alone', pageWith(snippet).replace('<script src="/listen.js" defer></script>', '')),
      )
      const ours = page.frames().find((one) => one.url().startsWith(stage.url))
      const theirs = page.frames().find((one) => one.url() === hostile)
      assert.ok(ours && theirs)
      await ours.locator('.slot').first().waitFor()
      const setup = (name: string) => ({ punctual: 1, event: 'setup', prefill: { name }, utm: {} })
      const arrives = ours.evaluate(() =>
        new Promise((resolve) => addEventListener('message', resolve, { once: true })).then(() => {}),
      )
      await theirs.evaluate((message) => window.parent.frames[0]?.postMessage(message, '*'), setup('Mallory'))
      await arrives
      await page.evaluate((message) => window.frames[0]?.postMessage(message, '*'), {
        ...setup('Mallory'),
        punctual: 2,
      })
      // All that it has said until now is that it is here.
      assert.deepEqual(
        (await messagesOf(page)).map(({ data }) => data),
        [{ punctual: 1, event: 'hello', data: {} }],
      )
      await page.evaluate((message) => window.frames[0]?.postMessage(message, '*'), setup('Grace'))
      await page.waitForFunction(() => (window as never as { messages: unknown[] }).messages.length > 2)
      // The first who may has the say.
      await page.evaluate((message) => window.frames[0]?.postMessage(message, '*'), {
        ...setup(''),
        prefill: { email: 'mallory@guests.example' },
      })
      await ours.locator('.slot').first().click()
      assert.equal(await ours.getByLabel('Name').inputValue(), 'Grace')
      assert.equal(await ours.getByLabel('Email').inputValue(), '')
      assert.equal(await theirs.evaluate('typeof messages'), 'undefined')
    } finally {
      await open.close()
      await stranger.close()
    }
  })

  it('says that it loads until its page is there', async () => {
    const page = await stage.visit('/docs')
    const held = Promise.withResolvers<void>()
    await page.route('**/ada/talk?embed=1*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(site.add('/slow', pageWith(inlineSnippet(stage.url, 'ada/talk'))), {
      waitUntil: 'commit',
    })
    const note = page.getByRole('status').filter({ hasText: 'Loading…' })
    await note.waitFor()
    held.resolve()
    await frameOf(page).locator('.slot').first().waitFor()
    await note.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate<number>('shift'), 0)
  })

  it('says why a second service on the page is not shown', async () => {
    const copy = site.add('/embed.js', await (await fetch(`${stage.url}/embed.js`)).text())
    const page = await stage.visit('/docs')
    const warned = page.waitForEvent('console', (message) => message.text().includes('is ignored'))
    const snippet = `${inlineSnippet(stage.url, 'ada/talk')}<script src="${copy}" defer></script>`
    await page.goto(site.add('/services', pageWith(snippet)))
    assert.match((await warned).text(), new RegExp(`this page shows ${stage.url}, so ${site.url} is ignored`))
    await frameOf(page).locator('.slot').first().waitFor()
  })

  it('stands beside widgets with mistakes, each of which is named in the console', async () => {
    const address = site.add(
      '/mistakes',
      pageWith(`<div id="one" data-punctual="Not a link"></div>
<div id="two" data-punctual="ada/talk" data-punctual-prefill="{name: 'Ada'}" data-punctual-theme="pink"
  data-punctual-min-height="tall"></div>
<button type="button" data-punctual-popup="ada/talk?x">Ask</button>
<button type="button" data-punctual-popup="ada/talk">Book</button>
<script src="${stage.url}/embed.js" defer data-punctual-floating="//" data-punctual-position="top"></script>`),
    )
    const page = await stage.visit('/docs')
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await page.goto(address)
    await frameOf(page).locator('.slot').first().waitFor()
    assert.equal(await page.locator('#one iframe').count(), 0)
    assert.equal(await page.locator('iframe').count(), 1)
    await page.getByRole('button', { name: 'Book' }).click()
    await frameOf(page, 1).locator('.slot').first().waitFor()
    for (const part of [
      '"Not a link" is neither',
      'data-punctual-prefill must be a JSON object',
      'data-punctual-theme must be light, dark, auto',
      'data-punctual-min-height must be a number',
      '"ada/talk?x" is neither',
      '"//" is neither',
      'data-punctual-position must be left, right',
    ]) {
      assert.equal(warnings.filter((text) => text.includes(part)).length, 1, part)
    }
    assert.equal(warnings.length, 7)
  })

  it('has the theme of the site around it, and that of the visitor only if asked', async () => {
    site.add(
      '/dark.css',
      'body { background: #101014; color: #eee } .paper { background: oklch(0.97 0.01 90) }',
    )
    site.add('/text.css', ':root { color-scheme: dark }')
    const widgets = `<div data-punctual="ada/talk"></div><div class="paper"><div data-punctual="ada/talk"></div></div>
<div data-punctual="ada/talk" data-punctual-theme="auto"></div>
<button type="button" data-punctual-popup="ada/talk">Book</button>
<script src="${stage.url}/embed.js" defer></script>`
    const themesAt = async (path: string, colorScheme: 'light' | 'dark') => {
      const sheet = `<link rel="stylesheet" href="${path}.css">`
      const page = await stage.visit(site.add(path, pageWith(sheet + widgets)), { colorScheme })
      await page.getByRole('button', { name: 'Book' }).click()
      const themes: (string | null)[] = []
      for (const number of [0, 1, 2, 3]) {
        themes.push(await frameOf(page, number).locator('html').getAttribute('data-theme'))
      }
      return themes
    }
    assert.deepEqual(await themesAt('/dark', 'light'), ['dark', 'light', null, 'dark'])
    assert.deepEqual(await themesAt('/site', 'dark'), ['light', 'light', null, 'light'])
    assert.deepEqual(await themesAt('/text', 'light'), ['dark', 'dark', null, 'dark'])
  })

  it('is light in a frame of the site’s own, unless the host or the site chose a theme', async () => {
    const themeOf = async (query: string) =>
      (await stage.visit(`/ada/talk?${query}`, { colorScheme: 'dark' }))
        .locator('html')
        .getAttribute('data-theme')
    assert.equal(await themeOf('embed=1'), 'light')
    assert.equal(await themeOf('embed=1&theme=auto'), null)
    assert.equal(await themeOf(''), null)
  })

  it('is refused to sites that the host has not named', async () => {
    const named = await openSite(stage.url)
    try {
      await addEventType(stage.db, ada, { slug: 'closed', allowedOrigins: [named.url] })
      const snippet = pageWith(inlineSnippet(stage.url, 'ada/closed'))
      const page = await stage.visit(named.add('/named', snippet))
      await frameOf(page).locator('.slot').first().waitFor()
      await untilTold(page, 'ready')
      stage.assertNoComplaints()
      const foreign = await stage.visit(site.add('/foreign', snippet))
      await foreign.waitForLoadState('networkidle')
      assert.equal(await frameOf(foreign).locator('.slot').count(), 0)
      assert.deepEqual(await messagesOf(foreign), [])
      // Nothing of the page is there to say so: the script itself offers a way out.
      await untilTold(foreign, 'failed')
      const way = foreign.getByRole('link', { name: 'Open the booking page' })
      assert.equal(await way.getAttribute('href'), `${stage.url}/ada/closed`)
      assert.throws(() => stage.assertNoComplaints(), /frame-ancestors/)
    } finally {
      await named.close()
    }
  })
})
