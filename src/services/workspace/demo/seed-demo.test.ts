import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, it } from 'node:test'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { migratedDatabase, onEveryDatabase, openPatiently } from '../../../../test/databases.ts'
import {
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { Db } from '../../../store/engine/database.ts'
import { seedDemo } from './seed-demo.ts'

const TABLES = [
  'schedulers',
  'schedules',
  'event_types',
  'event_type_hosts',
  'routing_forms',
  'bookings',
] as const

async function countRows(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TABLES) counts[table] = (await db.selectFrom(table).selectAll().execute()).length
  return counts
}

const SEED = `
  const { openPatiently } = await import(process.argv[1])
  const { seedDemo } = await import(process.argv[2])
  const db = openPatiently(process.argv[3])
  process.stdout.write(String(await seedDemo(db, 0)))
  await db.destroy()`

/** Runs `seedDemo` there and returns its result. */
async function seedInAnotherProcess(url: string): Promise<string> {
  const modules = ['../../../../test/databases.ts', './seed-demo.ts'].map(
    (path) => new URL(path, import.meta.url).href,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    SEED,
    ...modules,
    url,
  ])
  return stdout
}

onEveryDatabase('the demo workspace', ({ db, engine }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  const get = async (path: string) => {
    const reply = await app.inject({ url: `/api/public/${path}` })
    assert.equal(reply.statusCode, 200, path)
    return reply.json()
  }

  before(async () => {
    app = (await appOn(db(), { now: clock.now })).app
  })

  it('is created once, however many calls start at the same time', async () => {
    const warm = Array.from({ length: 5 }, () => countRows(db()))
    await Promise.all(warm)
    const made = await Promise.all(warm.map(() => seedDemo(db(), clock.now())))
    assert.deepEqual(made.filter(Boolean), [true])
  })

  it('is created once by instances that start together', async () => {
    const fresh = await migratedDatabase(engine)
    const empty = openPatiently(fresh.url)
    try {
      const said = await Promise.all(Array.from({ length: 3 }, () => seedInAnotherProcess(fresh.url)))
      assert.deepEqual(said.toSorted(), ['false', 'false', 'true'])
      assert.deepEqual(await countRows(empty), await countRows(db()))
    } finally {
      await empty.destroy()
      await fresh.drop()
    }
  })

  it('is left alone at the next start', async () => {
    const rows = await countRows(db())
    assert.equal(await seedDemo(db(), clock.now()), false)
    assert.deepEqual(await countRows(db()), rows)
  })

  it('is not created on a database that was used before', async () => {
    const fresh = await migratedDatabase(engine)
    const used = openPatiently(fresh.url)
    try {
      await addUser(used, 'ada')
      const rows = await countRows(used)
      assert.equal(await seedDemo(used, clock.now()), false)
      assert.deepEqual(await countRows(used), rows)
    } finally {
      await used.destroy()
      await fresh.drop()
    }
  })

  it('has a user with five event types', async () => {
    const { kind, profile, eventTypes } = await get('scheduling/demo')
    assert.equal(kind, 'user')
    assert.equal(profile.timezone, 'America/New_York')
    const facts = eventTypes.map(
      (each: { slug: string; durationMinutes: number; seats: number; requiresApproval: boolean }) => [
        each.slug,
        each.durationMinutes,
        each.seats,
        each.requiresApproval,
      ],
    )
    assert.deepEqual(facts, [
      ['intro', 30, 1, false],
      ['consultation', 60, 1, true],
      ['protected', 30, 1, false],
      ['workshop', 60, 10, false],
      ['quick', 15, 1, false],
    ])
  })

  it('has a team with a round-robin and a collective event type, hosted by the same two or more', async () => {
    const { kind, eventTypes } = await get('scheduling/demo-team')
    assert.equal(kind, 'team')
    assert.deepEqual(eventTypes.map(({ slug }: { slug: string }) => slug).sort(), [
      'collective',
      'round-robin',
    ])
    const rows = await db()
      .selectFrom('event_types as e')
      .innerJoin('event_type_hosts as h', 'h.event_type_id', 'e.id')
      .innerJoin('schedulers as s', 's.id', 'e.scheduler_id')
      .select(['e.slug', 'e.assignment', 'h.host_id'])
      .where('s.slug', '=', 'demo-team')
      .execute()
    for (const { slug, assignment } of rows) assert.equal(assignment, slug)
    const hostsOf = (slug: string) => rows.filter((row) => row.slug === slug).map((row) => row.host_id)
    assert.deepEqual(hostsOf('round-robin').sort(), hostsOf('collective').sort())
    assert.ok(hostsOf('collective').length >= 2)
  })

  it('is open on weekdays from nine to five in New York', async () => {
    const days = await get(
      'scheduling/demo/intro/slots?dateFrom=2027-01-18&dateTo=2027-01-24&timezone=America/New_York',
    )
    const weekdays = ['2027-01-18', '2027-01-19', '2027-01-20', '2027-01-21', '2027-01-22']
    assert.deepEqual(
      days.map(({ date }: { date: string }) => date),
      weekdays,
    )
    for (const { date, slots } of days) {
      const instant = (time: string) =>
        Temporal.PlainDateTime.from(`${date}T${time}`)
          .toZonedDateTime('America/New_York')
          .toInstant()
          .toString()
      assert.equal(slots.length, 16)
      assert.equal(slots[0].startTime, instant('09:00'))
      assert.equal(slots.at(-1).endTime, instant('17:00'))
    }
  })

  it('protects one event type by honeypot, ALTCHA and blocklist, and none of the others', async () => {
    const { enableHoneypot, enableCaptcha, captchaProvider } = await get(
      'scheduling/demo/protected/abuse-config',
    )
    assert.deepEqual([enableHoneypot, enableCaptcha, captchaProvider], [true, true, 'altcha'])
    const rows = await db().selectFrom('event_types').select(['slug', 'abuse']).execute()
    for (const { slug, abuse } of rows) {
      const { honeypot, captcha, blocklist } = JSON.parse(abuse)
      const listed = slug === 'protected' ? ['spam.example', 'blocked@example.com'] : []
      assert.deepEqual(blocklist, listed, slug)
      if (slug !== 'protected') assert.deepEqual([honeypot, captcha], [false, ''], slug)
    }
  })

  it('asks two questions and keeps five minutes free on either side of the quick one', async () => {
    const { questions } = (await app.inject({ url: '/api/embed/demo/quick' })).json()
    assert.equal(questions.length, 2)
    const row = await db()
      .selectFrom('event_types')
      .select(['buffer_before_minutes', 'buffer_after_minutes'])
      .where('slug', '=', 'quick')
      .executeTakeFirstOrThrow()
    assert.deepEqual(row, { buffer_before_minutes: 5, buffer_after_minutes: 5 })
  })

  it('has a protected form', async () => {
    const config = await get('routing/demo/protected/abuse-config')
    assert.deepEqual([config.enableHoneypot, config.captchaProvider], [true, 'altcha'])
  })

  it('has a form that routes to an event, a redirect or a message', async () => {
    const { fields } = await get('routing/demo/contact')
    const [select] = fields
    assert.deepEqual(
      fields.map(({ type }: { type: string }) => type),
      ['select', 'email', 'textarea'],
    )
    assert.equal(select.required, true)
    assert.deepEqual(
      select.options.map(({ id }: { id: string }) => id),
      ['sales', 'support', 'other'],
    )
    const led: unknown[] = []
    for (const option of ['sales', 'support', 'other']) {
      const reply = await app.inject({
        method: 'POST',
        url: '/api/public/routing/demo/contact/evaluate?dryRun=true',
        payload: { answers: { [select.id]: option } },
      })
      const { action, eventTypeSlug, redirectUrl, message } = reply.json()
      led.push([action, eventTypeSlug, URL.canParse(redirectUrl ?? ''), typeof message])
    }
    assert.deepEqual(led, [
      ['routeToEvent', 'intro', false, 'object'],
      ['redirect', null, true, 'object'],
      ['message', null, false, 'string'],
    ])
  })

  it('shows its host past, upcoming, pending and cancelled bookings', async () => {
    const rows = await db().selectFrom('bookings').select(['status', 'starts_at']).execute()
    const now = clock.now()
    const count = (status: string, past: boolean) =>
      rows.filter((row) => row.status === status && row.starts_at < now === past).length
    assert.deepEqual([count('Completed', true), count('NoShow', true), count('Cancelled', true)], [1, 1, 1])
    assert.deepEqual([count('Confirmed', false), count('PendingApproval', false), rows.length], [4, 2, 9])
    const jobs = await db().selectFrom('outbox').select('id').execute()
    assert.equal(jobs.length, 0, 'nobody is emailed about them')
  })

  it('keeps every slot free that its hours have, on whichever day it is created', async () => {
    for (const start of [
      '2027-01-15T22:00Z',
      '2027-01-16T12:00Z',
      '2027-03-12T06:00Z',
      '2027-11-04T23:30Z',
    ]) {
      const fresh = await migratedDatabase(engine)
      const made = openPatiently(fresh.url)
      try {
        const now = Date.parse(start)
        await seedDemo(made, now)
        const { app: service } = await appOn(made, { now: () => now })
        const today = Temporal.Instant.from(start).toZonedDateTimeISO('America/New_York').toPlainDate()
        const range = `dateFrom=${today.add({ days: 1 })}&dateTo=${today.add({ days: 10 })}`
        for (const [path, perDay] of [
          ['demo/intro', 16],
          ['demo/consultation', 8],
          ['demo/protected', 16],
          ['demo/workshop', 8],
          ['demo/quick', 32],
          ['demo-team/round-robin', 16],
          ['demo-team/collective', 16],
        ] as const) {
          const url = `/api/public/scheduling/${path}/slots?${range}&timezone=America/New_York`
          const days: { slots: unknown[] }[] = (await service.inject({ url })).json()
          assert.ok(days.length >= 6)
          for (const { slots } of days) assert.equal(slots.length, perDay, `${path} ${start}`)
        }
      } finally {
        await made.destroy()
        await fresh.drop()
      }
    }
  })

  it('has meetings within the hours of its host', async () => {
    const claims = await db().selectFrom('claims').select(['starts_at', 'ends_at']).execute()
    const wall = (at: number) =>
      Temporal.Instant.fromEpochMilliseconds(at)
        .toZonedDateTimeISO('America/New_York')
        .toPlainTime()
        .toString()
    assert.ok(claims.length > 3)
    for (const { starts_at, ends_at } of claims) {
      assert.ok(wall(starts_at) >= '09:00:00' && wall(ends_at) <= '17:00:00', wall(starts_at))
    }
  })

  it('can be booked by anyone, except where it is protected', async () => {
    const paths = [
      'demo/intro',
      'demo/consultation',
      'demo/workshop',
      'demo/quick',
      'demo-team/round-robin',
      'demo-team/collective',
    ]
    for (const path of paths) {
      const days = await get(`scheduling/${path}/slots?dateFrom=2027-01-11&dateTo=2027-01-31&timezone=UTC`)
      const { startTime, endTime } = days.at(-1).slots.at(-1)
      const minutes = (Date.parse(endTime) - Date.parse(startTime)) / 60_000
      const reply = await app.inject({
        method: 'POST',
        url: `/api/public/scheduling/${path}/book`,
        headers: fromSomeoneNew(),
        payload: bookingOf(plainEventType({ durationMinutes: minutes }), Date.parse(startTime), {
          startTime,
          endTime,
        }),
      })
      assert.equal(reply.statusCode, 201, `${path}: ${reply.body}`)
    }
  })
})
