import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { manageToken } from '../../src/services/bookings/guest/manage-link.ts'
import { findScheduler } from '../../src/store/people/schedulers.ts'
import { bookAt } from '../bookings.ts'
import { onEveryDatabase } from '../databases.ts'
import { type Host, signInWithToken } from '../host-api.ts'
import { type AppUnderTest, addEventType, appOn, fromSomeoneNew, stoppedClock } from '../kit.ts'
import { repeat } from '../repeat.ts'
import { seededRandom } from '../seeded-random.ts'
import { alwaysOpen } from '../server-process.ts'
import { type ReceivedMail, type SmtpSink, startSmtpSink } from '../smtp-sink.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STEP = HOUR
const COUNT = repeat({ few: 8, many: 200 })
/** How likely a guest is moved in an hour, and how likely cancelled: few guests have few hours. */
const MOVED = repeat({ few: 0.06, many: 0.004 })
const CANCELLED = repeat({ few: 0.05, many: 0.002 })

/** A guest's booking, and what they should have got by now. */
interface Guest {
  readonly id: string
  readonly email: string
  startsAt: number
  movedAt: number
  state: 'confirmed' | 'cancelled' | 'missed'
  readonly expected: string[]
}

const SCRIPT = fileURLToPath(new URL('../message-process.ts', import.meta.url))

/** An instance that is started again after it was killed. */
class Instance {
  readonly from: string
  readonly #args: readonly string[]
  #child: ChildProcess | undefined

  constructor(number: number, url: string, smtp: string) {
    this.from = `instance-${number}@hosts.example`
    this.#args = [url, smtp, this.from]
  }

