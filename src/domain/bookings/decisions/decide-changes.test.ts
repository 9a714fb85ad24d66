import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  bookableBy,
  deciding,
  ledgerOf,
  NOTHING_FOUND,
  NOW,
  outcomeOf,
  wish,
} from '../../../../test/decisions.ts'
import { zones } from '../../../../test/openings.ts'
import { DAY, HOUR } from '../../interval.ts'
import type { BookableEventType } from '../bookable.ts'
import type { ChangeRecord } from '../change.ts'
import type { Ledger } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import type { Author } from './author.ts'
import { planBooking } from './decide-booking.ts'
import { planCalendarTime } from './decide-calendar-time.ts'
import { planReassignment, planSuccessors } from './decide-reassignment.ts'
import { type Move, planReschedule } from './decide-reschedule.ts'
import { planStates, type StateChange } from './decide-states.ts'
import { planSuccession } from './decide-succession.ts'
import { planUndo } from './decide-undo.ts'
import type { Decision } from './decision.ts'

const TEN = NOW + 2 * HOUR
const WEEK = 7 * DAY
const GUEST: Author = { by: 'guest' }
const HOST: Author = { by: 'host', actor: { userId: 'ada', email: 'ada@hosts.example' } }

/** An event type, its ledger, and what guests and hosts do with it, one after the other. */
function stage(hostIds: readonly string[], given: Parameters<typeof bookableBy>[1] = {}) {
  const bookable = bookableBy(hostIds, given)
  const ledger = ledgerOf(bookable)
  const decide = deciding(ledger)
  const book = (startsAt: number, more: Parameters<typeof wish>[2] = {}): ListedBooking[] => {
    const made = decide(planBooking(wish(bookable, startsAt, more), NOW))
    assert.ok(made.kind === 'done', outcomeOf(made))
    return (made.writes.bookings ?? []).map(
      ({ booking }) => ledger.bookings.find(booking.id) as ListedBooking,
    )
  }
  const bookOne = (...args: Parameters<typeof book>) => book(...args)[0] as ListedBooking
  const move = (moves: readonly Move[], author = GUEST, at = NOW, found = NOTHING_FOUND) => {
    const zone = zones.get('Europe/Berlin')
    const wanted = { bookable, moves: moves as [Move, ...Move[]], author, reason: '', zone }
    return decide(planReschedule(wanted, at), { now: at, found })
  }
  const change = (all: readonly ListedBooking[], to: StateChange['to'], more: Partial<StateChange> = {}) =>
    decide(planStates(all as [ListedBooking], { to, author: HOST, ...more }, NOW))
  return { bookable, ledger, decide, book, bookOne, move, change }
}

/** What is announced, as kinds of change with the ids of the bookings. */
const toldBy = (decision: Decision<unknown>) =>
  decision.kind !== 'done'
    ? assert.fail(outcomeOf(decision))
    : (decision.writes.jobs ?? []).map(({ data }) => data as ChangeRecord)

const startsOf = (ledger: Ledger, all: readonly ListedBooking[]) =>
  all.map(({ booking }) => ledger.bookings.find(booking.id)?.booking.startsAt)

