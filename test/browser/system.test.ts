import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { sentence } from '../../src/domain/sentence.ts'
import type { Surroundings } from '../../src/services/surroundings.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { pairOf } from '../../src/store/sentences.ts'
import { runDueJobs } from '../jobs.ts'
import { addEventType, addUser, bookingOf, plainSurroundings } from '../kit.ts'
import { addDelivery, addWebhook } from '../webhooks.ts'
import { assertAccessible } from './axe.ts'
import { cutOffOn } from './cut-off.ts'
import { visitAsHost } from './host.ts'
import { addJapaneseFont } from './japanese-font.ts'
import { BETWEEN_CHANGES, openStage, overflowOf, type Stage } from './stage.ts'

const NOW = BETWEEN_CHANGES
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const TUESDAY_TEN = Date.UTC(2027, 2, 23, 10)
const WIDE = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 360, height: 740 } }

describe('the page about the system', () => {
  let stage: Stage
  let folder: string
  let surroundings: Surroundings

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-system-'))
    surroundings = { ...plainSurroundings, version: '9.8.7', dataDir: folder, backupDir: join(folder, 'b') }
    stage = await openStage({ surroundings })
    Object.assign(surroundings, { publicUrl: stage.url })
    const ada = await addUser(stage.db, 'ada')
    await addUser(stage.db, 'ben')
    await updateUser(stage.db, ada.id, { admin: true })
    await addEventType(stage.db, ada, { slug: 'talk' })
  })
  beforeEach(async () => {
    for (const table of ['outbox', 'webhooks'] as const) await stage.db.deleteFrom(table).execute()
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await stage?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const addJob = (given: object = {}) =>
    stage.db
      .insertInto('outbox')
      .values({ kind: 'mail', lane: null, data: '{}', due_at: NOW, created_at: NOW - HOUR, ...given })
      .execute()
  /** Something of everything that the page can show. */
  const addTrouble = async () => {
    await addJob({ due_at: NOW - 7 * MINUTE })
    await addJob({ kind: 'reminder', due_at: NOW + DAY })
    const { text, parts } = pairOf(sentence`The mail server refuses the recipient: ${'550 <g@h.io>'}`)
    await addJob({ attempts: 9, failed_at: NOW, error: text, error_parts: parts })
    await addJob({ kind: 'calendar-write', attempts: 2, due_at: NOW + 2 * HOUR, error: 'no' })
    const { id } = await stage.db
      .selectFrom('schedulers')
      .select('id')
      .where('slug', '=', 'ada')
      .executeTakeFirstOrThrow()
    await addDelivery(stage.db, await addWebhook(stage.db, { id }), { createdAt: NOW - 2 * HOUR })
  }
  const open = (options = {}) => visitAsHost(stage, 'ada@hosts.example', '/app/system', options)
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first()

  it('is in the menu of admins, and refuses others', async () => {
    const page = await visitAsHost(stage, 'ben@hosts.example', '/app/system')
    await page.getByText('Only admins of this instance can do this.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'System' }).count(), 0)
    await page.close()
    const ada = await open()
    assert.equal(await ada.getByRole('link', { name: 'System' }).getAttribute('aria-current'), 'page')
    await ada.close()
  })

  it('says that nothing waits and nothing fails, where that is so', async () => {
    const page = await open(WIDE)
    for (const text of ['Nothing is waiting', 'Nothing is failing', 'No scheduled backups', '9.8.7']) {
      await page.getByText(text, { exact: true }).waitFor()
    }
    assert.match(await region(page, 'Software').innerText(), /SQLite 3\.[\s\S]*\d+ (?:kB|MB)/)
    assert.match(await region(page, 'Storage').innerText(), /0 bytes[\s\S]*\d [MGT]B of \d/)
    await page.close()
  })

  it('shows what waits and what failed, and keeps the numbers up to date', async () => {
    await addTrouble()
    const page = await open(WIDE)
    const mails = region(page, 'Queue').getByRole('row', { name: /^Emails/ })
    assert.deepEqual((await mails.innerText()).split('\t'), [
      'Emails',
      '1',
      '0',
      '0',
      '0',
      '1',
      '7 minutes ago',
    ])
    const failures = region(page, 'Failures')
    await failures.getByText('The mail server refuses the recipient: 550 <address>').waitFor()
    await failures.getByText('22 Mar 2027, 11:00 · 2 attempts · next attempt in 2 hours').waitFor()
    assert.equal(await failures.getByText('Given up', { exact: true }).count(), 2)
    await addJob()
    // Without any click.
    await page.clock.fastForward(15_000)
    await page.waitForFunction(() => document.querySelector('.figures dd')?.textContent === '2')
    await page.close()
  })

  it('retries an email that failed, which is then sent', async () => {
    const { context } = stage
    await stage.post('/api/public/scheduling/ada/talk/book', bookingOf(await talk(), TUESDAY_TEN))
    const refusing = {
      ...context,
      mailer: async () => {
        throw new Error('connect ECONNREFUSED 127.0.0.1:25')
      },
    }
    await runDueJobs(refusing)
    const sent = stage.mailbox.length
    const page = await open(WIDE)
    const failures = region(page, 'Failures')
    const buttons = failures.getByRole('button', { name: /^Retry Emails, from / })
    await buttons.first().click()
    await failures.getByText('1 is being tried again.').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'status')
    await runDueJobs(context)
    assert.equal(stage.mailbox.length, sent + 1)
    await page.waitForFunction(() => document.querySelectorAll('.rows-inner .row').length === 1)
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/system/failing/retry'))
    await failures.getByRole('button', { name: 'Retry all: Emails (1)' }).click()
    await answered
    await runDueJobs(context)
    await page.getByText('Nothing is failing', { exact: true }).waitFor()
    assert.equal(stage.mailbox.length, sent + 2)
    await page.close()
  })

  it('runs the checks on request', async () => {
    const page = await open(WIDE)
    const checks = region(page, 'Checks')
    assert.equal(await checks.getByRole('listitem').count(), 0)
    await checks.getByRole('button', { name: 'Run checks' }).click()
    await checks.getByText(`${stage.url} leads to the service`).waitFor()
    await checks.getByText('1 problem found.').waitFor()
    await checks.getByText('valid, but not for production').waitFor()
    await page.close()
  })

  it('is accessible in light and dark, and fits a phone', async () => {
    await addTrouble()
    Object.assign(surroundings, { backupEvery: DAY })
    const page = await open(WIDE)
    await region(page, 'Checks').getByRole('button').click()
    await region(page, 'Checks').getByText('DATA_DIR', { exact: true }).waitFor()
    await assertAccessible(page, 'system')
    await page.setViewportSize(PHONE.viewport)
    await assertAccessible(page, 'system on a phone')
    assert.equal(await overflowOf(page), 0)
    assert.deepEqual(await cutOffOn(page), [])
    await page.close()
  })

  it('cuts nothing off on a phone in other languages, and has no English in it', async () => {
    await addTrouble()
    const said = { de: 'Fehlschläge', es: 'Errores', fr: 'Échecs', pt: 'Falhas', ja: '失敗した処理' } as const
    const page = await open(PHONE)
    await addJapaneseFont(page)
    for (const [locale, failures] of Object.entries(said)) {
      await stage.db
        .updateTable('schedulers')
        .set({ locale: locale as keyof typeof said })
        .where('slug', '=', 'ada')
        .execute()
      await page.reload()
      await page.getByRole('heading', { name: failures, exact: true }).waitFor()
      // Some checks a minute are allowed.
      if (locale === 'de' || locale === 'ja') {
        const checks = page.locator('section.section').nth(2)
        await checks.getByRole('button').click()
        await checks.locator('.row').first().waitFor()
      }
      assert.equal(await overflowOf(page), 0, locale)
      assert.deepEqual(await cutOffOn(page), [], locale)
      const text = await page.locator('.content').innerText()
      assert.doesNotMatch(text, /\b(?:ago|Failing|waiting|writable|refuses|leads to|attempts?)\b/, locale)
    }
    await page.close()
  })

  const talk = async () => {
    const row = await stage.db.selectFrom('event_types').selectAll().executeTakeFirstOrThrow()
    return { durationMinutes: row.duration_minutes } as Parameters<typeof bookingOf>[0]
  }
})
