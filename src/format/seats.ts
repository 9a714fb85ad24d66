import { chooseLocale } from '../domain/languages.ts'
import { tellIn } from '../domain/tell.ts'
import { readTexts } from '../texts/read.ts'

/** How many seats of a meeting are taken, as in “3 of 5 seats”, in the reader's language. */
export function seatsText(taken: number, seats: number, locale: string): string {
  const { language } = chooseLocale(locale.replaceAll('_', '-'), undefined, 'en')
  return tellIn(language)(readTexts(language, 'labels').seats, { taken, seats: Math.max(taken, seats) })
}