describe('a decision to move a booking', () => {
  it('takes the new time, frees the old one, and tells of both', () => {
    const { ledger, bookOne, move } = stage(['ada'])
    const seen = bookOne(TEN)
    const moved = move([{ seen, startsAt: TEN + HOUR }])
    assert.ok(moved.kind === 'done')
    assert.deepEqual(
      [moved.result.moved.booking.startsAt, moved.result.moved.booking.sequence],
      [TEN + HOUR, 1],
    )
    const [record] = toldBy(moved)
    assert.deepEqual([record?.type, record?.previousStartsAt], ['rescheduled', TEN])
    assert.deepEqual(
      ledger.claims.of('ada').map(({ startsAt }) => startsAt),
      [TEN + HOUR],
    )
    bookOne(TEN, { email: 'next@guests.example' })
  })

  it('is refused where another meeting is, and changes nothing then', () => {
    const { ledger, bookOne, move } = stage(['ada'])
    const seen = bookOne(TEN)
    bookOne(TEN + HOUR)
    const refused = move([{ seen, startsAt: TEN + HOUR }])
    assert.ok(refused.kind === 'refused' && refused.problem.code === 'slot_unavailable')
    assert.deepEqual(refused.writes, {})
    assert.deepEqual(startsOf(ledger, [seen]), [TEN])
  })

  it('may overlap its own time, but not the meeting in which other guests stay', () => {
    const alone = stage(['ada'], { intervalMinutes: 30 })
    const seen = alone.bookOne(TEN)
    assert.equal(outcomeOf(alone.move([{ seen, startsAt: TEN + HOUR / 2 }])), 'done')
    const seated = stage(['ada'], { intervalMinutes: 30, seats: 2 })
    const first = seated.bookOne(TEN, { email: 'one@guests.example' })
    seated.bookOne(TEN, { email: 'two@guests.example' })
    assert.equal(outcomeOf(seated.move([{ seen: first, startsAt: TEN + HOUR / 2 }])), 'slot_unavailable')
    const left = seated.move([{ seen: first, startsAt: TEN + HOUR }])
    assert.ok(left.kind === 'done')
    // Those who stay keep the meeting.
    assert.notEqual(left.result.moved.booking.meetingId, first.booking.meetingId)
    assert.equal(seated.ledger.claims.of('ada').length, 2)
  })

  it('is done once for two who ask for the same, and refused to one who saw an older state', () => {
    const { bookOne, move } = stage(['ada'])
    const seen = bookOne(TEN)
    const same = { seen, startsAt: TEN + HOUR }
    const [first, second] = [move([same]), move([same])]
    assert.ok(first.kind === 'done' && second.kind === 'done')
    assert.deepEqual([toldBy(first).length, toldBy(second).length], [1, 0])
    assert.equal(outcomeOf(move([{ seen, startsAt: TEN + 2 * HOUR }])), 'state_conflict')
  })

  it('comes too late for guests after the notice, but not for hosts', () => {
    const { bookOne, move } = stage(['ada'], { rescheduleNoticeMinutes: 60 })
    const seen = bookOne(TEN)
    const late = { seen, startsAt: TEN + DAY }
    assert.equal(outcomeOf(move([late], GUEST, TEN - HOUR)), 'too_late')
    assert.equal(outcomeOf(move([late], HOST, TEN - HOUR)), 'done')
  })

  it('counts in the mail cap of everyone who is told, unless a host moves it', () => {
    const { ledger, bookOne, move } = stage(['ada'])
    let seen = bookOne(TEN, { email: 'grace@guests.example', guests: ['tom+1@guests.example'] })
    const moved = (times: number, author: Author = GUEST) => {
      const decision = move([{ seen, startsAt: TEN + times * HOUR }], author)
      if (decision.kind === 'done') seen = decision.result.moved
      return decision
    }
    for (let times = 1; times < 5; times++) assert.equal(outcomeOf(moved(times)), 'done')
    assert.equal(ledger.guests.mailsTo('tom@guests.example').length, 5)
    const refused = moved(5)
    assert.ok(refused.kind === 'needs' && refused.need.what === 'exemption', outcomeOf(refused))
    assert.equal(refused.need.otherwise.code, 'rate_limited')
    assert.equal(outcomeOf(moved(6, HOST)), 'done')
    const mails = new Set(['grace@guests.example'])
    const exempt = { mails, open: new Set<string>() }
    const again = { seen, startsAt: TEN }
    const known = move([again], GUEST, NOW, { ...NOTHING_FOUND, exempt })
    assert.ok(known.kind === 'needs' && known.need.what === 'exemption' && known.need.email.startsWith('tom'))
    assert.equal(outcomeOf(move([again], GUEST, NOW + HOUR)), 'done')
  })

  it('is refused to a guest after ten times in a day, but not to a host', () => {
    const { bookOne, move } = stage(['ada'])
    let seen = bookOne(TEN + 3 * DAY)
    const moved = (times: number, at: number, author: Author = GUEST) => {
      const decision = move([{ seen, startsAt: TEN + 3 * DAY + times * HOUR }], author, at)
      if (decision.kind === 'done') seen = decision.result.moved
      return decision
    }
    for (let times = 1; times <= 10; times++) {
      assert.equal(outcomeOf(moved(times, NOW + times * HOUR)), 'done', `${times}`)
    }
    assert.equal(outcomeOf(moved(11, NOW + 11 * HOUR, HOST)), 'done')
    const refused = moved(12, NOW + 12 * HOUR)
    assert.ok(refused.kind === 'refused' && refused.problem.code === 'rate_limited', outcomeOf(refused))
    assert.equal(refused.problem.retryAfter, 13 * 3600)
    assert.equal(outcomeOf(moved(12, NOW + 25 * HOUR)), 'done')
  })

  it('asks for approval again where guests need it', () => {
    const { bookOne, move, change } = stage(['ada'], { requiresApproval: true })
    const seen = bookOne(TEN)
    const approved = change([seen], 'Confirmed')
    assert.ok(approved.kind === 'done')
    const moved = move([{ seen: approved.result.changed, startsAt: TEN + HOUR }])
    assert.ok(moved.kind === 'done')
    assert.equal(moved.result.moved.booking.status, 'PendingApproval')
    assert.equal(moved.writes.updates?.[0]?.requestedAt, NOW)
  })

  it('keeps the host if they are free, and gives the turn back if another takes over', () => {
    const { ledger, bookOne, move } = stage(['ada', 'ben'], { assignment: 'round-robin' })
    const balances = () =>
      Object.fromEntries(ledger.turns.of('talk').map((turn) => [turn.hostId, turn.balance]))
    const seen = bookOne(TEN)
    assert.equal(seen.hostId, 'ada')
    const kept = move([{ seen, startsAt: TEN + HOUR }])
    assert.ok(kept.kind === 'done' && kept.result.moved.hostId === 'ada')
    assert.deepEqual(balances(), { ada: -0.5, ben: 0.5 })
    const [own] = ledger.claims.of('ada')
    assert.ok(own)
    const times = { startsAt: TEN + DAY, endsAt: TEN + DAY + HOUR }
    ledger.claims.add({ hostId: 'ada', claim: { ...own, ...times, meetingId: 'other' } })
    const passed = move([{ seen: kept.result.moved, startsAt: TEN + DAY }])
    assert.ok(passed.kind === 'done' && passed.result.moved.hostId === 'ben')
    assert.deepEqual(toldBy(passed)[0]?.formerHostIds, ['ada'])
    assert.deepEqual(balances(), { ada: 0, ben: 0 })
  })

  it('moves a series as a whole, also onto its own times, and names all dates in the way', () => {
    const { ledger, book, bookOne, move } = stage(['ada'])
    const series = book(TEN, { repeat: { every: 'week', count: 3 } })
    const shifted = series.map((seen) => ({ seen, startsAt: seen.booking.startsAt + WEEK }))
    const moved = move(shifted)
    assert.ok(moved.kind === 'done')
    assert.deepEqual(
      startsOf(ledger, series),
      [1, 2, 3].map((week) => TEN + week * WEEK),
    )
    // Guests hear of the series once.
    assert.deepEqual(
      toldBy(moved)
        .map(({ together }) => together?.length ?? 0)
        .sort(),
      [0, 0, 3],
    )
    bookOne(TEN, { email: 'other@guests.example' })
    const present = series.map(({ booking }) => ledger.bookings.find(booking.id) as ListedBooking)
    const back = move(present.map((seen) => ({ seen, startsAt: seen.booking.startsAt - WEEK })))
    assert.ok(back.kind === 'refused')
    assert.match(back.problem.message, /Not available on 2027-01-11\./)
    assert.deepEqual(
      startsOf(ledger, present),
      [1, 2, 3].map((week) => TEN + week * WEEK),
    )
  })

  it('lets a host put a meeting anywhere, with all guests, but not onto another meeting', () => {
    const { ledger, decide, bookOne } = stage(['ada'], { seats: 2 })
    const first = bookOne(TEN, { email: 'one@guests.example' })
    const second = bookOne(TEN, { email: 'two@guests.example' })
    bookOne(TEN + DAY, { email: 'three@guests.example' })
    const to = (start: number) =>
      decide(
        planCalendarTime({
          seen: first,
          span: { start, end: start + HOUR / 4 },
          author: HOST,
          reason: '',
          hostIds: ['ada'],
          bookingIds: [first.booking.id, second.booking.id],
        }),
      )
    assert.equal(outcomeOf(to(TEN + DAY)), 'slot_unavailable')
    const moved = to(TEN + HOUR / 6)
    assert.equal(toldBy(moved).length, 2)
    assert.deepEqual(startsOf(ledger, [first, second]), [TEN + HOUR / 6, TEN + HOUR / 6])
  })
})

