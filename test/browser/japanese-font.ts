import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const FONT = fileURLToPath(new URL('../../node_modules/@fontsource-variable/noto-sans-jp/', import.meta.url))

/** The family to check with `document.fonts`. */
export const JAPANESE = 'Noto Sans JP Variable'

/**
 * Gives pages from here on the Japanese characters that the browser from npm lacks. It can't use these files as fonts of
 * the system, so pages load them from an address of the service, which their policy allows.
 */
export async function addJapaneseFont(page: Page): Promise<void> {
  await page.context().route('**/assets/test-font/*', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    await route.fulfill({ body: await readFile(`${FONT}files/${name}`), contentType: 'font/woff2' })
  })
  const faces = (await readFile(`${FONT}index.css`, 'utf8')).replaceAll('./files/', '/assets/test-font/')
  await page.addInitScript((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [sheet]
  }, `${faces} html { font-family: Figtree, "${JAPANESE}", sans-serif !important }`)
}
