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
  /** A light tint behind choices. */
  readonly tint: ThemedColour
  /** Text in the host's colour, on the page and on the tint. */
  readonly text: ThemedColour
}

type Rgb = readonly [number, number, number]

/** The background of the pages with the least contrast. */
export const SURFACES: ThemedColour = { light: '#f3f1ea', dark: '#232428' }

/** The background under the tint. */
const CARDS: ThemedColour = { light: '#ffffff', dark: '#1b1c20' }

export const DEFAULT_ACCENT = '#0f766e'

const TINT = { light: 0.1, dark: 0.18 } as const
const TEXT_CONTRAST = 4.5
const SHAPE_CONTRAST = 3
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** The host's colour, changed only as much as WCAG's contrasts require. */
export function accentOf(primaryColor: string): Accent {
  const given = parseColour(primaryColor) ?? (parseColour(DEFAULT_ACCENT) as Rgb)
  const each = (make: (theme: 'light' | 'dark') => Rgb): ThemedColour => ({
    light: writeColour(make('light')),
    dark: writeColour(make('dark')),
  })
  const away = { light: BLACK, dark: WHITE } as const
  const fill = (theme: 'light' | 'dark') =>
    moveUntil(
      given,
      away[theme],
      (colour) =>
        contrast(colour, surface(theme)) >= SHAPE_CONTRAST &&
        contrast(colour, textOn(colour)) >= TEXT_CONTRAST,
    )
  const tint = (theme: 'light' | 'dark') => mix(parseColour(CARDS[theme]) as Rgb, fill(theme), TINT[theme])
  return {
    fill: each(fill),
    // Away from the colour of its text, so that the contrast only grows.
    hover: each((theme) => mix(fill(theme), textOn(fill(theme)) === WHITE ? BLACK : WHITE, 0.14)),
    onFill: each((theme) => textOn(fill(theme))),
    tint: each(tint),
    text: each((theme) =>
      moveUntil(given, away[theme], (colour) =>
        [surface(theme), tint(theme)].every((under) => contrast(colour, under) >= TEXT_CONTRAST),
      ),
    ),
  }
}

/** The contrast of two colours (`#rrggbb`) by WCAG 2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(parseColour(one) ?? BLACK, parseColour(other) ?? BLACK)
}

const surface = (theme: 'light' | 'dark'): Rgb => parseColour(SURFACES[theme]) as Rgb

const textOn = (colour: Rgb): Rgb => (contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK)

function moveUntil(from: Rgb, towards: Rgb, fits: (colour: Rgb) => boolean): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    // Check the rounded colour, because that is the one used.
    const colour = mix(from, towards, share)
    if (fits(colour)) return colour
  }
  return towards
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
