import type { Locale } from '../../domain/languages.ts'
import { type Html, html } from '../../format/html.ts'
import { frame } from './first-paint.ts'

interface Words {
  readonly missing: string
  readonly hint: string
  readonly trouble: string
}

const WORDS: Readonly<Record<Locale['language'], Words>> = {
  en: {
    missing: 'There is nothing at this address',
    hint: 'The link may be old or mistyped. Ask whoever gave it to you for a new one.',
    trouble: 'This did not work',
  },
  de: {
    missing: 'Unter dieser Adresse ist nichts',
    hint: 'Der Link ist vielleicht veraltet oder falsch abgetippt. Bitte um einen neuen, wo er herkam.',
    trouble: 'Das hat nicht geklappt',
  },
  es: {
    missing: 'No hay nada en esta dirección',
    hint: 'Puede que el enlace sea antiguo o esté mal escrito. Pide uno nuevo a quien te lo dio.',
    trouble: 'Esto no ha funcionado',
  },
  fr: {
    missing: 'Il n’y a rien à cette adresse',
    hint: 'Le lien est peut-être ancien ou mal saisi. Demandez-en un nouveau à la personne qui vous l’a donné.',
    trouble: 'Cela n’a pas fonctionné',
  },
  pt: {
    missing: 'Não há nada neste endereço',
    hint: 'O link pode ser antigo ou estar mal escrito. Peça um novo a quem o enviou.',
    trouble: 'Isto não funcionou',
  },
  ja: {
    missing: 'このアドレスには何もありません',
    hint: 'リンクが古いか、入力が間違っている可能性があります。送り主に新しいリンクをお尋ねください。',
    trouble: 'うまくいきませんでした',
  },
}

export function noticeTitle(locale: Locale, status: number): string {
  const { missing, trouble } = WORDS[locale.language]
  return status === 404 ? missing : trouble
}

/** A page that says what is wrong and what to do about it. */
export function paintNotice(base: string, locale: Locale, status: number, sentence: string): Html {
  return frame(
    base,
    html`<main class="card notice"><p class="notice-mark" aria-hidden="true">${status}</p>
<h1>${noticeTitle(locale, status)}</h1><p>${status === 404 ? WORDS[locale.language].hint : sentence}</p></main>`,
  )
}
