import { chooseLocale, type Language } from '../domain/languages.ts'

const SEATS: Readonly<Record<Language, (taken: number, seats: number) => string>> = {
  en: (taken, seats) => `${taken} of ${seats} seats`,
  de: (taken, seats) => `${taken} von ${seats} Plätzen`,
  es: (taken, seats) => `${taken} de ${seats} plazas`,
  fr: (taken, seats) => `${taken} sur ${seats} places`,
  pt: (taken, seats) => `${taken} de ${seats} lugares`,
  ja: (taken, seats) => `${seats}席中${taken}席`,
}

/** How many seats of a meeting are taken, as in “3 of 5 seats”, in the reader's language. */
export function seatsText(taken: number, seats: number, locale: string): string {
  const { language } = chooseLocale(locale.replaceAll('_', '-'), undefined, 'en')
  return SEATS[language](taken, Math.max(taken, seats))
}
