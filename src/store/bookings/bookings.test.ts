import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addUser } from '../../../test/kit.ts'
import type { BookingStatus } from '../../domain/bookings/booking.ts'
import type { NewBooking } from '../../domain/bookings/listed-booking.ts'
import { DAY, HOUR, type Interval, MINUTE, overlaps } from '../../domain/interval.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import { brokenConstraint, type Constraint } from '../engine/database.ts'
import { newId } from '../new-id.ts'
import { findTakenHours, findTakenTime, hasDuplicate, insertBooking, insertClaim } from './bookings.ts'

// Directly on the database, without the rules of the services.

const NOON = Date.UTC(2027, 0, 11, 12)

onEveryDatabase('bookings', ({ db, engine }) => {
  let eventTypeId: string
  let otherEventTypeId: string
  before(async () => {
    const owner = await addUser(db(), 'owner')
    eventTypeId = (await addEventType(db(), owner)).id
    otherEventTypeId = (await addEventType(db(), owner)).id
  })

  let hosts = 0
  const newHost = async () => (await addUser(db(), `host-${hosts++}`)).id

  const claimOf = (start: number, end: number, given: Partial<Claim> = {}): Claim => ({
    meetingId: newId(),
    eventTypeId,
    startsAt: start,
    endsAt: end,
    bufferBefore: 0,
    bufferAfter: 0,
    seatsTaken: 1,
    ...given,
  })
  const claim = (hostId: string, start: number, end: number, given: Partial<Claim> = {}) =>
    db()
      .transaction()
      .execute((trx) => insertClaim(trx, hostId, claimOf(start, end, given)))

  const bookingOf = (
    hostId: string,
    given: Partial<Omit<NewBooking, 'booking'>> & {
      readonly meetingId?: string
      readonly startsAt?: number
      readonly status?: BookingStatus
      readonly eventTypeId?: string
    } = {},
  ): NewBooking => {
    const id = newId()
    const startsAt = given.startsAt ?? NOON
    return {
      schedulerId: hostId,
      hostId,
      seat: given.seat ?? 1,
      seats: given.seats ?? 1,
      duplicateKey: given.duplicateKey ?? id,
      booking: {
        id,
        eventTypeId: given.eventTypeId ?? eventTypeId,
        meetingId: given.meetingId ?? id,
        status: given.status ?? 'Confirmed',
        startsAt,
        endsAt: startsAt + HOUR,
        invitee: { name: 'Grace', email: 'grace@guests.example', phone: '', timeZone: 'UTC', locale: 'en' },
        guests: [],
        location: { type: 'Video', value: '' },
        notes: '',
        customFields: {},
        source: 'API',
        utm: {},
        createdAt: NOON,
        sequence: 0,
        reason: '',
      },
    }
  }
  const addBooking = async (added: NewBooking) => {
    await db()
      .transaction()
      .execute((trx) => insertBooking(trx, added))
    return added.booking
  }

  const refusedAs = (constraint: Constraint, attempt: Promise<unknown>) =>
    assert.rejects(attempt, (error) => {
      assert.equal(brokenConstraint(error), constraint, (error as Error).message)
      return true
    })

  it('refuses every kind of overlap between two claims of one host', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + HOUR)
    const overlapping: [number, number][] = [
      [0, 60], // the same
      [0, 30], // its beginning
      [30, 60], // its end
      [15, 45], // inside
      [-30, 90], // around
      [-30, 1], // into its beginning
      [59, 90], // out of its end
      [0, 90], // the same start
      [-30, 60], // the same end
    ]
    for (const [from, to] of overlapping) {
      await refusedAs('host_overlap', claim(hostId, NOON + from * MINUTE, NOON + to * MINUTE))
    }
  })

  it('refuses an overlap of one millisecond', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + HOUR)
    await refusedAs('host_overlap', claim(hostId, NOON + HOUR - 1, NOON + 2 * HOUR))
    await refusedAs('host_overlap', claim(hostId, NOON - HOUR, NOON + 1))
  })

  it('lets a claim start the moment another ends', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + HOUR)
    await claim(hostId, NOON + HOUR, NOON + 2 * HOUR)
    await claim(hostId, NOON - HOUR, NOON)
  })

  it('lets different hosts have the same time', async () => {
    await claim(await newHost(), NOON, NOON + HOUR)
    await claim(await newHost(), NOON, NOON + HOUR)
  })

  it('finds overlaps of claims of the maximum length', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + DAY)
    await refusedAs('host_overlap', claim(hostId, NOON + DAY - MINUTE, NOON + DAY + HOUR))
    await refusedAs('host_overlap', claim(hostId, NOON + DAY - MINUTE, NOON + 2 * DAY - MINUTE))
    await refusedAs('host_overlap', claim(hostId, NOON - DAY + MINUTE, NOON + MINUTE))
    await claim(hostId, NOON + DAY, NOON + 2 * DAY)
    await claim(hostId, NOON - DAY, NOON)
  })

  it('refuses claims that are empty, reversed or longer than a day', async () => {
    const hostId = await newHost()
    await assert.rejects(claim(hostId, NOON, NOON))
    await assert.rejects(claim(hostId, NOON, NOON - HOUR))
    await assert.rejects(claim(hostId, NOON, NOON + DAY + 1))
  })

  it('refuses to move, extend or reassign a claim onto another', async () => {
    const hostId = await newHost()
    const otherId = await newHost()
    await claim(hostId, NOON, NOON + HOUR)
    await claim(hostId, NOON + 2 * HOUR, NOON + 3 * HOUR)
    await claim(otherId, NOON + 30 * MINUTE, NOON + 2 * HOUR)
    const second = db()
      .updateTable('claims')
      .where('host_id', '=', hostId)
      .where('starts_at', '=', NOON + 2 * HOUR)
    await refusedAs(
      'host_overlap',
      second.set({ starts_at: NOON + 30 * MINUTE, ends_at: NOON + 90 * MINUTE }).execute(),
    )
    await refusedAs('host_overlap', second.set({ starts_at: NOON + 59 * MINUTE }).execute())
    await refusedAs(
      'host_overlap',
      db()
        .updateTable('claims')
        .where('host_id', '=', hostId)
        .where('starts_at', '=', NOON)
        .set({ ends_at: NOON + 2 * HOUR + 1 })
        .execute(),
    )
    await refusedAs(
      'host_overlap',
      db().updateTable('claims').where('host_id', '=', otherId).set({ host_id: hostId }).execute(),
    )
  })

  it('lets a claim move to a time that only it overlaps', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + HOUR)
    await claim(hostId, NOON + 2 * HOUR, NOON + 3 * HOUR)
    await db()
      .updateTable('claims')
      .where('host_id', '=', hostId)
      .where('starts_at', '=', NOON)
      .set({ starts_at: NOON + HOUR, ends_at: NOON + 2 * HOUR })
      .execute()
    await db()
      .updateTable('claims')
      .where('host_id', '=', hostId)
      .where('starts_at', '=', NOON + HOUR)
      .set({ starts_at: NOON + 30 * MINUTE, ends_at: NOON + 90 * MINUTE })
      .execute()
    const [taken] = await findTakenTime(db(), [hostId], { start: NOON, end: NOON + DAY }, false)
    assert.deepEqual(
      taken?.claims.map(({ startsAt }) => startsAt),
      [NOON + 30 * MINUTE, NOON + 2 * HOUR],
    )
  })

  it('accepts a claim exactly if it overlaps no earlier one', async () => {
    const claims = fc.array(
      fc.record({
        start: fc.integer({ min: 0, max: 3 * 24 * 60 }).map((minute) => NOON + minute * MINUTE),
        length: fc.oneof(
          fc.integer({ min: 1, max: 120 }).map((minutes) => minutes * MINUTE),
          fc.constantFrom(DAY - MINUTE, DAY),
        ),
      }),
      { minLength: 20, maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(claims, async (given) => {
        const hostId = await newHost()
        const accepted: Interval[] = []
        for (const { start, length } of given) {
          const span = { start, end: start + length }
          if (accepted.some((other) => overlaps(span, other))) {
            await refusedAs('host_overlap', claim(hostId, span.start, span.end))
          } else {
            await claim(hostId, span.start, span.end)
            accepted.push(span)
          }
        }
      }),
      { numRuns: 5 },
    )
  })

  it('accepts one of several overlapping claims that arrive at once', async () => {
    const hostId = await newHost()
    const attempts = Array.from({ length: 10 }, (_, i) =>
      claim(hostId, NOON + i * MINUTE, NOON + HOUR + i * MINUTE),
    )
    const results = await Promise.allSettled(attempts)
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 9)
    for (const { reason } of refused) assert.equal(brokenConstraint(reason), 'host_overlap')
  })

  it('refuses a taken seat, and one beyond the capacity', async () => {
    const hostId = await newHost()
    const meetingId = newId()
    const seat = (number: number, status: BookingStatus = 'Confirmed') =>
      addBooking(bookingOf(hostId, { meetingId, seat: number, seats: 2, status }))
    await seat(1)
    await refusedAs('seat_taken', seat(1))
    await refusedAs('seat_taken', seat(1, 'PendingApproval'))
    await seat(2)
    await refusedAs('seat_taken', seat(2))
    await refusedAs('seat_taken', seat(3))
    await refusedAs('seat_taken', seat(0))
  })

  it('reuses the seat of a cancelled booking', async () => {
    const hostId = await newHost()
    const meetingId = newId()
    for (const status of ['Cancelled', 'Declined', 'Confirmed'] as const) {
      await addBooking(bookingOf(hostId, { meetingId, status }))
    }
    await refusedAs('seat_taken', addBooking(bookingOf(hostId, { meetingId })))
  })

  it('refuses to reactivate a cancelled booking whose seat is taken', async () => {
    const hostId = await newHost()
    const meetingId = newId()
    const cancelled = await addBooking(bookingOf(hostId, { meetingId, status: 'Cancelled' }))
    await addBooking(bookingOf(hostId, { meetingId }))
    await refusedAs(
      'seat_taken',
      db().updateTable('bookings').set({ status: 'Confirmed' }).where('id', '=', cancelled.id).execute(),
    )
  })

  it('refuses a second active booking of a slot with the same key', async () => {
    const hostId = await newHost()
    const duplicateKey = 'twice@guests.example'
    await addBooking(bookingOf(hostId, { duplicateKey }))
    await refusedAs('duplicate_booking', addBooking(bookingOf(hostId, { duplicateKey })))
    await refusedAs(
      'duplicate_booking',
      addBooking(bookingOf(hostId, { duplicateKey, status: 'PendingApproval' })),
    )
    await refusedAs('duplicate_booking', addBooking(bookingOf(await newHost(), { duplicateKey })))
    assert.equal(await hasDuplicate(db(), eventTypeId, NOON, duplicateKey), true)
  })

  it('lets the same guest book other slots, other event types, and again after cancelling', async () => {
    const hostId = await newHost()
    const duplicateKey = 'often@guests.example'
    await addBooking(bookingOf(hostId, { duplicateKey, status: 'Cancelled' }))
    await addBooking(bookingOf(hostId, { duplicateKey, status: 'Declined' }))
    assert.equal(await hasDuplicate(db(), eventTypeId, NOON, duplicateKey), false)
    await addBooking(bookingOf(hostId, { duplicateKey }))
    await addBooking(bookingOf(hostId, { duplicateKey, startsAt: NOON + HOUR }))
    await addBooking(bookingOf(hostId, { duplicateKey, eventTypeId: otherEventTypeId }))
  })

  it('reads instants back as numbers, past 2^32', async () => {
    const hostId = await newHost()
    const startsAt = Date.UTC(2190, 0)
    await claim(hostId, startsAt, startsAt + HOUR, { bufferBefore: 5 * MINUTE, bufferAfter: 2 ** 33 })
    const [taken] = await findTakenTime(db(), [hostId], { start: startsAt, end: startsAt + 1 }, false)
    assert.deepEqual(
      taken?.claims.map((each) => [each.startsAt, each.endsAt, each.bufferBefore, each.bufferAfter]),
      [[startsAt, startsAt + HOUR, 5 * MINUTE, 2 ** 33]],
    )
    const { id } = await addBooking(bookingOf(hostId, { startsAt }))
    const row = await db().selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.starts_at, row.ends_at, row.created_at], [startsAt, startsAt + HOUR, NOON])
  })

  it('finds claims that overlap the span, earliest first', async () => {
    const hostId = await newHost()
    const span = { start: NOON, end: NOON + DAY }
    const inside: [number, number][] = [
      [NOON - DAY + 1, NOON + 1],
      [NOON + 1, NOON + HOUR],
      [NOON + HOUR, NOON + 2 * HOUR],
      [NOON + DAY - 1, NOON + 2 * DAY - 1],
    ]
    for (const [start, end] of inside.toReversed()) await claim(hostId, start, end)
    await claim(hostId, NOON - 2 * DAY + 1, NOON - DAY + 1)
    const found = async (at: Interval) =>
      (await findTakenTime(db(), [hostId], at, false))[0]?.claims.map(({ startsAt, endsAt }) => [
        startsAt,
        endsAt,
      ])
    assert.deepEqual(await found(span), inside)
    assert.deepEqual(await found({ start: NOON + 1, end: NOON + DAY - 1 }), inside.slice(1, 3))
    assert.deepEqual(await found({ start: NOON + HOUR - 1, end: NOON + HOUR }), inside.slice(1, 2))
    assert.deepEqual(await found({ start: NOON + HOUR, end: NOON + HOUR + 1 }), inside.slice(2, 3))
    assert.deepEqual(await found({ start: NOON + 3 * HOUR, end: NOON + 4 * HOUR }), [])
  })

  it('finds the longest claim, which starts a day before the span', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON - DAY, NOON)
    const [before] = await findTakenTime(db(), [hostId], { start: NOON, end: NOON + HOUR }, false)
    assert.deepEqual(before?.claims, [])
    const [last] = await findTakenTime(db(), [hostId], { start: NOON - 1, end: NOON }, false)
    assert.equal(last?.claims.length, 1)
  })

  it('lists every host asked for, also those without claims', async () => {
    const [busy, idle] = [await newHost(), await newHost()].sort() as [string, string]
    await claim(busy, NOON, NOON + HOUR)
    const span = { start: NOON, end: NOON + HOUR }
    const taken = await findTakenTime(db(), [idle, busy, newId()], span, false)
    assert.deepEqual(
      taken.map(({ hostId, claims }) => [hostId, claims.length]),
      [
        [busy, 1],
        [idle, 0],
      ],
    )
  })

  it('finds the hours of each host and span, however many are asked for at the same time', async () => {
    const hostIds = [await newHost(), await newHost(), await newHost()]
    const held: { hostId: string; startsAt: number; endsAt: number; isOver: boolean }[] = []
    for (const [i, hostId] of hostIds.slice(1).entries()) {
      for (let hour = 0; hour < 60; hour += 4 + i) {
        const [startsAt, endsAt] = [NOON + hour * HOUR, NOON + (hour + 1 + (hour % 3)) * HOUR]
        const meetingId = newId()
        await claim(hostId, startsAt, endsAt, { meetingId, bufferBefore: MINUTE, bufferAfter: hour * MINUTE })
        const isOver = hour % 7 === 1
        if (isOver) {
          await db()
            .updateTable('claims')
            .set({ expires_at: 1 })
            .where('meeting_id', '=', meetingId)
            .execute()
        }
        held.push({ hostId, startsAt, endsAt, isOver })
      }
      await db()
        .updateTable('schedulers')
        .set({ revision: 7 + i })
        .where('id', '=', hostId)
        .execute()
    }
    const asked = fc.record({
      host: fc.nat(hostIds.length),
      from: fc.integer({ min: -10, max: 70 }),
      hours: fc.integer({ min: 1, max: 80 }),
    })
    const unknown = newId()
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 12 }), async (all) => {
        const found = await Promise.all(
          all.map(({ host, from, hours }) =>
            findTakenHours(db(), hostIds[host] ?? unknown, {
              start: NOON + from * HOUR,
              end: NOON + (from + hours) * HOUR,
            }),
          ),
        )
        for (const [i, { host, from, hours }] of all.entries()) {
          const [start, end] = [NOON + from * HOUR, NOON + (from + hours) * HOUR]
          const own = held.filter(({ hostId }) => hostId === hostIds[host])
          const expected = own.filter((one) => !one.isOver && one.startsAt < end && one.endsAt > start)
          assert.equal(found[i]?.revision, [0, 7, 8, undefined][host])
          assert.deepEqual(
            found[i]?.claims.map(({ startsAt, endsAt }) => [startsAt, endsAt]),
            host === hostIds.length ? undefined : expected.map(({ startsAt, endsAt }) => [startsAt, endsAt]),
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  it('counts the seats of active bookings on request', async () => {
    const hostId = await newHost()
    const meetingId = newId()
    await claim(hostId, NOON, NOON + HOUR, { meetingId })
    await claim(hostId, NOON + HOUR, NOON + 2 * HOUR)
    await addBooking(bookingOf(hostId, { meetingId, seat: 1, seats: 5 }))
    await addBooking(bookingOf(hostId, { meetingId, seat: 2, seats: 5, status: 'PendingApproval' }))
    await addBooking(bookingOf(hostId, { meetingId, seat: 3, seats: 5, status: 'Cancelled' }))
    const seats = async (count: boolean) =>
      (await findTakenTime(db(), [hostId], { start: NOON, end: NOON + DAY }, count))[0]?.claims.map(
        ({ seatsTaken }) => seatsTaken,
      )
    assert.deepEqual(await seats(true), [2, 0])
    assert.deepEqual(await seats(false), [1, 1])
  })

  it(`reports other constraints of ${engine} as what they are`, async () => {
    await refusedAs('unique', addUser(db(), 'owner'))
    const unknownHost = claim(newId(), NOON, NOON + HOUR)
    await assert.rejects(unknownHost, (error) => brokenConstraint(error) === undefined)
    const wrongSql = db()
      .selectFrom('nowhere' as 'claims')
      .selectAll()
      .execute()
    await assert.rejects(wrongSql, (error) => brokenConstraint(error) === undefined)
    assert.equal(brokenConstraint('not an error'), undefined)
    assert.equal(brokenConstraint(new Error('something else')), undefined)
  })
})
