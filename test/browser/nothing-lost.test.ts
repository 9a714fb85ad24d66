import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { addEventType, addUser } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { signInPath, visitAsHost } from './host.ts'
import { openStage, type Stage } from './stage.ts'

describe('what a host has typed', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  const add = async (slug: string) => {
    const host = await addUser(stage.db, slug)
    const { id } = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk' })
    return { host, id, email: `${slug}@hosts.example`, path: `/app/event-types/${id}` }
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const nameOf = (id: string) =>
    stage.db.selectFrom('event_types').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  const drafts = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('punctual:draft:')))
  /** The page forgets what was typed once it has shown that it is saved. */
  const untilForgotten = async (page: Page) => {
    while ((await drafts(page)).length > 0) await sleep(10)
  }
  const signIn = async (page: Page, email: string) => {
    const tab = await page.context().newPage()
    await tab.goto(stage.url + (await signInPath(stage, email)))
    await button(tab, 'Sign in to Punctual').click()
    await tab.locator('.dashboard h1').waitFor()
  }

  it('survives a reload and signing out, for nobody else, and is forgotten once it is saved', async () => {
    const { id, email, path } = await add('typing')
    const other = await add('other')
    const page = await visitAsHost(stage, email, path)
    await page.getByLabel('Name', { exact: true }).fill('Half a na')
    await page.reload()
    await page.locator('.save-state').getByText('We kept your unsaved changes from before').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half a na')
    await button(page, 'Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, other.email)
    await page.goto(stage.url + other.path)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'A talk')
    await button(page, 'Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, email)
    await page.goto(stage.url + path)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half a na')
    assert.equal((await nameOf(id)).name, 'A talk')
    await button(page, 'Save changes').click()
    await page.locator('.save-state').getByText('Saved').waitFor()
    await untilForgotten(page)
    assert.equal((await nameOf(id)).name, 'Half a na')
  })

  it('is forgotten when one leaves without it', async () => {
    const { email, path } = await add('leaving')
    const page = await visitAsHost(stage, email, path)
    await page.getByLabel('Name', { exact: true }).fill('Never mind')
    await page.getByRole('link', { name: 'Insights' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor()
    await untilForgotten(page)
  })

  it('is saved after signing in again, where the session has ended', async () => {
    const { host, email } = await add('ended')
    const page = await visitAsHost(stage, email, '/app/availability')
    await page.getByLabel('Name', { exact: true }).fill('Still here')
    // As if signed out everywhere, long ago.
    await stage.db.deleteFrom('sessions').where('user_id', '=', host.id).execute()
    await page.route('**/api/admin/**', (route) => route.fulfill({ status: 401, json: { error: 'Over.' } }))
    await button(page, 'Save changes').click()
    const dialog = page.getByRole('alertdialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await page.unroute('**/api/admin/**')
    await page.keyboard.press('Escape')
    await assertAccessible(page, 'signing in again', '.overlay')
    await dialog.getByRole('button', { name: 'Send me a link' }).click()
    await dialog.getByText(`We sent a link to ${email}.`).waitFor()
    await signIn(page, email)
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.save-state').getByText('Saved').waitFor()
    const schedules = stage.db.selectFrom('schedules').select('name').where('user_id', '=', host.id)
    assert.deepEqual(await schedules.execute(), [{ name: 'Still here' }])
  })

  it('is not lost by Escape in a dialog', async () => {
    const { email } = await add('escaping')
    const page = await visitAsHost(stage, email, '/app/event-types')
    await button(page, 'New event type').click()
    const sheet = page.getByRole('dialog', { name: 'New event type' })
    const focused = page.locator('[role=dialog]:focus, [role=dialog] :focus')
    await focused.waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await button(page, 'New event type').click()
    await sheet.getByLabel('Name').fill('Tea')
    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await sheet.getByLabel('Name').inputValue(), 'Tea')
    await focused.waitFor()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await sheet.waitFor({ state: 'detached' })
  })
})
