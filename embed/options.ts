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

/** The options in the `data-punctual-…` attributes of an element. */
export function optionsOf({ dataset }: HTMLElement, link = ''): FloatingOptions {
  const { punctualPrefill, punctualMinHeight, punctualHideDetails } = dataset
  return {
    link,
    prefill: punctualPrefill ? JSON.parse(punctualPrefill) : undefined,
    minHeight: punctualMinHeight ? Number(punctualMinHeight) : undefined,
    hideDetails: punctualHideDetails !== undefined,
    theme: dataset.punctualTheme as FloatingOptions['theme'],
    locale: dataset.punctualLocale,
    title: dataset.punctualTitle,
    text: dataset.punctualText,
    color: dataset.punctualColor,
    textColor: dataset.punctualTextColor,
    position: dataset.punctualPosition as FloatingOptions['position'],
  }
}

export function check({ link }: WidgetOptions): void {
  if (!LINK.test(link))
    throw new Error(`Punctual: "${link}" is neither user, user/event nor user/forms/form.`)
}

export function wordsOf({ locale = navigator.language }: WidgetOptions): Words {
  return (WORDS[locale.slice(0, 2)] ?? WORDS.en) as Words
}
