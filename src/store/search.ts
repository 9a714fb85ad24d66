import { type RawBuilder, sql } from 'kysely'
import { queryTerms, type SearchScope, termsOf } from '../domain/search-terms.ts'
import type { Db, Trx } from './engine/database.ts'
import { engine } from './engine/engine.ts'

/** What was found by the index, to be compared with the text itself. */
export interface Candidates {
  /** Selects their `object_id`; a few that have no entry yet are among them. */
  readonly ids: RawBuilder<unknown>
}

/** More than this are read faster in their order. */
const MOST_CANDIDATES = 1000

/**
 * Everything in this scope that may contain a text.
 *
 * Undefined if the index can't help: the text is too short or too common, or too much is not indexed yet.
 */
export async function findCandidates(
  db: Db,
  scope: SearchScope,
  text: string,
): Promise<Candidates | undefined> {
  const terms = queryTerms(scope, text)
  if (terms === undefined) return undefined
  const indexedTo = await readProgress(db)
  if (indexedTo === null || (await isBehind(db, indexedTo))) return undefined
  const found = await engine(db).findEntries(db, terms, MOST_CANDIDATES + 1)
  if (found.length > MOST_CANDIDATES) return undefined
  const pending = sql`${candidatesOf(db, found).ids} union select object_id from search_pending`
  return scope === 'people'
    ? { ids: pending }
    : { ids: sql`${pending} union select id from bookings where id > ${indexedTo}` }
}

/** These objects, as if they had been found. */
export const candidatesOf = (db: Db, ids: readonly string[]): Candidates => ({
  ids: engine(db).rowsFromJson(
    'search_entries',
    ['object_id'],
    JSON.stringify(ids.map((object_id) => ({ object_id }))),
  ),
})

/** More than this without an entry take longer to look through than the index saves. */
const MOST_UNINDEXED = 5000

async function isBehind(db: Db, indexedTo: string): Promise<boolean> {
  const pending = await db
    .selectFrom('search_pending')
    .select('object_id')
    .orderBy('object_id')
    .offset(MOST_UNINDEXED)
    .limit(1)
    .execute()
  if (pending.length > 0) return true
  const young = await db
    .selectFrom('bookings')
    .select('id')
    .where('id', '>', indexedTo)
    .orderBy('id')
    .offset(MOST_UNINDEXED)
    .limit(1)
    .execute()
  return young.length > 0
}

async function readProgress(db: Db): Promise<string | null> {
  const row = await db.selectFrom('search_progress').select('indexed_to').executeTakeFirst()
  return row?.indexed_to ?? null
}

/** Indexes what is pending, at most `limit`. Returns how many that were. */
export async function indexPending(trx: Trx, limit: number): Promise<number> {
  const rows = await trx.selectFrom('search_pending').select('object_id').limit(limit).execute()
  await index(
    trx,
    rows.map((row) => row.object_id),
  )
  return rows.length
}

/** Indexes the next bookings, at most `limit`, up to the one with this id. Returns how many that were. */
export async function indexBookings(trx: Trx, upTo: string, limit: number): Promise<number> {
  const after = await readProgress(trx)
  const rows = await trx
    .selectFrom('bookings')
    .select('id')
    .$if(after !== null, (query) => query.where('id', '>', after as string))
    .where('id', '<', upTo)
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = rows.map((row) => row.id)
  await index(trx, ids)
  // Without bookings, too: from now on the triggers know what is late.
  const indexedTo = rows.length < limit ? upTo : (ids.at(-1) as string)
  if (after === null || indexedTo > after)
    await trx.updateTable('search_progress').set({ indexed_to: indexedTo }).execute()
  return rows.length
}

/**
 * Replaces the entries of these bookings and users.
 *
 * The rows are locked first: a change that comes later waits, and then removes the entry by its trigger.
 */
async function index(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { lockRows } = engine(trx)
  const list = engine(trx).idList(ids)
  const isAmong = (column: string) => engine(trx).isAmong(column, list)
  const { rows: bookings } = await sql<{ id: string; scheduler_id: string; name: string; email: string }>`
    select id, scheduler_id, invitee_name as name, invitee_email as email from bookings
    where ${isAmong('id')} ${lockRows}`.execute(trx)
  const { rows: people } = await sql<{ id: string; name: string; email: string }>`
    select id, name, email from schedulers
    where ${isAmong('id')} and kind = 'user' and email is not null ${lockRows}`.execute(trx)
  const entries = [
    ...bookings.map(({ id, scheduler_id: ownerId, name, email }) => ({
      object_id: id,
      terms: termsOf({ ownerId }, [name, email]),
    })),
    ...people.map(({ id, name, email }) => ({ object_id: id, terms: termsOf('people', [name, email]) })),
  ].map(({ object_id, terms }) => ({ object_id, terms: terms.join(' ') }))
  await sql`delete from search_entries where ${isAmong('object_id')}`.execute(trx)
  await sql`insert into search_entries (object_id, terms)
    ${engine(trx).rowsFromJson('search_entries', ['object_id', 'terms'], JSON.stringify(entries))}`.execute(
    trx,
  )
  await sql`delete from search_pending where ${isAmong('object_id')}`.execute(trx)
}
