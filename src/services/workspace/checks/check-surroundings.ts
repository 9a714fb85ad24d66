import { access, constants, mkdtemp, rmdir, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Sentence, sentence, verbatim } from '../../../domain/sentence.ts'
import { withoutAddresses } from '../../../format/text/without-addresses.ts'
import { checkSmtp } from '../../../outside/mail/smtp-check.ts'
import type { Surroundings } from '../../surroundings.ts'

/** What one check has found. */
export interface Finding {
  readonly what: Sentence
  readonly state: FindingState
  readonly says: Sentence
  /** What to do about it. */
  readonly advice?: Sentence
}

const FINDING_STATES = ['ok', 'warning', 'broken'] as const
type FindingState = (typeof FINDING_STATES)[number]

const [MEGABYTE, GIGABYTE] = [1024 ** 2, 1024 ** 3]
const PATIENCE = 5000

/** What went wrong, in one line without addresses: some errors have their reason in others. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  const { message, cause } = error as Error
  if (cause instanceof Error) return `${withoutAddresses(message)}: ${reasonOf(cause)}`
  return withoutAddresses(message.replaceAll(/\s*\n\s*/g, ' '))
}

export async function checkMode({ production }: Surroundings): Promise<Finding[]> {
  const what = sentence`Settings`
  if (production) return [{ what, state: 'ok', says: sentence`valid, for production` }]
  return [
    {
      what,
      state: 'warning',
      says: sentence`valid, but not for production`,
      advice: sentence`On a server for real guests, set NODE_ENV=production: it keeps the demo workspace out.`,
    },
  ]
}

/** Where things are written: is there room, and permission? */
export async function checkFolders({ dataDir, backupEvery, backupDir }: Surroundings): Promise<Finding[]> {
  return [
    await checkFolder(verbatim('DATA_DIR'), dataDir),
    ...(backupEvery > 0 ? [await checkFolder(verbatim('BACKUP_DIR'), backupDir)] : []),
  ]
}

async function checkFolder(what: Sentence, folder: string): Promise<Finding> {
  try {
    const existing = await nearestFolder(resolve(folder))
    if (existing === resolve(folder)) await rmdir(await mkdtemp(join(existing, '.doctor-')))
    else await access(existing, constants.W_OK)
    const { bavail, bsize } = await statfs(existing)
    const free = bavail * bsize
    const says = sentence`${folder} is writable, ${{ bytes: free }} free`
    if (free >= GIGABYTE) return { what, state: 'ok', says }
    const advice = sentence`Make room: a full disk loses nothing that was acknowledged, but takes no bookings.`
    return { what, state: free >= 100 * MEGABYTE ? 'warning' : 'broken', says, advice }
  } catch (error) {
    const says = sentence`${folder} can't be written to: ${reasonOf(error)}`
    const advice = sentence`Let the account that runs the service own this folder.`
    return { what, state: 'broken', says, advice }
  }
}

/** The folder itself, or the one that it would be made in. */
export async function nearestFolder(folder: string): Promise<string> {
  try {
    await access(folder)
    return folder
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return nearestFolder(parent)
  }
}

/** Can mail be sent, or where does it go? */
export async function checkMail(surroundings: Surroundings): Promise<Finding[]> {
  const { smtpUrl, mailFrom, mailFolder, production } = surroundings
  const what = sentence`Mail`
  if (smtpUrl === '') {
    const says = sentence`written to ${mailFolder}, not sent`
    if (!production) return [{ what, state: 'ok', says }]
    return [{ what, state: 'warning', says, advice: sentence`Set SMTP_URL: guests and hosts get no emails.` }]
  }
  const { host } = new URL(smtpUrl)
  try {
    await checkSmtp(smtpUrl)
  } catch (error) {
    const says = sentence`${host} can't be used: ${reasonOf(error)}`
    const advice = sentence`Check SMTP_URL, and whether this machine may connect to it. Emails wait until then.`
    return [{ what, state: 'broken', says, advice }]
  }
  if (/@localhost>?$/.test(mailFrom)) {
    const says = sentence`${host} answers, but the sender is ${mailFrom}`
    const advice = sentence`Set MAIL_FROM to an address of yours that this mail server may send for.`
    return [{ what, state: 'warning', says, advice }]
  }
  return [{ what, state: 'ok', says: sentence`${host} answers` }]
}

/** Is the address in links one that guests can use? */
export async function checkPublicUrl({ publicUrl, production }: Surroundings): Promise<Finding[]> {
  const what = verbatim('PUBLIC_URL')
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const findings: Finding[] = []
  if (production && isLocal) {
    const says = sentence`${publicUrl} works on this machine only`
    const advice = sentence`Set PUBLIC_URL to what guests see: links in emails begin with it.`
    findings.push({ what, state: 'broken', says, advice })
  } else if (production && protocol !== 'https:') {
    const says = sentence`${publicUrl} is not https`
    const advice = sentence`Put a proxy with TLS in front: personal data travels unprotected, and browsers refuse the ALTCHA check.`
    findings.push({ what, state: 'warning', says, advice })
  }
  return [...findings, await checkReachable(publicUrl)]
}

async function checkReachable(publicUrl: string): Promise<Finding> {
  const what = verbatim('PUBLIC_URL')
  const advice = sentence`Start the service, and see that the proxy leads to it. This machine may also be unable to reach itself.`
  try {
    const response = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(PATIENCE) })
    const body = (await response.json().catch(() => undefined)) as { status?: string } | undefined
    if (response.ok && body?.status === 'ok')
      return { what, state: 'ok', says: sentence`${publicUrl} leads to the service` }
    const says = sentence`${publicUrl}/healthz answers ${response.status}, and not as this service would`
    return { what, state: 'warning', says, advice }
  } catch (error) {
    const says = sentence`${publicUrl} can't be reached from here: ${reasonOf(error)}`
    return { what, state: 'warning', says, advice }
  }
}
