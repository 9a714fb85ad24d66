import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { Mail } from '../../src/outside/mail/mail.ts'
import type { Context } from '../../src/services/context.ts'
import { findScheduler } from '../../src/store/people/schedulers.ts'
import { bookAt } from '../bookings.ts'
import { onEveryDatabase } from '../databases.ts'
import { type Host, signInWithToken } from '../host-api.ts'
import { runDueJobs } from '../jobs.ts'
import { type AppUnderTest, addEventType, appOn, stoppedClock } from '../kit.ts'
import { repeat } from '../repeat.ts'
import { seededRandom } from '../seeded-random.ts'
import { alwaysOpen } from '../server-process.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STEP = 30 * MINUTE
const COUNT = repeat({ few: 20, many: 200 })

/** A guest's booking, and what they should have got by now. */
interface Guest {
  readonly id: string
  readonly email: string
  startsAt: number
  state: 'confirmed' | 'cancelled' | 'missed'
  readonly expected: string[]
}

onEveryDatabase('bookings that are moved, cancelled and missed at random, on three instances', ({ db }) => {
  const clock = stoppedClock()
  const random = seededRandom(30)
  const inbox = new Map<string, string[]>()
  const seen = new Set<string>()
  let instances: readonly AppUnderTest[]
  let contexts: readonly Context[]
  let host: Host
  let owner: Scheduler
  let talk: EventType

  /** Dies after every tenth mail: the server has it, and nobody knows. */
  const deliver = async (mail: Mail) => {
    const isOwn = mail.subject.startsWith('Mine: ')
    // Mail programs show a mail with the same Message-ID once.
    if (isOwn && !seen.has(mail.messageId ?? '')) {
      seen.add(mail.messageId ?? '')
      inbox.set(mail.to, [...(inbox.get(mail.to) ?? []), mail.subject.slice(6)])
    }
    if (random() < 0.1) throw new Error('The process was killed.')
  }

  before(async () => {
    instances = await Promise.all([1, 2, 3].map(() => appOn(db(), { now: clock.now, signup: 'open' })))
    contexts = instances.map(({ context }) => ({ ...context, mailer: deliver }))
    const [{ app, mailbox }] = instances as [AppUnderTest]
    host = await signInWithToken(app, mailbox, 'ada@example.org')
    await host.patch('/me', { slug: 'ada' })
    const { items } = (await host.get('/schedules')).json()
    await host.patch(`/schedules/${items[0].id}`, { weekly: alwaysOpen.weekly, timezone: 'UTC' })
    owner = (await findScheduler(db(), host.user.id)) as Scheduler
    talk = await addEventType(db(), owner, { slug: 'talk', reminderMinutes: [60] })
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
    for (const { app } of instances) await app.close()
  })

  const act = async (guest: Guest, freeAt: number) => {
    const [post, now] = [
      (path: string, body?: object) => host.post(`/bookings/${guest.id}/${path}`, body),
      clock.now(),
    ]
    const ok = async (answer: ReturnType<Host['post']>) => {
      const { statusCode, body } = await answer
      assert.equal(statusCode, 200, body)
    }
    if (guest.state !== 'confirmed') return
    if (guest.startsAt <= now) {
      const isFresh = now < guest.startsAt + talk.durationMinutes * MINUTE + HOUR
      if (!isFresh || random() > 0.1) return
      await ok(post('no-show'))
      guest.state = 'missed'
      guest.expected.push('missed')
    } else if (random() < 0.01) {
      await ok(post('reschedule', { startTime: new Date(freeAt).toISOString() }))
      guest.startsAt = freeAt
    } else if (random() < 0.005) {
      await ok(post('cancel', { reason: 'Ill' }))
      guest.state = 'cancelled'
      guest.expected.push('cancelled')
    }
  }

  /** What the timeline says for this moment, by the booking as it is. */
  const expectNow = ({ state, startsAt, expected }: Guest) => {
    if (state !== 'confirmed') return
    const now = clock.now()
    if (now === startsAt - 4 * HOUR) expected.push('bring')
    if (now === startsAt - HOUR) expected.push('reminder')
    if (now === startsAt + talk.durationMinutes * MINUTE + HOUR) expected.push('thanks')
  }

  it('gives every guest what their timeline says, nothing twice and nothing wrong', async () => {
    const first = clock.now() + 12 * HOUR
    let free = first + COUNT * HOUR
    const guests: Guest[] = []
    for (let i = 0; i < COUNT; i++) {
      const email = `guest-${i}@guests.example`
      const startsAt = first + i * HOUR
      const [context] = contexts as [Context]
      const given = { inviteeEmail: email, inviteeLocale: 'en' }
      const { booking } = await bookAt(context, owner, talk, startsAt, given)
      guests.push({ id: booking.id, email, startsAt, state: 'confirmed', expected: ['booked'] })
    }
    for (let step = 0; clock.now() <= free + 4 * HOUR; step++) {
      for (const guest of step === 0 ? [] : guests) {
        const before = guest.startsAt
        await act(guest, free)
        if (guest.startsAt !== before) free += HOUR
      }
      for (const guest of guests) expectNow(guest)
      await Promise.all(contexts.map(runDueJobs))
      clock.moveTo(clock.now() + STEP)
    }
    clock.moveTo(clock.now() + 24 * HOUR)
    await Promise.all(contexts.map(runDueJobs))
    for (const { email, expected } of guests)
      assert.deepEqual((inbox.get(email) ?? []).sort(), expected.sort(), email)
    assert.ok(
      guests.some(({ state }) => state === 'cancelled') && guests.some(({ state }) => state === 'missed'),
    )
  })
})
