// The service worker of the dashboard. It keeps nothing, neither pages nor scripts nor data, so that nothing gets old: it
// only says so when there is no connection, and shows notifications.

/** The server writes it before this script, in the reader's language. */
declare const OFFLINE: { readonly html: string; readonly policy: string }

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface Fetching extends Waiting {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface Pushed extends Waiting {
  readonly data: { json(): Shown } | null
}

interface Clicked extends Waiting {
  readonly notification: Notification
}

/** What a notification says, as the server has encrypted it. */
interface Shown {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
}

interface Tab {
  readonly url: string
  focus(): Promise<unknown>
}

/** What we use of a worker's own scope, which the types of pages don't know. */
declare const self: {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll(options: { readonly type: 'window' }): Promise<readonly Tab[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: Waiting) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
  addEventListener(type: 'push', listener: (event: Pushed) => void): void
  addEventListener(type: 'notificationclick', listener: (event: Clicked) => void): void
}

// A new release takes the place of the one before at once.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  event.respondWith(fetch(event.request).catch(offline))
})

const offline = () =>
  new Response(OFFLINE.html, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': OFFLINE.policy },
  })

self.addEventListener('push', (event) => {
  const shown = event.data?.json()
  if (shown === undefined) return
  const { title, body, url, tag } = shown
  const icon = new URL('../assets/punctual-192-2.png', self.registration.scope).href
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url))
})

/** Shows the page: in the tab that has it already, or else in a new one, so that nobody loses what they type. */
async function open(url: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window' })
  const tab = tabs.find((one) => one.url === url)
  if (tab === undefined) await self.clients.openWindow(url)
  else await tab.focus()
}

export {}
