import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { addUser } from '../../test/kit.ts'
import { JOB_KINDS } from '../domain/job.ts'
import { KINDS } from '../outside/registry.ts'
import { sampleWork } from './work-sample.ts'

const NOW = 1_800_000_000_000

onEveryDatabase('sampleWork', ({ db }) => {
  const addJob = (kind: 'mail' | 'webhook', dueAt: number, failedAt: number | null = null) =>
    db()
      .insertInto('outbox')
      .values({ kind, lane: null, data: '{}', due_at: dueAt, failed_at: failedAt, created_at: 0 })
      .execute()
  const addCalendar = async (
    slug: string,
    given: { refreshed_at: number | null; failures: number; kind?: 'google' },
  ) => {
    const user = await addUser(db(), slug)
    await db()
      .insertInto('calendars')
      .values({
        id: user.id,
        user_id: user.id,
        kind: 'feed',
        name: '',
        url: '',
        username: '',
        sealed_password: '',
        busy: 1,
        write_to: 0,
        etag: '',
        last_modified: '',
        ctag: '',
        expanded_at: null,
        expanded_zone: '',
        next_refresh_at: 0,
        last_error: '',
        skipped: 0,
        created_at: 0,
        ...given,
      })
      .execute()
  }

  it('counts zero jobs of every kind in an empty outbox', async () => {
    const { jobs, calendars } = await sampleWork(db(), NOW, KINDS.names.calendars)
    assert.deepEqual([...jobs.keys()], [...JOB_KINDS])
    for (const job of jobs.values()) {
      assert.deepEqual(job, { due: 0, running: 0, scheduled: 0, failing: 0, dead: 0, oldestDueAt: null })
    }
    const none = { working: 0, failing: 0, never_read: 0 }
    assert.deepEqual(calendars, { feed: none, caldav: none, google: none, microsoft: none })
  })

  it('counts due, scheduled and dead jobs, and finds the oldest due one', async () => {
    await addJob('mail', NOW - 5000)
    await addJob('mail', NOW)
    await addJob('mail', NOW + 1)
    await addJob('mail', NOW - 9000, NOW - 8000)
    await addJob('webhook', NOW + 60_000)
    const { jobs } = await sampleWork(db(), NOW)
    const none = { due: 0, running: 0, scheduled: 0, failing: 0, dead: 0, oldestDueAt: null }
    assert.deepEqual(jobs.get('mail'), { ...none, due: 2, scheduled: 1, dead: 1, oldestDueAt: NOW - 5000 })
    assert.deepEqual(jobs.get('webhook'), { ...none, scheduled: 1 })
  })

  it('counts jobs that run, and those that wait for a retry', async () => {
    const job = { kind: 'reminder', lane: null, data: '{}', due_at: NOW, created_at: 0 } as const
    const jobs = [
      // By the clock of the database, which is today's.
      { ...job, leased_until: Date.now() + 60_000 },
      { ...job, leased_until: Date.now() - 60_000 },
      { ...job, attempts: 2, due_at: NOW + 60_000 },
      { ...job, attempts: 9, failed_at: NOW },
    ]
    for (const each of jobs) await db().insertInto('outbox').values(each).execute()
    const { due, running, scheduled, failing, dead } =
      (await sampleWork(db(), NOW)).jobs.get('reminder') ?? assert.fail()
    assert.deepEqual(
      { due, running, scheduled, failing, dead },
      { due: 2, running: 1, scheduled: 1, failing: 1, dead: 1 },
    )
  })

  it('ignores kinds of jobs that a newer version has queued', async () => {
    await db()
      .insertInto('outbox')
      .values({ kind: 'unheard-of' as never, lane: null, data: '{}', due_at: 0, failed_at: 1, created_at: 0 })
      .execute()
    assert.deepEqual([...(await sampleWork(db(), NOW)).jobs.keys()], [...JOB_KINDS])
  })

  it('counts working, failing and never refreshed calendars of each kind', async () => {
    await addCalendar('google', { refreshed_at: NOW, failures: 3, kind: 'google' })
    await addCalendar('works', { refreshed_at: NOW, failures: 0 })
    await addCalendar('fails', { refreshed_at: NOW, failures: 2 })
    await addCalendar('failed-at-once', { refreshed_at: null, failures: 1 })
    await addCalendar('new', { refreshed_at: null, failures: 0 })
    const { calendars } = await sampleWork(db(), NOW, KINDS.names.calendars)
    assert.deepEqual(calendars.feed, { working: 1, failing: 2, never_read: 1 })
    assert.deepEqual(calendars.google, { working: 0, failing: 1, never_read: 0 })
  })

  it('finds when the last backup was completed', async () => {
    assert.equal((await sampleWork(db(), NOW)).backedUpAt, 0)
    await db().insertInto('leases').values({ name: 'backup', leased_until: 0, done_at: NOW }).execute()
    assert.equal((await sampleWork(db(), NOW)).backedUpAt, NOW)
  })
})
