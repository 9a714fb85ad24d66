import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signInWithToken } from '../../../../test/host-api.ts'
import { everyRow, linesOf, plan, sendDump, whenRead } from '../../../../test/imports/moving-in.ts'
import { asDump, SEEDED_NOW, seededSource } from '../../../../test/imports/seeded-source.ts'
import { jobsOf, runDueJobs } from '../../../../test/jobs.ts'
import { appOn, plainSurroundings, stoppedClock } from '../../../../test/kit.ts'
import { seededRandom } from '../../../../test/seeded-random.ts'
import type { Sourced } from '../../../domain/imports/source.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import type { Context } from '../../../services/context.ts'
import { continueApplying } from '../../../services/imports/apply.ts'
import { newId } from '../../../store/new-id.ts'

onEveryDatabase('moving in over HTTP', ({ db, engine }) => {
  const clock = stoppedClock(SEEDED_NOW)
  let app: FastifyInstance
  let context: Context
  let mailbox: readonly Mail[]
  let ada: Host
  let bob: Host
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'punctual-imports-'))
    const surroundings = { ...plainSurroundings, dataDir }
    ;({ app, context, mailbox } = await appOn(db(), { now: clock.now, surroundings, signup: 'open' }))
    ada = await signInWithToken(app, mailbox, 'ada@hosts.example')
    bob = await signInWithToken(app, mailbox, 'bob@hosts.example')
  })
  after(async () => {
    await app.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const rows = seededSource({ bookings: 120 })
  // Planning and applying take longest: the tests up to the one that undoes it look at the same import.
  let first: Awaited<ReturnType<typeof plan>>
  let empty: Awaited<ReturnType<typeof everyRow>>
  let made: Awaited<ReturnType<typeof everyRow>>

  it('plans first, and applies what it planned', async () => {
    empty = await everyRow(db())
    const mails = mailbox.length
    const planned = await plan(app, ada, rows)
    assert.ok(planned.plan.counts.users.new > 30, JSON.stringify(planned.plan.counts))
    assert.deepEqual(await everyRow(db()), empty, 'nothing is written until it is applied')
    assert.deepEqual(await readdir(dataDir), [], 'the dump is gone')
    const before = await linesOf(ada, planned.id)

    const asked = await ada.post(`/imports/${planned.id}/apply`, {})
    assert.equal(asked.statusCode, 202, asked.body)
    assert.equal((await ada.post(`/imports/${planned.id}/apply`, {})).statusCode, 409)
    await runDueJobs(context)
    const jobs = await db().selectFrom('outbox').select(['kind', 'error']).where('error', '<>', '').execute()
    assert.deepEqual(jobs, [])
    const applied = await whenRead(ada, planned.id)
    assert.equal(applied.state, 'applied')
    assert.equal(applied.progress.done, applied.progress.total)
    assert.deepEqual(applied.plan.counts, planned.plan.counts, 'what was planned is what was done')
    assert.deepEqual(await linesOf(ada, planned.id), before)
    first = planned
    made = await everyRow(db())
    const coming = before.filter(({ table, state }) => table === 'Booking' && state !== 'left-out')
    assert.equal(new Set(made.bookings?.map((row) => Object(row).meeting_id)).size, coming.length)
    assert.equal(mailbox.length, mails, 'nobody is mailed')
    for (const kind of ['mail', 'webhook', 'announce', 'calendar-write', 'meeting-link'] as const) {
      assert.deepEqual(await jobsOf(db(), kind), [], kind)
    }
    for (const { dueAt } of await jobsOf(db(), 'reminder')) assert.ok(dueAt > clock.now())

    const again = await plan(app, ada, rows)
    const states = new Set(
      Object.values(again.plan.counts).flatMap((byState) => Object.entries(Object(byState))),
    )
    for (const [state, count] of states) {
      if (state === 'new' || state === 'changed') assert.equal(count, 0, JSON.stringify(again.plan.counts))
    }
  })

  const apply = async (id: string, choices = {}) => {
    const asked = await ada.post(`/imports/${id}/apply`, { choices })
    assert.equal(asked.statusCode, 202, asked.body)
    await runDueJobs(context)
    const applied = await whenRead(ada, id)
    assert.equal(applied.state, 'applied')
    return applied
  }
  const undo = async (id: string) => {
    const answer = await ada.post(`/imports/${id}/undo`, {})
    assert.equal(answer.statusCode, 204, answer.body)
  }
  const byKey = async (id: string) =>
    new Map((await linesOf(ada, id)).map((line) => [`${line.table}/${line.id}`, line]))
  /** The source with these rows changed, or without them. */
  const changed = (changes: Record<string, object | null>): Sourced[] =>
    rows.flatMap(({ table, row }) => {
      const change = changes[`${table}/${String(row.id)}`]
      return change === null ? [] : [{ table, row: { ...row, ...change } }]
    })
  const objectOf = async (key: string) =>
    (
      await db()
        .selectFrom('import_objects')
        .select('object_id')
        .where('source_key', '=', key)
        .executeTakeFirstOrThrow()
    ).object_id

  it('changes only what has changed there, and never what was edited here since', async () => {
    const coming = (await linesOf(ada, first.id, '&table=Booking')).filter(({ state }) => state === 'new')
    const [moved, gone, kept] = coming.map(({ id }) => id)
    const renamed = await objectOf('EventType/1001')
    const edited = await objectOf('EventType/1002')
    const nameOf = async (id: string) =>
      (await db().selectFrom('event_types').select('name').where('id', '=', id).executeTakeFirstOrThrow())
        .name
    const name = await nameOf(edited)
    await db().updateTable('event_types').set({ name: 'Edited here' }).where('id', '=', edited).execute()
    const between = await everyRow(db())

    const second = await plan(
      app,
      ada,
      changed({
        'EventType/1001': { title: 'Renamed there' },
        'EventType/1002': { title: 'Renamed there' },
        [`Booking/${moved}`]: { title: 'Told anew', description: 'Told anew' },
        [`Booking/${gone}`]: null,
      }),
    )
    const lines = await byKey(second.id)
    assert.equal(lines.get('EventType/1001')?.state, 'changed')
    assert.equal(lines.get('EventType/1002')?.state, 'same')
    assert.match(lines.get('EventType/1002')?.sentence ?? '', /here as well/)
    assert.equal(lines.get(`Booking/${moved}`)?.state, 'changed')
    assert.match(lines.get(`Booking/${gone}`)?.sentence ?? '', /gone there/)
    assert.equal(lines.get(`Booking/${kept}`)?.state, 'same')
    await apply(second.id)
    assert.equal(await nameOf(renamed), 'Renamed there')
    assert.equal(await nameOf(edited), 'Edited here')
    const told = await objectOf(`Booking/${moved}`)
    const { notes } = await db()
      .selectFrom('bookings')
      .select('notes')
      .where('id', '=', told)
      .executeTakeFirstOrThrow()
    assert.match(notes, /Told anew/)
    assert.equal((await everyRow(db())).bookings?.length, between.bookings?.length)

    assert.equal(
      (await ada.post(`/imports/${first.id}/undo`, {})).statusCode,
      409,
      'a later one builds on it',
    )
    await undo(second.id)
    assert.deepEqual(await everyRow(db()), between)
    await db().updateTable('event_types').set({ name }).where('id', '=', edited).execute()
  })

  it('knows two instances apart that number their rows alike', async () => {
    const elsewhere = rows.map(({ table, row }) => ({
      table,
      row: {
        ...row,
        ...(table === 'users' && { email: `other-${row.email}`, username: `other-${row.username}` }),
        ...(table === 'Booking' && { uid: `other-${row.uid}`, iCalUID: `other-${row.iCalUID}` }),
      },
    }))
    const second = await plan(app, ada, elsewhere)
    const { users, Booking } = second.plan.counts
    assert.deepEqual([users.same, Booking.same], [0, 0], JSON.stringify(second.plan.counts))
    assert.deepEqual(Booking, first.plan.counts.Booking)
    await apply(second.id)
    const links = await linesOf(ada, second.id, '&table=HashedLink&state=left-out')
    assert.ok(links.some(({ sentence }) => /has the same address/.test(sentence)))
    const both = await everyRow(db())
    assert.equal(both.bookings?.length, 2 * (made.bookings?.length ?? 0))
    // Each is recognized again.
    for (const again of [rows, elsewhere]) {
      const { plan: found } = await plan(app, ada, again)
      assert.deepEqual([found.counts.users.new, found.counts.Booking.new], [0, 0])
    }
    await undo(second.id)
    assert.deepEqual(await everyRow(db()), made)
  })

  it('can’t be undone after the first new booking, and before it byte for byte', async () => {
    const { id } = first
    const eventType = await objectOf('EventType/1001')
    const host = await objectOf('users/1')
    const one = await db().selectFrom('bookings').selectAll().limit(1).executeTakeFirstOrThrow()
    const booking = newId()
    const at = Date.UTC(2031, 5, 2, 3)
    await db()
      .insertInto('bookings')
      .values({
        ...one,
        id: booking,
        meeting_id: booking,
        event_type_id: eventType,
        scheduler_id: host,
        host_id: host,
        duplicate_key: booking,
        starts_at: at,
        ends_at: at + 60_000,
      })
      .execute()
    const refused = await ada.post(`/imports/${id}/undo`, {}, { 'accept-language': 'de' })
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /gebucht/)
    await db().deleteFrom('bookings').where('id', '=', booking).execute()
    assert.equal((await bob.post(`/imports/${id}/undo`, {})).statusCode, 404)
    await undo(id)
    assert.deepEqual(await everyRow(db()), empty)
    assert.equal((await ada.post(`/imports/${id}/undo`, {})).statusCode, 409)
  })

  it('goes on where it was killed, and makes nothing twice', async () => {
    const { id, plan: planned } = await plan(app, ada, rows)
    assert.equal((await ada.post(`/imports/${id}/apply`, {})).statusCode, 202)
    const [job] = await jobsOf(db(), 'import-apply')
    assert.ok(job)
    let calls = 0
    for (const [method, last] of [
      ['settingsChanged', 7],
      ['bookingsChanged', 1],
    ] as const) {
      calls = 0
      const kill = () => {
        calls++
        if (calls === last) throw new Error('killed')
      }
      const quiet = { settingsChanged: () => {}, bookingsChanged: () => {} }
      const slots = { ...quiet, [method]: kill } as unknown as Context['slots']
      await assert.rejects(continueApplying({ ...context, slots }, job.data), /killed/)
      // A process that is killed can't give its lease back.
      await db()
        .updateTable('imports')
        .set({ leased_until: clock.now() + 60_000 })
        .where('id', '=', id)
        .execute()
      assert.equal(await continueApplying(context, job.data), clock.now() + 60_000)
      clock.moveTo(clock.now() + 61_000)
    }
    await runDueJobs(context)
    const applied = await whenRead(ada, id)
    assert.deepEqual([applied.state, applied.plan], ['applied', planned])
    const sizes = (tables: Record<string, unknown[]>) =>
      Object.fromEntries(Object.entries(tables).map(([table, found]) => [table, found.length]))
    assert.deepEqual(sizes(await everyRow(db())), sizes(made))
    await undo(id)
    assert.deepEqual(await everyRow(db()), empty)
  })

  it('can be applied again after it was given up, and not before', async () => {
    const { id, plan: planned } = await plan(app, ada, rows)
    const again = async () => (await ada.post(`/imports/${id}/apply`, {})).statusCode
    assert.deepEqual([await again(), await again()], [202, 409])
    const [job] = await jobsOf(db(), 'import-apply')
    assert.ok(job)
    const fail = () => {
      throw new Error('broken')
    }
    const slots = { settingsChanged: fail, bookingsChanged: fail } as unknown as Context['slots']
    await assert.rejects(continueApplying({ ...context, slots }, job.data), /broken/)
    assert.equal(await again(), 409, 'the job is still to be tried again')
    await db()
      .updateTable('outbox')
      .set({ failed_at: clock.now() })
      .where('kind', '=', 'import-apply')
      .execute()
    await db()
      .updateTable('imports')
      .set({ leased_until: clock.now() + 1000 })
      .where('id', '=', id)
      .execute()
    assert.equal(await again(), 409, 'somebody works on it')
    clock.moveTo(clock.now() + 1001)
    assert.equal((await ada.get(`/imports/${id}`)).json().state, 'planned')
    assert.deepEqual([await again(), await again()], [202, 409])
    await runDueJobs(context)
    const applied = await whenRead(ada, id)
    assert.deepEqual([applied.state, applied.plan], ['applied', planned])
    await undo(id)
    await db().deleteFrom('outbox').where('kind', '=', 'import-apply').execute()
    assert.deepEqual(await everyRow(db()), empty)
  })

  /** Somebody who booked the same time twice, which nobody can here. */
  const TWICE = 'twice@example.com'
  const twins = [990_001, 990_002].flatMap((id): Sourced[] => {
    const found = rows.find(
      ({ table, row }) =>
        table === 'Booking' && row.status === 'accepted' && Date.parse(String(row.startTime)) > SEEDED_NOW,
    )
    const booking = { ...found?.row, id, uid: `twin-${id}`, iCalUID: null, recurringEventId: null }
    const attendee = { id, bookingId: id, email: TWICE, name: 'Twice', timeZone: 'UTC' }
    return [
      { table: 'Booking', row: booking },
      { table: 'Attendee', row: attendee },
    ]
  })

  it('does what the plan says, whatever is missing there', async () => {
    const random = seededRandom(engine === 'sqlite' ? 1 : 2)
    const some = [...rows.filter(({ table }) => table === 'users' || random() < 0.8), ...twins]
    const planned = await plan(app, ada, some)
    const before = await linesOf(ada, planned.id)
    const applied = await apply(planned.id)
    assert.deepEqual(applied.plan.counts, planned.plan.counts)
    assert.deepEqual(await linesOf(ada, planned.id), before)
    const both = db().selectFrom('bookings').select('starts_at').where('invitee_email', '=', TWICE)
    const starts = (await both.execute()).map(({ starts_at }) => starts_at)
    assert.deepEqual([starts.length, new Set(starts).size], [2, 1])
    await undo(planned.id)
    assert.deepEqual(await everyRow(db()), empty)
  })

  it('forgets an erased guest in what was read as well', async () => {
    const { id } = await plan(app, ada, rows)
    const found = rows.find(({ table, row }) => table === 'Attendee' && String(row.email).includes('guest'))
    const email = String(found?.row.email)
    assert.equal((await ada.post('/erasures', { email })).statusCode, 200)
    const left = await db().selectFrom('import_rows').select('content').where('import_id', '=', id).execute()
    assert.deepEqual(
      left.filter(({ content }) => content.includes(`"${email}"`)),
      [],
    )
    assert.ok(left.length > 100)
  })

  it('says in one sentence why a dump that was cut off can’t be read, and applies nothing', async () => {
    const before = await everyRow(db())
    const whole = asDump(rows, { style: 'copy' })
    const failed = await whenRead(ada, await sendDump(app, ada, whole.slice(0, whole.length * 0.7)))
    assert.equal(failed.state, 'failed')
    assert.match(failed.report.sentence, /^[A-Z][^\n]+\.$/)
    assert.equal(failed.plan, null)
    assert.equal((await ada.post(`/imports/${failed.id}/apply`, {})).statusCode, 409)
    const kept = db().selectFrom('import_rows').select('position').where('import_id', '=', failed.id)
    assert.deepEqual(await kept.execute(), [])
    assert.deepEqual(await everyRow(db()), before)
  })

  it('is for admins of the instance, except a person’s own Calendly account', async () => {
    const body = { source: 'calcom', database: 'postgres://there.example/calcom' }
    assert.equal((await bob.post('/imports', body)).statusCode, 403)
    assert.deepEqual((await bob.get('/imports')).json(), { items: [] })
    const [newest] = (await ada.get('/imports')).json().items
    assert.equal((await bob.get(`/imports/${newest.id}`)).statusCode, 404)
    assert.equal((await ada.get('/imports/0190f0f0-0000-7000-8000-000000000000')).statusCode, 404)
  })

  it('refuses what makes no sense', async () => {
    for (const [body, field] of [
      [{}, 'source'],
      [{ source: 'outlook' }, 'source'],
      [{ source: 'calcom' }, 'database'],
      [{ source: 'calcom', database: 'mysql://there.example' }, 'database'],
      [{ source: 'calcom', api: 'https://api.cal.example' }, 'token'],
      [{ source: 'calcom', database: 'postgres://there.example', token: 'x' }, 'database'],
      [{ source: 'calendly' }, 'token'],
      [{ source: 'calendly', token: 'x', nmae: 'y' }, 'nmae'],
    ] as const) {
      const answer = await ada.post('/imports', body)
      assert.equal(answer.statusCode, 400, JSON.stringify(body))
      assert.equal(answer.headers['error-field'], field)
    }
  })
})
