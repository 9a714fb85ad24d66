import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { bookAt, changesOf, getListed, startsTaken } from '../../../../test/bookings.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { addEventType, addTeam, addUser, contextOn, MONDAY_NOON, stoppedClock } from '../../../../test/kit.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { DAY, HOUR, MINUTE } from '../../../domain/interval.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import type { ProblemCode } from '../../../domain/problem.ts'
import { type Context, createContext } from '../../context.ts'
import { cancel } from '../cancel.ts'
import { declineUnanswered } from '../host/decline-unanswered.ts'
import { getBookingChange } from '../load-change.ts'
import { reschedule } from './reschedule.ts'

const TUESDAY = MONDAY_NOON + DAY - 3 * HOUR
const QUARTER = 15 * MINUTE
const GUEST: Author = { by: 'guest' }
const HOST: Author = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }

const refusal =
  (code: ProblemCode, words = /./) =>
  (error: unknown) => {
    assert.equal((error as { code?: string }).code, code, (error as Error).message)
    assert.match((error as Error).message, words)
    return true
  }

onEveryDatabase('rescheduling', ({ db }) => {
  const clock = stoppedClock()
  let context: Context
  before(async () => {
    ;({ context } = contextOn(db(), { now: clock.now }))
  })

  let people = 0
  const newHost = () => addUser(db(), `host-${people++}`)
  const typeOf = async (given: Partial<EventType> = {}) => {
    const ada = await newHost()
    return { ada, talk: await addEventType(db(), ada, given) }
  }
  const to = (startsAt: number, reason = '') => ({ startsAt, reason })
  const listed = async (owner: Scheduler, eventType: EventType, timezone = 'UTC') => {
    const query = { dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone }
    const key = `${owner.slug} ${eventType.slug} ${timezone}`
    const listing = await context.slots.list(owner.slug, eventType.slug, query, { key })
    const days: { slots: { startTime: string }[] }[] = JSON.parse(Buffer.from(listing).toString())
    return days.flatMap(({ slots }) => slots.map(({ startTime }) => Date.parse(startTime)))
  }

  it('keeps the id, takes the new time and frees the old one at once', async () => {
    const { ada, talk } = await typeOf()
    const before = await bookAt(context, ada, talk, TUESDAY)
    assert.ok(!(await listed(ada, talk)).includes(TUESDAY))
    const after = await reschedule(context, GUEST, before, to(TUESDAY + HOUR, 'The train is late.'))
    assert.deepEqual(await getListed(db(), before.booking.id), after)
    const { startsAt, endsAt, sequence, status, meetingId } = after.booking
    assert.deepEqual([startsAt, endsAt, sequence], [TUESDAY + HOUR, TUESDAY + 90 * MINUTE, 1])
    assert.equal(status, 'Confirmed')
    assert.equal(meetingId, before.booking.meetingId)
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY + HOUR])
    const open = await listed(ada, talk)
    assert.ok(open.includes(TUESDAY) && !open.includes(TUESDAY + HOUR))

    const [announced, ...more] = await changesOf(db(), before.booking.id)
    assert.equal(more.length, 0)
    assert.equal(announced?.previousStartsAt, TUESDAY)
    const change = await getBookingChange(db(), announced as never)
    assert.equal(change.reason, 'The train is late.')
    assert.equal(change.booking.startsAt, TUESDAY + HOUR)
    // It is there already: nothing changes, and nothing is announced.
    assert.deepEqual(await reschedule(context, GUEST, before, to(TUESDAY + HOUR)), after)
    assert.equal((await changesOf(db(), before.booking.id)).length, 1)
  })

  it('may overlap the booking’s own time', async () => {
    const { ada, talk } = await typeOf({
      intervalMinutes: 15,
      bufferBeforeMinutes: 10,
      bufferAfterMinutes: 10,
    })
    const before = await bookAt(context, ada, talk, TUESDAY)
    const after = await reschedule(context, GUEST, before, to(TUESDAY + QUARTER))
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY + QUARTER])
    await reschedule(context, HOST, after, to(TUESDAY))
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY])
  })

  it('follows the rules of booking, and changes nothing when they refuse', async () => {
    const { ada, talk } = await typeOf({ limits: { day: 2, week: null, month: null } })
    const other = await addEventType(db(), ada)
    const mine = await bookAt(context, ada, talk, TUESDAY)
    await bookAt(context, ada, other, TUESDAY + HOUR)
    const unavailable = [
      TUESDAY + HOUR,
      TUESDAY + QUARTER,
      TUESDAY - HOUR,
      MONDAY_NOON - DAY,
      MONDAY_NOON + 100 * DAY,
      TUESDAY + 1,
      TUESDAY + 0.5,
    ]
    for (const startsAt of unavailable) {
      await assert.rejects(reschedule(context, GUEST, mine, to(startsAt)), refusal('slot_unavailable'))
    }
    // Wednesday has two already; on Tuesday, the booking itself does not count.
    const full = [await bookAt(context, ada, talk, TUESDAY + DAY)]
    full.push(await bookAt(context, ada, talk, TUESDAY + DAY + HOUR))
    await assert.rejects(
      reschedule(context, GUEST, mine, to(TUESDAY + DAY + 2 * HOUR)),
      refusal('slot_unavailable'),
    )
    await bookAt(context, ada, talk, TUESDAY + 5 * HOUR)
    assert.deepEqual(await getListed(db(), mine.booking.id), mine)
    assert.deepEqual(await changesOf(db(), mine.booking.id), [])
    await reschedule(context, GUEST, mine, to(TUESDAY + 4 * HOUR))
  })

  it('refuses a time at which the guest has another booking', async () => {
    const { ada, talk } = await typeOf({ seats: 5 })
    const inviteeEmail = 'twice@guests.example'
    const first = await bookAt(context, ada, talk, TUESDAY, { inviteeEmail })
    await bookAt(context, ada, talk, TUESDAY + HOUR, { inviteeEmail })
    await assert.rejects(
      reschedule(context, GUEST, first, to(TUESDAY + HOUR)),
      refusal('duplicate_booking', /already booked/),
    )
    assert.deepEqual(await getListed(db(), first.booking.id), first)
  })

  it('lets a host ignore notice and window, but nothing else', async () => {
    const { ada, talk } = await typeOf({ noticeMinutes: 24 * 60, window: { kind: 'rolling', days: 10 } })
    const mine = await bookAt(context, ada, talk, TUESDAY + DAY)
    await assert.rejects(
      reschedule(context, GUEST, mine, to(MONDAY_NOON + HOUR)),
      refusal('slot_unavailable'),
    )
    const soon = await reschedule(context, HOST, mine, to(MONDAY_NOON + HOUR))
    const far = await reschedule(context, HOST, soon, to(TUESDAY + 28 * DAY))
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY + 28 * DAY])
    for (const startsAt of [MONDAY_NOON - HOUR, TUESDAY - 5 * HOUR, TUESDAY + QUARTER]) {
      await assert.rejects(reschedule(context, HOST, far, to(startsAt)), refusal('slot_unavailable'))
    }
  })

  it('is open to guests until the cutoff, and only for active bookings', async () => {
    const { ada, talk } = await typeOf({ rescheduleNoticeMinutes: 120 })
    const mine = await bookAt(context, ada, talk, TUESDAY)
    clock.moveTo(TUESDAY - 2 * HOUR)
    await assert.rejects(reschedule(context, GUEST, mine, to(TUESDAY + HOUR)), refusal('too_late', /contact/))
    const moved = await reschedule(context, HOST, mine, to(TUESDAY + HOUR))
    clock.moveTo(MONDAY_NOON)
    const cancelled = await cancel(context, HOST, moved, { reason: '' })
    for (const seen of [mine, moved, cancelled]) {
      await assert.rejects(
        reschedule(context, HOST, seen, to(TUESDAY)),
        refusal('state_conflict', /cancelled/),
      )
    }
  })

  it('needs a new approval when a guest moves the booking, but not when a host does', async () => {
    const { ada, talk } = await typeOf({ requiresApproval: true })
    const pending = await bookAt(context, ada, talk, TUESDAY)
    const still = await reschedule(context, HOST, pending, to(TUESDAY + HOUR))
    assert.equal(still.booking.status, 'PendingApproval')
    await db()
      .updateTable('bookings')
      .set({ status: 'Confirmed' })
      .where('id', '=', pending.booking.id)
      .execute()
    const confirmed = await getListed(db(), pending.booking.id)
    const byHost = await reschedule(context, HOST, confirmed, to(TUESDAY))
    assert.equal(byHost.booking.status, 'Confirmed')
    // Late: the request counts from now, not from when the booking was made.
    clock.moveTo(TUESDAY - 40 * MINUTE)
    const byGuest = await reschedule(context, GUEST, byHost, to(TUESDAY + 30 * MINUTE))
    assert.equal(byGuest.booking.status, 'PendingApproval')
    clock.moveTo(TUESDAY - 10 * MINUTE)
    await declineUnanswered(context)
    assert.equal((await getListed(db(), pending.booking.id)).booking.status, 'PendingApproval')
    clock.moveTo(TUESDAY)
    await declineUnanswered(context)
    assert.equal((await getListed(db(), pending.booking.id)).booking.status, 'Declined')
    assert.deepEqual(await startsTaken(db(), ada.id), [])
    clock.moveTo(MONDAY_NOON)
  })

  it('joins a seated meeting or starts one, and leaves other guests where they are', async () => {
    const { ada, talk } = await typeOf({ seats: 2 })
    const [first, second] = [
      await bookAt(context, ada, talk, TUESDAY),
      await bookAt(context, ada, talk, TUESDAY),
    ]
    const third = await bookAt(context, ada, talk, TUESDAY + HOUR)
    const joined = await reschedule(context, GUEST, first, to(TUESDAY + HOUR))
    assert.equal(joined.booking.meetingId, third.booking.meetingId)
    assert.deepEqual([third.seat, joined.seat], [1, 2])
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY, TUESDAY + HOUR])
    await assert.rejects(reschedule(context, GUEST, second, to(TUESDAY + HOUR)), refusal('slot_unavailable'))
    const alone = await reschedule(context, GUEST, joined, to(TUESDAY + 2 * HOUR))
    assert.notEqual(alone.booking.meetingId, third.booking.meetingId)
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY, TUESDAY + HOUR, TUESDAY + 2 * HOUR])
    await reschedule(context, GUEST, second, to(TUESDAY + 2 * HOUR))
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY + HOUR, TUESDAY + 2 * HOUR])
  })

  it('keeps the round-robin host if free, and picks another if not', async () => {
    const [ada, bob] = [await newHost(), await newHost()]
    const team = await addTeam(db(), `team-${people++}`)
    const hosts = [ada, bob].map(({ id }) => ({ hostId: id, fixed: false }))
    const shared = await addEventType(db(), team, { assignment: 'round-robin' }, hosts)
    const mine = await bookAt(context, team, shared, TUESDAY)
    const kept = await reschedule(context, GUEST, mine, to(TUESDAY + HOUR))
    assert.equal(kept.hostId, mine.hostId)
    const [host, colleague] = mine.hostId === ada.id ? [ada, bob] : [bob, ada]
    await bookAt(context, host, await addEventType(db(), host), TUESDAY + 2 * HOUR)
    const given = await reschedule(context, GUEST, kept, to(TUESDAY + 2 * HOUR))
    assert.equal(given.hostId, colleague.id)
    assert.deepEqual(await startsTaken(db(), host.id), [TUESDAY + 2 * HOUR])
    assert.deepEqual(await startsTaken(db(), colleague.id), [TUESDAY + 2 * HOUR])
    const change = await getBookingChange(db(), (await changesOf(db(), mine.booking.id)).at(-1) as never)
    assert.deepEqual(
      change.hosts.map(({ id }) => id),
      [colleague.id],
    )
    assert.deepEqual(
      change.formerHosts?.map(({ id }) => id),
      [host.id],
    )
    await bookAt(context, colleague, await addEventType(db(), colleague), TUESDAY + 3 * HOUR)
    await bookAt(context, host, await addEventType(db(), host), TUESDAY + 3 * HOUR)
    await assert.rejects(
      reschedule(context, HOST, given, to(TUESDAY + 3 * HOUR)),
      refusal('slot_unavailable'),
    )
  })

  it('needs all hosts of a collective meeting to be free', async () => {
    const [ada, bob] = [await newHost(), await newHost()]
    const team = await addTeam(db(), `team-${people++}`)
    const hosts = [ada, bob].map(({ id }) => ({ hostId: id, fixed: true }))
    const together = await addEventType(db(), team, {}, hosts)
    const mine = await bookAt(context, team, together, TUESDAY)
    await bookAt(context, bob, await addEventType(db(), bob), TUESDAY + HOUR)
    await assert.rejects(reschedule(context, HOST, mine, to(TUESDAY + HOUR)), refusal('slot_unavailable'))
    await reschedule(context, HOST, mine, to(TUESDAY + 2 * HOUR))
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY + 2 * HOUR])
    assert.deepEqual(await startsTaken(db(), bob.id), [TUESDAY + HOUR, TUESDAY + 2 * HOUR])
  })

  /** Runs both at once from two instances and returns those that succeeded. */
  async function race(...attempts: ((of: Context) => Promise<ListedBooking>)[]): Promise<ListedBooking[]> {
    const instances = [context, createContext({ ...context, now: clock.now })]
    const outcomes = await Promise.allSettled(
      attempts.map((attempt, i) => attempt(instances[i % 2] as Context)),
    )
    return outcomes.flatMap((outcome) => {
      if (outcome.status === 'fulfilled') return [outcome.value]
      assert.match((outcome.reason as { code?: string }).code ?? '', /state_conflict|slot_unavailable/)
      return []
    })
  }

  it('lets one of two bookings move into the same slot', async () => {
    for (let round = 0; round < 8; round++) {
      const { ada, talk } = await typeOf()
      const one = await bookAt(context, ada, talk, TUESDAY)
      const two = await bookAt(context, ada, talk, TUESDAY + HOUR)
      const there = to(TUESDAY + 2 * HOUR)
      const won = await race(
        (of) => reschedule(of, GUEST, one, there),
        (of) => reschedule(of, GUEST, two, there),
      )
      assert.equal(won.length, 1)
      const lost = won[0]?.booking.id === one.booking.id ? two : one
      assert.deepEqual(await getListed(db(), lost.booking.id), lost)
      assert.deepEqual(await startsTaken(db(), ada.id), [lost.booking.startsAt, there.startsAt])
      assert.deepEqual(await changesOf(db(), lost.booking.id), [])
      assert.equal((await changesOf(db(), won[0]?.booking.id ?? '')).length, 1)
    }
  })

  it('keeps a daily limit when two bookings move into one day at once', async () => {
    for (let round = 0; round < 8; round++) {
      const { ada, talk } = await typeOf({ limits: { day: 1, week: null, month: null } })
      const one = await bookAt(context, ada, talk, TUESDAY)
      const two = await bookAt(context, ada, talk, TUESDAY + DAY)
      const won = await race(
        (of) => reschedule(of, GUEST, one, to(TUESDAY + 2 * DAY)),
        (of) => reschedule(of, GUEST, two, to(TUESDAY + 2 * DAY + HOUR)),
      )
      assert.equal(won.length, 1)
    }
  })

  it('and cancelling at the same time leave a consistent booking', async () => {
    for (let round = 0; round < 8; round++) {
      const { ada, talk } = await typeOf()
      const mine = await bookAt(context, ada, talk, TUESDAY)
      const won = await race(
        (of) => reschedule(of, GUEST, mine, to(TUESDAY + HOUR)),
        (of) => cancel(of, HOST, mine, { reason: '' }),
      )
      // Both saw the same version, so the second one finds a newer one.
      assert.equal(won.length, 1)
      const { booking } = await getListed(db(), mine.booking.id)
      assert.deepEqual(booking, won[0]?.booking)
      assert.deepEqual(
        await startsTaken(db(), ada.id),
        booking.status === 'Cancelled' ? [] : [TUESDAY + HOUR],
      )
      const announced = await changesOf(db(), mine.booking.id)
      assert.deepEqual(
        announced.map(({ type }) => type),
        [booking.status === 'Cancelled' ? 'cancelled' : 'rescheduled'],
      )
    }
  })
})
