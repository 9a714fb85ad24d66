import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { addEventType, addTeam, addUser, bookingOf, plainEventType } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { openStage, overflowOf, type Stage } from './stage.ts'

const TUESDAY_TEN = Date.UTC(2027, 2, 23, 10)
const PHONE = { viewport: { width: 360, height: 740 } }

describe('a workspace for a team', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  const palette = (page: Page) => page.getByRole('dialog', { name: 'Search, or go to a page' })
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
  const listed = (page: Page) => page.locator('.panel .row-title').allTextContents()
  const email = (slug: string) => `${slug}@hosts.example`

  it('says on top of the bookings what needs attention, and leads to the mend', async () => {
    const host = await addUser(stage.db, 'attentive')
    const bare = await addEventType(stage.db, host, {
      slug: 'bare',
      name: 'Bare call',
      location: { type: 'Video', value: '' },
    })
    const page = await visitAsHost(stage, email('attentive'), '/app/bookings')
    const list = page.getByRole('region', { name: '1 thing needs attention' })
    await list.getByText('“Bare call” is a video call without a link.').waitFor()
    await assertAccessible(page, 'what needs attention')
    await list.getByRole('link', { name: /^Add a link: / }).click()
    await page.getByRole('heading', { name: 'Bare call' }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/app/event-types/${bare.id}`)
  })

  it('shows nothing there when all is well', async () => {
    const host = await addUser(stage.db, 'calm')
    await addEventType(stage.db, host, { slug: 'talk' })
    const page = await visitAsHost(stage, email('calm'), '/app/bookings')
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/api/admin/attention')),
      page.reload(),
    ])
    await page.getByText('No upcoming bookings').waitFor()
    assert.equal(await page.locator('.attention').count(), 0)
  })

  it('opens a palette by keys, and goes to pages, guests and event types with it', async () => {
    const host = await addUser(stage.db, 'searcher')
    await addEventType(stage.db, host, { slug: 'talk', name: 'Café talk' })
    const body = bookingOf(plainEventType(), TUESDAY_TEN, { inviteeName: 'Zoë Guest' })
    assert.equal((await stage.post('/api/public/scheduling/searcher/talk/book', body)).status, 201)
    const page = await visitAsHost(stage, email('searcher'), '/app/bookings')
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await untilPlaceholder(page)
    await assertAccessible(page, 'the palette')
    await page.keyboard.type('webho')
    // The best one is chosen already.
    await option(page, 'Webhooks').and(page.locator('[data-focused]')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    // A slash opens it, too, and guests are found without their accents.
    await page.keyboard.press('/')
    await untilPlaceholder(page)
    await page.keyboard.type('zoe')
    await option(page, /^Zoë Guest/)
      .and(page.locator('[data-focused]'))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Zoë Guest' }).waitFor()
    await page.getByRole('button', { name: 'Search' }).click()
    await untilPlaceholder(page)
    await page.keyboard.type('cafe')
    await option(page, /^Café talk/).click()
    await page.getByRole('heading', { name: 'Café talk' }).waitFor()
  })

  it('does something from the palette, and closes it with Escape', async () => {
    const host = await addUser(stage.db, 'doer')
    await addEventType(stage.db, host, { slug: 'talk' })
    const page = await visitAsHost(stage, email('doer'), '/app/event-types')
    await page.keyboard.press('Control+k')
    await untilPlaceholder(page)
    await page.keyboard.type('new')
    await option(page, 'New event type').and(page.locator('[data-focused]')).waitFor()
    await page.keyboard.press('ArrowDown')
    await option(page, 'New form').and(page.locator('[data-focused]')).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await untilPlaceholder(page)
    await page.keyboard.type('nothing like this')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    if ((await palette(page).count()) > 0) await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
  })

  it('leaves a slash alone where someone types', async () => {
    const host = await addUser(stage.db, 'typist')
    for (const name of ['A/B', 'Other']) await addEventType(stage.db, host, { name })
    const page = await visitAsHost(stage, email('typist'), '/app/event-types')
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('a')
    await page.keyboard.press('End')
    await page.keyboard.type('/b')
    await page.getByRole('link', { name: 'Other' }).waitFor({ state: 'detached' })
    assert.deepEqual(await listed(page), ['A/B'])
    assert.equal(await palette(page).count(), 0)
  })

  it('has the palette on a phone', async () => {
    const host = await addUser(stage.db, 'phoned')
    await addEventType(stage.db, host, { name: 'Pocket talk' })
    const page = await visitAsHost(stage, email('phoned'), '/app/bookings', PHONE)
    await page.getByRole('button', { name: 'Search' }).click()
    await untilPlaceholder(page)
    await page.keyboard.type('pocket')
    await option(page, /Pocket talk/).waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'the palette on a phone')
  })

  it('finds and sorts event types, whatever their accents', async () => {
    const host = await addUser(stage.db, 'sorter')
    for (const [position, name] of ['Zebra', 'Été', 'Apple'].entries())
      await addEventType(stage.db, host, { name, position })
    const page = await visitAsHost(stage, email('sorter'), '/app/event-types')
    await page.getByRole('link', { name: 'Zebra' }).waitFor()
    assert.deepEqual(await listed(page), ['Zebra', 'Été', 'Apple'])
    await page.getByLabel('Sort by').selectOption('name')
    assert.deepEqual(await listed(page), ['Apple', 'Été', 'Zebra'])
    assert.equal(await page.getByRole('button', { name: /^Drag / }).count(), 0)
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('ETE')
    await page.getByRole('link', { name: 'Zebra' }).waitFor({ state: 'detached' })
    assert.deepEqual(await listed(page), ['Été'])
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('xyz')
    await page.getByText('Nothing matches').waitFor()
  })

  it('orders event types by dragging and by keys, and guests see that order', async () => {
    const host = await addUser(stage.db, 'orderer')
    for (const [position, name] of ['One', 'Two', 'Three'].entries())
      await addEventType(stage.db, host, { name, position })
    const page = await visitAsHost(stage, email('orderer'), '/app/event-types')
    const saved = () => page.waitForResponse((answer) => answer.url().endsWith('/event-types/order'))
    const grip = (name: string) => page.getByRole('button', { name: `Drag ${name}, or` })
    await grip('Three').focus()
    await Promise.all([saved(), page.keyboard.press('ArrowUp')])
    assert.deepEqual(await listed(page), ['One', 'Three', 'Two'])
    await page.getByText('Three is now number 2 of 3.').waitFor()
    const [from, to] = [await grip('Two').boundingBox(), await grip('One').boundingBox()]
    if (from === null || to === null) assert.fail('nothing to drag')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width / 2, to.y, { steps: 5 })
    await Promise.all([saved(), page.mouse.up()])
    assert.deepEqual(await listed(page), ['Two', 'One', 'Three'])
    const guest = await stage.visit('/orderer')
    await guest.getByRole('link', { name: /Two/ }).waitFor()
    const names = await guest.getByRole('link', { name: /Two|One|Three/ }).allTextContents()
    assert.deepEqual(
      names.map((name) => /Two|One|Three/.exec(name)?.[0]),
      ['Two', 'One', 'Three'],
    )
  })

  it('draws only a part of a thousand event types, and the others as one scrolls', async () => {
    const host = await addUser(stage.db, 'plenty')
    const first = await addEventType(stage.db, host, { name: 'Talk 0', slug: 'talk-0' })
    const row = await stage.db
      .selectFrom('event_types')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    const ids = Array.from(
      { length: 999 },
      (_, i) => `01890a5d-ac96-774b-bcce-${String(i).padStart(12, '0')}`,
    )
    await stage.db.transaction().execute(async (trx) => {
      for (const [i, id] of ids.entries()) {
        const values = { ...row, id, slug: `talk-${i + 1}`, name: `Talk ${i + 1}`, position: i + 1 }
        await trx.insertInto('event_types').values(values).execute()
      }
    })
    const page = await visitAsHost(stage, email('plenty'), '/app/event-types')
    await page.getByRole('link', { name: 'Talk 0', exact: true }).waitFor()
    assert.ok((await page.locator('.panel .row').count()) < 100)
    const last = page.locator('.panel .row').last()
    assert.equal(await page.locator('.panel .row').first().getAttribute('aria-setsize'), '1000')
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.getByRole('link', { name: 'Talk 999' }).waitFor()
    assert.equal(await last.getAttribute('aria-posinset'), '1000')
    await page.getByRole('link', { name: 'Talk 0', exact: true }).waitFor({ state: 'detached' })
    await assertAccessible(page, 'a thousand event types')
  })

  it('gives many hosts one weight at once', async () => {
    const ada = await addUser(stage.db, 'weigher')
    const team = await addTeam(stage.db, 'weighers')
    await insertTeamMember(stage.db, { teamId: team.id, userId: ada.id, role: 'owner' }, 0)
    const hosts = [{ hostId: ada.id, fixed: false }]
    for (let i = 0; i < 9; i++) {
      const member = await addUser(stage.db, `weighed-${i}`)
      await insertTeamMember(stage.db, { teamId: team.id, userId: member.id, role: 'member' }, 0)
    }
    const talk = await addEventType(stage.db, team, { name: 'Shared', assignment: 'round-robin' }, hosts)
    const page = await visitAsHost(stage, email('weigher'), `/app/event-types/${talk.id}`)
    await page.getByRole('tab', { name: 'Hosts' }).click()
    await page.getByRole('button', { name: 'Add everyone' }).click()
    await page.getByLabel('Weight for all hosts').fill('40')
    await page.getByRole('button', { name: 'Set for all' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved').first().waitFor()
    const seats = await stage.db
      .selectFrom('event_type_hosts')
      .select('weight')
      .where('event_type_id', '=', talk.id)
      .execute()
    assert.deepEqual(
      seats.map(({ weight }) => weight),
      Array(10).fill(40),
    )
  })

  it('has invitations on top of people, who can be searched and sorted', async () => {
    const admin = await addUser(stage.db, 'zz-admin')
    await updateUser(stage.db, admin.id, { admin: true })
    const page = await visitAsHost(stage, email('zz-admin'), '/app/people?search=weighed-3')
    await page.getByText('Name of weighed-3', { exact: true }).waitFor()
    assert.equal(await page.locator('.rows-inner .row').count(), 1)
    const sections = await page.locator('.section h2').allTextContents()
    assert.deepEqual(sections, ['Invite people', 'Accounts'])
    await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('weigh')
    await page.getByText('Name of weighed-0', { exact: true }).waitFor()
    const names = () => page.locator('.rows-inner .row-title').allTextContents()
    assert.deepEqual(await names(), (await names()).toSorted())
    await page.getByLabel('Sort by').selectOption('newest')
    await page.locator('.rows-inner .row-title').first().filter({ hasText: 'weighed-8' }).waitFor()
  })

  /** Until the palette takes what is typed. */
  async function untilPlaceholder(page: Page): Promise<void> {
    await page.locator('.palette-input:focus').waitFor()
  }
})
