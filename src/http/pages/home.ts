import type { Language, Locale } from '../../domain/languages.ts'
import { type Html, html } from '../../format/text/html.ts'
import { readTexts } from '../../texts/read.ts'
import { frame } from './first-paint.ts'

const wordsIn = (language: Language) => readTexts(language, 'server-pages').home

export const homeTitle = ({ language }: Locale): string => `Punctual · ${wordsIn(language).title}`

export const homeDescription = ({ language }: Locale): string => wordsIn(language).what

export const signInTitle = ({ language }: Locale): string => wordsIn(language).signIn

/** The page at the root: what this service is, and the ways on. */
export function paintHome(base: string, { language }: Locale, demoSlug: string | undefined): Html {
  const { title, what, guests, signIn, demo, api } = wordsIn(language)
  return frame(
    base,
    html`<main class="card home"><img src="${base}/assets/punctual-mark-2.svg" alt="" width="56" height="56">
<h1>${title}</h1><p>${what}</p><div class="actions"><a class="button" href="${base}/app">${signIn}</a>${
      demoSlug !== undefined && html`<a class="button button-quiet" href="${base}/${demoSlug}">${demo}</a>`
    }<a class="button button-quiet" href="${base}/docs">${api}</a></div>
<p class="small">${guests}</p></main>`,
    language,
    '',
  )
}
