import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook as Verifier } from 'standardwebhooks'
import type { BookingChangeType } from '../../src/domain/bookings/change.ts'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { DAY, MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { manageToken } from '../../src/services/bookings/guest/manage-link.ts'
import type { Db } from '../../src/store/engine/database.ts'
import type { EngineName } from '../../src/store/engine/engine.ts'
import { bookAt } from '../bookings.ts'
import { signIn } from '../host-api.ts'
import { addEventType, addUser, appOn, bookingOf, fromSomeoneNew, quietContext } from '../kit.ts'
import { repeat } from '../repeat.ts'
import { seededRandom } from '../seeded-random.ts'
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
import { type SmtpSink, startSmtpSink } from '../smtp-sink.ts'
import {
  type ReceivedMessage,
  says,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../webhook-receiver.ts'
import { addWebhook } from '../webhooks.ts'

// Bookings are made and changed over HTTP while the server is killed again and again, and receivers fail half
// of the time. In the end every receiver has every message, and no other.

const ROUNDS = repeat({ few: 2, many: 40 })
const GUESTS = 4
const LONGEST_LIFE = 500
/** Fewer than the tries that anything has. */
const MOST_FAILURES = 5
const DURATION = 15 * MINUTE

for (const engine of ['sqlite', 'postgres'] as const satisfies readonly EngineName[]) {
  describe(`emails and webhooks on ${engine}`, () => {
    it('arrive in order through many kill -9, although every receiver fails half of the time', {
      timeout: 500_000,
    }, async (t) => {
      const seed = Math.floor(Math.random() * 2 ** 32)
      t.diagnostic(`seed ${seed}`)
      console.log(`seed ${seed}`)
      const random = seededRandom(seed)
      const town = await newTown(t, engine, random)
      const stream = new Stream(town, random)

      for (let round = 0; round < ROUNDS; round++) {
        const server = await town.start()
        const life = random() * LONGEST_LIFE
        await stream.run(server, life)
        assert.equal((await server.exited).signal, 'SIGKILL')
        await letTimePass(town.home.db)
      }

      town.getWell()
      const server = await town.start()
      await untilTold(town.home.db)
      server.send('SIGTERM')
      assert.deepEqual(await server.exited, { code: 0, signal: null })

      const told = await stream.changes(town.home.db)
      const count = told.flatMap(({ types }) => types).length
      assert.ok(count >= 2 * ROUNDS, `only ${count} changes: too few to mean anything`)
      assertWebhooks(town, told)
      assertMails(town, told)
    })
  })
}

/** A booking as it came to be, and what happened to it. */
interface Told {
  readonly id: string
  readonly guest: string
  readonly types: readonly BookingChangeType[]
}

/** Hosts, and everyone who wants to hear of their bookings. */
interface Town {
  readonly home: Home
  readonly host: Scheduler
  readonly plain: EventType
  readonly onRequest: EventType
  readonly accessToken: string
  readonly secret: string
  /** A booking that never changes. */
  readonly settled: { readonly id: string; readonly guest: string; readonly startsAt: number }
  readonly receiver: WebhookReceiver
  /** What the receiver has said yes to. */
  readonly accepted: readonly ReceivedMessage[]
  readonly sink: SmtpSink
  start(): Promise<ServerProcess>
  /** No receiver fails from now on. */
  getWell(): void
}

async function newTown(t: TestContext, engine: EngineName, random: () => number): Promise<Town> {
  const home = await freshHome(engine)
  t.after(() => home.remove())
  const sink = await startSmtpSink()
  t.after(() => sink.close())
  const receiver = await startWebhookReceiver()
  t.after(() => receiver.close())

  const host = await addUser(home.db, 'ada', alwaysOpen)
  const plain = await addEventType(home.db, host, { slug: 'plain', durationMinutes: 15 })
  const onRequest = await addEventType(home.db, host, {
    slug: 'on-request',
    durationMinutes: 15,
    requiresApproval: true,
  })
  const { secret } = await addWebhook(home.db, host, { url: receiver.url })
  // With its own context and the server's secret: the server would be killed under it.
  const { app, context, mailbox } = await appOn(home.db)
  const { booking } = await bookAt(context, host, plain, FUTURE_MIDNIGHT - DAY)
  const settled = { id: booking.id, guest: booking.invitee.email, startsAt: booking.startsAt }
  const { token: accessToken } = await signIn(app, mailbox, 'ada@hosts.example')
  await app.close()

  let well = false
  const failures = new Map<string, number>()
  const fails = (id: string) => {
    const before = failures.get(id) ?? 0
    if (well || before >= MOST_FAILURES || random() < 0.5) return false
    failures.set(id, before + 1)
    return true
  }
  const accepted: ReceivedMessage[] = []
  receiver.answer((response) => {
    const message = receiver.received.at(-1) as ReceivedMessage
    if (!fails(message.headers['webhook-id'] as string)) {
      accepted.push(message)
      says(204)(response)
    } else if (random() < 0.5) says(500)(response)
    else response.destroy()
  })
  sink.judge(({ mail }) => (fails(mail.messageId as string) ? 451 : undefined))

  return {
    home,
    host,
    plain,
    onRequest,
    accessToken,
    secret,
    settled,
    receiver,
    accepted,
    sink,
    async start() {
      const server = await startServer(home, {
        SMTP_URL: sink.url,
        WEBHOOK_ALLOW_PRIVATE: 'on',
        JWT_SECRET: quietContext.jwtSecret,
      })
      t.after(() => server.send('SIGKILL'))
      return server
    },
    getWell: () => {
      well = true
    },
  }
}

/** Leases of dead workers expire, and retries become due. Reminders are for a day that never comes. */
async function letTimePass(db: Db): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ leased_until: null, due_at: Date.now() })
    .where('kind', '<>', 'reminder')
    .where('failed_at', 'is', null)
    .execute()
}

