import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { sentence } from '../../src/domain/sentence.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { addEventType, addTeam, addUser, bookingOf, plainEventType } from '../kit.ts'
import { type GoogleStandIn, startGoogle } from '../outside/google.ts'
import { addDelivery, addWebhook } from '../webhooks.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { openStage, overflowOf, type Stage } from './stage.ts'

describe('details of the dashboard', () => {
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

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

  it('has one line for each weekday, whose hours can be copied to others', async () => {
    const host = await addUser(stage.db, 'liner')
    const page = await visitAsHost(stage, 'liner@hosts.example', '/app/availability')
    await page.locator('.week-day').nth(6).waitFor()
    const boxes = await page.locator('.week-day').evaluateAll((days) =>
      days.map((day) => {
        const [name, hours] = ['.switch-row', '.open-hours'].map((part) =>
          day.querySelector(part)?.getBoundingClientRect(),
        )
        return (name?.y ?? 0) < (hours?.bottom ?? 0) && (hours?.y ?? 0) < (name?.bottom ?? 0)
      }),
    )
    assert.deepEqual(boxes, Array(7).fill(true))
    const zone = await page.getByText('Time zone', { exact: true }).boundingBox()
    const monday = await page.locator('.week-day').first().boundingBox()
    assert.ok(zone && monday && zone.y < monday.y, 'the time zone comes first')
    await page.getByLabel('Monday, end time 1').selectOption('12:00')
    await button(page, 'Add hours (Monday)').click()
    await button(page, 'Copy Monday to…').click()
    await page.getByRole('menuitem', { name: 'Sunday' }).click()
    await button(page, 'Save changes').click()
    await page.locator('.save-state').getByText('Saved').waitFor()
    const { weekly } = await stage.db
      .selectFrom('schedules')
      .select('weekly')
      .where('user_id', '=', host.id)
      .executeTakeFirstOrThrow()
    const days = JSON.parse(weekly)
    assert.equal(days[1].length, 2)
    assert.deepEqual(days[7], days[1])
    await assertAccessible(page, 'availability', 'main')
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await overflowOf(page), 0)
  })

  it('shows providers that are not set up, and revokes a link only where there is one', async () => {
    await addUser(stage.db, 'linker')
    const page = await visitAsHost(stage, 'linker@hosts.example', '/app/calendars')
    assert.equal(await button(page, 'Connect Google').isEnabled(), true)
    const missing = button(page, /^Connect Zoom/)
    assert.equal(await missing.isDisabled(), true)
    await page.getByText(/Zoom.*: Your administrator can turn this on\./).waitFor()
    assert.equal(await button(page, 'Revoke link').count(), 0)
    await button(page, 'Create new link').click()
    await button(page, 'I’ve saved it').click()
    await button(page, 'Revoke link').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click()
    await page.getByText('Link revoked.').waitFor()
    assert.equal(await button(page, 'Revoke link').count(), 0)
  })

  it('asks for the language outside of the branding, and for the German form of address where it matters', async () => {
    const ada = await addUser(stage.db, 'speaker')
    const crew = await addTeam(stage.db, 'speakers')
    await insertTeamMember(stage.db, { teamId: crew.id, userId: ada.id, role: 'owner' }, 0)
    const page = await visitAsHost(stage, 'speaker@hosts.example', '/app/profile')
    const section = page.getByRole('region', { name: 'Language' })
    await section.getByLabel('Language').waitFor()
    assert.equal(await page.getByLabel('German form of address').count(), 0)
    await section.getByLabel('Language').selectOption('Deutsch')
    await page.getByLabel('German form of address').waitFor()
    await button(page, 'Discard').click()
    await page.goto(`${stage.url}/app/teams/${crew.id}`)
    await page.getByRole('region', { name: 'Team page' }).getByLabel('About the team').waitFor()
    assert.equal(await page.getByText(/your guests|your pages/i).count(), 0)
  })

  it('marks test deliveries, names their events, and says errors in the host’s language', async () => {
    const host = await addUser(stage.db, 'hooker')
    const webhook = await addWebhook(stage.db, host)
    await addDelivery(stage.db, webhook, { test: true })
    await addDelivery(stage.db, webhook, {
      event: 'booking.cancelled',
      error: sentence`The response was ${500}.`,
    })
    const page = await visitAsHost(stage, 'hooker@hosts.example', `/app/webhooks/${webhook.id}`)
    const rows = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
    const tested = rows.filter({ has: button(page, 'Booking created') })
    assert.match(await tested.innerText(), /Test ·/)
    const other = rows.filter({ has: button(page, 'Booking cancelled') })
    assert.doesNotMatch(await other.innerText(), /Test/)
    await page.getByRole('region', { name: 'Account' }).getByLabel('Language').selectOption('Deutsch')
    await page
      .getByText(/Die Antwort war 500\./)
      .first()
      .waitFor()
  })

  it('lets a host choose the format of a webhook, its events and a secret of their own', async () => {
    const host = await addUser(stage.db, 'mover')
    const page = await visitAsHost(stage, 'mover@hosts.example', '/app/webhooks')
    await button(page, 'New webhook').click()
    await page.getByLabel('Endpoint URL').fill('https://93.184.215.14/in')
    assert.equal(await page.getByLabel('Your own secret').count(), 0)
    await page.getByLabel('Format').selectOption('Cal.com')
    await page.getByLabel('Approval requested').check()
    await page.getByLabel('Your own secret').fill('known there')
    await assertAccessible(page, 'a webhook in another format', '.overlay')
    await button(page, 'Create').click()
    await button(page, 'I’ve saved it').click()
    const stored = () =>
      stage.db
        .selectFrom('webhooks')
        .select(['format', 'events', 'secret'])
        .where('scheduler_id', '=', host.id)
        .executeTakeFirstOrThrow()
    const { format, events, secret } = await stored()
    assert.deepEqual([format, events], ['calcom', '["BOOKING_REQUESTED"]'])
    await button(page, 'Use your own secret').click()
    await page.getByRole('textbox', { name: 'Your own secret' }).fill('another')
    await page.locator('.dialog').getByRole('button', { name: 'Save changes' }).click()
    await page.locator('.dialog').waitFor({ state: 'detached' })
    assert.notEqual((await stored()).secret, secret)
    await page.getByLabel('Format').selectOption('Calendly')
    await button(page, 'Save changes').click()
    await page.locator('.save-state').getByText('Saved').waitFor()
    const changed = await stored()
    assert.deepEqual([changed.format, changed.events], ['calendly', '[]'])
  })

  it('ends a session on another device, and the audit log leads from there, filtered', async () => {
    const host = await addUser(stage.db, 'enderer')
    const { id } = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk' })
    const other = await visitAsHost(stage, 'enderer@hosts.example', `/app/event-types/${id}`)
    await other.getByLabel('Name', { exact: true }).fill('A long talk')
    await button(other, 'Save changes').click()
    await other.locator('.save-state').getByText('Saved').waitFor()

    const page = await visitAsHost(stage, 'enderer@hosts.example', '/app/profile')
    await page.getByText('Chrome on Linux').nth(1).waitFor()
    assert.equal(await page.getByText('This device', { exact: true }).count(), 1)
    await button(page, /^End session: Chrome on Linux/).click()
    await button(page, /^End session/).waitFor({ state: 'detached' })
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()

    await page.goto(`${stage.url}/app/audit`)
    await page.getByText('Session ended').waitFor()
    await page.getByLabel('What', { exact: true }).selectOption('Event type')
    await page.getByText('Session ended').waitFor({ state: 'detached' })
    assert.match(page.url(), /\?objectType=event-type$/)
    await page.getByLabel('Person').fill('nobody')
    await page.getByText('No matching changes').waitFor()
    await page.reload()
    await page.getByText('No matching changes').waitFor()
    assert.equal(await page.getByLabel('Person').inputValue(), 'nobody')
    await page.getByLabel('Person').fill('ENDERER')
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'A long talk' }).waitFor()
    await button(page, 'Download CSV').click()
    assert.equal((await saved).suggestedFilename(), 'audit.csv')
    await assertAccessible(page, 'audit', 'main')
    await page.getByRole('link', { name: 'A long talk' }).click()
    await page.waitForURL(new RegExp(`/app/event-types/${id}$`))
  })

  it('offers to hand meetings over before an account is disabled', async () => {
    const [boss, ben] = [await addUser(stage.db, 'boss'), await addUser(stage.db, 'benny')]
    await updateUser(stage.db, boss.id, { admin: true })
    const crew = await addTeam(stage.db, 'handover')
    for (const { id } of [boss, ben]) {
      await insertTeamMember(stage.db, { teamId: crew.id, userId: id, role: 'owner' }, 0)
    }
    const call = { slug: 'talk', name: 'A talk', assignment: 'round-robin' } as const
    await addEventType(stage.db, crew, call, [{ hostId: ben.id, fixed: false }])
    const body = bookingOf(plainEventType(), Date.UTC(2027, 2, 23, 10))
    assert.equal((await stage.post('/api/public/scheduling/handover/talk/book', body)).status, 201)
    const page = await visitAsHost(stage, 'boss@hosts.example', '/app/people')
    await button(page, `Disable ${ben.name}`).click()
    await page.getByText(`${ben.name} has 1 upcoming meeting.`).waitFor()
    await assertAccessible(page, 'disabling a person', '.overlay')
    await button(page, 'Hand over meetings').click()
    await page.getByRole('dialog', { name: `Hand over ${ben.name}’s meetings` }).waitFor()
    await button(page, 'Cancel').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
    await button(page, `Enable ${ben.name}`).waitFor()
  })
})
