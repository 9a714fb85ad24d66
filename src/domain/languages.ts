/** The languages we have texts in; the first is the default. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ja'] as const

export type Language = (typeof LANGUAGES)[number]

/** Our catalogues: one for each language, and German that says du. */
export type Wording = Language | 'de-du'

/** The catalogue for readers of a language whom German addresses in this way. */
export const wordingOf = (language: Language, germanAddress: 'sie' | 'du' = 'sie'): Wording =>
  language === 'de' && germanAddress === 'du' ? 'de-du' : language

/** What speakers of each language call it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ja: '日本語',
}

export interface Locale {
  readonly language: Language
  /** For dates and numbers: the guest's own language tag, such as `en-GB`. */
  readonly tag: string
}

const TAG = /^([a-z]{2,3})(?:-[a-z\d]{2,8})*$/i
const MOST_TAGS = 20

/**
 * The locale for a guest: `asked`, else the best match in their `Accept-Language`
 * header, else the host's own language.
 */
export function chooseLocale(asked: string | undefined, accepted: string | undefined, own: string): Locale {
  const wanted = localeOf(asked ?? '')
  const spoken = preferred(accepted ?? '')
  if (wanted === undefined) return spoken[0] ?? localeOf(own) ?? { language: 'en', tag: 'en' }
  // A tag without a region doesn't fix the date format, so prefer the guest's own region of that language.
  const regional = spoken.find(({ language }) => wanted.tag === language && wanted.language === language)
  return regional ?? wanted
}

function preferred(accepted: string): Locale[] {
  return accepted
    .split(',', MOST_TAGS)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => localeOf(tag))
    .filter((locale) => locale !== undefined)
}

function localeOf(tag: string): Locale | undefined {
  const language = LANGUAGES.find((spoken) => spoken === TAG.exec(tag)?.[1]?.toLowerCase())
  if (language === undefined) return undefined
  try {
    return { language, tag: new Intl.Locale(tag).baseName }
  } catch {
    return { language, tag: language }
  }
}

/** The first day of the week in a locale: 1 is Monday, 7 is Sunday. */
export function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  // Older browsers have a property instead; some have neither.
  return locale.getWeekInfo?.().firstDay ?? locale.weekInfo?.firstDay ?? 1
}
