import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE } from '../../src/domain/interval.ts'
import { createWebhookSender, type WebhookSender } from '../../src/outside/webhooks/webhook.ts'
import { HANDLERS } from '../../src/worker/handlers.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { bookAt } from '../bookings.ts'
import { onEveryDatabase } from '../databases.ts'
import { addEventType, addUser, contextOn } from '../kit.ts'
import { alwaysOpen, FUTURE_MIDNIGHT } from '../server-process.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { addWebhook } from '../webhooks.ts'

/** More than the worker does at once, so that those that hang could fill it. */
const BOOKINGS = 150

onEveryDatabase('a receiver that hangs', ({ db }) => {
  let stuck: WebhookReceiver
  let well: WebhookReceiver
  let sender: WebhookSender
  before(async () => {
    stuck = await startWebhookReceiver()
    stuck.answer(() => {})
    well = await startWebhookReceiver()
    sender = createWebhookSender({ allowPrivate: true, timeout: 600_000 })
  })
  after(async () => {
    sender.close()
    await stuck.close()
    await well.close()
  })

  it('delays neither other receivers nor emails', { timeout: 300_000 }, async () => {
    const { context, mailbox } = contextOn(db(), { webhooks: sender })
    const ada = await addUser(db(), 'ada', alwaysOpen)
    const eventType = await addEventType(db(), ada, { durationMinutes: 15, reminderMinutes: [] })
    await addWebhook(db(), ada, { url: stuck.url })
    await addWebhook(db(), ada, { url: well.url })
    const guests: string[] = []
    for (let i = 0; i < BOOKINGS; i++) {
      const { booking } = await bookAt(context, ada, eventType, FUTURE_MIDNIGHT + i * 15 * MINUTE)
      guests.push(booking.invitee.email)
    }
    const worker = startWorker(context, { handlers: HANDLERS, grace: 0 })
    try {
      while (well.received.length < BOOKINGS || mailbox.length < 2 * BOOKINGS) await sleep(10)
    } finally {
      await worker.stop()
    }
    const told = well.received.map(({ body }) => JSON.parse(body).data.invitee.email)
    assert.deepEqual(told.sort(), guests.toSorted())
    // It was tried throughout, within its share of the worker.
    assert.ok(stuck.received.length > 0 && stuck.received.length < 100, `${stuck.received.length}`)
  })

  it('delays no other owner, even if there are ten of them', { timeout: 300_000 }, async () => {
    const { context } = contextOn(db(), { webhooks: sender })
    const mallory = await addUser(db(), 'mallory', alwaysOpen)
    const grace = await addUser(db(), 'grace', alwaysOpen)
    const [theirs, hers] = await Promise.all(
      [mallory, grace].map((owner) =>
        addEventType(db(), owner, { durationMinutes: 15, reminderMinutes: [] }),
      ),
    )
    for (let i = 0; i < 10; i++) await addWebhook(db(), mallory, { url: `${stuck.url}/${i}` })
    await addWebhook(db(), grace, { url: `${well.url}/grace` })
    const tried = () => stuck.received.filter(({ path }) => /\d$/.test(path)).length
    for (let i = 0; i < 15; i++) {
      await bookAt(context, mallory, theirs ?? assert.fail(), FUTURE_MIDNIGHT + i * 15 * MINUTE)
    }
    const worker = startWorker(context, { handlers: HANDLERS, grace: 0 })
    try {
      // As many as the owner's share.
      while (tried() < 40) await sleep(10)
      await bookAt(context, grace, hers ?? assert.fail(), FUTURE_MIDNIGHT)
      while (!well.received.some(({ path }) => path === '/hook/grace')) await sleep(10)
    } finally {
      await worker.stop()
    }
    assert.equal(tried(), 40)
  })
})
