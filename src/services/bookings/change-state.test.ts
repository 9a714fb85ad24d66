import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { bookAt, changesOf, getListed, startsTaken } from '../../../test/bookings.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, contextOn, MONDAY_NOON, stoppedClock } from '../../../test/kit.ts'
import type { Author } from '../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { ProblemCode } from '../../domain/problem.ts'
import { type Context, createContext } from '../context.ts'
import { cancel } from './cancel.ts'
import { completeBookings } from './complete.ts'
import { approve } from './host/approve.ts'
import { decline } from './host/decline.ts'
import { declineUnanswered, UNANSWERED } from './host/decline-unanswered.ts'
import { markNoShow } from './host/mark-no-show.ts'
import { getBookingChange } from './load-change.ts'

const TUESDAY = MONDAY_NOON + DAY - 3 * HOUR
const GUEST: Author = { by: 'guest' }

const refusal = (code: ProblemCode, words: RegExp) => (error: unknown) => {
  assert.equal((error as { code?: string }).code, code)
  assert.match((error as Error).message, words)
  return true
}

onEveryDatabase('changing a booking’s state', ({ db }) => {
  const clock = stoppedClock()
  let context: Context
  let host: Author
  before(async () => {
    ;({ context } = contextOn(db(), { now: clock.now }))
    host = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }
  })

  let people = 0
  const newHost = () => addUser(db(), `host-${people++}`)
  const pendingAt = async (startsAt: number, owner?: Scheduler) => {
    const ada = owner ?? (await newHost())
    return bookAt(context, ada, await addEventType(db(), ada, { requiresApproval: true }), startsAt)
  }
  const confirmedAt = async (startsAt: number, given = {}) => {
    const ada = await newHost()
    return bookAt(context, ada, await addEventType(db(), ada, given), startsAt)
  }
  const statusOf = async ({ booking }: ListedBooking) => (await getListed(db(), booking.id)).booking.status

  it('confirms a request once, and announces it once', async () => {
    const pending = await pendingAt(TUESDAY)
    const approved = await approve(context, host, pending)
    assert.equal(approved.booking.status, 'Confirmed')
    assert.equal(approved.booking.sequence, 1)
    assert.deepEqual(await getListed(db(), pending.booking.id), approved)
    const again = await approve(context, host, approved)
    assert.deepEqual(again, approved)
    // The same click again, from a page that still shows the old state.
    assert.deepEqual(await approve(context, host, pending), approved)

    const [announced, ...more] = await changesOf(db(), pending.booking.id)
    assert.deepEqual(more, [])
    assert.equal(announced?.type, 'approved')
    assert.equal(announced?.by, 'host')
    assert.equal(announced?.sequence, 1)
    assert.deepEqual(await startsTaken(db(), pending.hostId), [TUESDAY])
  })

  it('frees the time of a declined or cancelled booking, and keeps the reason', async () => {
    const ada = await newHost()
    const pending = await pendingAt(TUESDAY, ada)
    const declined = await decline(context, host, pending, { reason: 'Not my subject.' })
    assert.equal(declined.booking.status, 'Declined')
    assert.equal((await getListed(db(), pending.booking.id)).booking.reason, 'Not my subject.')
    assert.deepEqual(await startsTaken(db(), ada.id), [])

    const next = await pendingAt(TUESDAY, ada)
    const cancelled = await cancel(context, GUEST, next, { reason: 'Something came up.' })
    assert.equal(cancelled.booking.status, 'Cancelled')
    assert.deepEqual(await startsTaken(db(), ada.id), [])
    assert.deepEqual(await cancel(context, GUEST, next, { reason: 'Another reason.' }), cancelled)

    const change = await getBookingChange(db(), (await changesOf(db(), next.booking.id))[0] as never)
    assert.equal(change.type, 'cancelled')
    assert.equal(change.booking.reason, 'Something came up.')
    assert.deepEqual(
      change.hosts.map(({ email }) => email),
      [`${ada.slug}@hosts.example`],
    )
    assert.equal((await changesOf(db(), next.booking.id)).length, 1)
  })

  it('refuses what the booking’s state does not allow, and says why', async () => {
    const confirmed = await confirmedAt(TUESDAY)
    const stale = { ...confirmed }
    await assert.rejects(
      decline(context, host, confirmed, { reason: '' }),
      refusal('state_conflict', /confirmed/),
    )
    await cancel(context, host, confirmed, { reason: '' })
    await assert.rejects(approve(context, host, stale), refusal('state_conflict', /has been cancelled/))
    await assert.rejects(
      approve(context, host, await getListed(db(), stale.booking.id)),
      refusal('state_conflict', /has been cancelled/),
    )
    const pending = await pendingAt(TUESDAY)
    await assert.rejects(markNoShow(context, host, pending), refusal('state_conflict', /waits for approval/))
    assert.equal((await changesOf(db(), confirmed.booking.id)).length, 1)
    assert.equal((await changesOf(db(), pending.booking.id)).length, 0)
  })

  it('frees a seated meeting’s time only when its last guest has left', async () => {
    const ada = await newHost()
    const course = await addEventType(db(), ada, { seats: 3 })
    const first = await bookAt(context, ada, course, TUESDAY)
    const second = await bookAt(context, ada, course, TUESDAY)
    await cancel(context, GUEST, first, { reason: '' })
    assert.deepEqual(await startsTaken(db(), ada.id), [TUESDAY])
    const third = await bookAt(context, ada, course, TUESDAY)
    assert.equal(third.booking.meetingId, second.booking.meetingId)
    assert.equal(third.seat, 1)
    await cancel(context, host, second, { reason: '' })
    await cancel(context, GUEST, third, { reason: '' })
    assert.deepEqual(await startsTaken(db(), ada.id), [])
  })

  it('frees all hosts of a collective meeting, and announces it for all of them', async () => {
    const [ada, bob] = [await newHost(), await newHost()]
    const team = await addTeam(db(), `team-${people++}`)
    const hosts = [ada, bob].map(({ id }) => ({ hostId: id, fixed: true }))
    const together = await bookAt(context, team, await addEventType(db(), team, {}, hosts), TUESDAY)
    await cancel(context, host, together, { reason: '' })
    for (const { id } of [ada, bob]) assert.deepEqual(await startsTaken(db(), id), [])
    const [announced] = await changesOf(db(), together.booking.id)
    const change = await getBookingChange(db(), announced as never)
    assert.deepEqual(change.hosts.map(({ id }) => id).sort(), [ada.id, bob.id].sort())
    assert.equal(change.hosts[0]?.id, together.hostId)
    assert.equal(change.scheduler.kind, 'team')
  })

  it('lets guests cancel until the cutoff, and hosts even later', async () => {
    const booking = await confirmedAt(TUESDAY, { cancelNoticeMinutes: 60 })
    clock.moveTo(TUESDAY - HOUR)
    await assert.rejects(
      cancel(context, GUEST, booking, { reason: '' }),
      refusal('too_late', /contact the host/),
    )
    clock.moveTo(TUESDAY - HOUR - 1)
    const other = await confirmedAt(TUESDAY, { cancelNoticeMinutes: 60 })
    assert.equal((await cancel(context, GUEST, other, { reason: '' })).booking.status, 'Cancelled')
    clock.moveTo(TUESDAY + MINUTE)
    assert.equal((await cancel(context, host, booking, { reason: '' })).booking.status, 'Cancelled')
    clock.moveTo(MONDAY_NOON)
  })

  it('completes a meeting after its end, and allows a no-show from its start on', async () => {
    const [missed, held, later] = [
      await confirmedAt(TUESDAY),
      await confirmedAt(TUESDAY),
      await confirmedAt(TUESDAY + DAY),
    ]
    await assert.rejects(markNoShow(context, host, missed), refusal('state_conflict', /not started/))
    clock.moveTo(TUESDAY)
    assert.equal((await markNoShow(context, host, missed)).booking.status, 'NoShow')
    clock.moveTo(TUESDAY + 30 * MINUTE - 1)
    await completeBookings(context)
    assert.equal(await statusOf(held), 'Confirmed')
    clock.moveTo(TUESDAY + 30 * MINUTE)
    await completeBookings(context)
    assert.equal(await statusOf(held), 'Completed')
    assert.equal(await statusOf(missed), 'NoShow')
    assert.equal(await statusOf(later), 'Confirmed')
    const noted = await markNoShow(context, host, await getListed(db(), held.booking.id))
    assert.equal(noted.booking.status, 'NoShow')
    const types = (await changesOf(db(), held.booking.id)).map(({ type }) => type)
    assert.deepEqual(types, ['no_show'], 'without a webhook, nobody is told of the end')
    clock.moveTo(MONDAY_NOON)
  })

  it('declines a request before its start if no host answers', async () => {
    const [unanswered, answered] = [await pendingAt(TUESDAY), await pendingAt(TUESDAY)]
    await approve(context, host, answered)
    clock.moveTo(TUESDAY - HOUR - 1)
    await declineUnanswered(context)
    assert.equal(await statusOf(unanswered), 'PendingApproval')
    const late = await pendingAt(TUESDAY)
    clock.moveTo(TUESDAY - HOUR)
    await declineUnanswered(context)
    assert.equal(await statusOf(unanswered), 'Declined')
    assert.equal(await statusOf(answered), 'Confirmed')
    assert.equal(await statusOf(late), 'PendingApproval')
    clock.moveTo(TUESDAY - 30 * MINUTE)
    await declineUnanswered(context)
    assert.equal(await statusOf(late), 'Declined')
    const [announced, ...more] = await changesOf(db(), unanswered.booking.id)
    assert.equal(more.length, 0)
    assert.deepEqual([announced?.by, announced?.type, announced?.reason], ['service', 'declined', UNANSWERED])
    await assert.rejects(approve(context, host, unanswered), refusal('state_conflict', /declined/))
    clock.moveTo(MONDAY_NOON)
  })

  it('refuses to confirm a request whose time has passed', async () => {
    const pending = await pendingAt(TUESDAY)
    clock.moveTo(TUESDAY)
    await assert.rejects(approve(context, host, pending), refusal('too_late', /passed/))
    clock.moveTo(MONDAY_NOON)
  })

  it('lets one of two simultaneous answers win, from two instances', async () => {
    const other = createContext({ ...context, now: clock.now })
    for (let round = 0; round < 8; round++) {
      const pending = await pendingAt(TUESDAY)
      const outcomes = await Promise.allSettled([
        approve(context, host, pending),
        decline(other, host, pending, { reason: '' }),
        approve(other, host, pending),
      ])
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      const now = await getListed(db(), pending.booking.id)
      for (const listed of won) assert.deepEqual(listed.booking, now.booking)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') refusal('state_conflict', /./)(outcome.reason)
      }
      assert.equal(won.length, now.booking.status === 'Confirmed' ? 2 : 1)
      const announced = await changesOf(db(), pending.booking.id)
      assert.deepEqual(
        announced.map(({ status }) => status),
        [now.booking.status],
      )
      assert.deepEqual(
        await startsTaken(db(), pending.hostId),
        now.booking.status === 'Confirmed' ? [TUESDAY] : [],
      )
    }
  })
})
