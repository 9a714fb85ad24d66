import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn, signInWithToken } from '../../../../test/host-api.ts'
import { runDueJobs } from '../../../../test/jobs.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import type { Context } from '../../../services/context.ts'
import { eraseGuest } from '../../../services/workspace/erasure/erase.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const GUEST = 'grace@guests.example'

interface Item {
  readonly at: string
  readonly kind: string
  readonly what: string
  readonly by: string | null
  readonly state: string
}

onEveryDatabase('the notes and the history of a booking', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let mailbox: Mail[]
  let ada: Host
  let bob: Host
  let eve: Host
  let id: string
  const sent: string[] = []

  before(async () => {
    const made = await appOn(db(), {
      signup: 'open',
      now: clock.now,
      webhooks: {
        send: async ({ body }) => {
          sent.push(body)
          return {
            requestHeaders: {},
            duration: 1,
            status: 200,
            headers: {},
            body: '',
            error: '',
            sentence: { pattern: '', values: [] },
          }
        },
        check: async (url) => new URL(url),
        close: () => {},
      },
    })
    app = made.app
    context = made.context
    mailbox = made.mailbox
    ada = await signInWithToken(app, mailbox, 'ada@hosts.example')
    bob = await signInWithToken(app, mailbox, 'bob@hosts.example')
    eve = await signInWithToken(app, mailbox, 'eve@hosts.example')
    await ada.patch('/me', { name: 'Ada Host' })
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email })
    await bob.post(`/invitations/${invited.json().id}/accept`)
    const webhook = await ada.post('/webhooks', {
      teamId: team,
      url: 'https://receiver.example/hook',
      events: ['booking.created', 'booking.cancelled'],
    })
    assert.equal(webhook.statusCode, 201, webhook.body)
    const type = await ada.post('/event-types', {
      teamId: team,
      slug: 'intro',
      name: 'Intro',
      durationMinutes: 30,
      noticeMinutes: 0,
      hosts: [{ userId: ada.user.id, fixed: true }],
    })
    assert.equal(type.statusCode, 201, type.body)
    id = await book(0, { inviteeName: 'Grace Guest', inviteeEmail: GUEST })
  })

  async function book(hour: number, more: object = {}): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/crew/intro/book',
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), TUESDAY_NINE + hour * HOUR, { ...more }),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  async function historyOf(host: Host, headers: Record<string, string> = {}): Promise<Item[]> {
    const answer = await host.get(`/bookings/${id}/history`, headers)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().items
  }

  it('say who booked, and what is still to be sent', async () => {
    const [made, ...others] = await historyOf(ada)
    assert.deepEqual(made, {
      at: '2027-01-11T12:00:00Z',
      kind: 'change',
      what: 'The meeting was booked.',
      by: 'Grace Guest',
      state: 'done',
    })
    assert.deepEqual(others, [])
  })

  it('say which emails and webhooks were sent', async () => {
    clock.moveTo(clock.now() + 60_000)
    await runDueJobs(context)
    const told = (await historyOf(ada)).slice(1)
    assert.deepEqual(told.map(({ kind, what, state }) => [kind, what, state]).sort(), [
      ['mail', 'Email to Ada Host: The meeting was booked.', 'done'],
      ['mail', 'Email to Grace Guest: The meeting was booked.', 'done'],
      ['webhook', 'Webhook: booking.created', 'done'],
    ])
    assert.ok(told.every(({ at, by }) => at === '2027-01-11T12:01:00Z' && by === null))
  })

  it('are in the language of the request, for those who see the booking', async () => {
    const [made, ...others] = await historyOf(ada, { 'accept-language': 'de' })
    assert.equal(made?.what, 'Der Termin wurde gebucht.')
    assert.ok(others.some(({ what }) => what === 'E-Mail an Grace Guest: Der Termin wurde gebucht.'))
    assert.equal((await eve.get(`/bookings/${id}/history`)).statusCode, 404)
    assert.equal((await ada.get('/bookings/nonsense/history')).statusCode, 404)
  })

  it('keep notes from everyone but those who see the booking', async () => {
    const { sequence } = (await ada.get(`/bookings/${id}`)).json()
    clock.moveTo(clock.now() + 60_000)
    const [mails, bodies] = [mailbox.length, sent.length]
    const changed = await ada.patch(`/bookings/${id}`, { hostNotes: 'Prefers the <b>blue</b> room' })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.equal(changed.json().hostNotes, 'Prefers the <b>blue</b> room')
    assert.equal(changed.json().sequence, sequence)
    await runDueJobs(context)
    assert.deepEqual([mailbox.length, sent.length], [mails, bodies])
    const [item] = (await ada.get('/bookings')).json().items
    assert.equal(item.hostNotes, 'Prefers the <b>blue</b> room')
    const audit = (await ada.get('/audit')).json().items[0]
    assert.deepEqual([audit.objectId, audit.action, audit.changes], [id, 'updated', ['hostNotes']])
    assert.ok(!JSON.stringify(audit).includes('blue'))
    const csv = (await ada.get('/bookings.csv')).body
    assert.match(csv.split('\r\n')[0] ?? '', /,hostNotes,/)
    assert.match(csv, /Prefers the <b>blue<\/b> room/)
    const noted = (await historyOf(ada)).at(-1)
    assert.deepEqual([noted?.what, noted?.by], ['The booking was changed.', 'Ada Host'])
    // A member who sees the team's bookings reads them, but does not host this one.
    const reads = await bob.get(`/bookings/${id}`)
    const writes = await bob.patch(`/bookings/${id}`, { hostNotes: 'Mine' })
    assert.deepEqual([reads.statusCode, writes.statusCode], [404, 404])
    const guests = await app.inject(`/api/public/bookings/${id}`)
    assert.ok(!guests.body.includes('blue'))
  })

  it('export the notes with the account of the host', async () => {
    const type = { slug: 'own', name: 'Own', durationMinutes: 30, noticeMinutes: 0 }
    assert.equal((await ada.post('/event-types', type)).statusCode, 201)
    const made = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${ada.user.slug}/own/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), TUESDAY_NINE + 5 * HOUR),
    })
    await ada.patch(`/bookings/${made.json().id}`, { hostNotes: 'Bring the plans' })
    const exported = await (await signIn(app, mailbox, ada.user.email)).get('/me/export')
    const { bookings } = exported.json().workspace
    assert.deepEqual(
      bookings.map(({ hostNotes }: { hostNotes: string }) => hostNotes),
      ['Bring the plans'],
    )
    assert.equal((await ada.post(`/bookings/${made.json().id}/cancel`)).statusCode, 200)
  })

  it('refuse notes that are too long, or no text', async () => {
    const refusals: [object, RegExp][] = [
      [{ hostNotes: 'x'.repeat(5001) }, /at most 5000 characters/],
      [{ hostNotes: 7 }, /text/],
      [{ hostNotes: 'a\u0007' }, /control characters/],
      [{ notes: 'x' }, /notes/],
    ]
    for (const [body, said] of refusals) {
      const answer = await ada.patch(`/bookings/${id}`, body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, said)
    }
    assert.equal((await eve.patch(`/bookings/${id}`, { hostNotes: 'x' })).statusCode, 404)
    const stale = await ada.patch(`/bookings/${id}`, { hostNotes: 'x' }, { 'if-match': '"other"' })
    assert.equal(stale.statusCode, 412)
    assert.equal((await ada.get(`/bookings/${id}`)).json().hostNotes, 'Prefers the <b>blue</b> room')
  })

  it('tell a failed email from one that waits', async () => {
    await db()
      .insertInto('outbox')
      .values(
        [null, clock.now()].map((failed_at, index) => ({
          kind: 'mail' as const,
          lane: `mail:${id}:${index === 0 ? 'guest' : ada.user.id}`,
          data: JSON.stringify({
            change: { bookingId: id, type: 'rescheduled' },
            recipient: index === 0 ? { role: 'guest' } : { role: 'host', hostId: ada.user.id },
          }),
          due_at: clock.now() + HOUR,
          created_at: clock.now(),
          failed_at,
        })),
      )
      .execute()
    const found = (await historyOf(ada)).filter(({ state }) => state !== 'done')
    assert.deepEqual(found.map(({ what, state }) => [what, state]).sort(), [
      ['Email to Ada Host: The meeting was rescheduled.', 'failed'],
      ['Email to Grace Guest: The meeting was rescheduled.', 'waiting'],
    ])
    await db().deleteFrom('outbox').execute()
  })

  it('say who cancelled', async () => {
    assert.equal((await ada.post(`/bookings/${id}/cancel`)).statusCode, 200)
    await runDueJobs(context)
    const cancelled = (await historyOf(ada)).filter(({ what }) => what === 'The meeting was cancelled.')
    assert.deepEqual(
      cancelled.map(({ kind, by }) => [kind, by]),
      [['change', 'Ada Host']],
    )
  })

  it('lose the guest and the notes when the guest is erased', async () => {
    await eraseGuest(context, { userId: null, email: 'command line' }, GUEST, 'all')
    const erased = (await ada.get(`/bookings/${id}`)).json()
    assert.equal(erased.hostNotes, '')
    const items = await historyOf(ada)
    assert.ok(!JSON.stringify(items).includes('Grace'))
    assert.equal(items[0]?.by, null)
    assert.ok(items.some(({ what }) => what === 'Email to the guest: The meeting was booked.'))
  })
})
