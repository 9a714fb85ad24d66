import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sharesOf } from '../../src/domain/bookings/fairness.ts'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { DAY, MINUTE, overlaps } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { countAssignments } from '../../src/store/bookings/insights.ts'
import { type HostSeat, replaceHosts } from '../../src/store/event-types/event-types.ts'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { bumpRevisions } from '../../src/store/people/schedulers.ts'
import { signInWithToken } from '../host-api.ts'
import { addEventType, addTeam, addUser, appOn, bookingOf, fromSomeoneNew, quietContext } from '../kit.ts'
import { repeat } from '../repeat.ts'
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

// Three instances of the service on one PostgreSQL, as they run in production.

const INSTANCES = 3
const HOSTS = 4

describe('sharing meetings out with three instances', () => {
  let home: Home
  let servers: ServerProcess[] = []
  let clients: Client[] = []
  let token = ''
  let adminId = ''

  before(async () => {
    home = await freshHome('postgres')
    const { app, mailbox } = await appOn(home.db, { signup: 'open' })
    const admin = await signInWithToken(app, mailbox, 'admin@hosts.example')
    ;({ token } = admin)
    adminId = admin.user.id
    await app.close()
    const environment = { JWT_SECRET: quietContext.jwtSecret }
    servers = await Promise.all(Array.from({ length: INSTANCES }, () => startServer(home, environment)))
    clients = servers.map((server) => connectTo(server, 20))
  })
  after(async () => {
    for (const client of clients) client.close()
    for (const server of servers) server.send('SIGTERM')
    await Promise.all(servers.map((server) => server.exited))
    await home?.remove()
  })

  let teams = 0
  async function newTeam() {
    const slug = `fair-${teams++}`
    const team = await addTeam(home.db, slug)
    await home.db
      .transaction()
      .execute((trx) => insertTeamMember(trx, { teamId: team.id, userId: adminId, role: 'admin' }, 0))
    const seats: HostSeat[] = []
    for (let i = 0; i < HOSTS; i++) {
      const { id } = await addUser(home.db, `${slug}-host-${i}`, alwaysOpen)
      seats.push({ hostId: id, fixed: false })
    }
    const talk = await addEventType(home.db, team, { assignment: 'round-robin' }, seats)
    return { team, talk, seats }
  }
  let turn = 0
  const anyClient = () => clients[turn++ % clients.length] as Client
  const book = (team: Scheduler, talk: EventType, startsAt: number): Promise<Answer> =>
    anyClient().post(
      `/api/public/scheduling/${team.slug}/${talk.slug}/book`,
      bookingOf(talk, startsAt),
      fromSomeoneNew(),
    )
  const act = (id: string, action: string, body: object): Promise<Answer> =>
    anyClient().post(`/api/admin/bookings/${id}/${action}`, body, { authorization: `Bearer ${token}` })
  /** As settings are changed: the owner's revision first, that of the hosts last. */
  const changeHosts = (team: Scheduler, talk: EventType, seats: readonly HostSeat[]) =>
    home.db.transaction().execute(async (trx) => {
      await bumpRevisions(trx, [team.id])
      await replaceHosts(trx, talk.id, seats)
      await bumpRevisions(
        trx,
        seats.map(({ hostId }) => hostId),
      )
    })
  const everything = { start: 0, end: FUTURE_MIDNIGHT + 1000 * DAY }

  it('gives everyone their due within a meeting, and one for each group while members come and go', async () => {
    for (let round = 0; round < repeat({ few: 1, many: 60 }); round++) {
      const { team, talk, seats } = await newTeam()
      const many = (from: number, count: number) =>
        Array.from({ length: count }, (_, i) =>
          book(team, talk, FUTURE_MIDNIGHT + from * DAY + i * 30 * MINUTE),
        )
      for (const { status, body } of await Promise.all(many(0, 30))) assert.equal(status, 201, body.error)
      const steady = sharesOf(await countAssignments(home.db, team.id, everything))
      for (const { meetings, due } of steady) assert.ok(Math.abs(meetings - due) <= 1, JSON.stringify(steady))

      const comeAndGo = async () => {
        for (const { hostId } of seats) {
          await changeHosts(
            team,
            talk,
            seats.filter((seat) => seat.hostId !== hostId),
          )
          await Promise.all(many(10 + seats.findIndex((seat) => seat.hostId === hostId), 4))
          await changeHosts(team, talk, seats)
        }
      }
      const [, ...booked] = await Promise.all([comeAndGo(), ...many(1, 40)])
      // Some are asked to try again, because settings change under every attempt.
      for (const { status } of booked) assert.ok(status === 201 || status === 503, `${status}`)

      const counted = await countAssignments(home.db, team.id, everything)
      const groups = new Set(
        counted.map(({ assignment }) => Object.keys(assignment.changes).sort().join(' ')),
      )
      for (const { hostId, meetings, due } of sharesOf(counted)) {
        const competedIn = [...groups].filter((group) => group.includes(hostId)).length
        // They left once, and returned without what was due to them.
        const bound = competedIn + 1
        assert.ok(Math.abs(meetings - due) <= bound, `${meetings} of ${due}, at most ${bound} apart`)
      }
      const balances = await home.db
        .selectFrom('event_type_hosts')
        .select('balance')
        .where('event_type_id', '=', talk.id)
        .execute()
      const sum = balances.reduce((total, { balance }) => total + balance, 0)
      assert.ok(Math.abs(sum) < 1e-9, `${sum}`)
    }
  })

  /** Asks again when told to, as clients do: on a busy machine, others come first time and again. */
  const untilDecided = async (ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = await ask()
    return answer.status === 503 ? untilDecided(ask) : answer
  }

  it('hands meetings over while they are cancelled, moved and booked beside, and nothing overlaps', async () => {
    const { team, talk, seats } = await newTeam()
    const count = repeat({ few: 24, many: 300 })
    const starts = Array.from({ length: count }, (_, i) => FUTURE_MIDNIGHT + i * 60 * MINUTE)
    const ids: string[] = []
    for (const answer of await Promise.all(starts.map((start) => book(team, talk, start)))) {
      assert.equal(answer.status, 201, answer.body.error)
      ids.push(answer.body.id)
    }
    const outcomes = await Promise.all(
      ids.flatMap((id, i) => {
        const start = starts[i] as number
        const startTime = new Date(start + 30 * MINUTE).toISOString()
        const others = [
          () => act(id, 'cancel', {}),
          () => act(id, 'reschedule', { startTime }),
          () => book(team, talk, start),
          () => act(id, 'reassign', { hostId: seats[i % HOSTS]?.hostId }),
        ]
        const other = others[i % others.length] as () => Promise<Answer>
        return [untilDecided(() => act(id, 'reassign', { automatic: true })), untilDecided(other)]
      }),
    )
    const statuses = outcomes.map(({ status }) => status)
    assert.ok(
      statuses.every((status) => [200, 201, 400, 409].includes(status)),
      statuses.join(),
    )
    assert.ok(statuses.filter((status) => status === 200).length >= count)

    const hostIds = seats.map(({ hostId }) => hostId)
    const claims = await home.db.selectFrom('claims').selectAll().where('host_id', 'in', hostIds).execute()
    const bookings = await home.db
      .selectFrom('bookings')
      .selectAll()
      .where('scheduler_id', '=', team.id)
      .where('status', '=', 'Confirmed')
      .execute()
    assert.deepEqual(
      claims.map((claim) => `${claim.host_id} ${claim.meeting_id} ${claim.starts_at}`).sort(),
      bookings.map((booking) => `${booking.host_id} ${booking.meeting_id} ${booking.starts_at}`).sort(),
      'each meeting takes exactly its host’s time',
    )
    for (const [i, one] of claims.entries()) {
      for (const other of claims.slice(i + 1)) {
        if (one.host_id !== other.host_id) continue
        const [a, b] = [one, other].map(({ starts_at, ends_at }) => ({ start: starts_at, end: ends_at }))
        assert.ok(a && b && !overlaps(a, b))
      }
    }
  })
})
