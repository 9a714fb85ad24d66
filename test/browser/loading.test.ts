import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { LANGUAGES } from '../../src/domain/languages.ts'
import { openBuiltPages } from '../../src/http/pages/built-pages.ts'
import { addEventType, addUser } from '../kit.ts'
import { measureLoading } from './loading.ts'
import { openStage, type Stage } from './stage.ts'

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url))
const BUDGET = 150 * 1024

describe('the built dashboard', () => {
  it('is fetched page by page', () => {
    const page = openBuiltPages(DIST).page('dashboard', 'en')
    assert.ok(page)
    for (const file of [page.script, ...page.imports]) assert.doesNotMatch(file, /insights|webhook|rule|team/)
  })
})

describe('loading the booking page', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
    const ada = await addUser(stage.db, 'ada')
    await addEventType(stage.db, ada, {
      slug: 'talk',
      name: 'A talk',
      description:
        'About this and that. We look at where you are, where you would like to be, and which steps lead there. Bring a question or two, and whatever you have tried so far: half an hour is short, but a good beginning.',
      requiresApproval: true,
      seats: 5,
    })
  })
  after(() => stage?.close())

  it('takes at most 150 KB of JavaScript, compressed, in any language', () => {
    const built = openBuiltPages(DIST)
    for (const language of LANGUAGES) {
      const page = built.page('booking', language)
      assert.ok(page)
      const files = [page.script, ...page.imports]
      assert.ok(files.length > 1, 'with what the script imports')
      const bytes = files.map((file) => gzipSync(readFileSync(join(DIST, file))).length)
      const total = bytes.reduce((sum, size) => sum + size, 0)
      assert.ok(total <= BUDGET, `${language}: ${total} bytes`)
    }
  })

  it('shows the host, the event and the month before any script has run', async () => {
    const page = await stage.visit('/assets/punctual-mark-2.svg')
    // The scripts never come. Without JavaScript, the page says so instead.
    await page.route('**/assets/*.js', () => {})
    await page.goto(`${stage.url}/ada/talk`, { waitUntil: 'domcontentloaded' })
    const text = await page.getByRole('main').innerText()
    for (const shown of ['Name of ada', 'A talk', 'About this and that.', '30 minutes', 'March 2027', '31']) {
      assert.ok(text.includes(shown), shown)
    }
    assert.equal(await page.title(), 'A talk · Name of ada')
  })

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    it(`moves nothing when the script takes over, ${viewport.width} pixels wide`, async () => {
      const { shift, requests } = await measureLoading(stage, '/ada/talk', viewport)
      assert.ok(shift <= 0.02, `the layout shifted by ${shift}`)
      // Everything the first view needs came with the page: only the next month is fetched ahead.
      const months = requests.filter((url) => url.includes('/slots?'))
      assert.ok(
        months.every((url) => url.includes('dateFrom=2027-04-01')),
        months.join('\n'),
      )
    })
  }

  it('keeps its layout whether the typeface has arrived or not', async () => {
    const page = await stage.visit('/assets/punctual-mark-2.svg', { viewport: { width: 360, height: 740 } })
    const session = await page.context().newCDPSession(page)
    const released = Promise.withResolvers<void>()
    await page.route('**/*.woff2', async (route) => {
      await released.promise
      await route.continue()
    })
    const slots = () => page.locator('.slot').first().waitFor()
    const boxes = () =>
      page.locator('main, h1, .description, .month, .day, .slot').evaluateAll((elements) =>
        elements.map((element) => {
          const { top, height } = element.getBoundingClientRect()
          return { name: element.className || element.tagName, top, bottom: top + height }
        }),
      )
    const textWidths = () =>
      page.locator('h1, .description').evaluateAll((elements) =>
        elements.map((element) => {
          const text = document.createRange()
          text.selectNodeContents(element)
          return [...text.getClientRects()].reduce((sum, { width }) => sum + width, 0)
        }),
      )
    const drawnWith = async () => {
      await session.send('DOM.enable')
      await session.send('CSS.enable')
      const { root } = await session.send('DOM.getDocument')
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' })
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
      return fonts.map(({ familyName }) => familyName).join(', ')
    }

    await page.goto(`${stage.url}/ada/talk`, { waitUntil: 'commit' })
    await slots()
    const [late, inFallback, widths] = [await drawnWith(), await boxes(), await textWidths()]
    assert.doesNotMatch(late, /Figtree/)
    const arrived = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'))
    released.resolve()
    await arrived
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    assert.deepEqual(await boxes(), inFallback, 'nothing moves when the file comes late')

    await page.reload()
    await slots()
    assert.match(await drawnWith(), /Figtree/)
    const inFigtree = await boxes()
    assert.equal(inFigtree.length, inFallback.length)
    for (const [index, { name, top, bottom }] of inFigtree.entries()) {
      const other = inFallback[index]
      assert.ok(
        other && Math.abs(other.top - top) < 1 && Math.abs(other.bottom - bottom) < 1,
        `${name}: ${top} to ${bottom}, but ${other?.top} to ${other?.bottom} in ${late}`,
      )
    }
    for (const [index, width] of (await textWidths()).entries()) {
      const ratio = (widths[index] ?? 0) / width
      assert.ok(Math.abs(ratio - 1) < 0.04, `text is ${ratio} times as wide in ${late}`)
    }
    await page.context().close()
  })

  it('takes at most 40 KB of type, kept for good', async () => {
    const files = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.woff2'))
    assert.equal(files.length, 2)
    let total = 0
    for (const name of files) {
      const answer = await fetch(`${stage.url}/assets/${name}`)
      assert.equal(answer.headers.get('content-type'), 'font/woff2')
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
      total += (await answer.arrayBuffer()).byteLength
    }
    assert.ok(total <= 40 * 1024, `${total} bytes`)
  })

  it('is seen before the browser has any script to fetch', async () => {
    const { firstPaint, scripts } = await measureLoading(stage, '/ada/talk', { width: 1280, height: 800 })
    const built = openBuiltPages(DIST).page('booking', 'en')
    assert.ok(built)
    assert.ok(firstPaint > 0)
    // A browser that paints nothing for three seconds fetches them then.
    for (const { url, at } of scripts) assert.ok(at >= Math.min(firstPaint, 3000), url)
    for (const file of [built.script, ...built.imports])
      assert.ok(
        scripts.some(({ url }) => url.endsWith(file)),
        file,
      )
  })

  it('loads nothing from anywhere else', async () => {
    const { requests } = await measureLoading(stage, '/ada/talk', { width: 1280, height: 800 })
    assert.ok(requests.length > 2)
    for (const url of requests) assert.ok(url.startsWith(stage.url), url)
  })
})
