import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { DAY, HOUR, type Interval, MINUTE, overlaps } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { hashSecret } from '../../src/services/secret.ts'
import { insertPrivateLink } from '../../src/store/bookings/private-links.ts'
import type { Db } from '../../src/store/engine/database.ts'
import type { EngineName } from '../../src/store/engine/engine.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addTeam, addUser, bookingOf, fromSomeoneNew, plainEventType } from '../kit.ts'
import {
  type Answer,
  alwaysOpen,
  type Client,
  connectTo,
  FUTURE_MIDNIGHT,
  freshHome,
  type Home,
  type ServerProcess,
  startServer,
} from '../server-process.ts'

// Real sockets, real processes, real clocks. The rules hold for every interleaving.

const DEPLOYMENTS: readonly { name: string; engine: EngineName; processes: number }[] = [
  { name: 'one process on SQLite', engine: 'sqlite', processes: 1 },
  { name: 'two processes on one PostgreSQL', engine: 'postgres', processes: 2 },
]

const SOCKETS = 200
const LINK_USES = 7
const WEEK = 7 * DAY

for (const { name, engine, processes } of DEPLOYMENTS) {
  describe(`races: ${name}`, () => {
    let home: Home
    let world: World
    let servers: ServerProcess[] = []
    let clients: Client[] = []

    before(async () => {
      home = await freshHome(engine)
      world = await addWorld(home.db)
      servers = await Promise.all(Array.from({ length: processes }, () => startServer(home)))
      clients = servers.map((server) => connectTo(server, SOCKETS / processes))
      // A cold pool would let requests in one by one, and there would be no race.
      await rush(Array(2 * SOCKETS).fill(attempt(world.warmUp, FUTURE_MIDNIGHT + MINUTE)))
    })
    after(async () => {
      for (const client of clients) client.close()
      for (const server of servers) server.send('SIGTERM')
      await Promise.all(servers.map((server) => server.exited))
      await home?.remove()
    })

    /** Sends all of them at once, in turn to each process, each from its own IP address. */
    async function rush(attempts: readonly Attempt[]): Promise<Outcome[]> {
      return Promise.all(
        attempts.map(async (given, i) => {
          const client = clients[i % clients.length] as Client
          const headers = { ...fromSomeoneNew(), ...given.headers }
          const path = `${pathOf(given.offer)}/${given.action ?? 'book'}${given.offer.link === undefined ? '' : `?link=${given.offer.link}`}`
          return { ...given, answer: await client.post(path, given.body, headers) }
        }),
      )
    }

    it('gives one slot to exactly one of 200 guests', async () => {
      const outcomes = await rush(Array.from({ length: 200 }, () => attempt(world.single, FUTURE_MIDNIGHT)))
      const { winners } = split(outcomes)
      assert.equal(winners.length, 1)
      await assertKept(home.db, world.single, winners)
      await assertNoOverlaps(home.db)
    })

    it('lets a private link book as often as it has uses, with a host or with any of a team', async () => {
      for (const offer of world.linked) {
        const attempts = Array.from({ length: 100 }, (_, i) =>
          attempt(offer, FUTURE_MIDNIGHT + i * 30 * MINUTE),
        )
        const outcomes = await rush(attempts)
        const winners = outcomes.filter(({ answer }) => answer.status === 201)
        assert.equal(winners.length, LINK_USES)
        for (const { answer } of outcomes)
          assert.ok(answer.status === 201 || answer.status === 404, told(answer))
        await assertKept(home.db, offer, winners)
        const links = home.db.selectFrom('private_links').select(['uses', 'used'])
        const [link] = await links.where('event_type_id', '=', offer.eventType.id).execute()
        assert.deepEqual(link, { uses: LINK_USES, used: LINK_USES })
      }
    })

    it('never lets holds and bookings of the same time overlap', async () => {
      const offer = world.held
      const starts = Array.from({ length: 30 }, (_, i) => FUTURE_MIDNIGHT + i * 30 * MINUTE)
      // Two who hold and two who book, in another order each time; some hold a time that overlaps the next one.
      const tries = starts.flatMap((start, i) => {
        const each = [
          holdOf(offer, start),
          attempt(offer, start),
          holdOf(offer, start),
          attempt(offer, start),
        ]
        const crossing = holdOf(world.heldLonger, start - (start % HOUR))
        return i % 2 === 0 ? [...each, crossing] : [crossing, ...each.toReversed()]
      })
      const outcomes = await rush(tries)
      for (const { answer } of outcomes)
        assert.ok(answer.status === 201 || answer.status === 400, told(answer))
      const won = outcomes.filter(({ answer }) => answer.status === 201)
      for (const [i, one] of won.entries()) {
        for (const other of won.slice(i + 1)) assert.ok(!overlaps(one.span, other.span))
      }
      await assertNoOverlaps(home.db)
      assert.ok(won.some(({ answer }) => answer.body.holdId))

      // Whoever holds a time gets it, whoever else tries; and each hold is good for one booking.
      const holds = won.filter(({ answer }) => answer.body.holdId)
      const second = await rush(
        holds.flatMap(({ offer, span, answer }) => [
          attempt(offer, span.start),
          attempt(offer, span.start, { holdId: answer.body.holdId }),
          attempt(offer, span.start, { holdId: answer.body.holdId }),
        ]),
      )
      for (const { span } of holds) {
        const booked = second.filter((one) => one.span === span || one.span.start === span.start)
        assert.equal(booked.filter(({ answer }) => answer.status === 201).length, 1)
      }
      await assertNoOverlaps(home.db)
      const left = home.db.selectFrom('claims').select('meeting_id').where('expires_at', 'is not', null)
      assert.deepEqual(await left.where('host_id', '=', offer.owner.id).execute(), [])
    })

    it('takes the time of ended holds at once, for one of many', async () => {
      const offer = world.ended
      for (let round = 0; round < 5; round++) {
        const start = FUTURE_MIDNIGHT + round * 30 * MINUTE
        const [held] = await rush([holdOf(offer, start)])
        assert.equal(held?.answer.status, 201)
        const ended = home.db.updateTable('claims').set({ expires_at: 1 }).where('expires_at', 'is not', null)
        await ended.where('host_id', '=', offer.owner.id).execute()
        const outcomes = await rush(
          Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? holdOf : attempt)(offer, start)),
        )
        assert.equal(outcomes.filter(({ answer }) => answer.status === 201).length, 1)
      }
      await assertNoOverlaps(home.db)
    })

    it('gives each of many slots to exactly one of four guests', async () => {
      // One host, whose queue is the same in each process: they meet at every slot anew.
      const starts = Array.from({ length: 40 }, (_, i) => FUTURE_MIDNIGHT + i * 30 * MINUTE)
      const attempts = starts.flatMap((start) =>
        Array.from({ length: 4 }, () => attempt(world.sequence, start)),
      )
      const { winners } = split(await rush(attempts))
      assert.deepEqual(winners.map(({ span }) => span.start).sort(), starts)
      await assertKept(home.db, world.sequence, winners)
      await assertNoOverlaps(home.db)
    })

    it('never books overlapping slots of two event types of one host, and refuses none that was free', async () => {
      const { half, hour } = world.overlapping
      // Starts every 15 and every 20 minutes over six hours: 24 and 18 of them, five guests each.
      const attempts = Array.from({ length: 5 }).flatMap(() => [
        ...Array.from({ length: 24 }, (_, i) => attempt(half, FUTURE_MIDNIGHT + i * 15 * MINUTE)),
        ...Array.from({ length: 18 }, (_, i) => attempt(hour, FUTURE_MIDNIGHT + i * 20 * MINUTE)),
      ])
      const { winners, losers } = split(await rush(attempts))
      for (const [i, winner] of winners.entries()) {
        for (const other of winners.slice(i + 1)) assert.ok(!overlaps(winner.span, other.span))
      }
      for (const loser of losers) assert.ok(winners.some((winner) => overlaps(winner.span, loser.span)))
      await assertKept(
        home.db,
        half,
        winners.filter((winner) => winner.offer === half),
      )
      await assertKept(
        home.db,
        hour,
        winners.filter((winner) => winner.offer === hour),
      )
      await assertNoOverlaps(home.db)
    })

    it('books exactly as many seats as there are', async () => {
      const { winners } = split(
        await rush(Array.from({ length: 100 }, () => attempt(world.seated, FUTURE_MIDNIGHT))),
      )
      assert.equal(winners.length, 7)
      const rows = await assertKept(home.db, world.seated, winners)
      assert.deepEqual(rows.map((row) => row.seat).sort(), [1, 2, 3, 4, 5, 6, 7])
      assert.equal(new Set(rows.map((row) => row.meeting_id)).size, 1)
      const claims = await claimsOf(home.db, world.seated.owner)
      assert.equal(claims.length, 1)
    })

    it('never lets more people come to a seated meeting than it has seats', async () => {
      const starts = Array.from({ length: 12 }, (_, i) => FUTURE_MIDNIGHT + i * 30 * MINUTE)
      const attempts = starts.flatMap((start) =>
        Array.from({ length: 8 }, (_, i) => attempt(world.parties, start, { guests: strangers(i % 4) })),
      )
      const { winners, losers } = split(await rush(attempts))
      const rows = await assertKept(home.db, world.parties, winners)
      for (const start of starts) {
        const seated = rows.filter((row) => row.starts_at === start)
        const parties = seated.map(partyOf)
        const left = world.parties.eventType.seats - parties.reduce((sum, party) => sum + party, 0)
        assert.ok(left >= 0, `${parties} people`)
        assert.equal(new Set(seated.map((row) => row.meeting_id)).size, 1)
        // Seats only get fewer, so a party that was refused doesn't fit now either.
        for (const { body } of losers.filter(({ span }) => span.start === start)) {
          assert.ok('guests' in body && Array.isArray(body.guests) && 1 + body.guests.length > left)
        }
      }
      assert.equal((await claimsOf(home.db, world.parties.owner)).length, starts.length)
    })

    it('books a series wholly or not at all, while others take single dates of it', async () => {
      const { talk, longer } = world.repeating
      const series = (start: number, every: string, count: number) =>
        attempt(talk, start, { repeat: { every, count } })
      // At each time of day, series of four weeks compete with each other and with guests who want one of the dates.
      const attempts = Array.from({ length: 12 }, (_, i) => {
        const start = FUTURE_MIDNIGHT + i * 30 * MINUTE
        const single = attempt(talk, start + (i % 4) * WEEK)
        const crossing = attempt(longer, start - (start % HOUR) + ((i + 2) % 4) * WEEK)
        const all = [series(start, 'week', 4), series(start, '2 weeks', 2), series(start + WEEK, 'week', 4)]
        return i % 3 === 0 ? [...all, single, crossing] : [single, ...all.toReversed(), crossing]
      }).flat()
      const { winners, losers } = split(await rush(attempts))
      const wanted = ({ body }: Attempt) => ('repeat' in body ? (body.repeat as { count: number }).count : 1)
      for (const one of winners) assert.equal(one.answer.body.series?.length ?? 1, wanted(one))
      assert.ok(winners.some((one) => wanted(one) > 1) && losers.some((one) => wanted(one) > 1))
      const kept = await home.db
        .selectFrom('bookings')
        .select(['id', 'series_id'])
        .where('event_type_id', 'in', [talk.eventType.id, longer.eventType.id])
        .execute()
      const answered = winners.flatMap(({ answer: { body } }) =>
        body.series === undefined
          ? [`${body.id} null`]
          : body.series.map(({ id }: { id: string }) => `${id} ${body.seriesId}`),
      )
      assert.deepEqual(kept.map((row) => `${row.id} ${row.series_id}`).sort(), answered.sort())
      assert.equal((await claimsOf(home.db, talk.owner)).length, kept.length)
      await assertNoOverlaps(home.db)
    })

    it('never overlaps a host’s own meeting and a collective one', async () => {
      const { both, first, second } = world.collective
      const starts = Array.from({ length: 10 }, (_, i) => FUTURE_MIDNIGHT + i * HOUR)
      const attempts = Array.from({ length: 6 }).flatMap(() =>
        // In another order each time, so that now one side is ahead, now the other.
        starts.flatMap((start, i) =>
          i % 2 === 0
            ? [attempt(both, start), attempt(first, start), attempt(second, start)]
            : [attempt(second, start), attempt(first, start), attempt(both, start)],
        ),
      )
      const { winners } = split(await rush(attempts))
      for (const start of starts) {
        const won = (offer: Offered) =>
          winners.filter((winner) => winner.offer === offer && winner.span.start === start).length
        const result = [won(both), won(first), won(second)].join()
        assert.ok(result === '1,0,0' || result === '0,1,1', `collective, first, second: ${result}`)
      }
      for (const offer of [both, first, second]) {
        await assertKept(
          home.db,
          offer,
          winners.filter((winner) => winner.offer === offer),
        )
      }
      await assertNoOverlaps(home.db)
    })

    it('gives one slot of a round-robin to as many guests as there are hosts, each with another', async () => {
      const { winners } = split(
        await rush(Array.from({ length: 100 }, () => attempt(world.roundRobin, FUTURE_MIDNIGHT))),
      )
      assert.equal(winners.length, 3)
      const rows = await assertKept(home.db, world.roundRobin, winners)
      assert.equal(new Set(rows.map((row) => row.host_id)).size, 3)
      await assertNoOverlaps(home.db)
    })

    it('spreads meetings that are booked at once evenly over the hosts of a round-robin', async () => {
      const attempts = Array.from({ length: 50 }, (_, i) =>
        attempt(world.evenly, FUTURE_MIDNIGHT + i * 30 * MINUTE),
      )
      const { winners, losers } = split(await rush(attempts))
      assert.equal(losers.length, 0)
      const rows = await assertKept(home.db, world.evenly, winners)
      const perHost = Object.values(Object.groupBy(rows, (row) => row.host_id)).map(
        (meetings) => meetings?.length ?? 0,
      )
      assert.deepEqual(perHost.toSorted(), [16, 17, 17])
    })

    it('books the same guest once, in any spelling', async () => {
      const outcomes = await rush(
        Array.from({ length: 20 }, (_, i) =>
          attempt(world.repeated, FUTURE_MIDNIGHT, {
            inviteeEmail: i % 2 === 0 ? 'twice@guests.example' : 'Twice@Guests.Example',
          }),
        ),
      )
      const { winners, losers } = split(outcomes)
      assert.equal(winners.length, 1)
      for (const { answer } of losers) assert.match(answer.body.error, /no longer available/)
      await assertKept(home.db, world.repeated, winners)
    })

    for (const kind of ['single', 'seated', 'roundRobin'] as const) {
      it(`answers the same Idempotency-Key with one booking, under any load (${kind})`, async () => {
        const offer = world.retried[kind]
        const { body } = attempt(offer, FUTURE_MIDNIGHT)
        const headers = { 'idempotency-key': 'one-and-the-same' }
        const outcomes = await rush(
          Array.from({ length: 20 }, () => ({ ...attempt(offer, FUTURE_MIDNIGHT), body, headers })),
        )
        const { winners } = split(outcomes)
        assert.equal(winners.length, 20)
        for (const { answer } of winners) assert.deepEqual(answer.body, winners[0]?.answer.body)
        await assertKept(home.db, offer, winners.slice(0, 1))
      })
    }

    it('books once for a guest who solved one CAPTCHA and sent the request many times under one key', async () => {
      const offer = world.retried.behindCaptcha
      const challenge = await (clients[0] as Client).get(`${pathOf(offer)}/challenge`)
      const solution = await solveChallenge({ challenge: challenge.body, deriveKey })
      const captchaToken = Buffer.from(JSON.stringify({ challenge: challenge.body, solution })).toString(
        'base64',
      )
      const same = {
        ...attempt(offer, FUTURE_MIDNIGHT, { captchaToken }),
        headers: { 'idempotency-key': 'one-and-the-same' },
      }
      split(await rush(Array<Attempt>(20).fill(same)))
      const { winners } = split(await rush([same]))
      assert.equal(winners.length, 1)
      await assertKept(home.db, offer, winners)
    })

    it('has logged only where it listens', () => {
      for (const server of servers) assert.match(server.output(), /^Punctual is listening[^{]*$/)
    })
  })
}

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
  /** The token of the private link that guests come with. */
  readonly link?: string
}

