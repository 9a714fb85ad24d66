import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { Sentence } from '../../domain/sentence.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { pageById } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

export async function findWebhook(db: Db, id: string): Promise<Webhook | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && fromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', value('id')),
)

export async function findWebhooksById(db: Db, ids: readonly string[]): Promise<Webhook[]> {
  const { rows } = await byIds(db, { ids: engine(db).idList(ids) })
  return rows.map(fromRow)
}

const byIds = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where(engine(db).isAmong('id', value('ids'))),
)

/** All webhooks of a user or team, oldest first. */
export function findWebhooks(db: Db, schedulerId: string): Promise<Webhook[]> {
  return findWebhooksOf(db, [schedulerId])
}

/** All webhooks of these users and teams, oldest first. */
export async function findWebhooksOf(db: Db, schedulerIds: readonly string[]): Promise<Webhook[]> {
  const { rows } = await bySchedulers(db, { ids: engine(db).idList(schedulerIds) })
  return rows.map(fromRow)
}

const bySchedulers = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where(engine(db).isAmong('scheduler_id', value('ids')))
    .orderBy('id'),
)

/** Webhooks of these schedulers, oldest first, after the one with id `after`. */
export async function findWebhookPage(
  db: Db,
  schedulerIds: readonly string[],
  page: Page,
): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('scheduler_id', 'in', schedulerIds)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

export async function insertWebhook(trx: Trx, webhook: Webhook): Promise<void> {
  await trx
    .insertInto('webhooks')
    .values({
      id: webhook.id,
      scheduler_id: webhook.schedulerId,
      created_at: webhook.createdAt,
      failing_since: webhook.failingSince,
      ...toRow(webhook),
    })
    .execute()
}

/** Leaves `failing_since` alone: `markFailing` and `markWorking` set it. */
export async function updateWebhook(trx: Trx, webhook: Webhook): Promise<void> {
  await trx.updateTable('webhooks').set(toRow(webhook)).where('id', '=', webhook.id).execute()
}

/** Deletes a webhook and its deliveries. */
export async function deleteWebhook(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
}

export async function findAllWebhooks(db: Db): Promise<Webhook[]> {
  const rows = await db.selectFrom('webhooks').selectAll().orderBy('id').execute()
  return rows.map(fromRow)
}

/** Webhooks with a secret that does not begin like this. */
export async function findPlainSecrets(db: Db, sealed: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .where((eb) =>
      eb.or([eb('secret', 'not like', `${sealed}%`), eb('previous_secret', 'not like', `${sealed}%`)]),
    )
    .execute()
  return rows.map(fromRow)
}

/** Stores the secrets in another form, unless they were rotated since `before` was read. */
export async function updateSecrets(
  db: Db,
  before: Pick<Webhook, 'id' | 'secret'>,
  { secret, previousSecret }: Pick<Webhook, 'secret' | 'previousSecret'>,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ secret, previous_secret: previousSecret })
    .where('id', '=', before.id)
    .where('secret', '=', before.secret)
    .execute()
}

/** Disables a webhook, for a reason that its owner reads. Returns false if it was disabled already. */
export async function disableWebhook(trx: Trx, id: string, reason: Sentence, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhooks')
    .set({ active: 0, disabled_at: now, ...reasonRow(reason) })
    .where('id', '=', id)
    .where('active', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records the first failure since the last success. */
export async function markFailing(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute()
}

/** Records a success. */
export async function markWorking(db: Db, id: string): Promise<void> {
  await db.updateTable('webhooks').set({ failing_since: null }).where('id', '=', id).execute()
}

function reasonRow(reason: Sentence) {
  const { text, parts } = pairOf(reason)
  return { disabled_reason: text, disabled_reason_parts: parts }
}

function toRow(webhook: Webhook) {
  return {
    url: webhook.url,
    format: webhook.format,
    secret: webhook.secret,
    previous_secret: webhook.previousSecret,
    previous_secret_until: webhook.previousSecretUntil,
    events: JSON.stringify(webhook.events),
    event_type_ids: JSON.stringify(webhook.eventTypeIds),
    active: webhook.active ? 1 : 0,
    disabled_at: webhook.disabledAt,
    ...reasonRow(webhook.disabledReason),
  }
}

function fromRow(row: Selectable<Schema['webhooks']>): Webhook {
  return {
    id: row.id,
    schedulerId: row.scheduler_id,
    url: row.url,
    format: row.format,
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousSecretUntil: row.previous_secret_until,
    events: JSON.parse(row.events),
    eventTypeIds: JSON.parse(row.event_type_ids),
    active: row.active === 1,
    createdAt: row.created_at,
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    disabledReason: sentenceFrom(row.disabled_reason, row.disabled_reason_parts),
  }
}
