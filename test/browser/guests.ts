import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

const WINDOW = { width: 1280, height: 720 }
/** What can't be taken back: whoever calls these gets a browser that no one uses after them. */
const LASTING = {
  page: ['addInitScript', 'exposeBinding', 'exposeFunction'],
  context: ['addInitScript', 'exposeBinding', 'exposeFunction', 'newCDPSession'],
  clock: ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
} as const

export interface Guests {
  /** A page of someone whose browser remembers nothing. */
  open(options: BrowserContextOptions): Promise<Page>
  /** Ends all visits. */
  leave(): Promise<void>
}

interface Guest {
  readonly page: Page
  readonly context: BrowserContext
  readonly session: CDPSession
  /** With the same options. */
  readonly key: string
  readonly listeners: Parameters<Page['off']>[]
  isSpoiled: boolean
  /** Whether the connection or permissions have changed: to reset them for nothing takes time as well. */
  isChanged: boolean
}

/**
 * Guests who use one window after the other, which forgets each of them: to start another, and to compile the same scripts
 * again in it, takes longer than most tests do. `emptyPage` is one of our own, with nothing in it.
 */
export function guestsOf(
  browser: Browser,
  emptyPage: string,
  prepare: (context: BrowserContext) => Promise<void>,
): Guests {
  const free = new Map<string, Guest[]>()
  const here: Guest[] = []

  async function create(key: string, options: BrowserContextOptions): Promise<Guest> {
    const context = await browser.newContext({ ...options, viewport: WINDOW })
    await prepare(context)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    // A worker outlives the visit that brought it.
    const isSpoiled = options.serviceWorkers === 'allow'
    const guest: Guest = { page, context, session, key, listeners: [], isSpoiled, isChanged: false }
    const spoil = () => {
      guest.isSpoiled = true
    }
    for (const name of LASTING.page) before(page, name, spoil)
    for (const name of LASTING.context) before(context, name, spoil)
    for (const name of LASTING.clock) before(page.clock, name, spoil)
    for (const name of ['setOffline', 'grantPermissions'] as const)
      before(context, name, () => {
        guest.isChanged = true
      })
    for (const name of ['on', 'once'] as const)
      before(page, name, (...given) => guest.listeners.push(given as Parameters<Page['off']>))
    return guest
  }

  return {
    async open({ extraHTTPHeaders = {}, viewport, colorScheme, forcedColors, reducedMotion, ...others }) {
      const key = JSON.stringify(others)
      const guest = free.get(key)?.pop() ?? (await create(key, others))
      here.push(guest)
      const { page, context } = guest
      await context.setExtraHTTPHeaders(extraHTTPHeaders)
      await resize(page, viewport ?? WINDOW)
      await page.emulateMedia({
        media: null,
        colorScheme: colorScheme ?? null,
        forcedColors: forcedColors ?? null,
        reducedMotion: reducedMotion ?? null,
      })
      return page
    },
    async leave() {
      for (const guest of here.splice(0)) {
        if (guest.isSpoiled || guest.page.isClosed()) await guest.context.close()
        else {
          await forget(guest, emptyPage)
          free.set(guest.key, [...(free.get(guest.key) ?? []), guest])
        }
      }
    },
  }
}

/** Calls `first` whenever this method is called. */
function before<T extends object>(object: T, name: keyof T, first: (...given: unknown[]) => void): void {
  const method = object[name] as (...given: unknown[]) => unknown
  Object.assign(object, {
    [name]: (...given: unknown[]) => {
      first(...given)
      return method.apply(object, given)
    },
  })
}

/** Removes what a guest has left behind, in the window and in what it stores. */
async function forget(guest: Guest, emptyPage: string): Promise<void> {
  const { page, context, session, listeners } = guest
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const listener of listeners.splice(0)) page.off(...listener)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  if (guest.isChanged) {
    await context.setOffline(false)
    await context.clearPermissions()
    guest.isChanged = false
  }
  await page.goto(emptyPage)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
  await session.send('Page.resetNavigationHistory')
  await page.mouse.move(0, 0)
}

async function resize(page: Page, wanted: { width: number; height: number }): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  if (width !== wanted.width || height !== wanted.height) await page.setViewportSize(wanted)
}
