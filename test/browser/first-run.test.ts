import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServer } from '../server-process.ts'
import { type Borrowed, borrowChromium } from './chromium.ts'
import { PATIENCE } from './stage.ts'

describe('the first run', () => {
  let folder: string
  let server: ServerProcess
  let borrowed: Borrowed

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-first-run-'))
    server = await startServer({ environment: { DATA_DIR: folder } })
    borrowed = await borrowChromium()
  })
  after(async () => {
    await borrowed?.giveBack()
    server?.send('SIGTERM')
    await server?.exited
    await rm(folder, { recursive: true, force: true })
  })

  /** The link that the console shows where there is no mail server. */
  const printedLink = async (): Promise<string> => {
    for (;;) {
      const link = /https?:\/\/\S+#token=[\w-]+/.exec(server.output())?.[0]
      if (link !== undefined) return link
      await sleep(20)
    }
  }

  it('leads from an empty folder to a booked meeting', async () => {
    const host = await borrowed.browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' })
    host.setDefaultTimeout(PATIENCE)
    const page = await host.newPage()
    await page.goto(`http://127.0.0.1:${server.port}/app`)
    await page.getByLabel('Your email address').fill('grace.hopper@hosts.example')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.getByText('We sent a link to grace.hopper@hosts.example. It works for 15 minutes.').waitFor()
    await page.goto(await printedLink())
    await page.getByRole('button', { name: 'Sign in to Punctual' }).click()

    await page.getByRole('heading', { name: 'Set up your booking page' }).waitFor()
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByText('Berlin').waitFor()
    // Whenever this runs, something is free.
    await page.getByRole('checkbox', { name: 'Saturday' }).check()
    await page.getByRole('checkbox', { name: 'Sunday' }).check()
    await page.getByLabel('From').selectOption('00:00')
    await page.getByLabel('Until').selectOption('24:00')
    await page.getByRole('button', { name: 'Create my link' }).click()
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor()
    const link = await page.locator('.link-box code').innerText()
    assert.match(link, /\/grace-hopper\/intro-call$/)

    const guest = await (
      await borrowed.browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London' })
    ).newPage()
    guest.setDefaultTimeout(PATIENCE)
    await guest.goto(link)
    await guest.locator('.slot').last().click()
    await guest.getByLabel('Name').fill('Howard Aiken')
    await guest.getByLabel('Email').fill('howard@guests.example')
    await guest.getByRole('button', { name: 'Book this time' }).click()
    await guest.getByRole('heading', { name: 'You’re booked' }).waitFor()

    await page.getByRole('link', { name: 'Connect a calendar' }).click()
    await page
      .getByRole('dialog', { name: 'Connect a calendar' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await page.getByRole('link', { name: 'Bookings', exact: true }).click()
    await page.getByRole('link', { name: 'Howard Aiken' }).click()
    await page.getByRole('link', { name: 'howard@guests.example' }).waitFor()
  })
})