const pathOf = ({ owner, eventType }: Offered) => `/api/public/scheduling/${owner.slug}/${eventType.slug}`

type World = Awaited<ReturnType<typeof addWorld>>

/** A new host or team for every race, so that none disturbs another. */
async function addWorld(db: Db) {
  const offered = async (
    owner: Scheduler,
    given: Partial<EventType> = {},
    hosts?: Parameters<typeof addEventType>[3],
  ): Promise<Offered> => ({ owner, eventType: await addEventType(db, owner, given, hosts) })
  const linked = async (offer: Offered): Promise<Offered> => {
    const link = `token-of-${offer.owner.slug}`
    const terms = {
      uses: LINK_USES,
      used: 0,
      expiresAt: null,
      durationMinutes: null,
      hostIds: [],
      answers: {},
    }
    const made = { id: newId(), eventTypeId: offer.eventType.id, note: '', createdAt: 0, ...terms }
    await db.transaction().execute((trx) => insertPrivateLink(trx, made, hashSecret(link)))
    return { ...offer, link }
  }
  const user = (slug: string) => addUser(db, slug, alwaysOpen)
  const users = (...slugs: string[]) => Promise.all(slugs.map(user))
  const rotating = (hosts: readonly Scheduler[]) => hosts.map(({ id }) => ({ hostId: id, fixed: false }))

  const busy = await user('overlapping')
  const holder = await user('holder')
  const repeating = await user('repeating')
  const [ada, ben] = (await users('ada', 'ben')) as [Scheduler, Scheduler]
  const pair = await addTeam(db, 'pair')
  const robin = { assignment: 'round-robin' } as const
  return {
    warmUp: await offered(await user('warm-up')),
    single: await offered(await user('single')),
    sequence: await offered(await user('sequence')),
    overlapping: {
      half: await offered(busy, { durationMinutes: 30, intervalMinutes: 15 }),
      hour: await offered(busy, { durationMinutes: 60, intervalMinutes: 20 }),
    },
    held: await offered(holder, { holds: true }),
    heldLonger: await offered(holder, { holds: true, durationMinutes: 60 }),
    ended: await offered(await user('ended'), { holds: true }),
    seated: await offered(await user('seated'), { seats: 7 }),
    parties: await offered(await user('parties'), { seats: 7, maxGuests: 3 }),
    repeating: {
      talk: await offered(repeating, {
        series: { every: ['week', '2 weeks'], most: 4 },
        window: { kind: 'unlimited' },
      }),
      longer: await offered(repeating, { durationMinutes: 60, window: { kind: 'unlimited' } }),
    },
    collective: {
      both: await offered(pair, {}, [
        { hostId: ada.id, fixed: true },
        { hostId: ben.id, fixed: true },
      ]),
      first: await offered(ada),
      second: await offered(ben),
    },
    roundRobin: await offered(await addTeam(db, 'three'), robin, rotating(await users('c1', 'c2', 'c3'))),
    evenly: await offered(await addTeam(db, 'evenly'), robin, rotating(await users('d1', 'd2', 'd3'))),
    linked: [
      await linked(await offered(await user('linked'), { linkOnly: true })),
      await linked(
        await offered(await addTeam(db, 'linked-team'), robin, rotating(await users('l1', 'l2', 'l3'))),
      ),
    ],
    repeated: await offered(await user('repeated'), { seats: 30 }),
    retried: {
      single: await offered(await user('retried')),
      seated: await offered(await user('retried-seated'), { seats: 30 }),
      behindCaptcha: await offered(await user('retried-captcha'), {
        abuse: { ...plainEventType().abuse, captcha: 'altcha' },
      }),
      roundRobin: await offered(await addTeam(db, 'retried-team'), robin, rotating(await users('e1', 'e2'))),
    },
  }
}

