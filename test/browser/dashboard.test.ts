import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { FORM_DEFAULTS } from '../../src/domain/forms/routing.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import { insertForm } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { findTeamRules } from '../../src/store/people/teams.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { bookAt } from '../bookings.ts'
import { passProvider } from '../connections.ts'
import { addEventType, addTeam, addUser, bookingOf, plainEventType } from '../kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../outside/google.ts'
import { PNG } from '../pictures.ts'
import { moveInCalendar } from '../rows.ts'
import { addDelivery, addWebhook } from '../webhooks.ts'
import { assertAccessible } from './axe.ts'
import { signInPath, visitAsHost } from './host.ts'
import { pressUntil } from './press-until.ts'
import { openStage, overflowOf, type Stage, untilFocused } from './stage.ts'

const TUESDAY_TEN = Date.UTC(2027, 2, 23, 10)
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('the dashboard', () => {
  let stage: Stage
  let google: GoogleStandIn

  before(async () => {
    google = await startGoogle()
    stage = await openStage({ providers: { google: googleProvider(google.settings) } })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await stage?.close()
    await google?.close()
  })

  /** A host of their own, with one event type. */
  const add = async (slug: string, given: Partial<EventType> = {}) => {
    const host = await addUser(stage.db, slug)
    const eventType = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk', ...given })
    return { host, eventType, email: `${slug}@hosts.example` }
  }
  const book = async ({ slug }: Scheduler, startsAt: number, name: string, given = {}) => {
    const body = bookingOf(plainEventType(), startsAt, { inviteeName: name, ...given })
    const { status } = await stage.post(`/api/public/scheduling/${slug}/talk/book`, body)
    assert.equal(status, 201)
    const row = await stage.db
      .selectFrom('bookings')
      .selectAll()
      .where('invitee_email', '=', body.inviteeEmail)
      .orderBy('starts_at')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const booking = (id: string) =>
    stage.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

  it('asks to sign in, and returns to the requested page', async () => {
    const { host, email } = await add('asked')
    const id = await book(host, TUESDAY_TEN, 'Grace Guest')
    const page = await stage.visit(`/app/bookings/${id}`)
    await page.getByLabel('Your email address').fill('nothing')
    await button(page, 'Send me a link').click()
    await page.getByText('Enter an email address, such as name@example.com.').waitFor()
    await page.getByLabel('Your email address').fill(email)
    await button(page, 'Send me a link').click()
    await heading(page, 'Check your email').waitFor()
    // The link opens in its own tab.
    const tab = await page.context().newPage()
    await tab.goto(stage.url + (await signInPath(stage, email)))
    assert.equal(new URL(tab.url()).pathname, '/app/sign-in', 'opening a link does not sign in')
    await button(tab, 'Sign in to Punctual').click()
    await heading(tab, 'Grace Guest').waitFor()
    assert.equal(new URL(tab.url()).pathname, `/app/bookings/${id}`)
    assert.equal(new URL(tab.url()).hash, '')
    // The other is signed in with it, and has not forgotten either.
    await heading(page, 'Grace Guest').waitFor()
    assert.equal(new URL(page.url()).pathname, `/app/bookings/${id}`)
  })

  it('keeps its token in memory alone, renews it, and forgets it in every tab', async () => {
    const { email } = await add('tabs')
    const page = await visitAsHost(stage, email, '/app/bookings')
    await page.getByText('No upcoming bookings').waitFor()
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    assert.doesNotMatch(stored, /eyJ|token/i)
    // A cookie works once: tabs that load at the same moment have to take turns.
    const tabs = [page, await page.context().newPage(), await page.context().newPage()]
    await Promise.all(tabs.map((tab) => tab.goto(`${stage.url}/app/event-types`)))
    await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'A talk' }).waitFor()))
    await Promise.all(tabs.map((tab) => tab.reload()))
    await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'A talk' }).waitFor()))
    await button(page, 'Sign out').click()
    await Promise.all(tabs.map((tab) => heading(tab, 'Sign in').waitFor()))
    await page.goto(`${stage.url}/app/event-types`)
    await heading(page, 'Sign in').waitFor()
  })

  it('says that a link is used up, and offers another', async () => {
    const { email } = await add('used')
    const path = await signInPath(stage, email)
    const first = await stage.visit(path)
    await button(first, 'Sign in to Punctual').click()
    await first.locator('.dashboard h1').waitFor()
    const page = await stage.visit(path)
    await button(page, 'Sign in to Punctual').click()
    await heading(page, 'This link no longer works').waitFor()
    await button(page, 'Get a new link').click()
    await page.getByLabel('Your email address').waitFor()
  })

  for (const locks of [true, false]) {
    it(`signs in before the first session check is answered, ${locks ? 'with' : 'without'} locks`, async () => {
      const { email } = await add(locks ? 'quick' : 'quick-without')
      const page = await stage.visit('about:blank')
      if (!locks)
        await page.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
      // “Not signed in”: an answer that the test delays for as long as it needs.
      const arrive = Promise.withResolvers<void>()
      await page.route('**/api/auth/refresh', async (route) => {
        const response = await route.fetch()
        await arrive.promise
        await route.fulfill({ response })
      })
      const asked = page.waitForRequest('**/api/auth/refresh')
      await page.goto(stage.url + (await signInPath(stage, email)))
      await asked
      let verifying: Request | undefined
      page.on('request', (request) => {
        if (request.url().endsWith('/api/auth/verify')) verifying = request
      })
      await button(page, 'Sign in to Punctual').click()
      await page.locator('button[aria-disabled=true]').waitFor()
      // One round trip: everything sent before it has arrived by now.
      await page.evaluate(async (url) => (await fetch(url)).text(), stage.url)
      await verifying?.response()
      arrive.resolve()
      await page.locator('.dashboard h1').waitFor()
    })
  }

  it('approves and declines requests in the list', async () => {
    const { host, email } = await add('approver', { requiresApproval: true })
    const yes = await book(host, TUESDAY_TEN, 'Yes Please')
    const no = await book(host, TUESDAY_TEN + HOUR, 'No Thanks')
    const page = await visitAsHost(stage, email, '/app/bookings?view=pending')
    await button(page, 'Approve Yes Please').click()
    await page.getByText('Approved Yes Please’s request').waitFor()
    assert.equal((await booking(yes)).status, 'Confirmed')
    await button(page, 'Decline No Thanks').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Message to your guest').fill('I am away.')
    await dialog.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Declined No Thanks’s request').waitFor()
    await button(page, /^Upcoming/).click()
    await page.getByRole('link', { name: 'Yes Please' }).waitFor()
    await button(page, /^Cancelled/).click()
    await page.getByRole('link', { name: 'No Thanks' }).waitFor()
    const declined = await booking(no)
    assert.deepEqual([declined.status, declined.reason], ['Declined', 'I am away.'])
  })

  it('keeps answered requests in their place, and undoes an answer', async () => {
    const { host, email } = await add('double-click', { requiresApproval: true })
    const first = await book(host, TUESDAY_TEN, 'First Guest')
    const second = await book(host, TUESDAY_TEN + HOUR, 'Second Guest')
    const page = await visitAsHost(stage, email, '/app/bookings?view=pending')
    const approve = await button(page, 'Approve First Guest').boundingBox()
    assert.ok(approve)
    const [x, y] = [approve.x + approve.width / 2, approve.y + approve.height / 2]
    await page.mouse.click(x, y)
    await page.getByText('Approved First Guest’s request').waitFor()
    await button(page, /^Pending\s?1/).waitFor()
    await page.mouse.click(x, y)
    assert.equal((await booking(second)).status, 'PendingApproval')
    assert.equal(await page.locator('.panel li').count(), 2)
    await button(page, 'Undo for First Guest').click()
    await button(page, 'Approve First Guest').waitFor()
    assert.equal((await booking(first)).status, 'PendingApproval')

    await button(page, 'Approve First Guest').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Approved First Guest’s request').waitFor()
    await untilFocused(page, 'First Guest')
    await page.keyboard.press('Tab')
    await untilFocused(page, 'Undo')
    await page.keyboard.press('Enter')
    await button(page, 'Approve First Guest').waitFor()
    await untilFocused(page, 'First Guest')
    assert.equal((await booking(first)).status, 'PendingApproval')

    // The same on its own page.
    await page.getByRole('link', { name: 'First Guest' }).click()
    await page.getByRole('link', { name: 'Open as a page' }).click()
    for (const [name, status] of [
      ['Approve', 'Confirmed'],
      ['Decline', 'Declined'],
    ] as const) {
      await button(page, name).click()
      if (name === 'Decline') await page.getByRole('alertdialog').getByRole('button', { name }).click()
      await button(page, 'Undo for First Guest').waitFor()
      assert.equal((await booking(first)).status, status)
      await button(page, 'Undo for First Guest').click()
      await page.locator('.status', { hasText: 'Pending' }).waitFor()
      assert.equal((await booking(first)).status, 'PendingApproval')
    }
  })

  it('undoes the removal of a blocked guest, and erases a guest’s data', async () => {
    const { host, email } = await add('unblocker')
    const page = await visitAsHost(stage, email, '/app/blocklist')
    await page.getByLabel('Email address or domain').fill('spam.example')
    await button(page, 'Block').click()
    await button(page, 'Remove spam.example').click()
    await page.getByText('No one is blocked').waitFor()
    await button(page, 'Undo for spam.example').click()
    await button(page, 'Remove spam.example').waitFor()
    await button(page, 'Undo for spam.example').waitFor({ state: 'detached' })

    const id = await book(host, TUESDAY_TEN, 'Forgettable Guest')
    const guest = (await booking(id)).invitee_email
    await page.getByRole('main').getByRole('link', { name: 'Erase a guest’s data' }).click()
    await page.waitForURL(/\/app\/privacy$/)
    await page.getByLabel('The guest’s email address').fill(guest)
    await page.locator('.button-danger', { hasText: 'Erase data' }).click()
    const dialog = page.getByRole('alertdialog', { name: `Erase everything about ${guest}?` })
    await dialog.getByRole('button', { name: 'Erase for good' }).click()
    await page.getByText('Erased. Bookings: 1. Form responses: 0.').waitFor()
    assert.equal((await booking(id)).invitee_name, 'Erased guest')
  })

  it('fails at once without a connection, and sends nothing later', async () => {
    const { host, email } = await add('cut-off', { requiresApproval: true })
    const id = await book(host, TUESDAY_TEN, 'Later Perhaps')
    const page = await visitAsHost(stage, email, '/app/bookings?view=pending')
    await button(page, 'Approve Later Perhaps').waitFor()
    await page.context().setOffline(true)
    await button(page, 'Approve Later Perhaps').click()
    await page.getByText('We can’t reach the server.').first().waitFor()
    await page.getByRole('link', { name: 'Later Perhaps' }).waitFor()
    const listed = page.waitForResponse((response) => response.url().includes('/bookings?') && response.ok())
    await page.context().setOffline(false)
    await listed
    assert.equal((await booking(id)).status, 'PendingApproval')
  })

  it('filters bookings, and downloads what it shows', async () => {
    const { host, email } = await add('filtering')
    const other = await addEventType(stage.db, host, { slug: 'other', name: 'Other talk' })
    await book(host, TUESDAY_TEN, 'Tuesday Guest')
    await book(host, TUESDAY_TEN + 24 * HOUR, 'Wednesday Guest')
    const page = await visitAsHost(stage, email, '/app/bookings')
    const guest = (name: string) => page.getByRole('link', { name })
    await guest('Tuesday Guest').waitFor()
    await button(page, 'Filter').click()
    await page.getByLabel('From', { exact: true }).fill('2027-03-24')
    await guest('Tuesday Guest').waitFor({ state: 'detached' })
    await guest('Wednesday Guest').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()])
    const text = await readFile(await file.path(), 'utf8')
    assert.match(text, /Wednesday Guest/)
    assert.doesNotMatch(text, /Tuesday Guest/)
    await button(page, 'Event type All event types').click()
    await page.getByRole('menuitemcheckbox', { name: 'Other talk' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('No matching bookings').waitFor()
    assert.match(page.url(), new RegExp(`eventTypeId=${other.id}`))
    assert.match(page.url(), /from=2027-03-24/)
    await button(page, 'Week').click()
    await page.getByRole('link', { name: /Tuesday Guest.*A talk/ }).focus()
    await page.keyboard.press('ArrowRight')
    await untilFocused(page, 'Wednesday Guest')
    await button(page, 'Previous week').click()
    await guest('Wednesday Guest').waitFor({ state: 'detached' })
    await button(page, 'Today').click()
    await guest('Wednesday Guest').focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Wednesday Guest').waitFor()
  })

  it('asks an invited host to confirm their hours', async () => {
    const { host, email } = await add('invited')
    await stage.db.updateTable('schedules').set({ confirmed: 0 }).where('user_id', '=', host.id).execute()
    const page = await visitAsHost(stage, email, '/app/bookings')
    await page.getByText('Guests can’t book you yet').waitFor()
    await page.getByRole('link', { name: 'Check your hours' }).click()
    await button(page, 'Confirm hours in Berlin').click()
    await page.getByText('Guests can’t book you yet').waitFor({ state: 'detached' })
    const saved = await stage.db
      .selectFrom('schedules')
      .selectAll()
      .where('user_id', '=', host.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([saved.confirmed, saved.time_zone], [1, 'Europe/Berlin'])
  })

  it('moves and cancels a booking, or those of a series that follow', async () => {
    const series = { every: ['week'], most: 3 } as const
    const { host, email } = await add('mover', { series, window: { kind: 'unlimited' } })
    const id = await book(host, TUESDAY_TEN, 'Grace Guest')
    await moveInCalendar(stage.db, id, TUESDAY_TEN + 4 * HOUR, TUESDAY_TEN + 4.5 * HOUR)
    const page = await visitAsHost(stage, email, `/app/bookings/${id}`)
    await page.getByText(/^In the calendar, this meeting is on .*2027, 14:00 – 14:30\.$/).waitFor()
    await button(page, 'Put the calendar back').click()
    await page.getByText('We’re putting the calendar back.').first().waitFor()
    await page.reload()
    await button(page, 'Move the meeting to the calendar’s time').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm new time' }).click()
    await page.getByText('Done. We’ve emailed your guest.').first().waitFor()
    assert.equal((await booking(id)).starts_at, TUESDAY_TEN + 4 * HOUR)
    await button(page, 'Reschedule').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^11:30 \w/ }).click()
    await dialog.getByRole('button', { name: 'Confirm new time' }).click()
    await page.getByText('Rescheduled. We’ve emailed your guest.').first().waitFor()
    assert.equal((await booking(id)).starts_at, TUESDAY_TEN + 1.5 * HOUR)
    await button(page, 'Cancel booking').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('Cancelled. We’ve emailed your guest.').first().waitFor()
    assert.equal((await booking(id)).status, 'Cancelled')
    // The same guest again, at a time that is not listed.
    await button(page, 'Book again').click()
    const form = page.getByRole('dialog')
    assert.notEqual(await form.getByLabel('Email', { exact: true }).inputValue(), '')
    await form.getByRole('button', { name: 'Book this time' }).click()
    await form.getByText('Choose a time first.').waitFor()
    await form.getByRole('button', { name: /^14:00 \w/ }).click()
    await form.getByRole('button', { name: 'Pick a custom time' }).click()
    await form.getByLabel('Time', { exact: true }).fill('16:30')
    await form.getByLabel('Name', { exact: true }).fill('Grace Again')
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'booking for a guest')
    await form.getByRole('button', { name: 'Book this time' }).click()
    await page.getByRole('heading', { name: 'Grace Again' }).waitFor()
    await page.getByText('by the host').waitFor()

    const first = await book(host, TUESDAY_TEN + 7 * DAY, 'Ida Weekly', {
      repeat: { every: 'week', count: 3 },
    })
    await page.getByRole('link', { name: 'Bookings' }).first().click()
    await page.getByText('Meeting 2 of 3').waitFor()
    await page.getByRole('link', { name: 'Ida Weekly' }).first().click()
    await page.getByRole('link', { name: 'Open as a page' }).click()
    await page.getByText('Meeting 1 of 3').waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a meeting of a series')
    await page.locator('.series-dates').getByRole('link').first().click()
    await page.getByText('Meeting 2 of 3').waitFor()
    await button(page, 'Reschedule').click()
    await dialog.getByRole('button', { name: 'This and following' }).click()
    await dialog.getByRole('button', { name: /^11:30 \w/ }).click()
    await dialog.getByRole('button', { name: 'Confirm new time' }).click()
    await page.getByText('Rescheduled. We’ve emailed your guest.').first().waitFor()
    await button(page, 'Cancel booking').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'This and following' }).click()
    await assertAccessible(page, 'which meetings to cancel')
    assert.equal(await overflowOf(page), 0)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('Cancelled. We’ve emailed your guest.').first().waitFor()
    const all = await stage.db
      .selectFrom('bookings')
      .select(['status', 'starts_at'])
      .where('series_id', '=', (await booking(first)).series_id)
      .orderBy('starts_at')
      .execute()
    assert.deepEqual(
      all.map(({ status, starts_at }) => [status, (starts_at - TUESDAY_TEN) / HOUR]),
      [
        ['Confirmed', 7 * 24],
        ['Cancelled', 14 * 24 + 1.5],
        ['Cancelled', 21 * 24 + 1.5],
      ],
    )
  })

  it('deletes a person, and hands over what they have but for what collides', async () => {
    const { host: admin, email } = await add('people-admin')
    await updateUser(stage.db, admin.id, { admin: true })
    const { host: leaver } = await add('gone')
    const { host: successor } = await add('heir')
    const moved = await book(leaver, TUESDAY_TEN, 'Moved Guest')
    const collides = await book(leaver, TUESDAY_TEN + DAY, 'Lost Guest')
    await book(successor, TUESDAY_TEN + DAY, 'Other Guest')
    const page = await visitAsHost(stage, email, '/app/people', { viewport: { width: 360, height: 740 } })
    await button(page, 'Delete Name of gone').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('2 upcoming meetings').waitFor()
    await dialog.getByLabel('Find someone to take over').fill('heir')
    await dialog.getByLabel('Who takes over').selectOption('Name of heir (heir@hosts.example)')
    await dialog.getByText(/^Lost Guest, /).waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'what a deletion does')
    // Refused as a whole, until the host agrees to what is lost.
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.equal((await booking(moved)).host_id, leaver.id)
    await dialog.getByRole('switch', { name: 'Cancel these meetings' }).click()
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    const done = page.getByRole('dialog', { name: 'Name of gone is deleted' })
    await done.getByText('1 meeting went over.').waitFor()
    await done.getByText('1 meeting is cancelled.').waitFor()
    assert.deepEqual(
      [(await booking(moved)).host_id, (await booking(moved)).status],
      [successor.id, 'Confirmed'],
    )
    assert.equal((await booking(collides)).status, 'Cancelled')
    await done.getByRole('button', { name: 'Close' }).click()
    await done.waitFor({ state: 'detached' })
  })

  it('hands a meeting over, and then all that a member has', async () => {
    const { host: ada, email } = await add('leaver', {})
    const { host: bob } = await add('stayer', {})
    const team = await addTeam(stage.db, 'relay')
    await stage.db.transaction().execute(async (trx) => {
      await insertTeamMember(trx, { teamId: team.id, userId: ada.id, role: 'admin' }, 0)
      await insertTeamMember(trx, { teamId: team.id, userId: bob.id, role: 'member' }, 0)
    })
    const hosts = [ada, bob].map(({ id }) => ({ hostId: id, fixed: false }))
    const talk = await addEventType(stage.db, team, { assignment: 'round-robin' }, hosts)
    const taken = async () => (await bookAt(stage.context, team, talk, TUESDAY_TEN)).booking.id
    const first = await taken()
    const page = await visitAsHost(stage, email, `/app/bookings/${first}`, {
      viewport: { width: 360, height: 740 },
    })
    await button(page, 'Hand over').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New host').selectOption('Name of stayer')
    await dialog.getByLabel('Message to your guest').fill('I am ill.')
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'handing a meeting over')
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('Handed over. We’ve emailed your guest and both hosts.').first().waitFor()
    await page.getByText('Handed over by hand').waitFor()
    assert.equal((await booking(first)).host_id, bob.id)

    // Ada has the next one. At the same time, Bob is busy.
    const second = await taken()
    assert.equal((await booking(second)).host_id, ada.id)
    await page.goto(`${stage.url}/app/bookings/${second}`)
    await button(page, 'Hand over').click()
    await dialog.getByText('Name of stayer: another meeting').waitFor()
    await dialog.getByText('No other host is free at this time.').waitFor()
    await page.goto(`${stage.url}/app/teams/${team.id}`)
    await button(page, 'Hand over meetings of Name of leaver').click()
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await dialog.getByText('1 meeting could not be handed over:').waitFor()
    await dialog.getByText('No other host is free at this time.').waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'what was handed over')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('switch', { name: 'Members see all bookings' }).click()
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await button(page, 'Save changes').click()
    assert.equal((await saved).status(), 200)
    assert.deepEqual(await findTeamRules(stage.db, team.id), { membersSeeAll: true })
    await page.getByRole('link', { name: 'Who hosts what' }).click()
    await page.getByText('No meetings in this period').waitFor()
    await page.getByLabel('Period').selectOption('Next 30 days')
    await page.getByLabel('Event type').selectOption('A meeting')
    const numbers = page.getByRole('table', { name: 'Who hosts what' })
    await numbers.getByText('Handed over by hand: 1').waitFor()
    assert.equal(await numbers.locator('tbody tr').count(), 2)
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'who hosts what')
  })

  it('finds a booking by the guest', async () => {
    const { host, email } = await add('searcher')
    await book(host, TUESDAY_TEN, 'Grace Guest')
    await book(host, TUESDAY_TEN + HOUR, 'Hugo Host')
    const page = await visitAsHost(stage, email, '/app/bookings')
    await page.getByRole('link', { name: 'Hugo Host' }).waitFor()
    await page.evaluate(() => {
      const { body } = document
      const watch = () => {
        if (!body.textContent.includes('Grace Guest')) body.dataset.flickered = 'yes'
      }
      new MutationObserver(watch).observe(body, { childList: true, subtree: true })
    })
    await page.getByLabel('Search by guest').fill('grac')
    await page.getByRole('link', { name: 'Hugo Host' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('link', { name: 'Grace Guest' }).count(), 1)
    assert.equal(await page.locator('body[data-flickered]').count(), 0, 'nothing flickers while one types')
  })

  it('edits an event type by keyboard alone', async () => {
    const { eventType, email } = await add('typist')
    const page = await visitAsHost(stage, email, `/app/event-types/${eventType.id}`)
    const { keyboard } = page
    await page.getByLabel('Name').waitFor()
    await page.frameLocator('iframe').getByText('16:30').first().waitFor()
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement
        return (
          element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent ?? ''
        )
      })
    const tabTo = async (name: RegExp, key = 'Tab') => {
      for (let presses = 0; presses < 120; presses++) {
        if (name.test(await focused())) return
        await keyboard.press(key)
      }
      assert.fail(`no ${name} within reach of ${key}`)
    }
    await tabTo(/^Name$/)
    await keyboard.press('End')
    await keyboard.type(' about tea')
    await tabTo(/^Duration$/)
    await keyboard.press('ControlOrMeta+A')
    await keyboard.type('0')
    await tabTo(/^Basics/, 'Shift+Tab')
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowRight')
    assert.match(await focused(), /^Guests/)
    await tabTo(/^Require approval$/)
    await keyboard.press('Space')
    await tabTo(/^Save changes$/)
    await keyboard.press('Enter')
    // Refused: its tab opens, and the wrong field has the focus and shows its error.
    await page.getByRole('tab', { name: 'Basics (has a mistake)', selected: true }).waitFor()
    await page.locator('input:focus[aria-invalid="true"]').waitFor()
    assert.equal(await focused(), 'Duration')
    const described = await page.locator('input:focus').getAttribute('aria-describedby')
    const said = await page.locator(`[id="${described?.split(' ').at(-1)}"]`).innerText()
    assert.match(said, /The duration must be a whole number/)
    await keyboard.press('ControlOrMeta+A')
    await keyboard.type('45')
    await tabTo(/^Save changes$/)
    await keyboard.press('Enter')
    await page.getByText('Saved', { exact: true }).last().waitFor()
    const saved = await stage.db
      .selectFrom('event_types')
      .selectAll()
      .where('id', '=', eventType.id)
      .executeTakeFirstOrThrow()
    assert.equal(saved.name, 'A talk about tea')
    assert.equal(saved.duration_minutes, 45)
    assert.equal(saved.requires_approval, 1)
  })

  /** Until this control has the focus and is described by a sentence like this. */
  const refusalAt = async (page: Page, label: string, sentence: RegExp) => {
    const control = page.getByLabel(label, { exact: true }).and(page.locator(':focus[aria-invalid="true"]'))
    await control.waitFor()
    const ids = ((await control.getAttribute('aria-describedby')) ?? '').split(' ')
    assert.match(await page.locator(`[id="${ids.at(-1)}"]`).innerText(), sentence)
  }

  it('shows a refusal at its field, in a dialog and in a list of questions', async () => {
    const { eventType, email } = await add('refused')
    const page = await visitAsHost(stage, email, '/app/event-types')
    await button(page, 'New event type').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Tea')
    await page.getByLabel('Booking link').fill('A tea')
    await page.keyboard.press('Enter')
    await refusalAt(page, 'Booking link', /^The booking link must be/)
    await button(page, 'Cancel').click()
    await page.getByRole('link', { name: 'A talk' }).click()
    await page.getByRole('tab', { name: 'Questions' }).click()
    await button(page, 'Add question').click()
    await button(page, 'Add question').click()
    await page.getByRole('group', { name: 'Question 1' }).getByLabel('Question', { exact: true }).fill('Why?')
    await button(page, 'Save changes').click()
    await refusalAt(page, 'Question', /question 2/)
    await page.locator('.save-bar').getByText('Not saved. Check the marked field.').waitFor()
    assert.equal(await page.locator('[aria-invalid="true"]').count(), 1)
    await page.locator(':focus').fill('Why not?')
    // The present location becomes the first of two to choose from.
    await page.getByRole('tab', { name: 'Basics' }).click()
    await button(page, 'Add a location to choose').click()
    const second = page.getByRole('group', { name: 'Location 2' })
    await second.getByLabel('Location', { exact: true }).selectOption('Web link')
    await button(page, 'Save changes').click()
    await refusalAt(page, 'Web address', /^Location 2 must be a web address/)
    await page.locator(':focus').fill('https://meet.example/room')
    await second.getByLabel('Name for guests').fill('Our room')
    await button(page, 'Save changes').click()
    await page.getByText('Saved', { exact: true }).last().waitFor()
    const { questions, locations } = await stage.db
      .selectFrom('event_types')
      .select(['questions', 'locations'])
      .where('id', '=', eventType.id)
      .executeTakeFirstOrThrow()
    assert.equal(JSON.parse(questions).length, 2)
    const { location } = eventType
    assert.deepEqual(JSON.parse(locations), [
      { id: 'location-1', provider: '', label: '', ...location },
      { id: 'location-2', type: 'Link', value: 'https://meet.example/room', provider: '', label: 'Our room' },
    ])
  })

  it('shows the refusal of a field that is not on the page at the form', async () => {
    const { email } = await add('elsewhere')
    const page = await visitAsHost(stage, email, '/app/forms')
    await button(page, 'New form').click()
    // Nothing of this name can be part of a link, and the dialog doesn't ask for one.
    await page.getByRole('dialog').getByLabel('Name').fill('お問い合わせ')
    await button(page, 'Create').click()
    await page.getByRole('dialog').getByRole('alert').getByText(/link/).waitFor()
    assert.equal(await page.locator('[aria-invalid="true"]').count(), 0)
  })

  it('previews unsaved changes, and explains why a time is not offered', async () => {
    const { eventType, email } = await add('previewer')
    const page = await visitAsHost(stage, email, `/app/event-types/${eventType.id}`)
    const preview = page.getByRole('region', { name: 'What guests see' })
    const framed = preview.frameLocator('iframe')
    await framed.getByRole('button', { name: /^16:30/ }).waitFor()
    await page.getByLabel('Duration', { exact: true }).fill('120')
    await framed.getByText('2 hours').first().waitFor()
    await framed.getByRole('button', { name: /^16:30/ }).waitFor({ state: 'detached' })
    await page.getByLabel('Name', { exact: true }).fill('A long talk')
    await framed.getByRole('heading', { name: 'A long talk' }).waitFor()
    const tab = page.getByRole('tab', { name: 'Spam protection' })
    await tab.click()
    await page.getByRole('tab', { name: 'Spam protection', selected: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('region', { name: 'Spam protection' }).locator(':focus').waitFor()
    await page.getByRole('tab', { name: 'Basics' }).click()
    assert.equal(await page.getByLabel('Duration', { exact: true }).inputValue(), '120', 'edits stay')
    await button(page, 'Share').click()
    const sheet = page.getByRole('dialog')
    for (const [form, code] of [
      ['Pop-up', '<button type="button" data-punctual-popup="previewer/talk">'],
      ['Floating', 'defer data-punctual-floating="previewer/talk">'],
      ['Inline', '<div data-punctual="previewer/talk"></div>'],
    ] as const) {
      await sheet.getByRole('button', { name: form }).click()
      await sheet.getByText(code).waitFor()
    }
    await sheet.getByRole('button', { name: 'Close' }).click()
    // With the settings on the page, not those that are saved.
    await button(page, 'Why isn’t a time available?').click()
    await untilFocused(page, 'Why isn’t this time available?')
    await preview.getByLabel('Date').fill('2027-03-23')
    await preview.getByLabel('Start time').fill('16:00')
    await preview.getByText('This time is available.').or(preview.locator('.reasons li')).first().waitFor()
    const [date, time] = await Promise.all(
      ['Date', 'Start time'].map((label) => preview.getByLabel(label).boundingBox()),
    )
    assert.ok(date && time && (date.x + date.width <= time.x || date.y + date.height <= time.y))
    await preview
      .getByRole('listitem')
      .filter({ hasText: /hours|closed|open/i })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Bookings', exact: true }).click()
    await heading(page, 'Leave without saving?').waitFor()
    await button(page, 'Leave').click()
    await heading(page, 'Bookings').waitFor()
  })

  it('asks before the back button discards unsaved changes', async () => {
    const { email } = await add('returning')
    const page = await visitAsHost(stage, email, '/app/event-types')
    const back = () => page.evaluate(() => history.back())
    await page.getByRole('link', { name: 'A talk' }).click()
    await page.getByLabel('Name').fill('Half a na')
    const { pathname } = new URL(page.url())
    for (let tries = 0; tries < 2; tries++) {
      await back()
      await heading(page, 'Leave without saving?').waitFor()
      await button(page, 'Keep editing').click()
      await heading(page, 'Leave without saving?').waitFor({ state: 'detached' })
      await page.waitForURL(`**${pathname}`)
      assert.equal(await page.getByLabel('Name').inputValue(), 'Half a na')
    }
    await back()
    await button(page, 'Leave').click()
    await page.waitForURL('**/app/event-types')
    await page.getByRole('link', { name: 'A talk' }).waitFor()
    // Where one left is still ahead, with nothing to lose there.
    await page.evaluate(() => history.forward())
    await page.waitForURL(`**${pathname}`)
    await back()
    await page.waitForURL('**/app/event-types')
    await page.getByRole('link', { name: 'A talk' }).waitFor()
    assert.equal(await heading(page, 'Leave without saving?').count(), 0)
  })

  it('does not overwrite what someone else has changed', async () => {
    const { eventType, email } = await add('conflicted')
    const page = await visitAsHost(stage, email, `/app/event-types/${eventType.id}`)
    await page.getByLabel('Name').fill('Mine')
    await stage.db
      .updateTable('event_types')
      .set({ description: 'Theirs' })
      .where('id', '=', eventType.id)
      .execute()
    await button(page, 'Save changes').click()
    await page.getByText('Someone else changed this').waitFor()
    await button(page, 'Load latest version').click()
    await page.getByRole('textbox', { name: 'Description' }).getByText('Theirs').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Mine', 'edits stay')
    await button(page, 'Save changes').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const saved = await stage.db
      .selectFrom('event_types')
      .select(['name', 'description'])
      .where('id', '=', eventType.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(saved, { name: 'Mine', description: 'Theirs' })
  })

  it('shows time off as days, with the bookings inside, and asks before deleting it', async () => {
    const { host, email } = await add('traveller')
    await book(host, TUESDAY_TEN, 'Grace Guest')
    const page = await visitAsHost(stage, email, '/app/availability')
    await button(page, 'Add time off').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('First day').fill('2027-03-23')
    await sheet.getByLabel('Last day').fill('2027-03-24')
    await sheet.getByRole('button', { name: 'Add time off' }).click()
    await page.getByText('23 Mar 2027 – 24 Mar 2027').waitFor()
    await page.getByText('1 booking inside. It stays.').waitFor()
    await button(page, 'Remove 23 Mar 2027 – 24 Mar 2027').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await button(page, 'Remove 23 Mar 2027 – 24 Mar 2027').click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No time off planned').waitFor()
  })

  it('gives a day other hours', async () => {
    const { email } = await add('hours')
    const page = await visitAsHost(stage, email, '/app/availability')
    await page.getByRole('switch', { name: 'Saturday' }).click()
    await page
      .getByRole('gridcell')
      .getByRole('button', { name: /24 March/ })
      .click()
    await page.getByRole('switch', { name: 'Available on this date' }).click()
    await button(page, 'Save changes').click()
    await page.getByText('Saved', { exact: true }).last().waitFor()
    const days = async (date: string) => {
      const query = `dateFrom=${date}&dateTo=${date}&timezone=UTC`
      return (await fetch(`${stage.url}/api/public/scheduling/hours/talk/slots?${query}`)).json()
    }
    assert.deepEqual(await days('2027-03-24'), [])
    assert.equal((await days('2027-03-27')).length, 1)
  })

  it('shows nothing wrong while data is still loading', async () => {
    const { host, eventType, email } = await add('slowly')
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: host.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
      rules: [],
      fallback: { action: 'routeToEvent', eventTypeId: eventType.id },
    })
    for (const late of ['**/api/admin/me', '**/api/admin/event-types?**']) {
      const page = await visitAsHost(stage, email, '/app/forms')
      const href = await page.getByRole('link', { name: 'Contact', exact: true }).getAttribute('href')
      const arrive = Promise.withResolvers<void>()
      const asked = Promise.all([page.waitForRequest(late), page.waitForResponse(/form-page/)])
      await page.route(late, async (route) => {
        await arrive.promise
        await route.continue()
      })
      await page.goto(stage.url + href)
      await asked
      // Time for everything else: thirty ways to the service and back, each with a frame to show what came.
      await page.evaluate(async (url) => {
        for (let way = 0; way < 30; way++) {
          await (await fetch(url)).text()
          await new Promise(requestAnimationFrame)
        }
      }, stage.url)
      assert.equal(await button(page, 'Add rule').count(), 0, late)
      arrive.resolve()
      await button(page, 'Add rule').click()
      const to = page.getByRole('group', { name: 'Rule 1' }).getByRole('combobox', { name: /event type/i })
      assert.equal(await to.locator('option:checked').innerText(), 'A talk')
      await page.getByText('https://book.example.com/slowly/forms/contact').waitFor()
    }
  })

  it('preselects nothing before its data is loaded', async () => {
    const { eventType, email } = await add('patient')
    const page = await visitAsHost(stage, email, '/app/event-types')
    for (const { path, late, shown } of [
      { path: `/app/event-types/${eventType.id}`, late: '**/api/admin/schedules?**', shown: 'Basics' },
      { path: '/app/insights', late: '**/api/admin/routing-forms?**', shown: 'No bookings in this period' },
    ]) {
      const arrive = Promise.withResolvers<void>()
      // The page's own matter, which is there when the rest is not.
      const own = page.waitForResponse(/\/api\/admin\/(?:event-types\/|insights\?)/)
      await page.route(late, async (route) => {
        await arrive.promise
        await route.continue()
      })
      await page.goto(stage.url + path)
      await own
      // Not `finished`, which waits for ever if a navigation cut that response off.
      await page.evaluate(async (url) => {
        for (let way = 0; way < 10; way++) {
          await (await fetch(url)).text()
          await new Promise(requestAnimationFrame)
        }
      }, stage.url)
      assert.equal(await page.getByText(shown).count(), 0, late)
      arrive.resolve()
      await page.getByText(shown).first().waitFor()
    }
  })

  it('says that it cannot load the user, and tries again', async () => {
    const { email } = await add('unlucky')
    const page = await visitAsHost(stage, email, '/app/event-types')
    await page.route('**/api/admin/me', (route) =>
      route.fulfill({ status: 403, json: { error: 'Not now.' } }),
    )
    await page.reload()
    await heading(page, 'This couldn’t be loaded').waitFor()
    await page.getByText('Not now.').waitFor()
    await page.unroute('**/api/admin/me')
    await pressUntil(button(page, 'Try again'), page.getByRole('link', { name: 'A talk' }))
  })

  it('builds a form with an AND and an OR, which then routes', async () => {
    const { host, eventType, email } = await add('router')
    const page = await visitAsHost(stage, email, '/app/forms')
    await button(page, 'New form').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Contact')
    await button(page, 'Create').click()
    await heading(page, 'Contact').waitFor()
    // Topic, and an address.
    await button(page, 'Add question').click()
    const second = page.getByRole('group', { name: 'Question 2' })
    await second.getByLabel('Question', { exact: true }).fill('Your address')
    await page.getByRole('group', { name: 'Your address' }).getByLabel('ID').fill('address')
    await button(page, 'Add rule').click()
    const rule = page.getByRole('group', { name: 'Rule 1' })
    await rule.getByLabel('Rule 1, condition 1: question').selectOption('What is it about?')
    await rule.getByLabel('Rule 1, condition 1: answer').fill('ships')
    await rule.getByRole('button', { name: 'Add group (Rule 1)' }).click()
    const group = 'Rule 1, condition 2'
    await rule.getByLabel(`${group}, condition 1: question`).selectOption('Your address')
    await rule.getByLabel(`${group}, condition 1: comparison`).selectOption('ends with')
    await rule.getByLabel(`${group}, condition 1: answer`).fill('.example')
    await rule.getByRole('button', { name: `Add condition (${group})` }).click()
    await rule.getByLabel(`${group}, condition 2: question`).selectOption('Your address')
    await rule.getByLabel(`${group}, condition 2: comparison`).selectOption('contains')
    await rule.getByLabel(`${group}, condition 2: answer`).fill('navy')
    await rule
      .getByRole('button', {
        name: 'If What is it about? is “ships” and (Your address ends with “.example” or Your address contains “navy”) then Book “A talk”',
      })
      .click()
    assert.equal(await rule.getByRole('combobox').count(), 0, 'a folded rule is a sentence')
    const attempt = page.getByRole('region', { name: 'Try it out' })
    await attempt.getByLabel('What is it about?').fill('Ships')
    await attempt.getByText('No rule matches').waitFor()
    await attempt.getByLabel('Your address').fill('ann@navy.test')
    await attempt.getByText('Book “A talk”').waitFor()
    await attempt.getByText('Why?').click()
    await attempt.getByText('Matched.').waitFor()
    await button(page, 'Add as test').click()
    const test = page.getByRole('group', { name: 'Test 1' })
    await test.getByText('Passes').waitFor()
    await test.getByLabel('What is it about?').fill('Trains')
    await test.getByText('Fails').waitFor()
    await button(page, 'Save changes').click()
    await test.getByText('The test "Test 1" fails. No rule matches').waitFor()
    await test.getByLabel('What is it about?').fill('Ships')
    await test.getByLabel('Test name').fill('Navy')
    const protection = page.getByRole('region', { name: 'Spam protection' })
    await protection.getByLabel('CAPTCHA').selectOption('ALTCHA (built in)')
    await protection.getByLabel('Blocked for this form').fill('spam.example')
    await button(page, 'Save changes').click()
    await page.getByText('Saved', { exact: true }).last().waitFor()
    const form = await stage.db
      .selectFrom('routing_forms')
      .selectAll()
      .where('scheduler_id', '=', host.id)
      .executeTakeFirstOrThrow()
    const abuse = { honeypot: true, captcha: 'altcha', blocklist: ['spam.example'] }
    assert.deepEqual(JSON.parse(form.abuse), abuse)
    assert.deepEqual(JSON.parse(form.tests), [
      {
        name: 'Navy',
        answers: { topic: 'Ships', address: 'ann@navy.test' },
        expect: { action: 'routeToEvent', eventTypeId: eventType.id },
      },
    ])
    assert.deepEqual(JSON.parse(form.rules)[0].when, {
      all: [
        { field: 'topic', operator: 'equals', value: 'ships' },
        {
          any: [
            { field: 'address', operator: 'endsWith', value: '.example' },
            { field: 'address', operator: 'contains', value: 'navy' },
          ],
        },
      ],
    })
    const visitor = await stage.visit('/router/forms/contact')
    await visitor.getByLabel('What is it about?').fill('ships')
    await visitor.getByLabel('Your address').fill('ann@guests.example')
    await button(visitor, 'Continue').click()
    await visitor.waitForURL(({ pathname }) => pathname === `/router/${eventType.slug}`)
    await page.getByRole('button', { name: 'Responses' }).click()
    await page.getByRole('cell', { name: 'ann@guests.example' }).waitFor()
    const file = page.waitForEvent('download')
    await button(page, 'Download CSV').click()
    assert.equal((await file).suggestedFilename(), 'contact-responses.csv')
  })

  it('reorders rules by keyboard and by drag, and opens the one that is refused', async () => {
    const { host, email } = await add('sorter')
    const id = newId()
    const names = ['one', 'two', 'three', 'four']
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      id,
      schedulerId: host.id,
      slug: 'sorted',
      name: 'Sorted',
      fields: [{ id: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
      rules: names.map((name) => ({
        when: { field: 'topic', operator: 'contains', value: name },
        target: { action: 'message', message: name },
      })),
      fallback: { action: 'message', message: 'none' },
    })
    const page = await visitAsHost(stage, email, `/app/forms/${id}`)
    const rules = page.getByRole('region', { name: 'Rules' })
    const grip = (number: number) => rules.getByRole('button', { name: `Drag Rule ${number}, ` })
    const order = async () =>
      (await rules.locator('.rule-sentence').allInnerTexts()).map((text) => /“(\w+)”/.exec(text)?.[1])
    const says = (text: string) => rules.getByRole('status').getByText(text).waitFor()

    await grip(1).press('ArrowDown')
    await says('Rule 1 is now rule 2.')
    assert.deepEqual(await order(), ['two', 'one', 'three', 'four'])
    await page.keyboard.press('ArrowDown')
    await says('Rule 2 is now rule 3.')
    assert.deepEqual(await order(), ['two', 'three', 'one', 'four'], 'the focus goes with the rule')
    await rules.getByRole('button', { name: 'Move Rule 3 up' }).click()
    await says('Rule 3 is now rule 2.')

    const dragTo = async (from: number, to: number, end: () => Promise<void>) => {
      await grip(from).scrollIntoViewIfNeeded()
      const middleOf = async (number: number) => {
        const box = await grip(number).boundingBox()
        assert.ok(box)
        return [box.x + box.width / 2, box.y + box.height / 2] as const
      }
      const [x, y] = await middleOf(from)
      const [, target] = await middleOf(to)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, (y + target) / 2)
      await page.mouse.move(x, target)
      await end()
    }
    await dragTo(2, 1, () => page.mouse.up())
    await says('Rule 2 is now rule 1.')
    assert.deepEqual(await order(), ['one', 'two', 'three', 'four'])
    await dragTo(1, 2, () => page.keyboard.press('Escape'))
    await page.mouse.up()
    assert.deepEqual(await order(), ['one', 'two', 'three', 'four'], 'Escape puts it back')
    await dragTo(1, 2, () => page.mouse.up())
    await says('Rule 1 is now rule 2.')

    // An empty message, in a rule that is folded again.
    await rules.getByRole('button', { name: /“one”/ }).click()
    await rules.getByLabel('Message').fill('')
    await rules.getByRole('button', { name: /“one”/ }).click()
    assert.equal(await rules.getByLabel('Message').count(), 0)
    await button(page, 'Save changes').click()
    const message = rules.getByRole('group', { name: 'Rule 2' }).getByLabel('Message')
    await message.and(page.locator('[aria-invalid="true"]')).waitFor()
    await message.fill('one again')
    await button(page, 'Save changes').click()
    await page.getByText('Saved', { exact: true }).last().waitFor()
    const form = await stage.db
      .selectFrom('routing_forms')
      .select('rules')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const saved: readonly { target: { message: string } }[] = JSON.parse(form.rules)
    assert.deepEqual(
      saved.map(({ target }) => target.message),
      ['two', 'one again', 'three', 'four'],
    )
  })

  it('connects an account, says how it went, and disconnects it, by keyboard', async () => {
    const { email, host, eventType } = await add('connector')
    const page = await visitAsHost(stage, email, '/app/calendars')
    const { oauth } = google
    oauth.redirectUris.add('https://book.example.com/connections/google/callback')
    /** Leaves for the provider with this button, and comes back as its page would send us. */
    const passThrough = async (name: string) => {
      await page.route(`${google.url}/**`, (route) => route.fulfill({ body: 'Allow?' }))
      await button(page, name).focus()
      await page.keyboard.press('Enter')
      await page.getByText('Allow?').waitFor()
      const path = await passProvider({ authorizationUrl: page.url() })
      await page.goto(stage.url + path)
    }
    oauth.visitor = { account: ADA, answer: 'deny' }
    await passThrough('Connect Google')
    await page.getByText('You didn’t give access, so Google is not connected.').waitFor()
    oauth.visitor = { account: ADA, answer: 'allow' }
    await passThrough('Connect Google')
    await page.getByText('Your Google account is connected.').waitFor()
    assert.equal(new URL(page.url()).search, '', 'a reload would not say it again')
    await page.getByText('Google · connected').waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await button(page, `Choose calendars: ${ADA.address}`).press('Enter')
    await button(page, 'Add Team').press('Enter')
    await page.locator('.dialog').getByText('Added', { exact: true }).waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'choosing calendars', '.dialog')
    await button(page, 'Done').press('Enter')
    await page.locator('.panel').getByText('Team', { exact: true }).waitFor()
    const rowOf = (name: string) =>
      page.locator('.panel .row', { has: page.getByText(name, { exact: true }) })
    await button(page, `Choose calendars: ${ADA.address}`).press('Enter')
    await button(page, 'Add Holidays').press('Enter')
    await page.locator('.dialog').getByText('Added', { exact: true }).nth(1).waitFor()
    await button(page, 'Done').press('Enter')
    await rowOf('Holidays').getByRole('switch', { name: 'Check for conflicts' }).waitFor()
    assert.equal(await rowOf('Holidays').getByRole('switch', { name: 'Add bookings here' }).count(), 0)
    const writeTo = rowOf('Team').getByRole('switch', { name: 'Add bookings here' })
    await writeTo.press(' ')
    await page.waitForFunction(() =>
      document.querySelector('[aria-label="Add bookings here"][aria-checked=true]'),
    )
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'calendars of a connected account', 'main')

    await page.goto(`${stage.url}/app/event-types/${eventType.id}`)
    const link = page.getByLabel('Meeting link')
    await link.focus()
    await page.keyboard.type('Google')
    await page.getByRole('tab', { name: 'Advanced' }).click()
    const check = page.getByRole('switch', { name: 'Require a calendar check' })
    await check.press(' ')
    const target = page.getByLabel('Add bookings to')
    assert.deepEqual(await target.locator('option').allInnerTexts(), ['Each host’s own choice', 'Team'])
    await target.focus()
    await page.keyboard.type('Team')
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'an event type with calendars', 'main')
    await button(page, 'Save changes').press('Enter')
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const stored = await stage.db
      .selectFrom('event_types')
      .select(['location_provider', 'live_check', 'write_to_calendar_id'])
      .where('id', '=', eventType.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([stored.location_provider, stored.live_check], ['google-meet', 'refuse'])
    assert.notEqual(stored.write_to_calendar_id, null)
    await page.goto(`${stage.url}/app/calendars`)
    await stage.db
      .updateTable('connections')
      .set({ status: 'reconnect', last_error: 'Google has ended our access to this account.' })
      .where('user_id', '=', host.id)
      .execute()
    await page.reload()
    await page.getByText('Google has ended our access to this account.').waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await overflowOf(page), 0)
    await passThrough(`Reconnect ${ADA.address}`)
    await page.getByText('Google · connected').waitFor()
    await button(page, `Disconnect ${ADA.address}`).press('Enter')
    await heading(page, `Disconnect ${ADA.address}?`).waitFor()
    await page.locator('.dialog').getByRole('button', { name: 'Disconnect' }).press('Enter')
    await page.getByText(ADA.address, { exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(await stage.db.selectFrom('connections').selectAll().execute(), [])
  })

  it('copies a one-time link in two clicks, lists it, and ends it', async () => {
    const { email, eventType } = await add('sharing')
    const page = await visitAsHost(stage, email, '/app/event-types')
    await button(page, 'More actions: A talk').click()
    await page.getByRole('menuitem', { name: 'Copy one-time link' }).click()
    const note = page.getByRole('status').filter({ hasText: 'One-time link copied' })
    const url = (await note.locator('code').innerText()).trim()
    assert.match(url, /\/l\/[\w-]{43}$/)
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a one-time link')
    await page.getByRole('link', { name: 'A talk' }).click()
    await page.getByRole('tab', { name: 'Advanced' }).click()
    await page.getByText('0 of 1 booked').waitFor()
    await button(page, 'New private link').click()
    await page.getByLabel('Note').fill('For Grace')
    await page.getByLabel('Number of bookings').fill('')
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a new private link')
    await page.locator('.dialog').getByRole('button', { name: 'Create' }).click()
    await heading(page, 'Your private link').waitFor()
    await button(page, 'I’ve saved it').click()
    await page.getByText('0 booked').waitFor()
    await button(page, 'End link: For Grace').press('Enter')
    await heading(page, 'End this link?').waitFor()
    await page.locator('.dialog').getByRole('button', { name: 'End link' }).press('Enter')
    await page.getByText('For Grace').waitFor({ state: 'detached' })
    const links = stage.db.selectFrom('private_links').select('uses')
    assert.deepEqual(await links.where('event_type_id', '=', eventType.id).execute(), [{ uses: 1 }])
  })

  it('shows the secret of a webhook once, and its deliveries', async () => {
    const { email } = await add('hooked')
    const page = await visitAsHost(stage, email, '/app/webhooks')
    await button(page, 'New webhook').click()
    await page.getByLabel('Endpoint URL').fill('http://nowhere')
    await button(page, 'Create').click()
    await refusalAt(page, 'Endpoint URL', /https/)
    await page.getByLabel('Endpoint URL').fill('https://93.184.215.14/in')
    await button(page, 'Create').click()
    const secret = (await page.locator('[data-secret]').innerText()).trim()
    assert.match(secret, /^whsec_/)
    await button(page, 'I’ve saved it').click()
    await heading(page, '93.184.215.14').waitFor()
    assert.equal((await page.content()).includes(secret), false)
    await page.getByText('No deliveries').waitFor()
  })

  it('polls a replay until it is done', async () => {
    const { host, email } = await add('replayed')
    const webhook = await addWebhook(stage.db, host)
    await addDelivery(stage.db, webhook, { createdAt: TUESDAY_TEN - 48 * HOUR })
    const page = await visitAsHost(stage, email, `/app/webhooks/${webhook.id}`)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('status=pending&limit=100')) asked++
    })
    await button(page, 'Resend all failed').click()
    await page.getByText('0 of 1 resent…').waitFor()
    await stage.db.updateTable('webhook_deliveries').set({ status: 'succeeded' }).execute()
    await page.getByText('1 delivery resent.').waitFor()
    const before = asked
    for (const view of [/^Failed/, /^Delivered/]) {
      const listed = page.waitForResponse((response) => response.url().includes('limit=20'))
      await button(page, view).click()
      await listed
    }
    assert.equal(asked, before)
  })

  it('fits a phone of 360 pixels', async () => {
    const { host, eventType, email } = await add('small', {
      name: 'Donaudampfschifffahrtsgesellschaftskapitän',
      requiresApproval: true,
    })
    await book(host, TUESDAY_TEN, 'Grace Guest')
    const moved = await book(host, TUESDAY_TEN + HOUR, 'Ann Other')
    await moveInCalendar(stage.db, moved, TUESDAY_TEN + 2 * HOUR, TUESDAY_TEN + 3 * HOUR)
    const [hours] = await stage.db
      .selectFrom('schedules')
      .select('id')
      .where('user_id', '=', host.id)
      .execute()
    const page = await visitAsHost(stage, email, '/app/bookings', { viewport: { width: 360, height: 740 } })
    await page.goto(`${stage.url}/app/availability?schedule=${hours?.id}`)
    await page.getByLabel('Name', { exact: true }).fill('Working hours of a person with a long name')
    await button(page, 'Save changes').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    for (const path of [
      'bookings',
      'bookings?layout=week',
      `bookings/${moved}`,
      'audit',
      'event-types',
      `event-types/${eventType.id}`,
      'availability',
      'profile',
    ]) {
      await page.goto(`${stage.url}/app/${path}`)
      await page.locator('.dashboard h1').waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await overflowOf(page), 0, path)
      const cut = await page
        .locator('.table-scroll')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
      assert.equal(cut, 0, path)
      const crowded = await page.locator('.segments button').evaluateAll((all) =>
        all
          .filter((one) => {
            const text = document.createRange()
            text.selectNodeContents(one)
            const [inner, outer] = [text.getBoundingClientRect(), one.getBoundingClientRect()]
            // Without enough room, the text runs into the padding on its right.
            return outer.right - inner.right < inner.left - outer.left - 1
          })
          .map((one) => one.textContent),
      )
      assert.deepEqual(crowded, [], path)
      if (path.startsWith('event-types/')) {
        await page.getByRole('link', { name: 'Preview' }).click()
        await page.getByRole('region', { name: 'What guests see' }).and(page.locator(':focus')).waitFor()
      }
    }
    // The last page, the profile, has settings that hold everywhere.
    await page.getByLabel('Time format').selectOption('12 hours (1:30 pm)')
    await page.getByLabel('Start of the week').selectOption('Sunday')
    const picture = page.locator('input[type=file]').first()
    await picture.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await page.getByText('Your browser can’t read this file.').waitFor()
    await picture.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG })
    await page.getByText('Uploaded. Save to use it.').waitFor()
    const preview = page.locator('.image-field img')
    await preview.evaluate((image: HTMLImageElement) => image.decode())
    assert.equal(await overflowOf(page), 0)
    await button(page, 'Save changes').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const { avatar_url } = await stage.db
      .selectFrom('schedulers')
      .select('avatar_url')
      .where('id', '=', host.id)
      .executeTakeFirstOrThrow()
    assert.ok((await preview.getAttribute('src'))?.endsWith(avatar_url) && avatar_url !== '')
    await page.goto(`${stage.url}/app/availability`)
    await page
      .getByLabel('Monday, end time 1')
      .locator('option:checked', { hasText: '5:00 pm' })
      .waitFor({ state: 'attached' })
    assert.deepEqual(
      [
        await page.getByRole('switch').first().getAttribute('aria-label'),
        await page.locator('th').first().innerText(),
      ],
      ['Sunday', 'Sun'],
    )
    await button(page, 'Menu').click()
    await page.getByRole('link', { name: 'Insights' }).click()
    await heading(page, 'Insights').waitFor()
  })

  it('cannot be framed, indexed or cached', async () => {
    const answer = await fetch(`${stage.url}/app/bookings/${newId()}`, {
      headers: { accept: 'text/html' },
    })
    await answer.body?.cancel()
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self' 'sha256-[^' ]+'; .*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.match(answer.headers.get('x-robots-tag') ?? '', /noindex/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })
})
