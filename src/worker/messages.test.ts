import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { bookAt } from '../../test/bookings.ts'
import { onEveryDatabase } from '../../test/databases.ts'
import { type Host, signInWithToken } from '../../test/host-api.ts'
import { jobsOf, runDueJobs } from '../../test/jobs.ts'
import { addEventType, appOn, fromSomeoneNew, MONDAY_NOON, stoppedClock } from '../../test/kit.ts'
import { alwaysOpen } from '../../test/server-process.ts'
import { startWebhookReceiver } from '../../test/webhook-receiver.ts'
import { addWebhook } from '../../test/webhooks.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import type { Scheduler } from '../domain/people/scheduler.ts'
import { verbatim } from '../domain/sentence.ts'
import type { WebhookPayload } from '../domain/webhooks/webhook.ts'
import { type Mail, MailRefused } from '../outside/mail/mail.ts'
import { createWebhookSender, type WebhookSender } from '../outside/webhooks/webhook.ts'
import type { Context } from '../services/context.ts'
import { findScheduler } from '../store/people/schedulers.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

onEveryDatabase('messages of hosts', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let sender: WebhookSender
  let sent: Mail[]
  let host: Host
  let owner: Scheduler
  let talk: EventType
  let start = MONDAY_NOON
  let refuses = ''

  before(async () => {
    sender = createWebhookSender({ allowPrivate: true })
    const under = await appOn(db(), { now: clock.now, signup: 'open', webhooks: sender })
    app = under.app
    sent = under.mailbox
    const { mailer } = under.context
    context = {
      ...under.context,
      mailer: async (mail) => {
        if (refuses !== '' && mail.to === refuses) throw new MailRefused(verbatim('550 No such user'))
        await mailer(mail)
      },
    }
    host = await signInWithToken(app, sent, 'ada@example.org')
    await host.patch('/me', { name: 'Ada Host', slug: 'ada' })
    const { items } = (await host.get('/schedules')).json()
    await host.patch(`/schedules/${items[0].id}`, { weekly: alwaysOpen.weekly, timezone: 'UTC' })
    owner = (await findScheduler(db(), host.user.id)) as Scheduler
    talk = await addEventType(db(), owner, { slug: 'talk', name: 'Talk', reminderMinutes: [60] })
  })
  after(async () => {
    sender.close()
    await app.close()
  })
  beforeEach(async () => {
    await runDueJobs(context)
    for (const { id } of (await host.get('/messages')).json().items) await host.del(`/messages/${id}`)
    await db().deleteFrom('outbox').execute()
    sent.length = 0
    refuses = ''
    // Away from what the test before has booked.
    clock.moveTo(Math.ceil(clock.now() / HOUR) * HOUR + 10 * DAY)
    start = clock.now() + 5 * DAY
  })

  const create = async (given: object) => {
    const answer = await host.post('/messages', {
      name: 'A message',
      texts: { en: { subject: 'Mine: {{guest.name}}', body: 'Hello **{{guest.firstName}}**' } },
      ...given,
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id as string
  }
  const book = async (given: Record<string, unknown> = {}, startsAt = start) => {
    const { booking } = await bookAt(context, owner, talk, startsAt, {
      inviteeEmail: 'grace@guests.example',
      inviteeLocale: 'en',
      ...given,
    })
    return booking.id
  }
  const at = async (instant: number) => {
    clock.moveTo(instant)
    await runDueJobs(context)
  }
  /** The subjects of host's own words to this address. */
  const own = (to = 'grace@guests.example') =>
    sent.filter((mail) => mail.to === to && mail.subject.startsWith('Mine')).map(({ subject }) => subject)
  const states = async (bookingId: string) => {
    const found = (await host.get(`/bookings/${bookingId}/messages`)).json()
    return found.map(({ to, state, reason }: Record<string, string>) => [to, state, reason].join(' ').trim())
  }

  it('come when something is booked, once, beside our own mail', async () => {
    await create({ on: 'booked' })
    await create({ on: 'booked', to: 'hosts' })
    await create({ on: 'cancelled' })
    const id = await book()
    assert.deepEqual(await states(id), ['guest planned', 'hosts planned'])
    await at(clock.now())
    await at(clock.now() + MINUTE)
    assert.deepEqual(own(), ['Mine: Grace Guest'])
    assert.deepEqual(own('ada@example.org'), ['Mine: Grace Guest'])
    assert.deepEqual(await states(id), ['guest sent', 'hosts sent'])
    const history = (await host.get(`/bookings/${id}/history`)).json().items
    const lines = history.map(({ what }: Record<string, string>) => what)
    for (const reader of ['Grace Guest', 'Ada Host'])
      assert.equal(
        lines.filter((what: string) => what === `Email to ${reader}: A message`).length,
        1,
        lines.join(),
      )
    const mail = sent.find(({ to, subject }) => to === 'grace@guests.example' && subject.startsWith('Mine'))
    assert.match(mail?.text ?? '', /^Hello Grace\n/)
    assert.match(mail?.html ?? '', /Hello <strong>Grace<\/strong>/)
    assert.equal(mail?.headers?.['List-Unsubscribe'], undefined)
    assert.equal(mail?.invitation, undefined)
    assert.ok(
      sent.some(({ to, subject }) => to === 'grace@guests.example' && subject.startsWith('Confirmed')),
    )
  })

  it('stand in our own mail, which keeps times, place, links and invitation', async () => {
    await create({ on: 'booked', replaces: true })
    const id = await book()
    assert.deepEqual(await states(id), ['guest planned'])
    await at(clock.now())
    const mails = sent.filter(({ to }) => to === 'grace@guests.example')
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Mine: Grace Guest'],
    )
    const [mail] = mails
    assert.equal(mail?.invitation?.method, 'REQUEST')
    assert.match(mail?.text ?? '', /^Hello Grace\n\nEvent:/)
    assert.ok(mail?.text.includes('https://meet.example.com/room'))
    assert.ok(mail?.text.includes(`/booking/${id}?token=`))
    assert.ok(!mail?.text.includes('You’re booked'))
    assert.deepEqual(await states(id), ['guest sent'])
  })

  it('come before a meeting, and again only if it is moved', async () => {
    await create({ on: 'before', minutes: 120 })
    const id = await book()
    await at(clock.now())
    assert.deepEqual(await states(id), ['guest planned'])
    await at(start - 2 * HOUR - MINUTE)
    assert.deepEqual(own(), [])
    await at(start - 2 * HOUR)
    await at(start - 2 * HOUR + MINUTE)
    assert.equal(own().length, 1)
    const moved = await host.post(`/bookings/${id}/reschedule`, {
      startTime: new Date(start + DAY).toISOString(),
    })
    assert.equal(moved.statusCode, 200, moved.body)
    await at(clock.now() + HOUR)
    assert.equal(own().length, 1)
    await at(start + DAY - 2 * HOUR)
    assert.equal(own().length, 2)
    assert.deepEqual(await states(id), ['guest sent', 'guest sent'])
  })

  it('put their words into a reminder of the same time', async () => {
    await create({ on: 'before', minutes: 60, replaces: true })
    await book()
    await at(clock.now())
    sent.length = 0
    await at(start - HOUR)
    await at(start - HOUR + MINUTE)
    const mails = sent.filter(({ to }) => to === 'grace@guests.example')
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Mine: Grace Guest'],
    )
    assert.match(mails[0]?.text ?? '', /^Hello Grace\n\nEvent:/)
    assert.equal(sent.filter(({ to }) => to === 'ada@example.org').length, 1)
  })

  it('never come to those whose booking was cancelled, declined or missed', async () => {
    await create({ on: 'before', minutes: 120 })
    await create({ on: 'after', minutes: 60 })
    await create({ on: 'no-show', texts: { en: { subject: 'Mine: missed', body: 'Sorry' } } })
    const cancelled = await book()
    const missed = await book({ inviteeEmail: 'eve@guests.example' }, start + DAY)
    await at(clock.now())
    assert.equal((await host.post(`/bookings/${cancelled}/cancel`, { reason: 'Ill' })).statusCode, 200)
    await at(start + DAY - 2 * HOUR)
    await at(start + DAY + HOUR)
    assert.deepEqual(await states(cancelled), [
      'guest skipped The booking was cancelled.',
      'guest skipped The booking was cancelled.',
    ])
    assert.deepEqual(own(), [])
    assert.equal((await host.post(`/bookings/${missed}/no-show`)).statusCode, 200)
    await at(start + 2 * DAY)
    assert.deepEqual(own('eve@guests.example'), ['Mine: Grace Guest', 'Mine: missed'])
    assert.deepEqual((await states(missed)).sort(), [
      'guest sent',
      'guest sent',
      'guest skipped The guest did not come.',
    ])
  })

  it('change with what is still planned: their time, their words, whether they are on', async () => {
    const id = await create({ on: 'before', minutes: 120 })
    const bookingId = await book()
    await at(clock.now())
    await host.patch(`/messages/${id}`, {
      minutes: 240,
      texts: { en: { subject: 'Mine: new', body: 'New' } },
    })
    await at(start - 4 * HOUR)
    assert.deepEqual(own(), ['Mine: new'])
    await at(start - 2 * HOUR)
    assert.deepEqual(own(), ['Mine: new'])
    const other = await create({ on: 'before', minutes: 60 })
    await host.patch(`/messages/${other}`, { enabled: false })
    await at(start - HOUR)
    assert.deepEqual(await states(bookingId), ['guest sent'])
    await host.patch(`/messages/${other}`, { enabled: true })
    await at(start - HOUR / 2)
    assert.deepEqual(own(), ['Mine: new'])
  })

  it('begin to apply to bookings that there are, unless their time has passed', async () => {
    const bookingId = await book()
    await at(start - 3 * HOUR)
    await create({ on: 'before', minutes: 240 })
    await create({ on: 'before', minutes: 120 })
    await create({ on: 'booked' })
    await at(clock.now())
    assert.deepEqual(await states(bookingId), ['guest planned'])
    await at(start - HOUR)
    assert.equal(own().length, 1)
  })

  it('come after a meeting with a way to end them, which lasts', async () => {
    await create({ on: 'after', minutes: 60 })
    const first = await book()
    await at(start + talk.durationMinutes * MINUTE + HOUR)
    assert.equal(own().length, 1)
    const mail = sent.find(({ subject }) => subject.startsWith('Mine'))
    const link = /<(.*)>/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? ''
    assert.equal(mail?.headers?.['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
    assert.ok(mail?.text.includes(link) && mail?.html.includes(link))
    assert.ok(!decodeURIComponent(link).includes('grace'))
    const url = new URL(link).pathname
    assert.equal((await app.inject({ url: `${url}x` })).statusCode, 404)
    assert.equal((await app.inject({ method: 'POST', url: `${url.slice(0, -2)}` })).statusCode, 404)
    const page = await app.inject({ url })
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /<form method="post"/)
    const second = await book({}, start + 2 * DAY)
    await at(start + 2 * DAY)
    const done = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    assert.equal(done.statusCode, 200, done.body)
    assert.equal((await app.inject({ method: 'POST', url })).statusCode, 200)
    await at(start + 2 * DAY + talk.durationMinutes * MINUTE + HOUR)
    assert.equal(own().length, 1)
    assert.deepEqual(await states(first), ['guest sent'])
    assert.deepEqual(await states(second), ['guest skipped They have unsubscribed from mail like this.'])
    await db().deleteFrom('unsubscribed').execute()
  })

  it('are skipped when they are more than a day late', async () => {
    await create({ on: 'after', minutes: 60 })
    const id = await book()
    await at(clock.now())
    await at(start + talk.durationMinutes * MINUTE + HOUR + DAY + 1)
    assert.deepEqual(own(), [])
    assert.deepEqual(await states(id), ['guest skipped It was more than 24 hours late.'])
  })

  it('are repeated with the same Message-ID after a crash, and by no second job', async () => {
    await create({ on: 'before', minutes: 120 })
    const bookingId = await book()
    await at(clock.now())
    const [job] = await jobsOf(db(), 'message')
    assert.ok(job)
    const { HANDLERS } = await import('./handlers.ts')
    clock.moveTo(job.dueAt)
    await HANDLERS.message(
      {
        ...context,
        mailer: async () => {
          throw new Error('down')
        },
      },
      job,
      () => {},
    ).catch(() => {})
    await HANDLERS.message(context, { ...job, id: job.id + 1000 }, () => {})
    assert.deepEqual(own(), [])
    await HANDLERS.message(context, job, () => {})
    await HANDLERS.message(context, job, () => {})
    assert.equal(own().length, 1)
    assert.match(
      sent.find(({ subject }) => subject.startsWith('Mine'))?.messageId ?? '',
      new RegExp(`^<${bookingId}`),
    )
  })

  it('fail for good where a mail server refuses them, and webhooks hear of it', async () => {
    const receiver = await startWebhookReceiver()
    await addWebhook(db(), owner, { url: receiver.url, events: ['message.failed'] })
    const messageId = await create({ on: 'booked' })
    refuses = 'nobody@guests.example'
    const id = await book({ inviteeEmail: refuses })
    await at(clock.now())
    assert.deepEqual(await states(id), ['guest failed 550 No such user'])
    assert.equal(context.messagesSent.email.failed > 0, true)
    const [told, ...others] = receiver.received
    await receiver.close()
    await db().deleteFrom('webhooks').execute()
    assert.ok(told)
    assert.deepEqual(others, [])
    const heard = JSON.parse(told.body) as WebhookPayload
    assert.match(told.headers['webhook-signature'] ?? '', /^v1,/)
    assert.equal(heard.type, 'message.failed')
    assert.deepEqual(heard.data, {
      messageId,
      messageName: heard.data.messageName,
      on: 'booked',
      by: 'email',
      to: 'guest',
      bookingId: id,
      responseId: null,
      reason: '550 No such user',
    })
  })

  it('cost an owner without messages nothing', async () => {
    await book()
    await at(clock.now())
    assert.deepEqual(await jobsOf(db(), 'message'), [])
    const scheduler = await findScheduler(db(), owner.id)
    assert.equal(scheduler?.hasMessages, undefined)
  })

  it('nudge those who answered a form and did not book, and nobody else', async () => {
    const form = await host.post('/routing-forms', {
      slug: `form-${start}`,
      name: 'Contact',
      fields: [
        { id: 'mail', label: 'Email', type: 'email', required: false, options: [] },
        { id: 'name', label: 'Your name', type: 'text', required: false, options: [] },
      ],
      rules: [],
      fallback: { action: 'routeToEvent', eventTypeId: talk.id },
      abuse: { honeypot: false, captcha: '', blocklist: [] },
    })
    assert.equal(form.statusCode, 201, form.body)
    const texts = { en: { subject: 'Mine: nudge', body: 'Hi {{guest.name}}, [book]({{link.book}})' } }
    const id = await create({ on: 'unbooked', minutes: 60, formIds: [form.json().id], texts })
    const answer = async (mail: string) => {
      const sent = await app.inject({
        method: 'POST',
        url: `/api/public/routing/ada/form-${start}/evaluate`,
        payload: { answers: { mail, name: 'Joan' } },
        headers: fromSomeoneNew(),
      })
      assert.equal(sent.statusCode, 200, sent.body)
    }
    await answer('joan@guests.example')
    await answer('grace@guests.example')
    await answer('')
    await at(clock.now())
    await book()
    await at(clock.now() + 59 * MINUTE)
    assert.deepEqual(own('joan@guests.example'), [])
    await at(clock.now() + MINUTE)
    await at(clock.now() + HOUR)
    assert.deepEqual(own('joan@guests.example'), ['Mine: nudge'])
    assert.deepEqual(own(), [])
    const mail = sent.find(({ to }) => to === 'joan@guests.example')
    assert.match(mail?.text ?? '', /^Hi Joan, book \(https:\/\/book\.example\.com\/ada\/talk\)/)
    assert.match(mail?.headers?.['List-Unsubscribe'] ?? '', /^<https:/)
    const records = await db()
      .selectFrom('message_records')
      .selectAll()
      .where('message_id', '=', id)
      .execute()
    assert.deepEqual(records.map(({ state, reason }) => `${state} ${reason}`.trim()).sort(), [
      'sent',
      'skipped The answers have no email address.',
      'skipped They have booked.',
    ])
  })
})