describe('a decision to change a state', () => {
  it('follows the table of states, and repeats nothing', () => {
    const { bookOne, change } = stage(['ada'])
    const seen = bookOne(TEN)
    const cancelled = change([seen], 'Cancelled', { author: GUEST, reason: 'A cold.' })
    assert.deepEqual(
      toldBy(cancelled).map(({ type, by, reason }) => [type, by, reason]),
      [['cancelled', 'guest', 'A cold.']],
    )
    const again = change([seen], 'Cancelled')
    assert.ok(again.kind === 'done')
    assert.deepEqual(again.writes, {})
    assert.equal(outcomeOf(change([seen], 'Confirmed')), 'state_conflict')
  })

  it('frees the time with the last guest of a meeting, and gives the turn back', () => {
    const { ledger, bookOne, change } = stage(['ada'], { assignment: 'round-robin', seats: 2 })
    const first = bookOne(TEN, { email: 'one@guests.example' })
    const second = bookOne(TEN, { email: 'two@guests.example' })
    const free = (listed: ListedBooking) => {
      const decision = change([listed], 'Cancelled')
      assert.ok(decision.kind === 'done')
      return decision.writes.freedMeetings ?? []
    }
    assert.deepEqual(free(first), [])
    assert.deepEqual(free(second), [second.booking.meetingId])
    assert.deepEqual(ledger.claims.of('ada'), [])
    const robin = stage(['ada', 'ben'], { assignment: 'round-robin' })
    assert.equal(outcomeOf(robin.change([robin.bookOne(TEN)], 'Cancelled')), 'done')
    assert.deepEqual(
      robin.ledger.turns.of('talk').map(({ balance }) => balance),
      [0, 0],
    )
  })

  it('changes all of a series or none, and tells once', () => {
    const { ledger, book, change } = stage(['ada'], { requiresApproval: true })
    const series = book(TEN, { repeat: { every: 'week', count: 3 } })
    const approved = change(series, 'Confirmed')
    assert.deepEqual(
      toldBy(approved)
        .map(({ together }) => together?.length ?? 0)
        .sort(),
      [0, 0, 3],
    )
    const stale = [series[0] as ListedBooking, ...series.slice(1)]
    assert.equal(outcomeOf(change(stale, 'Cancelled')), 'state_conflict')
    for (const { booking } of series) {
      assert.equal(ledger.bookings.find(booking.id)?.booking.status, 'Confirmed')
    }
  })

  it('notes a no-show without freeing anything, and takes the note back', () => {
    const { ledger, bookOne, change } = stage(['ada'])
    const seen = bookOne(TEN)
    const noted = change([seen], 'NoShow')
    assert.ok(noted.kind === 'done')
    assert.equal(noted.writes.freedMeetings, undefined)
    assert.equal(ledger.claims.of('ada').length, 1)
    const taken = change([noted.result.changed], 'Confirmed', {
      takesBack: { from: 'NoShow', action: 'attended' },
    })
    assert.ok(taken.kind === 'done')
    assert.deepEqual(toldBy(taken), [])
  })

  it('counts the mails about a guest’s cancellations, and leaves room to cancel all that they booked', () => {
    const { book, change } = stage(['ada'], { window: { kind: 'rolling', days: 90 } })
    const mine = { email: 'grace@guests.example' }
    const all = book(TEN, { ...mine, repeat: { every: 'week', count: 12 } })
    const cancelled = all.map((one) => outcomeOf(change([one], 'Cancelled', { author: GUEST })))
    assert.deepEqual(cancelled, [...Array(9).fill('done'), ...Array(3).fill('needs exemption')])
    assert.equal(outcomeOf(change(all.slice(9), 'Cancelled')), 'done')
  })
})

