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
import { BETWEEN_CHANGES, openStage, overflowOf, type Stage } from './stage.ts'

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
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }
  const dump = (text: string) => ({ name: 'calcom.sql', mimeType: 'application/sql', buffer: Buffer.from(text) })

  it('leads from a dump to a plan, applies it, and undoes it', async () => {
    const mails = stage.mailbox.length
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/event-types', WIDE)
    await page.getByText('Coming from Cal.com or Calendly?').getByRole('link', { name: 'Move in' }).click()
    await page.getByText('Nothing is written here until you apply it.').waitFor()
    await button(page, 'Read and plan').click()
    await page.getByRole('alert').getByText('Choose a file first.').waitFor()
    await page.getByLabel('Dump of the database', { exact: true }).locator('input').setInputFiles(dump(asDump(rows, { style: 'copy' })))
    await button(page, 'Read and plan').click()
    await page.getByRole('heading', { name: 'Move in from Cal.com' }).waitFor()
    const plan = region(page, 'The plan')
    await plan.getByText(/^40 people, 3 teams, \d+ event types, \d+ bookings, \d+ other items: \d+ as they are, /).waitFor()
    await page.screenshot({ path: '/tmp/movein-plan-1280.png', fullPage: true })
  })
})
