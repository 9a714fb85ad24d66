import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { createLink } from '../../src/services/people/sign-in/sign-in.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { launchChromium } from '../../test/browser/chromium.ts'
import { evenly, FIRST_DAY, startsFrom } from '../calendar.ts'
import type { Bench, Part } from '../part.ts'
import { findPostgres, makeDatabase } from '../postgres.ts'
import { median } from '../rounds.ts'
import { seed, slugOf } from '../seed.ts'
import { databaseOf, type ServerOptions, startServer } from '../server.ts'
import type { Row } from '../table.ts'
import { contextOn, prepare } from './search.ts'

const PEOPLE = 5000
const EVENT_TYPES = 1000
const FEW_BOOKINGS = 300
const MANY_BOOKINGS = 100_000
const DAYS = 10_000
const ROUNDS = 7

/** For a search among a million bookings. */
const HOSTS = 200
const BOOKINGS_EACH = 5000
const SEARCHES = 100

/** Switches between pages of a large workspace, in a real browser, and the search of the palette. */
export const dashboard: Part = async function* (bench) {
  yield* switches(bench)
  yield* searches({ dataDir: bench.folder('million') })
}

/** The search alone: pages are the same on either engine. */
export const dashboardPostgres: Part = async function* (bench) {
  await using server = await findPostgres()
  await using million = await makeDatabase(server.url, 'punctual_bench_million')
  yield* searches({ dataDir: bench.folder('million-postgres'), databaseUrl: million.url })
}

async function* switches(bench: Bench): AsyncIterable<Row> {
  const options = { dataDir: bench.folder('workspace') }
  const starts = startsFrom(FIRST_DAY - DAYS / 2, DAYS)
  const booked = [FEW_BOOKINGS, MANY_BOOKINGS].map((bookings, i) => ({
    hosts: [i + 1, i + 1] as const,
    starts: evenly(starts, bookings),
    numberedGuests: true as const,
  }))
  await seed(databaseOf(options), { hosts: PEOPLE, booked })
  await using server = await startServer(options)
  const browser = await launchChromium()
  try {
    for (const [host, bookings] of [FEW_BOOKINGS, MANY_BOOKINGS].entries()) {
      const path = await makeOwner(databaseOf(options), host + 1)
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
      await page.goto(`http://127.0.0.1:${server.port}${path}`)
      await page.getByRole('button', { name: 'Sign in to Punctual' }).click()
      await page.locator('.dashboard h1').waitFor()
      const count = bookings.toLocaleString('en')
      for (const { to, name } of PAGES) {
        const times: number[] = []
        // The first switch loads code and data, and is not counted.
        for (let round = 0; round <= ROUNDS; round++) {
          await switchTo(page, '/app/profile', '.field')
          const milliseconds = await switchTo(page, to, '.row')
          if (round > 0) times.push(milliseconds)
        }
        yield limited(`switch to ${name}, ${count} bookings`, median(times), 200)
      }
    }
  } finally {
    await browser.close()
  }
}

const PAGES = [
  { to: '/app/bookings', name: 'Bookings' },
  { to: '/app/event-types', name: 'Event types (1,000)' },
  { to: '/app/people', name: 'People (5,000)' },
]

/** Makes a host an admin with a thousand event types. Returns the path that signs them in. */
async function makeOwner(url: string, host: number): Promise<string> {
  const db = openDatabase(url)
  try {
    const email = `${slugOf(host)}@hosts.example`
    await db.updateTable('schedulers').set({ admin: 1 }).where('email', '=', email).execute()
    const { id: ownerId } = await db
      .selectFrom('schedulers')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const row = await db
      .selectFrom('event_types')
      .selectAll()
      .where('scheduler_id', '=', ownerId)
      .executeTakeFirstOrThrow()
    await db.transaction().execute(async (trx) => {
      for (let i = 1; i < EVENT_TYPES; i++) {
        const id = `00000000-0006-7000-8000-${(host * EVENT_TYPES + i).toString(16).padStart(12, '0')}`
        const values = { ...row, id, slug: `${row.slug}-${i}`, name: `Event type ${i}` }
        await trx.insertInto('event_types').values(values).execute()
        await trx
          .insertInto('event_type_hosts')
          .values({ event_type_id: id, host_id: ownerId, fixed: 1, last_assigned_at: null })
          .execute()
      }
    })
    const { pathname, hash } = new URL(await createLink(await contextOn(db), email))
    return pathname + hash
  } finally {
    await db.destroy()
  }
}

/** Milliseconds from the click on a link of the navigation until its page has what it is for, and is painted. */
const switchTo = (page: Page, to: string, shows: string): Promise<number> =>
  page.evaluate<number>(`(${SWITCH})(${JSON.stringify(to)}, ${JSON.stringify(shows)})`)

/** Runs in the page. */
const SWITCH = `async (path, shows) => {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const link = document.querySelector('a.nav-item[href$="' + path + '"]')
  const began = performance.now()
  link.click()
  const isThere = () =>
    location.pathname.endsWith(path) &&
    document.querySelector('main [aria-busy]') === null &&
    document.querySelector('main ' + shows) !== null
  while (!isThere()) await painted()
  await painted()
  return performance.now() - began
}`

async function* searches(options: ServerOptions): AsyncIterable<Row> {
  const url = databaseOf(options)
  const starts = evenly(startsFrom(FIRST_DAY - DAYS / 2, DAYS), BOOKINGS_EACH)
  await seed(url, { hosts: HOSTS, booked: [{ hosts: [1, HOSTS], starts, numberedGuests: true }] })
  const host = HOSTS / 2
  const [token = ''] = await prepare(url, [host])
  if (options.databaseUrl !== undefined) await vacuum(url)
  await using server = await startServer(options)
  const number = host * BOOKINGS_EACH + 1234
  for (const [what, text] of [
    ['one guest', `guest ${number}`],
    ['a text of all guests', 'guest'],
    ['two letters', 'gu'],
    ['nothing', 'nobody at all'],
  ] as const) {
    const times: number[] = []
    for (let i = 0; i < SEARCHES; i++) {
      const began = performance.now()
      const query = new URLSearchParams({ q: text })
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/admin/search?${query}`, { headers })
      if (!answer.ok) throw new Error(`the search answered ${answer.status}`)
      await answer.json()
      times.push(performance.now() - began)
    }
    const slow = times.sort((a, b) => a - b)[Math.floor(SEARCHES * 0.95)] ?? 0
    yield limited(`search for ${what} among 1,000,000 bookings, 95th percentile`, slow, 50)
  }
}

/** PostgreSQL would do this on its own within minutes. */
async function vacuum(url: string): Promise<void> {
  const db = openDatabase(url)
  await sql`vacuum analyze search_entries`.execute(db)
  await db.destroy()
}

const limited = (what: string, value: number, atMost: number): Row => ({
  what,
  ours: '',
  baseline: '',
  value,
  unit: 'ms',
  target: { atMost },
})
