import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { policySnippet, ROOM_SNIPPET } from '../../src/format/embed-snippets.ts'

/** Someone else's site: another origin, with a policy as strict as it can be. */
export interface Site {
  readonly url: string
  /** Puts something at a path, and returns its address. */
  add(path: string, content: string): string
  close(): Promise<void>
}

/** Records every message, from any sender, before other listeners see it. */
const WATCH = `
  window.messages = []
  window.shift = 0
  addEventListener('message', ({ origin, data }) => messages.push({ origin, data }))
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { shift += value }))
    .observe({ type: 'layout-shift', buffered: true })
`

/** Notes what the widget tells. */
const LISTEN = `
  window.told = []
  for (const event of ['ready', 'slotSelected', 'submitting', 'booked', 'rescheduled', 'cancelled', 'routed', 'failed', 'height'])
    Punctual.on(event, ({ widget, ...rest }) => told.push(rest))
`

export interface Told {
  readonly event: string
  readonly link: string
  readonly bookingId?: string
  readonly eventTypeId?: string
  readonly formId?: string
  readonly height?: number
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

interface SiteOptions {
  /** They may be framed as well. */
  readonly others?: string
  /** Without them, scripts may add scripts. */
  readonly trustedTypes?: boolean
  readonly styles?: string
}

export async function openSite(
  service: string,
  { others = '', trustedTypes = true, styles = "'self'" }: SiteOptions = {},
): Promise<Site> {
  const contents = new Map([
    ['/watch.js', WATCH],
    ['/listen.js', LISTEN],
    ['/site.css', ROOM_SNIPPET],
  ])
  const policy = [
    "default-src 'none'",
    policySnippet(service)
      .replace('script-src', "script-src 'self'")
      .replace('frame-src', `frame-src ${others}`),
    `style-src ${styles}`,
    'img-src data:',
    "base-uri 'none'",
    ...(trustedTypes ? ["require-trusted-types-for 'script'"] : []),
  ].join('; ')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', service)
    const content = contents.get(pathname)
    response.statusCode = content === undefined ? 404 : 200
    const type = TYPES[/\.\w+$/.exec(pathname)?.[0] ?? ''] ?? 'text/html'
    response.setHeader('content-type', `${type}; charset=utf-8`)
    response.setHeader('content-security-policy', policy)
    response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    add(path, content) {
      contents.set(path, content)
      return url + path
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A page of the site, with a snippet in it and something below. */
export function pageWith(snippet: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>A site</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/site.css"><script src="/watch.js"></script></head>
<body><main><h1>A site</h1><p><a id="before" href="#x">Before</a></p>
${snippet}
<script src="/listen.js" defer></script>
<p><a id="below" href="#x">Below</a></p></main></body></html>`
}

/** The same without our own widget, and so without its events. */
export const barePageWith = (snippet: string) =>
  pageWith(snippet).replace('<script src="/listen.js" defer></script>', '')

export const toldOf = (page: Page) => page.evaluate<Told[]>('told')

/** The recorded messages, without heights, whose number varies. */
export async function eventsOf(page: Page): Promise<string[]> {
  return (await toldOf(page)).filter(({ event }) => event !== 'height').map(({ event }) => event)
}

export const messagesOf = (page: Page) =>
  page.evaluate<{ origin: string; data: { event: string; data: Record<string, unknown> } }[]>('messages')
