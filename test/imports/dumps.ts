import pg from 'pg'
import { type ColumnKind, columnsOf } from '../../src/domain/imports/columns.ts'
import {
  SOURCE_TABLES,
  type Sourced,
  type SourceRow,
  type SourceTable,
} from '../../src/domain/imports/source.ts'

export interface DumpOptions {
  readonly style: 'copy' | 'insert'
  /** Of `insert`: whether each statement lists its columns. */
  readonly columns?: boolean
  /** Of `insert`: how many rows a statement has. */
  readonly rows?: number
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  integer: 'integer',
  integers: 'integer[]',
  text: 'text',
  texts: 'text[]',
  boolean: 'boolean',
  timestamp: 'timestamp(3) without time zone',
  date: 'date',
  time: 'time without time zone',
  json: 'jsonb',
}

/** A column that nobody may read. */
const SECRET = 'twoFactorSecret'

/** The rows by table, in the order of the tables' names, as `pg_dump` has them. */
function byTable(rows: readonly Sourced[]): [SourceTable, SourceRow[]][] {
  const tables = new Map<SourceTable, SourceRow[]>()
  for (const { table, row } of rows) {
    const before = tables.get(table)
    if (before === undefined) tables.set(table, [row])
    else before.push(row)
  }
  return [...tables].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The rows as a reader of a dump gives them back: table after table. */
export const inOrderOfTables = (rows: readonly Sourced[]): Sourced[] =>
  byTable(rows).flatMap(([table, own]) => own.map((row) => ({ table, row })))

/** `end` is a keyword. */
const quote = (name: string) => (/^(?!end$)[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`)
const nameOf = (table: string) => `public.${quote(table)}`

/** A column as its table has it; users have one that we don't read. */
const columnsIn = (table: SourceTable): [string, ColumnKind][] => [
  ...columnsOf(table),
  ...(table === 'users' ? [[SECRET, 'text'] as [string, ColumnKind]] : []),
]

const contentOf = (row: SourceRow, column: string) => (column === SECRET ? 'JBSWY3DPEHPK3PXP' : row[column])

/** The text form of a value, as PostgreSQL writes it. */
function textOf(kind: ColumnKind, value: unknown): string {
  switch (kind) {
    case 'json':
      return JSON.stringify(value)
    case 'timestamp':
      return String(value)
        .replace('T', ' ')
        .replace(/(?:\.000|(?<=\.\d+?)0+)?Z$/, '')
    case 'time':
      return `${value}:00`
    case 'boolean':
      return value ? 't' : 'f'
    case 'integers':
    case 'texts':
      return `{${(value as unknown[]).map(itemOf).join(',')}}`
    default:
      return String(value)
  }
}

function itemOf(item: unknown): string {
  if (item === null) return 'NULL'
  const text = String(item)
  return /^[\w-]+$/.test(text) && text.toUpperCase() !== 'NULL' ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

const COPY_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

export const copyField = (text: string | null) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  text === null ? '\\N' : text.replace(/[\\\x08\f\n\r\t\v]/g, (char) => COPY_ESCAPES[char] ?? char)

function literal(kind: ColumnKind, value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (kind === 'boolean' && typeof value === 'boolean') return String(value)
  if (kind === 'integer' && typeof value === 'number') return String(value)
  return `'${textOf(kind, value).replaceAll("'", "''")}'`
}

const createTable = (table: SourceTable) =>
  `CREATE TABLE ${nameOf(table)} (\n${columnsIn(table)
    .map(([column, kind]) => `    ${quote(column)} ${TYPES[kind]}`)
    .join(',\n')}\n);\n`

const copyOf = (table: SourceTable, rows: readonly SourceRow[]): string => {
  const columns = columnsIn(table)
  const lines = rows.map((row) =>
    columns
      .map(([column, kind]) => {
        const value = contentOf(row, column)
        return copyField(value === null || value === undefined ? null : textOf(kind, value))
      })
      .join('\t'),
  )
  const names = columns.map(([column]) => quote(column)).join(', ')
  return `COPY ${nameOf(table)} (${names}) FROM stdin;\n${lines.map((line) => `${line}\n`).join('')}\\.\n`
}

function insertsOf(
  table: SourceTable,
  rows: readonly SourceRow[],
  { columns: listed = false, rows: most = 1 }: Partial<DumpOptions>,
): string {
  const columns = columnsIn(table)
  const names = listed ? ` (${columns.map(([column]) => quote(column)).join(', ')})` : ''
  const tuples = rows.map(
    (row) => `(${columns.map(([column, kind]) => literal(kind, contentOf(row, column))).join(', ')})`,
  )
  let text = ''
  for (let at = 0; at < tuples.length; at += most)
    text += `INSERT INTO ${nameOf(table)}${names} VALUES ${tuples.slice(at, at + most).join(',\n\t')};\n`
  return text
}

/** What `pg_dump` writes besides tables and rows, and what is not ours to read. */
const BEFORE = `--
-- PostgreSQL database dump
--

\\restrict yPEjvPVcjWrgNzZ3hVhJ2cpQ

-- Dumped from database version 15.4
-- Dumped by pg_dump version 17.6

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE TYPE public."BookingStatus" AS ENUM (
    'cancelled',
    'accepted'
);

CREATE FUNCTION public.note_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO public.users VALUES (1, 'not; a row');
  RETURN NEW; -- it's fine
END;
$$;

CREATE FUNCTION public.answer() RETURNS integer
    LANGUAGE sql
    BEGIN ATOMIC
 SELECT CASE WHEN true THEN 42 END;
 INSERT INTO public.users VALUES (2);
END;

`

const ELSEWHERE = `COPY audit.users (id, email) FROM stdin;
1\tnobody@example.org
\\.

INSERT INTO audit.users VALUES (2, 'nobody@example.org');

COPY public._prisma_migrations (id, checksum) FROM stdin;
1\tabc
\\.

`

const AFTER = `ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

COMMENT ON TABLE public.users IS 'It''s; people';

--
-- PostgreSQL database dump complete
--

\\unrestrict yPEjvPVcjWrgNzZ3hVhJ2cpQ

`

/** A dump as `pg_dump` writes it. */
export function asDump(rows: readonly Sourced[], options: DumpOptions): string {
  const tables = byTable(rows)
  const data = tables.map(([table, own]) => {
    const comment = `--\n-- Data for Name: ${table}; Type: TABLE DATA; Schema: public; Owner: calcom\n--\n\n`
    return `${comment}${options.style === 'copy' ? copyOf(table, own) : insertsOf(table, own, options)}\n\n`
  })
  return [BEFORE, ...tables.map(([table]) => createTable(table)), '\n', ...data, ELSEWHERE, AFTER].join('')
}

/** Makes the tables of the source, empty where there are no rows, and fills them. */
export async function intoDatabase(url: string, rows: readonly Sourced[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(SOURCE_TABLES.map(createTable).join(''))
    for (const [table, own] of byTable(rows)) await client.query(insertsOf(table, own, { rows: 500 }))
  } finally {
    await client.end()
  }
}
