import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { createWebhookSender } from '../../src/outside/webhooks/webhook.ts'
import { completeBookings } from '../../src/services/bookings/complete.ts'
import { manageToken } from '../../src/services/bookings/guest/manage-link.ts'
import { openWorkQueue } from '../../src/services/work-queue.ts'
import { backup } from '../../src/services/workspace/backup/backup.ts'
import { eraseGuest } from '../../src/services/workspace/erasure/erase.ts'
import { eraseExpired } from '../../src/services/workspace/erasure/retention.ts'
import { insertResponse } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { beginSnapshot } from '../../src/store/workspace/dump.ts'
import {
  anonymizeBookings,
  findBookingsOfGuest,
  findPendingErasures,
} from '../../src/store/workspace/erasure.ts'
import { HANDLERS } from '../../src/worker/handlers.ts'
import { onEveryDatabase, openPatiently } from '../databases.ts'
import { addForm } from '../forms.ts'
import { type Host, signInWithToken } from '../host-api.ts'
import { runDueJobs } from '../jobs.ts'
import {
  type AppUnderTest,
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../kit.ts'
import { insertMeeting, rowsOf } from '../rows.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { addWebhook } from '../webhooks.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

// Nothing else in the tests contains these, in any case.
const NAME = 'Zéphyrine Quillfeather'
const EMAIL = 'Zephyrine.Quill@Erase.Example'
const TRACES = ['zephyrine.quill', 'quillfeather', 'erase.example', '0171 555 0199', 'sonnets']

onEveryDatabase('erasing a guest', ({ db, url, engine }) => {
  const clock = stoppedClock()
  let under: AppUnderTest
  let host: Host
  let eventType: EventType
  let receiver: WebhookReceiver
  let mailFolder: string
  const sender = createWebhookSender({ allowPrivate: true })
  const command = { userId: null, email: 'command line' }

  before(async () => {
    mailFolder = await mkdtemp(join(tmpdir(), 'punctual-mail-'))
    receiver = await startWebhookReceiver()
    under = await appOn(db(), { now: clock.now, webhooks: sender, mailFolder })
    host = await signInWithToken(under.app, under.mailbox, 'ada@hosts.example')
    eventType = await addEventType(db(), host.user, {
      slug: 'intro',
      maxGuests: 3,
      reminderMinutes: [60],
      questions: [{ key: 'topic', label: 'Topic', type: 'text', required: false, options: [] }],
      location: { type: 'Phone', value: '' },
    })
    await addForm(db(), host.user, {
      slug: 'contact',
      fields: [{ id: 'mail', label: 'Email', type: 'email', required: true, options: [] }],
      fallback: { action: 'routeToEvent', eventTypeId: eventType.id },
    })
    await addWebhook(db(), host.user, { url: receiver.url })
    await addWebhook(db(), host.user, { url: receiver.url, format: 'calcom', secret: 'theirs' })
    await addWebhook(db(), host.user, { url: receiver.url, format: 'calendly', secret: 'theirs' })
  })
  after(async () => {
    await under.app.close()
    sender.close()
    await receiver.close()
    await rm(mailFolder, { recursive: true })
  })

  const book = async (startsAt: number, given: Record<string, unknown> = {}, key = `key-${startsAt}`) => {
    const answer = await under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/intro/book`,
      payload: bookingOf(eventType, startsAt, given),
      headers: { ...fromSomeoneNew(), 'idempotency-key': key },
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id as string
  }
  const hers = {
    inviteeName: NAME,
    inviteeEmail: EMAIL,
    inviteePhone: '0171 555 0199',
    inviteeNotes: 'About my sonnets',
    customFields: { topic: 'sonnets' },
  }

  /** Where traces are found: in rows, files, emails and a fresh backup. */
  async function findTraces(): Promise<string[]> {
    const places: [string, string][] = [
      ...Object.entries(await rowsOf(db())).map(
        ([table, rows]) => [table, JSON.stringify(rows)] as [string, string],
      ),
      ['backup', (await Array.fromAsync(backup(db(), clock.now()))).join('')],
    ]
    for (const name of await readdir(mailFolder)) {
      places.push([name, (await readFile(join(mailFolder, name))).toString('latin1')])
    }
    if (engine === 'sqlite') {
      const folder = dirname(url())
      for (const name of await readdir(folder)) {
        const bytes = (await readFile(join(folder, name))).toString('latin1')
        places.push([name, bytes])
      }
    }
    return places
      .filter(([, text]) => TRACES.some((trace) => text.toLowerCase().includes(trace)))
      .map(([name]) => name)
  }

  const insights = async () => (await host.get(`/insights?from=2027-01-01&to=2027-01-12`)).json()

  it('leaves neither name nor address, in no table, file, email or fresh backup, and every count as it was', async () => {
    receiver.answer((response) => {
      response.writeHead(200).end(JSON.stringify({ got: receiver.received.at(-1)?.body }))
    })
    const past = await book(MONDAY_NOON + 2 * HOUR, { ...hers, guests: ['friend@erase.example'] })
    const ahead = await book(MONDAY_NOON + 2 * DAY, hers)
    const brought = await book(MONDAY_NOON + 2 * DAY + 2 * HOUR, {
      guests: ['first@guests.example', EMAIL.toLowerCase(), 'last@guests.example'],
    })
    const answered = await under.app.inject({
      method: 'POST',
      url: `/api/public/routing/${host.user.slug}/contact/evaluate`,
      payload: { answers: { mail: EMAIL } },
      headers: fromSomeoneNew(),
    })
    assert.equal(answered.statusCode, 200, answered.body)
    await runDueJobs(under.context)
    clock.moveTo(MONDAY_NOON + DAY)
    await completeBookings(under.context)
    const countsBefore = await insights()
    const sent = under.mailbox.length
    assert.ok((await findTraces()).length > 5)

    const erased = await host.post('/erasures', { email: ` ${EMAIL.toUpperCase()} ` })
    assert.equal(erased.statusCode, 200, erased.body)
    assert.deepEqual(erased.json(), { bookings: 3, responses: 1 })
    assert.deepEqual(await findTraces(), [])
    assert.deepEqual(await insights(), countsBefore)

    const views = await Promise.all(
      [past, ahead].map(async (id) => (await host.get(`/bookings/${id}`)).json()),
    )
    assert.deepEqual(
      views.map(({ status, invitee }) => [status, invitee.name, invitee.email]),
      [
        ['Completed', 'Erased guest', ''],
        ['Cancelled', 'Erased guest', ''],
      ],
    )
    const { guests } = (await host.get(`/bookings/${brought}`)).json()
    assert.deepEqual(guests, ['first@guests.example', 'last@guests.example'])
    const manage = `/api/public/bookings/${past}?token=${manageToken(under.context, past)}`
    assert.equal((await under.app.inject({ url: manage })).statusCode, 404)

    // What was queued goes out without her, and not to her.
    await runDueJobs(under.context)
    const mails = under.mailbox.slice(sent)
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['ada@hosts.example'],
    )
    assert.match(mails[0]?.text ?? '', /Erased guest/)
    const heard = receiver.received
      .filter(({ body }) => body.includes(ahead))
      .map(({ body }) => JSON.parse(body))
    const last = heard.findLast(({ type }) => type !== undefined)
    assert.equal(last.type, 'booking.cancelled')
    assert.equal(last.data.invitee.name, 'Erased guest')
    assert.equal(
      heard.findLast(({ triggerEvent }) => triggerEvent)?.payload.attendees[0].name,
      'Erased guest',
    )
    assert.equal(heard.findLast(({ event }) => event)?.payload.name, 'Erased guest')
    assert.deepEqual(await findTraces(), [])

    const again = await host.post('/erasures', { email: EMAIL })
    assert.deepEqual(again.json(), { bookings: 0, responses: 0 })
    const { items } = (await host.get('/audit')).json()
    const entries = items.filter(({ action }: { action: string }) => action === 'erased')
    assert.deepEqual(entries.map(({ changes }: { changes: string[] }) => changes).at(-1), [
      'bookings: 3',
      'responses: 1',
    ])
  })

  it('waits for a delivery that a worker is sending, and keeps nothing of its answer', async () => {
    const arrived = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    receiver.answer(async (response) => {
      const got = receiver.received.at(-1)?.body
      arrived.resolve()
      await answered.promise
      response.writeHead(200).end(got)
    })
    await book(clock.now() + DAY, hers)
    const running = runDueJobs(under.context)
    await arrived.promise
    let isDone = false
    const erasing = host.post('/erasures', { email: EMAIL }).finally(() => {
      isDone = true
    })
    while ((await findPendingErasures(db(), 1)).ids.length === 0) await nextTurn()
    const sent = under.mailbox.length
    assert.equal(isDone, false)
    answered.resolve()
    assert.deepEqual((await erasing).json(), { bookings: 1, responses: 0 })
    await running
    assert.deepEqual(await findTraces(), [])
    assert.deepEqual(
      under.mailbox.slice(sent).filter(({ to }) => to !== 'ada@hosts.example'),
      [],
    )
  })

  if (engine === 'postgres') {
    it('keeps the name out of emails of another instance, which has just announced the booking', async () => {
      const other = openPatiently(url())
      const elsewhere = await appOn(other, { now: clock.now, webhooks: sender, mailFolder })
      try {
        await book(clock.now() + DAY, hers)
        const queue = openWorkQueue(elsewhere.context, 60_000)
        const [announcement] = await queue.take('announce', clock.now(), 1, [])
        assert.ok(announcement)
        await HANDLERS.announce(elsewhere.context, announcement, () => {})
        assert.deepEqual((await host.post('/erasures', { email: EMAIL })).json(), {
          bookings: 1,
          responses: 0,
        })
        await runDueJobs(elsewhere.context)
        const recipients = elsewhere.mailbox.map(({ to }) => to)
        assert.deepEqual(new Set(recipients), new Set(['ada@hosts.example']))
        assert.ok(
          elsewhere.mailbox.every(({ text, subject }) => !`${text} ${subject}`.includes('Quillfeather')),
        )
        assert.deepEqual(await findTraces(), [])
      } finally {
        await elsewhere.app.close()
        await other.destroy()
      }
    })
  }

  it('finishes what an erasure left that was killed halfway', async () => {
    receiver.answer(says(500, {}, EMAIL))
    await book(clock.now() + DAY + HOUR, hers)
    await runDueJobs(under.context)
    const rows = await findBookingsOfGuest(db(), EMAIL.toLowerCase(), 'all')
    assert.equal(rows.length, 1)
    await db()
      .transaction()
      .execute((trx) => anonymizeBookings(trx, rows))
    assert.ok((await findTraces()).includes('webhook_deliveries'))
    assert.deepEqual(await eraseGuest(under.context, command, EMAIL, 'all'), { bookings: 0, responses: 0 })
    assert.deepEqual(await findTraces(), [])
    receiver.answer(says(204))
  })

  it('erases bookings that are made meanwhile, or leaves them whole', async () => {
    const starts = [1, 2, 3].map((hours) => clock.now() + 2 * DAY + hours * HOUR)
    await book(clock.now() + 2 * DAY, hers)
    const [erased, ...ids] = await Promise.all([
      host.post('/erasures', { email: EMAIL }),
      ...starts.map((startsAt) => book(startsAt, hers)),
    ])
    assert.equal(erased.statusCode, 200, erased.body)
    for (const id of ids) {
      const { invitee, notes, status } = (await host.get(`/bookings/${id}`)).json()
      const whole = [NAME, EMAIL, hers.inviteeNotes, 'Confirmed']
      const gone = ['Erased guest', '', '', 'Cancelled']
      assert.deepEqual([invitee.name, invitee.email, notes, status], invitee.email === '' ? gone : whole)
    }
    await eraseGuest(under.context, command, EMAIL, 'all')
    assert.deepEqual(await findTraces(), [])
  })

  it('lets a host who is not an admin of the instance erase their own guests alone', async () => {
    await addUser(db(), 'bob')
    const bob = await signInWithToken(under.app, under.mailbox, 'bob@hosts.example')
    const chat = await addEventType(db(), bob.user, { slug: 'chat' })
    const id = await book(clock.now() + DAY, hers)
    const his = await under.app.inject({
      method: 'POST',
      url: '/api/public/scheduling/bob/chat/book',
      payload: bookingOf(chat, clock.now() + DAY, hers),
      headers: fromSomeoneNew(),
    })
    await runDueJobs(under.context)
    const filesAbout = async (bookingId: string) => {
      const names = await readdir(mailFolder)
      const texts = await Promise.all(names.map((name) => readFile(join(mailFolder, name), 'latin1')))
      return texts.filter((text) => text.replaceAll('=\r\n', '').includes(bookingId)).length
    }
    assert.equal(await filesAbout(his.json().id), 2)
    assert.deepEqual((await bob.post('/erasures', { email: EMAIL })).json(), { bookings: 1, responses: 0 })
    assert.deepEqual([await filesAbout(his.json().id), await filesAbout(id)], [0, 2])
    assert.equal((await host.get(`/bookings/${id}`)).json().invitee.name, NAME)
    assert.equal((await host.post('/erasures', { email: 'nobody' })).statusCode, 400)
    await eraseGuest(under.context, command, EMAIL, 'all')
  })

  if (engine === 'sqlite') {
    it('answers only when nobody reads a snapshot from before', async () => {
      await book(clock.now() + DAY, hers)
      const snapshot = await beginSnapshot(db())
      await snapshot.selectFrom('bookings').select('id').limit(1).execute()
      let isDone = false
      const erasing = host.post('/erasures', { email: EMAIL }).finally(() => {
        isDone = true
      })
      while ((await findBookingsOfGuest(db(), EMAIL.toLowerCase(), 'all')).length > 0) await nextTurn()
      while ((await findPendingErasures(db(), 1)).ids.length > 0) await nextTurn()
      assert.equal(isDone, false)
      await snapshot.rollback().execute()
      assert.equal((await erasing).statusCode, 200)
      assert.deepEqual(await findTraces(), [])
    })
  }

  it('lets guests erase their own data with a code, for some tries and three codes an hour', async () => {
    const ask = (payload: object, headers = fromSomeoneNew()) =>
      under.app.inject({ method: 'POST', url: '/api/public/erasures', payload, headers })
    const codeFor = (email: string) =>
      under.mailbox.findLast(({ to }) => to === email)?.subject.slice(0, 6) ?? ''
    const id = await book(clock.now() + 2 * DAY, hers)
    const known = await ask({ email: EMAIL, locale: 'de' })
    const unknown = await ask({ email: 'nobody@guests.example' })
    assert.deepEqual([known.statusCode, unknown.statusCode], [202, 202])
    assert.deepEqual(known.json(), unknown.json())
    assert.match(under.mailbox.findLast(({ to }) => to === EMAIL)?.text ?? '', /Daten löschen/)
    // A code is good for one address, and for twenty tries of anyone.
    const foreign = { email: EMAIL, code: codeFor('nobody@guests.example') }
    for (let tries = 0; tries < 20; tries++) assert.equal((await ask(foreign)).statusCode, 400)
    assert.equal((await ask({ email: EMAIL, code: codeFor(EMAIL) })).statusCode, 400)
    assert.equal((await host.get(`/bookings/${id}`)).json().invitee.name, NAME)
    assert.equal((await ask({ email: EMAIL.toLowerCase() })).statusCode, 202)
    const code = codeFor(EMAIL.toLowerCase())
    const erased = await ask({ email: EMAIL, code: ` ${code} ` })
    assert.deepEqual([erased.statusCode, erased.json()], [200, { bookings: 1, responses: 0 }])
    assert.deepEqual(await findTraces(), [])
    const client = fromSomeoneNew()
    for (let codes = 0; codes < 3; codes++) {
      assert.equal((await ask({ email: EMAIL }, client)).statusCode, 202)
    }
    assert.equal((await ask({ email: EMAIL }, client)).statusCode, 429)
    await eraseGuest(under.context, command, EMAIL, 'all')
  })

  it('erases guests some days after the meeting, and answers some days after the response', async () => {
    const rest = await addEventType(db(), host.user, { slug: 'kept', keepPersonalDataDays: 7, seats: 2 })
    const form = await addForm(db(), host.user, { slug: 'kept', keepPersonalDataDays: 7 })
    const start = clock.now() + 3 * DAY
    await db()
      .transaction()
      .execute(async (trx) => {
        await insertMeeting(trx, rest, start)
        await insertMeeting(trx, rest, start + DAY)
      })
    const respondedAt = clock.now()
    const result = { action: 'message', message: 'Thank you.' } as const
    const answers = { mail: 'someone@guests.example' }
    await insertResponse(db(), {
      id: newId(),
      formId: form.id,
      answers,
      result,
      createdAt: respondedAt,
    })
    // One was called off: it counts from the meeting's end as well.
    await db()
      .updateTable('bookings')
      .set({ status: 'Cancelled' })
      .where('event_type_id', '=', rest.id)
      .where('starts_at', '=', start + DAY)
      .execute()
    const kept = async () => {
      // Even if no worker has completed them, as after a long stop.
      await eraseExpired(under.context)
      await completeBookings(under.context)
      const bookings = await db()
        .selectFrom('bookings')
        .select(['invitee_email', 'status'])
        .where('event_type_id', '=', rest.id)
        .orderBy('starts_at')
        .execute()
      const responses = await db()
        .selectFrom('routing_responses')
        .select('answers')
        .where('form_id', '=', form.id)
        .execute()
      return [...bookings.map((row) => row.invitee_email !== ''), responses[0]?.answers !== '{}']
    }
    const end = start + rest.durationMinutes * 60_000
    clock.moveTo(respondedAt + 7 * DAY - 1)
    assert.deepEqual(await kept(), [true, true, true])
    clock.moveTo(end + 7 * DAY - 1)
    assert.deepEqual(await kept(), [true, true, false])
    clock.moveTo(end + 7 * DAY)
    assert.deepEqual(await kept(), [false, true, false])
    // Kept for a shorter time from now on.
    await host.patch(`/event-types/${rest.id}`, { keepPersonalDataDays: 6 })
    assert.deepEqual(await kept(), [false, false, false])
    const statuses = await db()
      .selectFrom('bookings')
      .select('status')
      .where('event_type_id', '=', rest.id)
      .orderBy('starts_at')
      .execute()
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['Completed', 'Cancelled'],
    )
    for (const days of [0, 1.5, 3651]) {
      const refused = await host.patch(`/event-types/${rest.id}`, { keepPersonalDataDays: days })
      assert.equal(refused.statusCode, 400, String(days))
    }
  })
})
