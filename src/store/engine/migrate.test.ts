import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import {
  type FreshDatabase,
  freshDatabase,
  migratedDatabase,
  openPatiently,
} from '../../../test/databases.ts'
import { addEventType, addUser } from '../../../test/kit.ts'
import { newId } from '../new-id.ts'
import type { Db } from './database.ts'
import type { EngineName } from './engine.ts'
import { migrate, runMigrations } from './migrate.ts'
import { EVENT_TYPE_COLUMNS, MIGRATIONS, type Migration } from './migrations.ts'

const ALL = MIGRATIONS.map(({ name }) => name).sort()

const BY_NAME: Migration = {
  name: '900-schedulers-by-name',
  indexes: () => [{ name: 'schedulers_by_name', on: 'schedulers (name)' }],
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`migrate on ${engine}`, () => {
    let fresh: FreshDatabase
    let db: Db
    beforeEach(async () => {
      fresh = await freshDatabase(engine)
      db = openPatiently(fresh.url, { queryTimeout: 0 })
    })
    afterEach(async () => {
      await db.destroy()
      await fresh.drop()
    })

    it('keeps the booking revision of every host, which was called calendar', async () => {
      const count = MIGRATIONS.findIndex(({ name }) => name === '008-booking-revision')
      await db.transaction().execute((trx) => runMigrations(trx, count))
      await sql`insert into schedulers (id, kind, slug, name, bio, avatar_url, time_zone, locale, theme, primary_color,
        logo_url, calendar, created_at) values (${newId()}, 'user', 'ada', 'Ada', '', '', 'UTC', 'en', 'auto',
        '', '', 5, 0)`.execute(db)
      await migrate(db)
      const [host] = await db.selectFrom('schedulers').select('booking_revision').execute()
      assert.equal(host?.booking_revision, 5)
    })

    it('makes the oldest user an admin if there is none', async () => {
      const count = MIGRATIONS.findIndex(({ name }) => name === '011-first-admin')
      await db.transaction().execute((trx) => runMigrations(trx, count))
      for (const [slug, email, at] of [
        ['demo', 'demo@example.com', 1],
        ['late', 'late@hosts.example', 3],
        ['early', 'early@hosts.example', 2],
      ]) {
        await sql`insert into schedulers (id, kind, slug, email, name, bio, avatar_url, time_zone, locale, theme,
          primary_color, logo_url, created_at) values (${newId()}, 'user', ${slug}, ${email}, 'A', '', '', 'UTC',
          'en', 'auto', '', '', ${at})`.execute(db)
      }
      await migrate(db)
      const admins = await db.selectFrom('schedulers').select('slug').where('admin', '=', 1).execute()
      assert.deepEqual(admins, [{ slug: 'early' }])
    })

    it('puts the owner into the lanes of waiting deliveries', async () => {
      const count = MIGRATIONS.findIndex(({ name }) => name.endsWith('-lanes-of-owners'))
      await db.transaction().execute((trx) => runMigrations(trx, count))
      const [owner, webhook, gone] = [newId(), newId(), newId()]
      await sql`insert into schedulers (id, kind, slug, email, name, bio, avatar_url, time_zone, locale, theme,
        primary_color, logo_url, created_at) values (${owner}, 'user', 'ada', 'ada@hosts.example', 'A', '', '', 'UTC',
        'en', 'auto', '', '', 1)`.execute(db)
      await sql`insert into webhooks (id, scheduler_id, url, secret, events, event_type_ids, active, created_at)
        values (${webhook}, ${owner}, 'https://a.example', 's', '[]', '[]', 1, 1)`.execute(db)
      for (const [kind, lane] of [
        ['webhook', `webhook:${webhook}:b`],
        ['webhook', `webhook:${gone}:b`],
        ['mail', 'mail:b:guest'],
      ]) {
        await sql`insert into outbox (kind, lane, data, due_at, created_at) values (${kind}, ${lane}, '{}', 1, 1)`.execute(
          db,
        )
      }
      await migrate(db)
      const rows = await db.selectFrom('outbox').select('lane').orderBy('id').execute()
      assert.deepEqual(
        rows.map(({ lane }) => lane),
        [`webhook:${owner}:${webhook}:b`, `webhook:${gone}:b`, 'mail:b:guest'],
      )
    })

    it('keeps all columns of bookings as it takes their references away', async () => {
      const count = MIGRATIONS.findIndex(({ name }) => name.endsWith('-fewer-booking-indexes'))
      await db.transaction().execute((trx) => runMigrations(trx, count))
      const [id, host, type] = [newId(), newId(), newId()]
      await addOldEventType(db, host, type)
      await sql`insert into bookings (id, event_type_id, meeting_id, host_id, seat, seats, status, starts_at, ends_at,
        invitee_name, invitee_email, invitee_phone, invitee_time_zone, invitee_locale, location_type, location_value,
        notes, custom_fields, source, duplicate_key, created_at, scheduler_id, sequence, reason, utm, requested_at,
        guest, location_provider) values (${id}, ${type}, ${newId()}, ${host}, 1, 2, 'Confirmed', 3, 4,
        'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 5, ${host}, 6, 'l', 'm', 7, 'n', 'o')`.execute(
        db,
      )
      const before = await sql<object>`select * from bookings`.execute(db)
      await migrate(db)
      // In other words: PostgreSQL refuses a prepared statement whose columns have changed.
      const after = await sql<object>`select bookings.* from bookings`.execute(db)
      assert.deepEqual({ ...after.rows[0], ...before.rows[0] }, after.rows[0])
      assert.equal(before.rows.length, 1)
    })

    it('queues the merging of entries that guests of one meeting had in a calendar', async () => {
      const count = MIGRATIONS.findIndex(({ name }) => name.endsWith('-entries-of-meetings'))
      await db.transaction().execute((trx) => runMigrations(trx, count))
      const [host, type, calendar] = [newId(), newId(), newId()]
      const [meeting, second, alone] = [newId(), newId(), newId()]
      await addOldEventType(db, host, type)
      await sql`insert into calendars (id, user_id, kind, name, url, username, sealed_password, busy, write_to, etag,
        last_modified, ctag, expanded_zone, next_refresh_at, failures, last_error, skipped, created_at) values
        (${calendar}, ${host}, 'caldav', 'W', 'https://c.example', '', '', 1, 1, '', '', '', '', 0, 0, '', 0, 0)`.execute(
        db,
      )
      for (const [id, meetingId, seat, seats] of [
        [meeting, meeting, 1, 5],
        [second, meeting, 2, 5],
        [alone, alone, 1, 1],
      ]) {
        await sql`insert into bookings (id, scheduler_id, event_type_id, meeting_id, host_id, seat, seats, status,
          starts_at, ends_at, invitee_name, invitee_email, invitee_phone, invitee_time_zone, invitee_locale,
          location_type, location_value, notes, custom_fields, source, duplicate_key, created_at) values (${id}, ${host},
          ${type}, ${meetingId}, ${host}, ${seat}, ${seats}, 'Confirmed', 1, 2, 'G', 'g@g.example', '', 'UTC', 'en',
          'Link', '', '', '{}', 'API', ${id}, 1)`.execute(db)
        await sql`insert into calendar_events (calendar_id, booking_id, href) values (${calendar}, ${id}, 'h')`.execute(
          db,
        )
      }
      await migrate(db)
      const entries = await db.selectFrom('calendar_events').select('meeting_id').execute()
      assert.deepEqual(entries.map((row) => row.meeting_id).sort(), [meeting, second, alone].sort())
      const jobs = await db.selectFrom('outbox').select(['kind', 'lane', 'data']).execute()
      assert.deepEqual(
        jobs.map(({ lane }) => lane).sort(),
        [meeting, second].map((id) => `calendar:${calendar}:${id}`).sort(),
      )
      for (const { kind, lane, data } of jobs) {
        const { calendarId, meetingId } = JSON.parse(data)
        assert.deepEqual([kind, lane], ['calendar-write', `calendar:${calendarId}:${meetingId}`])
      }
    })

    it('runs once when several callers start it at the same time', async () => {
      await Promise.all(Array.from({ length: 8 }, () => migrate(db)))
      assert.deepEqual(await namesRun(db), ALL)
    })

    it('runs once when several processes open a new database at the same time', async (t) => {
      const processes = Array.from({ length: 4 }, () => startMigrator(t))
      await Promise.all(processes.map(({ ready }) => ready))
      // Several rounds, since the processes do not collide at the same statement each time.
      for (let round = 0; round < 3; round++) {
        const another = await freshDatabase(engine)
        const answers = await Promise.all(processes.map(({ ask }) => ask(another.url)))
        assert.deepEqual(answers, Array(4).fill('migrated'))
        const opened = openPatiently(another.url)
        assert.deepEqual(await namesRun(opened), ALL)
        await opened.destroy()
        await another.drop()
      }
    })

    if (engine === 'sqlite') {
      it('waits for a process that writes to a file that is not in WAL mode yet', async (t) => {
        const { ready, ask } = startMigrator(t)
        await ready
        const writer = new DatabaseSync(fresh.url)
        writer.exec('create table other (id text)')
        writer.exec('begin immediate')
        const answer = ask(fresh.url)
        // It must not give up: nothing happens, and there is no event for that.
        assert.equal(await Promise.race([answer, sleep(300, 'still waiting')]), 'still waiting')
        writer.exec('commit')
        writer.close()
        assert.equal(await answer, 'migrated')
      })
    }

    it('builds the indexes of a migration on a database that is in use, and on a new one', async () => {
      const migrations = [...MIGRATIONS, BY_NAME]
      await migrate(db, migrations)
      assert.deepEqual(await namesRun(db), [...ALL, BY_NAME.name])
      assert.equal(await hasIndex(db, engine), true)
      const another = await migratedDatabase(engine)
      const used = openPatiently(another.url)
      try {
        await Promise.all(Array.from({ length: 3 }, () => migrate(used, migrations)))
        assert.deepEqual(await namesRun(used), [...ALL, BY_NAME.name])
        assert.equal(await hasIndex(used, engine), true)
      } finally {
        await used.destroy()
        await another.drop()
      }
    })

    it('changes nothing if a statement fails, and can run again', async () => {
      await sql`create table event_types (id text)`.execute(db)
      await assert.rejects(migrate(db), /already exists/)
      await assert.rejects(db.selectFrom('schedulers').selectAll().execute())
      await assert.rejects(db.selectFrom('migrations').selectAll().execute())
      await sql`drop table event_types`.execute(db)
      await migrate(db)
      assert.deepEqual(await namesRun(db), ALL)
    })
  })

  describe(`migrate on ${engine}, of a database that is up to date`, () => {
    let fresh: FreshDatabase
    let db: Db
    beforeEach(async () => {
      fresh = await migratedDatabase(engine)
      db = openPatiently(fresh.url, { queryTimeout: 0 })
    })
    afterEach(async () => {
      await db.destroy()
      await fresh.drop()
    })

    it('makes the columns of event types that it names, each with the migration that it names', async () => {
      await addEventType(db, await addUser(db, 'ada'))
      const [row] = await db.selectFrom('event_types').selectAll().execute()
      assert.deepEqual(Object.keys(row ?? {}).sort(), Object.keys(EVENT_TYPE_COLUMNS).sort())
      for (const [column, name] of Object.entries(EVENT_TYPE_COLUMNS)) {
        const made = MIGRATIONS.find((migration) => migration.name === name)?.statements?.(engine) ?? []
        assert.match(
          made.join('\n'),
          new RegExp(`event_types (?:add column |\\([^;]*)\\b${column}\\b`),
          column,
        )
      }
    })

    it('leaves a migrated database and its rows unchanged', async () => {
      await addUser(db, 'ada')
      const before = await db.selectFrom('migrations').selectAll().orderBy('name').execute()
      await migrate(db)
      assert.deepEqual(await db.selectFrom('migrations').selectAll().orderBy('name').execute(), before)
      assert.equal((await db.selectFrom('schedulers').selectAll().execute()).length, 1)
    })

    if (engine === 'postgres') {
      it('lets others write to a table while it builds an index on it', async () => {
        await using ending = new AsyncDisposableStack()
        const ada = await addUser(db, 'ada')
        const reader = new pg.Client(fresh.url)
        await reader.connect()
        ending.defer(() => reader.end())
        // The build waits for everyone who might still read the table as it was: it can't end while this transaction lasts.
        await reader.query('begin isolation level repeatable read; select 1 from schedulers')
        const migrated = migrate(db, [...MIGRATIONS, BY_NAME])
        await untilItWaits(db)
        await db.updateTable('schedulers').set({ name: 'Eda' }).where('id', '=', ada.id).execute()
        assert.equal(await hasIndex(db, engine), false)
        await reader.query('commit')
        await migrated
        assert.equal(await hasIndex(db, engine), true)
      })

      it('builds an index again whose build was interrupted', async () => {
        await sql`create index schedulers_by_name on schedulers (name)`.execute(db)
        await sql`update pg_index set indisvalid = false where indexrelid = 'schedulers_by_name'::regclass`.execute(
          db,
        )
        assert.equal(await hasIndex(db, engine), false)
        await migrate(db, [...MIGRATIONS, BY_NAME])
        assert.equal(await hasIndex(db, engine), true)
      })

      it('makes no request wait for long while it cannot have a lock', async () => {
        await using ending = new AsyncDisposableStack()
        const ada = await addUser(db, 'ada')
        const backup = new pg.Client(fresh.url)
        await backup.connect()
        ending.defer(() => backup.end())
        await backup.query('begin; select 1 from schedulers')
        const statements = () => ['alter table schedulers add column nickname text']
        const migrated = migrate(db, [...MIGRATIONS, { name: '900-nickname', statements }])
        await untilItWaits(db)
        // A request of the version before: it would fail after nine seconds.
        const requests = openPatiently(fresh.url, { queryTimeout: 30_000 })
        ending.defer(() => requests.destroy())
        for (let i = 0; i < 3; i++) {
          const rename = requests.updateTable('schedulers').set({ name: `Ada ${i}` })
          await rename.where('id', '=', ada.id).execute()
        }
        await backup.query('commit')
        await migrated
        const { rows } = await sql<object>`select schedulers.* from schedulers`.execute(db)
        assert.deepEqual(Object.entries(rows[0] ?? {}).at(-1), ['nickname', null])
      })
    }
  })
}

