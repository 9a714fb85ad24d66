/** The pages' typeface is Figtree, one variable file for the letters of western Europe and one for the rest of Latin. */
const FILES = [
  {
    name: 'figtree-latin-1.woff2',
    range:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  },
  {
    name: 'figtree-latin-ext-1.woff2',
    range:
      'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  },
] as const

/** Figtree's own ascent and descent, in hundredths of its size. */
const ASCENT = 95
const DESCENT = 25

/**
 * Fonts of the visitor's machine, with the size at which each is as wide as Figtree. Measured over the words of the
 * pages in five languages, at weights 400 and 650.
 */
const FALLBACKS = [
  {
    family: 'Figtree Arial',
    fonts: ['Arial', 'Liberation Sans', 'Arimo', 'Helvetica Neue', 'Helvetica'],
    regular: 100.1,
    bold: 95.49,
  },
  { family: 'Figtree Roboto', fonts: ['Roboto'], regular: 100.56, bold: 101.43 },
  { family: 'Figtree Sans', fonts: ['Open Sans', 'Noto Sans'], regular: 95.79, bold: 91.42 },
] as const

/** The file that every page needs, fetched before its style sheet is read. */
export const preloadedFont = (base: string): string => `${base}/assets/${FILES[0].name}`

/** The `@font-face` rules: the typeface, and fallbacks of the same width and height, so that neither moves the page. */
export function fontFaces(base: string): string {
  // Optional: a visitor on a slow line reads the fallback, rather than see the text change while they read it.
  const own = FILES.map(
    ({ name, range }) =>
      `@font-face{font-family:Figtree;font-weight:300 900;font-display:optional;src:url(${base}/assets/${name})format("woff2");unicode-range:${range}}`,
  )
  const others = FALLBACKS.flatMap(({ family, fonts, regular, bold }) => [
    // Some fonts call their regular weight so, and some don't.
    fallback(family, fonts, { weights: '100 599', size: regular, styles: ['', ' Regular'] }),
    fallback(family, fonts, { weights: '600 900', size: bold, styles: [' Bold'] }),
  ])
  return [...own, ...others].join('')
}

interface Cut {
  readonly weights: string
  /** In percent of the fallback's own. */
  readonly size: number
  readonly styles: readonly string[]
}

function fallback(family: string, fonts: readonly string[], { weights, size, styles }: Cut): string {
  const sources = fonts.flatMap((font) => styles.map((style) => `local("${font}${style}")`)).join(',')
  const share = (part: number) => `${((part / size) * 100).toFixed(2)}%`
  return `@font-face{font-family:"${family}";font-weight:${weights};src:${sources};size-adjust:${size}%;ascent-override:${share(ASCENT)};descent-override:${share(DESCENT)};line-gap-override:0%}`
}
