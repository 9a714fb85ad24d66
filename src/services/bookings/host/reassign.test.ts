import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { bookAt, changesOf, getListed, startsTaken } from '../../../../test/bookings.ts'
import { onEveryDatabase, openPatiently } from '../../../../test/databases.ts'
import { runDueJobs } from '../../../../test/jobs.ts'
import {
  type AppUnderTest,
  addEventType,
  addTeam,
  addUser,
  appOn,
  changeElsewhere,
  contextOn,
  MONDAY_NOON,
  stoppedClock,
  weekdays,
} from '../../../../test/kit.ts'
import { repeat } from '../../../../test/repeat.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { DAY, HOUR, MINUTE, overlaps } from '../../../domain/interval.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import type { ProblemCode } from '../../../domain/problem.ts'
import type { Db } from '../../../store/engine/database.ts'
import { insertAbsence } from '../../../store/event-types/absences.ts'
import { deleteTeamHost } from '../../../store/people/team-hosts.ts'
import type { Context } from '../../context.ts'
import { cancel } from '../cancel.ts'
import { reschedule } from '../guest/reschedule.ts'
import { approve } from './approve.ts'
import { findSuccessors, reassign } from './reassign.ts'

const TUESDAY = MONDAY_NOON + DAY - 3 * HOUR
const GUEST: Author = { by: 'guest' }
const HOST: Author = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }
const GRACE = 'grace@guests.example'
const AUTOMATIC = { reason: '' }
const to = (hostId: string, reason = '') => ({ hostId, reason })

const refusal =
  (code: ProblemCode, words = /./) =>
  (error: unknown) => {
    assert.equal((error as { code?: string }).code, code, (error as Error).message)
    assert.match((error as Error).message, words)
    return true
  }

