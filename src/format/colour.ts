type Rgb = readonly [number, number, number]

const WHITE = '#ffffff'
const BLACK = '#000000'

/** The contrast that WCAG 2.2 requires of text (AA). */
const LEAST_CONTRAST = 4.5
const STEPS = 20

/** White if it is readable on `colour`, otherwise black. */
export function inkOn(colour: string): string {
  return contrast(colour, WHITE) >= LEAST_CONTRAST ? WHITE : BLACK
}

/** `colour`, made darker or lighter until text in it is readable on `background`. */
export function readableOn(colour: string, background: string): string {
  const towards = inkOn(background)
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, towards, step / STEPS)
    if (contrast(mixed, background) >= LEAST_CONTRAST) return mixed
  }
  return towards
}

/** The contrast of two colours, from 1 (equal) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b) as [
    number,
    number,
  ]
  return (lighter + 0.05) / (darker + 0.05)
}

function mix(colour: string, towards: string, share: number): string {
  const [from, to] = [parse(colour), parse(towards)]
  const parts = from.map((part, index) => Math.round(part + ((to[index] as number) - part) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parse(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}
