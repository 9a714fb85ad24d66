import type { Stage } from './stage.ts'

export interface Loading {
  /** How far the layout moved, by the definition of cumulative layout shift. */
  readonly shift: number
  /** When the largest part was painted, in milliseconds. */
  readonly largestPaint: number
  readonly requests: readonly string[]
}

interface Watched {
  shift: number
  largestPaint: number
}

const SLOWER = 4

/** Loads a page with the processor slowed four times, and watches what the guest would see. */
export async function measureLoading(
  stage: Pick<Stage, 'visit' | 'url'>,
  path: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<Loading> {
  const page = await stage.visit('/assets/punctual-mark-1.svg', { viewport })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript(() => {
    const watched = { shift: 0, largestPaint: 0 }
    Object.assign(window, { watched })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) watched.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) watched.largestPaint = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  await page.goto(stage.url + path)
  await page.locator('.slot').first().waitFor()
  await page.waitForLoadState('networkidle')
  const watched = await page.evaluate(() => (window as unknown as { watched: Watched }).watched)
  await page.context().close()
  return { ...watched, requests }
}
