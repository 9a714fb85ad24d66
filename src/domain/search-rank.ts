import { foldText } from './search-terms.ts'

/** What was looked for, without case, accents and needless spaces. */
export const foldQuery = (text: string): string => foldText(text).trim().replace(/\s+/g, ' ')

/**
 * How well something fits what was looked for, from 0 for its whole title; undefined: not at all.
 *
 * `others` are texts that it is found by, too, such as an address.
 */
export function rankOf(wanted: string, title: string, others: readonly string[] = []): number | undefined {
  const [name, ...rest] = [title, ...others].map(foldText) as [string, ...string[]]
  if (name === wanted) return 0
  if (rest.includes(wanted)) return 1
  const at = name.indexOf(wanted)
  if (at === 0) return 2
  if (at > 0) return beginsWord(name, wanted) ? 3 : 5
  if (rest.some((text) => text.startsWith(wanted))) return 4
  return rest.some((text) => text.includes(wanted)) ? 6 : undefined
}

function beginsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true
  }
  return false
}
