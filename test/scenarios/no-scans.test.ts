import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { FIRST_DAY, startsFrom } from '../../bench/calendar.ts'
import { seed } from '../../bench/seed.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import type { Mail } from '../../src/outside/mail/mail.ts'
import { keepChannels } from '../../src/services/calendars/channels.ts'
import type { Context } from '../../src/services/context.ts'
import { forgetExpired } from '../../src/services/housekeeping.ts'
import { findDeadJobs, requeueDeadJobs } from '../../src/store/outbox.ts'
import { HANDLERS } from '../../src/worker/handlers.ts'
import { SWEEPS } from '../../src/worker/sweeps.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { connect } from '../connections.ts'
import { freshDatabase, onEveryDatabase } from '../databases.ts'
import { type Host, signIn } from '../host-api.ts'
import { appOn, fromSomeoneNew } from '../kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../outside/google.ts'
import {
  type InformedPlanner,
  openInformedPlanner,
  openPlanner,
  openUninformedPlanner,
  type Planner,
  recordStatements,
} from '../plans.ts'
import { fillEveryTable } from '../rows.ts'
import { addDelivery, addWebhook } from '../webhooks.ts'

const HOUR = 3_600_000

/** Tables that stay small, however many hosts and guests there are. */
const SMALL = new Set([
  'migrations',
  'leases',
  'secrets',
  'search_pending',
  'search_progress',
  'sms_counts',
  'imports',
])

/** Tables that grow with each booking. */
const LARGE = new Set(['bookings', 'claims'])

/** All bookings are one guest's, which is the worst case: PostgreSQL then expects many rows for each guest. */
const HOSTS = 200
const BOOKINGS = 40_000

/** PostgreSQL's own default. Below it, estimates are close enough not to matter. */
const JIT_ABOVE_COST = 100_000

/** Statements that may read a whole table, and why. */
const ALLOWED: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /^delete from rate_limits where expire/,
    reason:
      'It holds the addresses of the last minutes. An index would cost more on each request than this does each hour.',
  },
  {
    pattern: /^update "outbox" set "failed_at" = .* where "failed_at" is not null(?: and "kind" = \$\d+)?$/,
    reason: 'There are few dead jobs. PostgreSQL knows that from its statistics, which a test has none of.',
  },
  {
    pattern: /^select count\(\*\) as "count" from "bookings" where "scheduler_id" = /,
    reason:
      'It counts the bookings of one owner, before something of theirs is deleted. They may own most of them.',
  },
  {
    pattern: /^update "bookings" set "status" = .* where "status" = 'Confirmed' and "id" in/,
    reason:
      'It completes all that have ended. If PostgreSQL knows of few that are confirmed, it reads those.',
  },
  {
    pattern: /^select \* from "event_types" where "scheduler_id" in \(.*\) order by "id" asc limit/,
    reason: 'A host has few event types. PostgreSQL knows that from its statistics, too.',
  },
]

const sent = recordStatements()

/** How all meetings ahead of a host are asked for, when their account or their meetings are handed over. */
const ALL_AHEAD = /select meeting_id from claims where host_id = \$\d+ and starts_at > \$\d+/

