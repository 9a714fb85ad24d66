// Texts are found by any three letters that stand side by side, without regard to case and accents: whatever contains
// a text also has all its threes. An index finds what has them, and the text itself is compared after that.

/** Where a text is searched for: among the guests of an owner, who alone pay for it, or among all people. */
export type SearchScope = { readonly ownerId: string } | 'people'

/** What a text to look for has in common with all that contain it. */
export type SearchTerms =
  | { readonly all: readonly string[] }
  /** Of two letters only: the beginning of a term. */
  | { readonly beginning: string }

/** A long text is found by a few of its terms. */
const MAX_QUERY_TERMS = 12

/** Follows every text, so that its last two letters begin a term, too. No text has it. */
const END = '\0'

/** Everything by which these texts can be found within a scope. */
export function termsOf(scope: SearchScope, texts: readonly string[]): string[] {
  const prefix = prefixOf(scope)
  return [...new Set(texts.flatMap((text) => threesOf([...foldText(text), END])))].map(
    (three) => `${prefix}${three}`,
  )
}

/** How to look for a text; undefined if it is too short. */
export function queryTerms(scope: SearchScope, text: string): SearchTerms | undefined {
  const [prefix, letters] = [prefixOf(scope), [...foldText(text)]]
  if (letters.length < 2) return undefined
  if (letters.length === 2) return { beginning: `${prefix}${letters.map(letterName).join('')}` }
  const threes = [...new Set(threesOf(letters))].slice(0, MAX_QUERY_TERMS)
  return { all: threes.map((three) => `${prefix}${three}`) }
}

/** Only characters that have no accents to lose. */
const ASCII = /^[ -~]*$/

/** Without case and accents. */
export function foldText(text: string): string {
  // Most texts are, and this takes a third of the time.
  if (ASCII.test(text)) return text.toLowerCase()
  // The final sigma is the only letter whose lower case depends on what follows.
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
}

function threesOf(letters: readonly string[]): string[] {
  const names = letters.map(letterName)
  return names.slice(2).map((third, i) => `${names[i]}${names[i + 1]}${third}`)
}

/** In letters and digits alone, because everything else would separate words in an index. No name begins another. */
const letterName = (letter: string) =>
  /^[a-y0-9]$/.test(letter) ? letter : `z${letter.codePointAt(0)?.toString(16)}z`

/** Two owners may share a prefix, since what is found is compared with the owner, too. */
function prefixOf(scope: SearchScope): string {
  if (scope === 'people') return scope
  return Number.parseInt(scope.ownerId.slice(-10), 16).toString(36).slice(-5).padStart(5, '0')
}
