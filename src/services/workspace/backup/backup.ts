import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findAppliedMigrations, refuseNewer } from '../../../store/engine/migrate.ts'
import { beginSnapshot, readPages } from '../../../store/workspace/dump.ts'
import { FORMAT, type Header, Tally, VERSION } from './backup-format.ts'

/**
 * The whole database as JSON lines, in chunks of many lines.
 *
 * It is a snapshot of one moment; the service may go on writing. Both engines give the same
 * text, and only one page of rows is in memory at a time.
 */
export async function* backup(db: Db, now: number): AsyncGenerator<string> {
  const trx = await beginSnapshot(db)
  try {
    const migrations = await findAppliedMigrations(trx)
    if (migrations.length === 0) {
      throw new Problem('invalid', english`The database has no tables yet: there is nothing to back up.`)
    }
    refuseNewer(migrations)
    const tally = new Tally()
    const write = (lines: readonly object[]) => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      tally.addText(text)
      return text
    }
    const takenAt = new Date(now).toISOString()
    const header: Header = { format: FORMAT, version: VERSION, takenAt, migrations }
    yield write([header])
    for await (const { table, rows } of readPages(trx)) {
      tally.addRows(table, rows.length)
      yield write(rows.map((row) => ({ table, row })))
    }
    yield `${JSON.stringify(tally.close())}\n`
  } finally {
    await trx.rollback().execute()
  }
}
