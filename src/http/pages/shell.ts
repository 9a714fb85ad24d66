import type { Locale } from '../../domain/languages.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { accentOf, type Surface, type ThemedColour } from '../../format/contrast.ts'
import { type Html, html } from '../../format/text/html.ts'
import { readTexts } from '../../texts/read.ts'
import type { BuiltPage } from './built-pages.ts'
import type { PageData } from './page-data.ts'
import { fontFaces, preloadedFont } from './typeface.ts'

/** How the site around the page wants it to look. */
interface Embedded {
  /** What the site shows itself: the `details` of the event type, or of the `profile`. */
  readonly hide: readonly string[]
  readonly surface: Surface | undefined
}

export interface ShellOptions {
  readonly title: string
  readonly description: string
  /** The canonical URL; left out for pages that are not shared. */
  readonly canonical?: string
  readonly image?: string
  /** Where guests without JavaScript can write to; empty or left out: nowhere. */
  readonly contact?: string
  /** Whose page it is, for link previews; left out: the service's own. */
  readonly siteName?: string
  readonly noindex?: boolean
  /** Where the manifest of an installable page is. */
  readonly manifest?: string
  readonly locale: Locale
  readonly theme: Scheduler['theme']
  /** Set inside another site, where the page stands without a frame around it. */
  readonly embedded?: Embedded | undefined
  readonly primaryColor: string
  readonly nonce: string
  readonly base: string
  readonly css: string
  readonly script?: Pick<BuiltPage, 'starter' | 'script' | 'imports'> & { readonly data: PageData }
  /** The first paint, shown until the script takes over. */
  readonly body: Html
}

/** The document around a page. */
export function renderShell(options: ShellOptions): string {
  const { title, description, canonical, image, siteName, locale, theme, embedded, nonce, base, script } =
    options
  const page = html`<!doctype html>
<html lang="${locale.tag}"${theme !== 'auto' && html` data-theme="${theme}"`}${embedded && html` data-embed`}${embedded !== undefined && embedded.hide.length > 0 && html` data-hide="${embedded.hide.join(' ')}"`}>
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
<meta property="og:site_name" content="${siteName ?? 'Punctual'}">
${previewImage(siteName, image ?? `${new URL(canonical).origin}${base}/assets/punctual-card-2.png`, image === undefined)}`
}
${options.noindex === true && html`<meta name="robots" content="noindex">`}
<meta property="csp-nonce" nonce="${nonce}">
<link rel="icon" href="${base}/favicon.ico" sizes="32x32">
<link rel="icon" href="${base}/assets/punctual-mark-2.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${base}/assets/punctual-touch-2.png">
${options.manifest !== undefined && html`<link rel="manifest" href="${options.manifest}">`}
<link rel="preload" href="${preloadedFont(base)}" as="font" type="font/woff2" crossorigin>
<style nonce="${nonce}">${{ html: fontFaces(base) }}</style>
<style nonce="${nonce}">${{ html: options.css }}</style>
<style nonce="${nonce}">${{ html: coloursOf(options.primaryColor) + surfaceStyle(embedded?.surface) }}</style>
${script && html`<noscript><style nonce="${nonce}">.choose,.fields,.bar{display:none}</style></noscript>`}
${
  script &&
  html`<script type="module" data-script="${base}/${script.script}" data-imports="${script.imports.map((file) => `${base}/${file}`).join(' ')}">${{ html: script.starter.text }}</script>`
}
</head>
<body>
${script && html`<noscript>${withoutScript(locale, options.contact ?? '')}</noscript>`}
<div id="root">${options.body}</div>
${script && html`<script type="application/json" id="data">${{ html: dataJson(script.data) }}</script>`}
</body>
</html>
`
  return page.html
}

/** Says at the top what is missing, and what to do instead. */
function withoutScript({ language }: Locale, contact: string): Html {
  const { noScript, noScriptWrite } = readTexts(language, 'server-pages')
  // As character references, which fewer collectors of addresses read.
  const address = { html: Array.from(contact, (letter) => `&#${letter.codePointAt(0)};`).join('') }
  return html`<div class="noscript"><p>${noScript}</p>${contact !== '' && html`<p>${noScriptWrite} <a class="link" href="mailto:${address}">${address}</a></p>`}</div>`
}

/** The host's picture, or the card of the service on its own pages: on a host's page, it would hide whom and what it is about. */
function previewImage(siteName: string | undefined, image: string, isCard: boolean): Html {
  if (isCard && siteName !== undefined) return html`<meta name="twitter:card" content="summary">`
  return html`<meta name="twitter:card" content="${isCard ? 'summary_large_image' : 'summary'}">
<meta property="og:image" content="${image}">
<meta property="og:image:alt" content="${siteName ?? 'Punctual'}">`
}

/** JSON without `<`, so that no text in it can close the script element. */
function dataJson(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

function surfaceStyle(surface: Surface | undefined): string {
  if (surface === undefined) return ''
  const { card, ink } = surface
  return `:root{${card && `--card:${card};`}${ink && `--ink:${ink}`}}`
}

function coloursOf(primaryColor: string): string {
  const accent = accentOf(primaryColor)
  const both = ({ light, dark }: ThemedColour) => `light-dark(${light},${dark})`
  return `:root{--accent:${both(accent.fill)};--accent-hover:${both(accent.hover)};--accent-edge:${both(accent.edge)};--on-accent:${both(accent.onFill)};--accent-text:${both(accent.text)};--accent-tint:${both(accent.tint)}}`
}
