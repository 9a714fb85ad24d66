import { access, constants, mkdtemp, rmdir, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { checkSmtp } from '../outside/smtp-check.ts'
import type { Settings } from '../settings.ts'
import { mailFolderOf } from '../start.ts'

/** What one check has found. */
export interface Finding {
  readonly what: string
  readonly state: 'ok' | 'warning' | 'broken'
  readonly says: string
  /** What to do about it. */
  readonly advice?: string
}

const [MEGABYTE, GIGABYTE] = [1024 ** 2, 1024 ** 3]
const PATIENCE = 5000

/** What went wrong, in one line: some errors have their reason in others. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${reasonOf(cause)}` : message.replaceAll(/\s*\n\s*/g, ' ')
}

export async function checkMode({ production }: Settings): Promise<Finding[]> {
  if (production) return [{ what: 'Settings', state: 'ok', says: 'valid, for production' }]
  return [
    {
      what: 'Settings',
      state: 'warning',
      says: 'valid, but not for production',
      advice: 'On a server for real guests, set NODE_ENV=production: it keeps the demo workspace out.',
    },
  ]
}

/** Where things are written: is there room, and permission? */
export async function checkFolders({ dataDir, backupEvery, backupDir }: Settings): Promise<Finding[]> {
  return [
    await checkFolder('DATA_DIR', dataDir),
    ...(backupEvery > 0 ? [await checkFolder('BACKUP_DIR', backupDir)] : []),
  ]
}

async function checkFolder(what: string, folder: string): Promise<Finding> {
  try {
    const existing = await nearestFolder(resolve(folder))
    if (existing === resolve(folder)) await rmdir(await mkdtemp(join(existing, '.doctor-')))
    else await access(existing, constants.W_OK)
    const { bavail, bsize } = await statfs(existing)
    const free = bavail * bsize
    const says = `${folder} is writable, ${formatBytes(free)} free`
    if (free >= GIGABYTE) return { what, state: 'ok', says }
    const advice = 'Make room: a full disk loses nothing that was acknowledged, but takes no bookings.'
    return { what, state: free >= 100 * MEGABYTE ? 'warning' : 'broken', says, advice }
  } catch (error) {
    const says = `${folder} can't be written to: ${reasonOf(error)}`
    return { what, state: 'broken', says, advice: 'Let the account that runs the service own this folder.' }
  }
}

/** The folder itself, or the one that it would be made in. */
async function nearestFolder(folder: string): Promise<string> {
  try {
    await access(folder)
    return folder
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return nearestFolder(parent)
  }
}

function formatBytes(bytes: number): string {
  return bytes >= GIGABYTE ? `${(bytes / GIGABYTE).toFixed(1)} GB` : `${Math.round(bytes / MEGABYTE)} MB`
}

/** Can mail be sent, or where does it go? */
export async function checkMail(settings: Settings): Promise<Finding[]> {
  const { smtpUrl, mailFrom, production } = settings
  if (smtpUrl === '') {
    const says = `written to ${mailFolderOf(settings)}, not sent`
    if (!production) return [{ what: 'Mail', state: 'ok', says }]
    return [{ what: 'Mail', state: 'warning', says, advice: 'Set SMTP_URL: guests and hosts get no emails.' }]
  }
  const { host } = new URL(smtpUrl)
  try {
    await checkSmtp(smtpUrl)
  } catch (error) {
    const says = `${host} can't be used: ${reasonOf(error)}`
    const advice = 'Check SMTP_URL, and whether this machine may connect to it. Emails wait until then.'
    return [{ what: 'Mail', state: 'broken', says, advice }]
  }
  if (/@localhost>?$/.test(mailFrom)) {
    const advice = 'Set MAIL_FROM to an address of yours that this mail server may send for.'
    return [
      { what: 'Mail', state: 'warning', says: `${host} answers, but the sender is ${mailFrom}`, advice },
    ]
  }
  return [{ what: 'Mail', state: 'ok', says: `${host} answers` }]
}

/** Is the address in links one that guests can use? */
export async function checkPublicUrl({ publicUrl, production }: Settings): Promise<Finding[]> {
  const what = 'PUBLIC_URL'
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const findings: Finding[] = []
  if (production && isLocal) {
    const says = `${publicUrl} works on this machine only`
    const advice = 'Set PUBLIC_URL to what guests see: links in emails begin with it.'
    findings.push({ what, state: 'broken', says, advice })
  } else if (production && protocol !== 'https:') {
    const says = `${publicUrl} is not https`
    const advice =
      'Put a proxy with TLS in front: personal data travels unprotected, and browsers refuse the ALTCHA check.'
    findings.push({ what, state: 'warning', says, advice })
  }
  return [...findings, await checkReachable(publicUrl)]
}

async function checkReachable(publicUrl: string): Promise<Finding> {
  const what = 'PUBLIC_URL'
  const advice =
    'Start the service, and see that the proxy leads to it. This machine may also be unable to reach itself.'
  try {
    const response = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(PATIENCE) })
    const body = (await response.json().catch(() => undefined)) as { status?: string } | undefined
    if (response.ok && body?.status === 'ok')
      return { what, state: 'ok', says: `${publicUrl} leads to the service` }
    const says = `${publicUrl}/healthz answers ${response.status}, and not as this service would`
    return { what, state: 'warning', says, advice }
  } catch (error) {
    return {
      what,
      state: 'warning',
      says: `${publicUrl} can't be reached from here: ${reasonOf(error)}`,
      advice,
    }
  }
}
