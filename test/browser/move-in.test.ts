import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sourced } from '../../src/domain/imports/source.ts'
import { newId } from '../../src/store/new-id.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { asDump, seededSource } from '../imports/seeded-source.ts'
import { runDueJobs } from '../jobs.ts'
import { addUser, plainSurroundings } from '../kit.ts'
import { startCalcomApi } from '../outside/calcom-api.ts'
import { startCalendlyApi } from '../outside/calendly-api.ts'
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

  /** Reads a dump that was chosen, and applies the plan. */
  const readAndApply = async (page: Page, given: readonly Sourced[]) => {
    await chooser(page).setInputFiles(dump(asDump(given, { style: 'copy' })))
    await button(page, 'Read and plan').click()
    await region(page, 'The plan').waitFor()
    await applyPlan(page)
  }
  const applyPlan = async (page: Page) => {
    await button(page, 'Apply the plan').click()
    await button(page, 'Apply now').click()
    await page.getByRole('heading', { name: 'Moving in' }).waitFor()
    await runDueJobs(stage.context)
    await region(page, 'You’ve moved in').waitFor()
  }
  const undo = async (page: Page) => {
    await button(page, 'Undo import').click()
    await button(page, 'Undo everything').click()
  }

  it('brings what has changed there, and says why it cannot undo', async () => {
    const users = await countUsers()
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/move-in', {
      ...WIDE,
      colorScheme: 'dark',
    })
    await readAndApply(page, rows)
    const first = page.url()
    await button(page, 'Read again').click()
    const changed = rows.map(({ table, row }) => ({
      table,
      row: table === 'EventType' && row.id === 1001 ? { ...row, title: 'Renamed there' } : row,
    }))
    await chooser(page).setInputFiles(dump(asDump(changed, { style: 'copy' })))
    await button(page, 'Read and plan').click()
    const plan = region(page, 'The plan')
    await plan.getByText(/: 1 changed, \d+ here already/).waitFor()
    await plan.getByRole('button', { name: 'Event types: 1, Changed' }).click()
    await region(page, 'Line by line').getByText('It has changed there since it came over.').waitFor()
    await assertAccessible(page, 'a second run')
    await assertFitsPhone(page)
    await applyPlan(page)
    const second = page.url()
    const renamed = await stage.db
      .selectFrom('event_types')
      .select('scheduler_id')
      .where('name', '=', 'Renamed there')
      .execute()
    assert.equal(renamed.length, 1)

    // The first is what the second builds on.
    await page.goto(first)
    await undo(page)
    const refused = page.getByRole('alertdialog').getByRole('alert')
    await refused.getByText('A later import builds on this one. Undo that one first.').waitFor()
    await page.goto(second)
    await undo(page)
    await page.getByRole('heading', { name: 'The import is undone' }).waitFor()

    // Somebody books.
    const made = await stage.db.selectFrom('bookings').selectAll().limit(1).executeTakeFirstOrThrow()
    const id = newId()
    const times = { starts_at: BETWEEN_CHANGES + 1e10, ends_at: BETWEEN_CHANGES + 1e10 + 60_000 }
    await stage.db
      .insertInto('bookings')
      .values({ ...made, ...times, id, meeting_id: id, duplicate_key: id })
      .execute()
    await page.goto(first)
    await page.setViewportSize(PHONE.viewport)
    await undo(page)
    await refused.getByText(/^Somebody has booked since this import was applied/).waitFor()
    await assertAccessible(page, 'what cannot be undone', '.dialog')
    assert.equal(await overflowOf(page), 0)
    await button(page, 'Keep import').click()
    assert.ok((await countUsers()) > users)
    await stage.db.deleteFrom('bookings').where('id', '=', id).execute()
    await undo(page)
    await page.getByRole('heading', { name: 'The import is undone' }).waitFor()
    assert.equal(await countUsers(), users)
    await page.close()
  })

  it('reads the API of Cal.com, and says when its key is refused', async () => {
    const calcom = await startCalcomApi({ bookings: 3 })
    try {
      const page = await visitAsHost(stage, 'ada@hosts.example', '/app/move-in', PHONE)
      await button(page, 'API').click()
      await page.getByLabel('API address').fill(calcom.url)
      await page.getByLabel('API key').fill('cal_wrong')
      await button(page, 'Read and plan').click()
      await region(page, 'Reading didn’t work')
        .getByText(/refused the token/)
        .waitFor()
      await button(page, 'Try again').click()
      await button(page, 'API').click()
      await page.getByLabel('API address').fill(calcom.url)
      await page.getByLabel('API key').fill(calcom.token)
      await button(page, 'Read and plan').click()
      await region(page, 'The plan')
        .getByText(/^2 people, /)
        .waitFor()
      assert.equal(await overflowOf(page), 0)
      assert.equal((await page.content()).includes(calcom.token), false)
      await page.close()
    } finally {
      await calcom.close()
    }
  })

  it('brings an organization from Calendly', async () => {
    const calendly = await startCalendlyApi({ events: 3, now: BETWEEN_CHANGES })
    try {
      const page = await visitAsHost(stage, 'ada@hosts.example', '/app/move-in', WIDE)
      // The page asks Calendly itself, which is elsewhere in tests.
      await page.route('**/api/admin/imports', (route) => {
        const body = route.request().postDataJSON()
        return route.continue({
          ...(body && { postData: JSON.stringify({ ...body, api: calendly.url }) }),
        })
      })
      await button(page, 'Calendly').click()
      await page.getByLabel('Personal access token').fill(calendly.token)
      await button(page, 'Read and plan').click()
      await page.getByRole('heading', { name: 'Move in from Calendly' }).waitFor()
      await region(page, 'The plan')
        .getByText(/^2 people, /)
        .waitFor()
      await page.getByText('What we couldn’t read').click()
      await page.getByText(/does not say where routing forms lead/).waitFor()
      await applyPlan(page)
      await undo(page)
      await page.getByRole('heading', { name: 'The import is undone' }).waitFor()
      await page.close()
    } finally {
      await calendly.close()
    }
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
    await region(page, 'Imports').getByText('Failed', { exact: true }).first().waitFor()
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
    await page.getByRole('dialog').getByRole('combobox').waitFor()
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
        // The first page after a change of language loads once more.
        await page.locator(`html[lang|="${locale}"] .rows-inner .row`).first().waitFor()
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
