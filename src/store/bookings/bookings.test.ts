import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addUser } from '../../../test/kit.ts'
import type { BookingStatus } from '../../domain/bookings/booking.ts'
import { DAY, HOUR, type Interval, MINUTE, overlaps } from '../../domain/interval.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import { brokenConstraint, type Constraint } from '../engine/database.ts'
import {
  countUpcoming,
  findTakenSeats,
  findTakenTime,
  hasDuplicate,
  insertBooking,
  insertBookingIfFree,
  insertClaim,
  type NewBooking,
} from './bookings.ts'

// Straight to the engine, past every rule of the services.

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
    meetingId: randomUUIDv7(),
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
    const id = randomUUIDv7()
    const startsAt = given.startsAt ?? NOON
    return {
      schedulerId: hostId,
      hostId,
      seat: given.seat ?? 1,
      seats: given.seats ?? 1,
      duplicateKey: given.duplicateKey ?? id,
      announcement: null,
      booking: {
        id,
        eventTypeId: given.eventTypeId ?? eventTypeId,
        meetingId: given.meetingId ?? id,
        status: given.status ?? 'Confirmed',
        startsAt,
        endsAt: startsAt + HOUR,
        invitee: { name: 'Grace', email: 'grace@guests.example', phone: '', timeZone: 'UTC', locale: 'en' },
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

  it('lets claims touch', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + HOUR)
    await claim(hostId, NOON + HOUR, NOON + 2 * HOUR)
    await claim(hostId, NOON - HOUR, NOON)
  })

  it('lets different hosts have the same time', async () => {
    await claim(await newHost(), NOON, NOON + HOUR)
    await claim(await newHost(), NOON, NOON + HOUR)
  })

  it('finds overlaps of claims that are as long as claims can be', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + DAY)
    await refusedAs('host_overlap', claim(hostId, NOON + DAY - MINUTE, NOON + DAY + HOUR))
    await refusedAs('host_overlap', claim(hostId, NOON + DAY - MINUTE, NOON + 2 * DAY - MINUTE))
    await refusedAs('host_overlap', claim(hostId, NOON - DAY + MINUTE, NOON + MINUTE))
    await claim(hostId, NOON + DAY, NOON + 2 * DAY)
    await claim(hostId, NOON - DAY, NOON)
  })

  it('refuses claims that are empty, inside out or longer than a day', async () => {
    const hostId = await newHost()
    await assert.rejects(claim(hostId, NOON, NOON))
    await assert.rejects(claim(hostId, NOON, NOON - HOUR))
    await assert.rejects(claim(hostId, NOON, NOON + DAY + 1))
  })

  it('refuses to move, stretch or hand over a claim onto another', async () => {
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

  it('lets a claim move to where nothing but itself has been', async () => {
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

  it('accepts a claim exactly when it overlaps none before it', async () => {
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

  it('lets one of several who claim at once have the time', async () => {
    const hostId = await newHost()
    const attempts = Array.from({ length: 10 }, (_, i) =>
      claim(hostId, NOON + i * MINUTE, NOON + HOUR + i * MINUTE),
    )
    const results = await Promise.allSettled(attempts)
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 9)
    for (const { reason } of refused) assert.equal(brokenConstraint(reason), 'host_overlap')
  })

  it('refuses a seat that is taken, and one beyond the capacity', async () => {
    const hostId = await newHost()
    const meetingId = randomUUIDv7()
    const seat = (number: number, status: BookingStatus = 'Confirmed') =>
      addBooking(bookingOf(hostId, { meetingId, seat: number, seats: 2, status }))
    await seat(1)
    await refusedAs('seat_taken', seat(1))
    await refusedAs('seat_taken', seat(1, 'PendingApproval'))
    await seat(2)
    await refusedAs('seat_taken', seat(2))
    await refusedAs('seat_taken', seat(3))
    await refusedAs('seat_taken', seat(0))
    assert.deepEqual(await findTakenSeats(db(), meetingId), new Set([1, 2]))
  })

  it('gives the seat of a cancelled booking to another', async () => {
    const hostId = await newHost()
    const meetingId = randomUUIDv7()
    for (const status of ['Cancelled', 'Declined', 'Confirmed'] as const) {
      await addBooking(bookingOf(hostId, { meetingId, status }))
    }
    await refusedAs('seat_taken', addBooking(bookingOf(hostId, { meetingId })))
  })

  it('refuses to revive a cancelled booking whose seat has been given away', async () => {
    const hostId = await newHost()
    const meetingId = randomUUIDv7()
    const cancelled = await addBooking(bookingOf(hostId, { meetingId, status: 'Cancelled' }))
    await addBooking(bookingOf(hostId, { meetingId }))
    await refusedAs(
      'seat_taken',
      db().updateTable('bookings').set({ status: 'Confirmed' }).where('id', '=', cancelled.id).execute(),
    )
  })

  it('refuses a second active booking of one slot under the same key', async () => {
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

  it('finds claims that touch the span by more than an end, earliest first', async () => {
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

  it('does not lose the longest claim, which begins a day before the span', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON - DAY, NOON)
    const [before] = await findTakenTime(db(), [hostId], { start: NOON, end: NOON + HOUR }, false)
    assert.deepEqual(before?.claims, [])
    const [last] = await findTakenTime(db(), [hostId], { start: NOON - 1, end: NOON }, false)
    assert.equal(last?.claims.length, 1)
  })

  it('tells the revisions of every host asked for, also of those without claims', async () => {
    const [busy, idle] = [await newHost(), await newHost()].sort() as [string, string]
    await claim(busy, NOON, NOON + HOUR)
    await db()
      .updateTable('schedulers')
      .set({ revision: 7, booking_revision: 2 ** 40 })
      .where('id', '=', idle)
      .execute()
    const span = { start: NOON, end: NOON + HOUR }
    const taken = await findTakenTime(db(), [idle, busy, randomUUIDv7()], span, false)
    assert.deepEqual(
      taken.map(({ hostId, revision, bookingRevision, claims }) => [
        hostId,
        revision,
        bookingRevision,
        claims.length,
      ]),
      [
        [busy, 0, 0, 1],
        [idle, 7, 2 ** 40, 0],
      ],
    )
  })

  it('counts the seats that active bookings hold, when asked to', async () => {
    const hostId = await newHost()
    const meetingId = randomUUIDv7()
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

  it('counts upcoming meetings from an instant on', async () => {
    const [busy, idle] = [await newHost(), await newHost()]
    for (const hour of [-1, 0, 1]) await claim(busy, NOON + hour * HOUR, NOON + (hour + 1) * HOUR)
    assert.deepEqual(await countUpcoming(db(), [busy, idle], NOON), new Map([[busy, 2]]))
  })

  const NO_BUFFERS = { bufferBefore: 0, bufferAfter: 0 }
  const revisionsOf = async (hostId: string) => {
    const row = await db()
      .selectFrom('schedulers')
      .select(['revision', 'booking_revision as bookingRevision'])
      .where('id', '=', hostId)
      .executeTakeFirstOrThrow()
    return { hostId, ...row }
  }
  const takeIfUnchanged = async (seen: Awaited<ReturnType<typeof revisionsOf>>, startsAt = NOON) => {
    return insertBookingIfFree(db(), seen, bookingOf(seen.hostId, { startsAt }), NO_BUFFERS)
  }
  const written = async (hostId: string) => [
    (await db().selectFrom('claims').select('meeting_id').where('host_id', '=', hostId).execute()).length,
    (await db().selectFrom('bookings').select('id').where('host_id', '=', hostId).execute()).length,
  ]

  it('books if nothing has changed, and bumps the booking revision', async () => {
    const seen = await revisionsOf(await newHost())
    assert.equal(await takeIfUnchanged(seen), true)
    assert.deepEqual(await written(seen.hostId), [1, 1])
    assert.deepEqual(await revisionsOf(seen.hostId), { ...seen, bookingRevision: seen.bookingRevision + 1 })
  })

  it('writes nothing if the revision or the booking revision has changed', async () => {
    const seen = await revisionsOf(await newHost())
    assert.equal(await takeIfUnchanged({ ...seen, bookingRevision: seen.bookingRevision + 1 }), false)
    assert.equal(await takeIfUnchanged({ ...seen, revision: seen.revision + 1 }), false)
    assert.equal(await takeIfUnchanged({ ...seen, bookingRevision: seen.bookingRevision - 1 }), false)
    assert.deepEqual(await written(seen.hostId), [0, 0])
    assert.deepEqual(await revisionsOf(seen.hostId), seen)
  })

  it('lets one of several who have seen the same have their booking', async () => {
    const seen = await revisionsOf(await newHost())
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, i) => takeIfUnchanged(seen, NOON + i * HOUR)),
    )
    assert.deepEqual(results.filter(Boolean), [true])
    assert.deepEqual(await written(seen.hostId), [1, 1])
  })

  it('makes all that come at the same time and are far enough apart, and of those that are not, one', async () => {
    const hostId = await newHost()
    const seen = { ...(await revisionsOf(hostId)), bookingRevision: null }
    // Meetings of an hour: the buffers leave room for those three hours apart, and for none between them.
    const buffers = { bufferBefore: HOUR, bufferAfter: 2 * HOUR }
    const hours = Array.from({ length: 24 }, (_, hour) => hour)
    const results = await Promise.all(
      hours.map((hour) =>
        insertBookingIfFree(db(), seen, bookingOf(hostId, { startsAt: NOON + hour * HOUR }), buffers),
      ),
    )
    assert.deepEqual(
      hours.filter((hour) => results[hour]),
      [0, 3, 6, 9, 12, 15, 18, 21],
    )
    assert.deepEqual(await written(hostId), [8, 8])
  })

  it('takes everything back when the engine refuses a part', async () => {
    const hostId = await newHost()
    const seen = await revisionsOf(hostId)
    await addBooking(bookingOf(hostId, { duplicateKey: 'again@guests.example' }))
    const added = bookingOf(hostId, { duplicateKey: 'again@guests.example' })
    await refusedAs('duplicate_booking', insertBookingIfFree(db(), seen, added, NO_BUFFERS))
    assert.deepEqual(await revisionsOf(hostId), seen)
    assert.deepEqual(await written(hostId), [0, 1])
  })

  it('writes nothing where a meeting, or the buffer of either, is in the way', async () => {
    const hostId = await newHost()
    await claim(hostId, NOON, NOON + HOUR, { bufferBefore: 30 * MINUTE, bufferAfter: 0 })
    const seen = { ...(await revisionsOf(hostId)), bookingRevision: null }
    const tryAt = (startsAt: number, bufferBefore = 0, bufferAfter = 0) =>
      insertBookingIfFree(db(), seen, bookingOf(hostId, { startsAt }), { bufferBefore, bufferAfter })
    assert.equal(await tryAt(NOON - 30 * MINUTE), false)
    assert.equal(await tryAt(NOON + 30 * MINUTE), false)
    assert.equal(await tryAt(NOON - 90 * MINUTE + MINUTE), false)
    assert.equal(await tryAt(NOON + HOUR, MINUTE), false)
    assert.equal(await tryAt(NOON - 2 * HOUR, 0, HOUR + MINUTE), false)
    assert.deepEqual(await written(hostId), [1, 0])
    assert.equal(await tryAt(NOON + HOUR), true)
    assert.equal(await tryAt(NOON - 90 * MINUTE, 0, 30 * MINUTE), true)
    assert.deepEqual(await written(hostId), [3, 2])
  })

  it('makes each of many that come together, except those that cannot be', async () => {
    const hosts = await Promise.all(Array.from({ length: 20 }, newHost))
    const twice = `${randomUUIDv7()}@guests.example`
    await addBooking(bookingOf(hosts[3] as string, { duplicateKey: twice }))
    await claim(hosts[5] as string, NOON, NOON + HOUR)
    const seen = await Promise.all(hosts.map(revisionsOf))
    const attempts = seen.map((host, i) => {
      const added = bookingOf(host.hostId, i === 3 ? { duplicateKey: twice } : {})
      return insertBookingIfFree(db(), i === 7 ? { ...host, revision: 99 } : host, added, NO_BUFFERS)
    })
    for (const [i, result] of (await Promise.allSettled(attempts)).entries()) {
      if (i === 3) assert.equal(result.status, 'rejected')
      else assert.deepEqual(result, { status: 'fulfilled', value: i !== 5 && i !== 7 })
      assert.equal((await written(hosts[i] as string))[1], i === 5 || i === 7 ? 0 : 1)
    }
  })

  it('writes the news of a booking with it, and none of one that was not made', async () => {
    const seen = await revisionsOf(await newHost())
    const lane = `booking:${randomUUIDv7()}`
    const announcement = { kind: 'announce' as const, lane, data: { what: 'it’s “news” 🎉' }, dueAt: NOON }
    const attempt = (revision: number) => {
      const added = { ...bookingOf(seen.hostId), announcement }
      return insertBookingIfFree(db(), { ...seen, revision }, added, NO_BUFFERS)
    }
    const jobs = () => db().selectFrom('outbox').selectAll().where('lane', '=', lane).execute()
    assert.equal(await attempt(seen.revision + 1), false)
    assert.deepEqual(await jobs(), [])
    assert.equal(await attempt(seen.revision), true)
    const [job, ...others] = await jobs()
    assert.deepEqual(others, [])
    assert.deepEqual(JSON.parse(job?.data ?? ''), announcement.data)
    assert.deepEqual([job?.kind, job?.due_at, job?.failed_at], ['announce', NOON, null])
  })

  it('keeps every field of a booking, whatever is written in it', async () => {
    const seen = await revisionsOf(await newHost())
    const plain = bookingOf(seen.hostId)
    const added = {
      ...plain,
      booking: {
        ...plain.booking,
        invitee: {
          name: `O'Neil "the; drop table" \\ 名前 🎉`,
          email: 'o.neil@guests.example',
          phone: '+1 212 555 0100',
          timeZone: 'Asia/Tokyo',
          locale: 'pt-BR',
        },
        notes: 'first line\nsecond line\t$1 ? :x %s',
        customFields: { topic: ['a', 1, null], __proto__x: { deep: true } },
        source: 'EmbedWidget' as const,
        utm: { medium: 'mail' },
      },
    }
    const { meetingId } = added.booking
    await insertBookingIfFree(db(), seen, added, NO_BUFFERS)
    const row = await db()
      .selectFrom('bookings')
      .selectAll()
      .where('id', '=', added.booking.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      { ...row, custom_fields: JSON.parse(row.custom_fields) },
      {
        id: added.booking.id,
        scheduler_id: added.schedulerId,
        event_type_id: eventTypeId,
        meeting_id: meetingId,
        host_id: seen.hostId,
        seat: 1,
        seats: 1,
        status: 'Confirmed',
        starts_at: NOON,
        ends_at: NOON + HOUR,
        invitee_name: added.booking.invitee.name,
        invitee_email: 'o.neil@guests.example',
        invitee_phone: '+1 212 555 0100',
        invitee_time_zone: 'Asia/Tokyo',
        invitee_locale: 'pt-BR',
        location_type: 'Video',
        location_value: '',
        notes: added.booking.notes,
        custom_fields: added.booking.customFields,
        source: 'EmbedWidget',
        duplicate_key: added.duplicateKey,
        created_at: NOON,
        sequence: 0,
        reason: '',
        utm: '{"medium":"mail"}',
        requested_at: null,
      },
    )
  })

  it(`names other refusals of ${engine} for what they are`, async () => {
    await refusedAs('unique', addUser(db(), 'owner'))
    const unknownHost = claim(randomUUIDv7(), NOON, NOON + HOUR)
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
