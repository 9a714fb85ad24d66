import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FrameLocator, Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { FORM_DEFAULTS } from '../../src/domain/forms/routing.ts'
import { manageToken } from '../../src/services/bookings/guest/manage-link.ts'
import { hashSecret } from '../../src/services/secret.ts'
import { insertPrivateLink } from '../../src/store/bookings/private-links.ts'
import { insertForm } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addTeam, addUser, bookingOf } from '../kit.ts'
import { buildApp } from './app.ts'
import { barePageWith, eventsOf, messagesOf, openSite, pageWith, type Site } from './site.ts'
import { openStage, type Stage } from './stage.ts'

const GUEST = { name: 'Grace Guest', email: 'grace@guests.example', notes: 'A secret of mine.' }

/** Ids that came along when a team moved in. */
const OLD_FORM = '948ae412-d995-4865-885a-48302588de03'
const OLD_LINK = 'wXyZ1234567890AbCdEf12'
const OLD_UID = 'kGv1AbCdEfGhJkLmNpQr23'

interface Heard {
  readonly type: string
  readonly namespace: string
  readonly fullType: string
  readonly event?: string
  readonly data: Record<string, unknown>
}

/** What sites with analytics do: the events of each namespace, and the messages of all frames. */
const WATCH = `
  window.heard = []
  window.posted = []
  const note = ({ detail }) => heard.push(detail)
  addEventListener('message', ({ origin, data }) => data?.originator === 'CAL' && posted.push({ origin, ...data }))
`

/** The package of a site that has React: its component, and its way to the instructions. */
const APP = `
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import Cal, { getCalApi } from '@calcom/embed-react'

const element = document.getElementById('app')!
const embedJsUrl = element.dataset.service + '/embed/embed.js'
${WATCH}
function Booking() {
  useEffect(() => {
    void (async () => {
      const cal = await getCalApi({ embedJsUrl, namespace: 'talk' })
      cal('ui', { theme: 'dark', hideEventTypeDetails: true, layout: 'month_view' })
      cal('on', { action: '*', callback: note })
    })()
  }, [])
  const config = { name: 'React Guest', theme: 'light' } as const
  return <Cal namespace="talk" calLink="ada/talk" calOrigin="https://cal.com" embedJsUrl={embedJsUrl} config={config} style={{ width: '100%' }} />
}
createRoot(element).render(<StrictMode><Booking /></StrictMode>)
`