describe('a decision to undo an answer', () => {
  /** A request that was declined a moment ago, with its announcement still waiting. */
  const declined = () => {
    const made = stage(['ada'], { requiresApproval: true })
    const answer = made.change([made.bookOne(TEN)], 'Declined', { undoFor: 10_000 })
    assert.ok(answer.kind === 'done')
    const [job] = answer.writes.jobs ?? []
    assert.equal(job?.dueAt, NOW + 10_000)
    made.ledger.announcements.add({ jobId: 7, record: job?.data as ChangeRecord })
    const { changed } = answer.result
    const undo = () => made.decide(planUndo({ author: HOST, all: [changed], bookable: made.bookable }))
    return { ...made, changed, undo }
  }

  it('makes it pending again with its time, and withdraws what nobody has heard', () => {
    const { ledger, undo } = declined()
    const undone = undo()
    assert.ok(undone.kind === 'done')
    assert.equal(undone.result.undone.booking.status, 'PendingApproval')
    assert.deepEqual([undone.writes.withdrawnJobs, toldBy(undone)], [[7], []])
    assert.equal(ledger.claims.of('ada').length, 1)
  })

  it('is refused if the time was taken meanwhile, or the guest has heard', () => {
    const { bookOne, undo } = declined()
    bookOne(TEN, { email: 'next@guests.example' })
    const taken = undo()
    assert.ok(taken.kind === 'refused')
    assert.match(taken.problem.message, /stays declined/)
    const heard = stage(['ada'], { requiresApproval: true })
    const answer = heard.change([heard.bookOne(TEN)], 'Declined')
    assert.ok(answer.kind === 'done')
    const late = planUndo({ author: HOST, all: [answer.result.changed], bookable: heard.bookable })
    assert.equal(outcomeOf(heard.decide(late)), 'too_late')
  })
})

