/** Control characters break headers, calendars and terminals, and are never part of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
/**
 * Bidirectional controls, which reorder the text after them when left open, and code points
 * that are not characters.
 */
const UNWANTED = /[\u202a-\u202e\u2066-\u2069]|\p{Noncharacter_Code_Point}/gu

/** Any text as one line that is safe in a header or a calendar. */
export function printableLine(text: string): string {
  return text.toWellFormed().replace(CONTROL, ' ').replace(UNWANTED, '').trim()
}

/** Any text as lines that end in `\n`. */
export function printableProse(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROL_IN_LINES, '')
    .replace(UNWANTED, '')
    .trim()
}

/** The first `most` characters as people count them; a shortened text ends in an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  let count = 0
  for (const { segment, index } of new Intl.Segmenter('en').segment(text)) {
    const isLast = index + segment.length === text.length
    // One character can have any number of combining marks.
    if ((++count === most && !isLast) || kept.length + segment.length > most * MOST_UNITS) {
      return `${kept.trimEnd()}…`
    }
    kept += segment
  }
  return kept
}

/** UTF-16 code units per character, on average. */
const MOST_UNITS = 12

/** The same text, with addresses that mail programs would turn into links broken: `https[:]//example[.]com`. */
export function unlinked(text: string): string {
  return text
    .replace(/:(?=\/\/|\\\\)/g, '[:]')
    .replace(/(?<=[\p{L}\p{M}\p{N}\-_])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-])/gu, '[.]')
}
