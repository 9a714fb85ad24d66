import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Sourced } from '../../src/domain/imports/source.ts'
import { formatInstant } from '../../src/domain/instant.ts'
import { DAY } from '../../src/domain/interval.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import type { Mail } from '../../src/outside/mail/mail.ts'
import type { Context } from '../../src/services/context.ts'
import { compareImport, hasUnexplained, printComparison } from '../../src/services/imports/compare.ts'
import { connect } from '../connections.ts'
import { onEveryDatabase } from '../databases.ts'
import { type Host, signIn, signInWithToken } from '../host-api.ts'
import { runDueJobs } from '../jobs.ts'
import { appOn, fromSomeoneNew, stoppedClock } from '../kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../outside/google.ts'
import { everyRow, linesOf, plan, whenRead } from './moving-in.ts'
import { uidOf } from './seeded-bookings.ts'
import { emailOf } from './seeded-people.ts'
import { SEEDED_NOW, seededSource } from './seeded-source.ts'

onEveryDatabase('an organization that moves in', ({ db }) => {
  const clock = stoppedClock(SEEDED_NOW)
  let google: GoogleStandIn
  let app: FastifyInstance
  let context: Context
  let mailbox: readonly Mail[]
  let ada: Host
  before(async () => {
    google = await startGoogle({ now: clock.now })
    const providers = { google: googleProvider(google.settings) }
    ;({ app, context, mailbox } = await appOn(db(), { now: clock.now, signup: 'open', providers }))
    ada = await signInWithToken(app, mailbox, 'ada@hosts.example')
  })
  after(async () => {
    await app.close()
    await google.close()
  })

  it('comes with 40 people, 3 teams and 1,000 bookings, tells nobody, and can leave again', async () => {
    const [empty, mails] = [await everyRow(db()), mailbox.length]
    const rows = seededSource({ bookings: 1000 })
    const planned = await plan(app, ada, rows)
    const { counts } = planned.plan
    assert.ok(
      planned.report.notes.some((note: string) =>
        note.startsWith('Answers to routing forms stay there: 10.'),
      ),
    )
    const total = (byState: Record<string, number>) => Object.values(byState).reduce((sum, n) => sum + n, 0)
    for (const table of ['users', 'Team', 'EventType', 'Booking'] as const) {
      assert.equal(total(counts[table]), rows.filter((row) => row.table === table).length, table)
    }
    for (const line of await linesOf(ada, planned.id, '&state=left-out')) {
      assert.notEqual(line.sentence, '', `${line.table}/${line.id} has no reason`)
    }
    const told = await linesOf(ada, planned.id, '&table=EventType')
    assert.equal((await ada.post(`/imports/${planned.id}/apply`, {})).statusCode, 202)
    await runDueJobs(context)
    const applied = await whenRead(ada, planned.id)
    assert.deepEqual([applied.state, applied.plan.counts], ['applied', counts])
    assert.deepEqual(await linesOf(ada, planned.id, '&table=EventType'), told)
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

    const compared = await compareImport(context, planned.id, { days: 60 })
    assert.equal(hasUnexplained(compared), false, printComparison(compared).join('\n'))
    const reasons = new Set(compared.differences.map(({ reason }) => reason))
    assert.ok(reasons.has('starts are moved by an offset there'), [...reasons].join('\n'))
    // The plan has said how many starts guests gain and lose, as they really do.
    const startsOf = (id: string) => {
      const { sentence } = told.find((line) => line.id === id) ?? { sentence: '' }
      const [, gained = '0', lost = '0'] =
        /in the next 60 days: (\d+) more and (\d+) fewer/.exec(sentence) ?? []
      return [Number(gained), Number(lost)]
    }
    const addresses = {
      '2007': 'person-2/rolling-window',
      '2010': 'person-2/class',
      '2016': 'person-6/buffered',
    }
    for (const [id, address] of Object.entries(addresses)) {
      const differing = compared.differences.filter(({ eventType }) => eventType === address)
      const here = differing.filter((difference) => difference.here).length
      assert.deepEqual(startsOf(id), [here, differing.length - here], address)
    }
    assert.ok(startsOf('2016').every((count) => count > 0))
    // Somebody has changed a notice here: no rule of either side says why its starts are gone.
    const person = await signIn(app, mailbox, emailOf(3))
    const { items } = (await person.get('/event-types')).json()
    const usual = items.find(({ slug }: { slug: string }) => slug === '30min')
    const answer = await person.patch(`/event-types/${usual.id}`, { noticeMinutes: 3 * 24 * 60 })
    assert.equal(answer.statusCode, 200, answer.body)
    const planted = await compareImport(context, planned.id, { days: 7 })
    const unexplained = planted.differences.filter(({ reason }) => reason === 'unexplained')
    assert.ok(unexplained.length > 0 && unexplained.every(({ here, there }) => there && !here))
    assert.deepEqual([...new Set(unexplained.map(({ eventType }) => eventType))], ['person-3/30min'])

    assert.equal((await ada.post(`/imports/${planned.id}/undo`, {})).statusCode, 204)
    assert.deepEqual(await everyRow(db()), empty)
  })

  it('moves a meeting through its old link, with its old calendar entry and event', async () => {
    // Moved there once already: its entry has that UID, and the sequence 1.
    const [id, event, calendar] = [78, 'event-78-google_calendar', 'person1@example.org']
    const uid = `${uidOf(id - 1)}@Cal.com`
    const rows = seededSource({ bookings: 100 })
    const { row } = rows.find(({ table, row }) => table === 'Booking' && row.id === id) as Sourced
    const [start, end] = [String(row.startTime), String(row.endTime)]
    google.calendars.get(ADA.subject)?.push({ id: calendar, summary: 'Work', accessRole: 'owner' })
    const there = { id: event, iCalUID: uid, status: 'confirmed', etag: '"a"' } as const
    const old = { ...there, start: { dateTime: start }, end: { dateTime: end } }
    google.written.events.set(`${calendar}/${event}`, old)
    google.eventsOf(calendar).put(old)
    const host = await signIn(app, mailbox, emailOf(Number(row.userId)))
    const connectionId = await connect(app, host, 'google', google)
    const connected = await host.post('/calendars', {
      kind: 'google',
      connectionId,
      externalId: calendar,
      writeTo: true,
    })
    assert.equal(connected.statusCode, 201, connected.body)

    const planned = await plan(app, ada, rows)
    assert.equal((await ada.post(`/imports/${planned.id}/apply`, {})).statusCode, 202)
    await runDueJobs(context)
    assert.equal((await whenRead(ada, planned.id)).state, 'applied')
    const mails = mailbox.length

    const link = await app.inject({ url: `/reschedule/${uidOf(id)}`, headers: fromSomeoneNew() })
    assert.equal(link.statusCode, 302)
    const target = new URL(String(link.headers.location), 'https://here.example')
    const [, bookingId] = /^\/booking\/([^/]+)/.exec(target.pathname) ?? []
    const path = (action: string) =>
      `/api/public/bookings/${bookingId}/${action}?token=${target.searchParams.get('token')}`
    const date = formatInstant(SEEDED_NOW + 7 * DAY).slice(0, 10)
    const query = `&dateFrom=${date}&dateTo=${date}&timezone=UTC`
    const listed = await app.inject({ url: path('slots') + query, headers: fromSomeoneNew() })
    const { startTime } = listed.json()[0].slots[0]
    const moved = await app.inject({
      method: 'POST',
      url: path('reschedule'),
      payload: { startTime },
      headers: fromSomeoneNew(),
    })
    assert.equal(moved.statusCode, 200, moved.body)
    await runDueJobs(context)
    const guest = mailbox.slice(mails).filter(({ to }) => String(to).includes(`guest${id}@example.com`))
    const ics = guest.map(({ invitation }) => invitation?.ics ?? '').find((text) => text !== '') ?? ''
    assert.ok(ics.includes(`\r\nUID:${uid}\r\n`), ics)
    assert.ok(Number(/^SEQUENCE:(\d+)/m.exec(ics)?.[1]) > Number(row.iCalSequence), ics)
    const events = google.eventsOf(calendar).events.map((one) => [one.id, one.start?.dateTime])
    assert.equal(events.length, 1, 'there is no second event')
    assert.deepEqual([events[0]?.[0], Date.parse(String(events[0]?.[1]))], [event, Date.parse(startTime)])
  })
})