  /** Does what is due at this time, or dies before it is done. */
  async run(now: number): Promise<void> {
    const child = this.#child ?? (await this.#start())
    const over = new AbortController()
    const ended = Promise.race(
      ['message', 'exit'].map((event) => once(child, event, { signal: over.signal })),
    )
    child.send(now)
    await ended
    over.abort()
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(SCRIPT, this.#args)
    this.#child = child
    await once(child, 'message')
    return child
  }
}

onEveryDatabase('bookings that are moved, cancelled and missed at random', ({ db, url, engine }) => {
  const clock = stoppedClock()
  const random = seededRandom(30)
  const inbox = new Map<string, string[]>()
  const seen = new Set<string>()
  let sink: SmtpSink
  let under: AppUnderTest
  let instances: readonly Instance[]
  let kills = 0
  let host: Host
  let owner: Scheduler
  let talk: EventType

  /** Kills the sender of every fortieth mail: the server has it, and nobody knows. */
  const take = ({ from, to, mail }: ReceivedMail) => {
    const { subject = '', messageId = '' } = mail
    // Mail programs show a mail with the same Message-ID once.
    if (subject.startsWith('Mine: ') && !seen.has(messageId)) {
      seen.add(messageId)
      inbox.set(to, [...(inbox.get(to) ?? []), subject.slice(6)])
    }
    if (sink.received.length % 40 === 20) {
      kills++
      instances.find((instance) => instance.from === from)?.kill()
    }
    return undefined
  }

  before(async () => {
    sink = await startSmtpSink()
    sink.judge(take)
    // SQLite is one machine's.
    const numbers = engine === 'sqlite' ? [1] : [1, 2, 3]
    instances = numbers.map((number) => new Instance(number, url(), sink.url))
    under = await appOn(db(), { now: clock.now, signup: 'open' })
    const { app, mailbox } = under
    host = await signInWithToken(app, mailbox, 'ada@example.org')
    await host.patch('/me', { slug: 'ada' })
    const { items } = (await host.get('/schedules')).json()
    await host.patch(`/schedules/${items[0].id}`, { weekly: alwaysOpen.weekly, timezone: 'UTC' })
    owner = (await findScheduler(db(), host.user.id)) as Scheduler
    talk = await addEventType(db(), owner, { slug: 'talk', durationMinutes: 60, reminderMinutes: [60] })
    const add = async (given: object, subject: string) => {
      const texts = { en: { subject: `Mine: ${subject}`, body: 'Hello {{guest.name}}' } }
      const made = await host.post('/messages', { name: subject, texts, ...given })
      assert.equal(made.statusCode, 201, made.body)
    }
    await add({ on: 'booked', replaces: true }, 'booked')
    await add({ on: 'before', minutes: 240 }, 'bring')
    await add({ on: 'before', minutes: 60, replaces: true }, 'reminder')
    await add({ on: 'after', minutes: 60 }, 'thanks')
    await add({ on: 'no-show' }, 'missed')
    await add({ on: 'cancelled' }, 'cancelled')
  })
  after(async () => {
    for (const instance of instances) instance.kill()
    await under.app.close()
    await sink.close()
  })

  const act = async (guest: Guest, freeAt: number) => {
    const now = clock.now()
    // Hosts may change only so many bookings in an hour; each guest comes from elsewhere.
    const byGuest = (act: 'reschedule' | 'cancel', payload: object) =>
      under.app.inject({
        method: 'POST',
        url: `/api/public/bookings/${guest.id}/${act}?token=${manageToken(under.context, guest.id)}`,
        headers: fromSomeoneNew(),
        payload,
      })
    const ok = async (answer: ReturnType<Host['post']>) => {
      const { statusCode, body } = await answer
      assert.equal(statusCode, 200, body)
    }
    if (guest.state !== 'confirmed') return
    if (guest.startsAt <= now) {
      const isFresh = now < guest.startsAt + talk.durationMinutes * MINUTE + HOUR
      if (!isFresh || random() > 0.4) return
      await ok(host.post(`/bookings/${guest.id}/no-show`))
      guest.state = 'missed'
      guest.expected.push('missed')
    } else if (random() < MOVED) {
      await ok(byGuest('reschedule', { startTime: new Date(freeAt).toISOString() }))
      guest.startsAt = freeAt
      guest.movedAt = now
    } else if (random() < CANCELLED) {
      await ok(byGuest('cancel', { reason: 'Ill' }))
      guest.state = 'cancelled'
      guest.expected.push('cancelled')
    }
  }

  /** What the timeline says for this moment, by the booking as it is. */
  const expectNow = ({ state, startsAt, movedAt, expected }: Guest) => {
    const now = clock.now()
    // What would be due at the moment of the move itself has passed.
    if (state !== 'confirmed' || movedAt === now) return
    if (now === startsAt - 4 * HOUR) expected.push('bring')
    if (now === startsAt - HOUR) expected.push('reminder')
    if (now === startsAt + talk.durationMinutes * MINUTE + HOUR) expected.push('thanks')
  }

  /** Does all that is due, also what was in the hands of those who were killed. */
  const runAll = async () => {
    let killed = -1
    while (killed !== kills) {
      killed = kills
      await Promise.all(instances.map((instance) => instance.run(clock.now())))
      // As if the leases of the dead had run out.
      await db().updateTable('outbox').set({ leased_until: null }).execute()
    }
  }

  it('gives every guest what their timeline says, nothing twice and nothing wrong, whoever is killed', async () => {
    const first = clock.now() + 5 * HOUR
    let free = first + COUNT * HOUR
    const guests: Guest[] = []
    for (let i = 0; i < COUNT; i++) {
      const email = `guest-${i}@guests.example`
      const startsAt = first + i * HOUR
      const given = { inviteeEmail: email, inviteeLocale: 'en' }
      const { booking } = await bookAt(under.context, owner, talk, startsAt, given)
      guests.push({ id: booking.id, email, startsAt, movedAt: 0, state: 'confirmed', expected: ['booked'] })
    }
    for (let step = 0; clock.now() <= free + 4 * HOUR; step++) {
      for (const guest of step === 0 ? [] : guests) {
        const before = guest.startsAt
        await act(guest, free)
        if (guest.startsAt !== before) free += HOUR
      }
      for (const guest of guests) expectNow(guest)
      await runAll()
      clock.moveTo(clock.now() + STEP)
    }
    assert.ok(kills > 0)
    for (const { email, expected } of guests)
      assert.deepEqual((inbox.get(email) ?? []).sort(), expected.sort(), email)
    assert.ok(
      guests.some(({ state }) => state === 'cancelled') && guests.some(({ state }) => state === 'missed'),
    )
  })
})
