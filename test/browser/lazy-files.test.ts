import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { addEventType, addUser, bookingOf } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { openStage, overflowOf, type Stage } from './stage.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const FAILED = 'We couldn’t load this part of the page.'

describe('files that are loaded later', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  const add = async (slug: string) => addEventType(stage.db, await addUser(stage.db, slug), { slug: 'talk' })
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const chosenTime = (page: Page, name: string) =>
    page.getByRole('button', { name: new RegExp(`^${name} \\w`) })

  /** Opens the page without the file, which comes once `restore` was called. */
  const openWithout = async (path: string, file: string) => {
    const page = await stage.visit('/assets/punctual-mark-2.svg', PHONE)
    const pattern = new RegExp(`/assets/${file}-[\\w-]+\\.js$`)
    await page.route(pattern, (route) => route.abort())
    await page.goto(stage.url + path)
    return { page, restore: () => page.unroute(pattern) }
  }
  const retry = async (page: Page) => {
    await page.getByRole('alert').getByText(FAILED).waitFor()
    await button(page, 'Try again').click()
  }

  it('keep the page and what was typed when the zones do not load, and load them later', async () => {
    await add('zones')
    const { page, restore } = await openWithout('/zones/talk', 'zone-search')
    await chosenTime(page, '14:00').click()
    await page.getByLabel('Name').fill('Grace Guest')
    await button(page, 'Change time').click()
    await button(page, /^Time zone: Berlin/).click()
    await page.getByRole('alert').getByText(FAILED).waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'a part that was not loaded')
    await page.context().setOffline(true)
    const asked = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD')
    await retry(page)
    await asked
    await page.getByRole('alert').getByText(FAILED).waitFor()
    await page.context().setOffline(false)
    await restore()
    await retry(page)
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await chosenTime(page, '14:00').click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Guest')
  })

  it('lead to a reload that keeps what was typed after a new release took their place', async () => {
    await add('release')
    const { page, restore } = await openWithout('/release/talk', 'nothing')
    await restore()
    let reloads = 0
    // As after a deploy: the server has no file of that name.
    await page.route(/\/assets\/zone-search-/, (route) =>
      reloads === 0 ? route.fulfill({ status: 404, json: { error: 'Nothing here.' } }) : route.continue(),
    )
    await page.reload()
    await chosenTime(page, '14:00').click()
    await page.getByLabel('Name').fill('Grace Guest')
    await page.getByLabel('Additional notes').fill('I typed this.')
    await button(page, 'Change time').click()
    await button(page, /^Time zone: Berlin/).click()
    page.on('load', () => {
      reloads++
    })
    const reloaded = page.waitForEvent('load')
    await retry(page)
    await reloaded
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await chosenTime(page, '14:00').click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Grace Guest')
    assert.equal(await page.getByLabel('Additional notes').inputValue(), 'I typed this.')
    assert.doesNotMatch(page.url(), /Grace/)
  })

  for (const [file, opens, title] of [
    ['cancel-dialog', 'Cancel booking', 'Cancel this booking?'],
    ['erase-dialog', 'Erase my data', 'Erase everything about you?'],
  ] as const) {
    it(`keep the booking in sight when ${file} does not load`, async () => {
      const eventType = await add(file)
      const { location } = await stage.post(
        `/api/public/scheduling/${file}/talk/book`,
        bookingOf(eventType, Date.UTC(2027, 2, 24, 10)),
      )
      const { pathname, search } = new URL(location ?? '')
      const path = pathname.replace('/api/public/bookings/', '/booking/') + search
      const { page, restore } = await openWithout(path, file)
      await button(page, opens).click()
      await page.getByRole('alert').getByText(FAILED).waitFor()
      await button(page, 'Reschedule').waitFor()
      await restore()
      await retry(page)
      await page.getByRole('alertdialog', { name: title }).waitFor()
    })
  }

  it('keep the navigation of the dashboard when a page or the search does not load', async () => {
    await add('hosting')
    const page = await visitAsHost(stage, 'hosting@hosts.example', '/app/profile', PHONE)
    const pattern = /\/assets\/(?:teams-page|palette)-/
    await page.route(pattern, (route) => route.abort())
    await button(page, 'Search').click()
    await page.getByRole('alert').getByText(FAILED).waitFor()
    assert.equal(await overflowOf(page), 0)
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    await page.unroute(pattern)
    await retry(page)
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.route(pattern, (route) => route.abort())
    await button(page, 'Menu').click()
    const teams = page.getByRole('link', { name: 'Teams' })
    await teams.click()
    await page.getByRole('heading', { name: 'This couldn’t be loaded', level: 1 }).waitFor()
    await page.getByText(FAILED).waitFor()
    await assertAccessible(page, 'a page of the dashboard that was not loaded')
    await button(page, 'Menu').click()
    await teams.waitFor()
    await page.unroute(pattern)
    await button(page, 'Menu').click()
    await button(page, 'Try again').click()
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor()
  })

  it('are loaded ahead while the browser is idle', async () => {
    await add('idle')
    const page = await stage.visit('/assets/punctual-mark-2.svg')
    const loaded = page.waitForResponse(/\/assets\/zone-search-/)
    await page.goto(`${stage.url}/idle/talk`)
    // With the files that this one imports.
    await page.evaluate((url) => import(url), (await loaded).url())
    await page.context().setOffline(true)
    await button(page, /^Time zone: Berlin/).click()
    await page.getByRole('combobox').waitFor()
  })
})
