import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../test/databases.ts'
import { type Host, signInWithToken } from '../../test/host-api.ts'
import { jobsOf, runDueJobs } from '../../test/jobs.ts'
import {
  type AppUnderTest,
  addEventType,
  appOn,
  bookingOf,
  fromSomeoneNew,
  stoppedClock,
} from '../../test/kit.ts'
import { startTwilio, type TwilioStandIn } from '../../test/outside/twilio.ts'
import { findValue, readSamples } from '../../test/prometheus.ts'
import { alwaysOpen, findFreePort } from '../../test/server-process.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts'
import { addWebhook } from '../../test/webhooks.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import { startMetrics } from '../metrics/metrics.ts'
import { gatewaySender } from '../outside/sms/gateway.ts'
import { twilioSender } from '../outside/sms/twilio.ts'
import type { Context, SmsService } from '../services/context.ts'
import { HANDLERS } from './handlers.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const HOOK = '/api/hooks/sms/twilio'
const PHONE = '+4915112345678'

onEveryDatabase('text messages', ({ db }) => {
  const clock = stoppedClock()
  let twilio: TwilioStandIn
  let gateway: WebhookReceiver
  let app: FastifyInstance
  let context: Context
  let host: Host
  let talk: EventType
  let start = 0
  let sms: SmsService
  let mailbox: AppUnderTest['mailbox']

  before(async () => {
    twilio = await startTwilio()
    gateway = await startWebhookReceiver()
    const statusUrl = `https://book.example.com${HOOK}`
    const sender = twilioSender(twilio.settings, { statusUrl })
    sms = { sender, countries: ['+49', '+1500'], dailyLimit: 500 }
    const under = await appOn(db(), { now: clock.now, sms })
    mailbox = under.mailbox
    app = under.app
    context = under.context
    host = await signInWithToken(app, under.mailbox, 'ada@example.org')
    await host.patch('/me', { slug: 'ada', name: 'Ada Host' })
    const { items } = (await host.get('/schedules')).json()
    await host.patch(`/schedules/${items[0].id}`, { weekly: alwaysOpen.weekly, timezone: 'UTC' })
    talk = await addEventType(db(), { id: host.user.id }, { slug: 'talk', name: 'Talk', reminderMinutes: [] })
  })
  after(async () => {
    await app?.close()
    await twilio?.close()
    await gateway?.close()
  })
  beforeEach(async () => {
    await runDueJobs(context)
    for (const { id } of (await host.get('/messages')).json().items) await host.del(`/messages/${id}`)
    await db().deleteFrom('outbox').execute()
    await db().deleteFrom('sms_counts').execute()
    twilio.behave()
    gateway.answer(says(204))
    clock.moveTo(Math.ceil(clock.now() / HOUR) * HOUR + 10 * DAY)
    start = clock.now() + 5 * DAY
  })

  const message = (given: object = {}) => ({
    name: 'Soon',
    on: 'before',
    minutes: 60,
    by: 'sms',
    texts: { en: { body: '{{guest.firstName}}, see you at {{start | time}}: {{link.reschedule}}' } },
    ...given,
  })
  const create = async (given: object = {}) => {
    const made = await host.post('/messages', message(given))
    assert.equal(made.statusCode, 201, made.body)
    return made.json().id as string
  }
  const book = (given: Record<string, unknown> = {}, startsAt = start) =>
    app.inject({
      method: 'POST',
      url: '/api/public/scheduling/ada/talk/book',
      payload: bookingOf(talk, startsAt, {
        inviteePhone: '+49 (0)151 12345678',
        smsConsent: true,
        inviteeLocale: 'en',
        ...given,
      }),
      headers: fromSomeoneNew(),
    })
  const booked = async (given: Record<string, unknown> = {}, startsAt = start) => {
    const answer = await book(given, startsAt)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id as string
  }
  const at = async (instant: number, sending = context) => {
    clock.moveTo(instant)
    await runDueJobs(sending)
  }
  const states = async (id: string) => {
    const found = (await host.get(`/bookings/${id}/messages`)).json()
    return found.map(({ by, state, reason }: Record<string, string>) => [by, state, reason].join(' ').trim())
  }
  /** Calls as Twilio does, at the address that it was given. */
  const call = (form: Record<string, string>, url = HOOK, signature?: string) =>
    app.inject({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature ?? twilio.sign(`https://book.example.com${url}`, form),
        ...fromSomeoneNew(),
      },
      payload: new URLSearchParams(form).toString(),
    })
  const UNKNOWN = 'sms failed It is unknown whether this was sent: the provider gave no clear answer.'

  it('are off and invisible without settings', async () => {
    const off = await appOn(db(), { now: clock.now })
    const headers = { authorization: `Bearer ${host.token}` }
    const refused = await off.app.inject({
      method: 'POST',
      url: '/api/admin/messages',
      payload: message(),
      headers,
    })
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.json().error, 'This instance sends no text messages.')
    assert.equal(refused.headers['error-field'], 'by')
    assert.equal((await off.app.inject({ method: 'POST', url: HOOK, payload: {} })).statusCode, 404)
    // One from before the operator turned them off.
    await create()
    assert.equal((await off.app.inject('/api/embed/ada/talk')).json().sms, undefined)
    const id = await booked()
    await at(start - HOUR, off.context)
    assert.deepEqual(await states(id), ['sms skipped This instance sends no text messages.'])
    assert.equal(twilio.texts.length, 0)
    await off.app.close()
  })

  it('are asked for where an event type has one, and need a number that says its country', async () => {
    assert.equal((await app.inject('/api/embed/ada/talk')).json().sms, undefined)
    await create({ enabled: false })
    assert.equal((await app.inject('/api/embed/ada/talk')).json().sms, undefined)
    await create()
    assert.equal((await app.inject('/api/embed/ada/talk')).json().sms, true)
    for (const inviteePhone of [undefined, '', '0151 12345678', '+49 12']) {
      const refused = await book({ inviteePhone })
      assert.equal(refused.statusCode, 400, String(inviteePhone))
      assert.match(refused.json().error, /^inviteePhone must /)
    }
    assert.equal((await book({ smsConsent: 'yes' })).statusCode, 400)
    for (const bad of [{ on: 'unbooked' }, { to: 'hosts' }, { replaces: true }])
      assert.equal((await host.post('/messages', message(bad))).statusCode, 400)
    const { items } = (await host.get('/bookings')).json()
    assert.deepEqual(
      items.filter(({ startTime }: Record<string, string>) => Date.parse(startTime ?? '') === start),
      [],
    )
  })

  it('show their text and segments before they are sent', async () => {
    const shown = (await host.post('/messages/preview', { message: message() })).json()
    assert.match(shown.sms.text, /^Maria, see you at .*: https:\/\/book\.example\.com\/booking\//)
    assert.equal(shown.sms.segments, Math.ceil(shown.sms.text.length / 153))
    assert.equal(shown.html, '')
  })

  it('come once, at their time, to those who agreed, in countries that are allowed', async () => {
    await create()
    const agreed = await booked()
    const silent = await booked({ smsConsent: false }, start + DAY)
    const abroad = await booked({ inviteePhone: '+33 6 12 34 56 78' }, start + 2 * DAY)
    const before = twilio.texts.length
    await at(start - HOUR - MINUTE)
    assert.equal(twilio.texts.length, before)
    await at(start - HOUR)
    await at(start - HOUR + MINUTE)
    const [text, ...more] = twilio.texts.slice(before)
    assert.deepEqual(more, [])
    assert.equal(text?.to, PHONE)
    assert.equal(text?.from, twilio.settings.from)
    assert.match(text?.text ?? '', /^Grace, see you at 12:00 PM: https:\/\/book\.example\.com\/booking\/\S+$/)
    assert.equal(new URL(text?.statusCallback ?? '').pathname, HOOK)
    assert.deepEqual(await states(agreed), ['sms sent'])
    const history = (await host.get(`/bookings/${agreed}/history`)).json().items
    const line = history.find(
      ({ what }: Record<string, string>) => what === 'Text message to Grace Guest: Soon',
    )
    assert.equal(line?.state, 'done')
    await at(start + DAY - HOUR)
    await at(start + 2 * DAY - HOUR)
    assert.deepEqual(await states(silent), ['sms skipped The guest has not agreed to text messages.'])
    assert.deepEqual(await states(abroad), [
      'sms skipped This instance sends no text messages to that country.',
    ])
    assert.equal(twilio.texts.length, before + 1)
    assert.ok(context.messagesSent.sms.sent > 0 && context.messagesSent.sms.skipped > 1)
  })

  it('stop at five a day for a number, and at the limit of the instance', async () => {
    await create({ on: 'booked', minutes: null })
    const before = twilio.texts.length
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push(await booked({}, start + i * HOUR))
    await at(clock.now())
    assert.equal(twilio.texts.length, before + 5)
    const found = (await Promise.all(ids.map(states))).flat().sort()
    assert.equal(found.at(-1), 'sms skipped This number has had 5 text messages today.')
    const capped = { ...context, sms: { ...sms, dailyLimit: 5 } }
    const other = await booked({ inviteePhone: '+4915187654321' }, start + DAY)
    await at(clock.now(), capped)
    assert.deepEqual(await states(other), ['sms skipped The limit of 5 text messages a day is reached.'])
    const next = await booked({}, start + 2 * DAY)
    await at(clock.now() + DAY, capped)
    assert.deepEqual(await states(next), ['sms sent'])
  })

  it('are counted by what became of them, where Prometheus reads it', async () => {
    const metrics = startMetrics(context, { backups: false })
    const port = await findFreePort()
    await metrics.listen({ host: '127.0.0.1', metricsPort: port, metricsToken: 'token' })
    const read = async () => {
      const headers = { authorization: 'Bearer token' }
      const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
      const samples = readSamples(await response.text())
      return (['sent', 'skipped', 'failed'] as const).map(
        (outcome) => findValue(samples, 'punctual_messages_total', { channel: 'sms', outcome }) ?? 0,
      )
    }
    try {
      await create({ on: 'booked', minutes: null })
      const before = await read()
      await booked()
      await booked({ smsConsent: false }, start + DAY)
      await booked({ inviteePhone: '+15005550001' }, start + 2 * DAY)
      await at(clock.now())
      const after = await read()
      assert.deepEqual(
        after.map((count, index) => count - (before[index] ?? 0)),
        [1, 1, 1],
      )
    } finally {
      metrics.stop()
    }
  })

  it('say in a test that they come by email, since nobody is texted without consent', async () => {
    const id = await create()
    const texted = twilio.asked.length
    const answer = await host.post(`/messages/${id}/test`)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json().by, 'email')
    assert.match(answer.json().note, /emailed you its text/)
    const mail = mailbox.at(-1)
    assert.equal(mail?.to, 'ada@example.org')
    assert.match(mail?.text ?? '', /^This is a text message\..*\n\n.*see you at/s)
    assert.equal(twilio.asked.length, texted)
  })

  it('are named in the guides of agents, where guests are asked', async () => {
    const guides = async () => {
      const [text, facts, list] = await Promise.all(
        ['/ada/talk.md', '/ada/talk.json', '/ada.json'].map((url) => app.inject({ url })),
      )
      return [
        text?.body.includes('smsConsent'),
        facts?.json().eventType.sms,
        list?.json().eventTypes.find(({ slug }: { slug: string }) => slug === 'talk').sms,
      ]
    }
    assert.deepEqual(await guides(), [false, undefined, undefined])
    await create()
    assert.deepEqual(await guides(), [true, true, true])
  })

  it('fail for good where Twilio refuses them, and webhooks hear of it', async () => {
    const webhook = await addWebhook(db(), host.user, { events: ['message.failed'] })
    const id = await create({ on: 'booked', minutes: null })
    const before = twilio.asked.length
    const bad = await booked({ inviteePhone: '+15005550001' })
    const region = await booked({ inviteePhone: '+15005550003' }, start + DAY)
    const busy = await booked({}, start + 2 * DAY)
    await at(clock.now())
    twilio.misbehave(/Messages/, { status: 429, body: { code: 20429, message: 'Too Many Requests' } })
    const late = await booked({}, start + 3 * DAY)
    await at(clock.now())
    await at(clock.now() + DAY)
    assert.deepEqual(await states(bad), [
      "sms failed The provider refuses it: The 'To' number +15005550001 is not a valid phone number. (21211)",
    ])
    assert.match((await states(region))[0], /^sms failed .* \(21408\)$/)
    assert.deepEqual(await states(busy), ['sms sent'])
    assert.deepEqual(await states(late), ['sms failed The provider refuses it: Too Many Requests (20429)'])
    assert.equal(twilio.asked.length, before + 4)
    const deliveries = await db()
      .selectFrom('webhook_deliveries')
      .select(['event', 'body', 'booking_id'])
      .where('webhook_id', '=', webhook.id)
      .execute()
    assert.deepEqual(
      deliveries.map(({ event }) => event),
      Array(3).fill('message.failed'),
    )
    const told = JSON.parse(deliveries.find(({ booking_id }) => booking_id === bad)?.body ?? '{}')
    assert.deepEqual([told.data.messageId, told.data.by], [id, 'sms'])
    await db().deleteFrom('webhooks').execute()
  })

  it('are never sent twice: without a clear answer, the record says so', async () => {
    await create({ on: 'booked', minutes: null })
    const before = twilio.asked.length
    twilio.misbehave(/Messages/, { status: 503 }, 'reset', 'truncated')
    const ids = [await booked(), await booked({}, start + DAY), await booked({}, start + 2 * DAY)]
    await at(clock.now())
    await at(clock.now() + DAY)
    assert.equal(twilio.asked.length, before + 3)
    for (const id of ids) assert.deepEqual(await states(id), [UNKNOWN])
  })

  it('are not asked for again after a crash, even if the meeting is cancelled since', async () => {
    await create({ on: 'booked', minutes: null })
    const id = await booked()
    const jobs = async () =>
      (await jobsOf(db(), 'message')).filter(({ data }) => 'bookingId' in data && data.bookingId === id)
    // Announces the booking, and leaves the message to be sent.
    const [announced] = await jobsOf(db(), 'announce')
    assert.ok(announced)
    await HANDLERS.announce(context, announced, () => {})
    const [job] = await jobs()
    assert.ok(job)
    const asked = Promise.withResolvers<void>()
    const dying = {
      ...sms.sender,
      send: async () => {
        asked.resolve()
        return new Promise<string>(() => {})
      },
    }
    void HANDLERS.message({ ...context, sms: { ...sms, sender: dying } }, job, () => {})
    await asked.promise
    await host.post(`/bookings/${id}/cancel`, {})
    const before = twilio.asked.length
    await HANDLERS.message(context, job, () => {})
    await HANDLERS.message(context, job, () => {})
    assert.equal(twilio.asked.length, before)
    assert.deepEqual(await states(id), [UNKNOWN])
  })

  it('are asked for once, also by instances that have the same job in hand', async () => {
    await create({ on: 'booked', minutes: null })
    const id = await booked()
    const [announced] = await jobsOf(db(), 'announce')
    assert.ok(announced)
    await HANDLERS.announce(context, announced, () => {})
    const [job] = await jobsOf(db(), 'message')
    assert.ok(job)
    const before = twilio.asked.length
    await Promise.all(Array.from({ length: 4 }, () => HANDLERS.message(context, job, () => {})))
    assert.equal(twilio.asked.length, before + 1)
    assert.match((await states(id)).join(), /^sms (sent|failed It is unknown)/)
  })

  it('wait for a provider that can’t be reached', async () => {
    await create({ on: 'booked', minutes: null })
    const closed = await startTwilio()
    await closed.close()
    const gone = twilioSender({ ...twilio.settings, apiUrl: closed.url }, { statusUrl: '' })
    const id = await booked()
    const before = twilio.texts.length
    await at(clock.now(), { ...context, sms: { ...sms, sender: gone } })
    assert.deepEqual(await states(id), ['sms planned'])
    await at(clock.now() + MINUTE)
    assert.equal(twilio.texts.length, before + 1)
    assert.deepEqual(await states(id), ['sms sent'])
  })

  it('hear from Twilio what became of them, and believe nobody else', async () => {
    await create({ on: 'booked', minutes: null })
    const id = await booked()
    await at(clock.now())
    const { sid = '', statusCallback = '' } = twilio.texts.at(-1) ?? {}
    const given = new URL(statusCallback)
    const failed = { MessageSid: sid, MessageStatus: 'undelivered', ErrorCode: '30005' }
    for (const signature of ['', 'AAAA', twilio.sign('https://elsewhere.example', failed)]) {
      const forged = await call(failed, HOOK, signature)
      assert.equal(forged.statusCode, 403)
    }
    assert.equal((await call({ ...failed, MessageStatus: 'sent' })).statusCode, 200)
    assert.deepEqual(await states(id), ['sms sent'])
    const counted = context.messagesSent.sms.failed
    assert.equal((await call(failed)).statusCode, 200)
    assert.equal((await call(failed)).statusCode, 200)
    assert.deepEqual(await states(id), ['sms failed The phone company did not deliver it (30005).'])
    assert.equal(context.messagesSent.sms.failed, counted + 1)
    assert.equal((await call({ ...failed, MessageSid: 'SMunknown' })).statusCode, 200)
    // One whose answer was lost: only the address of the call tells which it is.
    twilio.misbehave(/Messages/, 'truncated')
    const lost = await booked({}, start + DAY)
    await at(clock.now())
    assert.deepEqual(await states(lost), [UNKNOWN])
    const { search } = new URL(twilio.texts.at(-1)?.statusCallback ?? '')
    assert.notEqual(search, given.search)
    const delivered = { MessageSid: twilio.texts.at(-1)?.sid ?? '', MessageStatus: 'delivered' }
    assert.equal((await call(delivered, `${HOOK}${search}`)).statusCode, 200)
    assert.deepEqual(await states(lost), ['sms sent'])
  })

  it('end with STOP, and begin again with START', async () => {
    await create({ on: 'booked', minutes: null })
    const inbound = { MessageSid: 'SMin', From: PHONE, To: twilio.settings.from, SmsStatus: 'received' }
    assert.equal((await call({ ...inbound, Body: 'STOP' }, HOOK, 'AAAA')).statusCode, 403)
    assert.equal((await call({ ...inbound, Body: 'Please don’t stop' })).statusCode, 200)
    const first = await booked()
    await at(clock.now())
    assert.deepEqual(await states(first), ['sms sent'])
    const stopped = await call({ ...inbound, Body: ' Stop\n' })
    assert.equal(stopped.body, '<Response/>')
    const second = await booked({}, start + DAY)
    await at(clock.now())
    assert.deepEqual(await states(second), ['sms skipped They have answered STOP.'])
    await call({ ...inbound, Body: 'start' })
    const third = await booked({}, start + 2 * DAY)
    await at(clock.now())
    assert.deepEqual(await states(third), ['sms sent'])
  })

  it('go to a gateway signed, and again with the same id until it takes them', async () => {
    const key = Buffer.from('a-key-of-the-tests')
    const secret = `whsec_${key.toString('base64')}`
    const sender = gatewaySender({ url: gateway.url, secret }, { now: clock.now })
    const through = { ...context, sms: { ...sms, sender } }
    await create({ on: 'booked', minutes: null })
    gateway.answer(says(500))
    const id = await booked()
    await at(clock.now(), through)
    assert.deepEqual(await states(id), ['sms planned'])
    gateway.answer(says(429))
    await at(clock.now() + 10_000, through)
    gateway.answer(says(200))
    await at(clock.now() + HOUR, through)
    await at(clock.now() + HOUR, through)
    assert.deepEqual(await states(id), ['sms sent'])
    const [first, ...others] = gateway.received
    assert.equal(others.length, 2)
    for (const { headers, body } of gateway.received) {
      const { id: same, to, text } = JSON.parse(body)
      assert.deepEqual([same, to], [JSON.parse(first?.body ?? '').id, PHONE])
      assert.match(text, /^Grace, see you at /)
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const signature = createHmac('sha256', key).update(signed).digest('base64')
      assert.equal(headers['webhook-signature'], `v1,${signature}`)
      assert.equal(headers['webhook-id'], same)
    }
    gateway.answer(says(422))
    const refused = await booked({}, start + DAY)
    await at(clock.now(), through)
    await at(clock.now() + DAY, through)
    assert.deepEqual(await states(refused), ['sms failed The provider refuses it (422).'])
    assert.equal(gateway.received.length, 4)
  })

  it('need attention while the provider refuses the key', async () => {
    const kinds = async () =>
      (await host.get('/attention')).json().items.map(({ kind }: Record<string, string>) => kind)
    await create({ on: 'booked', minutes: null })
    const wrong = twilioSender({ ...twilio.settings, authToken: 'old' }, { statusUrl: '' })
    const id = await booked()
    await at(clock.now(), { ...context, sms: { ...sms, sender: wrong } })
    assert.deepEqual(await states(id), ['sms failed The provider of text messages refuses our key.'])
    assert.ok((await kinds()).includes('sms-refused'))
    await booked({}, start + DAY)
    await at(clock.now() + MINUTE)
    assert.ok(!(await kinds()).includes('sms-refused'))
  })

  it('leave no number behind when the guest is erased', async () => {
    await create({ on: 'booked', minutes: null })
    const inviteeEmail = 'gone@guests.example'
    const id = await booked({ inviteeEmail, inviteePhone: '+15005550009' })
    const sent = await booked({ inviteeEmail }, start + DAY)
    await at(clock.now())
    assert.match((await states(id))[0], /mobile number/)
    const erased = await host.post('/erasures', { email: inviteeEmail })
    assert.ok(erased.statusCode < 300, erased.body)
    assert.deepEqual(await states(id), ['sms failed'])
    const { sid = '' } = twilio.texts.at(-1) ?? {}
    const bookings = await db().selectFrom('bookings').selectAll().where('id', 'in', [id, sent]).execute()
    const records = await db()
      .selectFrom('message_records')
      .selectAll()
      .where('booking_id', 'in', [id, sent])
      .execute()
    assert.doesNotMatch(JSON.stringify([bookings, records]), /5005550009|15112345678/)
    assert.ok(!JSON.stringify(records).includes(sid))
  })
})
