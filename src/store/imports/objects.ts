import { sql } from 'kysely'
import type { SourceKey } from '../../domain/imports/source.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { TABLES as PRIMARY_KEYS } from '../workspace/dump.ts'
import type { Before } from './changes.ts'

/** What became of a row of a source. */
export interface ImportedObject {
  readonly key: string
  readonly kind: ObjectKind
  readonly id: string
  /** False: it was here before. */
  readonly made: boolean
  /** Of what was applied. */
  readonly contentHash: string
  /** Of our row right after that. */
  readonly rowHash: string
  /** The import that made it, and the one that wrote it last. */
  readonly importId: string
  readonly lastImportId: string
}

/** What an import makes, in an order in which each refers to those before it. */
export const OBJECT_KINDS = [
  'user',
  'schedule',
  'absence',
  'connection',
  'calendar',
  'team',
  'event-type',
  'form',
  'message',
  'webhook',
  'link',
  'block',
  'meeting',
  'booking',
] as const

export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** Those that are not bookings: few enough to be read as a whole. */
export const SETTING_KINDS = OBJECT_KINDS.filter((kind) => kind !== 'meeting' && kind !== 'booking')

const SEALED = ['sealed_tokens', 'sealed_password']

/** The tables of each kind, the column that has the object's id, and what changes there without anyone's doing. */
const TABLES: Readonly<
  Record<
    (typeof SETTING_KINDS)[number],
    readonly { readonly table: Before['table']; readonly id: string; readonly ignored?: readonly string[] }[]
  >
> = {
  user: [
    {
      table: 'schedulers',
      id: 'id',
      ignored: [
        'revision',
        'booking_revision',
        'has_messages',
        'has_push',
        'saved_filters',
        'feed_token_hash',
        'feed_created_by_token',
        'time_format',
        'week_start',
      ],
    },
  ],
  schedule: [{ table: 'schedules', id: 'id' }],
  absence: [{ table: 'absences', id: 'id' }],
  team: [
    { table: 'schedulers', id: 'id', ignored: ['revision', 'booking_revision', 'has_messages', 'has_push'] },
    { table: 'team_members', id: 'team_id', ignored: ['created_at'] },
    { table: 'team_attributes', id: 'team_id' },
  ],
  'event-type': [
    { table: 'event_types', id: 'id', ignored: ['erased_until', 'position'] },
    { table: 'event_type_hosts', id: 'event_type_id', ignored: ['balance', 'last_assigned_at'] },
  ],
  form: [{ table: 'routing_forms', id: 'id' }],
  message: [{ table: 'messages', id: 'id' }],
  webhook: [
    {
      table: 'webhooks',
      id: 'id',
      ignored: ['failing_since', 'disabled_at', 'disabled_reason', 'disabled_reason_parts', 'secret'],
    },
  ],
  link: [{ table: 'private_links', id: 'id', ignored: ['used'] }],
  block: [{ table: 'blocked_guests', id: 'id' }],
  // Once they are here they are the host's own, and no later import changes them.
  connection: [{ table: 'connections', id: 'id', ignored: SEALED }],
  calendar: [{ table: 'calendars', id: 'id', ignored: SEALED }],
}

const isSetting = (kind: ObjectKind): kind is (typeof SETTING_KINDS)[number] =>
  SETTING_KINDS.some((other) => other === kind)

