import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import type { EngineName } from '../src/store/engine/engine.ts'

/** Notes every statement that this process sends to a database from now on. */
export function recordStatements(): Set<string> {
  const sent = new Set<string>()
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string, ...more): StatementSync {
    sent.add(text)
    return prepare.call(this, text, ...more)
  }
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]): never {
    const [first] = args
    sent.add(typeof first === 'string' ? first : String((first as { text?: string }).text))
    return query.apply(this, args as never) as never
  } as typeof query
  return sent
}

const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i

/** Asks a database how it would run statements. */
export interface Planner extends AsyncDisposable {
  /** The tables that a statement reads from one end to the other. */
  findScans(statement: string): Promise<string[]>
}

/** A planner that knows how many rows there really are. */
export interface InformedPlanner extends Planner {
  /** What PostgreSQL expects a statement to cost, in its own unit. */
  costOf(statement: string): Promise<number>
}

export function openPlanner(url: string, engine: EngineName): Promise<Planner> {
  return engine === 'sqlite' ? openOnSqlite(url) : openOnPostgres(url, CLAIM_A_MILLION_ROWS)
}

/** A planner on PostgreSQL that knows what the tables really hold. */
export function openInformedPlanner(url: string): Promise<InformedPlanner> {
  return openOnPostgres(url, READ_ALL)
}

/** All rows: a usual sample of 30,000 may miss the only two that are ahead. */
const READ_ALL = 'set default_statistics_target = 1000; analyze'

/** A planner on PostgreSQL that only sees how large the tables are: as in the first minutes, and after a restore. */
export function openUninformedPlanner(url: string): Promise<Planner> {
  return openOnPostgres(url, FORGET)
}

const FORGET = `
  delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace);
  update pg_class set relpages = 0, reltuples = -1 where relkind = 'r' and relnamespace = 'public'::regnamespace`

/** Most partial indexes hold few rows, and may be walked through: not one of bookings that are confirmed. */
const OF_MANY = `'%''Confirmed''%'`

/** SQLite's plans depend on the indexes alone, as long as `analyze` has not run. */
async function openOnSqlite(path: string): Promise<Planner> {
  const database = new DatabaseSync(path)
  const namesOf = (query: string) =>
    database
      .prepare(query)
      .all()
      .map(({ name }) => String(name))
  const tables = new Set(namesOf(`select name from sqlite_schema where type = 'table'`))
  const small = new Set(
    namesOf(
      `select name from sqlite_schema where type = 'index' and sql like '% where %' and sql not like ${OF_MANY}`,
    ),
  )
  return {
    async findScans(statement) {
      if (!PLANNED.test(statement)) return []
      const aliases = aliasesIn(statement)
      return database
        .prepare(`explain query plan ${statement}`)
        .all()
        .flatMap(({ detail }) => {
          const [, name = '', index = ''] =
            /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(String(detail)) ?? []
          const table = aliases.get(name) ?? name
          return tables.has(table) && !small.has(index) ? [table] : []
        })
    },
    async [Symbol.asyncDispose]() {
      database.close()
    },
  }
}

/** `outbox as o`: plans name the alias. */
function aliasesIn(statement: string): Map<string, string> {
  const found = statement.matchAll(/(?:from|join|update)\s+"?(\w+)"?\s+as\s+"?(\w+)"?/gi)
  return new Map([...found].map(([, table = '', alias = '']) => [alias, table]))
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Total Cost': number
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/**
 * On small tables PostgreSQL would always scan, so its statistics claim that every page holds a million rows. A table without
 * any page is still empty to it.
 */
const CLAIM_A_MILLION_ROWS = `
  update pg_class set relpages = 1, reltuples = 1000000
  where relkind = 'r' and relnamespace = 'public'::regnamespace`

async function openOnPostgres(url: string, prepareStatistics: string): Promise<InformedPlanner> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(prepareStatistics)
  const { rows: indexes } = await client.query(`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indpred is not null and pg_get_expr(i.indpred, i.indrelid) not like ${OF_MANY}`)
  const small = new Set(indexes.map(({ name }) => name))
  const planOf = async (statement: string): Promise<PlanNode | undefined> => {
    if (!PLANNED.test(statement)) return undefined
    const { rows } = await client.query(`explain (generic_plan, format json) ${statement}`)
    return rows[0]['QUERY PLAN'][0].Plan
  }
  return {
    async costOf(statement) {
      return (await planOf(statement))?.['Total Cost'] ?? 0
    },
    async findScans(statement) {
      const plan = await planOf(statement)
      return (plan === undefined ? [] : nodesOf(plan)).flatMap((node) => {
        const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index } = node
        const walks = /^Index/.test(type) && node['Index Cond'] === undefined && !small.has(index)
        return type === 'Seq Scan' || walks ? [table] : []
      })
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
