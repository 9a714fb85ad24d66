import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Db } from '../../src/store/engine/database.ts'
import { findImports } from '../../src/store/imports/imports.ts'
import { BARE_ENVIRONMENT } from '../bare-environment.ts'
import { runHere } from '../command-line.ts'
import { DATABASE_FOLDER } from '../databases.ts'
import { freshHome, type Home, startServer } from '../server-process.ts'
import { everyRow } from './moving-in.ts'
import { asDump, seededSource } from './seeded-source.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BOOKINGS = 600

/** Lets no process get beyond so many bookings: inserting the next one never ends. */
async function hangAt(home: Home, bookings: number): Promise<void> {
  await hangNoMore(home)
  const many = sql`(select count(*) from bookings) >= ${sql.lit(bookings)}`
  if (home.engine === 'sqlite') {
    await sql`create view forever as
      with recursive steps(step) as (select 1 union all select step + 1 from steps) select count(*) from steps`.execute(
      home.db,
    )
    await sql`create trigger hang before insert on bookings when ${many}
      begin select * from forever; end`.execute(home.db)
    return
  }
  await sql`create function hang() returns trigger language plpgsql as $$
    begin if ${many} then perform pg_sleep(600); end if; return new; end $$`.execute(home.db)
  await sql`create trigger hang before insert on bookings for each row execute function hang()`.execute(
    home.db,
  )
}

async function hangNoMore({ engine, db }: Home): Promise<void> {
  if (engine === 'sqlite') {
    await sql`drop trigger if exists hang`.execute(db)
    await sql`drop view if exists forever`.execute(db)
  } else {
    // The database server notices only later that its client is gone.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`.execute(db)
    await sql`drop trigger if exists hang on bookings`.execute(db)
    await sql`drop function if exists hang`.execute(db)
  }
}

const countOf = async (db: Db, table: 'bookings' | 'imports', state?: 'applied') => {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(state !== undefined, (query) => query.where('state' as never, '=', state as never))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** As if so much time had passed that nobody believes the process to be alive. */
async function letLeasesEnd(db: Db): Promise<void> {
  await db.updateTable('imports').set({ leased_until: null }).execute()
  await db
    .updateTable('outbox')
    .set({ leased_until: null, due_at: 0 })
    .where('kind', '=', 'import-apply')
    .execute()
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`an import on ${engine} whose process is killed`, () => {
    it('is finished by the next one, makes nothing twice, and can be undone', {
      timeout: 180_000,
    }, async (t) => {
      const home = await freshHome(engine)
      t.after(() => home.remove())
      const folder = await mkdtemp(join(DATABASE_FOLDER, 'punctual-killed-import-'))
      t.after(() => rm(folder, { recursive: true, force: true }))
      const { db } = home
      const environment = { DATA_DIR: folder, ...home.environment }
      const file = join(folder, 'dump.sql')
      await writeFile(file, asDump(seededSource({ bookings: BOOKINGS, now: Date.now() }), { style: 'copy' }))
      const empty = await everyRow(db)

      // The command dies while it makes the third hundred of bookings, the service that takes over while it makes the fifth.
      await hangAt(home, 250)
      const args = ['src/cli.ts', 'import', 'calcom', '--dump', file, '--yes']
      const child = spawn(process.execPath, args, {
        cwd: ROOT,
        env: { ...BARE_ENVIRONMENT, ...environment },
        stdio: 'ignore',
      })
      t.after(() => child.kill('SIGKILL'))
      const exited = once(child, 'exit')
      await until(async () => (await countOf(db, 'bookings')) >= 100)
      child.kill('SIGKILL')
      assert.equal((await exited)[1], 'SIGKILL')
      const [killed] = await findImports(db, undefined, 1)
      assert.equal(killed?.state, 'applying')

      await hangAt(home, 450)
      await letLeasesEnd(db)
      const one = await startServer({ environment })
      t.after(() => one.send('SIGKILL'))
      await until(async () => (await countOf(db, 'bookings')) >= 300)
      one.send('SIGKILL')
      assert.equal((await one.exited).signal, 'SIGKILL')
      assert.equal(await countOf(db, 'imports', 'applied'), 0)

      await hangNoMore(home)
      await letLeasesEnd(db)
      const two = await startServer({ environment })
      t.after(() => two.send('SIGKILL'))
      await until(async () => (await countOf(db, 'imports', 'applied')) === 1)
      two.send('SIGTERM')
      await two.exited

      const [applied] = await findImports(db, undefined, 1)
      const coming = (table: string) =>
        (applied?.counts[table]?.new ?? 0) + (applied?.counts[table]?.changed ?? 0)
      const made = await everyRow(db)
      const of = (table: string) => made[table]?.map((row) => Object(row)) ?? []
      assert.ok(coming('Booking') > BOOKINGS / 2)
      assert.equal(new Set(of('bookings').map(({ meeting_id }) => meeting_id)).size, coming('Booking'))
      assert.equal(of('schedulers').filter(({ kind }) => kind === 'user').length, coming('users'))
      assert.equal(of('schedulers').filter(({ kind }) => kind === 'team').length, coming('Team'))
      assert.equal(of('routing_forms').length, coming('App_RoutingForms_Form'))
      assert.equal(of('webhooks').length, coming('Webhook'))

      const undone = await runHere(['import', 'undo', applied?.id ?? ''], environment)
      assert.equal(undone.code, 0, undone.stderr)
      assert.deepEqual(await everyRow(db), empty)
    })
  })
}