async function untilTold(db: Db): Promise<void> {
  for (;;) {
    const rows = await db.selectFrom('outbox').selectAll().where('kind', '<>', 'reminder').limit(5).execute()
    for (const { failed_at, kind, error } of rows)
      assert.equal(failed_at, null, `${kind} was given up: ${error}`)
    if (rows.length === 0) return
    await sleep(20)
  }
}

function assertWebhooks({ accepted, receiver, secret }: Town, told: readonly Told[]): void {
  const verifier = new Verifier(secret)
  const read = ({ body, headers }: ReceivedMessage) => {
    verifier.verify(body, headers)
    const { type, data } = JSON.parse(body)
    return { id: headers['webhook-id'] as string, type: String(type), data }
  }
  // Every try counts, also those that were answered with a failure or not at all.
  const tries = Map.groupBy(receiver.received.map(read), ({ data }) => data.id as string)
  const arrivals = Map.groupBy(accepted.map(read), ({ data }) => data.id as string)
  for (const { id, types } of told) {
    const arrived = arrivals.get(id) ?? []
    const firsts = arrived.filter(
      ({ id: first }, i) => arrived.findIndex((other) => other.id === first) === i,
    )
    assert.deepEqual(
      firsts.map(({ type, data }) => [type, data.sequence]),
      types.map((type, sequence) => [`booking.${type}`, sequence]),
    )
    const order = (tries.get(id) ?? []).map(({ data }) => data.sequence as number)
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
  }
  // Nothing about refused requests, or those undone by a crash.
  assert.deepEqual([...tries.keys()].sort(), told.map(({ id }) => id).sort())
}

function assertMails({ sink }: Town, told: readonly Told[]): void {
  const mails = sink.received.map(({ to, mail }) => ({
    to,
    id: mail.messageId as string,
    // A host's mail says by whom to answer which guest it is about.
    guest: to === 'ada@hosts.example' ? String(mail.replyTo?.[0]?.address) : to,
  }))
  const byGuest = Map.groupBy(mails, ({ guest }) => guest)
  for (const { guest, types } of told) {
    for (const reader of [guest, 'ada@hosts.example']) {
      const ids = (byGuest.get(guest) ?? []).filter(({ to }) => to === reader).map(({ id }) => id)
      assert.equal(new Set(ids).size, types.length, `${reader} about ${guest}: ${types}`)
    }
  }
  assert.deepEqual([...byGuest.keys()].sort(), told.map(({ guest }) => guest).sort())
}

interface Made {
  readonly guest: string
  /** Unknown if the server died before it answered. */
  id: string | undefined
  status: string
  /** The acknowledged state. */
  readonly types: BookingChangeType[]
  /** What a crash left without an answer; after it, nothing more was tried. */
  unanswered: BookingChangeType | undefined
}

/** Guests and a host who do one thing after another, and remember what came of it. */
class Stream {
  readonly #town: Town
  readonly #random: () => number
  readonly #made: Made[] = []
  #slots = 0
  #acknowledged = 0

  constructor(town: Town, random: () => number) {
    this.#town = town
    this.#random = random
    const { id, guest } = town.settled
    this.#made.push({ id, guest, status: 'settled', types: ['created'], unanswered: undefined })
  }

