/** The languages of Stripe's pages. */
const LOCALES = [
  ...['bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr', 'fr-CA', 'hi-IN'],
  ...[
    'hr',
    'hu',
    'id',
    'it',
    'ja',
    'ko',
    'lt',
    'lv',
    'ms',
    'mt',
    'nb',
    'nl',
    'pl',
    'pt',
    'pt-BR',
    'ro',
    'ru',
  ],
  ...['sk', 'sl', 'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW'],
]

/** Other names of theirs. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({ no: 'nb', hi: 'hi-IN', tl: 'fil', 'zh-hant': 'zh-TW' }),
)

/** The language that Stripe's pages have for this tag; `auto` leaves it to the browser. */
export function stripeLocale(tag: string): string {
  const parts = tag.replaceAll('_', '-').split('-')
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('-').toLowerCase()
    const found = LOCALES.find((one) => one.toLowerCase() === name) ?? ALIASES.get(name)
    if (found !== undefined) return found
  }
  return 'auto'
}
