import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { addEventType, addTeam, addUser, bookingOf, plainEventType } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { openStage, overflowOf, type Stage, untilFocused } from './stage.ts'

const HOUR = 3_600_000
const TUESDAY_TEN = Date.UTC(2027, 2, 23, 10)

describe('bookings in the dashboard', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(async () => stage?.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const guest = (page: Page, name: string) => page.getByRole('link', { name })
  const panel = (page: Page, name: string) => page.getByRole('dialog', { name })

  /** A host, with an event type of their own. */
  async function add(slug: string, given: Partial<EventType> = {}) {
    const host = await addUser(stage.db, slug)
    const talk = await addEventType(stage.db, host, {
      slug: 'talk',
      name: 'A talk',
      noticeMinutes: 0,
      ...given,
    })
    return { host, talk, email: `${slug}@hosts.example` }
  }

  async function book(
    { slug }: Pick<Scheduler, 'slug'>,
    startsAt: number,
    inviteeName: string,
    more: object = {},
  ): Promise<string> {
    const body = bookingOf(plainEventType(), startsAt, { inviteeName, ...more })
    const { status } = await stage.post(`/api/public/scheduling/${slug}/talk/book`, body)
    assert.equal(status, 201)
    const row = await stage.db
      .selectFrom('bookings')
      .select('id')
      .where('invitee_email', '=', body.inviteeEmail)
      .where('starts_at', '=', startsAt)
      .executeTakeFirstOrThrow()
    return row.id
  }

  const cancelled = (id: string) =>
    stage.db.updateTable('bookings').set({ status: 'Cancelled' }).where('id', '=', id).execute()

  const statusOf = async (id: string) =>
    (await stage.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status

  it('opens a booking beside the list, and goes on with j and k', async () => {
    const { host, email } = await add('beside')
    for (const [index, name] of ['Ann First', 'Ben Second', 'Cleo Third'].entries())
      await book(host, TUESDAY_TEN + index * HOUR, name)
    const page = await visitAsHost(stage, email, '/app/bookings')
    await guest(page, 'Ann First').click()
    await panel(page, 'Ann First').waitFor()
    await page.getByText('The meeting was booked.').waitFor()
    await assertAccessible(page, 'a booking beside the list')
    assert.match(page.url(), /open=/)
    await page.keyboard.press('j')
    await panel(page, 'Ben Second').waitFor()
    await button(page, 'Next booking').click()
    await panel(page, 'Cleo Third').waitFor()
    await page.keyboard.press('k')
    await panel(page, 'Ben Second').waitFor()
    await page.reload()
    await panel(page, 'Ben Second').waitFor()
    await panel(page, 'Ben Second').getByRole('link', { name: 'Open as a page' }).click()
    await page.getByRole('heading', { name: 'Ben Second' }).waitFor()
    assert.match(new URL(page.url()).pathname, /^\/app\/bookings\/[0-9a-f-]+$/)
    await page.goBack()
    await panel(page, 'Ben Second').waitFor()
    await page.keyboard.press('Escape')
    await panel(page, 'Ben Second').waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /open=/)
  })

  it('keeps filters in the address, and under a name', async () => {
    const { host, email } = await add('kept')
    await book(host, TUESDAY_TEN, 'Zoe Wanted')
    await book(host, TUESDAY_TEN + HOUR, 'Yan Other')
    const page = await visitAsHost(stage, email, '/app/bookings')
    await guest(page, 'Yan Other').waitFor()
    await page.getByLabel('Search by guest').fill('zoe')
    await guest(page, 'Yan Other').waitFor({ state: 'detached' })
    await page.waitForURL(/text=zoe/)
    await page.reload()
    await guest(page, 'Zoe Wanted').waitFor()
    assert.equal(await guest(page, 'Yan Other').count(), 0)
    await button(page, 'Save view').click()
    await page.getByLabel('Name').fill('Zoes')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('link', { name: 'Zoes' }).waitFor()
    await page.goto(`${stage.url}/app/bookings`)
    await guest(page, 'Yan Other').waitFor()
    await page.getByRole('link', { name: 'Zoes' }).click()
    await guest(page, 'Yan Other').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Search by guest').inputValue(), 'zoe')
    await button(page, 'Remove Zoes').click()
    await page.getByRole('link', { name: 'Zoes' }).waitFor({ state: 'detached' })

    await page.goto(`${stage.url}/app/bookings`)
    await cancelled(await book(host, TUESDAY_TEN + 2 * HOUR, 'Xena Gone'))
    await button(page, 'Filter').click()
    await button(page, 'Status As in this list').click()
    for (const status of ['Confirmed', 'Cancelled'])
      await page.getByRole('menuitemcheckbox', { name: status }).click()
    await page.keyboard.press('Escape')
    await guest(page, 'Xena Gone').waitFor()
    await guest(page, 'Yan Other').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('status'), 'Confirmed,Cancelled')
    await button(page, 'Status 2 chosen').waitFor()
    await assertAccessible(page, 'filters of bookings', 'main')
    await page.reload()
    await guest(page, 'Xena Gone').waitFor()
  })

  it('changes many at once: asks once, names failures, and undoes', async () => {
    const { host, email } = await add('many', { requiresApproval: true })
    const ids = []
    for (const [index, name] of ['Una', 'Vic', 'Wim'].entries())
      ids.push(await book(host, TUESDAY_TEN + index * HOUR, name))
    const page = await visitAsHost(stage, email, '/app/bookings?view=pending')
    await page.getByLabel('Select Una').check()
    await page.getByLabel('Select Vic').check()
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, /^Export$/).click()])
    const text = await readFile(await file.path(), 'utf8')
    assert.match(text, /Una/)
    assert.doesNotMatch(text, /Wim/)
    const bar = page.getByRole('region', { name: 'Selected bookings' })
    await bar.getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Approve 2 requests?' })
    await dialog.waitFor()
    await assertAccessible(page, 'many at once')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved 2 requests').waitFor()
    assert.deepEqual(await Promise.all(ids.map(statusOf)), ['Confirmed', 'Confirmed', 'PendingApproval'])
    await button(page, /^Undo$/).click()
    await page.getByLabel('Select Una').waitFor()
    assert.deepEqual(await Promise.all(ids.map(statusOf)), Array(3).fill('PendingApproval'))

    // One of them was answered elsewhere meanwhile.
    await page.getByLabel('Select all').check()
    await stage.db
      .updateTable('bookings')
      .set({ status: 'Cancelled' })
      .where('id', '=', ids[1] as string)
      .execute()
    await bar.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
    const failed = page.getByRole('alert').filter({ hasText: '1 booking stayed as it was' })
    await failed.getByText(/^Vic: /).waitFor()
    assert.deepEqual(await Promise.all(ids.map(statusOf)), ['Confirmed', 'Cancelled', 'Confirmed'])
  })

  it('shows pictures of hosts who have one, and rows that keep their height', async () => {
    const { host, email } = await add('pictured', { location: { type: 'Video', value: '' } })
    for (const hour of [0, 1, 2, 3]) await book(host, TUESDAY_TEN + hour * HOUR, `Guest ${hour}`)
    const page = await visitAsHost(stage, email, '/app/bookings')
    await page.locator('.host-badge span.initials').first().waitFor()
    const avatar_url = '/images/01a1ebfa-ae0c-7883-a074-f7b820eb7e1f'
    await stage.db.updateTable('schedulers').set({ avatar_url }).where('id', '=', host.id).execute()
    // Each row is measured when it is drawn, and when all that it shows is there.
    await page.addInitScript(() => {
      new MutationObserver(() => {
        for (const row of document.querySelectorAll<HTMLElement>('main .toolbar, main .row-booking'))
          if (row.offsetHeight > 0) row.dataset.drawn ??= `${row.offsetTop} ${row.offsetHeight}`
      }).observe(document, { childList: true, subtree: true, attributes: true })
    })
    await page.route('**/images/*', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    await page.route('**/api/admin/event-types*', async (route) => {
      await page.locator('.row-booking').first().waitFor()
      await route.continue()
    })
    await page.route('**/api/admin/attention', async (route) => {
      await page.locator('.row-booking').first().waitFor({ state: 'attached' })
      await route.continue()
    })
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      await page.setViewportSize(viewport)
      await page.goto(`${stage.url}/app/bookings`)
      await page.getByText('A talk').first().waitFor()
      await page.locator('.attention').waitFor()
      const moved = await page
        .locator('main .toolbar, main .row-booking')
        .evaluateAll((rows) =>
          rows.flatMap((row) =>
            row instanceof HTMLElement && row.dataset.drawn !== `${row.offsetTop} ${row.offsetHeight}`
              ? [row.textContent]
              : [],
          ),
        )
      assert.deepEqual(moved, [], `${viewport.width}`)
    }
    const src = await page.locator('img.initials').first().getAttribute('src')
    assert.equal(src, avatar_url)
  })

  it('folds the guests of one meeting into a row', async () => {
    const { host, email } = await add('folded', { seats: 3 })
    await book(host, TUESDAY_TEN, 'Seat One')
    await book(host, TUESDAY_TEN, 'Seat Two')
    const page = await visitAsHost(stage, email, '/app/bookings')
    const row = button(page, '2 guests')
    await row.waitFor()
    assert.equal(await guest(page, 'Seat One').count(), 0)
    await row.click()
    await guest(page, 'Seat One').waitFor()
    await guest(page, 'Seat Two').waitFor()
    await assertAccessible(page, 'the guests of a meeting')
    assert.equal(await row.getAttribute('aria-expanded'), 'true')
  })

  it('shows the history and other bookings of the guest, and keeps notes for hosts', async () => {
    const { host, email } = await add('told')
    const inviteeEmail = 'gwen@guests.example'
    const id = await book(host, TUESDAY_TEN, 'Gwen Guest', { inviteeEmail })
    await book(host, TUESDAY_TEN + HOUR, 'Gwen Guest', { inviteeEmail })
    const page = await visitAsHost(stage, email, `/app/bookings/${id}`)
    await page.getByRole('region', { name: 'History' }).getByText('The meeting was booked.').waitFor()
    const related = page.getByRole('region', { name: 'Other bookings of this guest' })
    await related.getByRole('link', { name: /23 Mar 2027/ }).waitFor()
    await page.getByRole('textbox', { name: 'Notes for hosts' }).fill('Likes tea')
    await button(page, 'Save changes').click()
    await button(page, 'Save changes').waitFor({ state: 'detached' })
    await page.reload()
    assert.equal(await page.getByRole('textbox', { name: 'Notes for hosts' }).inputValue(), 'Likes tea')
    await page.getByText('The booking was changed.').waitFor()
  })

  it('shows my week, the team’s in colours, busy times, and another zone', async () => {
    const { host: ann, email } = await add('ann-week')
    const { host: bob } = await add('bob-week')
    const crew = await addTeam(stage.db, 'crew-week')
    for (const [userId, role] of [[ann.id, 'owner'] as const, [bob.id, 'member'] as const])
      await insertTeamMember(stage.db, { teamId: crew.id, userId, role }, 0)
    await addEventType(stage.db, crew, { slug: 'talk', name: 'Crew talk', noticeMinutes: 0 }, [
      { hostId: bob.id, fixed: true },
    ])
    await book(ann, TUESDAY_TEN, 'My Guest')
    await book(crew, TUESDAY_TEN, 'Bobs Guest')
    await stage.db
      .insertInto('absences')
      .values({
        id: ann.id,
        user_id: ann.id,
        starts_at: TUESDAY_TEN + 3 * HOUR,
        ends_at: TUESDAY_TEN + 5 * HOUR,
        note: 'Dentist',
      })
      .execute()
    const page = await visitAsHost(stage, email, '/app/bookings?layout=week')
    await guest(page, 'My Guest').waitFor()
    await page.getByText('Time off: Dentist').waitFor()
    assert.equal(await guest(page, 'Bobs Guest').count(), 0)
    await button(page, 'Team').click()
    await page.getByRole('link', { name: /Bobs Guest.*bob-week/i }).waitFor()
    await page.waitForURL(/hosts=team/)
    await assertAccessible(page, 'the week of a team')
    await guest(page, 'Bobs Guest').click()
    await panel(page, 'Bobs Guest').waitFor()
    assert.match(page.url(), /layout=week.*open=/)
    await page.keyboard.press('Escape')
    await panel(page, 'Bobs Guest').waitFor({ state: 'detached' })
    await button(page, bob.name).click()
    await guest(page, 'My Guest').waitFor({ state: 'detached' })
    await page.reload()
    await guest(page, 'Bobs Guest').waitFor()
    assert.match(await guest(page, 'Bobs Guest').innerText(), /10:00/)
    await page.goto(`${page.url()}&zone=America/New_York`)
    await guest(page, 'Bobs Guest').waitFor()
    assert.match(await guest(page, 'Bobs Guest').innerText(), /06:00/)
  })

  it('moves a meeting by drag and by keys, and books a free time', async () => {
    const { host, email } = await add('mover')
    const id = await book(host, TUESDAY_TEN, 'Mo Ving')
    const page = await visitAsHost(stage, email, '/app/bookings?layout=week')
    const startOf = async () =>
      (
        await stage.db
          .selectFrom('bookings')
          .select('starts_at')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).starts_at
    await guest(page, 'Mo Ving').focus()
    await page.keyboard.press('m')
    await untilFocused(page, /\d\d:\d\d/)
    await assertAccessible(page, 'times to move to')
    await button(page, /Move to 24 Mar 2027, 14:00/).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Move Mo Ving to 24 Mar 2027, 14:00?' })
    await dialog.getByRole('button', { name: 'Confirm new time' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await startOf(), TUESDAY_TEN + 28 * HOUR)

    const from = await guest(page, 'Mo Ving').boundingBox()
    assert.ok(from)
    await page.mouse.move(from.x + 20, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, from.y + 40, { steps: 4 })
    const slot = page.getByRole('button', { name: /Move to 25 Mar 2027, 10:00/ })
    const to = await slot.boundingBox()
    assert.ok(to)
    await page.mouse.move(to.x + 10, to.y + 5, { steps: 4 })
    await page.mouse.up()
    const asked = page.getByRole('alertdialog', { name: 'Move Mo Ving to 25 Mar 2027, 10:00?' })
    await asked.getByRole('button', { name: 'Keep current time' }).click()
    assert.equal(await startOf(), TUESDAY_TEN + 28 * HOUR)

    const free = page.locator('.week-column').nth(3).locator('.week-free')
    await free.click({ position: { x: 20, y: 100 } })
    const sheet = page.getByRole('dialog', { name: 'Book for a guest' })
    assert.equal(await sheet.getByLabel('Date').inputValue(), '2027-03-25')
    assert.match(await sheet.getByLabel('Time', { exact: true }).inputValue(), /^\d\d:(00|15|30|45)$/)
  })

  for (const width of [1280, 360]) {
    it(`fits into ${width} pixels`, async () => {
      const { host, email } = await add(`wide-${width}`)
      await book(host, TUESDAY_TEN, 'A guest with quite a long name for such a narrow screen')
      const viewport = { width, height: 800 }
      for (const path of ['/app/bookings', '/app/bookings?layout=week&date=2027-03-23']) {
        const page = await visitAsHost(stage, email, path, { viewport })
        await page.getByRole('link', { name: /A guest with/ }).waitFor()
        assert.equal(await overflowOf(page), 0, path)
      }
    })
  }
})
