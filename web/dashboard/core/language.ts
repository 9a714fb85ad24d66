import { chooseLocale, LANGUAGES, type Language, type Locale } from '../../../src/domain/languages.ts'
import { read, write } from '../../parts/time/clock.ts'
import { loadWords, type Wording } from '../words.ts'
import type { MeView } from './data/views.ts'
import { hasUnsaved } from './router.tsx'

const KEPT = 'punctual:language'
const WORDINGS: readonly Wording[] = [...LANGUAGES, 'de-du']

let present: Wording = 'en'

/** The language of the dashboard. */
export const language = (): Language => (present === 'de-du' ? 'de' : present)

/** Until someone is signed in: what the address asks for, else the last choice here, else the browser's language. */
function chooseWording(): Wording {
  const query = new URLSearchParams(location.search)
  const kept = WORDINGS.find((one) => one === read(KEPT))
  const asked = LANGUAGES.find((one) => one === query.get('lang'))
  if (asked === undefined) return kept ?? chooseLocale(undefined, navigator.languages.join(), 'en').language
  if (keep(asked)) {
    // It has done its work: left in the address, it would win over the language of whoever signs in.
    query.delete('lang')
    const rest = query.size > 0 ? `?${query}` : ''
    history.replaceState(history.state, '', location.pathname + rest + location.hash)
  }
  return asked
}

/** Remembers the language for the next time. Returns whether that worked. */
function keep(wording: Wording): boolean {
  write(KEPT, wording)
  return read(KEPT) === wording
}

/** How the dashboard finds its language and loads its words. */
export const ownLanguage = {
  locale(): Locale {
    present = chooseWording()
    const spoken = navigator.languages.join()
    const locale = chooseLocale(language(), spoken, 'en')
    // Dates in English look British to everyone who does not use English themselves.
    return locale.tag === 'en' && !/\ben\b/.test(spoken) ? { ...locale, tag: 'en-GB' } : locale
  },
  load: () => loadWords(present),
}

/** The words for a user. */
export const wordingOf = ({ locale, germanAddress }: Pick<MeView, 'locale' | 'germanAddress'>): Wording =>
  locale === 'de' && germanAddress === 'du' ? 'de-du' : locale

/** Shows the dashboard in other words from now on, by loading it again. */
export function speak(wording: Wording): void {
  // What can't be remembered would be forgotten by loading again, for ever.
  if (wording !== present && keep(wording)) location.reload()
}

/** Like `speak`, but not while that would lose what someone is writing. */
export function speakWhenIdle(wording: Wording): void {
  if (!hasUnsaved()) speak(wording)
}
