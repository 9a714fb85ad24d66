import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { Message } from '../../domain/messages/message.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { pageById } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'

export async function findMessage(db: Db, id: string): Promise<Message | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && fromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('messages').selectAll().where('id', '=', value('id')),
)

/** All messages of these users and teams, oldest first. */
export async function findMessagesOf(db: Db, schedulerIds: readonly string[]): Promise<Message[]> {
  if (schedulerIds.length === 0) return []
  const { rows } = await bySchedulers(db, { ids: engine(db).idList(schedulerIds) })
  return rows.map(fromRow)
}

const bySchedulers = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where(engine(db).isAmong('scheduler_id', value('ids')))
    .orderBy('id'),
)

/** Messages of these schedulers, oldest first, after the one with id `after`. */
export async function findMessagePage(
  db: Db,
  schedulerIds: readonly string[],
  page: Page,
): Promise<Message[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('scheduler_id', 'in', schedulerIds)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

export async function findAllMessages(db: Db): Promise<Message[]> {
  const rows = await db.selectFrom('messages').selectAll().orderBy('id').execute()
  return rows.map(fromRow)
}

export async function insertMessage(trx: Trx, message: Message): Promise<void> {
  const { id, schedulerId, createdAt } = message
  await trx
    .insertInto('messages')
    .values({ id, scheduler_id: schedulerId, created_at: createdAt, ...toRow(message) })
    .execute()
  await noteMessages(trx, schedulerId)
}

export async function updateMessage(trx: Trx, message: Message): Promise<void> {
  await trx.updateTable('messages').set(toRow(message)).where('id', '=', message.id).execute()
}

/** Deletes a message. What was sent of it stays on record. */
export async function deleteMessage(trx: Trx, { id, schedulerId }: Message): Promise<void> {
  await trx.deleteFrom('messages').where('id', '=', id).execute()
  await noteMessages(trx, schedulerId)
}

/** Notes whether an owner has messages, where every booking of theirs finds it. */
async function noteMessages(trx: Trx, schedulerId: string): Promise<void> {
  const [first] = await findMessagePage(trx, [schedulerId], { limit: 1 })
  await trx
    .updateTable('schedulers')
    .set({ has_messages: first === undefined ? 0 : 1 })
    .where('id', '=', schedulerId)
    .execute()
}

function toRow(message: Message) {
  return {
    name: message.name,
    moment: message.on,
    minutes: message.minutes,
    recipient: message.to,
    channel: message.by,
    event_type_ids: JSON.stringify(message.eventTypeIds),
    form_ids: JSON.stringify(message.formIds),
    enabled: message.enabled ? 1 : 0,
    replaces: message.replaces ? 1 : 0,
    texts: JSON.stringify(message.texts),
  }
}

function fromRow(row: Selectable<Schema['messages']>): Message {
  return {
    id: row.id,
    schedulerId: row.scheduler_id,
    name: row.name,
    on: row.moment,
    minutes: row.minutes,
    to: row.recipient,
    by: row.channel,
    eventTypeIds: JSON.parse(row.event_type_ids),
    formIds: JSON.parse(row.form_ids),
    enabled: row.enabled === 1,
    replaces: row.replaces === 1,
    texts: JSON.parse(row.texts),
    createdAt: row.created_at,
  }
}
