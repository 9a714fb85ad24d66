import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createLink } from '../src/services/people/sign-in/sign-in.ts'
import { seedDemo } from '../src/services/workspace/demo/seed-demo.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { openDatabase } from '../src/store/engine/open-database.ts'
import { launchChromium } from '../test/browser/chromium.ts'
import { freshDatabase } from '../test/databases.ts'
import { asDump, seededSource } from '../test/imports/seeded-source.ts'
import { appOn, plainSurroundings, stoppedClock } from '../test/kit.ts'

// Makes the pictures of the documentation, from the demo workspace on a day that is always the same. With a folder as
// argument, it makes pictures of all pages of the dashboard there, wide and narrow, light and dark, to be looked at.

const DOCUMENTATION = fileURLToPath(new URL('../docs/screenshots', import.meta.url))
const FOLDER = process.argv[2] ?? DOCUMENTATION
const MONDAY_MORNING = Date.UTC(2027, 4, 10, 7)
const LARGEST = 150 * 1024

const DESKTOP = { viewport: { width: 1200, height: 720 } }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }
const DARK = { colorScheme: 'dark' } as const

const fill = async (page: Page) => {
  await page.getByLabel('Name').fill('Ada Guest')
  await page.getByLabel('Email').fill('ada@example.org')
}
const chooseDay = async (page: Page) => {
  await page.getByRole('button', { name: /13 May/ }).click()
  await page.locator('.slot').first().waitFor()
}
const openForm = async (page: Page) => {
  await chooseDay(page)
  await page.locator('.slot').nth(3).click()
  await fill(page)
}

