import { type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { type EngineName, engine } from './engine.ts'
import type { Schema } from './schema.ts'

/** Stands for a value that the query gets each time it runs. */
export type Placeholder<Values extends object> = <K extends keyof Values>(name: K) => Values[K]

/** What stands in a compiled query's parameters until then. */
class Marker {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

const mark = (name: PropertyKey) => new Marker(name) as never

/** A query builder or an `sql` text. */
interface Buildable<Row> {
  compile(db: Db): CompiledQuery<Row>
}

export interface Prepared<Values extends object, Row> {
  (db: Db, values: Values): Promise<QueryResult<Row>>
  /** The query with its values, for something else to run. */
  bind(db: Db, values: Values): CompiledQuery<Row>
}

/**
 * A query that is built once per engine and run with new values each time.
 *
 * For the few that every request runs: building a query takes longer than running it.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, value: Placeholder<Values>) => Buildable<Row>,
): Prepared<Values, Row> {
  const compiled = oncePerEngine((db) => build(db, mark).compile(db))
  const bind = (db: Db, values: Values) => bindValues(compiled(db), values)
  return Object.assign((db: Db, values: Values) => engine(db).execute(db, bind(db, values)), { bind })
}

/** An insert of any number of rows, which come as a JSON array, in its order. Its ids grow in that order, too. */
export function preparedInsertAll<Table extends keyof Schema>(
  table: Table,
  columns: readonly (keyof Schema[Table] & string)[],
): Prepared<{ rows: string }, unknown> {
  return prepared((_db, value) => ({
    compile: (db) =>
      sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
        ${engine(db).rowsFromJson(table, columns, value('rows'))}`.compile(db),
  }))
}

/** Writes that are built once per engine, for `batchedWrite` to run with new values each time. */
export function preparedBatch<Values extends object>(
  build: (db: Db, value: Placeholder<Values>) => readonly RawBuilder<unknown>[],
): (db: Db, values: Values) => Promise<void> {
  const compiled = oncePerEngine((db) => engine(db).compileBatch(db, build(db, mark)))
  return (db, values) =>
    engine(db).batchedWrite(
      db,
      compiled(db).map((write) => bindValues(write, values)),
    )
}

function oncePerEngine<T>(make: (db: Db) => T): (db: Db) => T {
  const made = new Map<EngineName, T>()
  return (db) => {
    const { name } = engine(db)
    let result = made.get(name)
    if (result === undefined) {
      result = make(db)
      made.set(name, result)
    }
    return result
  }
}

function bindValues<Values extends object, Row>(
  query: CompiledQuery<Row>,
  values: Values,
): CompiledQuery<Row> {
  const parameters = query.parameters.map((part) =>
    part instanceof Marker ? values[part.name as keyof Values] : part,
  )
  return { ...query, parameters }
}
