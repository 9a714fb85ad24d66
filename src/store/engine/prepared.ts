import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import { type Db, type Engine, engineOf, execute } from './database.ts'

/** Names a value that the query will be given when it runs. */
export type Place<Values extends object> = <K extends keyof Values>(name: K) => Values[K]

/** Stands in a query until then. */
class Blank {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

export interface Prepared<Values extends object, Row> {
  (db: Db, values: Values): Promise<QueryResult<Row>>
  /** The query with its values, for something else to run. */
  bind(db: Db, values: Values): CompiledQuery<Row>
}

/**
 * A query that is built once per engine and run with new values each time.
 *
 * For the few that every request runs: building one takes longer than running it.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, value: Place<Values>) => Compilable<Row>,
): Prepared<Values, Row> {
  const compiled = new Map<Engine, CompiledQuery<Row>>()
  const bind = (db: Db, values: Values): CompiledQuery<Row> => {
    const engine = engineOf(db)
    let query = compiled.get(engine)
    if (query === undefined) {
      query = build(db, (name) => new Blank(name) as never).compile()
      compiled.set(engine, query)
    }
    const parameters = query.parameters.map((part) =>
      part instanceof Blank ? values[part.name as keyof Values] : part,
    )
    return { ...query, parameters }
  }
  return Object.assign((db: Db, values: Values) => execute(db, bind(db, values)), { bind })
}
