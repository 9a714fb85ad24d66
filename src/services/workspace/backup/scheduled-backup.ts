import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../../../outside/private-file.ts'
import type { Db } from '../../../store/engine/database.ts'
import { abandonLease, finishLease, renewLease, takeLease } from '../../../store/leases.ts'
import type { Context } from '../../context.ts'
import { backup } from './backup.ts'

export interface BackupSchedule {
  /** Milliseconds from one backup to the next. */
  readonly every: number
  readonly folder: string
  /** How many are kept. */
  readonly keep: number
  /** Opens connections for the backup alone: its transaction takes minutes, and no request should wait for it. */
  readonly openStore: () => Db
  /** Ends a backup that is being taken. */
  readonly signal: AbortSignal
}

const [MINUTE, DAY] = [60_000, 24 * 3_600_000]
/** An instance that dies while it takes a backup delays the next try by this much. */
const LEASE = 2 * MINUTE
const RETRY_AFTER = 10 * MINUTE

const BACKUP_FILE = /^punctual-\d{8}T\d{9}Z\.jsonl\.gz$/
const PARTIAL_FILE = /^punctual-\d{8}T\d{9}Z\.jsonl\.gz\..+\.partial$/

/** Takes a backup if one is due and no other instance takes it; deletes the oldest beyond those to keep. */
export async function backUpIfDue({ db, now }: Context, schedule: BackupSchedule): Promise<void> {
  const { every, folder, keep, signal } = schedule
  if (signal.aborted || !(await takeLease(db, 'backup', every, LEASE))) return
  const renewal = setInterval(() => renewLease(db, 'backup', LEASE).catch(() => {}), LEASE / 4)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeBackup(join(folder, fileNameAt(now())), schedule, now())
  } catch (error) {
    clearInterval(renewal)
    await abandonLease(db, 'backup', signal.aborted ? 0 : RETRY_AFTER).catch(() => {})
    if (signal.aborted) return
    throw error
  }
  clearInterval(renewal)
  await finishLease(db, 'backup')
  await deleteOldBackups(folder, keep, now())
}

async function writeBackup(path: string, { openStore, signal }: BackupSchedule, now: number): Promise<void> {
  const own = openStore()
  try {
    await writePrivateFile(path, backup(own, now), { gzip: true, signal })
  } finally {
    await own.destroy()
  }
}

/** Sorts by time, and is allowed on every file system. */
function fileNameAt(now: number): string {
  return `punctual-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}.jsonl.gz`
}

/** The scheduled backups in a folder; none if there is no such folder. */
export async function readBackups(folder: string): Promise<{ files: number; bytes: number }> {
  let names: string[]
  try {
    names = (await readdir(folder)).filter((name) => BACKUP_FILE.test(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { files: 0, bytes: 0 }
  }
  const sizes = await Promise.all(
    // One that is deleted in this moment takes no room.
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

async function deleteOldBackups(folder: string, keep: number, now: number): Promise<void> {
  const names = await readdir(folder)
  const old = names
    .filter((name) => BACKUP_FILE.test(name))
    .sort()
    .slice(0, -keep)
  for (const name of old) await rm(join(folder, name), { force: true })
  // A process that was killed leaves its unfinished file behind.
  for (const name of names.filter((name) => PARTIAL_FILE.test(name))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < now - DAY) await rm(path, { force: true })
  }
}
