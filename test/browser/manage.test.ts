import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { addEventType, addUser, bookingOf } from '../kit.ts'
import { openStage, overflowOf, type Stage, untilFocused } from './stage.ts'

describe('the page of a guest’s own booking', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  /** Books on Wednesday at 10:00 UTC, and returns the page's address. */
  const booked = async (slug: string, given: Partial<EventType> = {}): Promise<string> => {
    const host = await addUser(stage.db, slug)
    const eventType = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk', ...given })
    const body = bookingOf(eventType, Date.UTC(2027, 2, 24, 10))
    const { location } = await stage.post(`/api/public/scheduling/${slug}/talk/book`, body)
    const { pathname, search } = new URL(location ?? '')
    return pathname.replace('/api/public/bookings/', '/booking/') + search
  }
  const bookingOn = async (path: string) => {
    const id = path.split('/')[2]?.split('?')[0] as string
    return stage.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('shows the booking in the guest’s zone, in the host’s colour', async () => {
    const page = await stage.visit(await booked('shown'))
    await page.getByRole('heading', { name: 'A talk' }).waitFor()
    assert.match(await page.getByRole('main').innerText(), /24 March 2027\s+11:00 – 11:30 \(Berlin, GMT\+1\)/)
    await page.waitForFunction(() =>
      document.documentElement.style.getPropertyValue('--accent').includes('#123456'),
    )
  })

  it('offers what the mail offers to the guest’s calendar, as long as the meeting is confirmed', async () => {
    const path = await booked('calendar')
    const page = await stage.visit(path)
    await page.getByText('Add to calendar').waitFor()
    const { id } = await bookingOn(path)
    const { calendarLinks } = await stage.ownBooking(id)
    assert.equal(calendarLinks.length, 3)
    for (const { name, url } of calendarLinks) {
      assert.equal(await page.getByRole('link', { name, exact: true }).getAttribute('href'), url)
    }
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download .ics' }).click()
    const text = String((await (await file).createReadStream().then((stream) => stream.toArray())).join(''))
    assert.match(text, new RegExp(`UID:${id}@punctual\r\nSEQUENCE:0\r\n`))
    await stage.db.updateTable('bookings').set({ status: 'PendingApproval' }).where('id', '=', id).execute()
    await page.reload()
    await page.getByText('Pending approval').waitFor()
    assert.equal(await page.getByText('Add to calendar').count(), 0)
  })

  it('moves it to another slot', async () => {
    const path = await booked('moved')
    const page = await stage.visit(path)
    await button(page, 'Reschedule').click()
    await untilFocused(page, 'Choose a new time')
    await page.getByRole('button', { name: /^14:00 Wednesday,? 24 March/ }).click()
    await page.getByRole('heading', { name: /^Reschedule to .*24 March 2027, 14:00/ }).waitFor()
    await button(page, 'Confirm new time').click()
    await page.getByText('Your booking has been rescheduled.').first().waitFor()
    await page.getByText('14:00 – 14:30').waitFor()
    assert.equal((await bookingOn(path)).starts_at, Date.UTC(2027, 2, 24, 13))
  })

  it('cancels it, after asking, with a reason', async () => {
    const path = await booked('cancelled')
    const page = await stage.visit(path, { viewport: { width: 360, height: 740 } })
    await button(page, 'Cancel booking').click()
    const dialog = page.getByRole('alertdialog', { name: 'Cancel this booking?' })
    await dialog.waitFor()
    assert.equal(await overflowOf(page), 0)
    // A change of mind changes nothing.
    await dialog.getByRole('button', { name: 'Keep booking' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await bookingOn(path)).status, 'Confirmed')
    await button(page, 'Cancel booking').click()
    await dialog.getByLabel('Reason (shared with').fill('I am ill.')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByText('Your booking has been cancelled.').first().waitFor()
    await page.getByText('I am ill.').waitFor()
    assert.equal((await bookingOn(path)).status, 'Cancelled')
    assert.equal(await page.getByRole('link', { name: 'Book again' }).getAttribute('href'), '/cancelled/talk')

    // And erases what is known about the guest, who proves their address with a code.
    const { invitee_email: email } = await bookingOn(path)
    await button(page, 'Erase my data').click()
    const erasing = page.getByRole('alertdialog', { name: 'Erase everything about you?' })
    await erasing.getByRole('button', { name: 'Send me a code' }).click()
    await erasing.getByText(`We emailed a code to ${email}.`).waitFor()
    assert.equal(await overflowOf(page), 0)
    const code = stage.mailbox.findLast(({ to }) => to === email)?.subject.slice(0, 6) ?? ''
    const field = erasing.getByLabel('Code from the email')
    await field.fill(code === '000000' ? '111111' : '000000')
    await erasing.getByRole('button', { name: 'Erase my data' }).click()
    await erasing.getByText('This code is wrong. Tries left: 9.').waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await field.fill(code)
    await erasing.getByRole('button', { name: 'Erase my data' }).click()
    await page.getByRole('heading', { name: 'Your data has been erased' }).waitFor()
    assert.equal((await bookingOn(path)).invitee_email, '')
  })

  it('says why, when it cannot be moved after all', async () => {
    const path = await booked('beaten')
    const page = await stage.visit(path)
    await button(page, 'Reschedule').click()
    await page.getByRole('button', { name: /^15:00 Wednesday/ }).click()
    const eventType = { durationMinutes: 30 } as EventType
    const other = bookingOf(eventType, Date.UTC(2027, 2, 24, 14))
    assert.equal((await stage.post('/api/public/scheduling/beaten/talk/book', other)).status, 201)
    await button(page, 'Confirm new time').click()
    assert.match(await page.locator('.alert').innerText(), /\w/)
    assert.equal((await bookingOn(path)).starts_at, Date.UTC(2027, 2, 24, 10))
  })

  it('offers no change when it is too late for one', async () => {
    const late = { cancelNoticeMinutes: 3 * 24 * 60, rescheduleNoticeMinutes: 3 * 24 * 60 }
    const page = await stage.visit(await booked('late', late))
    await page.getByText('It’s too late to change this booking online.').waitFor()
    for (const name of ['Reschedule', 'Cancel booking']) assert.equal(await button(page, name).count(), 0)
    const address = page.getByText('Questions? Write to Name of late:').getByRole('link')
    assert.equal(await address.getAttribute('href'), 'mailto:late@hosts.example')
  })

  it('says that a link does not work, for every kind of wrong link', async () => {
    const [path] = (await booked('forged')).split('?')
    for (const wrong of [`${path}?token=wrong`, String(path), '/booking/nothing?token=x']) {
      const page = await stage.visit(wrong)
      await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor()
    }
  })
})