/** What our rows of these objects say, as texts to compare; an object without rows is not there. */
export async function findRowTexts(
  db: Db,
  objects: readonly Pick<ImportedObject, 'kind' | 'id'>[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const [kind, ofKind] of Map.groupBy(objects, ({ kind }) => kind)) {
    if (!isSetting(kind)) continue
    const ids = JSON.stringify([...new Set(ofKind.map(({ id }) => id))].map((id) => ({ id })))
    for (const { table, id, ignored = [] } of TABLES[kind]) {
      const wanted = engine(db).rowsFromJson('schedulers', ['id'], ids)
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} where ${sql.ref(id)} in (${wanted})`.execute(db)
      const lines = rows.map((row) => {
        const kept = Object.entries(row).filter(([column]) => !ignored.includes(column))
        return [String(row[id]), JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1)))] as const
      })
      for (const [owner, line] of lines.sort(([, a], [, b]) => (a < b ? -1 : 1))) {
        texts.set(owner, `${texts.get(owner) ?? ''}${table}${line}\n`)
      }
    }
  }
  return texts
}

/** Our rows of an object, with their primary keys. */
export async function findRowsOf(db: Db, kind: ObjectKind, id: string): Promise<Before[]> {
  const found: Before[] = []
  for (const { table, id: column } of isSetting(kind) ? TABLES[kind] : []) {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(db)
    for (const row of rows) {
      found.push({
        table,
        key: Object.fromEntries(PRIMARY_KEYS[table].map((name) => [name, row[name]])),
        row,
      })
    }
  }
  return found
}

const COLUMNS = [
  'source',
  'source_key',
  'kind',
  'object_id',
  'made',
  'content_hash',
  'row_hash',
  'import_id',
  'last_import_id',
] as const

/** Remembers what became of rows of a source. */
export async function saveObjects(
  trx: Trx,
  memory: string,
  objects: readonly ImportedObject[],
): Promise<void> {
  if (objects.length === 0) return
  const rows = objects.map((object) => ({
    source: memory,
    source_key: object.key,
    kind: object.kind,
    object_id: object.id,
    made: Number(object.made),
    content_hash: object.contentHash,
    row_hash: object.rowHash,
    import_id: object.importId,
    last_import_id: object.lastImportId,
  }))
  await saveAll(trx, { rows: JSON.stringify(rows) })
}

const saveAll = prepared((db, value: Placeholder<{ rows: string }>) => {
  const changed = ['kind', 'object_id', 'content_hash', 'row_hash', 'last_import_id'].map(
    (column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`,
  )
  return sql`insert into import_objects (${sql.join(COLUMNS.map((column) => sql.ref(column)))})
    select * from (${engine(db).rowsFromJson('import_objects', COLUMNS, value('rows'))}) as object
    where true on conflict (source, source_key) do update set ${sql.join(changed)}`
})

/** All that a memory has but bookings, by key. */
export async function findSettingObjects(db: Db, memory: string): Promise<Map<string, ImportedObject>> {
  const rows = await db
    .selectFrom('import_objects')
    .selectAll()
    .where('source', '=', memory)
    .where('kind', 'in', SETTING_KINDS)
    .execute()
  return byKey(rows)
}

/** What is remembered of these rows of a source, by key. */
export async function findObjects(
  db: Db,
  memory: string,
  keys: readonly SourceKey[],
): Promise<Map<string, ImportedObject>> {
  if (keys.length === 0) return new Map()
  const wanted = JSON.stringify(keys.map((source_key) => ({ source_key })))
  const { rows } = await objectsOf(db, { memory, wanted })
  return byKey(rows)
}

const objectsOf = prepared(
  (db, value: Placeholder<{ memory: string; wanted: string }>) =>
    sql<ObjectRow>`select * from import_objects where source = ${value('memory')}
      and ${engine(db).isOneOf('source_key', engine(db).rowsFromJson('import_objects', ['source_key'], value('wanted')))}`,
)

type ObjectRow = {
  readonly [Column in keyof Schema['import_objects']]: Schema['import_objects'][Column]
}

const byKey = (rows: readonly ObjectRow[]) =>
  new Map(
    rows.map((row): [string, ImportedObject] => [
      row.source_key,
      {
        key: row.source_key,
        kind: row.kind as ObjectKind,
        id: row.object_id,
        made: row.made === 1,
        contentHash: row.content_hash,
        rowHash: row.row_hash,
        importId: row.import_id,
        lastImportId: row.last_import_id,
      },
    ]),
  )
