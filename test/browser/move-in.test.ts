import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sourced } from '../../src/domain/imports/source.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { asDump, seededSource } from '../imports/seeded-source.ts'
import { runDueJobs } from '../jobs.ts'
import { addUser, plainSurroundings } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { cutOffOn } from './cut-off.ts'
import { visitAsHost } from './host.ts'
import { addJapaneseFont } from './japanese-font.ts'
import { BETWEEN_CHANGES, openStage, overflowOf, type Stage, untilFocused } from './stage.ts'

const WIDE = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 360, height: 740 } }

describe('moving in', () => {
  let stage: Stage
  let folder: string
  let rows: readonly Sourced[]

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-move-in-'))
    stage = await openStage({ surroundings: { ...plainSurroundings, dataDir: folder } })
    const ada = await addUser(stage.db, 'ada')
    await addUser(stage.db, 'ben')
    await updateUser(stage.db, ada.id, { admin: true })
    rows = seededSource({ bookings: 30, now: BETWEEN_CHANGES })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await stage?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const countUsers = async () => {
    const { count } = await stage.db
      .selectFrom('schedulers')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }
  const chooser = (page: Page) => page.locator('input[type=file]')
  const assertFitsPhone = async (page: Page) => {
    await page.setViewportSize(PHONE.viewport)
    assert.equal(await overflowOf(page), 0)
    await page.setViewportSize(WIDE.viewport)
  }
  const dump = (text: string) => ({
    name: 'calcom.sql',
    mimeType: 'application/sql',
    buffer: Buffer.from(text),
  })

  it('leads from a dump to a plan, applies it, and undoes it', async () => {
    const users = await countUsers()
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/event-types', WIDE)
    // The link that signs in is a mail, too.
    const mails = stage.mailbox.length
    await page.getByText('Coming from Cal.com or Calendly?').getByRole('link', { name: 'Move in' }).click()
    await page.getByText('Nothing is written here until you apply it.').waitFor()
    await button(page, 'Read and plan').click()
    await page.getByRole('alert').getByText('Choose a file first.').waitFor()
    await chooser(page).setInputFiles(dump(asDump(rows, { style: 'copy' })))
    await button(page, 'Read and plan').click()
    await page.getByRole('heading', { name: 'Move in from Cal.com' }).waitFor()
    const plan = region(page, 'The plan')
    await plan
      .getByText(/^40 people, 4 teams, \d+ event types, \d+ bookings, \d+ other items: \d+ as they are, /)
      .waitFor()
    await assertAccessible(page, 'a plan')
    await assertFitsPhone(page)

    // A number leads to its lines, and names are found.
    await plan.getByRole('button', { name: /^People: \d+, Changed$/ }).click()
    const lines = region(page, 'Line by line')
    assert.equal(await lines.getByLabel('What happens').inputValue(), 'changed')
    await lines.getByLabel('What happens').selectOption('With a note')
    await lines
      .getByRole('listitem')
      .filter({ hasNot: page.locator('.failure') })
      .first()
      .waitFor({ state: 'detached' })
    assert.equal(await lines.getByRole('listitem').count(), 8)
    await lines.getByLabel('What happens').selectOption('All')
    const names = rows.filter(({ table }) => table === 'users').map(({ row }) => String(row.name))
    const left = names[30] as string
    await lines.getByLabel('Search by name').fill(left.toUpperCase())
    await lines.getByText(names[1] as string, { exact: true }).waitFor({ state: 'detached' })
    await button(page, `Leave out ${left}`).click()
    await page.getByText(`1 person stays there, by your choice: ${left}`).waitFor()

    await button(page, 'Apply the plan').click()
    const ask = page.getByRole('alertdialog', { name: 'Apply this plan?' })
    await ask.getByText(/^Comes over: \d+ people, /).waitFor()
    await ask.getByText('1 person stays there, with what belongs to them.').waitFor()
    await assertAccessible(page, 'applying', '.dialog')
    await ask.getByRole('button', { name: 'Apply now' }).click()
    await page.getByRole('heading', { name: 'Moving in' }).waitFor()
    await page.getByRole('progressbar').waitFor()
    await runDueJobs(stage.context)

    const done = region(page, 'You’ve moved in')
    await done.getByText('Nobody was emailed.').waitFor()
    await untilFocused(page, 'Move in from Cal.com')
    assert.ok((await countUsers()) > users + 30)
    const found = await stage.db.selectFrom('schedulers').select('id').where('name', '=', left).execute()
    assert.deepEqual(found, [])
    assert.equal(stage.mailbox.length, mails)
    await assertAccessible(page, 'what was applied')
    await assertFitsPhone(page)

    await button(page, 'Undo import').click()
    await button(page, 'Undo everything').click()
    await page.getByRole('heading', { name: 'The import is undone' }).waitFor()
    assert.equal(await countUsers(), users)
    await button(page, 'Read again').click()
    const imports = region(page, 'Imports')
    await imports.getByText('Undone', { exact: true }).waitFor()
    await assertAccessible(page, 'imports')
    await assertFitsPhone(page)
    await page.close()
  })

  it('says in one sentence why a dump cannot be read, and leads back', async () => {
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/move-in', PHONE)
    const cut = asDump(rows, { style: 'copy' }).slice(0, 40_000)
    await chooser(page).setInputFiles(dump(cut))
    await button(page, 'Read and plan').click()
    const failed = region(page, 'Reading didn’t work')
    await failed.waitFor()
    await assertAccessible(page, 'a failure')
    assert.equal(await overflowOf(page), 0)
    await button(page, 'Try again').click()
    await region(page, 'Imports').getByText('Failed', { exact: true }).waitFor()
    await button(page, 'Database').click()
    await page.getByLabel('Database address').fill('mysql://x')
    await button(page, 'Read and plan').click()
    await page.getByText(/must begin with postgres:/).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'password')
    await page.close()
  })

  it('offers others only their own Calendly account', async () => {
    const page = await visitAsHost(stage, 'ben@hosts.example', '/app/move-in')
    await page.getByLabel('Personal access token').waitFor()
    assert.equal(await button(page, 'Cal.com').count(), 0)
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Move in' }).count(), 0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('move')
    await page.getByRole('option', { name: 'Move in' }).waitFor()
    await page.close()
  })

  it('cuts nothing off on a phone in other languages, and has no English in it', async () => {
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/move-in', PHONE)
    await chooser(page).setInputFiles(dump(asDump(rows, { style: 'copy' })))
    await button(page, 'Read and plan').click()
    await region(page, 'The plan').waitFor()
    await addJapaneseFont(page)
    const plan = new URL(page.url()).pathname
    for (const locale of ['en', 'de', 'es', 'fr', 'pt', 'ja'] as const) {
      await stage.db.updateTable('schedulers').set({ locale }).where('slug', '=', 'ada').execute()
      for (const path of [plan, '/app/move-in']) {
        await page.goto(stage.url + path)
        await page.locator('.rows-inner .row').first().waitFor()
        assert.equal(await overflowOf(page), 0, `${locale} ${path}`)
        assert.deepEqual(await cutOffOn(page), [], `${locale} ${path}`)
        if (locale === 'en') continue
        const text = await page.locator('.content').innerText()
        assert.doesNotMatch(text, /\b(?:Choose|Nothing|Left out|Changed|Search|Bookings|Started)\b/, locale)
      }
    }
    await page.close()
  })
})
