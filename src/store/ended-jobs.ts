import { sql } from 'kysely'
import { type IdList, idListOf, isAmong } from './engine/among.ts'
import { type Db, engineOf, execute, isUnfit } from './engine/database.ts'
import { prepared } from './engine/prepared.ts'
import { WORKER_PATIENCE, writeInCompany } from './engine/sqlite.ts'
import { jobsWithIds } from './outbox.ts'
import { ATTEMPT_COLUMNS, type Delivery, toAttempt, updateAttempt } from './webhooks/deliveries.ts'

/** A job that is done, and what became of the delivery that it was about. */
export interface EndedJob {
  readonly id: number
  readonly delivery?: Delivery | undefined
}

/** A job that could not be struck off, because what became of its delivery cannot be written down. */
export interface UnfitJob {
  readonly id: number
  readonly error: Error
}

/**
 * Strikes jobs off and writes down how their deliveries went: both or neither.
 *
 * All at once, unless one of them spoils it for the others; those that do come back.
 */
export async function strikeOffJobs(db: Db, ended: readonly EndedJob[]): Promise<UnfitJob[]> {
  try {
    await strikeOffAll(db, ended)
    return []
  } catch (error) {
    if (!isUnfit(error)) throw error
    const [first] = ended
    if (ended.length === 1 && first !== undefined) return [{ id: first.id, error: error as Error }]
    const unfit: UnfitJob[] = []
    for (const one of ended) unfit.push(...(await strikeOffJobs(db, [one])))
    return unfit
  }
}

async function strikeOffAll(db: Db, ended: readonly EndedJob[]): Promise<void> {
  const ids = ended.map(({ id }) => id)
  const attempts = ended.flatMap(({ delivery }) => (delivery === undefined ? [] : [toAttempt(delivery)]))
  if (engineOf(db) === 'postgres') {
    await strikeOffInOneStatement(db, { ids: idListOf(db, ids), attempts: JSON.stringify(attempts) })
    return
  }
  const strikeOff = sql`delete from outbox where ${jobsWithIds(db, ids)}`.compile(db)
  const records = attempts.map((attempt) => updateAttempt.bind(db, attempt))
  await execute(db, writeInCompany(WORKER_PATIENCE, strikeOff, ...records))
}

const definitions = Object.entries(ATTEMPT_COLUMNS).map(([name, type]) => `${name} ${type}`)
const { id: _, ...changed } = ATTEMPT_COLUMNS
const changes = Object.keys(changed).map((name) => `${name} = tried.${name}`)

const strikeOffInOneStatement = prepared<{ ids: IdList; attempts: string }, unknown>((db, value) => ({
  compile: () =>
    sql`
        with recorded as (
          update webhook_deliveries as delivery set ${sql.raw(changes.join(', '))}
          from json_to_recordset(${value('attempts')}::json) as tried (${sql.raw(definitions.join(', '))})
          where delivery.id = tried.id
        )
        delete from outbox where ${isAmong(db, 'id', value('ids'), 'bigint')}`.compile(db),
}))
