import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FrameLocator, Page } from 'playwright-core'
import { inlineSnippet, popupSnippet } from '../../src/format/embed-snippets.ts'
import { assertFramesAccessible } from './axe.ts'
import { fillIn, openPayments, type Payments, payThere, picture, until } from './paying.ts'
import { barePageWith, eventsOf, openSite, pageWith, type Site, toldOf } from './site.ts'

/** What sites made for Cal.com and for Calendly listen to. */
const HEAR_CALCOM = `window.heard = []; Cal('on', { action: '*', callback: ({ detail }) => heard.push(detail) })`
const HEAR_CALENDLY = `window.heard = []
addEventListener('message', ({ origin, data }) => origin === 'https://calendly.com' && heard.push({ type: data.event, data: data.payload }))`

interface Heard {
  readonly type: string
  readonly data: Record<string, unknown>
}

describe('paying on another site', () => {
  let payments: Payments
  let site: Site

  before(async () => {
    payments = await openPayments()
    // Cal.com's snippet adds a script, for which trusted types would need a policy.
    site = await openSite(payments.stage.url, { trustedTypes: false })
    await payments.add('ada')
  })
  afterEach(() => payments.stage.endTest())
  after(async () => {
    await site?.close()
    await payments?.close()
  })

  const frameOf = (page: Page) => page.locator('iframe').first().contentFrame()
  /** Presses the button of the form, and returns the tab that opens. */
  const submit = async (page: Page, frame: FrameLocator) => {
    const opens = page.context().waitForEvent('page')
    await frame.getByRole('button', { name: 'Pay €49.00' }).click()
    const tab = await opens
    await tab.waitForURL(`${payments.stripe.url}/**`)
    return tab
  }
  const heardOn = (page: Page) => page.evaluate<Heard[]>('heard')
  const typesOn = async (page: Page) => (await heardOn(page)).map(({ type }) => type)
  /** Pays in that tab, is welcomed there, and in the frame. */
  const finish = async (tab: Page, frame: FrameLocator, email: string) => {
    await payThere(tab)
    await tab.waitForURL(`${payments.stage.url}/booking/**`)
    await tab.getByText('Already paid?').waitFor()
    await payments.arrive(email)
    await tab.getByText('You’re booked').first().waitFor()
    await tab.getByText('€49.00 paid').waitFor()
    await frame.getByRole('heading', { name: 'You’re booked' }).waitFor()
    await frame.getByText('€49.00 paid').waitFor()
  }

  it('opens the payment beside the site, which hears of the booking once it is paid', async () => {
    const { stage, stripe, bookedBy } = payments
    const page = await stage.visit(site.add('/inline', pageWith(inlineSnippet(stage.url, 'ada/talk'))), {
      viewport: { width: 360, height: 740 },
    })
    const frame = frameOf(page)
    await fillIn(frame, 'inline@guests.example')
    const tab = await submit(page, frame)
    assert.equal(await tab.evaluate('window.opener'), null)
    await frame.getByText('We’re keeping this time for you until 13:35').waitFor()
    const link = frame.getByRole('link', { name: 'Pay €49.00' })
    assert.ok((await link.getAttribute('href'))?.startsWith(stripe.url))
    await assertFramesAccessible(page)
    await picture(page, 'embed-waiting')
    assert.deepEqual(await eventsOf(page), ['ready', 'slotSelected', 'submitting'])

    // They close it by mistake, and open it again.
    await tab.close()
    const opens = page.context().waitForEvent('page')
    await link.click()
    const second = await opens
    await second.waitForURL(`${stripe.url}/**`)
    await finish(second, frame, 'inline@guests.example')
    await picture(page, 'embed-paid')
    await picture(second, 'embed-tab')
    assert.deepEqual(await eventsOf(page), ['ready', 'slotSelected', 'submitting', 'booked'])
    const { id } = await bookedBy('inline@guests.example')
    const told = (await toldOf(page)).find(({ event }) => event === 'booked')
    assert.equal(told?.bookingId, id)
  })

  it('is allowed nothing more than a page that is free', async () => {
    const { stage, add } = payments
    await add('free', { price: null })
    const policyOf = async (path: string) => {
      const answer = await fetch(`${stage.url}${path}`)
      await answer.body?.cancel()
      return answer.headers.get('content-security-policy')?.replaceAll(/'(?:sha256|nonce)-[^']+'/g, '')
    }
    assert.ok(await policyOf('/ada/talk?embed=1'))
    assert.equal(await policyOf('/ada/talk?embed=1'), await policyOf('/free/talk?embed=1'))
  })

  it('keeps the time while a dialog is closed and opened again, and while the site is loaded again', async () => {
    const { stage } = payments
    const page = await stage.visit(site.add('/popup', pageWith(popupSnippet(stage.url, 'ada/talk'))))
    const opener = page.getByRole('button', { name: 'Book a time' })
    await opener.click()
    const frame = page.getByRole('dialog').locator('iframe').contentFrame()
    await fillIn(frame, 'popup@guests.example', '15:00')
    const tab = await submit(page, frame)
    await page.bringToFront()
    await page.getByRole('button', { name: 'Close' }).click()
    await opener.click()
    await frame.getByRole('link', { name: 'Pay €49.00' }).waitFor()
    await picture(page, 'embed-dialog')

    await page.reload()
    await opener.click()
    await frame.getByText('You haven’t paid for').waitFor()
    await payThere(tab)
    await tab.close()
    await payments.arrive('popup@guests.example')
    await frame.getByRole('link', { name: 'Go to your booking' }).waitFor()
    await frame.getByText('You’re booked').waitFor()
    await picture(page, 'embed-noticed')
    await until(async () => (await eventsOf(page)).includes('booked'))
  })

  it('tells a site made for Cal.com of the booking once it is paid', async () => {
    const { stage, bookedBy } = payments
    site.add('/snippet.js', readFileSync(fileURLToPath(import.meta.resolve('@calcom/embed-snippet')), 'utf8'))
    site.add(
      '/calcom.js',
      `snippet.default('${stage.url}/embed/embed.js'); Cal('init', { origin: 'https://cal.com' })
       Cal('inline', { elementOrSelector: '#place', calLink: 'ada/talk' }); ${HEAR_CALCOM}`,
    )
    const scripts = '<script src="/snippet.js"></script><script src="/calcom.js"></script>'
    const page = await stage.visit(site.add('/calcom', barePageWith(`<div id="place"></div>${scripts}`)))
    const frame = frameOf(page)
    await fillIn(frame, 'calcom@guests.example', '16:00')
    const tab = await submit(page, frame)
    await frame.getByText('Waiting for your payment').waitFor()
    assert.deepEqual(await typesOn(page), ['linkReady', 'bookerReady'])
    await finish(tab, frame, 'calcom@guests.example')
    await until(async () => (await heardOn(page)).length === 4)
    const [, , older, newer] = await heardOn(page)
    const { id: uid } = await bookedBy('calcom@guests.example')
    assert.equal(older?.type, 'bookingSuccessful')
    assert.equal(older.data.confirmed, true)
    assert.equal(newer?.type, 'bookingSuccessfulV2')
    const { status, paymentRequired } = newer.data
    assert.deepEqual([newer.data.uid, status, paymentRequired], [uid, 'ACCEPTED', false])
  })

  it('tells a site made for Calendly of the booking once it is paid', async () => {
    const { stage } = payments
    site.add('/calendly.js', HEAR_CALENDLY)
    const page = await stage.visit(
      site.add(
        '/calendly',
        barePageWith(`<div class="calendly-inline-widget" data-url="https://calendly.com/ada/talk"></div>
<script src="/calendly.js"></script><script src="${stage.url}/assets/external/widget.js"></script>`),
      ),
    )
    const frame = frameOf(page)
    await fillIn(frame, 'calendly@guests.example', '16:30')
    const tab = await submit(page, frame)
    await frame.getByText('Waiting for your payment').waitFor()
    const isScheduled = async () => (await typesOn(page)).includes('calendly.event_scheduled')
    assert.equal(await isScheduled(), false)
    await finish(tab, frame, 'calendly@guests.example')
    await until(isScheduled)
  })

  it('takes the place of the site where a frame may open no tab, and names its address where it may nothing', async () => {
    const { stage, stripe } = payments
    const framed = (allowed: string) =>
      barePageWith(
        `<iframe src="${stage.url}/ada/talk?embed=1" title="Ours" width="900" height="1200" sandbox="allow-scripts allow-same-origin allow-forms ${allowed}"></iframe>`,
      )
    const page = await stage.visit(site.add('/sandbox', framed('allow-top-navigation-by-user-activation')))
    const frame = frameOf(page)
    await fillIn(frame, 'sandbox@guests.example', '15:30')
    await frame.getByRole('button', { name: 'Pay €49.00' }).click()
    await frame.getByRole('link', { name: 'Pay €49.00' }).click()
    await page.waitForURL(`${stripe.url}/**`)
    await payThere(page)
    await page.waitForURL(`${stage.url}/booking/**`)
    await payments.arrive('sandbox@guests.example')
    await page.getByText('You’re booked').first().waitFor()

    const other = await stage.visit(site.add('/closed', framed('')))
    const closed = frameOf(other)
    await fillIn(closed, 'closed@guests.example', '14:30')
    await closed.getByRole('button', { name: 'Pay €49.00' }).click()
    await closed.getByRole('link', { name: 'Pay €49.00' }).click()
    const { id } = await payments.bookedBy('closed@guests.example')
    await closed.getByText(`${stage.url}/booking/${id}?token=`).waitFor()
    await picture(other, 'embed-closed')
    assert.throws(() => stage.assertNoComplaints(), /Blocked opening|permission to navigate/)
  })
})
