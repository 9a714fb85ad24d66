import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { AxeResults, RunOnly } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** Minified: less than half as long, and it is sent to every document. */
const SOURCE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Throws unless axe finds nothing, in light and in dark. Leaves the page in the other of the two: switching back takes as
 * long as a look at most of the rules.
 */
export async function assertAccessible(page: Page, state: string, part = 'html'): Promise<void> {
  const first = await look(page, part, { type: 'tag', values: STANDARDS })
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  // Nothing but the colours is different.
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  const second = await look(page, part, { type: 'rule', values: ['color-contrast'] })
  assert.deepEqual([...first, ...second].map(describeFault), [], state)
}

/** Throws unless axe finds nothing in the page, nor in what it frames. */
export async function assertFramesAccessible(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const found = await look(frame, 'html', { type: 'tag', values: STANDARDS })
    assert.deepEqual(found.map(describeFault), [], frame.url())
  }
}

type Fault = AxeResults['violations'][number]

const describeFault = ({ id, nodes }: Fault) =>
  `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' ')}`

type InPage = typeof globalThis & { axe: typeof axe }

/** What axe finds wrong in a part of a document. */
async function look(document: Page | Frame, part: string, runOnly: RunOnly): Promise<Fault[]> {
  // Once for each document: parsing it takes longer than using it.
  if (!(await document.evaluate(() => 'axe' in globalThis))) await document.evaluate(SOURCE)
  return document.evaluate(
    async ([where, only]) => {
      const { axe: inPage } = globalThis as InPage
      const options = { runOnly: only, resultTypes: ['violations' as const], iframes: false, preload: false }
      return (await inPage.run(where, options)).violations
    },
    [part, runOnly] as const,
  )
}
