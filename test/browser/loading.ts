import type { BrowserContextOptions, Page } from 'playwright-core'

export interface Loading {
  /** How far the layout moved, by the definition of cumulative layout shift. */
  readonly shift: number
  /** When the largest part was painted, in milliseconds. */
  readonly largestPaint: number
  /** When there was something to see. */
  readonly firstPaint: number
  /** Scripts, and when the browser asked for each. */
  readonly scripts: readonly { readonly url: string; readonly at: number }[]
  readonly requests: readonly string[]
}

export interface Visits {
  readonly url: string
  visit(path: string, options?: BrowserContextOptions): Promise<Page>
}

const SLOWER = 4

/** Runs in the page, before anything else does. */
const WATCH = `
  watched = { shift: 0, largestPaint: 0, firstPaint: 0, scripts: [] }
  const watch = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true })
  watch('layout-shift', ({ value }) => { watched.shift += value })
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') watched.firstPaint = startTime })
  watch('resource', ({ name, startTime }) => { if (name.endsWith('.js')) watched.scripts.push({ url: name, at: startTime }) })
  watch('largest-contentful-paint', ({ startTime }) => { watched.largestPaint = startTime })
`

/** Loads a booking page with the processor slowed four times, and watches what the guest would see. */
export async function measureLoading(
  { visit, url }: Visits,
  path: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<Loading> {
  // Something small first: starting a browser is no part of loading a page.
  const page = await visit('/assets/punctual-mark-2.svg', { viewport })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript({ content: WATCH })
  await page.goto(url + path)
  await page.locator('.slot, .empty').first().waitFor()
  await page.waitForLoadState('networkidle')
  const watched = await page.evaluate<Omit<Loading, 'requests'>>('watched')
  await page.context().close()
  return { ...watched, requests }
}
