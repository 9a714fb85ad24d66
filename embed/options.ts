import type { FloatingOptions, WidgetOptions } from './api.ts'

const LINK = /^[a-z0-9-]+(?:\/forms)?(?:\/[a-z0-9-]+)?$/

type Words = readonly [book: string, close: string, loading: string, open: string]

const WORDS: Readonly<Record<string, Words>> = {
  en: ['Book a time', 'Close', 'Loading…', 'Open the booking page'],
  de: ['Termin buchen', 'Schließen', 'Wird geladen …', 'Buchungsseite öffnen'],
  es: ['Reservar una cita', 'Cerrar', 'Cargando…', 'Abrir la página de reservas'],
  fr: ['Prendre rendez-vous', 'Fermer', 'Chargement…', 'Ouvrir la page de réservation'],
  pt: ['Marcar um horário', 'Fechar', 'Carregando…', 'Abrir a página de agendamento'],
  ja: ['予約する', '閉じる', '読み込み中…', '予約ページを開く'],
}

/** The page's approximate height, which depends on its width. */
export function heightFor({ link, hideDetails }: WidgetOptions, width: number): number {
  if (link.includes('/forms/')) return 560
  if (!link.includes('/')) return 480
  if (width >= 992) return 600
  if (width >= 640) return hideDetails ? 600 : 820
  return hideDetails ? 960 : 1180
}

const THEMES = ['light', 'dark', 'auto'] as const
const POSITIONS = ['left', 'right'] as const

/** The options in the `data-punctual-…` attributes of an element. A wrong one is left out, and named in the console. */
export function optionsOf(element: HTMLElement, link = ''): FloatingOptions {
  const { dataset } = element
  const read = <Value>(name: string, parse: (text: string) => Value | undefined, must: string) => {
    const text = element.getAttribute(`data-punctual-${name}`)
    const value = text ? parse(text) : undefined
    if (text && value === undefined) warn(`data-punctual-${name} must be ${must}.`, element)
    return value
  }
  return {
    link,
    prefill: read('prefill', objectIn, 'a JSON object'),
    minHeight: read('min-height', (text) => (Number(text) > 0 ? Number(text) : undefined), 'a number'),
    hideDetails: dataset.punctualHideDetails !== undefined,
    theme: read('theme', (text) => THEMES.find((theme) => theme === text), THEMES.join(', ')),
    locale: dataset.punctualLocale,
    title: dataset.punctualTitle,
    text: dataset.punctualText,
    color: dataset.punctualColor,
    textColor: dataset.punctualTextColor,
    position: read('position', (text) => POSITIONS.find((one) => one === text), POSITIONS.join(', ')),
  }
}

function objectIn(json: string): Record<string, string> | undefined {
  try {
    const value = JSON.parse(json)
    return Object(value) === value ? value : undefined
  } catch {
    return undefined
  }
}

/** Says in the console what is wrong with an element. */
export function warn(sentence: string, element: HTMLElement): void {
  console.warn(`Punctual: ${sentence}`, element)
}

export function check({ link }: WidgetOptions): void {
  if (!LINK.test(link))
    throw new Error(`Punctual: "${link}" is neither user, user/event nor user/forms/form.`)
}

export function wordsOf({ locale = navigator.language }: Pick<WidgetOptions, 'locale'>): Words {
  return (WORDS[locale.slice(0, 2)] ?? WORDS.en) as Words
}
