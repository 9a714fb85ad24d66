import type { Page } from 'playwright-core'

/** The texts on a page that are cut off, or stick out of the window. */
export function cutOffOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const isForReaders = (element: Element | null): boolean =>
      element !== null &&
      (getComputedStyle(element).clipPath === 'inset(50%)' || isForReaders(element.parentElement))
    const found: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      const said = text
        .map((node) => node.textContent ?? '')
        .join('')
        .trim()
      const box = element.getBoundingClientRect()
      // The beginning of an address matters least: its end is what one edits.
      if (element.closest('.prefixed') !== null) continue
      // Nothing to see, or only for screen readers.
      if (said === '' || box.width <= 1 || box.height <= 1 || !element.checkVisibility()) continue
      if (isForReaders(element)) continue
      const clips = getComputedStyle(element).overflowX !== 'visible'
      const cut = clips && element.scrollWidth > element.clientWidth + 1 && !scrolls(element)
      const out = (box.right > innerWidth + 1 || box.left < -1) && !scrolls(element)
      if (cut || out) found.push(`${said.slice(0, 60)} (${cut ? 'cut off' : 'outside'})`)
    }
    return found
  })
}
