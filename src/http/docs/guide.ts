import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { type Html, html } from '../../format/text/html.ts'
import type { Context } from '../../services/context.ts'
import { compressAnswer } from '../compression.ts'
import { findShownLink, type ShownLink } from './shown-link.ts'
import { STYLE } from './style.ts'

interface Guide {
  readonly path: string
  readonly title: string
  /** Added to that of the reference. */
  readonly style: string
  render(shown: Shown): Html
}

/** What a guide shows its reader. */
export interface Shown extends ShownLink {
  /** Where this service is reached from other sites. */
  readonly service: string
  /** Where it is reached from its own pages. */
  readonly base: string
}

const LINK = 'demo/intro'

const LIVE_STYLE = `${STYLE}
.page { justify-content: center; }
h2 { margin: 3.5rem 0 0.75rem; }
.live { margin: 1rem 0 2rem; }
.live button { font: inherit; padding: 0.625rem 1.25rem; cursor: pointer; }
`

/** A page to read, with examples that are alive: our own scripts, our own pages in frames, and nothing else. */
export function guideRoutes(guide: Guide): FastifyPluginAsync<{ readonly context: Context }> {
  const style = LIVE_STYLE + guide.style
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "frame-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  return async (app, { context }) => {
    const service = context.publicUrl
    const base = new URL(service).pathname.replace(/\/$/, '')

    app.addHook('onSend', compressAnswer)
    app.get(guide.path, { schema: { hide: true } }, async (request, reply) => {
      const shown = { service, base, ...(await findShownLink(context, request.query, LINK)) }
      return reply
        .header('content-security-policy', policy)
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(renderPage(guide.title, style, guide.render(shown)))
    })
  }
}

/** An example that runs here, wherever this service is reached; nothing if its link is not offered. */
export function live(
  { base, link, offered }: Shown,
  example: (base: string, link: string) => string,
): Html | false {
  return offered && html`<div class="live">${{ html: example(base, link) }}</div>`
}

function renderPage(title: string, style: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<div class="page">
<main id="content">
${content}
</main>
</div>
</body>
</html>
`.html
}
