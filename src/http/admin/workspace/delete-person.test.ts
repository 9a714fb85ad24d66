import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { bookHour, settle, TUESDAY_TEN } from '../../../../test/account.ts'
import { bookAt } from '../../../../test/bookings.ts'
import { onEveryDatabase, openPatiently } from '../../../../test/databases.ts'
import { askForLink, type Host, signIn } from '../../../../test/host-api.ts'
import { jobsOf, runDueJobs } from '../../../../test/jobs.ts'
import {
  type AppUnderTest,
  addEventType,
  addTeam,
  addUser,
  appOn,
  MONDAY_NOON,
  stoppedClock,
} from '../../../../test/kit.ts'
import { rowsOf } from '../../../../test/rows.ts'
import { untilSomeoneWaits } from '../../../../test/standstill.ts'
import type { Booking } from '../../../domain/bookings/booking.ts'
import { done } from '../../../domain/bookings/decisions/decision.ts'
import type { HostClaim } from '../../../domain/bookings/facts/claims.ts'
import type { NewBooking } from '../../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { DAY, HOUR, MINUTE, overlaps } from '../../../domain/interval.ts'
import { JOB_KINDS } from '../../../domain/job.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import type { Role } from '../../../domain/people/user.ts'
import { enableUser } from '../../../services/people/users.ts'
import { endAccount } from '../../../services/workspace/erasure/delete-person.ts'
import { decideWithin } from '../../../store/bookings/write-path.ts'
import { insertAbsence } from '../../../store/event-types/absences.ts'
import { insertSchedule } from '../../../store/event-types/schedules.ts'
import { newId } from '../../../store/new-id.ts'
import { findRole, insertTeamMember } from '../../../store/people/members.ts'
import { lockHosts } from '../../../store/people/schedulers.ts'
import { HANDLERS } from '../../../worker/handlers.ts'

