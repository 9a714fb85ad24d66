import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'

// Draws the pictures that cannot be SVG from the one that is: icons, and the card of link previews.

const ASSETS = new URL('../web/public/assets/', import.meta.url)

interface Drawing {
  readonly width: number
  readonly height: number
  readonly body: string
  readonly style?: string
}

async function draw(browser: Browser, { width, height, body, style = '' }: Drawing): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<style>body{margin:0}svg{display:block}${style}</style>${body}`)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}

/** An ICO file that holds PNG files, each square and smaller than 256 pixels. */
function iconOf(pictures: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index
    head.writeUInt8(size, at)
    head.writeUInt8(size, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

const mark = await readFile(new URL('punctual-mark-2.svg', ASSETS), 'utf8')
const font = await readFile(new URL('figtree-latin-1.woff2', ASSETS), 'base64')
const browser = await launchChromium()
try {
  const save = (name: string, content: Buffer) => writeFile(fileURLToPath(new URL(name, ASSETS)), content)
  const small = await Promise.all(
    [16, 32].map(async (size) => ({
      size,
      png: await draw(browser, { width: size, height: size, body: mark }),
    })),
  )
  await save('punctual-mark-2.ico', iconOf(small))
  // Phones round the corners themselves, so this one has none.
  const square = mark.replace(' rx="8"', '')
  await save('punctual-touch-2.png', await draw(browser, { width: 180, height: 180, body: square }))
  for (const size of [192, 512]) {
    await save(`punctual-${size}-2.png`, await draw(browser, { width: size, height: size, body: mark }))
  }
  // Launchers cut a circle or another shape out of this one, so the mark stays within four fifths of it.
  const inset = square
    .replace('<path', '<g transform="translate(4.5 4.5) scale(0.72)"><path')
    .replace('</svg>', '</g></svg>')
  await save('punctual-maskable-2.png', await draw(browser, { width: 512, height: 512, body: inset }))
  const card = await draw(browser, {
    width: 1200,
    height: 630,
    body: `<main>${mark}<h1>Punctual</h1></main>`,
    style: `@font-face{font-family:Figtree;font-weight:300 900;src:url(data:font/woff2;base64,${font})}
main{display:flex;align-items:center;justify-content:center;gap:56px;height:630px;background:#f3f1ea;color:#1d1c1a}
svg{width:200px}h1{margin:0;font:700 148px Figtree;letter-spacing:-0.03em}`,
  })
  await save('punctual-card-2.png', card)
} finally {
  await browser.close()
}
