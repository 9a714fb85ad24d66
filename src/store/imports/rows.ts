import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  BOOKING_TABLES,
  SOURCE_TABLES,
  type SourceBooking,
  type Sourced,
  type SourceRow,
  type SourceSettings,
  type SourceTable,
} from '../../domain/imports/source.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { type Placeholder, type Prepared, prepared, preparedInsertAll } from '../engine/prepared.ts'
import { deleteSecrets } from './secrets.ts'

/** A booking with its place among all rows that were read. */
export interface StagedBooking extends SourceBooking {
  readonly position: number
}

/** What a column of each table of bookings says of the booking that it belongs to. */
const OF_BOOKING: Readonly<Partial<Record<SourceTable, string>>> = {
  Booking: 'id',
  Attendee: 'bookingId',
  BookingSeat: 'bookingId',
  BookingReference: 'bookingId',
  BookingInternalNote: 'bookingId',
  Tracking: 'bookingId',
  Payment: 'bookingId',
}

const COLUMNS = ['import_id', 'table_name', 'position', 'booking', 'address', 'content'] as const

/** Keeps rows that were read, which are numbered from `position` on. */
export async function insertRows(
  db: Db,
  importId: string,
  position: number,
  rows: readonly Sourced[],
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ table, row }, index) => ({
    import_id: importId,
    table_name: table,
    position: position + index,
    booking: textOf(row[OF_BOOKING[table] ?? '']),
    address: textOf(row.email).toLowerCase(),
    content: JSON.stringify(row),
  }))
  await insertAll(db, { rows: JSON.stringify(values) })
}

const insertAll = preparedInsertAll('import_rows', COLUMNS)

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const SETTINGS = SOURCE_TABLES.filter((table) => !BOOKING_TABLES.some((other) => other === table))

/** All rows but those of bookings. */
export async function findSettingRows(db: Db, importId: string): Promise<SourceSettings> {
  const settings: Partial<Record<SourceTable, SourceRow[]>> = {}
  for (const table of SETTINGS) {
    const rows = await db
      .selectFrom('import_rows')
      .select('content')
      .where('import_id', '=', importId)
      .where('table_name', '=', table)
      .orderBy('position')
      .execute()
    settings[table] = rows.map(({ content }) => JSON.parse(content))
  }
  return settings as SourceSettings
}

const PAGE = 100

/** All bookings with all that refers to them, in the order in which they were read, in pages. */
export const readBookingPages = (db: Db, importId: string) => readPages(db, importId, partsOfEach)

/** The same with nothing but their attendees, for those who only look who is busy when. */
export const readAttendedPages = (db: Db, importId: string) => readPages(db, importId, attendeesOfEach)

async function* readPages(
  db: Db,
  importId: string,
  findParts: Prepared<WantedParts, Part>,
): AsyncGenerator<readonly StagedBooking[]> {
  for (let after = -1; ; ) {
    const { rows: found } = await bookingsAfter(db, { importId, after })
    const last = found.at(-1)
    if (last === undefined) return
    const wanted = JSON.stringify(found.map(({ booking }) => ({ booking })))
    const parts = Map.groupBy((await findParts(db, { importId, wanted })).rows, ({ booking }) => booking)
    yield found.map(({ position, booking, content }) => ({
      position,
      booking: JSON.parse(content),
      ...partsOf(booking === '' ? [] : (parts.get(booking) ?? [])),
    }))
    if (found.length < PAGE) return
    after = last.position
  }
}

interface Part {
  readonly table_name: SourceTable
  readonly booking: string
  readonly content: string
}

const bookingsAfter = prepared((db, value: Placeholder<{ importId: string; after: number }>) =>
  db
    .selectFrom('import_rows')
    .select(['position', 'booking', 'content'])
    .where('import_id', '=', value('importId'))
    .where('table_name', '=', 'Booking')
    .where('position', '>', value('after'))
    .orderBy('position')
    .limit(PAGE),
)

interface WantedParts {
  readonly importId: string
  readonly wanted: string
}

const selectParts = (db: Db, value: Placeholder<WantedParts>, tables: RawBuilder<SqlBool>) =>
  sql<Part>`select table_name, booking, content from import_rows
    where import_id = ${value('importId')} and booking <> ''
    and ${engine(db).isOneOf('booking', engine(db).rowsFromJson('import_rows', ['booking'], value('wanted')))}
    and ${tables}`

const partsOfEach = prepared((db, value: Placeholder<WantedParts>) =>
  selectParts(db, value, sql<SqlBool>`table_name <> 'Booking'`),
)

// By a bare column, both engines would read all attendees by the primary key, page after page.
const attendeesOfEach = prepared((db, value: Placeholder<WantedParts>) =>
  selectParts(db, value, sql<SqlBool>`table_name || '' = 'Attendee'`),
)

function partsOf(parts: readonly Part[]): Omit<SourceBooking, 'booking'> {
  const of = (table: SourceTable): SourceRow[] =>
    parts
      .filter(({ table_name }) => table_name === table)
      .map(({ content }) => JSON.parse(content) as SourceRow)
      .sort((a, b) => compareIds(a.id, b.id))
  return {
    attendees: of('Attendee'),
    seats: of('BookingSeat'),
    references: of('BookingReference'),
    notes: of('BookingInternalNote'),
    tracking: of('Tracking'),
    payments: of('Payment'),
  }
}

/** Numbers by their size, everything else as text. */
function compareIds(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [String(a), String(b)]
  return left < right ? -1 : Number(left > right)
}

/** How many bookings were read. */
export async function countBookingRows(db: Db, importId: string): Promise<number> {
  const row = await db
    .selectFrom('import_rows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('import_id', '=', importId)
    .where('table_name', '=', 'Booking')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Forgets what was read. */
export async function deleteRows(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('import_rows').where('import_id', '=', importId).execute()
  await deleteSecrets(db, importId)
}
