import type { Locator } from 'playwright-core'

const MOST_TRIES = 20
/** Milliseconds for each try. */
const PATIENCE = 5000

/**
 * Presses until the other is shown. A preview that is still on its way may begin anew, or move what is pressed away from
 * under the pointer: a person would press again, too.
 */
export async function pressUntil(pressed: Locator, shown: Locator): Promise<void> {
  for (let tries = 1; tries < MOST_TRIES; tries++) {
    await pressed.click({ timeout: PATIENCE }).catch(() => {})
    const isShown = await shown.waitFor({ timeout: PATIENCE }).then(
      () => true,
      () => false,
    )
    if (isShown) return
  }
  await shown.waitFor()
}
