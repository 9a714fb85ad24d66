import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { onEveryDatabase, openPatiently } from '../../../test/databases.ts'
import { addEventType, addUser } from '../../../test/kit.ts'
import { untilSomeoneWaits } from '../../../test/standstill.ts'
import { done } from '../../domain/bookings/decisions/decision.ts'
import { claimsIn, emptyLedger, hasLocked, type Question, type Writes } from '../../domain/bookings/ledger.ts'
import type { ListedBooking, NewBooking } from '../../domain/bookings/listed-booking.ts'
import { HOUR } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { brokenConstraint, isUnavailable, type Trx } from '../engine/database.ts'
import { newId } from '../new-id.ts'
import { claimRow } from './rows.ts'
import { contentionCounts, type DecideUnderLock, decideUnderLock } from './write-path.ts'

const NOON = Date.UTC(2027, 0, 11, 12)

onEveryDatabase('the write path', ({ db, url, engine }) => {
  let eventTypeId: string
  before(async () => {
    eventTypeId = (await addEventType(db(), await addUser(db(), 'owner'))).id
  })
  let hosts = 0
  const newHost = async () => (await addUser(db(), `host-${hosts++}`)).id

  const bookingAt = (hostId: string, startsAt: number, duplicateKey: string = newId()): NewBooking => {
    const id = newId()
    return {
      schedulerId: hostId,
      hostId,
      seat: 1,
      seats: 1,
      duplicateKey,
      booking: {
        id,
        eventTypeId,
        meetingId: id,
        status: 'Confirmed',
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
  const claimOf = ({ hostId, booking }: ListedBooking) => {
    const { meetingId, startsAt, endsAt } = booking
    return {
      hostId,
      claim: { meetingId, eventTypeId, startsAt, endsAt, bufferBefore: 0, bufferAfter: 0, seatsTaken: 1 },
    }
  }
  const about = (hostId: string, startsAt = NOON): Question => ({
    hostIds: [hostId],
    spans: [{ start: startsAt - HOUR, end: startsAt + 2 * HOUR }],
  })
  /** Takes an hour if none of the claims that it sees is in the way. */
  const take =
    (added: NewBooking, more: Writes = {}): DecideUnderLock<string> =>
    (ledger) => {
      const { startsAt, endsAt, id } = added.booking
      const taken = claimsIn(ledger, added.hostId).some((claim) => {
        return claim.startsAt < endsAt && claim.endsAt > startsAt
      })
      if (taken) throw new Problem('slot_unavailable', sentence`Taken.`)
      return done(id, { bookings: [added], claims: [claimOf(added)], ...more })
    }
  const tryToTake = (added: NewBooking, more?: Writes) =>
    decideUnderLock(db(), about(added.hostId, added.booking.startsAt), take(added, more))
  const written = async (hostId: string) => [
    (await db().selectFrom('claims').select('meeting_id').where('host_id', '=', hostId).execute()).length,
    (await db().selectFrom('bookings').select('id').where('host_id', '=', hostId).execute()).length,
  ]
  const isTaken = (error: unknown) => error instanceof Problem && error.code === 'slot_unavailable'

  it('shows each decision of a batch what those before it decided', async () => {
    const hostId = await newHost()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) => tryToTake(bookingAt(hostId, NOON + (i * HOUR) / 2))),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status === 'fulfilled'),
      Array.from({ length: 12 }, (_, i) => i % 2 === 0),
    )
    assert.deepEqual(await written(hostId), [6, 6])
  })

  it('refuses what the database refuses to that request alone', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, newHost))
    const twice = `${newId()}@guests.example`
    await tryToTake(bookingAt(ids[3] as string, NOON, twice))
    const outcomes = await Promise.allSettled(
      ids.map((hostId, i) => {
        // This question reads no claims, so the decision takes a time that is taken.
        const careless = { hostIds: [hostId] }
        const added = bookingAt(hostId, i === 3 ? NOON + HOUR / 2 : NOON)
        return decideUnderLock(db(), careless, take(added))
      }),
    )
    for (const [i, outcome] of outcomes.entries()) {
      if (i !== 3) assert.equal(outcome.status, 'fulfilled')
      else assert.ok(outcome.status === 'rejected' && brokenConstraint(outcome.reason) === 'host_overlap')
      assert.deepEqual(await written(ids[i] as string), [1, 1])
    }
  })

  it('writes nothing of a decision that throws', async () => {
    const hostId = await newHost()
    await tryToTake(bookingAt(hostId, NOON))
    await assert.rejects(tryToTake(bookingAt(hostId, NOON)), isTaken)
    assert.deepEqual(await written(hostId), [1, 1])
  })

  it('takes everything back when the database refuses a part', async () => {
    const hostId = await newHost()
    const again = `${newId()}@guests.example`
    await tryToTake(bookingAt(hostId, NOON, again))
    const added = { ...bookingAt(hostId, NOON, again), hostId: await newHost() }
    await assert.rejects(tryToTake(added), (error) => brokenConstraint(error) === 'duplicate_booking')
    assert.deepEqual(await written(added.hostId), [0, 0])
  })

  it('reads what the question asks for: revisions, seats, turns, bookings, companions, answers', async () => {
    const [hostId, other] = [await newHost(), await newHost()]
    const answer = { eventTypeId, key: newId(), bodyHash: 'hash', answer: '{}', expiresAt: NOON }
    const first = { ...bookingAt(hostId, NOON), seats: 3 }
    const { meetingId } = first.booking
    await tryToTake(first, { answers: [answer] })
    const second = { ...bookingAt(hostId, NOON), seat: 2, seats: 3 }
    const joined = { ...second, booking: { ...second.booking, meetingId } }
    await decideUnderLock(db(), { hostIds: [hostId] }, () => done('', { bookings: [joined] }))
    await db()
      .insertInto('event_type_hosts')
      .values({
        event_type_id: eventTypeId,
        host_id: hostId,
        fixed: 0,
        last_assigned_at: 7,
        weight: 2,
        balance: 0.5,
      })
      .execute()
    await db().updateTable('schedulers').set({ revision: 41 }).where('id', '=', other).execute()
    const question: Question = {
      hostIds: [hostId],
      meetingIds: [meetingId],
      dependsOn: [hostId, other],
      spans: [{ start: NOON, end: NOON + 1 }],
      seatsAt: [NOON],
      turnsOf: eventTypeId,
      bookingIds: [first.booking.id],
      retry: { eventTypeId, key: answer.key },
    }
    await decideUnderLock(db(), question, (ledger) => {
      assert.deepEqual([ledger.schedulers.revisionOf(hostId), ledger.schedulers.revisionOf(other)], [0, 41])
      assert.deepEqual(ledger.seats.takenIn(meetingId), new Set([1, 2]))
      assert.deepEqual(
        claimsIn(ledger, hostId).map(({ startsAt, seatsTaken }) => [startsAt, seatsTaken]),
        [[NOON, 2]],
      )
      assert.deepEqual(ledger.claims.hostsOf(meetingId), [hostId])
      const turn = { hostId, lastAssignedAt: 7, weight: 2, balance: 0.5 }
      assert.deepEqual(ledger.turns.of(eventTypeId), [turn])
      assert.deepEqual(ledger.bookings.find(first.booking.id)?.booking, first.booking)
      assert.ok(ledger.bookings.hasCompanions(first.booking))
      assert.deepEqual(ledger.answers.find(eventTypeId, answer.key), answer)
      return done(undefined)
    })
  })

  it('updates bookings, frees their time for others of the same batch, and queues jobs and audit entries', async () => {
    const hostId = await newHost()
    const cancelled = bookingAt(hostId, NOON)
    await tryToTake(cancelled)
    const lane = `booking:${cancelled.booking.id}`
    const after = { ...cancelled.booking, status: 'Cancelled' as const, sequence: 1, reason: 'A “cold” 🎉' }
    const entry = {
      id: newId(),
      schedulerId: hostId,
      actorId: hostId,
      actor: 'host@example.org',
      token: '',
      action: 'cancelled',
      objectType: 'booking',
      objectId: cancelled.booking.id,
      changes: ['status'],
      createdAt: NOON,
    }
    const cancelling = decideUnderLock(db(), about(hostId), () =>
      done(undefined, {
        updates: [{ ...cancelled, booking: after }],
        freedMeetings: [cancelled.booking.meetingId],
        jobs: [{ kind: 'announce', lane, data: { what: 'it’s “new” 🎉' }, dueAt: NOON }],
        audit: [entry],
      }),
    )
    const next = tryToTake(bookingAt(hostId, NOON))
    await Promise.all([cancelling, next])
    assert.deepEqual(await written(hostId), [1, 2])
    const row = await db()
      .selectFrom('bookings')
      .select(['status', 'sequence', 'reason', 'requested_at'])
      .where('id', '=', cancelled.booking.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(row, { status: 'Cancelled', sequence: 1, reason: after.reason, requested_at: null })
    const [job] = await db().selectFrom('outbox').selectAll().where('lane', '=', lane).execute()
    assert.deepEqual(
      [job?.kind, job?.due_at, job?.failed_at, JSON.parse(job?.data ?? '')],
      ['announce', NOON, null, { what: 'it’s “new” 🎉' }],
    )
    const [audited] = await db().selectFrom('audit').selectAll().where('id', '=', entry.id).execute()
    assert.deepEqual([audited?.actor, audited?.changes], ['host@example.org', '["status"]'])
  })

  it('keeps every field of a booking, with any text', async () => {
    const hostId = await newHost()
    const plain = bookingAt(hostId, NOON)
    const added: NewBooking = {
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
        source: 'EmbedWidget',
        utm: { medium: 'mail' },
      },
    }
    await tryToTake(added)
    const question = { hostIds: [hostId], bookingIds: [added.booking.id] }
    const { duplicateKey: _, ...listed } = added
    const found = await decideUnderLock(db(), question, (ledger) =>
      done(ledger.bookings.find(added.booking.id)),
    )
    assert.deepEqual(found, done(listed))
  })

  if (engine === 'postgres') {
    describe('while another transaction holds a host', () => {
      const takeNoon = (trx: Trx, hostId: string, startsAt = NOON) => {
        const row = claimRow(hostId, claimOf(bookingAt(hostId, startsAt)).claim)
        return trx.insertInto('claims').values(row).execute()
      }
      /** Holds a host, and takes its noon, or does something else, before letting go. */
      const hold = async (
        hostId: string,
        change: (trx: Trx) => Promise<unknown> = (trx) => takeNoon(trx, hostId),
      ) => {
        const held = Promise.withResolvers<void>()
        const release = Promise.withResolvers<void>()
        const done = db()
          .transaction()
          .execute(async (trx) => {
            await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
            await sql`select id from schedulers where id = ${hostId} for no key update`.execute(trx)
            held.resolve()
            await release.promise
            await change(trx)
          })
        await held.promise
        return { done, release: release.resolve }
      }

      it('waits for it, and sees what it wrote', async () => {
        const hostId = await newHost()
        const holder = await hold(hostId)
        const attempt = tryToTake(bookingAt(hostId, NOON))
        await untilSomeoneWaits(db(), attempt)
        holder.release()
        await assert.rejects(attempt, isTaken)
        await holder.done
      })

      describe('and changes it', () => {
        /** How often it is decided about a start while the other transaction makes this change. */
        const decisionsDuring = async (
          hostId: string,
          more: Partial<Question>,
          change: (trx: Trx) => Promise<unknown>,
        ) => {
          const holder = await hold(hostId, change)
          const added = bookingAt(hostId, NOON)
          let decisions = 0
          const attempt = decideUnderLock(db(), { ...about(hostId), ...more }, (ledger) => {
            decisions++
            return take(added)(ledger)
          })
          await untilSomeoneWaits(db(), attempt)
          holder.release()
          await Promise.all([attempt, holder.done])
          assert.deepEqual((await written(hostId))[1], 1)
          return decisions
        }

        it('decides again if a claim came near, as a buffer or a limit may count it', async () => {
          const hostId = await newHost()
          const near = (trx: Trx) => takeNoon(trx, hostId, NOON + HOUR)
          const { outdated } = contentionCounts(db())
          assert.equal(await decisionsDuring(hostId, {}, near), 2)
          assert.equal(contentionCounts(db()).outdated, outdated + 1)
        })

        it('decides again if the settings of someone have changed whom it depends on', async () => {
          const [hostId, team] = [await newHost(), await newHost()]
          const change = (trx: Trx) =>
            sql`update schedulers set revision = revision + 1 where id = ${team}`.execute(trx)
          assert.equal(await decisionsDuring(hostId, { dependsOn: [team] }, change), 2)
        })

        it('decides again if the same request has been answered', async () => {
          const hostId = await newHost()
          const retry = { eventTypeId, key: newId() }
          const answer = {
            event_type_id: eventTypeId,
            key: retry.key,
            body_hash: '',
            answer: '{}',
            expires_at: NOON,
          }
          const change = (trx: Trx) => trx.insertInto('idempotency_keys').values(answer).execute()
          assert.equal(await decisionsDuring(hostId, { retry }, change), 2)
        })

        it('decides once if the claim is far away', async () => {
          const hostId = await newHost()
          const far = (trx: Trx) => takeNoon(trx, hostId, NOON + 3 * HOUR)
          assert.equal(await decisionsDuring(hostId, {}, far), 1)
        })
      })

      it('does not delay bookings of other hosts', async () => {
        const [stuck, ...others] = await Promise.all(Array.from({ length: 8 }, newHost))
        const holder = await hold(stuck as string)
        const waiting = tryToTake(bookingAt(stuck as string, NOON + 2 * HOUR))
        const rounds = [0, 1, 2].map((round) =>
          others.map((hostId) => tryToTake(bookingAt(hostId, NOON + round * HOUR))),
        )
        await Promise.all(rounds.flat())
        holder.release()
        await Promise.all([waiting, holder.done])
      })

      it('times out for that host alone', async (t) => {
        const hasty = openPatiently(url(), { queryTimeout: 20_000 })
        t.after(() => hasty.destroy())
        const takeHastily = (added: NewBooking) =>
          decideUnderLock(hasty, about(added.hostId, added.booking.startsAt), take(added))
        const [stuck, free] = [await newHost(), await newHost()]
        const holder = await hold(stuck)
        const attempts = [0, 1, 2].map((hour) => takeHastily(bookingAt(stuck, NOON + (hour + 2) * HOUR)))
        const other = takeHastily(bookingAt(free, NOON))
        await other
        for (const attempt of attempts) await assert.rejects(attempt, isUnavailable)
        holder.release()
        await holder.done
        assert.deepEqual(await written(stuck), [1, 0])
        await tryToTake(bookingAt(stuck, NOON + 2 * HOUR))
      })
    })
  }
})

describe('Ledger', () => {
  it('holds a question only if every host of its meetings is locked', () => {
    const claim = { eventTypeId: 'e', startsAt: 0, endsAt: 1, bufferBefore: 0, bufferAfter: 0, seatsTaken: 1 }
    const ledger = emptyLedger()
    ledger.schedulers.add('ada', 0, true)
    for (const hostId of ['ada', 'ben']) ledger.claims.add({ hostId, claim: { ...claim, meetingId: 'm' } })
    assert.equal(hasLocked(ledger, { hostIds: ['ada'] }), true)
    assert.equal(hasLocked(ledger, { hostIds: ['ben'] }), false)
    assert.equal(hasLocked(ledger, { hostIds: ['ada'], meetingIds: ['m'] }), false)
  })
})
