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
import type { Mail } from '../../../outside/mail/mail.ts'
import type { Context } from '../../../services/context.ts'

onEveryDatabase('moving in over HTTP', ({ db }) => {
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

  it('plans first, applies, and undoes everything byte for byte', async () => {
    const empty = await everyRow(db())
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
    const made = await everyRow(db())
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

    assert.equal((await bob.post(`/imports/${planned.id}/undo`, {})).statusCode, 404)
    const undone = await ada.post(`/imports/${planned.id}/undo`, {})
    assert.equal(undone.statusCode, 204, undone.body)
    assert.deepEqual(await everyRow(db()), empty)
    assert.equal((await ada.post(`/imports/${planned.id}/undo`, {})).statusCode, 409)
  })

  it('says in one sentence why a dump that was cut off can’t be read, and applies nothing', async () => {
    const empty = await everyRow(db())
    const whole = asDump(rows, { style: 'copy' })
    const failed = await whenRead(ada, await sendDump(app, ada, whole.slice(0, whole.length * 0.7)))
    assert.equal(failed.state, 'failed')
    assert.match(failed.report.sentence, /^[A-Z][^\n]+\.$/)
    assert.equal(failed.plan, null)
    assert.equal((await ada.post(`/imports/${failed.id}/apply`, {})).statusCode, 409)
    const kept = db().selectFrom('import_rows').select('position').where('import_id', '=', failed.id)
    assert.deepEqual(await kept.execute(), [])
    assert.deepEqual(await everyRow(db()), empty)
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
