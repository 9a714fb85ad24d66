import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Throws unless axe finds nothing, in light and in dark. */
export async function assertAccessible(page: Page, state: string, part = 'html'): Promise<void> {
  // One frame, so nothing has to be put together from several.
  const look = () => new AxeBuilder({ page }).setLegacyMode(true).include(part)
  const light = await look().withTags(STANDARDS).analyze()
  // In the dark, nothing but the colours is different.
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await look().withRules(['color-contrast']).analyze()
  await page.emulateMedia({ colorScheme: 'light' })
  const found = [...light.violations, ...dark.violations].map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' ')}`,
  )
  assert.deepEqual(found, [], state)
}