async function namesRun(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}

/** Whether the index of `BY_NAME` is there, and is used. */
async function hasIndex(db: Db, engine: EngineName): Promise<boolean> {
  const { rows } = await (engine === 'sqlite'
    ? sql`select 1 from sqlite_master where name = 'schedulers_by_name'`
    : sql`select 1 from pg_index where indisvalid and indexrelid = to_regclass('schedulers_by_name')`
  ).execute(db)
  return rows.length === 1
}

/** Until a statement waits for a lock on this PostgreSQL database. */
async function untilItWaits(db: Db): Promise<void> {
  for (let waiting = 0; waiting === 0; ) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    waiting = rows.length
    if (waiting === 0) await sleep(10)
  }
}

/** Adds a host and an event type with the columns that they had before most migrations. */
async function addOldEventType(db: Db, host: string, type: string): Promise<void> {
  await sql`insert into schedulers (id, kind, slug, email, name, bio, avatar_url, time_zone, locale, theme,
    primary_color, logo_url, created_at) values (${host}, 'user', 'ada', 'ada@hosts.example', 'A', '', '', 'UTC',
    'en', 'auto', '', '', 1)`.execute(db)
  await sql`insert into event_types (id, scheduler_id, slug, name, description, duration_minutes,
    buffer_before_minutes, buffer_after_minutes, notice_minutes, booking_window, limits, seats, requires_approval,
    hidden, location_type, location_value, questions, abuse, assignment, position) values (${type}, ${host}, 'a', 'A',
    '', 60, 0, 0, 0, '{}', '{}', 5, 0, 0, 'Link', '', '[]', '{}', 'round-robin', 0)`.execute(db)
}

/** A process that migrates the databases it is asked to. */
function startMigrator(t: TestContext) {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('./open-database.ts'))})
    const { migrate } = await import(${JSON.stringify(import.meta.resolve('./migrate.ts'))})
    process.on('message', async (url) => {
      // Without time-outs, as the service migrates.
      const db = openDatabase(url, { queryTimeout: 0, connectTimeout: 60_000 })
      try {
        await migrate(db)
        process.send('migrated')
      } catch (error) {
        process.send(error.stack)
      } finally {
        await db.destroy()
      }
    })
    process.send('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  t.after(() => child.kill())
  // If the child exits, nothing must wait for its message.
  const exited = once(child, 'exit').then(([code]) => [`exit ${code}`])
  const nextWord = async () => (await Promise.race([once(child, 'message'), exited]))[0] as string
  return {
    ready: nextWord(),
    ask(url: string): Promise<string> {
      const answer = nextWord()
      child.send(url)
      return answer
    },
  }
}
