import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'

const SCRIPT = `
const form = document.querySelector('form')
const button = document.querySelector('button')
const status = document.querySelector('[role=status]')
const token = new URLSearchParams(location.hash.slice(1)).get('token')
if (!token) {
  button.disabled = true
  status.textContent = 'This page needs the link from your mail.'
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  status.textContent = 'Signing in …'
  const answer = await fetch('/api/auth/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch(() => undefined)
  const body = await answer?.json().catch(() => undefined)
  history.replaceState(null, '', location.pathname)
  status.textContent = answer?.ok
    ? 'You are signed in as ' + body.user.email + '.'
    : (body?.error ?? 'The service could not be reached. Please try again.')
  status.focus()
})
`

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { min-height: 100vh; margin: 0; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 24rem; padding: 2rem 1.25rem; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; background: #1d4ed8; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid #93c5fd; outline-offset: 2px; }
button:disabled { opacity: .55; cursor: default; }
`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Punctual</title>
<style>${STYLE}</style>
<main>
<h1>Sign in</h1>
<form><button type="submit">Sign in to Punctual</button></form>
<p role="status" tabindex="-1"></p>
</main>
<script type="module">${SCRIPT}</script>
</html>
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page that a mailed link opens. Opening it does nothing; its button signs in. */
export const signInPage: FastifyPluginAsync = async (app) => {
  app.get('/app/sign-in', { schema: { hide: true } }, (_request, reply) => {
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(PAGE)
  })
}
