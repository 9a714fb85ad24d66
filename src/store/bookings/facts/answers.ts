import { type Selectable, type SqlBool, sql } from 'kysely'
import { engine } from '../../engine/engine.ts'
import { prepared, preparedInsertAll } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { ANSWER_COLUMNS, answerFromRow, answerRow } from '../idempotency-keys.ts'
import { reading, rowStatement, type StoredFact, writing } from './fact.ts'

export const answers: StoredFact = {
  ask(db, questions) {
    const keys = questions.flatMap(({ retry }) => {
      return retry === undefined ? [] : { event_type_id: retry.eventTypeId, key: retry.key }
    })
    if (keys.length === 0) return []
    return [
      reading(readAnswers.bind(db, { keys: JSON.stringify(keys) }), (rows, ledger) => {
        for (const row of rows) ledger.answers.add(answerFromRow(row))
      }),
    ]
  },
  write: ({ answers = [] }) => [writing(answers.map(answerRow), deleteAnswers, insertAnswers)],
}

const readAnswers = prepared<{ keys: string }, Selectable<Schema['idempotency_keys']>>((db, value) => {
  const keys = engine(db).rowsFromJson('idempotency_keys', ['event_type_id', 'key'], value('keys'))
  const isSame = sql<SqlBool>`found.event_type_id = wanted.event_type_id and found.key = wanted.key`
  return sql`select found.* from ${engine(db).lookUpEach(keys, 'idempotency_keys', isSame)}`
})

/** Only an answer that has expired can stand in the way of a new one: the others were found before deciding. */
const deleteAnswers = rowStatement(
  (db, rows) => sql`delete from idempotency_keys
    where (event_type_id, key) in (${engine(db).rowsFromJson('idempotency_keys', ['event_type_id', 'key'], rows)})`,
)

const insertAnswers = preparedInsertAll('idempotency_keys', ANSWER_COLUMNS)