onEveryDatabase('reassigning', ({ db, url, engine }) => {
  const clock = stoppedClock()
  const others: Db[] = []
  let under: AppUnderTest
  let context: Context
  before(async () => {
    under = await appOn(db(), { now: clock.now })
    context = under.context
  })
  after(() => Promise.all(others.map((other) => other.destroy())))

  let people = 0
  const newHost = (schedule = weekdays()) => addUser(db(), `handing-${people++}`, schedule)
  async function newTeam(count: number, given: Partial<EventType> = {}, fixed = 0) {
    const team = await addTeam(db(), `handing-team-${people++}`)
    const hosts: Scheduler[] = []
    for (let i = 0; i < count + fixed; i++) hosts.push(await newHost())
    const seats = hosts.map(({ id }, i) => ({ hostId: id, fixed: i >= count }))
    const talk = await addEventType(db(), team, { assignment: 'round-robin', ...given }, seats)
    return { team, talk, ids: hosts.slice(0, count).map(({ id }) => id), fixedId: hosts[count]?.id ?? '' }
  }
  const otherOf = (ids: readonly string[], { hostId }: ListedBooking) =>
    ids.find((id) => id !== hostId) as string
  async function balanceOf({ id }: EventType, hostId: string): Promise<number> {
    const query = db().selectFrom('event_type_hosts').select('balance').where('event_type_id', '=', id)
    return (await query.where('host_id', '=', hostId).executeTakeFirstOrThrow()).balance
  }
  const assertBalances = async (talk: EventType, expected: Readonly<Record<string, number>>) => {
    for (const [hostId, balance] of Object.entries(expected)) {
      const actual = await balanceOf(talk, hostId)
      assert.ok(Math.abs(actual - balance) < 1e-9, `${actual} instead of ${balance}`)
    }
  }
  /** The mails that are due now, by their receiver and subject. */
  async function mailed(): Promise<string[]> {
    under.mailbox.length = 0
    await runDueJobs(context)
    return under.mailbox.map((mail) => `${mail.to}: ${mail.subject.split(':')[0]}`).sort()
  }
  const addressOf = async (id: string) => {
    const rows = db().selectFrom('schedulers').select('email').where('id', '=', id)
    return (await rows.executeTakeFirstOrThrow()).email
  }

  it('moves the meeting to the other host at the same time, and tells everybody once', async () => {
    const { team, talk, ids } = await newTeam(2)
    const before = await bookAt(context, team, talk, TUESDAY, { inviteeEmail: GRACE })
    await runDueJobs(context)
    const other = otherOf(ids, before)
    await assertBalances(talk, { [before.hostId]: -1 / 2, [other]: 1 / 2 })
    const after = await reassign(context, HOST, before, to(other, 'I am ill.'))
    assert.deepEqual(await getListed(db(), before.booking.id), after)
    assert.deepEqual(after.booking, { ...before.booking, sequence: 1 })
    assert.deepEqual([after.hostId, after.assignment?.reason], [other, 'manual'])
    assert.deepEqual(await startsTaken(db(), before.hostId), [])
    assert.deepEqual(await startsTaken(db(), other), [TUESDAY])
    // The host who hands it over was not free: nobody is owed anything.
    await assertBalances(talk, { [before.hostId]: 0, [other]: 0 })
    const [told, ...more] = await changesOf(db(), before.booking.id)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [told?.type, told?.by, told?.reason, told?.hostIds, told?.formerHostIds, told?.previousStartsAt],
      ['reassigned', 'host', 'I am ill.', [other], [before.hostId], null],
    )
    const audit = db().selectFrom('audit').select('action').where('object_id', '=', before.booking.id)
    assert.deepEqual(await audit.execute(), [{ action: 'reassigned' }])
    assert.deepEqual(
      await mailed(),
      [
        `${GRACE}: New host`,
        `${await addressOf(before.hostId)}: Handed over`,
        `${await addressOf(other)}: Handed over to you`,
      ].sort(),
    )
    const methods = under.mailbox.map(({ to: address, invitation }) => [address, invitation?.method])
    assert.deepEqual(Object.fromEntries(methods)[(await addressOf(before.hostId)) ?? ''], 'CANCEL')
    assert.deepEqual(Object.fromEntries(methods)[(await addressOf(other)) ?? ''], 'REQUEST')
    assert.ok(under.mailbox.every(({ text }) => text.includes('I am ill.')))
    // It is there already: nothing changes, and nobody is told.
    assert.deepEqual(await reassign(context, HOST, before, to(other)), after)
    assert.deepEqual(await mailed(), [])
  })

  it('refuses who is not free, by hand for other meetings, time off and nothing else', async () => {
    const { team, talk, ids } = await newTeam(3)
    const mine = await bookAt(context, team, talk, TUESDAY)
    const [busy, away] = ids.filter((id) => id !== mine.hostId) as [string, string]
    const own = await addEventType(db(), { id: busy }, { slug: 'own', durationMinutes: 60 })
    const slugOf = async (id: string) =>
      (await db().selectFrom('schedulers').select('slug').where('id', '=', id).executeTakeFirstOrThrow()).slug
    await bookAt(context, { slug: await slugOf(busy) } as Scheduler, own, TUESDAY)
    await changeElsewhere(db(), away, (trx) =>
      insertAbsence(trx, {
        id: crypto.randomUUID(),
        userId: away,
        startsAt: TUESDAY - DAY,
        endsAt: TUESDAY + MINUTE,
        note: '',
        redirectTo: null,
      }),
    )
    assert.deepEqual(
      (await findSuccessors(context, mine)).map(({ hostId, obstacle }) => [hostId, obstacle]).sort(),
      [
        [busy, 'meeting'],
        [away, 'time-off'],
      ].sort(),
    )
    await assert.rejects(
      reassign(context, HOST, mine, to(busy)),
      refusal('host_unavailable', /another meeting/),
    )
    await assert.rejects(reassign(context, HOST, mine, to(away)), refusal('host_unavailable', /time off/))
    await assert.rejects(
      reassign(context, HOST, mine, AUTOMATIC),
      refusal('host_unavailable', /No other host/),
    )
    const stranger = await newHost()
    await assert.rejects(
      reassign(context, HOST, mine, to(stranger.id)),
      refusal('invalid', /not one of the hosts/),
    )
    assert.deepEqual(await getListed(db(), mine.booking.id), mine)
    await cancel(context, GUEST, mine, { reason: '' })
    const cancelled = await getListed(db(), mine.booking.id)
    await assert.rejects(reassign(context, HOST, cancelled, to(busy)), refusal('state_conflict'))
    const collective = await newTeam(2, { assignment: 'collective' })
    const both = await bookAt(context, collective.team, collective.talk, TUESDAY)
    assert.deepEqual(await findSuccessors(context, both), [])
    const [other] = collective.ids.filter((id) => id !== both.hostId) as [string]
    await assert.rejects(
      reassign(context, HOST, both, to(other)),
      refusal('host_unavailable', /attend together/),
    )
  })

  it('keeps to hours, buffers and limits only by turn, and never to the grid', async () => {
    const team = await addTeam(db(), `handing-team-${people++}`)
    const [ada, bob] = [
      await newHost(),
      await newHost({ ...weekdays(), weekly: { 3: [{ opens: '09:10', closes: '12:00' }] } }),
    ]
    const seats = [ada, bob].map(({ id }) => ({ hostId: id, fixed: false }))
    const talk = await addEventType(
      db(),
      team,
      { assignment: 'round-robin', limits: { day: 1, week: null, month: null } },
      seats,
    )
    const onTuesday = await bookAt(context, team, talk, TUESDAY)
    assert.equal((await findSuccessors(context, onTuesday))[0]?.obstacle, 'hours')
    await assert.rejects(reassign(context, HOST, onTuesday, AUTOMATIC), refusal('host_unavailable'))
    const byHand = await reassign(context, HOST, onTuesday, to(bob.id))
    assert.equal(byHand.hostId, bob.id)
    // Bob's own starts are 09:10, 09:40 and so on.
    const onWednesday = await bookAt(context, team, talk, TUESDAY + DAY + HOUR)
    assert.equal(onWednesday.hostId, ada.id)
    const moved = await reassign(context, HOST, onWednesday, AUTOMATIC)
    assert.deepEqual([moved.hostId, moved.assignment?.reason], [bob.id, 'automatic'])
    // One a day: Bob has his.
    const second = await bookAt(context, team, talk, TUESDAY + DAY + 2 * HOUR)
    await assert.rejects(reassign(context, HOST, second, AUTOMATIC), refusal('host_unavailable'))
    clock.moveTo(TUESDAY + DAY + 2 * HOUR)
    await assert.rejects(reassign(context, HOST, second, to(bob.id)), refusal('too_late'))
    clock.moveTo(MONDAY_NOON)
  })

  it('follows the balances, and counts what it gives', async () => {
    const { team, talk, ids } = await newTeam(3)
    const first = await bookAt(context, team, talk, TUESDAY)
    const second = await bookAt(context, team, talk, TUESDAY + HOUR)
    const third = ids.find((id) => id !== first.hostId && id !== second.hostId) as string
    const moved = await reassign(context, HOST, first, AUTOMATIC)
    assert.equal(moved.hostId, third)
    assert.equal(moved.assignment?.detail, 'Handed over to the next of 2 free hosts.')
    await assertBalances(talk, {
      [first.hostId]: 1 / 3,
      [second.hostId]: -2 / 3 + 1 / 2,
      [third]: 1 / 3 - 1 / 2,
    })
    await cancel(context, GUEST, moved, { reason: '' })
    await assertBalances(talk, { [first.hostId]: 1 / 3, [second.hostId]: -2 / 3, [third]: 1 / 3 })
  })

  it('hands a request over, which the new host answers', async () => {
    const { team, talk, ids } = await newTeam(2, { requiresApproval: true })
    const pending = await bookAt(context, team, talk, TUESDAY, { inviteeEmail: GRACE })
    await runDueJobs(context)
    const other = otherOf(ids, pending)
    const moved = await reassign(context, HOST, pending, to(other))
    assert.equal(moved.booking.status, 'PendingApproval')
    assert.deepEqual(
      await mailed(),
      [
        `${GRACE}: New host`,
        `${await addressOf(pending.hostId)}: Handed over`,
        `${await addressOf(other)}: Approval needed`,
      ].sort(),
    )
    assert.ok(under.mailbox.every(({ invitation }) => invitation === undefined))
    assert.equal((await approve(context, HOST, moved)).booking.status, 'Confirmed')
    assert.deepEqual(await startsTaken(db(), other), [TUESDAY])
  })

  it('takes all guests of a seated meeting along, and tells each host once', async () => {
    const { team, talk, ids, fixedId } = await newTeam(2, { seats: 5 }, 1)
    const first = await bookAt(context, team, talk, TUESDAY, { inviteeEmail: 'one@example.org' })
    const second = await bookAt(context, team, talk, TUESDAY, { inviteeEmail: 'two@example.org' })
    assert.equal(first.booking.meetingId, second.booking.meetingId)
    await runDueJobs(context)
    const other = otherOf(ids, first)
    await reassign(context, HOST, second, to(other))
    for (const { booking } of [first, second]) {
      const now = await getListed(db(), booking.id)
      assert.deepEqual([now.hostId, now.booking.meetingId], [other, first.booking.meetingId])
    }
    assert.deepEqual(await startsTaken(db(), first.hostId), [])
    assert.deepEqual(await startsTaken(db(), other), [TUESDAY])
    assert.deepEqual(await startsTaken(db(), fixedId), [TUESDAY])
    assert.deepEqual(
      await mailed(),
      [
        'one@example.org: New host',
        'two@example.org: New host',
        `${await addressOf(first.hostId)}: Handed over`,
        `${await addressOf(other)}: Handed over to you`,
        `${await addressOf(fixedId)}: New host`,
      ].sort(),
    )
    const methods = under.mailbox.map(({ to: address, invitation }) => [address, invitation?.method])
    assert.equal(Object.fromEntries(methods)[(await addressOf(first.hostId)) ?? ''], 'CANCEL')
  })

  it('hands over one meeting of a series or all that follow, to one host or not at all', async () => {
    const { team, talk, ids } = await newTeam(2, { series: { every: ['week'], most: 4 } })
    const first = await bookAt(context, team, talk, TUESDAY, { repeat: { every: 'week', count: 4 } })
    await runDueJobs(context)
    const other = otherOf(ids, first)
    const { series } = first.booking
    const hosts = async () => {
      const rows = db()
        .selectFrom('bookings')
        .select('host_id')
        .where('series_id', '=', series?.id ?? '')
      return (await rows.orderBy('starts_at').execute()).map((row) => row.host_id)
    }
    const bookings = await db()
      .selectFrom('bookings')
      .select('id')
      .where('series_id', '=', series?.id ?? '')
      .orderBy('starts_at')
      .execute()
    const get = (i: number) => getListed(db(), bookings[i]?.id ?? '')
    await reassign(context, HOST, await get(3), { ...to(other), scope: 'one' })
    assert.deepEqual(await hosts(), [first.hostId, first.hostId, first.hostId, other])
    assert.equal((await mailed()).length, 3)
    // A quarter of the turn went back; nobody else was free.
    await assertBalances(talk, { [first.hostId]: -3 / 8, [other]: 3 / 8 })
    await reassign(context, HOST, await get(1), { ...to(other), scope: 'following' })
    assert.deepEqual(await hosts(), [first.hostId, other, other, other])
    await assertBalances(talk, { [first.hostId]: -1 / 8, [other]: 1 / 8 })
    assert.equal((await mailed()).length, 3)
    const former = under.mailbox.find(({ subject }) => subject.startsWith('Handed over:'))
    // Of the series, the former host keeps the first meeting.
    assert.match(former?.invitation?.ics ?? '', /RRULE:.*COUNT=1/)
    await reassign(context, HOST, await get(0), { ...to(other), scope: 'following' })
    await mailed()
    const last = under.mailbox.find(({ subject }) => subject.startsWith('Handed over:'))
    assert.equal(last?.invitation?.method, 'CANCEL')
    // All or none: one of them is in the way.
    const own = await addEventType(db(), { id: first.hostId }, { slug: 'own' })
    const [{ slug }] = (await db()
      .selectFrom('schedulers')
      .select('slug')
      .where('id', '=', first.hostId)
      .execute()) as [{ slug: string }]
    await bookAt(context, { slug } as Scheduler, own, TUESDAY + 7 * DAY)
    const refused = reassign(context, HOST, await get(0), { ...to(first.hostId), scope: 'following' })
    await assert.rejects(refused, refusal('host_unavailable'))
    assert.deepEqual(await hosts(), [other, other, other, other])
  })

  it('takes meetings from a host who has left the event type', async () => {
    const { team, talk, ids } = await newTeam(2)
    const left = await bookAt(context, team, talk, TUESDAY)
    const other = otherOf(ids, left)
    await changeElsewhere(db(), team.id, (trx) => deleteTeamHost(trx, team.id, left.hostId))
    const moved = await reassign(context, HOST, left, AUTOMATIC)
    assert.deepEqual([moved.hostId, moved.assignment?.changes], [other, {}])
    assert.deepEqual(await startsTaken(db(), left.hostId), [])
    await assertBalances(talk, { [other]: 0 })
  })

  it('loses or wins a race with a cancellation, a new time and another booking, and never overlaps', async () => {
    const contexts = [context]
    if (engine === 'postgres') {
      const other = openPatiently(url())
      others.push(other)
      contexts.push(contextOn(other, { now: clock.now }).context)
    }
    let turn = 0
    const any = () => contexts[turn++ % contexts.length] as Context
    const outcomes = new Set<string>()
    for (let round = 0; round < repeat({ few: 12, many: 300 }); round++) {
      const { team, talk, ids } = await newTeam(2, { reminderMinutes: [] })
      const at = TUESDAY + (round % 4) * DAY
      const before = await bookAt(any(), team, talk, at)
      const other = otherOf(ids, before)
      const seen = await getListed(db(), before.booking.id)
      const tries: readonly [string, () => Promise<unknown>][] = [
        ['reassign', () => reassign(any(), HOST, seen, round % 2 === 0 ? to(other) : AUTOMATIC)],
        ['cancel', () => cancel(any(), GUEST, seen, { reason: '' })],
        ['reschedule', () => reschedule(any(), GUEST, seen, { startsAt: at + HOUR, reason: '' })],
        ['book', () => bookAt(any(), team, talk, at)],
      ]
      const chosen = [tries[0], tries[1 + (round % 3)], ...(round % 5 === 0 ? [tries[3]] : [])]
      const rotated = round % 2 === 0 ? chosen : chosen.toReversed()
      const settled = await Promise.allSettled(
        rotated.map(async (one) => [one?.[0], await one?.[1]()] as const),
      )
      for (const one of settled) {
        if (one.status === 'fulfilled') outcomes.add(String(one.value[0]))
        else
          assert.ok(
            ['state_conflict', 'host_unavailable', 'slot_unavailable'].includes(one.reason.code),
            one.reason,
          )
      }
      await assertWhole(before.booking.id, ids)
    }
    assert.ok(outcomes.has('reassign') && outcomes.size > 1, [...outcomes].join())
  })

  /** Each active booking takes exactly its host's time, nothing overlaps, and each change was announced once. */
  async function assertWhole(bookingId: string, ids: readonly string[]): Promise<void> {
    const claims = await db().selectFrom('claims').selectAll().where('host_id', 'in', ids).execute()
    const bookings = await db().selectFrom('bookings').selectAll().where('host_id', 'in', ids).execute()
    const active = bookings.filter(({ status }) => status === 'Confirmed')
    assert.deepEqual(
      claims.map((claim) => `${claim.host_id} ${claim.meeting_id} ${claim.starts_at}`).sort(),
      active.map((booking) => `${booking.host_id} ${booking.meeting_id} ${booking.starts_at}`).sort(),
    )
    for (const [i, one] of claims.entries()) {
      for (const two of claims.slice(i + 1)) {
        const spans = [one, two].map(({ starts_at, ends_at }) => ({ start: starts_at, end: ends_at }))
        assert.ok(one.host_id !== two.host_id || !overlaps(spans[0] as never, spans[1] as never))
      }
    }
    const changes = await changesOf(db(), bookingId)
    const { booking } = await getListed(db(), bookingId)
    assert.deepEqual(
      changes.map(({ sequence }) => sequence),
      Array.from({ length: booking.sequence }, (_, i) => i + 1),
    )
  }
})
