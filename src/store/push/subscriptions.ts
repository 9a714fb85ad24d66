import type { Selectable } from 'kysely'
import type { PushSubscription } from '../../domain/push/push.ts'
import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/** Stores a subscription. One with the same address becomes this one, whoever had it: it is the same browser. */
export async function upsertSubscription(trx: Trx, subscription: PushSubscription): Promise<void> {
  const changed = {
    user_id: subscription.userId,
    session_id: subscription.sessionId,
    p256dh: subscription.keys.p256dh,
    auth: subscription.keys.auth,
    kinds: JSON.stringify(subscription.kinds),
  }
  await trx
    .insertInto('push_subscriptions')
    .values({
      ...changed,
      id: subscription.id,
      endpoint: subscription.endpoint,
      created_at: subscription.createdAt,
    })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(changed))
    .execute()
  await markHasPush(trx, subscription.userId)
}

/** The subscriptions of these users, oldest first. */
export async function findSubscriptionsOf(db: Db, userIds: readonly string[]): Promise<PushSubscription[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

export async function findSubscription(db: Db, id: string): Promise<PushSubscription | undefined> {
  const row = await db.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Deletes a user's subscription; returns whether there was one. */
export async function deleteSubscription(trx: Trx, userId: string, endpoint: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  await markHasPush(trx, userId)
  return numDeletedRows > 0n
}

/** Deletes those that were made with a key that is lost. */
export async function deleteAllSubscriptions(trx: Trx): Promise<void> {
  await trx.deleteFrom('push_subscriptions').execute()
  await trx.updateTable('schedulers').set({ has_push: 0 }).where('has_push', '=', 1).execute()
}

async function markHasPush(trx: Trx, userId: string): Promise<void> {
  const first = await trx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  await trx
    .updateTable('schedulers')
    .set({ has_push: first === undefined ? 0 : 1 })
    .where('id', '=', userId)
    .execute()
}

function fromRow(row: Selectable<Schema['push_subscriptions']>): PushSubscription {
  return {
    id: row.id,
    userId: row.user_id,
    sessionId: row.session_id,
    endpoint: row.endpoint,
    keys: { p256dh: row.p256dh, auth: row.auth },
    kinds: JSON.parse(row.kinds),
    createdAt: row.created_at,
  }
}
