import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Mail } from '../../src/outside/mail/mail.ts'
import type { Context } from '../../src/services/context.ts'
import { onEveryDatabase } from '../databases.ts'
import { type Host, signInWithToken } from '../host-api.ts'
import { jobsOf, runDueJobs } from '../jobs.ts'
import { appOn, openGuard, stoppedClock } from '../kit.ts'
import { CALENDLY_NOW, type CalendlyApiStandIn, startCalendlyApi } from '../outside/calendly-api.ts'
import { everyRow, linesOf, whenRead } from './moving-in.ts'

onEveryDatabase('an organization that moves in from Calendly', ({ db }) => {
  const clock = stoppedClock(CALENDLY_NOW)
  let calendly: CalendlyApiStandIn
  let app: FastifyInstance
  let context: Context
  let mailbox: readonly Mail[]
  let ada: Host
  before(async () => {
    calendly = await startCalendlyApi({ events: 60 })
    ;({ app, context, mailbox } = await appOn(db(), { now: clock.now, signup: 'open', guard: openGuard }))
    ada = await signInWithToken(app, mailbox, 'ada@hosts.example')
  })
  after(async () => {
    await app.close()
    await calendly.close()
  })

  const plan = async (host: Host) => {
    const body = { source: 'calendly', token: calendly.token, api: calendly.url }
    const started = await host.post('/imports', body)
    assert.equal(started.statusCode, 202, started.body)
    const found = await whenRead(host, started.json().id)
    assert.equal(found.state, 'planned', JSON.stringify(found.report))
    return found
  }
  const apply = async (host: Host, id: string) => {
    assert.equal((await host.post(`/imports/${id}/apply`, {})).statusCode, 202)
    await runDueJobs(context)
    return whenRead(host, id)
  }
  const total = (byState: Record<string, number>, ...states: string[]) =>
    states.reduce((sum, state) => sum + (byState[state] ?? 0), 0)

  it('is planned, applied, the same when it is read again, and undone', async () => {
    const [empty, mails] = [await everyRow(db()), mailbox.length]
    const planned = await plan(ada)
    const { counts } = planned.plan
    assert.deepEqual(await everyRow(db()), empty, 'nothing is written until it is applied')
    const lines = await linesOf(ada, planned.id)
    const sentenceOf = (table: string, id: string) =>
      lines.find((line) => line.table === table && line.id === id)?.sentence ?? ''
    // What Calendly does not tell is guessed from what it offers, and said to be a guess.
    assert.match(sentenceOf('EventType', 'SOLO'), /guess/i)
    const applied = await apply(ada, planned.id)
    assert.deepEqual([applied.state, applied.plan.counts], ['applied', counts])
    assert.deepEqual(await linesOf(ada, planned.id), lines, 'what was planned is what was done')
    assert.equal(mailbox.length, mails, 'nobody is mailed')
    for (const kind of ['mail', 'webhook', 'announce', 'calendar-write', 'meeting-link'] as const) {
      assert.deepEqual(await jobsOf(db(), kind), [], kind)
    }

    const made = await everyRow(db())
    const of = (table: string) => made[table]?.map((row) => Object(row)) ?? []
    assert.deepEqual(
      of('schedulers').flatMap(({ kind, slug }) => (kind === 'user' ? [slug] : [])),
      ['ada', 'person-me', 'person-other'].toSorted(),
    )
    assert.equal(
      new Set(of('bookings').map(({ meeting_id }) => meeting_id)).size,
      total(counts.Booking, 'new', 'changed'),
    )
    const solo = of('event_types').find(({ slug }) => slug === 'solo')
    assert.deepEqual(
      [solo.buffer_before_minutes, solo.buffer_after_minutes, solo.notice_minutes],
      [5, 10, 24 * 60],
    )
    const robin = of('event_types').find(({ slug }) => slug === 'robin')
    assert.equal(of('event_type_hosts').filter(({ event_type_id }) => event_type_id === robin.id).length, 2)
    // Two guests of one meeting, and one who no longer comes.
    const seated = of('bookings').filter(({ invitee_email }) => /^guest2-/.test(invitee_email))
    assert.equal(new Set(seated.map(({ meeting_id }) => meeting_id)).size, 1)
    // The meeting that was moved came as both: cancelled, and where it is now.
    assert.deepEqual(
      of('bookings')
        .filter(({ invitee_email }) => /^guest[34]-/.test(invitee_email))
        .map(({ status }) => status)
        .toSorted(),
      ['Cancelled', 'Completed'],
    )

    const again = await plan(ada)
    for (const [table, byState] of Object.entries(again.plan.counts)) {
      assert.equal(total(Object(byState), 'new', 'changed'), 0, `${table} ${JSON.stringify(byState)}`)
    }
    assert.equal((await ada.post(`/imports/${planned.id}/undo`, {})).statusCode, 204)
    assert.deepEqual(await everyRow(db()), empty)
    assert.equal((await ada.post(`/imports/${planned.id}/undo`, {})).statusCode, 409)
  })

  it('keeps neither the token nor the address', async () => {
    const imports = await db().selectFrom('imports').selectAll().execute()
    const rows = await db().selectFrom('import_rows').select('content').execute()
    const audit = await db().selectFrom('audit').selectAll().execute()
    const kept = JSON.stringify([imports, rows, audit])
    for (const secret of [calendly.token, calendly.url]) assert.equal(kept.includes(secret), false)
  })

  it('lets a person bring themselves, and leaves the others there', async () => {
    const empty = await everyRow(db())
    const me = await signInWithToken(app, mailbox, 'personme@example.org')
    const planned = await plan(me)
    const applied = await apply(me, planned.id)
    assert.equal(applied.state, 'applied')
    const { schedulers = [], event_types = [], bookings = [] } = await everyRow(db())
    assert.equal(schedulers.length, (empty.schedulers?.length ?? 0) + 1, 'only who signed in')
    assert.deepEqual(event_types.map((row) => Object(row).slug).toSorted(), ['group', 'solo'])
    assert.ok(bookings.length > 50)
    assert.equal((await ada.get(`/imports/${planned.id}`)).statusCode, 200)
    assert.equal((await me.post(`/imports/${planned.id}/undo`, {})).statusCode, 204)
    assert.deepEqual((await everyRow(db())).event_types, empty.event_types)
  })
})