  /** Until the server is killed, that many milliseconds after two changes were acknowledged. */
  async run(server: ServerProcess, life: number): Promise<void> {
    const client = connectTo(server)
    const before = this.#acknowledged
    let killed = false
    let kill: NodeJS.Timeout | undefined
    const end = () => {
      killed = true
      server.send('SIGKILL')
    }
    const guest = async () => {
      while (!killed) {
        try {
          await this.#step(client)
          if (this.#acknowledged >= before + 2) kill ??= setTimeout(end, life)
        } catch (error) {
          if (!killed) throw error
        }
        await sleep(this.#random() * 60)
      }
    }
    try {
      await Promise.all(Array.from({ length: GUESTS }, guest))
    } finally {
      clearTimeout(kill)
      client.close()
    }
  }

  async #step(client: Client): Promise<void> {
    const open = this.#made.filter(
      ({ id, status, unanswered }) =>
        id !== undefined && unanswered === undefined && /^(?:Confirmed|PendingApproval)$/.test(status),
    )
    const choice = this.#random()
    const made = open[Math.floor(this.#random() * open.length)]
    if (made === undefined || choice < 0.4) return this.#book(client)
    if (choice < 0.5) return this.#beRefused(client, open)
    if (made.status === 'PendingApproval' && choice < 0.75) {
      return this.#change(client, made, this.#random() < 0.5 ? 'approved' : 'declined', 'host')
    }
    const by = this.#random() < 0.5 ? 'host' : 'guest'
    return this.#change(client, made, choice < 0.85 ? 'rescheduled' : 'cancelled', by)
  }

  async #book(client: Client): Promise<void> {
    const { plain, onRequest, host } = this.#town
    const eventType = this.#random() < 0.5 ? plain : onRequest
    const body = bookingOf(eventType, this.#nextStart())
    const made: Made = {
      guest: body.inviteeEmail,
      id: undefined,
      status: '',
      types: [],
      unanswered: 'created',
    }
    this.#made.push(made)
    const path = `/api/public/scheduling/${host.slug}/${eventType.slug}/book`
    const answer = await client.post(path, body, fromSomeoneNew())
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    made.id = answer.body.id
    this.#done(made, 'created', answer)
  }

  /** Tries to book a taken time, and to move there; no one may be notified of either. */
  async #beRefused(client: Client, open: readonly Made[]): Promise<void> {
    const { plain, host, settled } = this.#town
    const path = `/api/public/scheduling/${host.slug}/${plain.slug}/book`
    const booked = await client.post(path, bookingOf(plain, settled.startsAt), fromSomeoneNew())
    assert.equal(booked.status, 400, JSON.stringify(booked.body))
    const mine = open[0]
    if (mine?.id === undefined) return
    const moved = await this.#ask(client, mine.id, 'reschedule', 'guest', settled.startsAt)
    assert.ok(moved.status === 400 || moved.status === 409, JSON.stringify(moved.body))
  }

  async #change(client: Client, made: Made, type: BookingChangeType, by: 'host' | 'guest'): Promise<void> {
    made.unanswered = type
    const verb = { approved: 'approve', declined: 'decline', cancelled: 'cancel', rescheduled: 'reschedule' }
    const action = verb[type as keyof typeof verb]
    const answer = await this.#ask(client, made.id as string, action, by, this.#nextStart())
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    this.#done(made, type, answer)
  }

  #ask(client: Client, id: string, action: string, by: 'host' | 'guest', startsAt: number): Promise<Answer> {
    const body = action === 'reschedule' ? { startTime: new Date(startsAt).toISOString() } : {}
    if (by === 'host') {
      const headers = { authorization: `Bearer ${this.#town.accessToken}` }
      return client.post(`/api/admin/bookings/${id}/${action}`, body, headers)
    }
    const token = manageToken(quietContext, id)
    return client.post(`/api/public/bookings/${id}/${action}?token=${token}`, body, fromSomeoneNew())
  }

  #done(made: Made, type: BookingChangeType, { body }: Answer): void {
    made.status = body.status
    made.types.push(type)
    made.unanswered = undefined
    this.#acknowledged++
  }

  /** A time that has not been requested yet. */
  #nextStart(): number {
    return FUTURE_MIDNIGHT + this.#slots++ * DURATION
  }

  /** What has happened to every booking that exists, as the database has it. */
  async changes(db: Db): Promise<Told[]> {
    const rows = await db.selectFrom('bookings').select(['id', 'invitee_email', 'sequence']).execute()
    const byGuest = new Map(this.#made.map((made) => [made.guest, made]))
    // Everything acknowledged is there.
    const ids = new Set(rows.map(({ id }) => id))
    for (const { id } of this.#made) if (id !== undefined) assert.ok(ids.has(id), `${id} was lost`)
    return rows.map(({ id, invitee_email: guest, sequence }) => {
      const made = byGuest.get(guest)
      assert.ok(made, `${guest} was refused, and has a booking`)
      const happened = made.unanswered !== undefined && sequence === made.types.length
      const types = happened ? [...made.types, made.unanswered as BookingChangeType] : made.types
      assert.equal(types.length, sequence + 1, `${types} of ${guest}`)
      return { id, guest, types }
    })
  }
}
