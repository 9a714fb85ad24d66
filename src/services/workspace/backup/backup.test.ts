import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import {
  freshDatabase,
  migratedDatabase,
  onEveryDatabase,
  openPatiently,
} from '../../../../test/databases.ts'
import { addEventType, addUser, MONDAY_NOON, weekdays } from '../../../../test/kit.ts'
import { addBooking, fillEveryTable, insertMeeting, rowsOf } from '../../../../test/rows.ts'
import type { Db } from '../../../store/engine/database.ts'
import type { EngineName } from '../../../store/engine/engine.ts'
import { runMigrations } from '../../../store/engine/migrate.ts'
import { MIGRATIONS } from '../../../store/engine/migrations.ts'
import { newId } from '../../../store/new-id.ts'
import { insertJobs } from '../../../store/outbox.ts'
import { TABLES } from '../../../store/workspace/dump.ts'
import { backup } from './backup.ts'
import { type Header, Tally, type Trailer } from './backup-format.ts'
import { restore } from './restore.ts'

const HALF_HOUR = 30 * 60_000

async function backUp(db: Db): Promise<string> {
  return (await Array.fromAsync(backup(db, MONDAY_NOON))).join('')
}

/** In chunks that end in the middle of lines, as read from a file. */
async function* inPieces(text: string, size = 1000): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

/** Runs `work` on a new database, with empty tables unless it says otherwise. */
async function onAnother(
  engine: EngineName,
  work: (db: Db) => Promise<void>,
  migrated = true,
): Promise<void> {
  const fresh = await (migrated ? migratedDatabase : freshDatabase)(engine)
  const db = openPatiently(fresh.url)
  try {
    await work(db)
  } finally {
    await db.destroy()
    await fresh.drop()
  }
}

/** The same lines with a trailer that fits them. */
function seal(lines: readonly string[], rows: Record<string, number>): string {
  const tally = new Tally()
  for (const line of lines) tally.addText(`${line}\n`)
  for (const [table, count] of Object.entries(rows)) tally.addRows(table, count)
  return `${[...lines, JSON.stringify(tally.close())].join('\n')}\n`
}

/** The columns of each table after that many migrations. */
async function columnsAfter(engine: EngineName, count: number): Promise<Map<string, Set<string>>> {
  const columns = new Map<string, Set<string>>()
  await onAnother(
    engine,
    async (old) => {
      await old.transaction().execute((trx) => runMigrations(trx, count))
      for (const table of await old.introspection.getTables()) {
        columns.set(table.name, new Set(table.columns.map(({ name }) => name)))
      }
    },
    false,
  )
  return columns
}

