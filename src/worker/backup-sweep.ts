import { type BackupSchedule, backUpIfDue } from '../services/workspace/backup/scheduled-backup.ts'
import type { Sweep } from './sweeps.ts'

const MINUTE = 60_000

/** Takes backups as the operator has scheduled them. */
export function backupSweep(schedule: BackupSchedule): Sweep {
  return {
    name: 'take a scheduled backup',
    every: Math.min(MINUTE, schedule.every),
    run: (context) => backUpIfDue(context, schedule),
  }
}
