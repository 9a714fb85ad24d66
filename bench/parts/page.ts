import { launchChromium } from '../../test/browser/chromium.ts'
import { type Loading, measureLoading } from '../../test/browser/loading.ts'
import type { Part } from '../part.ts'
import { median } from '../rounds.ts'
import { startServer } from '../server.ts'
import type { Row } from '../table.ts'

const LOADS = 7
const SCREENS = [
  { name: 'desktop', width: 1280, height: 800 },
  { name: 'phone', width: 360, height: 740 },
] as const

/** The booking page, in a real browser with its processor slowed down four times. */
export const page: Part = async function* (bench) {
  const browser = await launchChromium()
  await using server = await startServer({ dataDir: bench.folder('page'), demo: true })
  const url = `http://127.0.0.1:${server.port}`
  const visits = {
    url,
    visit: async (path: string, options = {}) => {
      const guest = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB', ...options })
      const opened = await guest.newPage()
      await opened.goto(url + path)
      return opened
    },
  }
  try {
    for (const { name, ...viewport } of SCREENS) {
      const loads: Loading[] = []
      // The first load warms up the server and the browser, and is not counted.
      await measureLoading(visits, '/demo/intro', viewport)
      for (let i = 0; i < LOADS; i++) loads.push(await measureLoading(visits, '/demo/intro', viewport))
      const row = (what: string, value: number, unit: string, atMost: number): Row => ({
        what: `booking page, ${name}: ${what}`,
        ours: '',
        baseline: '',
        value,
        unit,
        target: { atMost },
      })
      yield row('largest paint', median(loads.map(({ largestPaint }) => largestPaint)), 'ms', 500)
      yield row('layout shift', Math.max(...loads.map(({ shift }) => shift)), '', 0.02)
    }
  } finally {
    await browser.close()
  }
}
