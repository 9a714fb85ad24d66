/** Breaks a header, a calendar's line or a terminal; never part of what somebody meant to say. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
/**
 * Embeddings, overrides and isolates, which turn around what is written after them when left open;
 * and code points that are no characters.
 */
const UNWANTED = /[\u202a-\u202e\u2066-\u2069]|\p{Noncharacter_Code_Point}/gu

/** Any text as one line that a header or a calendar can hold. */
export function printableLine(text: string): string {
  return text.toWellFormed().replace(CONTROL, ' ').replace(UNWANTED, '').trim()
}

/** Any text as lines, ended by `\n` alone. */
export function printableProse(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROL_IN_LINES, '')
    .replace(UNWANTED, '')
    .trim()
}

/** At most so many characters, as people count them; what is cut ends in an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  let count = 0
  for (const { segment, index } of new Intl.Segmenter('en').segment(text)) {
    const isLast = index + segment.length === text.length
    // One character can be made of any number of marks.
    if ((++count === most && !isLast) || kept.length + segment.length > most * MOST_UNITS) {
      return `${kept.trimEnd()}…`
    }
    kept += segment
  }
  return kept
}

/** Of UTF-16 to a character, on average. */
const MOST_UNITS = 12
