import { deleteMailFiles } from '../outside/mail/mail-files.ts'
import { deleteExpired, type Retention } from '../store/expiry.ts'
import type { Context } from './context.ts'

/** What is kept for how long; 0 days: forever. */
export interface Housekeeping extends Retention {
  readonly mailFilesDays: number
  /** Where emails are saved that are not sent. */
  readonly mailFolder: string
}

const DAY = 24 * 3_600_000

/** Deletes what has expired: sessions, links, idempotency keys and the like, and what the operator keeps no longer. */
export async function forgetExpired({ db, now }: Context, keep: Housekeeping): Promise<void> {
  await deleteExpired(db, now(), keep)
  if (keep.mailFilesDays > 0) await deleteMailFiles(keep.mailFolder, now() - keep.mailFilesDays * DAY)
}
