import { HOUR } from '../../../domain/interval.ts'
import { sentence } from '../../../domain/sentence.ts'
import { KEY_REFUSED } from '../../../outside/sms/sms.ts'
import { findMigrations, findUnknown } from '../../../store/engine/migrate.ts'
import { findLastSms } from '../../../store/messages/records.ts'
import { findFailedMails } from '../../../store/outbox.ts'
import { findLastBackup } from '../../../store/workspace/attention.ts'
import type { Context } from '../../context.ts'
import { withoutPeople } from '../checks/without-people.ts'
import { type AttentionItem, type Audience, withReason } from './audience.ts'

/** Counting stops here. */
const MOST_MAILS = 1000

/** What only admins of the instance can mend. It names no guest. */
export async function findInstanceTrouble(context: Context, { admin }: Audience): Promise<AttentionItem[]> {
  if (!admin) return []
  return [
    ...(await findNewerSchema(context)),
    ...(await findOverdueBackup(context)),
    ...(await findFailedMail(context)),
    ...(await findRefusedKey(context)),
  ]
}

const ABOUT = { scope: 'instance', url: '/app/system' } as const

async function findNewerSchema({ db }: Context): Promise<AttentionItem[]> {
  if (findUnknown(await findMigrations(db)).length === 0) return []
  const says = sentence`A newer version has changed the database. Update this instance, too.`
  return [{ ...ABOUT, kind: 'newer-schema', sentence: says, since: null }]
}

/** A backup that failed is retried within minutes, so one that is late by a whole turn has failed for long. */
async function findOverdueBackup({ db, surroundings, now }: Context): Promise<AttentionItem[]> {
  const every = surroundings.backupEvery
  if (every === 0) return []
  const last = await findLastBackup(db)
  if (last === undefined) {
    // The first one is taken within a minute of the start.
    if (now() < performance.timeOrigin + HOUR) return []
    const never = sentence`Backups are scheduled, but none has been taken yet.`
    return [{ ...ABOUT, kind: 'backup-overdue', sentence: never, since: null }]
  }
  if (now() <= last + 2 * every) return []
  const date = new Date(last).toISOString().slice(0, 10)
  const says = sentence`The backup is overdue. The last one is from ${{ date }}.`
  return [{ ...ABOUT, kind: 'backup-overdue', sentence: says, since: last + every }]
}

async function findFailedMail({ db }: Context): Promise<AttentionItem[]> {
  const failed = await findFailedMails(db, MOST_MAILS)
  const [newest] = failed
  if (newest === undefined) return []
  const says =
    failed.length === 1
      ? sentence`An email could not be delivered.`
      : sentence`${failed.length} emails could not be delivered.`
  const since = Math.min(...failed.map(({ createdAt }) => createdAt))
  return [{ ...ABOUT, kind: 'mail-failing', sentence: withReason(says, withoutPeople(newest.error)), since }]
}

/** The next text message that is sent ends it. */
async function findRefusedKey({ db, sms }: Context): Promise<AttentionItem[]> {
  if (sms === undefined) return []
  const last = await findLastSms(db)
  if (last?.state !== 'failed' || last.reason.pattern !== KEY_REFUSED.pattern) return []
  return [{ ...ABOUT, kind: 'sms-refused', sentence: KEY_REFUSED, since: last.at }]
}