onEveryDatabase('a database that grows', ({ db, url, engine }) => {
  let app: FastifyInstance
  let context: Context
  let google: GoogleStandIn
  let mailbox: readonly Mail[]
  let statements: readonly string[]
  before(async () => {
    google = await startGoogle()
    const under = await appOn(db(), { providers: { google: googleProvider(google.settings) } })
    app = under.app
    context = under.context
    mailbox = under.mailbox
    sent.clear()
    await useEverything()
    statements = [...sent]
    await fillEveryTable(db())
  })
  after(async () => {
    await app.close()
    await google.close()
  })

  const ok = (answer: LightMyRequestResponse) => {
    assert.ok(answer.statusCode < 300, `${answer.statusCode} ${answer.body}`)
    return answer.body === '' || answer.headers['content-type']?.toString().startsWith('text/')
      ? undefined
      : answer.json()
  }
  const post = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'POST', url, payload, headers: { ...fromSomeoneNew(), ...headers } })

  let days = 7
  /** Books the first slot of seven other days. */
  async function book(
    path: string,
    more: object = {},
    headers = {},
    query = '',
  ): Promise<{ id: string; manage: URL }> {
    days += 5
    const [from, to] = [days, days + 6].map((day) =>
      new Date(Date.now() + day * 24 * HOUR).toISOString().slice(0, 10),
    )
    const listed = ok(
      await app.inject(
        `/api/public/scheduling/${path}/slots?dateFrom=${from}&dateTo=${to}&timezone=Europe/Berlin&${query}`,
      ),
    )
    const { startTime, endTime } = listed[0].slots[0]
    const guest = {
      inviteeName: 'Grace',
      // Another guest each time: a stranger gets five mails an hour.
      inviteeEmail: `grace-${days}@guests.example`,
      inviteeTimezone: 'Europe/Berlin',
    }
    const answer = await post(
      `/api/public/scheduling/${path}/book?${query}`,
      { startTime, endTime, ...guest, ...more },
      headers,
    )
    return { id: ok(answer).id, manage: new URL(String(answer.headers.location)) }
  }

  async function useEverything(): Promise<void> {
    const ada = await signIn(app, mailbox, 'augusta@example.org')
    const watched = await watch(ada)
    await manage(ada)
    const band = ok(await ada.post('/teams', { slug: 'band', name: 'Band' }))
    ok(await ada.post(`/teams/${band.id}/invitations`, { email: 'ben@example.org', role: 'member' }))
    const ben = await signIn(app, mailbox, 'ben@example.org')
    const [hours] = ok(await ben.get('/schedules')).items
    ok(await ben.patch(`/schedules/${hours.id}`, { timezone: 'UTC' }))
    const hosts = [ada, ben].map(({ user }) => ({ userId: user.id, fixed: false }))
    for (const assignment of ['round-robin', 'collective']) {
      ok(
        await ada.post('/event-types', {
          teamId: band.id,
          slug: assignment,
          name: 'A call',
          durationMinutes: 30,
          assignment,
          hosts,
        }),
      )
      await findOwners(ada, band.id, assignment, await book(`band/${assignment}`))
    }
    const shared = await book('band/round-robin')
    const { hosts: others } = ok(await ada.get(`/bookings/${shared.id}/hosts`))
    ok(await ada.post(`/bookings/${shared.id}/reassign`, { hostId: others[0].hostId }))
    for (const host of [ada, ben]) {
      ok(await ada.post(`/teams/${band.id}/members/${host.user.id}/hand-over`, { automatic: true }))
    }
    await read(ada, band.id)
    // A member, who sees only what they host.
    for (const list of ['bookings', 'bookings?order=desc&text=grace', 'bookings.csv'])
      ok(await ben.get(`/${list}`))
    await work()
    await operate(ada)
    await unwatch(ada, watched)
    ok(await ada.del(`/teams/${band.id}/members/${ben.user.id}`))
    ok(await ada.del(`/teams/${ok(await ada.post('/teams', { slug: 'gone', name: 'Gone' })).id}`))
    ok(await ada.patch('/me', { slug: 'countess' }))
  }

  /** A form that sends guests back to whom they met, or to whom their company met. */
  async function findOwners(ada: Host, teamId: string, met: string, { id }: { id: string }): Promise<void> {
    const eventTypes = ok(await ada.get(`/event-types?ownerId=${teamId}`)).items
    const [{ id: eventTypeId }] = eventTypes.filter(({ slug }: { slug: string }) => slug === met)
    const owner = { days: 90, by: 'domain' }
    const { slug } = ok(
      await ada.post('/routing-forms', {
        teamId,
        slug: `return-${met}`,
        name: 'Welcome back',
        fields: [{ id: 'mail', label: 'Email', type: 'email' }],
        fallback: { action: 'routeToEvent', eventTypeId, owner },
      }),
    )
    // Only meetings that have begun count.
    await db()
      .updateTable('bookings')
      .set({ starts_at: Date.now() - HOUR })
      .where('id', '=', id)
      .execute()
    const mail = `grace-${days}@guests.example`
    ok(await post(`/api/public/routing/band/${slug}/evaluate`, { answers: { mail } }))
    ok(await post(`/api/public/routing/band/${slug}/evaluate`, { answers: { mail: 'tom@guests.example' } }))
  }

  /** A calendar at Google that is watched, written to, and has changed. */
  async function watch(ada: Host) {
    const connectionId = await connect(app, ada, 'google', google)
    const calendar = { kind: 'google', connectionId, externalId: ADA.address, writeTo: true }
    const { id } = ok(await ada.post('/calendars', calendar))
    await keepChannels(context)
    const [channel] = google.channels.open
    const headers = { 'x-goog-channel-id': channel?.id, 'x-goog-channel-token': channel?.token }
    ok(await post('/api/hooks/google', {}, headers))
    ok(await ada.post(`/calendars/${id}/refresh`))
    return { id, connectionId }
  }

  async function unwatch(ada: Host, { id, connectionId }: { id: string; connectionId: string }) {
    await connect(app, ada, 'google', google)
    ok(await ada.patch(`/calendars/${id}`, { busy: false }))
    ok(await ada.patch(`/calendars/${id}`, { busy: true }))
    ok(await ada.del(`/calendars/${id}`))
    ok(await ada.del(`/connections/${connectionId}`))
  }

  /** What a host sets up, and what guests do with it. */
  async function manage(ada: Host): Promise<void> {
    const weekly = { 1: [{ opens: '09:00', closes: '17:00' }], 3: [{ opens: '09:00', closes: '17:00' }] }
    const hours = { name: 'Hours', timezone: 'Europe/Berlin', weekly, isDefault: true }
    ok(await ada.post('/schedules', hours))
    const spare = ok(await ada.post('/schedules', { ...hours, name: 'Spare', isDefault: false }))
    const talk = { name: 'A talk', durationMinutes: 30, limits: { day: 20, week: 50, month: 90 } }
    const { id: eventTypeId } = ok(await ada.post('/event-types', { slug: 'talk', ...talk }))
    const approved = { ...talk, requiresApproval: true, scheduleId: spare.id }
    ok(await ada.post('/event-types', { slug: 'approved', ...approved }))
    ok(await ada.post('/event-types', { slug: 'seated', ...talk, seats: 5, maxGuests: 2 }))
    ok(await ada.post('/event-types', { slug: 'weekly', ...talk, series: { every: ['week'], most: 4 } }))
    const unused = ok(await ada.post('/event-types', { slug: 'unused', ...talk }))
    await addWebhook(db(), ada.user, { url: 'http://127.0.0.1:9/' })

    const first = await book('augusta/talk', {}, { 'idempotency-key': 'one' })
    ok(await app.inject(`${first.manage.pathname}${first.manage.search}`))
    const moved = await book('augusta/seated', { guests: ['tom@guests.example'] })
    const { startTime } = (await listing('augusta/seated'))[0]?.slots[0] ?? {}
    ok(await post(`${moved.manage.pathname}/reschedule${moved.manage.search}`, { startTime }))
    ok(await post(`${moved.manage.pathname}/cancel${moved.manage.search}`, { reason: 'A cold.' }))
    ok(await ada.post(`/bookings/${(await book('augusta/approved')).id}/approve`))
    ok(await ada.post(`/bookings/${(await book('augusta/approved')).id}/decline`, { reason: 'No.' }))
    const repeated = await book('augusta/weekly', { repeat: { every: 'week', count: 2 } })
    ok(await ada.get(`/bookings/${repeated.id}`))
    ok(await ada.post(`/bookings/${repeated.id}/cancel`, { scope: 'following' }))

    const form = {
      slug: 'start',
      name: 'Start here',
      fields: [{ id: 'size', label: 'Size', type: 'text', required: true, options: [] }],
      rules: [
        {
          when: { field: 'size', operator: 'equals', value: 'large' },
          target: { action: 'routeToEvent', eventTypeId },
        },
      ],
      fallback: { action: 'message', message: 'We will write to you.' },
    }
    const { id: formId } = ok(await ada.post('/routing-forms', form))
    ok(await app.inject('/api/public/routing/augusta/start'))
    const led = ok(await post('/api/public/routing/augusta/start/evaluate', { answers: { size: 'large' } }))
    const routed = await book('augusta/talk', {}, {}, `routing=${led.routingToken}`)
    const [free] = (await listing('augusta/talk'))[0]?.slots ?? []
    ok(
      await post(`${routed.manage.pathname}/reschedule${routed.manage.search}`, {
        startTime: free?.startTime,
      }),
    )
    ok(await ada.post(`/routing-forms/${formId}/try`, { answers: { size: 'large' } }))
    ok(await ada.get(`/routing-forms/${formId}/responses`))
    ok(await ada.get(`/routing-forms/${formId}/responses.csv`))
    ok(await ada.patch(`/routing-forms/${formId}`, { slug: 'begin' }))
    ok(await ada.patch(`/event-types/${eventTypeId}`, { slug: 'lecture' }))
    ok(await ada.get(`/event-types/${eventTypeId}/explain?start=2030-01-07T09:00:00Z`))
    ok(await ada.del(`/event-types/${unused.id}`))
    ok(await ada.del(`/routing-forms/${formId}?force=true`))
    ok(await ada.post('/blocklist', { entry: 'spam.example' }))
    const absence = ok(
      await ada.post('/absences', { startTime: '2031-01-07T00:00:00Z', endTime: '2031-01-08T00:00:00Z' }),
    )
    ok(await ada.del(`/absences/${absence.id}`))
    const token = ok(await ada.post('/tokens', { name: 'CI', scopes: ['read'] }))
    ok(await ada.del(`/tokens/${token.id}`))
  }

  async function listing(path: string): Promise<{ slots: { startTime: string }[] }[]> {
    const [from, to] = [days + 8, days + 14].map((day) =>
      new Date(Date.now() + day * 24 * HOUR).toISOString().slice(0, 10),
    )
    return ok(
      await app.inject(
        `/api/public/scheduling/${path}/slots?dateFrom=${from}&dateTo=${to}&timezone=Europe/Berlin`,
      ),
    )
  }

  async function read(ada: Host, teamId: string): Promise<void> {
    const lists = [
      'bookings',
      'bookings?search=grace&status=Confirmed',
      'event-types',
      'schedules',
      'absences',
    ]
    lists.push(
      'audit',
      'tokens',
      'teams',
      'webhooks',
      'routing-forms',
      'blocklist',
      'calendars',
      'invitations',
    )
    lists.push(`teams/${teamId}/members`, `teams/${teamId}/invitations`, 'instance-invitations')
    lists.push(`teams/${teamId}/assignments?from=2026-01-01&to=2026-02-01`)
    lists.push('insights?from=2026-01-01&to=2026-02-01', 'me', 'payments', 'payments?kind=paid')
    for (const list of lists) ok(await ada.get(`/${list}`))
    const [webhook] = ok(await ada.get('/webhooks')).items
    ok(await ada.get(`/webhooks/${webhook.id}/deliveries?status=failed`))
    ok(await ada.post(`/webhooks/${webhook.id}/replay`, { since: new Date(Date.now() - HOUR).toISOString() }))
    ok(await app.inject('/api/public/scheduling/augusta'))
    ok(await app.inject('/api/public/scheduling/augusta/seated/abuse-config'))
    ok(await app.inject('/api/embed/augusta/seated'))
  }

  /** Everything that happens without a request. */
  async function work(): Promise<void> {
    const worker = startWorker(context, { handlers: HANDLERS })
    const before = new Set(sent)
    // Webhooks fail here, and hold up those behind them in their lane.
    const left = () =>
      db()
        .selectFrom('outbox as waiting')
        .select('id')
        .where('kind', '<>', 'webhook')
        .where('due_at', '<=', Date.now())
        .limit(1)
        .execute()
    while ((await left()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const statement of sent) {
      // Sent by this test, not by the service.
      if (!before.has(statement) && statement.includes('"outbox" as "waiting"')) sent.delete(statement)
    }
    await worker.stop()
    for (const sweep of SWEEPS) await sweep.run(context)
    await findDeadJobs(db(), { after: 0, limit: 10 })
    await requeueDeadJobs(db(), {}, Date.now())
    const keep = { auditDays: 1, deadJobsDays: 1, responsesDays: 1, mailFilesDays: 0, mailFolder: '' }
    await forgetExpired(context, keep)
  }

  /** What an admin of the instance looks at, and tries again. */
  async function operate(ada: Host): Promise<void> {
    await addDelivery(db(), await addWebhook(db(), ada.user))
    const failing = { kind: 'mail', lane: 'booking:1', data: '{}', attempts: 1, created_at: 0 } as const
    await db()
      .insertInto('outbox')
      .values({ ...failing, due_at: Date.now() + HOUR })
      .execute()
    const system = ok(await ada.get('/system'))
    for (const kind of ['mail', 'webhook']) {
      assert.ok(ok(await ada.post('/system/failing/retry', { kind })).retried > 0)
    }
    const job = system.failing.find(({ kind }: { kind: string }) => kind === 'mail')
    ok(await ada.post(`/system/failing/${job.id}/retry`))
  }

  it('is never read from one end to the other', async () => {
    assert.ok(statements.length > 150, `only ${statements.length} statements were sent`)
    await using planner = await openPlanner(url(), engine)
    assert.deepEqual(await scansOf(planner, (table) => !SMALL.has(table)), [])
  })

  if (engine === 'postgres') {
    for (const [of, hosts] of Object.entries({ 'many hosts': HOSTS, 'one host': 1 })) {
      it(`is not read like that either with bookings of ${of}, before and after PostgreSQL knows of them`, async () => {
        const full = await freshDatabase(engine)
        const starts = startsFrom(FIRST_DAY, BOOKINGS).slice(0, BOOKINGS / hosts)
        await seed(full.url, { hosts: HOSTS, booked: [{ hosts: [1, hosts], starts }] })
        const uninformed = await openUninformedPlanner(full.url)
        const scansAtFirst = await scansOf(uninformed, (table) => LARGE.has(table))
        await uninformed[Symbol.asyncDispose]()
        const planner = await openInformedPlanner(full.url)
        const scans = await scansOf(planner, (table) => LARGE.has(table))
        // All that is ahead of the only host is all there is: reading it from one end is as good as by an index.
        const isAsked = (scan: string) => hosts > 1 || !ALL_AHEAD.test(scan)
        const overrated = hosts > 1 ? await overratedBy(planner) : []
        await planner[Symbol.asyncDispose]()
        await full.drop()
        assert.deepEqual(scansAtFirst, [])
        assert.deepEqual(scans.filter(isAsked), [])
        assert.deepEqual(overrated, [])
      })
    }
  }

  if (engine === 'postgres') {
    it('is not read like that when the first bookings ahead are made', async () => {
      const old = await freshDatabase(engine)
      const starts = startsFrom(FIRST_DAY - BOOKINGS, BOOKINGS).slice(0, BOOKINGS / HOSTS)
      await seed(old.url, { hosts: HOSTS, booked: [{ hosts: [1, HOSTS], starts }] })
      const planner = await openInformedPlanner(old.url)
      const scans = await scansOf(planner, (table) => LARGE.has(table))
      await planner[Symbol.asyncDispose]()
      await old.drop()
      assert.deepEqual(scans, [])
    })
  }

  /** The statements that PostgreSQL would compile, if a million bookings cost as many times more as they are. */
  async function overratedBy(planner: InformedPlanner): Promise<string[]> {
    const overrated: string[] = []
    for (const statement of statements) {
      const cost = (await planner.costOf(statement)) * (1_000_000 / BOOKINGS)
      if (cost > JIT_ABOVE_COST) overrated.push(`${cost}: ${statement.replaceAll(/\s+/g, ' ').slice(0, 600)}`)
    }
    return overrated
  }

  /** The statements for which the database would read one of these tables from one end to the other. */
  async function scansOf(planner: Planner, matters: (table: string) => boolean): Promise<string[]> {
    const scans: string[] = []
    for (const statement of statements) {
      if (ALLOWED.some(({ pattern }) => pattern.test(statement))) continue
      const tables = (await planner.findScans(statement)).filter(matters)
      if (tables.length > 0)
        scans.push(`${tables.join()}: ${statement.replaceAll(/\s+/g, ' ').slice(0, 600)}`)
    }
    return scans
  }

  if (engine === 'sqlite') {
    it('finds the rows that refer to another by an index', async () => {
      const { rows } = await sql<{ key: string }>`
        select t.name || '.' || f."from" as key
        from sqlite_schema as t, pragma_foreign_key_list(t.name) as f
        where t.type = 'table' and not exists (
          select 1 from pragma_index_list(t.name) as i, pragma_index_info(i.name) as c
          where c.seqno = 0 and c.name = f."from"
        )
        order by 1`.execute(db())
      assert.deepEqual(
        rows.map(({ key }) => key),
        [],
      )
    })
  }
})
