import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchChromium } from '../../test/browser/chromium.ts'
import { type Loading, measureLoading, type Visits } from '../../test/browser/loading.ts'
import type { Part } from '../part.ts'
import { median } from '../rounds.ts'
import { startServer } from '../server.ts'
import type { Row } from '../table.ts'

const LOADS = 7
const SCREENS = [
  { name: 'desktop', width: 1280, height: 800 },
  { name: 'phone', width: 360, height: 740 },
] as const

/** The least that a page costs the browser. */
const EMPTY_PAGE =
  '<!doctype html><html lang="en"><title>Empty</title><p class="empty">An empty page</p></html>'

/** The booking page, in a real browser with its processor slowed down four times. The limit: a page with one sentence. */
export const page: Part = async function* (bench) {
  const browser = await launchChromium()
  await using server = await startServer({ dataDir: bench.folder('page'), demo: true })
  await using empty = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end(EMPTY_PAGE))
  await once(empty.listen(0, '127.0.0.1'), 'listening')
  const visitsOf = (port: number): Visits => {
    const url = `http://127.0.0.1:${port}`
    const visit: Visits['visit'] = async (path, options = {}) => {
      const guest = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB', ...options })
      const opened = await guest.newPage()
      await opened.goto(url + path)
      return opened
    }
    return { url, visit }
  }
  const ours = visitsOf(server.port)
  const limit = visitsOf((empty.address() as AddressInfo).port)
  try {
    for (const { name, ...viewport } of SCREENS) {
      const [loads, empties]: [Loading[], Loading[]] = [[], []]
      // The first load warms up the server and the browser, and is not counted.
      for (let i = 0; i <= LOADS; i++) {
        loads.push(await measureLoading(ours, '/demo/intro', viewport))
        empties.push(await measureLoading(limit, '/', viewport))
      }
      const largest = (all: readonly Loading[]) =>
        median(all.slice(1).map(({ largestPaint }) => largestPaint))
      const row = (what: string, given: Pick<Row, 'value' | 'baseline' | 'unit'>, atMost: number): Row => ({
        what: `booking page, ${name}: ${what}`,
        ours: '',
        ...given,
        target: { atMost },
      })
      const baseline = `${Math.round(largest(empties))} ms`
      yield row('largest paint', { value: largest(loads), baseline, unit: 'ms' }, 500)
      const shift = Math.max(...loads.slice(1).map((load) => load.shift))
      yield row('layout shift', { value: shift, baseline: '', unit: '' }, 0.02)
    }
  } finally {
    await browser.close()
  }
}
