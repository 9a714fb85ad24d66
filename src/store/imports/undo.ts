import { sql } from 'kysely'
import type { Source } from '../../domain/imports/source.ts'
import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import { OBJECT_KINDS, type ObjectKind } from './objects.ts'

/** What this import made of a kind. */
const madeBy = (importId: string, ...kinds: readonly ObjectKind[]) =>
  sql`(select object_id from import_objects
    where import_id = ${importId} and made = 1 and kind in (${sql.join(kinds)}))`

/** Whether somebody has booked what an import made, or those whom it made, since. */
export async function hasNewBooking(db: Db, importId: string): Promise<boolean> {
  const known = sql`select object_id as meeting_id from import_objects
    where import_id = ${importId} and made = 1 and kind = 'meeting'`
  for (const theirs of [
    sql`scheduler_id in ${madeBy(importId, 'user', 'team')}`,
    sql`event_type_id in ${madeBy(importId, 'event-type')} and scheduler_id in (
      select scheduler_id from event_types where id in ${madeBy(importId, 'event-type')})`,
    sql`meeting_id in (select meeting_id from claims where host_id in ${madeBy(importId, 'user')})`,
  ]) {
    const { rows } =
      await sql`select meeting_id from bookings where ${theirs} except ${known} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}

/** Deletes everything that an import made, what refers to others first. */
export async function deleteMade(trx: Trx, importId: string): Promise<void> {
  const meetings = madeBy(importId, 'meeting')
  const bookings = sql`(select id from bookings where meeting_id in ${meetings})`
  await deleteJobsOf(trx, importId)
  for (const from of [
    sql`import_uids where import_id = ${importId}`,
    sql`old_links where import_id = ${importId}`,
    sql`booking_history where booking_id in ${bookings} or booking_id in ${meetings}`,
    sql`calendar_events where meeting_id in ${meetings}`,
    sql`meeting_sequences where meeting_id in ${meetings}`,
    sql`meeting_links where meeting_id in ${meetings}`,
    sql`claims where meeting_id in ${meetings}`,
    sql`bookings where meeting_id in ${meetings}`,
    sql`old_slugs where target_id in ${madeBy(importId, 'user', 'team', 'event-type', 'form')}`,
  ]) {
    await sql`delete from ${from}`.execute(trx)
  }
  const owners = await sql<{ scheduler_id: string }>`select distinct scheduler_id from messages
    where id in ${madeBy(importId, 'message')}`.execute(trx)
  const calendars = sql`(select id from calendars where id in ${madeBy(importId, 'calendar')}
    or connection_id in ${madeBy(importId, 'connection')})`
  await sql`update event_types set write_to_calendar_id = null where write_to_calendar_id in ${calendars}`.execute(
    trx,
  )
  for (const kind of OBJECT_KINDS.toReversed()) {
    const table = TABLE_OF[kind]
    if (table === undefined) continue
    await sql`delete from ${sql.table(table)} where id in ${madeBy(importId, kind)}`.execute(trx)
  }
  for (const { scheduler_id } of owners.rows) {
    const noMore = sql`not exists (select 1 from messages where scheduler_id = ${scheduler_id})`
    await sql`update schedulers set has_messages = 0 where id = ${scheduler_id} and ${noMore}`.execute(trx)
  }
}

const TABLE_OF: Readonly<Partial<Record<ObjectKind, keyof Schema>>> = {
  user: 'schedulers',
  schedule: 'schedules',
  absence: 'absences',
  team: 'schedulers',
  'event-type': 'event_types',
  form: 'routing_forms',
  message: 'messages',
  webhook: 'webhooks',
  link: 'private_links',
  block: 'blocked_guests',
  connection: 'connections',
  calendar: 'calendars',
}

const JOBS_PAGE = 1000

/** Deletes reminders and messages about bookings that an import made. */
async function deleteJobsOf(trx: Trx, importId: string): Promise<void> {
  const { rows: made } = await sql<{ id: string }>`select id from bookings
    where meeting_id in ${madeBy(importId, 'meeting')}
    union select object_id as id from import_objects
    where import_id = ${importId} and made = 1 and kind = 'message'`.execute(trx)
  const ids = new Set(made.map(({ id }) => id))
  for (let after = 0; ; ) {
    const jobs = await trx
      .selectFrom('outbox')
      .select(['id', 'data'])
      .where('kind', 'in', ['reminder', 'message', 'message-plan'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(JOBS_PAGE)
      .execute()
    const theirs = jobs.filter(({ data }) => isAbout(JSON.parse(data), ids)).map(({ id }) => id)
    if (theirs.length > 0) await trx.deleteFrom('outbox').where('id', 'in', theirs).execute()
    const last = jobs.at(-1)
    if (last === undefined || jobs.length < JOBS_PAGE) return
    after = last.id
  }
}

/** Whether a job is about one of these bookings or messages. */
function isAbout(
  data: {
    readonly bookingId?: string
    readonly messageId?: string
    readonly change?: { readonly bookingId?: string }
  },
  ids: ReadonlySet<string>,
): boolean {
  return [data.bookingId, data.messageId, data.change?.bookingId].some(
    (id) => id !== undefined && ids.has(id),
  )
}

/** Forgets what an import made. What it only changed is remembered as it was before. */
export async function forgetObjects(trx: Trx, importId: string): Promise<void> {
  await trx.deleteFrom('import_objects').where('import_id', '=', importId).execute()
}

/** The schedulers that an import made or added to. */
export async function findImportedOwners(db: Db, importId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('import_objects')
    .select('object_id')
    .where('import_id', '=', importId)
    .where('kind', 'in', ['user', 'team'])
    .execute()
  return rows.map(({ object_id }) => object_id)
}

/** Whether an import of this source built on another. */
export async function hasLaterImport(
  db: Db,
  source: Source,
  { id, appliedAt }: { readonly id: string; readonly appliedAt: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('source', '=', source)
    .where((eb) =>
      eb.or([
        eb('applied_at', '>', appliedAt),
        eb.and([eb('applied_at', '=', appliedAt), eb('id', '>', id)]),
      ]),
    )
    .where('undone_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The admin of this instance who was there first. */
export async function findOldestAdmin(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('schedulers')
    .select('id')
    .where('admin', '=', sql.lit(1))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