const openMessages = async (page: Page) => {
  await page.getByRole('link', { name: 'Quick question' }).click()
  await page.getByRole('tab', { name: 'Messages' }).click()
  await page.locator('.timeline').waitFor()
  const bring = page.getByRole('article', { name: 'Please bring' })
  if ((await bring.count()) === 0) {
    await page.getByRole('button', { name: 'Add message' }).click()
    await page.getByLabel('Begin with').selectOption('Please bring')
    await page.getByRole('button', { name: 'Write the message' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
  }
  await bring.getByText('Your words').waitFor()
  await bring.evaluate((card) => card.scrollIntoView({ block: 'center' }))
}

interface Picture {
  readonly name: string
  readonly path: string
  readonly options: BrowserContextOptions
  readonly prepare?: (page: Page) => Promise<void>
  /** Seen by the host alone. */
  readonly dashboard?: true
}

const PICTURES: readonly Picture[] = [
  { name: 'profile', path: '/demo', options: DESKTOP },
  { name: 'booking', path: '/demo/intro', options: DESKTOP, prepare: chooseDay },
  { name: 'booking-dark', path: '/demo/workshop', options: { ...DESKTOP, ...DARK }, prepare: chooseDay },
  { name: 'booking-phone', path: '/demo/intro', options: PHONE, prepare: chooseDay },
  { name: 'details', path: '/demo/quick', options: DESKTOP, prepare: openForm },
  { name: 'details-phone-dark', path: '/demo/protected', options: { ...PHONE, ...DARK }, prepare: openForm },
  {
    name: 'confirmation',
    path: '/demo/intro',
    options: DESKTOP,
    prepare: async (page) => {
      await openForm(page)
      await page.getByRole('button', { name: 'Book this time' }).click()
      await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    },
  },
  {
    name: 'manage',
    path: '/demo/intro',
    options: DESKTOP,
    prepare: async (page) => {
      await openForm(page)
      await page.getByRole('button', { name: 'Book this time' }).click()
      await page.getByRole('link', { name: 'Reschedule or cancel' }).click()
      await page.getByRole('button', { name: 'Reschedule' }).waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  { name: 'routing-form', path: '/demo/forms/contact', options: DESKTOP },
  { name: 'dashboard', path: '/app/bookings', options: DESKTOP, dashboard: true },
  {
    name: 'dashboard-week',
    path: '/app/bookings?layout=week',
    options: DESKTOP,
    dashboard: true,
    prepare: (page) => page.locator('.week').waitFor(),
  },
  {
    name: 'dashboard-event-type',
    path: '/app/event-types',
    options: { viewport: { width: 1280, height: 860 } },
    dashboard: true,
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Quick question' }).click()
      await page.frameLocator('.preview-frame').locator('.slot').first().waitFor()
    },
  },
  {
    name: 'dashboard-messages',
    path: '/app/event-types',
    options: { viewport: { width: 1280, height: 860 } },
    dashboard: true,
    prepare: openMessages,
  },
  {
    name: 'dashboard-messages-phone-dark',
    path: '/app/event-types',
    options: { viewport: { width: 360, height: 1100 }, ...DARK },
    dashboard: true,
    prepare: openMessages,
  },
  {
    name: 'dashboard-form-dark',
    path: '/app/forms',
    options: { viewport: { width: 1280, height: 860 }, ...DARK },
    dashboard: true,
    prepare: async (page) => {
      await page.getByRole('link', { name: 'How can we help?' }).click()
      await page.getByRole('combobox', { name: 'What is it about?', exact: true }).selectOption('Sales')
    },
  },
]

const FORMS = {
  wide: { viewport: { width: 1280, height: 860 } },
  'wide-dark': { viewport: { width: 1280, height: 860 }, ...DARK },
  narrow: { viewport: { width: 360, height: 780 } },
  'narrow-dark': { viewport: { width: 360, height: 780 }, ...DARK },
}

const openEditor = (tab: string) => async (page: Page) => {
  await page.getByRole('link', { name: 'Quick question' }).click()
  await page.getByRole('tab', { name: tab }).click()
}

const follow = (link: string) => async (page: Page) => {
  await page.locator(`main ${link}`).first().click()
  await page.locator('main h2').first().waitFor()
}

const planMove = async (page: Page) => {
  const rows = seededSource({ bookings: 30, now: MONDAY_MORNING })
  const buffer = Buffer.from(asDump(rows, { style: 'copy' }))
  const file = { name: 'calcom.sql', mimeType: 'application/sql', buffer }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Read and plan' }).click()
  await page.getByRole('heading', { name: 'The plan' }).waitFor()
}

const DASHBOARD: readonly Pick<Picture, 'name' | 'path' | 'prepare'>[] = [
  { name: 'bookings', path: '/app/bookings' },
  {
    name: 'bookings-selected',
    path: '/app/bookings',
    prepare: (page) => page.getByRole('checkbox').nth(1).click({ force: true }),
  },
  {
    name: 'booking-panel',
    path: '/app/bookings',
    prepare: async (page) => {
      await page.locator('main a[href*="/app/bookings/"]').first().click()
    },
  },
  {
    name: 'week',
    path: '/app/bookings?layout=week',
    prepare: (page) => page.locator('.week').waitFor(),
  },
  {
    name: 'palette',
    path: '/app/bookings',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('in')
    },
  },
  { name: 'event-types', path: '/app/event-types' },
  ...['Basics', 'Times', 'Guests', 'Questions', 'Messages', 'Spam protection', 'Advanced'].map((tab) => ({
    name: `editor-${tab.toLowerCase().replaceAll(' ', '-')}`,
    path: '/app/event-types',
    prepare: openEditor(tab),
  })),
  { name: 'availability', path: '/app/availability' },
  { name: 'forms', path: '/app/forms' },
  { name: 'form', path: '/app/forms', prepare: follow('a[href*="/app/forms/"]') },
  { name: 'insights', path: '/app/insights' },
  { name: 'teams', path: '/app/teams' },
  {
    name: 'team',
    path: '/app/teams',
    prepare: follow('a[href*="/app/teams/"]'),
  },
  ...['calendars', 'webhooks', 'blocklist', 'privacy', 'profile', 'tokens', 'people', 'system', 'audit'].map(
    (name) => ({ name, path: `/app/${name}` }),
  ),
  { name: 'move-in', path: '/app/move-in' },
  { name: 'move-in-plan', path: '/app/move-in', prepare: planMove },
]

const ALL_OF_DASHBOARD: readonly Picture[] = Object.entries(FORMS).flatMap(([form, options]) =>
  DASHBOARD.map(({ name, ...page }) => ({
    ...page,
    name: `${name}-${form}`,
    options,
    dashboard: true as const,
  })),
)

/** A link that signs in the demo's host. */
async function signInPath(): Promise<string> {
  const { email } = await db
    .selectFrom('schedulers')
    .select('email')
    .where('slug', '=', 'demo')
    .executeTakeFirstOrThrow()
  const { pathname, hash } = new URL(await createLink(context, email ?? ''))
  return pathname + hash
}

async function take(browser: Browser, url: string, picture: Picture): Promise<void> {
  const { name, path, options, prepare, dashboard } = picture
  const guest = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await guest.newPage()
  await page.clock.setFixedTime(MONDAY_MORNING)
  if (dashboard) {
    await page.goto(url + (await signInPath()))
    await page.getByRole('button', { name: 'Sign in to Punctual' }).click()
    await page.locator('.dashboard h1').waitFor()
  }
  await page.goto(url + path)
  await page.waitForLoadState('networkidle')
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  const png = await page.screenshot({ fullPage: !dashboard && name !== 'booking-phone' })
  if (FOLDER === DOCUMENTATION && png.length > LARGEST) throw new Error(`${name} has ${png.length} bytes.`)
  await writeFile(join(FOLDER, `${name}.png`), png)
  await guest.close()
}

const fresh = await freshDatabase('sqlite')
const db = openDatabase(fresh.url)
await migrate(db)
await seedDemo(db, MONDAY_MORNING)
const { app, context } = await appOn(db, {
  now: stoppedClock(MONDAY_MORNING).now,
  // Where a dump is kept while it is read.
  surroundings: { ...plainSurroundings, dataDir: dirname(fresh.url) },
})
await app.listen({ port: 0, host: '127.0.0.1' })
const browser = await launchChromium()
try {
  await mkdir(FOLDER, { recursive: true })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  for (const picture of FOLDER === DOCUMENTATION ? PICTURES : ALL_OF_DASHBOARD)
    await take(browser, url, picture)
} finally {
  await browser.close()
  await app.close()
  await db.destroy()
  await fresh.drop()
}
