import type { Selectable } from 'kysely'
import type { RememberedAnswer } from '../../domain/bookings/idempotency.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import type { Schema } from '../engine/schema.ts'

export async function findAnswer(
  db: Db,
  eventTypeId: string,
  key: string,
  now: number,
): Promise<RememberedAnswer | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('event_type_id', '=', eventTypeId)
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  await engine(db).makeDurable()
  return answerFromRow(row)
}

/** Stores a response. Fails if the key has one that has not expired. */
export async function insertAnswer(db: Db, answer: RememberedAnswer, now: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('event_type_id', '=', answer.eventTypeId)
    .where('key', '=', answer.key)
    .where('expires_at', '<=', now)
    .execute()
  await db.insertInto('idempotency_keys').values(answerRow(answer)).execute()
}

/** Forgets what was answered. */
export async function deleteAnswer(db: Db, eventTypeId: string, key: string): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('event_type_id', '=', eventTypeId)
    .where('key', '=', key)
    .execute()
}

export const ANSWER_COLUMNS = ['event_type_id', 'key', 'body_hash', 'answer', 'expires_at'] as const

export function answerRow(answer: RememberedAnswer): Selectable<Schema['idempotency_keys']> {
  return {
    event_type_id: answer.eventTypeId,
    key: answer.key,
    body_hash: answer.bodyHash,
    answer: answer.answer,
    expires_at: answer.expiresAt,
  }
}

export function answerFromRow(row: Selectable<Schema['idempotency_keys']>): RememberedAnswer {
  return {
    eventTypeId: row.event_type_id,
    key: row.key,
    bodyHash: row.body_hash,
    answer: row.answer,
    expiresAt: row.expires_at,
  }
}
