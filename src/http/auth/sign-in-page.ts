import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'

const SCRIPT = `
const [ask, enter] = document.forms
const status = document.querySelector('[role=status]')
const token = new URLSearchParams(location.hash.slice(1)).get('token')
ask.hidden = Boolean(token)
enter.hidden = !token
const post = async (path, body, form, done) => {
  const button = form.querySelector('button')
  button.disabled = true
  status.textContent = 'One moment …'
  const answer = await fetch('/api/auth/' + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  const said = await answer?.json().catch(() => undefined)
  button.disabled = false
  if (answer?.ok) done(said)
  else status.textContent = said?.error ?? 'The service could not be reached. Please try again.'
  status.focus()
}
ask.addEventListener('submit', (event) => {
  event.preventDefault()
  post('login', { email: ask.elements.email.value }, ask, ({ message }) => {
    status.textContent = message
  })
})
enter.addEventListener('submit', (event) => {
  event.preventDefault()
  post('verify', { token }, enter, ({ user }) => {
    history.replaceState(null, '', location.pathname)
    enter.hidden = true
    status.textContent = 'You are signed in as ' + user.email + '.'
  })
})
`

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { min-height: 100vh; margin: 0; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 24rem; padding: 2rem 1.25rem; }
[hidden] { display: none; }
label { display: block; }
input { font: inherit; box-sizing: border-box; width: 100%; margin: .25rem 0 1rem; padding: .55rem .7rem; border: 1px solid #767676; border-radius: .5rem; background: Field; color: FieldText; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; background: #1d4ed8; color: #fff; cursor: pointer; }
button:focus-visible, input:focus-visible { outline: 3px solid #93c5fd; outline-offset: 2px; }
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
<form>
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button type="submit">Send me a link</button>
</form>
<form hidden><button type="submit">Sign in to Punctual</button></form>
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
