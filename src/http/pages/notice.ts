import { START_AGAIN } from '../../domain/forms/route.ts'
import type { Locale } from '../../domain/languages.ts'
import type { Sentence } from '../../domain/sentence.ts'
import { type Html, html } from '../../format/text/html.ts'
import { sayIn } from '../language.ts'
import { frame } from './first-paint.ts'

interface Words {
  readonly missing: string
  readonly hint: string
  readonly trouble: string
  readonly startAgain: string
}

const WORDS: Readonly<Record<Locale['language'], Words>> = {
  en: {
    missing: 'Page not found',
    hint: 'The link may be old or mistyped. Please ask the person who sent it for a new one.',
    trouble: 'Something went wrong',
    startAgain: 'Please start again from the form.',
  },
  de: {
    missing: 'Seite nicht gefunden',
    hint: 'Der Link ist vielleicht veraltet oder falsch geschrieben. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
    trouble: 'Etwas ist schiefgegangen',
    startAgain: 'Bitte beginnen Sie noch einmal mit dem Formular.',
  },
  es: {
    missing: 'Página no encontrada',
    hint: 'Puede que el enlace sea antiguo o esté mal escrito. Pide uno nuevo a quien te lo envió.',
    trouble: 'Algo ha salido mal',
    startAgain: 'Vuelve a empezar desde el formulario.',
  },
  fr: {
    missing: 'Page introuvable',
    hint: 'Le lien est peut-être ancien ou mal saisi. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    trouble: 'Une erreur est survenue',
    startAgain: 'Veuillez recommencer à partir du formulaire.',
  },
  pt: {
    missing: 'Página não encontrada',
    hint: 'O link pode ser antigo ou estar escrito errado. Peça um novo a quem o enviou.',
    trouble: 'Algo deu errado',
    startAgain: 'Comece novamente pelo formulário.',
  },
  ja: {
    missing: 'ページが見つかりません',
    hint: 'リンクが古いか、入力が間違っている可能性があります。送り主に新しいリンクをお尋ねください。',
    trouble: 'エラーが発生しました',
    startAgain: 'フォームからもう一度やり直してください。',
  },
}

export function noticeTitle(locale: Locale, status: number): string {
  const { missing, trouble } = WORDS[locale.language]
  return status === 404 ? missing : trouble
}

/** What a page says instead of what it would show. */
export interface Notice {
  readonly status: number
  readonly sentence: Sentence
}

/** A page that says what went wrong and what to do next. */
export function paintNotice(base: string, locale: Locale, { status, sentence }: Notice, query: string): Html {
  return frame(
    base,
    html`<main class="card notice"><p class="notice-mark" aria-hidden="true">${status}</p>
<h1>${noticeTitle(locale, status)}</h1><p>${hintFor(locale, status, sentence)}</p></main>`,
    locale.language,
    query,
  )
}

function hintFor({ language }: Locale, status: number, sentence: Sentence): string {
  if (status === 404) return WORDS[language].hint
  return sentence === START_AGAIN ? WORDS[language].startAgain : sayIn(language, sentence).text
}
