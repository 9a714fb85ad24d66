import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { addEventType, addUser, bookingOf, plainEventType } from '../kit.ts'
import { addCalendar } from '../rows.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { openStage, overflowOf, type Stage } from './stage.ts'

const TUESDAY_TEN = Date.UTC(2027, 2, 23, 10)
const LINK = 'https://meet.example.org/ada'

describe('what a host still has to say', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  it('is told where the link of a video call is missing, in the editor and with the booking', async () => {
    const host = await addUser(stage.db, 'linkless')
    const location = { type: 'Video', value: '' } as const
    const eventType = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk', location })
    const page = await visitAsHost(stage, 'linkless@hosts.example', `/app/event-types/${eventType.id}`)
    const field = page.getByLabel('Video link, or how to join')
    const warning = page.locator('.field', { has: field }).getByText(/no link/)
    await warning.waitFor()
    assert.equal(
      await warning.innerText(),
      'Video calls have no link yet: guests are told that it follows by email.',
    )
    assert.equal(await page.getByText(/no link yet/).count(), 2, 'once at the field, and once on top')
    const described = (await field.getAttribute('aria-describedby')) ?? ''
    assert.ok(described.length > 0, 'it is read out with its field')
    await assertAccessible(page, 'an event type without a link', 'main')
    await field.fill(LINK)
    await warning.waitFor({ state: 'detached' })

    const body = bookingOf(plainEventType(), TUESDAY_TEN)
    const booked = await stage.post('/api/public/scheduling/linkless/talk/book', body)
    assert.equal(booked.status, 201)
    const { id } = await stage.db.selectFrom('bookings').select('id').executeTakeFirstOrThrow()
    const other = await visitAsHost(stage, 'linkless@hosts.example', `/app/bookings/${id}`)
    await other.getByText('This video call has no link yet.').waitFor()
    await assertAccessible(other, 'a booking without a link', 'main')
    const send = other.getByRole('button', { name: 'Send link' })
    await other.getByLabel('Video link').fill('https://')
    await send.click()
    await other.getByText(/^The link must be a web address/).waitFor()
    await other.setViewportSize({ width: 360, height: 700 })
    assert.equal(await overflowOf(other), 0)
    await other.getByLabel('Video link').fill(LINK)
    await send.click()
    await other.locator('.notice-good', { hasText: 'Link saved.' }).waitFor()
    await other.getByRole('definition').getByText(LINK).waitFor()
    assert.equal(await send.count(), 0)
  })

  it('is whether the tentative events of a calendar count', async () => {
    const host = await addUser(stage.db, 'unsure')
    const calendarId = await addCalendar(stage.db, host.id, { next_refresh_at: Date.UTC(2027, 5, 1) })
    const page = await visitAsHost(stage, 'unsure@hosts.example', '/app/calendars')
    const tentative = page.getByRole('switch', { name: 'Tentative events count' })
    assert.equal(await tentative.getAttribute('aria-checked'), 'true')
    await tentative.click()
    await page.getByRole('switch', { name: 'Tentative events count', checked: false }).waitFor()
    const row = stage.db.selectFrom('calendars').select('tentative').where('id', '=', calendarId)
    assert.equal((await row.executeTakeFirstOrThrow()).tentative, 'free')
  })
})
