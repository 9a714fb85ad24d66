import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Kinds } from '../../src/outside/kinds/kind.ts'
import type { Mail } from '../../src/outside/mail/mail.ts'
import type { PaymentProvider } from '../../src/outside/payments/provider.ts'
import type { PushSender } from '../../src/outside/push/push.ts'
import { KINDS } from '../../src/outside/registry.ts'
import { manageToken } from '../../src/services/bookings/guest/manage-link.ts'
import type { Context, Providers, SmsService } from '../../src/services/context.ts'
import type { Surroundings } from '../../src/services/surroundings.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { type OwnBooking, ownAddress } from '../../web/parts/meeting/own-booking.ts'
import { migratedDatabase, openPatiently } from '../databases.ts'
import { appOn, fromSomeoneNew, stoppedClock } from '../kit.ts'
import { borrowChromium } from './chromium.ts'
import { guestsOf } from './guests.ts'

/** A Monday, at noon UTC. America has changed its clocks a week ago; Europe does so next Sunday. */
export const BETWEEN_CHANGES = Date.UTC(2027, 2, 22, 12)

/** Milliseconds until something must be there: longer than the slowest machine needs. */
export const PATIENCE = 120_000

/** One server and one browser, for all tests of a file. */
export interface Stage {
  readonly db: Db
  readonly context: Context
  /** Mail that was sent, oldest first. */
  readonly mailbox: readonly Mail[]
  readonly url: string
  /** A guest with a browser of their own, whose clock shows what the server's shows. `arrive` comes before their page. */
  visit(path: string, options?: BrowserContextOptions, arrive?: (page: Page) => Promise<void>): Promise<Page>
  post(path: string, body: unknown): Promise<{ status: number; location: string | null }>
  /** A booking as its guest sees it over the API. */
  ownBooking(id: string): Promise<OwnBooking>
  /** Throws if any page complained: of a script, a style or an address that its policy refused. */
  assertNoComplaints(): void
  /** The same, and ends the visits of this test: their pages would go on asking, and slow down those that follow. */
  endTest(): Promise<void>
  close(): Promise<void>
}

interface StageOptions {
  readonly providers?: Providers
  readonly kinds?: Kinds
  readonly surroundings?: Surroundings
  readonly webPush?: PushSender
  readonly sms?: SmsService
  readonly payments?: PaymentProvider
}

export async function openStage({
  providers = {},
  kinds = KINDS,
  surroundings,
  webPush,
  sms,
  payments,
}: StageOptions = {}): Promise<Stage> {
  // First, because an open database would keep a file running whose browser does not start.
  const { browser, giveBack } = await borrowChromium()
  const fresh = await migratedDatabase('sqlite')
  const db = openPatiently(fresh.url)
  const clock = stoppedClock(BETWEEN_CHANGES)
  const { app, context, mailbox } = await appOn(db, {
    now: clock.now,
    providers,
    kinds,
    ...(surroundings && { surroundings }),
    ...(webPush && { webPush }),
    ...(sms && { sms }),
    ...(payments && { payments }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const guests = guestsOf(browser, `${url}/assets/punctual-mark-2.svg`, async (context) => {
    context.setDefaultTimeout(PATIENCE)
    await context.clock.setFixedTime(BETWEEN_CHANGES)
  })
  const complaints: string[] = []
  const assertNoComplaints = () => assert.deepEqual(complaints.splice(0), [])

  return {
    db,
    context,
    mailbox,
    url,
    async visit(path, options = {}, arrive = async () => {}) {
      const page = await guests.open({
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        extraHTTPHeaders: fromSomeoneNew(),
        reducedMotion: 'reduce',
        // The worker of the dashboard has tests of its own, and others are faster without it.
        serviceWorkers: 'block',
        ...options,
      })
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
      page.on('console', (message) => {
        // A 400 is logged there as well; tests that get one expect it.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          complaints.push(`${page.url()}: ${message.text()}`)
        }
      })
      await arrive(page)
      // A path of ours, or the whole address of another site.
      await page.goto(new URL(path, url).href)
      return page
    },
    async post(path, body) {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...fromSomeoneNew() },
        body: JSON.stringify(body),
      })
      await answer.body?.cancel()
      return { status: answer.status, location: answer.headers.get('location') }
    },
    async ownBooking(id) {
      return (await fetch(ownAddress(url, { id, token: manageToken(context, id) }))).json()
    },
    assertNoComplaints,
    async endTest() {
      await guests.leave()
      assertNoComplaints()
    },
    async close() {
      await giveBack()
      await app.close()
      await db.destroy()
      await fresh.drop()
    },
  }
}

/** How far the page is wider than what one sees of it. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Until what has the focus says this. */
export async function untilFocused(page: Page, text: string | RegExp): Promise<void> {
  await page.locator(':focus').filter({ hasText: text }).waitFor()
}
