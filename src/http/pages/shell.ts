import type { Locale } from '../../domain/languages.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { accentOf, type ThemedColour } from '../../format/contrast.ts'
import { type Html, html } from '../../format/html.ts'
import type { BuiltPage } from './built-pages.ts'
import type { PageData } from './page-data.ts'

export interface ShellOptions {
  readonly title: string
  readonly description: string
  /** The one address of this page; left out where there is nothing to share. */
  readonly canonical?: string
  readonly image?: string
  readonly noindex?: boolean
  readonly locale: Locale
  readonly theme: Scheduler['theme']
  /** Inside another site: nothing around the page itself. */
  readonly embedded?: { readonly hideDetails: boolean } | undefined
  readonly primaryColor: string
  readonly nonce: string
  readonly base: string
  readonly css: string
  readonly script?: Pick<BuiltPage, 'starter' | 'script' | 'imports'> & { readonly data: PageData }
  /** What is seen until the script takes over, in the same boxes. */
  readonly body: Html
}

/** The document around a page. */
export function renderShell(options: ShellOptions): string {
  const { title, description, canonical, image, locale, theme, embedded, nonce, base, script } = options
  const page = html`<!doctype html>
<html lang="${locale.tag}"${theme !== 'auto' && html` data-theme="${theme}"`}${embedded && html` data-embed`}${embedded?.hideDetails && html` data-hide="details"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${
  canonical !== undefined &&
  html`<link rel="canonical" href="${canonical}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${canonical}">
<meta name="twitter:card" content="summary">
${image && html`<meta property="og:image" content="${image}">`}`
}
${options.noindex === true && html`<meta name="robots" content="noindex">`}
<meta property="csp-nonce" nonce="${nonce}">
<link rel="icon" href="${base}/assets/punctual-mark-1.svg" type="image/svg+xml">
<style nonce="${nonce}">${{ html: options.css }}</style>
<style nonce="${nonce}">${{ html: coloursOf(options.primaryColor) }}</style>
${
  script &&
  html`<script type="module" data-script="${base}/${script.script}" data-imports="${script.imports.map((file) => `${base}/${file}`).join(' ')}">${{ html: script.starter.text }}</script>`
}
</head>
<body>
<div id="root">${options.body}</div>
${script && html`<script type="application/json" id="data">${{ html: dataJson(script.data) }}</script>`}
${script && html`<noscript><p class="noscript">${NOSCRIPT[locale.language]}</p></noscript>`}
</body>
</html>
`
  return page.html
}

const NOSCRIPT: Readonly<Record<Locale['language'], string>> = {
  en: 'This page needs JavaScript to show free times. Everything it does, the public API does as well.',
  de: 'Diese Seite braucht JavaScript, um freie Zeiten zu zeigen. Alles, was sie tut, kann auch die öffentliche API.',
  es: 'Esta página necesita JavaScript para mostrar los horarios libres. Todo lo que hace también lo hace la API pública.',
  fr: 'Cette page a besoin de JavaScript pour afficher les créneaux libres. L’API publique fait tout ce qu’elle fait.',
  pt: 'Esta página precisa de JavaScript para mostrar os horários livres. Tudo o que ela faz, a API pública também faz.',
  ja: '空き時間の表示にはJavaScriptが必要です。このページでできることは、すべて公開APIでもできます。',
}

/** JSON that cannot end the element it stands in. */
function dataJson(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

function coloursOf(primaryColor: string): string {
  const accent = accentOf(primaryColor)
  const both = ({ light, dark }: ThemedColour) => `light-dark(${light},${dark})`
  return `:root{--accent:${both(accent.fill)};--accent-hover:${both(accent.hover)};--on-accent:${both(accent.onFill)};--accent-text:${both(accent.text)};--accent-tint:${both(accent.tint)}}`
}