describe('a decision to hand a meeting over', () => {
  const robin = () => stage(['ada', 'ben', 'cyd'], { assignment: 'round-robin' })
  const handed = (
    { bookable, decide }: ReturnType<typeof stage>,
    all: readonly ListedBooking[],
    hostId?: string,
    found = NOTHING_FOUND,
  ) =>
    decide(
      planReassignment(
        { bookable, all: all as [ListedBooking], companions: [] },
        { hostId, reason: '' },
        HOST,
      ),
      {
        found,
      },
    )

  it('gives it to the next whose turn it is, with the turn', () => {
    const made = robin()
    const seen = made.bookOne(TEN)
    const decision = handed(made, [seen])
    assert.ok(decision.kind === 'done')
    assert.equal(decision.result.moved.hostId, 'ben')
    const [record] = toldBy(decision)
    assert.deepEqual([record?.type, record?.hostIds, record?.formerHostIds], ['reassigned', ['ben'], ['ada']])
    assert.deepEqual(made.ledger.claims.of('ada'), [])
    const balances = made.ledger.turns.of('talk').map(({ balance }) => balance)
    assert.ok((balances[1] as number) < (balances[0] as number))
    assert.ok(Math.abs(balances.reduce((sum, balance) => sum + balance, 0)) < 1e-9)
  })

  it('refuses a host who has another meeting, who attends already, or who takes no turns', () => {
    const made = robin()
    const [first, second] = [made.bookOne(TEN), made.bookOne(TEN, { email: 'other@guests.example' })]
    assert.equal(second.hostId, 'ben')
    assert.equal(outcomeOf(handed(made, [first], 'ben')), 'host_unavailable')
    assert.equal(outcomeOf(handed(made, [first], 'stranger')), 'invalid')
    assert.equal(outcomeOf(handed(made, [first], 'cyd')), 'done')
    const together = stage(['ada', 'ben'], { assignment: 'collective' })
    assert.equal(outcomeOf(handed(together, [together.bookOne(TEN)])), 'host_unavailable')
  })

  it('gives all meetings of a series to one host who can take them all', () => {
    const made = robin()
    const series = made.book(TEN, { repeat: { every: 'week', count: 2 } })
    // Ben, who would be next, is taken in the second week.
    assert.equal(made.bookOne(TEN + WEEK, { email: 'other@guests.example' }).hostId, 'ben')
    const decision = handed(made, series)
    assert.ok(decision.kind === 'done')
    assert.deepEqual(
      decision.writes.updates?.map(({ hostId }) => hostId),
      ['cyd', 'cyd'],
    )
  })

  it('needs the calendars of whoever would take it', () => {
    const made = robin()
    const seen = made.bookOne(TEN)
    const hosts = made.bookable.hosts.map((host) => ({ ...host, hasLiveCalendars: true }))
    const bookable: BookableEventType = { ...made.bookable, hosts }
    const decision = handed({ ...made, bookable }, [seen])
    assert.ok(decision.kind === 'needs' && decision.need.what === 'calendars')
    assert.deepEqual(decision.need.hostIds, ['ben'])
  })

  it('finds who could take it, and what keeps the others from it', () => {
    const made = robin()
    const [first] = [made.bookOne(TEN), made.bookOne(TEN, { email: 'other@guests.example' })] as const
    const { bookable } = made
    const found = made.decide(planSuccessors({ bookable, all: [first], companions: [] }))
    assert.ok(found.kind === 'done')
    assert.deepEqual(
      found.result.map(({ host, obstacle }) => [host.hostId, obstacle]),
      [
        ['ben', 'meeting'],
        ['cyd', undefined],
      ],
    )
  })
})

