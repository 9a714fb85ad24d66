import type { Db, Trx } from '../engine/database.ts'

/** What an API token made that works without it. */
export interface MadeByToken {
  readonly webhooks: readonly { readonly id: string; readonly ownerId: string; readonly url: string }[]
  readonly calendars: readonly { readonly id: string; readonly name: string }[]
  /** Whether the present link to the user's feed is its work. */
  readonly feed: boolean
}

/** Notes which token made a webhook or a calendar. */
export async function updateMaker(
  trx: Trx,
  table: 'webhooks' | 'calendars',
  id: string,
  tokenId: string,
): Promise<void> {
  await trx.updateTable(table).set({ created_by_token: tokenId }).where('id', '=', id).execute()
}

/** Notes which token made the present link to a user's feed; null: none. */
export async function updateFeedMaker(trx: Trx, userId: string, tokenId: string | null): Promise<void> {
  await trx
    .updateTable('schedulers')
    .set({ feed_created_by_token: tokenId })
    .where('id', '=', userId)
    .execute()
}

/** What these tokens made, by token. */
export async function findMadeByTokens(
  db: Db,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, MadeByToken>> {
  if (tokenIds.length === 0) return new Map()
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'scheduler_id', 'url', 'created_by_token'])
    .where('created_by_token', 'in', tokenIds)
    .orderBy('id')
    .execute()
  const calendars = await db
    .selectFrom('calendars')
    .select(['id', 'name', 'created_by_token'])
    .where('created_by_token', 'in', tokenIds)
    .orderBy('id')
    .execute()
  const feeds = await db
    .selectFrom('schedulers')
    .select('feed_created_by_token')
    .where('feed_created_by_token', 'in', tokenIds)
    .execute()
  const made = tokenIds.map((tokenId): [string, MadeByToken] => [
    tokenId,
    {
      webhooks: webhooks
        .filter((row) => row.created_by_token === tokenId)
        .map((row) => ({ id: row.id, ownerId: row.scheduler_id, url: row.url })),
      calendars: calendars
        .filter((row) => row.created_by_token === tokenId)
        .map(({ id, name }) => ({ id, name })),
      feed: feeds.some((row) => row.feed_created_by_token === tokenId),
    },
  ])
  return new Map(made)
}
