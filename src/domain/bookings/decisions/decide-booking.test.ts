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
import { DAY, HOUR, MINUTE } from '../../interval.ts'
import type { BookableEventType } from '../bookable.ts'
import { answerOf } from '../idempotency.ts'
import type { Ledger } from '../ledger.ts'
import type { PrivateLink } from '../private-link.ts'
import { planBooking } from './decide-booking.ts'
import { planHold } from './decide-hold.ts'
import type { WantedBooking } from './wanted-booking.ts'

const TEN = NOW + 2 * HOUR

describe('a decision to book', () => {
  /** Books as guests do, one after the other, and says what became of each. */
  const booking = (bookable: BookableEventType, ledger: Ledger = ledgerOf(bookable)) => {
    const decide = deciding(ledger)
    return (startsAt: number, given: Parameters<typeof wish>[2] = {}) =>
      decide(planBooking(wish(bookable, startsAt, given), NOW))
  }
  const outcomesOf = (...args: Parameters<typeof booking>) => {
    const book = booking(...args)
    return (startsAt: number, given: Parameters<typeof wish>[2] = {}) => outcomeOf(book(startsAt, given))
  }

  it('gives a slot to the first of those who race for it, and the next one to another', () => {
    const book = outcomesOf(bookableBy(['ada']))
    const race = [1, 2, 3].map((n) => book(TEN, { email: `guest-${n}@guests.example` }))
    assert.deepEqual(race, ['done', 'slot_unavailable', 'slot_unavailable'])
    assert.deepEqual([book(TEN + HOUR), book(TEN - HOUR)], ['done', 'done'])
  })

  it('decides the same on the ledger of an instance that lost the race', () => {
    const bookable = bookableBy(['ada'])
    const [mine, theirs] = [ledgerOf(bookable), ledgerOf(bookable)]
    const won = booking(bookable, theirs)(TEN)
    assert.ok(won.kind === 'done')
    // Read again under the lock, the ledger has their claim.
    for (const claim of won.writes.claims ?? []) mine.claims.add(claim)
    assert.equal(outcomesOf(bookable, mine)(TEN), 'slot_unavailable')
  })

  it('needs settings if someone has changed theirs since they were read', () => {
    const bookable = bookableBy(['ada'])
    const ledger = ledgerOf(bookable)
    ledger.schedulers.add('team', 2, false)
    assert.equal(outcomesOf(bookable, ledger)(TEN), 'needs settings')
  })

  it('keeps to the limit of a day', () => {
    const book = outcomesOf(bookableBy(['ada'], { limits: { day: 2, week: null, month: null } }))
    const day = [0, 1, 2].map((n) => book(TEN + n * HOUR))
    assert.deepEqual(day, ['done', 'done', 'slot_unavailable'])
    assert.equal(book(TEN + DAY), 'done')
  })

  it('keeps buffers free, and lets them overlap', () => {
    const bookable = bookableBy(['ada'], { bufferAfterMinutes: 30, intervalMinutes: 30 })
    const book = outcomesOf(bookable)
    assert.deepEqual(
      [TEN, TEN + HOUR, TEN + 90 * MINUTE].map((at) => book(at)),
      ['done', 'slot_unavailable', 'done'],
    )
  })

  it('fills the seats of a meeting, and says how many are left', () => {
    const bookable = bookableBy(['ada'], { seats: 3, maxGuests: 3 })
    const book = booking(bookable)
    const first = book(TEN, { email: 'one@guests.example' })
    const second = book(TEN, { email: 'two@guests.example' })
    assert.ok(first.kind === 'done' && second.kind === 'done')
    assert.equal(second.result.meetingId, first.result.id)
    assert.deepEqual([second.writes.claims, second.writes.bookings?.[0]?.seat], [[], 2])
    const party = book(TEN, { email: 'three@guests.example', guests: ['four@guests.example'] })
    assert.ok(party.kind === 'refused')
    assert.match(party.problem.message, /Only 1 seat is left/)
    assert.equal(outcomeOf(book(TEN, { email: 'three@guests.example' })), 'done')
    assert.equal(outcomeOf(book(TEN, { email: 'five@guests.example' })), 'slot_unavailable')
  })

  it('takes a series with one host, and names the dates that are in the way of it', () => {
    const bookable = bookableBy(['ada', 'ben'], { assignment: 'round-robin' })
    const ledger = ledgerOf(bookable)
    const weekly = { every: 'week', count: 3 } as const
    const book = booking(bookable, ledger)
    const one = book(TEN, { repeat: weekly })
    assert.ok(one.kind === 'done')
    assert.deepEqual(
      one.writes.bookings?.map(({ booking, hostId }) => [booking.startsAt, booking.series?.index, hostId]),
      [0, 1, 2].map((week) => [TEN + week * 7 * DAY, week, 'ada']),
    )
    // One turn, not three.
    assert.deepEqual(
      ledger.turns.of('talk').map(({ balance }) => balance),
      [-0.5, 0.5],
    )
    assert.equal(outcomeOf(book(TEN + 7 * DAY, { email: 'other@guests.example' })), 'done')
    const late = book(TEN, { repeat: weekly, email: 'third@guests.example' })
    assert.ok(late.kind === 'refused')
    assert.match(late.problem.message, /Not available on 2027-01-18\. /)
  })

  it('shares meetings out fairly, by what each host is owed', () => {
    const bookable = bookableBy(['ada', 'ben', 'cyd'], { assignment: 'round-robin' })
    const book = booking(bookable)
    const hosts = Array.from({ length: 6 }, (_, n) => {
      const made = book(TEN + n * HOUR)
      assert.ok(made.kind === 'done')
      return made.writes.bookings?.[0]?.hostId
    })
    assert.deepEqual(hosts, ['ada', 'ben', 'cyd', 'ada', 'ben', 'cyd'])
  })

  it('spends a use of a private link, and refuses one without uses', () => {
    const bookable = bookableBy(['ada'])
    const ledger = ledgerOf(bookable)
    const link = { id: 'link', uses: 1, used: 0, expiresAt: null } as PrivateLink
    ledger.links.add(link)
    const book = outcomesOf(bookable, ledger)
    const access = { link }
    assert.deepEqual([book(TEN, { access }), book(TEN + HOUR, { access })], ['done', 'not_found'])
    ledger.links.add({ ...link, expiresAt: NOW })
    assert.equal(book(TEN + HOUR, { access }), 'not_found')
  })

  it('uses answers to a form once', () => {
    const bookable = bookableBy(['ada'])
    const ledger = ledgerOf(bookable)
    const routed = { id: 'r', formId: 'f', createdAt: NOW, bookingId: null } as never
    ledger.responses.add(routed)
    const book = outcomesOf(bookable, ledger)
    const access = { routed }
    assert.deepEqual([book(TEN, { access }), book(TEN + HOUR, { access })], ['done', 'start_again'])
  })

  it('lets nobody but its guest take a time that is held', () => {
    const bookable = bookableBy(['ada'], { holds: true })
    const ledger = ledgerOf(bookable)
    const held = deciding(ledger)(planHold({ bookable, startsAt: TEN, client: 'me', id: 'mine' }))
    assert.ok(held.kind === 'done')
    const book = booking(bookable, ledger)
    assert.equal(outcomeOf(book(TEN)), 'slot_unavailable')
    assert.equal(outcomeOf(book(TEN, { holdId: 'yours' })), 'slot_unavailable')
    const own = book(TEN, { holdId: 'mine' })
    assert.ok(own.kind === 'done')
    assert.deepEqual(own.writes.freedHolds, ['mine'])
    // A booking is no hold, whatever id a guest sends.
    assert.equal(outcomeOf(book(TEN, { holdId: own.result.id })), 'slot_unavailable')
  })

  it('replaces the oldest hold of a client who has three', () => {
    const bookable = bookableBy(['ada'])
    const ledger = ledgerOf(bookable)
    const hold = (n: number) => {
      ledger.holds.databaseTime = NOW + n
      return deciding(ledger)(planHold({ bookable, startsAt: TEN + n * HOUR, client: 'me', id: `hold ${n}` }))
    }
    for (const n of [0, 1, 2]) assert.equal(outcomeOf(hold(n)), 'done')
    const fourth = hold(3)
    assert.ok(fourth.kind === 'done')
    assert.deepEqual(fourth.writes.freedHolds, ['hold 0'])
    assert.deepEqual(ledger.holds.of('talk', 'me'), ['hold 1', 'hold 2', 'hold 3'])
  })

  it('counts mails to an address, and needs to know whether it is exempt', () => {
    const bookable = bookableBy(['ada'])
    const ledger = ledgerOf(bookable)
    const email = 'stranger@guests.example'
    const book = booking(bookable, ledger)
    for (let n = 0; n < 5; n++) assert.equal(outcomeOf(book(TEN + n * HOUR, { email })), 'done')
    const sixth = book(TEN + 5 * HOUR, { email })
    assert.ok(sixth.kind === 'needs' && sixth.need.what === 'exemption')
    assert.deepEqual(
      [sixth.need.cap, sixth.need.email, sixth.need.otherwise.code],
      ['mails', email, 'rate_limited'],
    )
    const exempt = { ...NOTHING_FOUND.exempt, mails: new Set([email]) }
    const again = deciding(ledger, { found: { ...NOTHING_FOUND, exempt } })
    assert.equal(outcomeOf(again(planBooking(wish(bookable, TEN + 5 * HOUR, { email }), NOW))), 'done')
    // Those whom others bring are counted, too.
    const brought = book(TEN + 6 * HOUR, { email: 'friend@guests.example', guests: [email] })
    assert.equal(outcomeOf(brought), 'needs exemption')
  })

  it('lets a guest have ten bookings ahead, a series counted once', () => {
    const bookable = bookableBy(['ada'])
    const ledger = ledgerOf(bookable)
    const email = 'stranger@guests.example'
    for (let n = 0; n < 10; n++) {
      const guestBooking = { id: `b${n}`, guest: email, eventTypeId: 'talk', status: 'Confirmed' } as const
      const times = { startsAt: NOW + n * DAY + 1, createdAt: NOW - DAY, source: 'API' } as const
      ledger.guests.addBooking({ ...guestBooking, ...times, seriesId: n < 2 ? 'series' : null })
    }
    const book = booking(bookable, ledger)
    assert.equal(outcomeOf(book(TEN, { email })), 'done')
    const next = book(TEN + HOUR, { email })
    assert.ok(next.kind === 'needs' && next.need.what === 'exemption')
    assert.deepEqual([next.need.cap, next.need.otherwise.code], ['open', 'too_many_bookings'])
  })

  it('counts a wrong code, and takes the right one once', () => {
    const bookable = bookableBy(['ada'], { confirmEmail: true })
    const ledger = ledgerOf(bookable)
    const code = { eventTypeId: 'talk', address: 'a', codeHash: 'right', tries: 0, expiresAt: NOW + HOUR }
    ledger.codes.add(code)
    const book = outcomesOf(bookable, ledger)
    const typed = (codeHash?: string) => ({ proof: { address: 'a', mailbox: 'm', codeHash } })
    assert.deepEqual(
      [book(TEN, typed()), book(TEN, typed('wrong'))],
      ['email_unconfirmed', 'email_unconfirmed'],
    )
    assert.equal(ledger.codes.find('talk', 'a')?.tries, 1)
    assert.deepEqual(
      [book(TEN, typed('right')), book(TEN + HOUR, typed('right'))],
      ['done', 'email_unconfirmed'],
    )
  })

  it('needs the calendars of the host whose turn it is, and moves on if they are silent', () => {
    const plain = bookableBy(['ada', 'ben'], { assignment: 'round-robin', liveCheck: 'refuse' })
    const bookable = { ...plain, hosts: plain.hosts.map((host) => ({ ...host, hasLiveCalendars: true })) }
    const decide = deciding(ledgerOf(bookable))
    const plan = planBooking(wish(bookable, TEN), NOW)
    const first = decide(plan)
    assert.ok(first.kind === 'needs' && first.need.what === 'calendars')
    assert.deepEqual(first.need.hostIds, ['ada'])
    const found = { ...NOTHING_FOUND, asked: new Set(['ada']), silent: new Set(['ada']) }
    const second = decide(plan, { found })
    assert.ok(second.kind === 'needs' && second.need.what === 'calendars')
    assert.deepEqual(second.need.hostIds, ['ben'])
    const both = new Set(['ada', 'ben'])
    assert.equal(
      outcomeOf(decide(plan, { found: { ...NOTHING_FOUND, asked: both, silent: both } })),
      'unavailable',
    )
    const made = decide(plan, { found: { ...NOTHING_FOUND, asked: both, silent: new Set(['ada']) } })
    assert.ok(made.kind === 'done')
    assert.equal(made.writes.bookings?.[0]?.hostId, 'ben')
  })

  it('answers a repeated request as the first time, and refuses the key with another body', () => {
    const bookable = bookableBy(['ada'])
    const ledger = ledgerOf(bookable)
    const retry = { eventTypeId: 'talk', key: 'k', bodyHash: 'h' }
    const book = booking(bookable, ledger)
    const first = book(TEN, { retry })
    const repeat = book(TEN, { retry })
    assert.ok(first.kind === 'done' && repeat.kind === 'done')
    assert.deepEqual([repeat.result, repeat.writes], [first.result, {}])
    assert.equal(outcomeOf(book(TEN, { retry: { ...retry, bodyHash: 'other' } })), 'idempotency_mismatch')
    const problem = { code: 'slot_unavailable', message: 'Taken.' } as const
    ledger.answers.add(answerOf({ ...retry, key: 'refused' }, { problem }, NOW))
    assert.equal(outcomeOf(book(TEN + HOUR, { retry: { ...retry, key: 'refused' } })), 'slot_unavailable')
  })

  it('asks guests for approval, but not hosts, whom no cap or calendar holds up', () => {
    const plain = bookableBy(['ada'], { requiresApproval: true })
    const bookable = { ...plain, hosts: plain.hosts.map((host) => ({ ...host, hasLiveCalendars: true })) }
    const actor = { userId: 'ada', email: 'ada@hosts.example' }
    const host: Partial<WantedBooking> = { author: { by: 'host', actor } }
    const book = booking(bookable)
    for (let n = 0; n < 7; n++) {
      const made = book(TEN + n * HOUR, { ...host, email: 'same@guests.example' })
      assert.ok(made.kind === 'done')
      assert.deepEqual([made.result.status, made.writes.audit?.[0]?.actor], ['Confirmed', actor.email])
    }
    const asked = booking(bookableBy(['ada'], { requiresApproval: true }))(TEN)
    assert.ok(asked.kind === 'done' && asked.result.status === 'PendingApproval')
  })
})
