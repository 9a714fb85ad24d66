import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Mail } from '../../src/outside/mail/mail.ts'
import type { Context } from '../../src/services/context.ts'
import { onEveryDatabase } from '../databases.ts'
import { type Host, signInWithToken } from '../host-api.ts'
import { runDueJobs } from '../jobs.ts'
import { appOn, stoppedClock } from '../kit.ts'
import { everyRow, linesOf, plan, whenRead } from './moving-in.ts'
import { SEEDED_NOW, seededSource } from './seeded-source.ts'

onEveryDatabase('an organization that moves in', ({ db }) => {
  const clock = stoppedClock(SEEDED_NOW)
  let app: FastifyInstance
  let context: Context
  let mailbox: readonly Mail[]
  let ada: Host
  before(async () => {
    ;({ app, context, mailbox } = await appOn(db(), { now: clock.now }))
    ada = await signInWithToken(app, mailbox, 'ada@hosts.example')
  })
  after(() => app.close())

  it('comes with 40 people, 3 teams and 1,000 bookings, tells nobody, and can leave again', async () => {
    const [empty, mails] = [await everyRow(db()), mailbox.length]
    const rows = seededSource({ bookings: 1000 })
    const planned = await plan(app, ada, rows)
    const { counts } = planned.plan
    const total = (byState: Record<string, number>) => Object.values(byState).reduce((sum, n) => sum + n, 0)
    for (const table of ['users', 'Team', 'EventType', 'Booking'] as const) {
      assert.equal(total(counts[table]), rows.filter((row) => row.table === table).length, table)
    }
    for (const line of await linesOf(ada, planned.id, '&state=left-out')) {
      assert.notEqual(line.sentence, '', `${line.table}/${line.id} has no reason`)
    }
    assert.equal((await ada.post(`/imports/${planned.id}/apply`, {})).statusCode, 202)
    await runDueJobs(context)
    const applied = await whenRead(ada, planned.id)
    assert.deepEqual([applied.state, applied.plan.counts], ['applied', counts])
    const made = await everyRow(db())
    const schedulers = made.schedulers?.map((row) => Object(row)) ?? []
    const coming = (byState: Record<string, number>) => total(byState) - (byState['left-out'] ?? 0)
    assert.equal(schedulers.filter(({ kind }) => kind === 'user').length, 1 + coming(counts.users))
    assert.equal(
      new Set(made.bookings?.map((row) => Object(row).meeting_id)).size,
      coming(counts.Booking),
      'each booking there is a meeting here',
    )
    // Reminders and messages of meetings ahead wait; whatever was due is not sent.
    await runDueJobs(context)
    assert.equal(mailbox.length, mails)
    assert.deepEqual(made.webhook_deliveries ?? [], [])

    assert.equal((await ada.post(`/imports/${planned.id}/undo`, {})).statusCode, 204)
    assert.deepEqual(await everyRow(db()), empty)
  })
})
