import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { reactSnippet } from '../../src/format/embed-snippets.ts'
import { addEventType, addUser } from '../kit.ts'
import { barePageWith, openSite, type Site } from './site.ts'
import { openStage, type Stage } from './stage.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A page of someone who has installed the package: the snippet, once or not at all, in strict mode. */
const MAIN = `
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PunctualPopup } from 'punctual-embed/react'
import { Booking } from './booking.tsx'

const root = createRoot(document.getElementById('app')!)
const show = (what: React.ReactNode) => root.render(<StrictMode>{what}</StrictMode>)
const popup = (color: string) => <PunctualPopup service={service} link="ada/talk" className={color}>Open it</PunctualPopup>
const service = document.getElementById('app')!.dataset.service!
Object.assign(window, { booking: () => show(<Booking />), popup: (color: string) => show(popup(color)), nothing: () => show(null) })
`

describe('the widget in a React app', () => {
  let stage: Stage
  let site: Site
  let folder: string
  let address: string

  before(async () => {
    stage = await openStage()
    // React adds the script, for which trusted types would need a policy in the app.
    site = await openSite(stage.url, { trustedTypes: false })
    await addEventType(stage.db, await addUser(stage.db, 'ada'), { slug: 'talk' })
    // Where the packages of this project are found, as an app would find its own.
    mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'embed-react-'))
    const installed = join(folder, 'node_modules', 'punctual-embed')
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    execFileSync(process.execPath, [
      tsc,
      '--project',
      join(ROOT, 'embed'),
      '--outDir',
      join(installed, 'dist'),
    ])
    cpSync(join(ROOT, 'embed', 'package.json'), join(installed, 'package.json'))
    writeFileSync(join(folder, 'booking.tsx'), reactSnippet(stage.url, 'ada/talk'))
    writeFileSync(join(folder, 'main.tsx'), MAIN)
    const { NODE_ENV } = process.env
    await build({
      configFile: false,
      root: folder,
      logLevel: 'warn',
      mode: 'development',
      build: {
        rolldownOptions: {
          input: join(folder, 'main.tsx'),
          output: { format: 'iife', entryFileNames: 'app.js' },
        },
      },
    })
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    site.add('/app.js', readFileSync(join(folder, 'dist', 'app.js'), 'utf8'))
    const app = `<div id="app" data-service="${stage.url}"></div><script src="/app.js" defer></script>`
    address = site.add('/react', barePageWith(app))
  })
  afterEach(() => stage.endTest())
  after(async () => {
    rmSync(folder, { recursive: true })
    await site?.close()
    await stage?.close()
  })

  it('mounts, books, and unmounts without a trace', async () => {
    const page = await stage.visit(address)
    await page.evaluate('booking()')
    const frame = page.locator('iframe').contentFrame()
    await frame.locator('.slot').first().click()
    assert.equal(await frame.getByLabel('Name').inputValue(), 'Ada Guest')
    assert.equal(await page.locator('iframe').count(), 1, 'strict mode mounts twice, and leaves one')
    await frame.getByLabel('Email').fill('react@guests.example')
    await frame.locator('button[type=submit]').click()
    await page.waitForFunction(() => document.title.startsWith('Booked: '))
    await page.evaluate('nothing()')
    await page.locator('iframe').waitFor({ state: 'detached' })
    assert.equal(await page.locator('#app').innerHTML(), '')
    // And once more: the script is there already.
    await page.evaluate('booking()')
    await frame.locator('.slot').first().waitFor()
    assert.equal(await page.locator('script[src$="/embed.v1.js"]').count(), 1)
  })

  it('opens from a button, and stays through a render', async () => {
    const page = await stage.visit(address)
    await page.evaluate('popup("red")')
    const opener = page.getByRole('button', { name: 'Open it' })
    await page.locator('button[aria-haspopup=dialog]').waitFor()
    await opener.click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('iframe').contentFrame().locator('.slot').first().click()
    await page.evaluate('popup("blue")')
    await page.locator('button.blue').waitFor()
    await dialog.locator('iframe').contentFrame().getByLabel('Name').waitFor()
    await page.evaluate('nothing()')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.documentElement.style.overflow), '')
  })
})
