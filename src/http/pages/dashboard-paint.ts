import type { Locale } from '../../domain/languages.ts'
import { type Html, html } from '../../format/text/html.ts'
import { frame } from './first-paint.ts'
import { signInTitle } from './home.ts'

// The same boxes as web/dashboard/frame.tsx. The script finds out who is signed in.

export function paintDashboard(base: string): Html {
  return html`<div class="dashboard"><div class="dashboard-bar"><a class="brand" href="${base}/app"><img src="${base}/assets/punctual-mark-2.svg" alt="" width="26" height="26"><span>Punctual</span></a></div>
<div class="dashboard-side"></div><main class="dashboard-main"><span class="bar bar-title"></span><div class="panel panel-loading"></div></main></div>`
}

export function paintSignIn(base: string, locale: Locale): Html {
  return frame(base, html`<main class="card sign-in"><h1>${signInTitle(locale)}</h1></main>`, locale.language)
}