describe('a site that was made for Cal.com', () => {
  let stage: Stage
  let site: Site
  let talk: EventType
  let number: number
  let pitch: EventType

  before(async () => {
    stage = await openStage()
    // The snippet adds a script, for which trusted types would need a policy.
    site = await openSite(stage.url, { trustedTypes: false })
    site.add('/snippet.js', readFileSync(fileURLToPath(import.meta.resolve('@calcom/embed-snippet')), 'utf8'))
    const ada = await addUser(stage.db, 'ada')
    talk = await addEventType(stage.db, ada, { slug: 'talk', name: 'A talk' })
    await addEventType(stage.db, ada, { slug: 'request', name: 'On request', requiresApproval: true })
    const formId = newId()
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      id: formId,
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'mail', label: 'Your address', type: 'email', required: true, options: [] }],
      rules: [],
      fallback: { action: 'routeToEvent', eventTypeId: talk.id },
    })
    number = await stage.context.numbers.of('event-type', talk.id)
    const sales = await addTeam(stage.db, 'sales-2')
    pitch = await addEventType(stage.db, sales, { slug: 'pitch', name: 'A pitch' }, [
      { hostId: ada.id, fixed: false },
    ])
    await stage.db
      .insertInto('old_links')
      .values([
        { path: '/team/sales', kind: 'team', object_id: sales.id },
        { path: `/forms/${OLD_FORM}`, kind: 'form', object_id: formId },
      ])
      .execute()
  })
  const loading = (script: string) => `<script src="${script}"></script>`
  afterEach(() => stage.endTest())
  after(async () => {
    await site?.close()
    await stage?.close()
  })

  const heardOn = (page: Page) => page.evaluate<Heard[]>('heard')
  const untilHeard = (page: Page, type: string) =>
    page.waitForFunction(
      (wanted) => (window as never as { heard: Heard[] }).heard?.some((one) => one.type === wanted),
      type,
    )
  const dataOf = async (page: Page, type: string) =>
    (await heardOn(page)).filter((one) => one.type === type).map(({ data }) => data)
  const book = async (frame: FrameLocator, email = GUEST.email, slot = 3) => {
    // Late enough to be changed.
    await frame.locator('.slot').nth(slot).click()
    await frame.getByLabel('Name').fill(GUEST.name)
    await frame.getByLabel('Email').fill(email)
    await frame.locator('button[type=submit]').click()
  }
  const bookedBy = (email: string) =>
    stage.db.selectFrom('bookings').selectAll().where('invitee_email', '=', email).executeTakeFirstOrThrow()
  const atIso = (instant: number) => new Date(instant).toISOString().replace('.000', '')
  const assertNothingPersonal = async (page: Page) => {
    const text = JSON.stringify([
      await heardOn(page),
      await page.evaluate('posted'),
      await page.evaluate('messages'),
    ])
    for (const secret of [...Object.values(GUEST), 'Name of ada', 'ada@hosts.example', 'token']) {
      assert.ok(!text.includes(secret), secret)
    }
  }
  /** A page with the snippet as the package has it, and what a site adds to it. */
  const address = (path: string, own: string, markup = '') => {
    site.add(`${path}.js`, `${WATCH}snippet.default('${stage.url}/embed/embed.js');${own}`)
    return site.add(path, barePageWith(`${markup}${loading('/snippet.js')}${loading(`${path}.js`)}`))
  }

  it('books, moves and cancels in the page, and hears of it in its own words', async () => {
    const page = await stage.visit(
      `${address(
        '/inline',
        `Cal('init', { origin: 'https://app.cal.com' })
         Cal('inline', { elementOrSelector: '#first', calLink: 'ada/talk', config: { notes: ${JSON.stringify(GUEST.notes)}, layout: 'month_view', iframeAttrs: { id: 'mine' } } })
         Cal('ui', { theme: 'dark', cssVarsPerTheme: { light: { 'cal-brand': '#ff0000' }, dark: { 'cal-brand': '#1d4ed8' } }, hideEventTypeDetails: true })
         Cal('on', { action: '*', callback: note })
         Cal('init', 'second', { origin: 'https://cal.com' })
         Cal.ns.second('inline', { elementOrSelector: document.querySelector('#second'), calLink: '/ada/request' })
         Cal.ns.second('on', { action: 'bookingSuccessfulV2', callback: note })
         Cal('unheardOf')`,
        '<div id="first"></div><div id="second"></div>',
      )}?utm_source=letter`,
    )
    const bodies: { readonly utm?: unknown }[] = []
    page.on('request', (request) => request.url().endsWith('/book') && bodies.push(request.postDataJSON()))
    const first = page.locator('#first > cal-inline > iframe#mine.cal-embed')
    const frame = first.contentFrame()
    await untilHeard(page, 'bookerReady')
    const root = frame.locator('html')
    assert.equal(await root.getAttribute('data-theme'), 'dark')
    assert.equal(await root.getAttribute('data-hide'), 'details')
    assert.equal(
      await root.evaluate((html) => getComputedStyle(html).getPropertyValue('--accent')),
      'light-dark(#1d4ed8, #2d62ed)',
    )
    assert.equal(await first.getAttribute('name'), 'cal-embed=')
    assert.doesNotMatch((await first.getAttribute('src')) ?? '', /secret/)
    assert.equal(await page.locator('#first > cal-inline').getAttribute('loading'), 'done')
    await frame.locator('.slot').first().click()
    assert.equal(await frame.locator('textarea[name=notes]').inputValue(), GUEST.notes)
    await frame.getByRole('button', { name: 'Change time' }).click()

    await book(frame)
    await untilHeard(page, 'bookingSuccessfulV2')
    const { id: uid, starts_at: startsAt, ends_at: endsAt, source } = await bookedBy(GUEST.email)
    const booking = {
      uid,
      title: '',
      startTime: atIso(startsAt),
      endTime: atIso(endsAt),
      eventTypeId: number,
      status: 'ACCEPTED',
    }
    const organizer = { name: '', email: '', timeZone: '' }
    const eventType = { id: number, slug: 'talk' }
    const older = { booking, eventType, date: booking.startTime, duration: 30, organizer, confirmed: true }
    const newer = { ...booking, paymentRequired: false, isRecurring: false }
    const event = (type: string, data: unknown) => ({ type, namespace: '', fullType: `CAL::${type}`, data })
    assert.deepEqual(await heardOn(page), [
      event('linkReady', {}),
      event('bookerReady', { eventId: number, eventSlug: 'talk' }),
      event('bookingSuccessful', older),
      event('bookingSuccessfulV2', newer),
    ])
    assert.deepEqual(
      await page.evaluate(
        'posted.filter(({ type, namespace }) => type === "bookingSuccessful" && namespace === "")',
      ),
      [{ origin: stage.url, originator: 'CAL', ...event('bookingSuccessful', older) }],
    )
    assert.equal(source, 'EmbedWidget')
    assert.deepEqual(
      bodies.map(({ utm }) => utm),
      [{ source: 'letter' }],
    )

    await frame.getByRole('link', { name: 'Reschedule or cancel' }).click()
    await frame.getByRole('button', { name: 'Reschedule' }).click()
    await frame.locator('.slot').last().click()
    await frame.getByRole('button', { name: 'Confirm new time' }).click()
    await frame.getByText('Your booking has been rescheduled.').first().waitFor()
    // The colour of the site, not that of the host.
    assert.match(await root.evaluate((html) => getComputedStyle(html).getPropertyValue('--accent')), /1d4ed8/)
    await frame.getByRole('button', { name: 'Cancel booking' }).click()
    await frame.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
    await untilHeard(page, 'bookingCancelled')
    const moved = await bookedBy(GUEST.email)
    const after = { ...booking, startTime: atIso(moved.starts_at), endTime: atIso(moved.ends_at) }
    assert.notEqual(after.startTime, booking.startTime)
    assert.deepEqual((await heardOn(page)).slice(4), [
      event('linkReady', {}),
      event('rescheduleBookingSuccessful', { ...older, booking: after, date: after.startTime }),
      event('rescheduleBookingSuccessfulV2', { ...newer, ...after }),
      event('bookingCancelled', {
        booking: { ...after, status: 'CANCELLED', cancellationReason: '' },
        organizer,
        eventType,
      }),
    ])

    // The other one on this page, of another namespace, and only asked for.
    await book(page.locator('#second iframe').contentFrame(), 'second@guests.example')
    await page.waitForFunction(() =>
      (window as never as { heard: Heard[] }).heard.some((one) => one.namespace === 'second'),
    )
    const [asked] = (await heardOn(page)).filter((one) => one.namespace === 'second')
    assert.equal(asked?.fullType, 'CAL:second:bookingSuccessfulV2')
    assert.equal(asked?.data.status, 'PENDING')
    await assertNothingPersonal(page)
    // It names the instruction that it does not know, and goes on.
    assert.throws(() => stage.assertNoComplaints(), /unheardOf/)
  })

  it('opens dialogs, and says when a link leads nowhere', async () => {
    const page = await stage.visit(
      address(
        '/modal',
        `Cal('init', 'box', { origin: 'https://cal.com' })
         Cal.ns.box('floatingButton', { calLink: 'ada', buttonText: 'Meet Ada', attributes: { id: 'corner' }, buttonPosition: 'bottom-left', buttonColor: '#123456' })
         Cal.ns.box('preload', { calLink: 'ada/talk' })
         Cal.ns.box('on', { action: '*', callback: note })
         Cal('on', { action: '*', callback: note })`,
        `<button id="open" data-cal-link="ada/forms/contact?mail=old%40guests.example" data-cal-namespace="box" data-cal-config='{"mail":"grace@guests.example"}'><span>Open it</span></button>
         <a id="gone" href="#gone" data-cal-link="ada/nothing">Gone</a>`,
      ),
    )
    await page.waitForLoadState('networkidle')
    assert.equal(await page.locator('iframe').count(), 0)
    assert.equal(await page.locator('link[rel=preconnect]').getAttribute('href'), stage.url)

    await page.getByText('Open it').click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const frame = page.locator('cal-modal-box > iframe').contentFrame()
    // The page shows its fields before it knows what to fill in.
    await untilHeard(page, 'linkReady')
    assert.equal(await frame.getByLabel('Your address').inputValue(), GUEST.email)
    await frame.locator('button[type=submit]').click()
    await untilHeard(page, 'bookerReady')
    assert.deepEqual(await dataOf(page, 'routed'), [
      { actionType: 'eventTypeRedirectUrl', actionValue: 'ada/talk' },
    ])
    assert.equal(await page.locator('cal-modal-box').getAttribute('state'), 'loaded')
    await frame.locator('.slot').first().focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await untilHeard(page, '__closeIframe')
    assert.equal(await page.locator('cal-modal-box').getAttribute('state'), 'closed')
    assert.equal(await page.evaluate('document.activeElement.id'), 'open')

    // The button, by keyboard; a second instruction changes the same one.
    await page.evaluate(
      `Cal.ns.box('floatingButton', { calLink: 'ada', buttonText: 'See Ada', attributes: { id: 'corner' } })`,
    )
    const corner = page.locator('#corner').getByRole('button', { name: 'See Ada' })
    assert.equal(await page.locator('cal-floating-button').count(), 1)
    await corner.focus()
    await page.keyboard.press('Enter')
    const profile = page.locator('cal-modal-box').nth(1).locator('iframe').contentFrame()
    await profile.getByRole('heading', { name: 'A talk' }).click()
    await profile.locator('.slot').first().waitFor()
    assert.deepEqual(await dataOf(page, 'eventTypeSelected'), [{ eventType: { id: number, slug: 'talk' } }])
    await page.evaluate(`Cal.ns.box('closeModal')`)
    await dialog.nth(1).waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate('document.activeElement.id'), 'corner')

    // A booking to be moved, by the uid that opens it; the uid of an event does not.
    const startsAt = Date.UTC(2027, 2, 24, 10)
    await stage.post('/api/public/scheduling/ada/talk/book', bookingOf(talk, startsAt))
    const { id } = await stage.db
      .selectFrom('bookings')
      .select('id')
      .where('starts_at', '=', startsAt)
      .executeTakeFirstOrThrow()
    const rescheduleUid = `${id}_${manageToken(stage.context, id)}`
    await page.evaluate(
      (uid) =>
        (window as never as { Cal: (...given: unknown[]) => void }).Cal('modal', {
          calLink: 'ada/talk',
          config: { rescheduleUid: uid },
        }),
      rescheduleUid,
    )
    await page
      .locator(`iframe[src*="/booking/${id}"]`)
      .contentFrame()
      .getByRole('heading', { name: /Choose a new time|new time/i })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')

    await page.locator('#gone').click()
    await untilHeard(page, 'linkFailed')
    const [failed] = await dataOf(page, 'linkFailed')
    const { code, msg, data } = failed as { code: string; msg: string; data: { url: string } }
    assert.deepEqual(
      [code, msg, data.url.split('?')[0]],
      ['404', 'Problem loading the link', `${stage.url}/ada/nothing`],
    )
    assert.equal(page.url(), `${site.url}/modal`)
    await assertNothingPersonal(page)
  })

  it('shows teams, forms, private links and bookings by the links that it had there', async () => {
    const startsAt = Date.UTC(2027, 2, 25, 10)
    await stage.post('/api/public/scheduling/ada/talk/book', bookingOf(talk, startsAt))
    const { id } = await stage.db
      .selectFrom('bookings')
      .select('id')
      .where('starts_at', '=', startsAt)
      .executeTakeFirstOrThrow()
    await stage.db
      .insertInto('import_uids')
      .values({ uid: OLD_UID, booking_id: id, meeting_id: id })
      .execute()
    const link = {
      id: newId(),
      eventTypeId: talk.id,
      uses: 1,
      used: 0,
      expiresAt: null,
      durationMinutes: null,
      hostIds: [],
      answers: {},
      note: '',
      createdAt: 0,
    }
    await stage.db.transaction().execute((trx) => insertPrivateLink(trx, link, hashSecret(OLD_LINK)))
    const places = {
      team: 'team/sales/pitch',
      form: `forms/${OLD_FORM}`,
      link: `d/${OLD_LINK}/talk`,
      moved: `reschedule/${OLD_UID}`,
    }
    const own = Object.entries(places).map(
      ([name, calLink]) => `Cal('init', '${name}', { origin: 'https://cal.com' })
         Cal.ns.${name}('inline', { elementOrSelector: '#${name}', calLink: '${calLink}', config: { mail: 'form@guests.example' } })
         Cal.ns.${name}('on', { action: '*', callback: note })`,
    )
    const page = await stage.visit(
      address(
        '/moved-in',
        own.join('\n'),
        Object.keys(places)
          .map((name) => `<div id="${name}"></div>`)
          .join(''),
      ),
    )
    const frameOf = (name: keyof typeof places) => page.locator(`#${name} iframe`).contentFrame()
    const heardIn = async (name: keyof typeof places, type: string) => {
      await page.waitForFunction(
        ([namespace, wanted]) =>
          (window as never as { heard: Heard[] }).heard.some(
            (one) => one.namespace === namespace && one.type === wanted,
          ),
        [name, type],
      )
      const heard = (await heardOn(page)).filter((one) => one.namespace === name)
      return heard.filter((one) => one.type === type).map(({ data }) => data)
    }

    await book(frameOf('team'), 'team@guests.example')
    const [byTeam] = await heardIn('team', 'bookingSuccessfulV2')
    assert.equal(byTeam?.uid, (await bookedBy('team@guests.example')).id)
    assert.equal(byTeam?.eventTypeId, await stage.context.numbers.of('event-type', pitch.id))

    const form = frameOf('form')
    await heardIn('form', 'linkReady')
    assert.equal(await form.getByLabel('Your address').inputValue(), 'form@guests.example')
    await form.locator('button[type=submit]').click()
    assert.deepEqual(await heardIn('form', 'routed'), [
      { actionType: 'eventTypeRedirectUrl', actionValue: 'ada/talk' },
    ])
    await form.locator('.slot').first().waitFor()

    // The team has the same host, whose slots this frame has listed before.
    await book(frameOf('link'), 'link@guests.example', 5)
    const [byLink] = await heardIn('link', 'bookingSuccessfulV2')
    assert.equal(byLink?.uid, (await bookedBy('link@guests.example')).id)
    const { used } = await stage.db
      .selectFrom('private_links')
      .select('used')
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow()
    assert.equal(used, 1)

    const moved = frameOf('moved')
    await moved.locator('.slot').last().click()
    await moved.getByRole('button', { name: 'Confirm new time' }).click()
    const [byUid] = await heardIn('moved', 'rescheduleBookingSuccessfulV2')
    assert.equal(byUid?.uid, id)
    assert.notEqual(byUid?.startTime, atIso(startsAt))
    await assertNothingPersonal(page)
  })

  it('keeps to the strictest policy, beside the widgets of two others', async () => {
    const strict = await openSite(stage.url)
    try {
      strict.add(
        '/own.js',
        `${WATCH}window.Cal = function () { Cal.q.push(arguments) }; Cal.q = []; Cal.ns = {}
         Cal('inline', { elementOrSelector: '#place', calLink: 'https://cal.com/ada/talk?duration=30', config: { theme: 'light' } })
         Cal('on', { action: '*', callback: note })`,
      )
      const snippet = `<div id="place"></div>${loading('/own.js')}${loading(`${stage.url}/embed/embed.js`)}
<div class="calendly-inline-widget" data-url="https://calendly.com/ada/talk"></div>${loading(`${stage.url}/assets/external/widget.js`)}
<div data-punctual="ada/talk"></div>${loading(`${stage.url}/embed.js`)}`
      const page = await stage.visit(strict.add('/strict', pageWith(snippet)))
      const [cal, calendly, own] = [0, 1, 2].map((index) => page.locator('iframe').nth(index).contentFrame())
      for (const frame of [cal, calendly, own]) await frame?.locator('.slot').first().waitFor()
      const root = cal?.locator('html')
      assert.equal(await root?.getAttribute('data-theme'), 'light')
      await page.evaluate(
        `Cal('ui', { theme: 'dark', styles: { branding: { brandColor: 'rgb(29, 78, 216)' } } })`,
      )
      const [, framed] = page.frames()
      await framed?.waitForFunction(() => {
        const { dataset, style } = document.documentElement
        return dataset.theme === 'dark' && style.getPropertyValue('--accent').includes('#1d4ed8')
      })
      // Each hears of its own frame alone.
      await calendly?.locator('.slot').first().click()
      await own?.locator('.slot').first().click()
      await page.waitForFunction(() =>
        (window as never as { told: Heard[] }).told?.some(({ event }) => event === 'slotSelected'),
      )
      assert.deepEqual(
        (await heardOn(page)).map(({ type }) => type),
        ['linkReady', 'bookerReady'],
      )
      assert.deepEqual(await eventsOf(page), ['ready', 'slotSelected'])
      const messages = await messagesOf(page)
      const selected = messages.filter(({ data }) => data.event === 'calendly.date_and_time_selected')
      assert.deepEqual(
        selected.map(({ origin }) => origin),
        [stage.url, 'https://calendly.com'],
      )
    } finally {
      await strict.close()
    }
  })

  it('works from its package for React, unchanged', async () => {
    site.add('/app.js', await buildApp(APP))
    const app = `<div id="app" data-service="${stage.url}"></div><script src="/app.js" defer></script>`
    const page = await stage.visit(site.add('/react', barePageWith(app)))
    const frame = page.locator('cal-inline iframe').contentFrame()
    await frame.locator('.slot').first().click()
    assert.equal(await frame.getByLabel('Name').inputValue(), 'React Guest')
    assert.equal(await page.locator('cal-inline').count(), 1, 'strict mode mounts twice, and leaves one')
    await page.frames()[1]?.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    await frame.getByLabel('Email').fill('react@guests.example')
    await frame.locator('button[type=submit]').click()
    await untilHeard(page, 'bookingSuccessful')
    const { id } = await bookedBy('react@guests.example')
    assert.deepEqual(
      (await dataOf(page, 'bookingSuccessfulV2')).map(({ uid, eventTypeId }) => ({ uid, eventTypeId })),
      [{ uid: id, eventTypeId: number }],
    )
    assert.equal(await page.locator('script[src$="/embed/embed.js"]').count(), 1)
  })
})
