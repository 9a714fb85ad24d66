import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { Webhook } from 'standardwebhooks'
import { says, startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import { formatSecret } from './signatures.ts'
import { createThreadedSender } from './threaded-sender.ts'
import type { WebhookMessage, WebhookSender } from './webhook.ts'

const SECRET = formatSecret(Buffer.alloc(32, 7))

describe('sending webhooks from a thread', () => {
  let receiver: WebhookReceiver
  let sender: WebhookSender
  let threads: Worker[]
  let errors: Error[]
  const note = (thread: Worker) => threads.push(thread)

  beforeEach(async () => {
    threads = []
    errors = []
    process.on('worker', note)
    receiver = await startWebhookReceiver()
    sender = createThreadedSender({ allowPrivate: true, onError: (error) => errors.push(error) })
  })
  afterEach(async () => {
    process.off('worker', note)
    sender.close()
    await receiver.close()
  })

  const message = (n: number): WebhookMessage => ({
    url: receiver.url,
    id: `message-${n}`,
    body: JSON.stringify({ n, text: 'wörld 🎈' }),
    secrets: [SECRET],
    sentAt: Date.now(),
  })
  const sendMany = (count = 100) =>
    Promise.all(Array.from({ length: count }, (_, n) => sender.send(message(n))))
  /** Answers no request; resolves when this many wait. */
  const holdAnswers = (count: number) => {
    const { promise: allHeld, resolve } = Promise.withResolvers<void>()
    const held: ServerResponse[] = []
    receiver.answer((response) => {
      if (held.push(response) === count) resolve()
    })
    return { held, allHeld }
  }
  const onlyThread = () => {
    assert.equal(threads.length, 1)
    return threads[0] as Worker
  }

  it('is done when there are many, each of which arrives, signed, and has its own answer', async () => {
    const answers = await sendMany()
    onlyThread()
    assert.equal(receiver.received.length, 100)
    for (const { headers, body } of receiver.received) {
      const { n } = new Webhook(SECRET).verify(body, headers) as { n: number }
      assert.equal(headers['webhook-id'], `message-${n}`)
    }
    for (const [n, answer] of answers.entries()) {
      assert.deepEqual([answer.status, answer.error], [204, ''])
      assert.equal(answer.requestHeaders['webhook-id'], `message-${n}`)
    }
  })

  it('is not done for a few', async () => {
    for (let n = 0; n < 20; n++) await sender.send(message(n))
    assert.equal(receiver.received.length, 20)
    assert.deepEqual(threads, [])
  })

  it('keeps to the same rules', async () => {
    receiver.answer(says(302, { location: '/elsewhere' }, 'there'))
    for (const { status, error, body } of await sendMany()) {
      assert.deepEqual([status, body], [302, 'there'])
      assert.match(error, /Redirects are not followed/)
    }
    const careful = createThreadedSender({ allowPrivate: false })
    const before = receiver.received.length
    const refused = await Promise.all(Array.from({ length: 20 }, (_, n) => careful.send(message(n))))
    for (const { error } of refused) assert.match(error, /start with https/)
    assert.equal(receiver.received.length, before)
    careful.close()
  })

  it('falls back to this thread if the other dies', async () => {
    const { held, allHeld } = holdAnswers(20)
    const sending = sendMany(20)
    await allHeld
    receiver.answer(says(204))
    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    onlyThread().once('exit', resolve)
    // It cannot make sense of that, and dies of it.
    onlyThread().postMessage('x')
    await ended
    assert.equal(errors.length, 1)
    for (const response of held) response.writeHead(204).end()
    for (const { error } of await sending) assert.equal(error, '')
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 20)
    assert.ok(ids.length > 20, 'some were sent again')
    assert.equal((await sender.send(message(21))).error, '')
  })

  it('ends when only a few are left, after finishing those it has started', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    await sendMany()
    const ended = once(onlyThread(), 'exit')
    const { held, allHeld } = holdAnswers(1)
    const begun = sender.send(message(100))
    await allHeld
    t.mock.timers.tick(60_000)
    receiver.answer(says(204))
    assert.equal((await sender.send(message(101))).error, '')
    for (const response of held) response.writeHead(200).end()
    assert.equal((await begun).status, 200)
    await ended
    assert.equal(receiver.received.length, 102)
    t.mock.timers.reset()
    const answers = await sendMany()
    assert.ok(answers.every(({ error }) => error === ''))
    assert.equal(threads.length, 2)
  })

  it('ends when the sender is closed', async () => {
    await sendMany()
    const ended = once(onlyThread(), 'exit')
    sender.close()
    await ended
    assert.deepEqual(errors, [])
  })
})
