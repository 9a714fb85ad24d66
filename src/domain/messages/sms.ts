import { CALLING_CODES, countryOfNumber } from '../people/phone.ts'

/** The letters of GSM 03.38, which take 7 bits each. */
const BASIC: ReadonlySet<string> = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Those that take two places. */
const EXTENDED: ReadonlySet<string> = new Set('\f^{}\\[~]|€')

/** How many text messages a phone company counts for this text. */
export function segmentsOf(text: string): number {
  if (text === '') return 0
  const letters = [...text]
  const isBasic = letters.every((letter) => BASIC.has(letter) || EXTENDED.has(letter))
  return isBasic
    ? countOf(
        letters.map((letter) => (BASIC.has(letter) ? 1 : 2)),
        160,
        153,
      )
    : countOf(
        letters.map(({ length }) => length),
        70,
        67,
      )
}

/** Texts in parts have less room in each, which says which part it is. No letter is cut in two. */
function countOf(places: readonly number[], alone: number, inParts: number): number {
  let [all, parts, used] = [0, 1, 0]
  for (const size of places) {
    all += size
    if (used + size > inParts) [parts, used] = [parts + 1, 0]
    used += size
  }
  return all <= alone ? 1 : parts
}

/** More than this is no text message, and expensive. */
const MOST_SEGMENTS = 10

/** As much of a text as may be sent. It ends after a whole word, so that no link is cut. */
export function fitSms(text: string): string {
  if (segmentsOf(text) <= MOST_SEGMENTS) return text
  const ends = Array.from(text.matchAll(/\s+/g), ({ index }) => index)
  const fits = ends.map((end) => `${text.slice(0, end)} ...`)
  return fits.findLast((start) => segmentsOf(start) <= MOST_SEGMENTS) ?? ''
}

/** Whether a number belongs to one of these calling codes. `+1` is not `+1876`, where texts cost far more. */
export function isInCountries(number: string, codes: readonly string[]): boolean {
  const code = CALLING_CODES.get(countryOfNumber(number) ?? '') ?? ''
  return codes.some((allowed) => number.startsWith(allowed) && allowed.length > code.length)
}

/** Whether a text is the word that ends all texts. */
export const isStop = (text: string) => text.trim().toUpperCase() === 'STOP'

/** Whether a text is the word that allows them again. */
export const isStart = (text: string) => text.trim().toUpperCase() === 'START'
