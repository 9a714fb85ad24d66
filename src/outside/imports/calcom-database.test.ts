import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { type FreshDatabase, freshDatabase } from '../../../test/databases.ts'
import { intoDatabase, seededSource } from '../../../test/imports/seeded-source.ts'
import { SOURCE_TABLES, type Sourced } from '../../domain/imports/source.ts'
import { Problem } from '../../domain/problem.ts'
import { readDatabase } from './calcom-database.ts'
import type { Progress, Read } from './reading.ts'

/** Tables without an id have no order of their own. Texts compare fast, and tell nearly as much. */
function inOrder(all: readonly Read[]): string[] {
  const keysFirst = (_: string, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
  return all.map((one) => JSON.stringify(one, keysFirst)).sort()
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

describe('readDatabase', () => {
  const rows = seededSource({ bookings: 2100 })
  const whole = inOrder(rows)
  let source: FreshDatabase
  let empty: FreshDatabase

  before(async () => {
    ;[source, empty] = await Promise.all([freshDatabase('postgres'), freshDatabase('postgres')])
    await intoDatabase(source.url, rows)
  })
  after(async () => {
    await source?.drop()
    await empty?.drop()
  })

  const execute = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }

  it('gives every row, and reports how many it has read', async () => {
    const seen: Progress[] = []
    const read = readDatabase({ database: source.url }, { onProgress: (progress) => seen.push(progress) })
    const all = await Array.fromAsync(read)
    assert.deepEqual(inOrder(all), whole)
    assert.deepEqual(
      all.map((one) => 'table' in one && one.table),
      SOURCE_TABLES.flatMap((table) => rows.flatMap((one) => (one.table === table ? [table] : []))),
    )
    assert.deepEqual(seen.at(-1), { done: rows.length, total: rows.length })
    assert.ok(seen.every(({ done }, index) => done > (seen[index - 1]?.done ?? 0)))
  })

  it('sees one moment: what changes meanwhile is not seen', async () => {
    const reading = readDatabase({ database: source.url })
    const first = await reading.next()
    await execute(source.url, `update "Booking" set title = 'Changed'; delete from "Tracking"`)
    const rest = await Array.fromAsync(reading)
    assert.deepEqual(inOrder([first.value, ...rest]), whole)
  })

  it('reads older versions, without some tables and columns, in another schema', async () => {
    await execute(
      empty.url,
      `create schema cal; set search_path = cal;
       create table users (id integer, email text, password text);
       create table "EventType" (id integer, title text);
       insert into users values (1, 'person1@example.org', 'secret');
       alter role current_user in database "${new URL(empty.url).pathname.slice(1)}" set search_path = cal`,
    )
    const read = (await Array.fromAsync(readDatabase({ database: empty.url }))) as Sourced[]
    assert.deepEqual(read, [{ table: 'users', row: { id: 1, email: 'person1@example.org' } }])
    await execute(empty.url, 'drop schema cal cascade')
  })

  it('writes nothing', async () => {
    const reading = readDatabase({ database: source.url })
    await reading.next()
    const client = new pg.Client({ connectionString: source.url })
    await client.connect()
    const { rows: found } = await client.query(
      `select query, backend_xid from pg_stat_activity where application_name = 'punctual import'`,
    )
    await client.end()
    await reading.return(undefined)
    assert.deepEqual(
      found.map(({ backend_xid }) => backend_xid),
      [null],
    )
  })

  const refuses = async (database: string, message: RegExp) => {
    await assert.rejects(Array.fromAsync(readDatabase({ database })), (error) => {
      assert.ok(error instanceof Problem, String(error))
      assert.match(error.message, message)
      assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}${error.cause}`, /sesame/)
      return true
    })
  }
  const changed = (change: Partial<URL>) => Object.assign(new URL(source.url), change).href

  it('says what is wrong, and never the password', async () => {
    await refuses('mysql://root:sesame@localhost/calcom', /not the address/)
    await refuses('postgres://root:sesame@[broken/calcom', /not the address/)
    await refuses(changed({ port: '1', password: 'sesame' }), /could not be reached/)
    await refuses(changed({ pathname: '/nothing-here', password: 'sesame' }), /no database of this name/)
    await refuses(changed({ username: 'nobody-there', password: 'sesame' }), /refused the user name/)
    await refuses(empty.url, /no tables of Cal\.com/)
  })

  it('stops when told to', async () => {
    const stop = new AbortController()
    const reading = readDatabase({ database: source.url }, { signal: stop.signal })
    await reading.next()
    stop.abort()
    await assert.rejects(Array.fromAsync(reading), { name: 'AbortError' })
  })
})
