import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn, MONDAY_NOON, stoppedClock } from '../../../../test/kit.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const iso = (instant: number) => new Date(instant).toISOString().replace('.000', '')

onEveryDatabase('/api/admin/busy', ({ db }) => {
  const clock = stoppedClock()
  let ada: Host
  let bob: Host
  let eve: Host
  let team: string

  before(async () => {
    const { app, mailbox } = await appOn(db(), { signup: 'open', now: clock.now })
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    eve = await signIn(app, mailbox, 'eve@hosts.example')
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email })
    await bob.post(`/invitations/${invited.json().id}/accept`)
    for (const host of [ada, bob, eve]) await addBusy(host, MONDAY_NOON + DAY, MONDAY_NOON + DAY + HOUR)
    const away = await bob.post('/absences', {
      startTime: iso(MONDAY_NOON + 2 * DAY),
      endTime: iso(MONDAY_NOON + 3 * DAY),
      note: 'Dentist, a secret',
    })
    assert.equal(away.statusCode, 201, away.body)
  })

  /** As reading a connected calendar does. */
  async function addBusy({ user }: Host, startsAt: number, endsAt: number): Promise<void> {
    const made = await db()
      .insertInto('calendars')
      .values({
        id: user.id,
        user_id: user.id,
        kind: 'feed',
        name: 'A private name',
        url: 'https://feeds.example/a.ics',
        username: '',
        sealed_password: '',
        busy: 1,
        write_to: 0,
        etag: '',
        last_modified: '',
        ctag: '',
        expanded_zone: '',
        next_refresh_at: Number.MAX_SAFE_INTEGER,
        failures: 0,
        last_error: '',
        skipped: 0,
        created_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db()
      .insertInto('busy_times')
      .values({ calendar_id: made.id, user_id: user.id, starts_at: startsAt, ends_at: endsAt })
      .execute()
  }

  const WEEK = `from=${iso(MONDAY_NOON)}&to=${iso(MONDAY_NOON + 7 * DAY)}`

  async function find(host: Host, query: string) {
    const answer = await host.get(`/busy?${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.ok(!/secret|private/.test(answer.body), answer.body)
    return answer.json().items
  }

  it('says when those are busy whose bookings one may see, and nothing else', async () => {
    const meeting = { startTime: iso(MONDAY_NOON + DAY), endTime: iso(MONDAY_NOON + DAY + HOUR) }
    assert.deepEqual(await find(ada, `${WEEK}&hostId=${bob.user.id}`), [
      { hostId: bob.user.id, ...meeting, source: 'calendar' },
      {
        hostId: bob.user.id,
        startTime: iso(MONDAY_NOON + 2 * DAY),
        endTime: iso(MONDAY_NOON + 3 * DAY),
        source: 'time-off',
      },
    ])
    const both = await find(ada, `${WEEK}&hostId=${ada.user.id},${bob.user.id}`)
    assert.equal(both.length, 3)
    assert.equal((await find(ada, WEEK)).length, 3)
  })

  it('gives nothing of hosts who are hidden', async () => {
    assert.deepEqual(await find(ada, `${WEEK}&hostId=${eve.user.id}`), [])
    assert.deepEqual(await find(eve, `${WEEK}&hostId=${bob.user.id}`), [])
    assert.deepEqual(await find(ada, `${WEEK}&hostId=nonsense`), [])
    // Members see their own only, unless the team lets them see all.
    assert.deepEqual(await find(bob, `${WEEK}&hostId=${ada.user.id}`), [])
    assert.equal((await find(bob, WEEK)).length, 2)
    await ada.patch(`/teams/${team}`, { membersSeeAll: true })
    assert.equal((await find(bob, `${WEEK}&hostId=${ada.user.id}`)).length, 1)
  })

  it('leaves out what does not touch the span', async () => {
    const later = `from=${iso(MONDAY_NOON + DAY + HOUR)}&to=${iso(MONDAY_NOON + 2 * DAY)}`
    assert.deepEqual(await find(ada, `${later}&hostId=${bob.user.id}`), [])
    const within = `from=${iso(MONDAY_NOON + 2 * DAY + HOUR)}&to=${iso(MONDAY_NOON + 2 * DAY + 2 * HOUR)}`
    const [away] = await find(ada, `${within}&hostId=${bob.user.id}`)
    assert.equal(away.startTime, iso(MONDAY_NOON + 2 * DAY))
  })

  it('refuses spans that it can’t answer', async () => {
    const refusals: [string, RegExp][] = [
      [`from=${iso(MONDAY_NOON)}&to=${iso(MONDAY_NOON + 42 * DAY + 1000)}`, /at most 42 days/],
      [`from=${iso(MONDAY_NOON)}&to=${iso(MONDAY_NOON)}`, /after the start/],
      [`from=soon&to=${iso(MONDAY_NOON)}`, /UTC instant/],
      [`from=${iso(MONDAY_NOON)}`, /required/],
    ]
    for (const [query, said] of refusals) {
      const answer = await ada.get(`/busy?${query}`)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, said)
    }
    assert.equal(
      (await ada.get(`/busy?from=${iso(MONDAY_NOON)}&to=${iso(MONDAY_NOON + 42 * DAY)}`)).statusCode,
      200,
    )
  })
})
