/** A colour for each of the two themes. */
export interface ThemedColour {
  readonly light: string
  readonly dark: string
}

interface Accent {
  /** The fill of buttons and of the chosen day. */
  readonly fill: ThemedColour
  /** The same on hover. */
  readonly hover: ThemedColour
  /** Text on that fill. */
  readonly onFill: ThemedColour
  /** The border of that fill: visible where the fill is hardly so. */
  readonly edge: ThemedColour
  /** A light tint behind choices. */
  readonly tint: ThemedColour
  /** Text in the host's colour, on the page and on the tint. */
  readonly text: ThemedColour
}

type Theme = keyof ThemedColour
type Rgb = readonly [number, number, number]

/** The background of the pages with the least contrast. */
export const SURFACES: ThemedColour = { light: '#f3f1ea', dark: '#232428' }

/** The background under the tint. */
const CARDS: ThemedColour = { light: '#ffffff', dark: '#1b1c20' }

export const DEFAULT_ACCENT = '#0f766e'

/** The colour of all text. */
const INKS: ThemedColour = { light: '#1d1c1a', dark: '#ecebe7' }

/** How much its lightness may change, from 0 to 1: hardly seen, and before it is taken for another colour. */
const NEAR = 0.1
const FAR = 0.3

const TINT = { light: 0.1, dark: 0.18 } as const
const TEXT_CONTRAST = 4.5
const SHAPE_CONTRAST = 3
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/**
 * The host's colour. Black or white can be read on any, so that as a fill it changes hardly or not at all.
 *
 * As text, it gets darker or lighter until it can be read, with its own hue. A colour that would have to change beyond
 * recognition, such as yellow on white, gives way to the colour of all text.
 */
export function accentOf(primaryColor: string): Accent {
  const given = parseColour(primaryColor) ?? (parseColour(DEFAULT_ACCENT) as Rgb)
  const each = (make: (theme: Theme) => Rgb): ThemedColour => ({
    light: writeColour(make('light')),
    dark: writeColour(make('dark')),
  })
  const tint = (theme: Theme) => mix(parseColour(CARDS[theme]) as Rgb, given, TINT[theme])
  const text = (theme: Theme) =>
    moved(given, theme, FAR, (colour) =>
      [surface(theme), tint(theme)].every((under) => contrast(colour, under) >= TEXT_CONTRAST),
    ) ?? (parseColour(INKS[theme]) as Rgb)
  const isVisible = (colour: Rgb, theme: Theme) => contrast(colour, surface(theme)) >= SHAPE_CONTRAST
  const fill = (theme: Theme) => moved(given, theme, NEAR, (colour) => isVisible(colour, theme)) ?? given
  return {
    fill: each(fill),
    // Away from the colour of its text, so that the contrast only grows.
    hover: each((theme) => mix(fill(theme), textOn(fill(theme)) === WHITE ? BLACK : WHITE, 0.14)),
    onFill: each((theme) => textOn(fill(theme))),
    edge: each((theme) => (isVisible(fill(theme), theme) ? fill(theme) : text(theme))),
    tint: each(tint),
    text: each(text),
  }
}

/** The card of a page in colours of the site around it. */
export interface Surface {
  readonly theme: Theme
  /** Empty: that of the theme. */
  readonly card: string
  readonly ink: string
}

/** The quietest text on a card. */
const MUTED: ThemedColour = { light: '#5d5a53', dark: '#a9a79f' }

/**
 * The colours of background and text that a site asks for, as far as everything can be read in them.
 *
 * A background is taken if the quiet text of one of the themes can be read on it. A text colour must be readable on that.
 */
export function surfaceOf(background = '', text = ''): Surface | undefined {
  const [given, asked] = [readColour(background), readColour(text)]
  const readable = (one: string, under: string) => contrastOf(one, under) >= TEXT_CONTRAST
  const theme = given === undefined ? 'light' : THEMES.find((one) => readable(MUTED[one], given))
  const card = theme === undefined ? undefined : given
  const ink = asked !== undefined && readable(asked, card ?? CARDS.light) ? asked : undefined
  if (card === undefined && ink === undefined) return undefined
  return { theme: theme ?? 'light', card: card ?? '', ink: ink ?? '' }
}

const THEMES: readonly Theme[] = ['light', 'dark']

/** A colour of an address, with or without `#`; undefined if it is none. */
export function readColour(text = ''): string | undefined {
  const colour = parseColour(text.startsWith('#') ? text : `#${text}`)
  return colour && writeColour(colour)
}

/** The contrast of two colours (`#rrggbb`) by WCAG 2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(parseColour(one) ?? BLACK, parseColour(other) ?? BLACK)
}

const surface = (theme: Theme): Rgb => parseColour(SURFACES[theme]) as Rgb

const textOn = (colour: Rgb): Rgb => (contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK)

/** The colour at the nearest lightness at which it fits; undefined if that is farther than this. */
function moved(from: Rgb, theme: Theme, farthest: number, fits: (colour: Rgb) => boolean): Rgb | undefined {
  if (fits(from)) return from
  const { lightness, chroma, hue } = toOklch(from)
  for (let step = 1; step <= farthest * 100; step++) {
    const other = lightness + (theme === 'light' ? -step : step) / 100
    // Check the rounded colour, because that is the one used.
    const colour = fromOklch({ lightness: Math.min(1, Math.max(0, other)), chroma, hue })
    if (fits(colour)) return colour
  }
  return undefined
}

interface Oklch {
  /** From 0 to 1, as people see it. */
  readonly lightness: number
  readonly chroma: number
  /** In radians. */
  readonly hue: number
}

function toOklch(colour: Rgb): Oklch {
  const [red, green, blue] = [linear(colour[0]), linear(colour[1]), linear(colour[2])]
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  }
}

/** With less chroma if screens can't show so much of it at this lightness. */
function fromOklch({ lightness, chroma, hue }: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
  const green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
  const blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short
  const isShown = [red, green, blue].every((channel) => channel > -0.001 && channel < 1.001)
  if (!isShown && chroma > 0.002) return fromOklch({ lightness, chroma: chroma * 0.95, hue })
  return [encoded(red), encoded(green), encoded(blue)]
}

/** The inverse of `linear`, as a whole number. */
function encoded(channel: number): number {
  const share = channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055
  return Math.round(Math.min(1, Math.max(0, share)) * 255)
}

function mix(from: Rgb, towards: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (towards[index] - from[index]) * share)
  return [part(0), part(1), part(2)]
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Reads `#rgb` and `#rrggbb`. */
function parseColour(text: string): Rgb | undefined {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]
  if (hex === undefined) return undefined
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  const channel = (at: number) => Number.parseInt(full.slice(at, at + 2), 16)
  return [channel(0), channel(2), channel(4)]
}

function writeColour(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
