import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { createPushSender, newPushKeys } from '../../src/outside/push/push.ts'
import { addEventType, addUser, openGuard } from '../kit.ts'
import { type PushService, startPushService } from '../outside/push-service.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { openStage, overflowOf, type Stage } from './stage.ts'

const WITH_WORKER = { serviceWorkers: 'allow' } as const

describe('the installed dashboard', () => {
  const keys = newPushKeys()
  let service: PushService
  let stage: Stage

  before(async () => {
    service = await startPushService()
    const contact = 'mailto:ops@hosts.example'
    stage = await openStage({ webPush: createPushSender({ keys, contact, guard: openGuard }) })
    const ada = await addUser(stage.db, 'ada')
    await addEventType(stage.db, ada, { slug: 'talk' })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await stage?.close()
    await service?.close()
  })

  const worker = (page: Page) =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/app/'))?.active?.scriptURL)
  const untilWorking = (page: Page) =>
    page.evaluate(async () => void (await navigator.serviceWorker.ready).active)

  /** The worker shows what was pushed, as the browser would hand it over. */
  const assertShown = async (page: Page, shown: Record<string, string>) => {
    const session = await page.context().newCDPSession(page)
    const registered = Promise.withResolvers<string>()
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(stage.url))
      if (own !== undefined) registered.resolve(own.registrationId)
    })
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: stage.url,
      registrationId: await registered.promise,
      data: JSON.stringify(shown),
    })
    await page.waitForFunction(async ({ title, body }) => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications()
      return notifications.some((one) => one.title === title && one.body === body)
    }, shown)
  }

  it('has a manifest with its icons, and a worker that keeps nothing', async () => {
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/bookings', WITH_WORKER)
    const session = await page.context().newCDPSession(page)
    const { errors, data } = await session.send('Page.getAppManifest')
    assert.deepEqual(errors, [])
    const manifest = JSON.parse(data ?? '')
    assert.equal(manifest.display, 'standalone')
    assert.equal(manifest.start_url, '/app/bookings')
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await page.request.get(stage.url + src)
      assert.equal(icon.headers()['content-type'], type)
      if (type !== 'image/png') continue
      const bytes = await icon.body()
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes)
    }
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    // A window without a profile can't install anything.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
      [],
    )

    await untilWorking(page)
    assert.match((await worker(page)) ?? '', /\/app\/worker\.js\?lang=en$/)
    assert.deepEqual(await page.evaluate(() => caches.keys()), [])

    // Guests have no worker, and neither does an address that only begins alike.
    await page.goto(`${stage.url}/ada`)
    assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null)
    await page.goto(`${stage.url}/app/bookings`)
    await page.getByRole('heading', { level: 1 }).waitFor()

    await page.getByRole('button', { name: /Sign out/ }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.waitForFunction(
      async () => (await navigator.serviceWorker.getRegistration('/app/')) === undefined,
    )
  })

  it('says that there is no connection, in the reader’s language, and tries again', async () => {
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/bookings', {
      ...WITH_WORKER,
      viewport: { width: 360, height: 740 },
    })
    await untilWorking(page)
    await page.context().setOffline(true)
    await page.goto(`${stage.url}/app/event-types`)
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    assert.equal(await overflowOf(page), 0)
    await assertAccessible(page, 'the page without a connection')
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Event types', level: 1 }).waitFor()

    // The worker follows the language of the dashboard.
    await page.evaluate(() => localStorage.setItem('punctual:language', 'de'))
    await stage.db.updateTable('schedulers').set({ locale: 'de' }).execute()
    await page.reload()
    await page.waitForFunction(async () =>
      (await navigator.serviceWorker.getRegistration('/app/'))?.active?.scriptURL.endsWith('lang=de'),
    )
    await stage.db.updateTable('schedulers').set({ locale: 'en' }).execute()
  })

  it('turns notifications on, tries them, chooses, and turns them off', async () => {
    const { subscription, received } = service.subscribe(keys.publicKey)
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/bookings', WITH_WORKER)
    await page.context().grantPermissions(['notifications'])
    // Chromium has no push service here, so the page gets the subscription of a stand-in.
    await page.addInitScript((given) => {
      let present: object | null = null
      const made = {
        endpoint: given.endpoint,
        toJSON: () => given,
        unsubscribe: async () => {
          present = null
          return true
        },
      }
      Object.assign(PushManager.prototype, {
        getSubscription: async () => present,
        subscribe: async () => {
          present = made
          return made
        },
      })
    }, subscription)
    await page.goto(`${stage.url}/app/profile`)
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Notifications' }) })
    await section.getByRole('button', { name: 'Turn on in this browser' }).click()
    await section.getByRole('button', { name: 'Send a test' }).click()
    await section.getByText('Sent. It should show up in a moment.').waitFor()
    assert.deepEqual(
      received.map(({ shown }) => shown.title),
      ['Notifications are on'],
    )
    await assertAccessible(page, 'the profile with notifications')
    const kinds = async () =>
      (await stage.db.selectFrom('push_subscriptions').select('kinds').executeTakeFirst())?.kinds
    const saved = page.waitForResponse(
      (answer) => answer.url().endsWith('/me/push') && answer.status() === 201,
    )
    await section.getByRole('checkbox', { name: 'Cancellations' }).uncheck()
    await saved
    assert.equal(await kinds(), '["request","booking"]')
    await assertShown(page, received[0]?.shown ?? {})
    await section.getByRole('button', { name: 'Turn off in this browser' }).click()
    await section.getByRole('button', { name: 'Turn on in this browser' }).waitFor()
    assert.equal(await kinds(), undefined)

    await page.evaluate(() => {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' })
      Object.assign(Notification, { requestPermission: async () => 'denied' })
    })
    await section.getByRole('button', { name: 'Turn on in this browser' }).click()
    await section.getByRole('alert').getByText('This browser blocks notifications').waitFor()
  })
})
