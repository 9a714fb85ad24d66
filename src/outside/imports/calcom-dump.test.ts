import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { asDump, type DumpOptions, inOrderOfTables } from '../../../test/imports/dumps.ts'
import { seededSource } from '../../../test/imports/seeded-source.ts'
import type { Sourced } from '../../domain/imports/source.ts'
import { Problem } from '../../domain/problem.ts'
import { say } from '../../domain/sentence.ts'
import { readDump } from './calcom-dump.ts'
import type { Progress, Read } from './reading.ts'

async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(dump: string | Uint8Array, size?: number): Promise<Read[]> {
  return Array.fromAsync(readDump({ dump: inChunks(Buffer.from(dump as string), size) }))
}

const notesIn = (all: readonly Read[]) => all.flatMap((one) => ('note' in one ? [say(one.note)] : []))
const rowsIn = (all: readonly Read[]) => all.filter((one): one is Sourced => 'row' in one)

const rows = seededSource({ bookings: 50 })
const whole = inOrderOfTables(rows)

/** A dump with one row of each of two tables, and both forms of rows. */
const SMALL = `--
-- PostgreSQL database dump
--
\\restrict abc
SET client_encoding = 'UTF8';
CREATE TABLE public.users (id integer NOT NULL, name text DEFAULT 'a, b', email text, CONSTRAINT c CHECK ((id > 0)));
/* a /* comment */ with; a quote ' */
COPY public.users (id, name, email) FROM stdin;
1\tZoë 日本 🌍\ta\\tb\\\\c\\N
\\.
INSERT INTO public.users VALUES (2, 'O''Brien; "é"', E'tab\\there\\'s \\u00e9 \\x41');
INSERT INTO public."EventType" ("id", title, hidden, length) VALUES (-3, 'x'::character varying(10), true, NULL), (4, $$body;$$, FALSE, '5'::integer) ON CONFLICT DO NOTHING;
--
-- PostgreSQL database dump complete
--
\\unrestrict abc
`

const SMALL_ROWS: Sourced[] = [
  { table: 'users', row: { id: 1, name: 'Zoë 日本 🌍', email: 'a\tb\\cN' } },
  { table: 'users', row: { id: 2, name: 'O\'Brien; "é"', email: "tab\there's é A" } },
  { table: 'EventType', row: { id: -3, title: 'x', hidden: true, length: null } },
  { table: 'EventType', row: { id: 4, hidden: false, length: 5 } },
]