interface Attempt {
  readonly offer: Offered
  readonly span: Interval
  readonly body: object
  readonly action?: 'hold'
  readonly headers?: Readonly<Record<string, string>>
}

interface Outcome extends Attempt {
  readonly answer: Answer
}

function attempt(offer: Offered, start: number, given: Record<string, unknown> = {}): Attempt {
  const end = start + offer.eventType.durationMinutes * MINUTE
  return { offer, span: { start, end }, body: bookingOf(offer.eventType, start, given) }
}

/** Addresses that no one else uses. */
const strangers = (count: number) => Array.from({ length: count }, () => `stranger-${newId()}@guests.example`)

/** The same slot, held instead of booked. */
function holdOf(offer: Offered, start: number): Attempt {
  const { startTime, endTime } = bookingOf(offer.eventType, start)
  return { ...attempt(offer, start), action: 'hold', body: { startTime, endTime } }
}

/** The successes and the expected refusals. There must be no other outcome. */
/** What a request was answered, for a failure. */
const told = ({ status, body }: Answer) => `${status} ${JSON.stringify(body)}`

function split(outcomes: readonly Outcome[]): { winners: Outcome[]; losers: Outcome[] } {
  const winners = outcomes.filter(({ answer }) => answer.status === 201)
  const losers = outcomes.filter(({ answer }) => answer.status !== 201)
  for (const { answer } of losers) {
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.deepEqual(Object.keys(answer.body), ['error'])
    assert.equal(typeof answer.body.error, 'string')
  }
  return { winners, losers }
}

/** Holds the answers against the database: these bookings and no others. */
async function assertKept(db: Db, { eventType }: Offered, winners: readonly Outcome[]) {
  const rows = await db.selectFrom('bookings').selectAll().where('event_type_id', '=', eventType.id).execute()
  assert.deepEqual(
    rows.map((row) => `${row.id} ${row.starts_at}`).sort(),
    winners.map(({ answer }) => `${answer.body.id} ${Date.parse(answer.body.startTime)}`).sort(),
  )
  return rows
}

const partyOf = ({ guests }: { guests: string | null }) => 1 + JSON.parse(guests ?? '[]').length

async function claimsOf(db: Db, { id }: Scheduler) {
  return db.selectFrom('claims').selectAll().where('host_id', '=', id).execute()
}

async function assertNoOverlaps(db: Db): Promise<void> {
  const claims = await db.selectFrom('claims').selectAll().orderBy('host_id').orderBy('starts_at').execute()
  for (const [i, claim] of claims.entries()) {
    const before = claims[i - 1]
    if (before?.host_id === claim.host_id) assert.ok(before.ends_at <= claim.starts_at)
  }
}