onEveryDatabase('DELETE /api/admin/people/{id}', ({ db, url, engine }) => {
  const clock = stoppedClock()
  let under: AppUnderTest
  let admin: Host
  before(async () => {
    under = await appOn(db(), { signup: 'open', now: clock.now })
    admin = await signIn(under.app, under.mailbox, 'admin@hosts.example')
  })
  after(() => under.app.close())

  let names = 0
  const newUser = (name: string) => addUser(db(), `${name}-${names++}`)
  async function newTeam(members: readonly (readonly [Scheduler, Role])[]): Promise<Scheduler> {
    const team = await addTeam(db(), `team-${names++}`)
    for (const [user, role] of members)
      await insertTeamMember(db(), { teamId: team.id, userId: user.id, role }, 0)
    return team
  }
  const turns = (...users: readonly Scheduler[]) => users.map(({ id }) => ({ hostId: id, fixed: false }))
  const remove = (user: Scheduler, to?: Scheduler, cancel = false) => {
    const query = new URLSearchParams({
      ...(to && { handOverTo: to.id }),
      ...(cancel && { cancel: 'true' }),
    })
    return admin.del(`/people/${user.id}?${query}`)
  }

  interface Given extends Partial<Booking> {
    readonly hosts: readonly Scheduler[]
    readonly seat?: number
  }
  /** A booking of an hour, past all rules; `hosts` says who attends, the main host first. */
  function bookingOf(eventType: EventType, startsAt: number, { hosts, seat = 1, ...given }: Given) {
    const id = newId()
    const { id: eventTypeId, schedulerId, location, seats } = eventType
    const booking: Booking = {
      id,
      eventTypeId,
      meetingId: id,
      status: 'Confirmed',
      startsAt,
      endsAt: startsAt + HOUR,
      invitee: {
        name: 'Grace Guest',
        email: `${id}@guests.example`,
        phone: '',
        timeZone: 'Europe/Berlin',
        locale: 'en',
      },
      guests: [],
      location,
      notes: '',
      customFields: {},
      source: 'API',
      utm: {},
      createdAt: MONDAY_NOON,
      sequence: 0,
      reason: '',
      ...given,
    }
    const hostId = hosts[0]?.id as string
    const assignment =
      eventType.assignment === 'round-robin' && hosts.length === 1
        ? { hostId, reason: 'only' as const, detail: '', changes: {} }
        : undefined
    return { booking, schedulerId, hostId, seat, seats, assignment, duplicateKey: id, hosts }
  }
  type Made = ReturnType<typeof bookingOf>

  async function insertAll(made: readonly Made[]): Promise<void> {
    const bookings: NewBooking[] = made.map(({ hosts: _, ...booking }) => booking)
    const firsts = new Map(made.map((one) => [one.booking.meetingId, one]))
    const claims = [...firsts.values()].flatMap(({ booking, hosts }) =>
      hosts.map(({ id }): HostClaim => {
        const { meetingId, eventTypeId, startsAt, endsAt } = booking
        const times = { meetingId, eventTypeId, startsAt, endsAt }
        return { hostId: id, claim: { ...times, bufferBefore: 0, bufferAfter: 0, seatsTaken: 1 } }
      }),
    )
    await db()
      .transaction()
      .execute((trx) => decideWithin(trx, [], [() => done(undefined, { bookings, claims })]))
  }

  const claimsOf = async (user: Scheduler) =>
    db().selectFrom('claims').selectAll().where('host_id', '=', user.id).orderBy('starts_at').execute()

  /** Does what waits in the outbox, all jobs of a kind at once, and returns whom it wrote to. */
  async function mailsFrom(work: () => Promise<unknown>): Promise<string[]> {
    under.mailbox.length = 0
    await work()
    for (const kind of JOB_KINDS.filter((one) => one !== 'reminder')) {
      const jobs = await jobsOf(db(), kind)
      for (let at = 0; at < jobs.length; at += 10) {
        const some = jobs.slice(at, at + 10)
        await Promise.all(some.map((job) => HANDLERS[kind](under.context, job, () => {})))
      }
      const ids = jobs.map(({ id }) => id)
      if (ids.length > 0) await db().deleteFrom('outbox').where('id', 'in', ids).execute()
    }
    return under.mailbox.map(({ to }) => to)
  }

  it('hands 200 meetings in three teams over, or nothing at all', async () => {
    const [lea, sam, tim] = [await newUser('lea'), await newUser('sam'), await newUser('tim')]
    const sales = await newTeam([
      [lea, 'admin'],
      [sam, 'member'],
      [tim, 'owner'],
    ])
    const panel = await newTeam([
      [lea, 'member'],
      [tim, 'owner'],
    ])
    const alone = await newTeam([[lea, 'owner']])
    const evenings = {
      id: newId(),
      userId: lea.id,
      name: 'Evenings',
      timeZone: 'Europe/Berlin',
      weekly: { 2: [{ opens: '18:00', closes: '21:00' }] },
      overrides: {},
      isDefault: false,
      confirmed: true,
    }
    await insertSchedule(db(), evenings)
    const hour = { durationMinutes: 60 }
    const own = await addEventType(db(), lea, { ...hour, slug: 'talk', scheduleId: evenings.id })
    const class_ = await addEventType(db(), lea, { ...hour, slug: 'class', seats: 5 })
    await addEventType(db(), sam, { ...hour, slug: 'talk', position: 3 })
    const round = { ...hour, assignment: 'round-robin' as const }
    const calls = await addEventType(db(), sales, { ...round, slug: 'calls' }, turns(lea, sam, tim))
    const talks = await addEventType(db(), panel, { ...hour, slug: 'talks' }, turns(lea, tim))
    const support = await addEventType(db(), alone, { ...round, slug: 'support' }, turns(lea))

    const at = (i: number) => TUESDAY_TEN + i * HOUR
    const meetings: Made[] = []
    for (let i = 0; i < 200; i++) {
      const eventType = [own, calls, talks, support][i % 4] as EventType
      meetings.push(bookingOf(eventType, at(i), { hosts: eventType === talks ? [tim, lea] : [lea] }))
    }
    // Two guests of one class, a series of two, and a request that awaits an answer.
    const first = bookingOf(class_, at(300), { hosts: [lea] })
    const { meetingId } = first.booking
    meetings.push(first, bookingOf(class_, at(300), { hosts: [lea], seat: 2, meetingId }))
    const series = { id: newId(), every: 'week' as const, count: 2, firstAt: at(310), timeZone: 'UTC' }
    const invitee = { ...first.booking.invitee, email: 'series@guests.example' }
    for (const index of [0, 1]) {
      const place = { ...series, index }
      meetings.push(bookingOf(support, at(310 + index * 24), { hosts: [lea], invitee, series: place }))
    }
    meetings.push(bookingOf(own, at(350), { hosts: [lea], status: 'PendingApproval' }))
    const past = bookingOf(own, clock.now() - DAY, { hosts: [lea], status: 'Completed' })
    await insertAll([...meetings, past])

    // The successor has five meetings of their own, two days off, and an hour in a calendar.
    const busy = [0, 5, 10, 15, 20].map((i) => bookingOf(calls, at(i), { hosts: [sam] }))
    await insertAll(busy)
    await db()
      .transaction()
      .execute((trx) =>
        insertAbsence(trx, {
          id: newId(),
          userId: sam.id,
          startsAt: at(30),
          endsAt: at(32),
          note: '',
          redirectTo: null,
        }),
      )
    const calendar = { id: newId(), user_id: sam.id, kind: 'feed' as const, connection_id: null }
    await db()
      .insertInto('calendars')
      .values({
        ...calendar,
        ...{ name: 'Private', url: 'https://calendar.example/sam', username: '', sealed_password: '' },
        ...{ busy: 1, write_to: 0, etag: '', last_modified: '', ctag: '', expanded_at: null },
        ...{ expanded_zone: '', refreshed_at: null, next_refresh_at: clock.now() + DAY, failures: 0 },
        ...{ last_error: '', skipped: 0, created_at: 0 },
      })
      .execute()
    await db()
      .insertInto('busy_times')
      .values({ calendar_id: calendar.id, user_id: sam.id, starts_at: at(40) + 30 * MINUTE, ends_at: at(41) })
      .execute()

    const preview = await admin.get(`/people/${lea.id}/departure?handOverTo=${sam.id}`)
    const { collisions, ...counts } = preview.json()
    assert.deepEqual(counts, { meetings: 204, eventTypes: 2, forms: 0, teams: 3 })
    const conflicts = collisions.map(({ conflict }: { conflict: string }) => conflict)
    assert.deepEqual(conflicts, [...Array(5).fill('meeting'), 'time-off', 'time-off', 'calendar'])

    const rows = await rowsOf(db())
    const refused = await remove(lea, sam)
    assert.equal(refused.statusCode, 409)
    assert.match(
      refused.json().error,
      /^Name of sam-1 is not free for 8 of these meetings: Jan 12, 2027, 10:00 AM; Jan 12, 2027, 3:00 PM; .*\(times in UTC\)/u,
    )
    assert.deepEqual(await rowsOf(db()), rows)

    const mails = await mailsFrom(async () => {
      const left = await remove(lea, sam, true)
      assert.equal(left.statusCode, 200, left.body)
      assert.deepEqual(left.json(), { moved: 196, cancelled: 8 })
    })
    // Once for each guest, whatever became of the meeting.
    const guests = meetings.map(({ booking }) => booking.invitee.email)
    assert.deepEqual(mails.filter((to) => to.endsWith('@guests.example')).sort(), [...new Set(guests)].sort())

    const taken = await claimsOf(sam)
    assert.equal(taken.length, 196 + busy.length)
    for (const [i, claim] of taken.entries()) {
      const next = taken[i + 1]
      const span = { start: claim.starts_at, end: claim.ends_at }
      assert.ok(next === undefined || !overlaps(span, { start: next.starts_at, end: next.ends_at }))
    }
    assert.deepEqual(
      (await claimsOf(lea)).map(({ meeting_id }) => meeting_id),
      [past.booking.id],
    )
    const hosted = async (id: string) =>
      db()
        .selectFrom('bookings')
        .select(['host_id', 'scheduler_id', 'status'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const idAt = (i: number) => meetings[i]?.booking.id as string
    assert.deepEqual(await hosted(idAt(4)), { host_id: sam.id, scheduler_id: sam.id, status: 'Confirmed' })
    assert.equal((await hosted(idAt(0))).status, 'Cancelled')
    // The main host of a panel stays; the successor attends in the leaver's place.
    assert.equal((await hosted(idAt(2))).host_id, tim.id)
    assert.ok(taken.some((claim) => claim.meeting_id === idAt(2)))
    assert.equal((await hosted(idAt(204))).status, 'PendingApproval')
    assert.equal((await hosted(past.booking.id)).host_id, lea.id)

    const types = await db()
      .selectFrom('event_types')
      .selectAll()
      .where('scheduler_id', '=', sam.id)
      .execute()
    assert.deepEqual(types.map(({ slug }) => slug).sort(), ['class', 'talk', 'talk-2'])
    const moved = types.find(({ id }) => id === own.id)
    const hours = await db()
      .selectFrom('schedules')
      .selectAll()
      .where('id', '=', moved?.schedule_id ?? '')
      .executeTakeFirst()
    assert.deepEqual([hours?.user_id, hours?.name, hours?.is_default], [sam.id, 'Evenings', 0])
    const seats = await db().selectFrom('event_type_hosts').selectAll().execute()
    const hostsOf = ({ id }: EventType) =>
      seats.filter((seat) => seat.event_type_id === id).map(({ host_id }) => host_id)
    assert.deepEqual(hostsOf(calls).sort(), [sam.id, tim.id].sort())
    assert.deepEqual(hostsOf(talks).sort(), [sam.id, tim.id].sort())
    assert.deepEqual(hostsOf(support), [sam.id])
    const roles = await db().selectFrom('team_members').selectAll().where('user_id', '=', sam.id).execute()
    const roleIn = (team: Scheduler) => roles.find(({ team_id }) => team_id === team.id)?.role
    assert.deepEqual([roleIn(sales), roleIn(panel), roleIn(alone)], ['member', 'member', 'owner'])

    // The old address leads to the successor, and the account is gone.
    const page = await under.app.inject({ url: `/api/public/scheduling/${lea.slug}/class/abuse-config` })
    assert.equal(page.statusCode, 200, page.body)
    const gone = await db()
      .selectFrom('schedulers')
      .select(['email', 'name'])
      .where('id', '=', lea.id)
      .executeTakeFirst()
    assert.deepEqual(gone, { email: null, name: 'Former host' })
    assert.equal((await remove(lea, sam)).statusCode, 404)
  })

  it('leaves everything as it was wherever it fails', async () => {
    const [lea, sam] = [await newUser('lea'), await newUser('sam')]
    const team = await newTeam([[lea, 'owner']])
    await addEventType(db(), team, { slug: 'talk', assignment: 'round-robin' }, turns(lea))
    const talk = await addEventType(db(), lea, { slug: 'talk', durationMinutes: 60 })
    await insertAll([bookingOf(talk, TUESDAY_TEN, { hosts: [lea] })])
    // Each step is audited, so the actor can end the work in the middle of any.
    const failingAt = (step: number): Actor => {
      let steps = 0
      return {
        userId: null,
        get email() {
          if (++steps === step) throw new Error('killed')
          return 'command line'
        },
      }
    }
    const rows = await rowsOf(db())
    const end = (actor: Actor) =>
      endAccount(under.context, actor, lea.id, { handOverTo: sam.id, meetings: 'refuse' })
    for (let step = 1; step <= 4; step++) {
      await assert.rejects(end(failingAt(step)), /killed/)
      assert.deepEqual(await rowsOf(db()), rows, `after step ${step}`)
    }
    assert.deepEqual(await end(failingAt(5)), { moved: 1, cancelled: 0 })
    await runDueJobs(under.context)
  })

  it('keeps a meeting that both attend, and gives rules and links of the leaver to the successor', async () => {
    const [lea, sam] = [await newUser('lea'), await newUser('sam')]
    const team = await newTeam([
      [lea, 'owner'],
      [sam, 'member'],
    ])
    const hosts = [
      { hostId: lea.id, fixed: true },
      { hostId: sam.id, fixed: false },
    ]
    const both = await addEventType(db(), team, { slug: 'both', durationMinutes: 60 }, hosts)
    const talk = await addEventType(db(), team, { slug: 'rr', assignment: 'round-robin' }, hosts)
    const joint = bookingOf(both, TUESDAY_TEN, { hosts: [lea, sam] })
    await insertAll([joint])
    const link = { id: newId(), event_type_id: talk.id, token_hash: 'hash', uses: null, used: 0 }
    const host_ids = JSON.stringify([lea.id])
    await db()
      .insertInto('private_links')
      .values({
        ...link,
        expires_at: null,
        duration_minutes: null,
        host_ids,
        answers: '{}',
        note: '',
        created_at: 0,
      })
      .execute()
    assert.deepEqual((await remove(lea, sam)).json(), { moved: 1, cancelled: 0 })
    assert.deepEqual(
      (await claimsOf(sam)).map(({ meeting_id }) => meeting_id),
      [joint.booking.id],
    )
    const [stored] = await db().selectFrom('private_links').select('host_ids').execute()
    assert.deepEqual(JSON.parse(stored?.host_ids ?? ''), [sam.id])
    const seats = await db()
      .selectFrom('event_type_hosts')
      .select(['host_id', 'fixed'])
      .where('event_type_id', '=', talk.id)
      .execute()
    assert.deepEqual(seats, [{ host_id: sam.id, fixed: 1 }])
    const [role] = await db()
      .selectFrom('team_members')
      .select('role')
      .where('team_id', '=', team.id)
      .execute()
    assert.equal(role?.role, 'owner')
    await runDueJobs(under.context)
  })

  it('deletes without a successor what an account has, once meetings may be cancelled', async () => {
    const host = await signIn(under.app, under.mailbox, 'zoe@hosts.example')
    await settle(under.app, db(), host)
    const zoe = { id: host.user.id } as Scheduler
    assert.equal((await bookHour(under.app, 'zoe/talk', TUESDAY_TEN)).statusCode, 201)
    await runDueJobs(under.context)
    const refused = await remove(zoe)
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /^Name of zoe hosts one upcoming meeting: Jan 12, 2027, 10:00 AM \(/)
    under.mailbox.length = 0
    assert.deepEqual((await remove(zoe, undefined, true)).json(), { moved: 0, cancelled: 1 })
    assert.equal((await host.get('/me')).statusCode, 401)
    await runDueJobs(under.context)
    const mails = under.mailbox.map(({ to }) => to)
    assert.equal(mails.filter((to) => to.endsWith('@guests.example')).length, 1)
  })

  it('hands no meeting over that was paid through the leaver’s account', async () => {
    const [lea, sam] = [await newUser('lea'), await newUser('sam')]
    const talk = await addEventType(db(), lea, { durationMinutes: 60 })
    const paid = { checkoutId: newId(), status: 'paid', amount: 4900, currency: 'EUR', refunded: 0 }
    const payment = paid as Booking['payment'] & object
    await insertAll([bookingOf(talk, TUESDAY_TEN, { hosts: [lea], payment })])
    const account = { id: newId(), scheduler_id: lea.id, provider: 'stripe', account: 'acct_1' }
    const rest = { name: 'Lea', sealed_key: '', hook_id: '', sealed_hook_secret: '', last_error: '' }
    await db()
      .insertInto('payment_accounts')
      .values({ ...account, ...rest, provider: 'stripe', status: 'ok', created_at: 0 })
      .execute()
    const refused = await remove(lea, sam)
    assert.equal(refused.statusCode, 409, refused.body)
    assert.match(refused.json().error, /Guests have paid for meetings ahead through Name of lea-/)
    assert.equal((await rowsHosted(lea)).length, 1)
    await db().deleteFrom('payment_accounts').where('id', '=', account.id).execute()
    assert.equal((await remove(lea, sam)).statusCode, 200)
    assert.equal((await rowsHosted(lea)).length, 0)
  })

  const rowsHosted = ({ id }: Scheduler) =>
    db().selectFrom('bookings').select('id').where('host_id', '=', id).execute()

  it('is final from the answer on, while its mails still wait', async () => {
    const lena = await signIn(under.app, under.mailbox, 'lena@hosts.example')
    await settle(under.app, db(), lena)
    assert.equal((await bookHour(under.app, 'lena/talk', TUESDAY_TEN)).statusCode, 201)
    assert.equal((await admin.del(`/people/${lena.user.id}?cancel=true`)).statusCode, 200)
    const deletions = (await jobsOf(db(), 'account-delete')).length

    const path = `/people/${lena.user.id}`
    const answers = [
      await admin.get(path),
      await admin.patch(path, { disabled: false, role: 'admin' }),
      await admin.post(`${path}/sign-out`),
      await admin.get(`${path}/departure`),
      await admin.del(`${path}?cancel=true`),
    ]
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [404, 404, 404, 404, 404],
    )
    const { items } = (await admin.get('/people?search=lena')).json()
    assert.deepEqual(items, [])
    const operator = { userId: null, email: 'operator' }
    await assert.rejects(enableUser(under.context, operator, 'lena@hosts.example'), /There is no user/)
    assert.equal((await lena.get('/me')).statusCode, 401)
    const sent = under.mailbox.length
    await askForLink(under.app, 'lena@hosts.example')
    assert.equal(under.mailbox.length, sent)
    assert.equal((await jobsOf(db(), 'account-delete')).length, deletions)
  })

  it('is for admins, about others, and for successors who can sign in', async () => {
    const member = await signIn(under.app, under.mailbox, 'mia@hosts.example')
    const lea = await newUser('lea')
    assert.equal((await member.del(`/people/${lea.id}`)).statusCode, 403)
    assert.equal((await member.get(`/people/${lea.id}/departure`)).statusCode, 403)
    const own = await admin.del(`/people/${admin.user.id}?handOverTo=${lea.id}`)
    assert.equal(own.statusCode, 403)
    const gone = await newUser('gone')
    await db().updateTable('schedulers').set({ disabled_at: 1 }).where('id', '=', gone.id).execute()
    for (const to of [gone, lea, { ...lea, id: newId() }, { ...lea, id: 'nobody' }]) {
      const refused = await remove(lea, to)
      assert.deepEqual([refused.statusCode, refused.headers['error-field']], [400, 'handOverTo'])
    }
    const team = await newTeam([[lea, 'owner']])
    const refused = await remove(lea)
    assert.match(refused.json().error, new RegExp(`only owner of: ${team.name}\\. Choose who takes over`))
    assert.equal(refused.statusCode, 409)
  })

  it('lets one of two admins stay who delete each other at once', async () => {
    const [ann, ben] = [await newUser('ann'), await newUser('ben')]
    const to = new Map([
      [ann.id, await newUser('eve')],
      [ben.id, await newUser('kim')],
    ])
    const { db: own } = under.context
    await own.updateTable('schedulers').set({ admin: 1 }).where('id', 'in', [ann.id, ben.id]).execute()
    await own.updateTable('schedulers').set({ admin: 0 }).where('id', '=', admin.user.id).execute()
    const actor = { userId: null, email: 'command line' }
    const outcomes = await Promise.allSettled(
      [ann, ben].map(({ id }) =>
        endAccount(under.context, actor, id, { handOverTo: to.get(id)?.id as string, meetings: 'refuse' }),
      ),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const admins = await own
      .selectFrom('schedulers')
      .select('id')
      .where('admin', '=', 1)
      .where('disabled_at', 'is', null)
      .execute()
    assert.equal(admins.length, 1)
    await own.updateTable('schedulers').set({ admin: 1 }).where('id', '=', admin.user.id).execute()
  })

  it('never overlaps with what guests book at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const [lea, sam] = [await newUser('lea'), await newUser('sam')]
      const rest = { durationMinutes: 60, noticeMinutes: 0 }
      const leas = await addEventType(db(), lea, { ...rest, slug: 'leas' })
      const sams = await addEventType(db(), sam, { ...rest, slug: 'sams' })
      await bookAt(under.context, lea, leas, TUESDAY_TEN)
      const other = engine === 'postgres' ? openPatiently(url()) : db()
      const elsewhere = await appOn(other, { now: clock.now })
      try {
        const [left, ...booked] = await Promise.all([
          remove(lea, sam),
          bookHour(elsewhere.app, `${sam.slug}/sams`, TUESDAY_TEN),
          bookHour(elsewhere.app, `${lea.slug}/leas`, TUESDAY_TEN + HOUR),
          bookHour(elsewhere.app, `${sam.slug}/sams`, TUESDAY_TEN + HOUR),
        ])
        assert.ok([200, 409].includes(left.statusCode), left.body)
        for (const { statusCode, body } of booked) assert.ok([201, 400, 404].includes(statusCode), body)
        const starts = (await claimsOf(sam)).map(({ starts_at }) => starts_at)
        assert.equal(new Set(starts).size, starts.length)
        const hosts = left.statusCode === 200 ? [sam.id] : [lea.id, sam.id]
        const active = await db()
          .selectFrom('bookings')
          .select(['host_id', 'starts_at'])
          .where('event_type_id', 'in', [leas.id, sams.id])
          .where('status', '=', 'Confirmed')
          .execute()
        for (const { host_id } of active) assert.ok(hosts.includes(host_id))
        assert.equal(new Set(active.map((one) => `${one.host_id} ${one.starts_at}`)).size, active.length)
      } finally {
        await elsewhere.app.close()
        if (other !== db()) await other.destroy()
      }
    }
    await runDueJobs(under.context)
  })

  // SQLite lets one transaction write at a time.
  if (engine === 'postgres') {
    it('sees what a guest books while it waits for the successor', async () => {
      const [lea, sam] = [await newUser('lea'), await newUser('sam')]
      const talk = await addEventType(db(), lea, { slug: 'leas', durationMinutes: 60 })
      const own = await addEventType(db(), sam, { slug: 'sams', durationMinutes: 60 })
      await insertAll([bookingOf(talk, TUESDAY_TEN, { hosts: [lea] })])
      const other = openPatiently(url(), { poolSize: 1 })
      const claim = { host_id: sam.id, starts_at: TUESDAY_TEN, ends_at: TUESDAY_TEN + HOUR }
      const meeting = { meeting_id: newId(), event_type_id: own.id, buffer_before: 0, buffer_after: 0 }
      try {
        const pending = await other.transaction().execute(async (trx) => {
          await lockHosts(trx, [sam.id])
          const answer = remove(lea, sam)
          await untilSomeoneWaits(db(), answer)
          await trx
            .insertInto('claims')
            .values({ ...claim, ...meeting })
            .execute()
          return { answer }
        })
        const refused = await pending.answer
        assert.equal(refused.statusCode, 409, refused.body)
        assert.match(refused.json().error, /is not free for one of these meetings/)
        // Held up again, while the leaver joins a team: it is locked as well, and goes over.
        await db().deleteFrom('claims').where('meeting_id', '=', meeting.meeting_id).execute()
        const team = await newTeam([])
        const joined = await other.transaction().execute(async (trx) => {
          await lockHosts(trx, [sam.id])
          const answer = remove(lea, sam)
          await untilSomeoneWaits(db(), answer)
          await insertTeamMember(trx, { teamId: team.id, userId: lea.id, role: 'owner' }, 0)
          return { answer }
        })
        assert.equal((await joined.answer).statusCode, 200)
        const row = db().selectFrom('schedulers').select('revision').where('id', '=', team.id)
        assert.ok((await row.executeTakeFirstOrThrow()).revision > 0)
        assert.equal(await findRole(db(), team.id, sam.id), 'owner')
      } finally {
        await other.destroy()
      }
    })
  }
})
