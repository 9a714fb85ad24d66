import type { Selectable } from 'kysely'
import type { Cursor, Page } from '../../domain/cursor.ts'
import type { Absence } from '../../domain/event-types/absence.ts'
import type { Interval } from '../../domain/interval.ts'
import { MAX_DURATION, type TimeOff } from '../../domain/slots/openings.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { pageByTimeDesc } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'

/** Absences of these hosts within `span`, earliest first. Hosts without absences have no entry. */
export async function findAbsences(
  db: Db,
  hostIds: readonly string[],
  span: Interval,
): Promise<Map<string, TimeOff[]>> {
  const away = new Map<string, TimeOff[]>()
  if (hostIds.length === 0) return away
  const { rows } = await ofHosts(db, { hostIds: engine(db).idList(hostIds), ...span })
  for (const row of rows) {
    const span = { start: row.starts_at, end: row.ends_at }
    const interval = row.redirect_to === null ? span : { ...span, redirectTo: row.redirect_to }
    const found = away.get(row.user_id)
    if (found === undefined) away.set(row.user_id, [interval])
    else found.push(interval)
  }
  return away
}

const ofHosts = prepared((db, value: Placeholder<Interval & { hostIds: IdList }>) =>
  db
    .selectFrom('absences')
    .select(['user_id', 'starts_at', 'ends_at', 'redirect_to'])
    .where(engine(db).isAmong('user_id', value('hostIds')))
    .where('ends_at', '>', value('start'))
    .where('starts_at', '<', value('end'))
    .orderBy('starts_at'),
)

export async function findAbsence(db: Db, userId: string, id: string): Promise<Absence | undefined> {
  const row = await db
    .selectFrom('absences')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Absences of a user, the last to end first, after a cursor. */
export async function findAbsencePage(db: Db, userId: string, page: Page<Cursor>): Promise<Absence[]> {
  const rows = await db
    .selectFrom('absences')
    .selectAll()
    .where('user_id', '=', userId)
    .$call(pageByTimeDesc('ends_at', page))
    .execute()
  return rows.map(fromRow)
}

/** How many meetings of their host lie in each of these absences. */
export async function countMeetingsIn(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('absences as a')
    .innerJoin('claims as c', (join) =>
      join
        .onRef('c.host_id', '=', 'a.user_id')
        .onRef('c.starts_at', '<', 'a.ends_at')
        .onRef('c.ends_at', '>', 'a.starts_at')
        .on('c.expires_at', 'is', null)
        // No claim is longer, so the index can be entered close to the absence.
        .on((on) => on('c.starts_at', '>', on('a.starts_at', '-', MAX_DURATION))),
    )
    .select(['a.id', (select) => select.fn.countAll<number>().as('count')])
    .where('a.id', 'in', ids)
    .groupBy('a.id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

export async function insertAbsence(trx: Trx, absence: Absence): Promise<void> {
  await trx
    .insertInto('absences')
    .values({ id: absence.id, user_id: absence.userId, ...toRow(absence) })
    .execute()
}

export async function updateAbsence(trx: Trx, absence: Absence): Promise<void> {
  await trx.updateTable('absences').set(toRow(absence)).where('id', '=', absence.id).execute()
}

export async function deleteAbsence(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('absences').where('id', '=', id).execute()
}

function toRow({ startsAt, endsAt, note, redirectTo }: Absence) {
  return { starts_at: startsAt, ends_at: endsAt, note, redirect_to: redirectTo }
}

function fromRow(row: Selectable<Schema['absences']>): Absence {
  return {
    id: row.id,
    userId: row.user_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    note: row.note,
    redirectTo: row.redirect_to,
  }
}
