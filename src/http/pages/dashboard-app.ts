import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Locale } from '../../domain/languages.ts'
import { html } from '../../format/text/html.ts'
import { readTexts } from '../../texts/read.ts'
import type { BuiltPages } from './built-pages.ts'
import { OWN_COLOUR, type PageSender } from './page-sender.ts'

/** The manifest of the dashboard, which makes it installable. */
export const manifestPath = (base: string) => `${base}/app/manifest.webmanifest`

/**
 * What an installed dashboard needs besides its page: the manifest and the service worker.
 *
 * The scope has a slash at its end: without it, it would be that of guests' pages such as `/apple`, too.
 */
export function dashboardAppRoutes(app: FastifyInstance, pages: PageSender, built: BuiltPages): void {
  const { base } = pages
  app.get('/app/manifest.webmanifest', { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifestOf(base))),
  )
  app.get('/app/worker.js', { schema: { hide: true } }, (request, reply) => {
    const worker = built.worker()
    if (worker === undefined) return reply.callNotFound()
    const mark = built.asset('punctual-mark-2.svg')?.plain.toString('utf8') ?? ''
    const offline = offlinePage(pages.localeFor(request, 'en'), mark)
    return reply
      .type('text/javascript; charset=utf-8')
      .headers({
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
        vary: 'accept-language',
      })
      .send(`const OFFLINE=${JSON.stringify(offline)};\n${worker.plain.toString('utf8')}`)
  })
}

function manifestOf(base: string) {
  const icon = (name: string, sizes: string, purpose = 'any') => ({
    src: `${base}/assets/${name}`,
    sizes,
    type: name.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
    purpose,
  })
  return {
    id: `${base}/app/`,
    name: 'Punctual',
    short_name: 'Punctual',
    start_url: `${base}/app/bookings`,
    scope: `${base}/app/`,
    display: 'standalone',
    background_color: '#f3f1ea',
    theme_color: OWN_COLOUR,
    icons: [
      icon('punctual-mark-2.svg', 'any'),
      icon('punctual-192-2.png', '192x192'),
      icon('punctual-512-2.png', '512x512'),
      icon('punctual-maskable-2.png', '512x512', 'maskable'),
    ],
  }
}

const STYLE = `:root{color-scheme:light dark;background:light-dark(#f3f1ea,#131417);color:light-dark(#1d1c1a,#ecebe7);font:1rem/1.5 Figtree,system-ui,sans-serif}
body{display:grid;min-height:100dvh;margin:0;place-items:center}
main{max-width:26rem;padding:1.5rem;text-align:center}
svg{width:3rem}
h1{margin:1rem 0 .25rem;font-size:1.5rem}
p{margin:0 0 1.5rem;color:light-dark(#5d5a53,#a9a79f)}
a{display:inline-block;padding:.65rem 1.25rem;border-radius:.6rem;background:${OWN_COLOUR};color:#fff;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid light-dark(${OWN_COLOUR},#5eead4);outline-offset:2px}`

/** The page that the worker shows without a connection. It needs no other file, and no script: the link loads again. */
function offlinePage({ language, tag }: Locale, mark: string) {
  const { title, hint, again } = readTexts(language, 'server-pages').offline
  const page = html`<!doctype html>
<html lang="${tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Punctual</title><style>${{ html: STYLE }}</style></head>
<body><main>${{ html: mark }}<h1>${title}</h1><p>${hint}</p><a href="">${again}</a></main></body></html>
`
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return {
    html: page.html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}