describe('the decisions when someone leaves', () => {
  it('cancel what collides, and give the rest to the successor', () => {
    const { ledger, bookOne } = stage(['ada', 'ben'], { assignment: 'round-robin' })
    const [goes, stays] = [bookOne(TEN), bookOne(TEN, { email: 'other@guests.example' })]
    const collides = { ...bookOne(TEN + DAY), hostId: 'ada' }
    assert.deepEqual([goes.hostId, stays.hostId], ['ada', 'ben'])
    const { decisions } = planSuccession(
      { from: 'ada', to: 'dan', moved: [goes], cancelled: [collides], seatsTaken: new Set() },
      HOST,
    )
    const decide = deciding(ledger)
    const told = decisions.flatMap((one) => toldBy(decide({ question: { hostIds: [] }, decide: one })))
    assert.deepEqual(
      told.map(({ type, bookingId }) => [type, bookingId]),
      [
        ['cancelled', collides.booking.id],
        ['reassigned', goes.booking.id],
      ],
    )
    assert.deepEqual(ledger.claims.of('ada'), [])
    assert.deepEqual(
      ledger.claims.of('dan').map(({ startsAt }) => startsAt),
      [TEN],
    )
    // A meeting that goes over is no turn of the successor.
    assert.deepEqual(
      ledger.turns.of('talk').filter(({ hostId }) => hostId === 'dan'),
      [],
    )
  })
})
