import pg from 'pg'
import { columnsOf, decodeRow } from '../../domain/imports/columns.ts'
import { SOURCE_TABLES, type SourceTable } from '../../domain/imports/source.ts'
import { Problem } from '../../domain/problem.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import type { Read, ReadingOptions } from './reading.ts'

export interface DatabaseSource {
  /** Such as postgres://user:password@host/calcom */
  readonly database: string
}

/** Rows of one page. */
const PAGE = 2000

/** Milliseconds. */
const CONNECTING = 10_000
const ONE_STATEMENT = 120_000

type Texts = Record<string, string | null>

/** Reads the rows of Cal.com's own database, all of one moment. Throws a `Problem` that never names the address. */
export async function* readDatabase(
  { database }: DatabaseSource,
  { signal, onProgress }: ReadingOptions = {},
): AsyncGenerator<Read> {
  const client = clientOf(database)
  // Whatever breaks the connection also fails the query that waits for it.
  client.on('error', () => undefined)
  const stop = () => void client.end().catch(() => undefined)
  const ask = async (text: string, values: readonly string[] = []): Promise<Texts[]> => {
    signal?.throwIfAborted()
    try {
      const { rows } = await client.query<Texts>(text, [...values])
      return rows
    } catch (error) {
      signal?.throwIfAborted()
      throw problemOf(error)
    }
  }
  signal?.throwIfAborted()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await client.connect().catch((error) => {
      signal?.throwIfAborted()
      throw problemOf(error)
    })
    await ask('begin isolation level repeatable read read only')
    // Text forms depend on them.
    await ask(`set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'`)
    const tables = await findTables(ask)
    let done = 0
    const total = tables.reduce((sum, { rows }) => sum + rows, 0)
    for (const table of tables) {
      for await (const page of pagesOf(ask, table)) {
        yield* page.map((texts) => ({ table: table.name, row: decodeRow(table.name, texts) }))
        done += page.length
        onProgress?.({ done, total })
      }
    }
    await ask('commit')
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

type Ask = (text: string, values?: readonly string[]) => Promise<Texts[]>

interface FoundTable {
  readonly name: SourceTable
  readonly schema: string
  readonly columns: readonly string[]
  readonly rows: number
}

/** The tables that there are, in the schema where Cal.com has them. */
async function findTables(ask: Ask): Promise<FoundTable[]> {
  const [found] = await ask(
    `select path.schema from unnest(array_append(current_schemas(false), 'public')) with ordinality as path (schema, place)
     where exists (select from information_schema.tables where table_schema = path.schema and table_name = 'users')
       and exists (select from information_schema.tables where table_schema = path.schema and table_name = 'EventType')
     order by path.place limit 1`,
  )
  const schema = found?.schema
  if (schema === undefined || schema === null) {
    throw new Problem(
      'invalid',
      sentence`This database has no tables of Cal.com. Please give the address that Cal.com has as DATABASE_URL.`,
    )
  }
  const columns = await ask(
    'select table_name, column_name from information_schema.columns where table_schema = $1',
    [schema],
  )
  const namesIn = Map.groupBy(columns, ({ table_name }) => table_name)
  const tables: FoundTable[] = []
  for (const name of SOURCE_TABLES) {
    const there = new Set(namesIn.get(name)?.map(({ column_name }) => column_name))
    const known = [...columnsOf(name).keys()].filter((column) => there.has(column))
    if (known.length === 0) continue
    const [counted] = await ask(`select count(*)::text as rows from ${quote(schema)}.${quote(name)}`)
    tables.push({ name, schema, columns: known, rows: Number(counted?.rows) })
  }
  return tables
}

async function* pagesOf(ask: Ask, { name, schema, columns }: FoundTable): AsyncGenerator<Texts[]> {
  const list = columns.map((column) => `it.${quote(column)}::text as ${quote(column)}`).join(', ')
  const order = columns.includes('id') ? 'order by it.id' : ''
  await ask(
    `declare page no scroll cursor for select ${list} from ${quote(schema)}.${quote(name)} it ${order}`,
  )
  for (;;) {
    const page = await ask(`fetch ${PAGE} from page`)
    if (page.length > 0) yield page
    if (page.length < PAGE) break
  }
  await ask('close page')
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function clientOf(address: string): pg.Client {
  try {
    if (!/^postgres(?:ql)?:\/\//.test(address)) throw new TypeError('not an address of PostgreSQL')
    return new pg.Client({
      connectionString: address,
      application_name: 'punctual import',
      connectionTimeoutMillis: CONNECTING,
      statement_timeout: ONE_STATEMENT,
      // When the server itself does not answer any more.
      query_timeout: ONE_STATEMENT + CONNECTING,
    })
  } catch {
    // Without its cause, which may quote the password.
    throw new Problem(
      'invalid',
      sentence`This is not the address of a PostgreSQL database. It looks like postgres://user:password@host/database.`,
    )
  }
}

/** What went wrong, in words that hold nothing of the address. */
function problemOf(error: unknown): Problem {
  const code = String((error as { code?: unknown }).code ?? '')
  return new Problem('invalid', SENTENCES.get(code) ?? (isOfServer(code) ? BROKEN : UNREACHABLE))
}

/** Codes of PostgreSQL have five characters; those of the network are words. */
const isOfServer = (code: string) => /^[0-9A-Z]{5}$/.test(code)

const UNREACHABLE = sentence`The database could not be reached. Please check its address, and whether this server may connect to it.`

const BROKEN = sentence`The database stopped answering while it was read. Please try again.`

const SIGN_IN = sentence`The database refused the user name or the password.`

const SENTENCES: ReadonlyMap<string, Sentence> = new Map([
  ['28P01', SIGN_IN],
  ['28000', SIGN_IN],
  ['3D000', sentence`There is no database of this name on that server.`],
  ['42501', sentence`This user of the database may not read the tables of Cal.com.`],
])