onEveryDatabase('a backup', ({ db, engine }) => {
  const other: EngineName = engine === 'sqlite' ? 'postgres' : 'sqlite'

  it('has a line for every row of every table, restores into either engine, and comes back equal', async () => {
    await fillEveryTable(db())
    const before = await rowsOf(db())
    const { rows: tables } = await (engine === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    ).execute(db())
    const kept = tables
      .map(({ name }) => name)
      .filter((name) => !['migrations', 'rate_limits', 'leases', 'sqlite_sequence'].includes(name))
      // Made from other tables.
      .filter((name) => !name.startsWith('search_'))
      // What was read from another service is read again there.
      .filter(
        (name) =>
          !['imports', 'import_rows', 'import_secrets', 'import_lines', 'import_changes'].includes(name),
      )
    assert.deepEqual(Object.keys(before).sort(), kept.sort())

    const text = await backUp(db())
    const rowCount = Object.values(before).flat().length
    assert.equal(text.trimEnd().split('\n').length, rowCount + 2)
    await onAnother(engine, async (same) => {
      assert.equal(await restore(same, inPieces(text)), rowCount)
      assert.deepEqual(await rowsOf(same), before)
    })
    await onAnother(other, async (across) => {
      await restore(across, inPieces(text, 7))
      assert.deepEqual(await rowsOf(across), before)
      const again = await backUp(across)
      assert.equal(again, text)
      await onAnother(engine, async (back) => {
        await restore(back, inPieces(again))
        assert.deepEqual(await rowsOf(back), before)
      })
    })
  })

  it('gives new jobs after a restore ids that are not in use', async () => {
    const job = { kind: 'mail', lane: null, data: {}, dueAt: MONDAY_NOON } as const
    const write = (to: Db, count: number) =>
      to.transaction().execute((trx) => insertJobs(trx, Array(count).fill(job), MONDAY_NOON))
    const idsIn = async (of: Db) => ((await rowsOf(of)).outbox ?? []).map(({ id }) => id as number)
    await write(db(), 3)
    const text = await backUp(db())
    for (const target of [engine, other]) {
      await onAnother(target, async (restored) => {
        await restore(restored, inPieces(text))
        const before = await idsIn(restored)
        await write(restored, 2)
        const added = (await idsIn(restored)).filter((id) => !before.includes(id))
        assert.equal(added.length, 2)
        assert.ok(Math.min(...added) > Math.max(...before))
      })
    }
  })

  it('pages through tables by their primary keys', async () => {
    const keys = new Map<string, string[]>()
    const { rows } = await (engine === 'postgres'
      ? sql<{ table: string; column: string }>`
          select c.relname as table, a.attname as column from pg_index i
          join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
          cross join unnest(i.indkey) with ordinality as k (attnum, position)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
          where i.indisprimary and n.nspname = 'public' order by c.relname, k.position`
      : sql<{ table: string; column: string }>`
          select m.name as "table", i.name as "column" from sqlite_master m, pragma_table_info(m.name) i
          where m.type = 'table' and i.pk > 0 order by m.name, i.pk`
    ).execute(db())
    for (const { table, column } of rows) keys.set(table, [...(keys.get(table) ?? []), column])
    for (const [table, key] of Object.entries(TABLES)) assert.deepEqual(keys.get(table), [...key], table)
  })

  it('is a snapshot of one moment, however much is booked during the backup', async () => {
    await onAnother(engine, async (busy) => {
      const user = await addUser(busy, 'busy', weekdays())
      const eventType = await addEventType(busy, user)
      let booked = 0
      const next = () => MONDAY_NOON + booked++ * HALF_HOUR
      await busy.transaction().execute(async (trx) => {
        while (booked < 1100) await insertMeeting(trx, eventType, next())
      })

      const pieces: string[] = []
      for await (const piece of backup(busy, MONDAY_NOON)) {
        pieces.push(piece)
        // Each of these commits before the next chunk is read, so writers don't wait for the backup.
        for (let more = 0; more < 10; more++) await addBooking(busy, eventType, next())
      }
      assert.ok(booked > 1150)
      await onAnother(engine, async (restored) => {
        await restore(restored, inPieces(pieces.join('')))
        const { bookings = [], claims = [] } = await rowsOf(restored)
        const meetings = (rows: typeof claims) => rows.map((row) => row.meeting_id).sort()
        assert.deepEqual(meetings(bookings), meetings(claims))
        assert.ok(bookings.length >= 1100 && bookings.length < booked)
        assert.equal(new Set(bookings.map((row) => row.id)).size, bookings.length)
      })
    })
  })

  it('releases the database when its reader gives up', async () => {
    for await (const _ of backup(db(), MONDAY_NOON)) break
    await addUser(db(), 'after-giving-up')
  })

  it('is refused as a whole if it is cut off or changed anywhere', async () => {
    const text = await backUp(db())
    const lines = text.trimEnd().split('\n')
    const cuts = [0, 1, 30, text.indexOf('\n') + 1, text.length >> 1, text.length - 2, text.length - 1]
    const damaged = [
      ...cuts.map((length) => text.slice(0, length)),
      text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1),
      text.replace('"slug":"ada"', '"slug":"eve"'),
      text.replace(lines[2] as string, ''),
      text.replace(`${lines[2]}\n`, ''),
      `${text}{}\n`,
      `${text}${lines[2]}\n`,
      text.replace('"sha256":"', '"sha256":"0'),
      text.replace(/"schedulers":\d+/, '"schedulers":99'),
    ]
    await onAnother(engine, async (target) => {
      for (const made of damaged) {
        await assert.rejects(restore(target, inPieces(made)), { code: 'invalid' }, made.slice(-200))
        assert.deepEqual(await rowsOf(target), {})
      }
      await restore(target, inPieces(text))
    })
  })

  it('leaves a database without tables untouched when it is refused', async () => {
    const text = await backUp(db())
    await onAnother(
      engine,
      async (target) => {
        await assert.rejects(restore(target, inPieces(text.slice(0, -10))), { code: 'invalid' })
        assert.deepEqual(await target.introspection.getTables(), [])
        await restore(target, inPieces(text))
        assert.deepEqual(await rowsOf(target), await rowsOf(db()))
      },
      false,
    )
  })

  it('is refused if a newer version made it', async () => {
    const [header = '', ...rest] = (await backUp(db())).trimEnd().split('\n').slice(0, -1)
    const refusals: [string, RegExp][] = [
      [header.replace('"version":1', '"version":2'), /format 2.*update/],
      [header.replace('"]}', '","900-later"]}'), /newer version of Punctual \(900-later\)/],
      [header.replace('punctual-backup', 'something-else'), /not a backup/],
    ]
    await onAnother(engine, async (target) => {
      for (const [line, message] of refusals) {
        assert.notEqual(line, header)
        await assert.rejects(restore(target, inPieces(seal([line, ...rest], {}))), {
          code: 'invalid',
          message,
        })
      }
      assert.deepEqual(await rowsOf(target), {})
    })
  })

  it('is refused by a database in use, and accepted by one that only has a secret', async () => {
    const text = await backUp(db())
    await onAnother(engine, async (target) => {
      const user = await addUser(target, 'already-here')
      const before = await rowsOf(target)
      await assert.rejects(restore(target, inPieces(text)), { code: 'in_use', message: /not empty/ })
      assert.deepEqual(await rowsOf(target), before)

      await target.deleteFrom('schedulers').where('id', '=', user.id).execute()
      await target.insertInto('secrets').values({ name: 'jwt', value: 'made at the first start' }).execute()
      await restore(target, inPieces(text))
      assert.deepEqual(await rowsOf(target), await rowsOf(db()))
    })
  })

  it('cannot restore rows that the tables refuse', async () => {
    const [header = ''] = (await backUp(db())).split('\n')
    const attempts = [
      { table: 'migrations', row: { name: '900-later', ran_at: 1 } },
      { table: 'no_such_table', row: { id: 1 } },
      { table: 'secrets', row: { name: 'a', value: 'b', "x', 'y": 'c' } },
      { table: 'secrets', row: { name: 'a' } },
      {
        table: 'sessions',
        row: { id: newId(), user_id: newId(), refresh_hash: '', created_at: 1, expires_at: 1 },
      },
    ]
    await onAnother(engine, async (target) => {
      for (const attempt of attempts) {
        const made = seal([header, JSON.stringify(attempt)], { [attempt.table]: 1 })
        await assert.rejects(restore(target, inPieces(made)), JSON.stringify(attempt))
        assert.deepEqual(await rowsOf(target), {})
      }
    })
  })

  it('of an older version is migrated to the present tables', async () => {
    await onAnother(
      engine,
      async (old) => {
        await old.transaction().execute((trx) => runMigrations(trx, 1))
        const owner = newId()
        await sql`insert into schedulers (id, kind, slug, email, name, bio, avatar_url, time_zone, locale, theme,
          primary_color, logo_url, calendar, created_at) values (${owner}, 'user', 'old', 'old@hosts.example', 'Old', '',
          '', 'UTC', 'en', 'auto', '', '', 5, 0)`.execute(old)
        const event = newId()
        await sql`insert into event_types values (${event}, ${owner}, 'intro', 'Intro', '', 30, null, 0, 0, 0,
          '{"kind":"unlimited"}', '{}', 1, 0, 0, 'Video', '', '[]', '{}', 'collective', 0, null)`.execute(old)
        const booking = newId()
        await sql`insert into bookings values (${booking}, ${event}, ${booking}, ${owner}, 1, 1, 'Confirmed', 0, 1,
          'G', 'G+x@guests.example', '', 'UTC', 'en', 'Video', '', '', '{}', 'API', 'g', 0)`.execute(old)
        const text = await backUp(old)
        assert.deepEqual(JSON.parse(text.split('\n')[0] ?? '').migrations, ['001-foundation'])

        await onAnother(engine, async (target) => {
          await restore(target, inPieces(text))
          const { bookings = [], schedulers = [] } = await rowsOf(target)
          assert.equal(bookings[0]?.scheduler_id, owner)
          assert.equal(bookings[0]?.guest, 'g@guests.example')
          assert.equal(schedulers[0]?.admin, 1, 'the only user runs the instance')
          assert.equal(schedulers[0]?.booking_revision, 5)
          const done = await target.selectFrom('migrations').select('name').execute()
          assert.equal(done.length, MIGRATIONS.length)
        })
      },
      false,
    )
  })

  it('from before booking_revision, which was called calendar, restores with every row', async () => {
    await onAnother(engine, async (source) => {
      await fillEveryTable(source)
      await source.updateTable('schedulers').set({ booking_revision: 7 }).execute()
      await source.updateTable('schedulers').set({ admin: 1 }).where('kind', '=', 'user').execute()
      // Members of a team saw all its bookings then.
      await source.updateTable('schedulers').set({ members_see_all: 1 }).where('kind', '=', 'team').execute()
      // Columns and tables that did not exist then.
      await source
        .updateTable('calendars')
        .set({
          kind: 'caldav',
          connection_id: null,
          external_id: '',
          sync_token: '',
          synced_until: null,
          notices: 0,
        })
        .execute()
      await source.updateTable('team_members').set({ attributes: '{}' }).execute()
      await source
        .updateTable('sessions')
        .set({ id_token: null, browser: null, system: null, last_used_at: null })
        .execute()
      await source.updateTable('schedulers').set({ has_messages: 0 }).execute()
      const later = [
        'answered_guests',
        'messages',
        'message_records',
        'unsubscribed',
        'push_subscriptions',
        'stopped_numbers',
        'sms_counts',
        'numbers',
        'import_objects',
        'import_uids',
        'old_links',
        'payment_differences',
        'payment_notices',
        'payment_refunds',
        'payments',
        'checkouts',
        'payment_accounts',
        'added_guests',
        'meeting_sequences',
        'connections',
        'connection_attempts',
        'identities',
        'passkeys',
        'recovery_codes',
        'passkey_challenges',
        'sign_in_attempts',
        'email_changes',
        'meeting_links',
        'calendar_items',
        'meeting_links',
        'calendar_channels',
        'images',
        'private_links',
        'email_codes',
        'erasure_codes',
        'pending_erasures',
        'team_attributes',
        'form_counts',
        'booking_history',
      ] as const
      for (const table of later) await source.deleteFrom(table).execute()
      // Reasons were stored in English alone.
      await source.updateTable('webhook_deliveries').set({ error_parts: null }).execute()
      // Their guests had several entries in a calendar.
      await source.updateTable('bookings').set({ seats: 2, status: 'Confirmed' }).execute()
      const before = await rowsOf(source)
      const [header = '', ...lines] = (await backUp(source)).trimEnd().split('\n')
      const { rows: counts } = JSON.parse(lines.pop() ?? '') as Trailer
      const { migrations, ...rest } = JSON.parse(header) as Header
      const earlier = migrations.slice(0, migrations.indexOf('008-booking-revision'))
      const columns = await columnsAfter(engine, earlier.length)
      const older = [
        JSON.stringify({ ...rest, migrations: earlier }),
        ...lines.map((line) => {
          const { table, row } = JSON.parse(line.replace('"booking_revision":', '"calendar":'))
          if (table === 'calendar_events') row.booking_id = row.meeting_id
          const known = Object.entries(row).filter(([column]) => columns.get(table)?.has(column))
          return JSON.stringify({ table, row: Object.fromEntries(known) })
        }),
      ]
      for (const target of [engine, other]) {
        await onAnother(target, async (restored) => {
          await restore(restored, inPieces(seal(older, counts)))
          const merging = restored.deleteFrom('outbox').where('data', 'like', '%"meetingId"%')
          assert.equal((await merging.returning('id').execute()).length, 1)
          assert.deepEqual(await rowsOf(restored), before)
        })
      }
    })
  })

  it('restores without the rows of a table that is no longer there', async () => {
    await onAnother(
      engine,
      async (old) => {
        const before = MIGRATIONS.findIndex(({ name }) => name === '020-bookings-by-guest')
        await old.transaction().execute((trx) => runMigrations(trx, before))
        const [header = '', trailer = ''] = (await backUp(old)).trimEnd().split('\n')
        const { rows: counts } = JSON.parse(trailer) as Trailer
        const row = { booking_id: newId(), address_hash: 'hash', sent_at: 1 }
        const lines = [header, JSON.stringify({ table: 'guest_mails', row })]
        await onAnother(engine, async (target) => {
          await restore(target, inPieces(seal(lines, { ...counts, guest_mails: 1 })))
          assert.deepEqual(await rowsOf(target), {})
        })
      },
      false,
    )
  })

  it('is not restored into a database that a newer version has migrated', async () => {
    const file = await backUp(db())
    await onAnother(engine, async (newer) => {
      await sql`create table of_the_future (id text)`.execute(newer)
      await newer.insertInto('migrations').values({ name: '900-later', ran_at: 0 }).execute()
      await assert.rejects(restore(newer, inPieces(file)), {
        code: 'invalid',
        message: /newer version of Punctual \(900-later\)/,
      })
      assert.equal(
        (await newer.selectFrom('migrations').select('name').execute()).length,
        MIGRATIONS.length + 1,
      )
    })
  })

  it('is refused of a database that a newer version has migrated, and of one without tables', async () => {
    await onAnother(engine, async (newer) => {
      await newer.insertInto('migrations').values({ name: '900-later', ran_at: 0 }).execute()
      await assert.rejects(backUp(newer), {
        code: 'invalid',
        message: /newer version of Punctual \(900-later\)/,
      })
    })
    await onAnother(
      engine,
      async (empty) => {
        await assert.rejects(backUp(empty), { code: 'invalid', message: /nothing to back up/ })
      },
      false,
    )
  })
})
