import { withBase } from './base.ts'
import { language } from './language.ts'

/** Service workers need https, or this machine. */
const workers = (): ServiceWorkerContainer | undefined => navigator.serviceWorker

const scope = () => withBase('/app/')

/** Starts the service worker, or brings it up to date. Without it, everything but notifications works. */
export function startWorker(): void {
  const address = withBase(`/app/worker.js?lang=${language()}`)
  workers()
    ?.register(address, { scope: scope(), updateViaCache: 'none' })
    .catch(() => undefined)
}

/** Removes the service worker, and with it the browser's notifications. */
export async function stopWorker(): Promise<void> {
  const registration = await workers()?.getRegistration(scope())
  await registration?.unregister()
}

/** Whether this browser can show notifications here. */
export const canNotify = (): boolean =>
  workers() !== undefined && 'PushManager' in window && 'Notification' in window

/** How this browser takes notifications at present; null: not at all. */
export async function presentSubscription(): Promise<PushSubscription | null> {
  if (!canNotify()) return null
  const registration = await workers()?.getRegistration(scope())
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Asks for permission and subscribes; undefined if the user or the browser refuses. */
export async function subscribeBrowser(publicKey: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await navigator.serviceWorker.ready
  // It may have been made with a key that the server has lost.
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch(() => undefined)
}
