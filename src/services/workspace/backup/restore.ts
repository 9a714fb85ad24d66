import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import { type Db, isUnavailable, type Trx } from '../../../store/engine/database.ts'
import {
  findAppliedMigrations,
  lockMigrations,
  refuseNewer,
  runMigrations,
} from '../../../store/engine/migrate.ts'
import { MIGRATIONS } from '../../../store/engine/migrations.ts'
import { deleteSecrets } from '../../../store/secrets.ts'
import {
  dropTables,
  findUsedTable,
  insertPage,
  isTable,
  lockTables,
  type Row,
  resumeIds,
} from '../../../store/workspace/dump.ts'
import { FORMAT, type Header, Tally, type Trailer, VERSION } from './backup-format.ts'

/** Rows per insert. */
const BATCH = 500

/** Rows of pictures are large. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** Longer than any row. What is read into memory needs a limit. */
const MAX_LINE = 16 * 1024 * 1024

/**
 * Restores a backup into an empty database, all or nothing, and returns the number of rows.
 *
 * The tables are first migrated to where they were when the backup was taken, and to the newest
 * version after the rows are in. So an old backup runs the same migrations as its database would have.
 */
export async function restore(db: Db, backup: AsyncIterable<Buffer>): Promise<number> {
  const lines = readLines(backup)
  const tally = new Tally()
  // Read before locking anything: a file that is no backup should not block anyone.
  const header = await readHeader(lines, tally)
  return db.transaction().execute(async (trx) => {
    await lockMigrations(trx)
    await prepareTables(trx, header)
    const rows = await load(trx, lines, tally)
    // Migrations may queue jobs.
    await resumeIds(trx)
    await runMigrations(trx, MIGRATIONS.length)
    return rows
  })
}

async function readHeader(lines: AsyncGenerator<Buffer>, tally: Tally): Promise<Header> {
  const first = await lines.next()
  const header = (first.done ? {} : parse(first.value)) as Partial<Header>
  const { format, version, migrations } = header
  if (format !== FORMAT || typeof version !== 'number' || !Array.isArray(migrations)) {
    throw new Problem('invalid', english`The file is not a backup of Punctual.`)
  }
  if (version > VERSION) {
    throw new Problem(
      'invalid',
      english`The backup has format ${version}, and this version of Punctual reads up to ${VERSION}: update it first.`,
    )
  }
  const unknown = migrations.filter((name, index) => MIGRATIONS[index]?.name !== name)
  if (unknown.length > 0) {
    throw new Problem(
      'invalid',
      english`The backup was taken by a newer version of Punctual (${unknown.join(', ')}): update this one first.`,
    )
  }
  tally.addText(first.value)
  return header as Header
}

/** Leaves empty tables in the version of the backup. */
async function prepareTables(trx: Trx, { migrations }: Header): Promise<void> {
  const applied = await findAppliedMigrations(trx)
  // Its tables are not all known here, so they could be neither emptied nor dropped.
  refuseNewer(applied)
  await lockTables(trx)
  const used = await findUsedTable(trx)
  if (used !== undefined) {
    throw new Problem(
      'in_use',
      english`The database is not empty (there are rows in ${used}), and a backup is only restored into an empty one.`,
    )
  }
  if (isDeepStrictEqual(applied, migrations)) return deleteSecrets(trx)
  await dropTables(trx)
  await runMigrations(trx, migrations.length)
}

/** Inserts the rows, up to the trailer, and checks them against it. */
async function load(trx: Trx, lines: AsyncGenerator<Buffer>, tally: Tally): Promise<number> {
  let total = 0
  let batch: { table: string; columns: string; rows: Row[] } = { table: '', columns: '', rows: [] }
  let bytes = 0
  const flush = async () => {
    const { table, columns, rows } = batch
    if (rows.length === 0) return
    if (!isTable(table)) throw damaged(`it has a table "${table}"`)
    try {
      await insertPage(trx, { table, rows }, columns.split(' '))
    } catch (error) {
      if (isUnavailable(error)) throw error
      throw damaged(`rows do not fit into ${table} (${(error as Error).message})`, error)
    }
    tally.addRows(table, rows.length)
    total += rows.length
  }
  for await (const line of lines) {
    const { table, row, ...trailer } = parse(line) as { table?: string; row?: Row } & Partial<Trailer>
    if (table === undefined || row === undefined) {
      await flush()
      if (!isDeepStrictEqual(trailer, tally.close())) throw damaged('its contents do not match its checksum')
      if (!(await lines.next()).done) throw damaged('something follows its end')
      return total
    }
    tally.addText(line)
    const columns = Object.keys(row).join(' ')
    const full = batch.rows.length === BATCH || bytes > MAX_BATCH_BYTES
    if (table !== batch.table || columns !== batch.columns || full) {
      await flush()
      batch = { table, columns, rows: [] }
      bytes = 0
    }
    bytes += line.length
    batch.rows.push(row)
  }
  throw damaged('its end is missing')
}

function parse(line: Buffer): object {
  try {
    const value: unknown = JSON.parse(line.toString())
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Said below.
  }
  throw damaged('a line cannot be read')
}

/** Splits chunks into lines, and keeps the line feeds. */
async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let waiting = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end + 1)])
      start = end + 1
      rest = []
      waiting = 0
    }
    rest.push(chunk.subarray(start))
    waiting += chunk.length - start
    if (waiting > MAX_LINE) throw damaged('a line is too long')
  }
  if (waiting > 0) throw damaged('its last line is cut off')
}

const damaged = (reason: string, cause?: unknown) =>
  new Problem('invalid', english`The backup is damaged or incomplete: ${reason}. Nothing was restored.`, {
    cause,
  })
