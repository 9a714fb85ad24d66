/** The letters of GSM 03.38, which take 7 bits each. */
const BASIC: ReadonlySet<string> = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Those that take two places. */
const EXTENDED: ReadonlySet<string> = new Set('^{}\\[~]|€')

/** How many text messages a phone company counts for this text. */
export function segmentsOf(text: string): number {
  if (text === '') return 0
  let places = 0
  for (const letter of text) {
    if (BASIC.has(letter)) places += 1
    else if (EXTENDED.has(letter)) places += 2
    else return countOf(text.length, 70, 67)
  }
  return countOf(places, 160, 153)
}

/** Texts in parts have less room in each: it says which part it is. */
const countOf = (places: number, alone: number, inParts: number) =>
  places <= alone ? 1 : Math.ceil(places / inParts)

/** Whether it is a phone number in E.164 form. */
export const isE164 = (text: string) => /^\+[1-9]\d{6,14}$/.test(text)

/** Whether a number belongs to one of these calling codes. */
export const isInCountries = (number: string, codes: readonly string[]) =>
  codes.some((code) => number.startsWith(code))

/** Whether a text is the word that ends all texts. */
export const isStop = (text: string) => text.trim().toUpperCase() === 'STOP'
