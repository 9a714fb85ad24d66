import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { Context } from '../../src/services/context.ts'
import { BARE_ENVIRONMENT } from '../bare-environment.ts'
import { bookAt } from '../bookings.ts'
import { addEventType, addUser, contextOn, quietContext } from '../kit.ts'
import { alwaysOpen, FUTURE_MIDNIGHT, freshHome, type Home } from '../server-process.ts'
import { type SmtpSink, startSmtpSink } from '../smtp-sink.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { addWebhook } from '../webhooks.ts'

const SCRIPT = fileURLToPath(new URL('../instance-process.ts', import.meta.url))
const END_WITH_PARENT = new URL('../../tools/end-with-parent.mjs', import.meta.url).href

/** Long enough that no instance that lives loses one, even on a machine that stands still for seconds. */
const LEASE = 60_000
/** For what nobody but its successor may take from an instance. */
const SHORT_LEASE = 3000

describe('two instances on one PostgreSQL', () => {
  let home: Home
  let sink: SmtpSink
  let receiver: WebhookReceiver
  let context: Context
  let host: Scheduler
  let eventType: EventType
  const children: ChildProcess[] = []
  let slots = 0

  before(async () => {
    home = await freshHome('postgres')
    sink = await startSmtpSink()
    receiver = await startWebhookReceiver()
    ;({ context } = contextOn(home.db))
    host = await addUser(home.db, 'ada', alwaysOpen)
    eventType = await addEventType(home.db, host, { durationMinutes: 15, reminderMinutes: [] })
    await addWebhook(home.db, host, { url: receiver.url })
  })
  after(async () => {
    for (const child of children) child.kill('SIGKILL')
    await receiver.close()
    await sink.close()
    await home.remove()
  })

  /** The sender of each email names the instance that sent it. */
  async function startInstance(name: string, lease = LEASE): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--import', END_WITH_PARENT, SCRIPT, String(lease)], {
      env: {
        ...BARE_ENVIRONMENT,
        ...home.environment,
        JWT_SECRET: quietContext.jwtSecret,
        SMTP_URL: sink.url,
        MAIL_FROM: `${name}@instances.example`,
        WEBHOOK_ALLOW_PRIVATE: 'on',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }
  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    const exit = once(child, 'exit')
    child.kill(signal)
    return (await exit)[0]
  }
  /** Books some, and returns their guests. */
  async function book(count: number): Promise<string[]> {
    const guests: string[] = []
    for (let i = 0; i < count; i++) {
      const start = FUTURE_MIDNIGHT + slots++ * 15 * MINUTE
      guests.push((await bookAt(context, host, eventType, start)).booking.invitee.email)
    }
    return guests
  }
  const left = () => home.db.selectFrom('outbox').selectAll().execute()
  async function untilEmpty(): Promise<void> {
    while ((await left()).length > 0) await sleep(10)
  }
  const guestOf = ({ body }: { body: string }): string => JSON.parse(body).data.invitee.email
  const mailIds = () => sink.received.map(({ mail }) => mail.messageId)

  it('do each mail and each delivery once, and share them', { timeout: 300_000 }, async () => {
    const instances = [await startInstance('one'), await startInstance('two')]
    const guests = await book(60)
    await untilEmpty()
    const senders = () => new Set(sink.received.map(({ from }) => from))
    // One of them may have stood still while the other did all of it.
    while (senders().size < 2) {
      guests.push(...(await book(10)))
      await untilEmpty()
    }
    for (const instance of instances) assert.equal(await end(instance, 'SIGTERM'), 0)

    assert.deepEqual(receiver.received.map(guestOf).sort(), guests.toSorted())
    // To the guest, and to the host.
    assert.equal(sink.received.length, 2 * guests.length)
    assert.equal(new Set(mailIds()).size, sink.received.length)
  })

  it('take over what one of them had in hand when it is killed', { timeout: 300_000 }, async () => {
    const [told, sent] = [receiver.received.length, sink.received.length]
    const hanging = new Set<string>()
    // What the first instance does comes to no end.
    receiver.answer(() => {})
    sink.judge(({ from, to }) => {
      if (!from.startsWith('one@')) return undefined
      hanging.add(to)
      return new Promise(() => {})
    })
    const one = await startInstance('one', SHORT_LEASE)
    const guests = await book(5)
    while (receiver.received.length < told + 5 || hanging.size === 0) await sleep(10)
    // At once: what hangs is given up after ten seconds, and starting the other may take longer than that.
    await end(one, 'SIGKILL')
    const leased = (await left()).filter(({ leased_until }) => leased_until !== null)
    assert.ok(leased.length >= 5 + 1)
    receiver.answer(says(204))
    const two = await startInstance('two')
    await untilEmpty()
    assert.equal(await end(two, 'SIGTERM'), 0)

    const tries = receiver.received.slice(told)
    assert.deepEqual(tries.map(guestOf).sort(), [...guests, ...guests].sort())
    const ids = tries.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 5)
    const mails = sink.received.slice(sent)
    assert.ok(mails.every(({ from }) => from.startsWith('two@')))
    assert.equal(mails.length, 10)
    assert.equal(new Set(mails.map(({ mail }) => mail.messageId)).size, 10)
  })
})
