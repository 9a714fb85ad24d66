import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { changeOf } from '../../../test/booking-change.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { addEventType, addTeam, addUser, quietContext, stoppedClock } from '../../../test/kit.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import { addWebhook, deliver } from '../../../test/webhooks.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { JOBS, TryAgainAt } from '../../domain/job.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { NOTHING, say, verbatim } from '../../domain/sentence.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { createWebhookSender, type WebhookSender } from '../../outside/webhooks/webhook.ts'
import { type Context, createContext } from '../../services/context.ts'
import { webhookDisabledMails } from '../../services/webhooks/disabled-mail.ts'
import { type DeliveryRecord, queueDeliveries } from '../../services/webhooks/queue-deliveries.ts'
import { newId } from '../../store/new-id.ts'
import { insertTeamMember } from '../../store/people/members.ts'
import { type Delivery, findDelivery } from '../../store/webhooks/deliveries.ts'
import { findWebhook } from '../../store/webhooks/webhooks.ts'
import type { JobOf } from '../handler.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

onEveryDatabase('delivering webhooks', ({ db }) => {
  let receiver: WebhookReceiver
  let sender: WebhookSender
  let context: Context
  let user: Scheduler
  let eventType: EventType
  // Receivers refuse old signatures, so this clock stands at the present.
  let clock: ReturnType<typeof stoppedClock>

  before(async () => {
    receiver = await startWebhookReceiver()
    sender = createWebhookSender({ allowPrivate: true })
    user = await addUser(db(), 'ada')
    eventType = await addEventType(db(), user)
  })
  after(async () => {
    sender.close()
    await receiver.close()
  })
  beforeEach(() => {
    clock = stoppedClock(Date.now())
    context = contextWith(sender)
    receiver.answer(says(204))
  })

  const contextWith = (webhooks: WebhookSender) =>
    createContext({
      ...quietContext,
      db: db(),
      publicUrl: 'https://book.example.com',
      captcha: { altchaSecret: 'altcha', services: {} },
      now: () => clock.now(),
      webhooks,
    })

  /** A job for a webhook that is the only one of its owner. */
  async function queued(given: Partial<Webhook> = {}): Promise<{ job: JobOf<'webhook'>; webhook: Webhook }> {
    await db().deleteFrom('webhooks').execute()
    const webhook = await addWebhook(db(), user, { url: receiver.url, ...given })
    return { job: await anotherFor(), webhook }
  }

  async function anotherFor(owner = user): Promise<JobOf<'webhook'>> {
    const [job] = await db()
      .transaction()
      .execute((trx) => queueDeliveries(trx, [changeOf(owner, eventType)], clock.now(), context))
    assert.ok(job)
    return { id: 0, kind: 'webhook', data: job.data as DeliveryRecord, attempts: 0, createdAt: clock.now() }
  }

  async function deliveryOf({ data }: JobOf<'webhook'>): Promise<Delivery> {
    const delivery = await findDelivery(db(), data.deliveryId)
    assert.ok(delivery)
    return delivery
  }

  it('sends the stored body, signed, and records the response', async () => {
    const { job, webhook } = await queued()
    receiver.answer(says(200, { 'x-seen': 'yes' }, 'thanks'))
    await deliver(context, job)
    const delivery = await deliveryOf(job)
    const { headers, body } = receiver.received.at(-1) ?? assert.fail()
    assert.equal(body, delivery.body)
    assert.equal(headers['webhook-id'], delivery.id)
    assert.ok(new Verifier(webhook.secret).verify(body, headers))
    assert.deepEqual(
      [
        delivery.status,
        delivery.attempts,
        delivery.responseStatus,
        delivery.responseBody,
        say(delivery.error),
      ],
      ['succeeded', 1, 200, 'thanks', ''],
    )
    assert.deepEqual([delivery.attemptedAt, delivery.nextAttemptAt], [clock.now(), null])
    assert.equal(delivery.responseHeaders['x-seen'], 'yes')
    assert.equal(delivery.requestHeaders['webhook-signature'], headers['webhook-signature'])
    assert.ok((delivery.duration ?? -1) >= 0)
  })

  it('signs with both secrets while one replaces the other', async () => {
    const old = await queued()
    const { job, webhook } = await queued({
      previousSecret: old.webhook.secret,
      previousSecretUntil: clock.now() + 1,
    })
    await deliver(context, job)
    const { headers, body } = receiver.received.at(-1) ?? assert.fail()
    for (const secret of [webhook.secret, old.webhook.secret]) {
      assert.ok(new Verifier(secret).verify(body, headers))
    }
  })

  it('tries again by the schedule, with the same id and body and a new time, and then gives up', async () => {
    const { job, webhook } = await queued()
    receiver.answer(says(500, {}, 'not now'))
    const from = receiver.received.length
    for (const [attempts, delay] of JOBS.webhook.retryAfter.entries()) {
      await assert.rejects(deliver(context, { ...job, attempts }), /500/)
      const delivery = await deliveryOf(job)
      assert.deepEqual(
        [delivery.status, delivery.attempts, delivery.nextAttemptAt],
        ['pending', attempts + 1, clock.now() + delay],
      )
      clock.moveTo(clock.now() + delay)
    }
    await deliver(context, { ...job, attempts: JOBS.webhook.retryAfter.length })
    const delivery = await deliveryOf(job)
    assert.deepEqual(
      [delivery.status, delivery.nextAttemptAt, delivery.responseStatus, delivery.responseBody],
      ['failed', null, 500, 'not now'],
    )
    const sent = receiver.received.slice(from)
    assert.equal(sent.length, JOBS.webhook.retryAfter.length + 1)
    assert.deepEqual([...new Set(sent.map(({ headers }) => headers['webhook-id']))], [delivery.id])
    assert.deepEqual([...new Set(sent.map(({ body }) => body))], [delivery.body])
    assert.equal(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size, sent.length)
    assert.equal((await findWebhook(db(), webhook.id))?.active, true)
  })

  it('does nothing for a job that comes back after it was done', async () => {
    const { job } = await queued()
    await deliver(context, job)
    const count = receiver.received.length
    await deliver(context, { ...job, attempts: 1 })
    assert.equal(receiver.received.length, count)
  })

  it('does nothing for a webhook or a delivery that is gone', async () => {
    const { job } = await queued()
    await db().deleteFrom('webhooks').execute()
    const count = receiver.received.length
    await deliver(context, job)
    await deliver(context, { ...job, data: { deliveryId: newId() } })
    assert.equal(receiver.received.length, count)
  })

  it('sends nothing to a webhook that was disabled in between, and records why', async () => {
    const { job } = await queued()
    await db().updateTable('webhooks').set({ active: 0 }).execute()
    const count = receiver.received.length
    await deliver(context, job)
    assert.equal(receiver.received.length, count)
    const { status, error } = await deliveryOf(job)
    assert.equal(status, 'failed')
    assert.match(say(error), /turned off/)
  })

  it('waits as long as the receiver asks for, if that is longer than the schedule', async () => {
    for (const [header, wait] of [
      ['120', 120_000],
      ['9999999', DAY],
      [
        new Date(clock.now() + HOUR).toUTCString(),
        Math.floor(clock.now() / 1000) * 1000 + HOUR - clock.now(),
      ],
    ] as const) {
      const { job } = await queued()
      receiver.answer(says(503, { 'retry-after': header }))
      const error = await deliver(context, job).catch((reason: unknown) => reason)
      assert.ok(error instanceof TryAgainAt, header)
      assert.equal(error.retryAt, clock.now() + wait)
      assert.equal((await deliveryOf(job)).nextAttemptAt, error.retryAt)
    }
    const { job } = await queued()
    receiver.answer(says(429, { 'retry-after': '1' }))
    const error = await deliver(context, job).catch((reason: unknown) => reason)
    assert.ok(error instanceof Error && !(error instanceof TryAgainAt))
    assert.equal((await deliveryOf(job)).nextAttemptAt, clock.now() + (JOBS.webhook.retryAfter[0] ?? 0))
  })

  it('switches off a webhook that answers 410, and has its owner told, once', async () => {
    const { job, webhook } = await queued()
    const second = await anotherFor()
    receiver.answer(says(410))
    await Promise.all([deliver(context, job), deliver(context, second)])
    const now = await findWebhook(db(), webhook.id)
    assert.deepEqual([now?.active, now?.disabledAt], [false, clock.now()])
    assert.match(say(now?.disabledReason ?? NOTHING), /410/)
    assert.equal((await deliveryOf(job)).status, 'failed')
    const mails = (await jobsOf(db(), 'webhook-disabled')).filter(
      ({ data }) => (data as { webhookId: string }).webhookId === webhook.id,
    )
    assert.deepEqual(
      mails.map(({ data }) => data),
      [{ webhookId: webhook.id }],
    )
    const audit = await db().selectFrom('audit').selectAll().where('object_id', '=', webhook.id).execute()
    assert.deepEqual(
      audit.map(({ actor, action, changes }) => [actor, action, changes]),
      [['service', 'disabled', '["active"]']],
    )
  })

  it('switches off a webhook that has failed for five days, and no earlier', async () => {
    const { job, webhook } = await queued()
    receiver.answer(says(500))
    const began = clock.now()
    await assert.rejects(deliver(context, job))
    assert.equal((await findWebhook(db(), webhook.id))?.failingSince, began)

    clock.moveTo(began + 4 * DAY)
    const later = await anotherFor()
    await assert.rejects(deliver(context, later))
    clock.moveTo(began + 5 * DAY - 1)
    await assert.rejects(deliver(context, { ...later, attempts: 1 }))
    assert.equal((await findWebhook(db(), webhook.id))?.active, true)

    clock.moveTo(began + 5 * DAY)
    await deliver(context, { ...later, attempts: 2 })
    const off = await findWebhook(db(), webhook.id)
    assert.deepEqual([off?.active, off?.disabledAt], [false, clock.now()])
    assert.match(say(off?.disabledReason ?? NOTHING), /five days/)
  })

  it('resets its failures after a success', async () => {
    const { job, webhook } = await queued()
    receiver.answer(says(500))
    await assert.rejects(deliver(context, job))
    receiver.answer(says(200))
    await deliver(context, { ...job, attempts: 1 })
    assert.equal((await findWebhook(db(), webhook.id))?.failingSince, null)
  })

  it('fails by the time-out for a receiver that hangs', async () => {
    const { job } = await queued()
    const impatient = createWebhookSender({ allowPrivate: true, timeout: 50 })
    receiver.answer(() => {})
    await assert.rejects(deliver(contextWith(impatient), job), /no complete response/)
    impatient.close()
    const { status, responseStatus, error } = await deliveryOf(job)
    assert.deepEqual([status, responseStatus], ['pending', null])
    assert.match(say(error), /no complete response/)
  })

  it('sends nothing to a private address that got into the table', async () => {
    const { job } = await queued()
    const count = receiver.received.length
    const careful = createWebhookSender({ allowPrivate: false })
    await assert.rejects(deliver(contextWith(careful), job), /https/)
    const { job: other } = await queued({ url: `https://2130706433:${receiver.port}/` })
    await assert.rejects(deliver(contextWith(careful), other), /not on the public internet/)
    assert.equal(receiver.received.length, count)
  })

  it('keeps an answer that no database would hold as it is', async () => {
    const { job } = await queued()
    receiver.answer(says(200, { 'x-odd': 'caf\u00e9' }, Buffer.from([0x61, 0, 0xff, 0x62])))
    await deliver(context, job)
    assert.match((await deliveryOf(job)).responseBody, /^a.+b$/)
  })

  it('tells a user, or a team’s owners who can sign in, that a webhook is off', async () => {
    const team = await addTeam(db(), 'crew')
    const [owner, second, admin, away] = [
      await addUser(db(), 'owner'),
      await addUser(db(), 'second'),
      await addUser(db(), 'admin'),
      await addUser(db(), 'away'),
    ]
    for (const person of [owner, second, away])
      await insertTeamMember(db(), { teamId: team.id, userId: person.id, role: 'owner' }, 0)
    await insertTeamMember(db(), { teamId: team.id, userId: admin.id, role: 'admin' }, 0)
    await db().updateTable('schedulers').set({ disabled_at: 1 }).where('id', '=', away.id).execute()
    const off = {
      active: false,
      disabledAt: 1,
      disabledReason: verbatim('Nothing has arrived for <five> days.'),
      url: "https://a&'b.example/secret-path",
    }
    const recipients = async (webhook: Webhook) =>
      (await webhookDisabledMails(context, webhook.id)).map(({ to }) => to)

    const ofTeam = await addWebhook(db(), team, off)
    assert.deepEqual(await recipients(ofTeam), ['owner@hosts.example', 'second@hosts.example'])
    const ofUser = await addWebhook(db(), user, off)
    assert.deepEqual(await recipients(ofUser), ['ada@hosts.example'])
    const [mail] = await webhookDisabledMails(context, ofUser.id)
    assert.ok(mail)
    assert.ok(!`${mail.subject}${mail.text}${mail.html}`.includes('secret-path'))
    assert.match(mail.text, /<five> days/)
    assert.match(mail.html, /&lt;five&gt; days/)
    assert.ok(!/<five>|&'b/.test(mail.html))
    assert.ok(mail.text.includes('https://book.example.com/app/webhooks'))

    assert.deepEqual(await recipients(await addWebhook(db(), user)), [])
    assert.deepEqual(await webhookDisabledMails(context, newId()), [])
  })
})