describe('readDump', () => {
  const styles: DumpOptions[] = [
    { style: 'copy' },
    { style: 'insert' },
    { style: 'insert', columns: true, rows: 100 },
  ]
  for (const style of styles) {
    it(`gives back every row of a dump: ${JSON.stringify(style)}`, async () => {
      const dump = asDump(rows, style)
      assert.deepEqual(await read(dump), whole)
      assert.deepEqual(await read(gzipSync(dump), 1000), whole)
    })
  }

  it('reads a dump with CRLF, or in UTF-16 as PowerShell writes it', async () => {
    const dump = asDump(rows, { style: 'copy' })
    assert.deepEqual(await read(dump.replaceAll('\n', '\r\n')), whole)
    assert.deepEqual(await read(Buffer.from(`\ufeff${dump}`, 'utf16le'), 1001), whole)
    assert.deepEqual(await read(`\ufeff${dump}`), whole)
  })

  it('does not mind where it is split', async () => {
    const bytes = Buffer.from(SMALL)
    assert.deepEqual(await read(SMALL), SMALL_ROWS)
    assert.deepEqual(await read(SMALL, 1), SMALL_ROWS)
    for (let at = 1; at < bytes.length; at++) {
      async function* split() {
        yield bytes.subarray(0, at)
        yield bytes.subarray(at)
      }
      assert.deepEqual(await Array.fromAsync(readDump({ dump: split() })), SMALL_ROWS, `at ${at}`)
    }
  })

  it('takes names without a schema where the search path is public', async () => {
    const old = SMALL.replaceAll('public.', '').replace(
      'SET client',
      'SET search_path = public, pg_catalog;\nSET client',
    )
    assert.deepEqual(await read(old), SMALL_ROWS)
    const other = `SET search_path = audit;\nINSERT INTO users (id) VALUES (9);\n${SMALL}`
    assert.deepEqual(await read(other), SMALL_ROWS)
  })

  it('refuses a dump that was cut off, wherever that was', async () => {
    const bytes = Buffer.from(SMALL)
    const last = bytes.indexOf('complete') + 'complete'.length
    for (let length = bytes.indexOf('SET') + 20; length < last; length++)
      await assert.rejects(read(bytes.subarray(0, length)), isRefusal(/breaks off/), `at ${length}`)
    const packed = gzipSync(asDump(rows, { style: 'copy' }))
    await assert.rejects(read(packed.subarray(0, -20)), isRefusal(/breaks off/))
    // Without a header nothing but the statement itself tells.
    const bare = `CREATE TABLE users (id integer);\nCOPY users (id) FROM stdin;\n1\n`
    await assert.rejects(read(bare), isRefusal(/breaks off/))
    await assert.rejects(read('INSERT INTO users (id) VALUES (1), (2'), isRefusal(/breaks off/))
  })

  it('refuses other files, and says how to make a dump', async () => {
    await assert.rejects(read(''), isRefusal(/not a dump/))
    await assert.rejects(read('name,email\nAda,ada@example.org\n'), isRefusal(/not a dump/))
    await assert.rejects(read(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0])), isRefusal(/not a dump/))
    await assert.rejects(read('PGDMP\x01\x0e'), isRefusal(/custom format.*--format=plain/))
    await assert.rejects(read(gzipSync('PGDMP\x01\x0e')), isRefusal(/custom format/))
    await assert.rejects(read("SET client_encoding = 'LATIN1';\n"), isRefusal(/LATIN1.*--encoding=UTF8/))
    await assert.rejects(
      read('CREATE TABLE public.users (id integer);\n'),
      isRefusal(/no tables of Cal\.com/),
    )
  })

  it('leaves out a row that is too long or has other values than columns, and says so', async () => {
    const long = 'x'.repeat(17 * 1024 * 1024)
    const dump = SMALL.replace('\\.\n', `5\t${long}\tz\n6\tshort\n\\.\n`).replace(
      'INSERT INTO public.users VALUES',
      `INSERT INTO public.users VALUES (7, '${long}', ''), (8),`,
    )
    const all = await read(dump, 1 << 20)
    assert.deepEqual(rowsIn(all), SMALL_ROWS)
    assert.deepEqual(notesIn(all), [
      'A row of the table users is larger than 16 MB, so it is left out.',
      'A row of the table users does not have as many values as there are columns, so it is left out.',
      'A row of the table users is larger than 16 MB, so it is left out.',
      'A row of the table users does not have as many values as there are columns, so it is left out.',
    ])
  })

  it('says once if it does not know the columns of a table', async () => {
    const all = await read(
      `${SMALL}INSERT INTO public."Team" VALUES (1);\nINSERT INTO public."Team" VALUES (2);\n`,
    )
    assert.deepEqual(rowsIn(all), SMALL_ROWS)
    assert.equal(notesIn(all).length, 1)
  })

  it('reports how much it has read, and stops when told to', async () => {
    const bytes = Buffer.from(asDump(rows, { style: 'copy' }))
    const seen: Progress[] = []
    const stop = new AbortController()
    const reading = readDump(
      { dump: inChunks(bytes, 10_000), size: bytes.length },
      {
        signal: stop.signal,
        onProgress: (progress) => {
          seen.push(progress)
          if (seen.length === 3) stop.abort()
        },
      },
    )
    await assert.rejects(Array.fromAsync(reading), { name: 'AbortError' })
    assert.deepEqual(
      seen,
      [10_000, 20_000, 30_000].map((done) => ({ done, total: bytes.length })),
    )
  })

  it('answers hostile files with rows or a refusal', async () => {
    const small = Buffer.from(SMALL)
    const mutated = fc
      .array(fc.tuple(fc.nat(small.length - 1), fc.nat(20), fc.uint8Array({ maxLength: 8 })), {
        minLength: 1,
        maxLength: 6,
      })
      .map((changes) => {
        let bytes = small
        for (const [at, length, put] of changes)
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + length)])
        return bytes
      })
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc
        .string({ unit: fc.constantFrom(...'COPYINSERT users()\'"\\$-/*;,.\nE:') })
        .map((text) => Buffer.from(text)),
      mutated,
    )
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 600 }), fc.boolean(), async (file, size, packed) => {
        await read(packed ? gzipSync(file) : file, size).catch((error) =>
          assert.ok(error instanceof Problem, error),
        )
      }),
      { numRuns: 500 },
    )
  })
})

function isRefusal(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, 'invalid')
    assert.match(error.message, message)
    return true
  }
}
