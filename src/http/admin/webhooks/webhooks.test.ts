import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Webhook as Verifier } from 'standardwebhooks'
import { changeOf } from '../../../../test/booking-change.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { jobsOf } from '../../../../test/jobs.ts'
import { appOn, stoppedClock } from '../../../../test/kit.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../../../../test/webhook-receiver.ts'
import { addDelivery, addWebhook, deliver } from '../../../../test/webhooks.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { sentence } from '../../../domain/sentence.ts'
import { createWebhookSender, type WebhookSender } from '../../../outside/webhooks/webhook.ts'
import type { Context } from '../../../services/context.ts'
import { queueDeliveries } from '../../../services/webhooks/queue-deliveries.ts'
import { MAX_WEBHOOKS } from '../../../services/webhooks/webhooks.ts'
import { findEventTypeById } from '../../../store/event-types/event-types.ts'
import { newId } from '../../../store/new-id.ts'
import { insertJobs } from '../../../store/outbox.ts'
import { findScheduler } from '../../../store/people/schedulers.ts'
import { findWebhook, markFailing } from '../../../store/webhooks/webhooks.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

/** Names of the outside world, as its name servers would give them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example': ['93.184.215.14'],
  'other.example': ['93.184.215.14', '2606:4700::1'],
  'inside.example': ['93.184.215.14', '10.0.0.7'],
  'metadata.example': ['169.254.169.254'],
}

onEveryDatabase('webhooks in the host API', ({ db }) => {
  let app: FastifyInstance
  let closed: FastifyInstance
  let context: Context
  let clock: ReturnType<typeof stoppedClock>
  let receiver: WebhookReceiver
  let senders: WebhookSender[]
  /** Milliseconds, where a test waits until it is over. */
  let patience: number | undefined
  let host: Host
  /** The same host, on an installation in a closed network. */
  let inside: Host
  let eventTypeId: string

  before(async () => {
    clock = stoppedClock(Math.floor(Date.now() / 1000) * 1000)
    receiver = await startWebhookReceiver()
    const resolve = async (name: string) =>
      (NAMES[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const near = createWebhookSender({ allowPrivate: true, timeout: 60_000 })
    senders = [
      createWebhookSender({ allowPrivate: false, resolve }),
      {
        ...near,
        send: (message) => near.send(patience === undefined ? message : { ...message, timeout: patience }),
      },
    ]
    const now = () => clock.now()
    const open = await appOn(db(), { now, signup: 'open', webhooks: senders[0] as WebhookSender })
    const inNetwork = await appOn(db(), { now, signup: 'open', webhooks: senders[1] as WebhookSender })
    ;({ app } = open)
    ;({ app: closed, context } = inNetwork)
    host = await signIn(app, open.mailbox, 'host@example.org')
    inside = await signIn(closed, inNetwork.mailbox, 'host@example.org')
    eventTypeId = (
      await host.post('/event-types', { slug: 'talk', name: 'Talk', durationMinutes: 30 })
    ).json().id
  })
  after(async () => {
    for (const sender of senders) sender.close()
    await app.close()
    await closed.close()
    await receiver.close()
  })
  beforeEach(async () => {
    receiver.answer(says(204))
    await db().deleteFrom('webhooks').execute()
    await db().deleteFrom('outbox').execute()
  })

  const create = async (given: object = {}, who = host) => {
    const answer = await who.post('/webhooks', { url: 'https://hooks.example/in', ...given })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }
  const refused = async (answer: ReturnType<Host['get']>, status: number, sentence: RegExp) => {
    const { statusCode, body, json } = await answer
    assert.equal(statusCode, status, body)
    assert.match(json().error, sentence)
  }

  it('creates one, and shows the secret only then', async () => {
    const made = await create({ events: ['booking.created'], eventTypeIds: [eventTypeId] })
    const { secret, ...rest } = made
    assert.match(secret, SECRET)
    assert.deepEqual(rest, {
      id: made.id,
      ownerId: host.user.id,
      url: 'https://hooks.example/in',
      format: 'standard',
      events: ['booking.created'],
      eventTypeIds: [eventTypeId],
      active: true,
      createdAt: formatInstant(clock.now()),
      previousSecretUntil: null,
      failingSince: null,
      disabledAt: null,
      disabledReason: '',
    })
    const read = await host.get(`/webhooks/${made.id}`)
    assert.deepEqual(read.json(), rest)
    assert.deepEqual((await host.get('/webhooks')).json(), { items: [rest], nextCursor: null })
    await host.patch(`/webhooks/${made.id}`, { events: [] })
    for (const path of ['/webhooks', `/webhooks/${made.id}`, '/audit']) {
      const { body } = await host.get(path)
      assert.ok(!body.includes('whsec_') && !body.includes(secret), path)
    }
    const { items } = (await host.get('/audit')).json()
    assert.deepEqual(
      items
        .filter((one: { objectId: string }) => one.objectId === made.id)
        .map((one: { action: string; changes: string[] }) => [one.action, one.changes]),
      [
        ['updated', ['events']],
        ['created', ['url', 'events', 'eventTypeIds']],
      ],
    )
  })

  it('pages through them, without secrets', async () => {
    for (let n = 0; n < 3; n++) await create()
    const first = (await host.get('/webhooks?limit=2')).json()
    const second = (await host.get(`/webhooks?limit=2&cursor=${first.nextCursor}`)).json()
    assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [2, 1, null])
    await refused(host.get('/webhooks?cursor=nonsense'), 404, /nothing here/)
  })

  it('refuses addresses that nothing will ever be sent to', async () => {
    const table: [string, RegExp][] = [
      ['', /not a web address/],
      ['hooks.example', /not a web address/],
      ['ftp://hooks.example/', /not a web address/],
      ['javascript:alert(1)', /not a web address/],
      ['http://hooks.example/', /https/],
      ['https://user:password@hooks.example/', /user name or password/],
      ['https://localhost/', /public internet/],
      ['https://127.0.0.1/', /public internet/],
      ['https://2130706433/', /public internet/],
      ['https://0x7f.1/', /public internet/],
      ['https://0177.0.0.01/', /public internet/],
      ['https://10.0.0.1:8443/', /public internet/],
      ['https://169.254.169.254/latest/meta-data/', /public internet/],
      ['https://[::1]/', /public internet/],
      ['https://[::ffff:10.0.0.1]/', /public internet/],
      ['https://[fd00:ec2::254]/', /public internet/],
      ['https://metadata.google.internal/', /public internet/],
      ['https://inside.example/', /public internet/],
      ['https://metadata.example/', /public internet/],
      ['https://nowhere.example/', /could not be found/],
      [`https://hooks.example/${'a'.repeat(1990)}`, /2000/],
    ]
    const webhook = await create()
    for (const [url, sentence] of table) {
      await refused(host.post('/webhooks', { url }), 400, sentence)
      await refused(host.patch(`/webhooks/${webhook.id}`, { url }), 400, sentence)
    }
    assert.equal((await host.get('/webhooks')).json().items.length, 1)
    assert.equal((await host.get(`/webhooks/${webhook.id}`)).json().url, webhook.url)
    assert.equal(receiver.connections(), 0)
  })

  it('takes private addresses, and plain http, in a closed network; metadata not even there', async () => {
    await create({ url: 'http://10.0.0.1:8080/hook' }, inside)
    await create({ url: 'http://receiver/hook' }, inside)
    await refused(inside.post('/webhooks', { url: 'http://169.254.169.254/' }), 400, /public internet/)
  })

  it('refuses unknown events and other people’s event types', async () => {
    for (const [input, sentence] of [
      [{ events: ['booking.exploded'] }, /one of booking.created, .*form.submitted/],
      [{ events: ['booking.created', 'booking.created'] }, /twice/],
      [{ eventTypeIds: [newId()] }, /belong to the webhook’s owner/],
      [{ eventTypeIds: ['nonsense'] }, /belong to the webhook’s owner/],
      [{ active: 'yes' }, /active setting must be true or false/],
    ] as const) {
      await refused(host.post('/webhooks', { url: 'https://hooks.example/', ...input }), 400, sentence)
    }
    assert.deepEqual((await host.get('/webhooks')).json().items, [])
  })

  it('has a maximum number', async () => {
    for (let n = 0; n < MAX_WEBHOOKS; n++) await addWebhook(db(), host.user)
    await refused(host.post('/webhooks', { url: 'https://hooks.example/' }), 400, /at most/)
  })

  it('changes only what is sent, for the version it was meant for', async () => {
    const { id } = await create()
    const first = await host.get(`/webhooks/${id}`)
    const etag = String(first.headers.etag)
    const changed = await host.patch(
      `/webhooks/${id}`,
      { url: 'https://other.example/x', active: false },
      { 'if-match': etag },
    )
    assert.equal(changed.statusCode, 200, changed.body)
    const { url, active, events } = changed.json()
    assert.deepEqual([url, active, events], ['https://other.example/x', false, []])
    await refused(
      host.patch(`/webhooks/${id}`, { active: true }, { 'if-match': etag }),
      412,
      /has changed since/,
    )
    await refused(host.del(`/webhooks/${id}`, { 'if-match': etag }), 412, /has changed since/)

    // A failure is no edit.
    const present = String(changed.headers.etag)
    await markFailing(db(), id, clock.now())
    const gone = await host.del(`/webhooks/${id}`, { 'if-match': present })
    assert.equal(gone.statusCode, 204, gone.body)
    await refused(host.get(`/webhooks/${id}`), 404, /nothing here/)
  })

  it('forgets its failures when it is enabled again', async () => {
    const { id } = await addWebhook(db(), host.user, {
      active: false,
      failingSince: 1000,
      disabledAt: 2000,
      disabledReason: sentence`Nothing has arrived for five days.`,
    })
    const off = (await host.get(`/webhooks/${id}`)).json()
    assert.deepEqual([off.active, off.disabledAt], [false, '1970-01-01T00:00:02Z'])
    const on = (await host.patch(`/webhooks/${id}`, { active: true })).json()
    assert.deepEqual([on.active, on.failingSince, on.disabledAt, on.disabledReason], [true, null, null, ''])
    assert.deepEqual((await host.get(`/webhooks/${id}`)).json(), on)
  })

  it('rotates the secret: both sign for a day, then the new one alone', async () => {
    const made = await create({ url: receiver.url }, inside)
    const answer = await inside.post(`/webhooks/${made.id}/rotate-secret`)
    assert.equal(answer.statusCode, 200, answer.body)
    const rotated = answer.json()
    assert.match(rotated.secret, SECRET)
    assert.notEqual(rotated.secret, made.secret)
    assert.equal(rotated.previousSecretUntil, formatInstant(clock.now() + DAY))

    // Neither is stored as it is.
    const stored = (await findWebhook(db(), made.id)) ?? assert.fail()
    for (const one of [stored.secret, stored.previousSecret]) assert.match(one ?? '', /^sealed:/)

    await inside.post(`/webhooks/${made.id}/test`)
    const during = receiver.received.at(-1) ?? assert.fail()
    for (const secret of [made.secret, rotated.secret]) {
      assert.ok(new Verifier(secret).verify(during.body, during.headers))
    }
    await db().updateTable('webhooks').set({ previous_secret_until: clock.now() }).execute()
    await inside.post(`/webhooks/${made.id}/test`)
    const later = receiver.received.at(-1) ?? assert.fail()
    assert.ok(new Verifier(rotated.secret).verify(later.body, later.headers))
    assert.throws(() => new Verifier(made.secret).verify(later.body, later.headers))
  })

  it('sends a test at once and answers with what the receiver said', async () => {
    const { id, secret } = await create(
      { url: receiver.url, events: ['booking.cancelled'], active: false },
      inside,
    )
    receiver.answer(says(202, { 'x-by': 'receiver' }, 'got it'))
    const answer = await inside.post(`/webhooks/${id}/test`)
    assert.equal(answer.statusCode, 200, answer.body)
    const delivery = answer.json()
    const { headers, body } = receiver.received.at(-1) ?? assert.fail()
    const verified = new Verifier(secret).verify(body, headers) as {
      type: string
      data: { test: boolean; userSlug: string }
    }
    assert.deepEqual(
      [verified.type, verified.data.test, verified.data.userSlug],
      ['booking.cancelled', true, host.user.slug],
    )
    assert.deepEqual(
      [
        delivery.status,
        delivery.attempts,
        delivery.responseStatus,
        delivery.response.body,
        delivery.request.body,
      ],
      ['succeeded', 1, 202, 'got it', body],
    )
    assert.equal(delivery.response.headers['x-by'], 'receiver')
    assert.equal(delivery.request.headers['webhook-id'], delivery.id)
    assert.deepEqual((await inside.get(`/webhooks/${id}/deliveries/${delivery.id}`)).json(), delivery)
    assert.equal(delivery.test, true)

    const form = (await inside.post(`/webhooks/${id}/test?event=form.submitted`)).json()
    assert.equal(JSON.parse(form.request.body).type, 'form.submitted')
    await refused(inside.post(`/webhooks/${id}/test?event=nonsense`), 400, /event/)
  })

  it('says what went wrong with a test, which does not count as a failure', async () => {
    const { id } = await create({ url: receiver.url }, inside)
    for (const [how, status, error] of [
      [says(410), 410, /410/],
      [says(302, { location: 'http://169.254.169.254/' }), 302, /Redirects are not followed/],
      [() => {}, null, /no complete response/],
    ] as const) {
      receiver.answer(how)
      patience = status === null ? 100 : undefined
      const delivery = (await inside.post(`/webhooks/${id}/test`)).json()
      assert.deepEqual(
        [delivery.status, delivery.responseStatus, delivery.nextAttemptAt],
        ['failed', status, null],
      )
      assert.match(delivery.error, error)
    }
    patience = undefined
    const { active, failingSince } = (await inside.get(`/webhooks/${id}`)).json()
    assert.deepEqual([active, failingSince], [true, null])
    assert.deepEqual(await jobsOf(db(), 'webhook'), [])

    // The same webhook, on an installation that guards its network.
    const guarded = (await host.post(`/webhooks/${id}/test`)).json()
    assert.deepEqual([guarded.status, guarded.responseStatus], ['failed', null])
  })

  it('lists deliveries, newest first, by status, without what was in them', async () => {
    const webhook = await addWebhook(db(), host.user)
    const other = await addWebhook(db(), host.user)
    await addDelivery(db(), other)
    const made = []
    for (const [n, status] of (['failed', 'succeeded', 'failed', 'pending'] as const).entries()) {
      made.unshift(await addDelivery(db(), webhook, { status, createdAt: clock.now() + n }))
    }
    const path = `/webhooks/${webhook.id}/deliveries`
    const ids = async (query: string) =>
      (await host.get(`${path}${query}`)).json().items.map(({ id }: { id: string }) => id)
    assert.deepEqual(
      await ids(''),
      made.map(({ id }) => id),
    )
    assert.deepEqual(await ids('?status=failed'), [made[1]?.id, made[3]?.id])
    const first = (await host.get(`${path}?limit=3`)).json()
    assert.deepEqual(await ids(`?limit=3&cursor=${first.nextCursor}`), [made[3]?.id])
    assert.ok(!('request' in first.items[0]) && !('response' in first.items[0]))
    await refused(host.get(`${path}?status=lost`), 400, /status/)
    await refused(host.get(`${path}?cursor=x`), 400, /cursor/)
    await refused(host.get(`${path}/${newId()}`), 404, /nothing here/)
    const strangers = (await host.get(`/webhooks/${other.id}/deliveries`)).json().items[0].id
    await refused(host.get(`${path}/${strangers}`), 404, /nothing here/)
  })

  it('replays one that failed: the same message under the same id, and it arrives', async () => {
    const { id, secret } = await create({ url: receiver.url }, inside)
    const webhook = (await findWebhook(db(), id)) ?? assert.fail()
    const failed = await addDelivery(db(), webhook, { attempts: 10, createdAt: clock.now() })
    const answer = await inside.post(`/webhooks/${id}/deliveries/${failed.id}/replay`)
    assert.equal(answer.statusCode, 202, answer.body)
    assert.deepEqual([answer.json().status, answer.json().attempts], ['pending', 0])
    const [job, ...others] = await jobsOf(db(), 'webhook')
    assert.ok(job)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [job.lane, job.dueAt],
      [`webhook:${webhook.schedulerId}:${id}:${failed.bookingId}`, clock.now()],
    )
    await deliver(context, job)
    const { headers, body } = receiver.received.at(-1) ?? assert.fail()
    assert.ok(new Verifier(secret).verify(body, headers))
    assert.deepEqual([headers['webhook-id'], body], [failed.id, failed.body])
    const now = (await inside.get(`/webhooks/${id}/deliveries/${failed.id}`)).json()
    assert.deepEqual([now.status, now.attempts], ['succeeded', 1])
  })

  it('sends a waiting one now, and does not send it twice', async () => {
    const { id } = await create()
    const owner = (await findScheduler(db(), host.user.id)) ?? assert.fail()
    const eventType = (await findEventTypeById(db(), eventTypeId)) ?? assert.fail()
    await db()
      .transaction()
      .execute(async (trx) => {
        const jobs = await queueDeliveries(trx, [changeOf(owner, eventType)], clock.now(), context)
        await insertJobs(
          trx,
          jobs.map((job) => ({ ...job, dueAt: clock.now() + HOUR })),
          clock.now(),
        )
      })
    const [waiting] = (await host.get(`/webhooks/${id}/deliveries`)).json().items
    const answer = await host.post(`/webhooks/${id}/deliveries/${waiting.id}/replay`)
    assert.equal(answer.statusCode, 202, answer.body)
    assert.deepEqual(
      (await jobsOf(db(), 'webhook')).map(({ dueAt }) => dueAt),
      [clock.now()],
    )
  })

  it('replays all that failed since a time, once', async () => {
    const { id } = await create()
    const webhook = (await findWebhook(db(), id)) ?? assert.fail()
    const bookingId = newId()
    const at = (minutes: number) => clock.now() + minutes * 60_000
    await addDelivery(db(), webhook, { createdAt: at(-61) })
    const expected = [
      await addDelivery(db(), webhook, { createdAt: at(-60), bookingId }),
      await addDelivery(db(), webhook, { createdAt: at(-30), bookingId }),
      await addDelivery(db(), webhook, { createdAt: at(-1), attemptedAt: null }),
    ]
    await addDelivery(db(), webhook, { createdAt: at(-1), status: 'succeeded' })
    await addDelivery(db(), await addWebhook(db(), host.user), { createdAt: at(-1) })
    const since = formatInstant(at(-60))
    const answer = await host.post(`/webhooks/${id}/replay`, { since })
    assert.equal(answer.statusCode, 202, answer.body)
    assert.deepEqual(answer.json(), { replayed: 3 })
    assert.deepEqual(
      (await jobsOf(db(), 'webhook')).map(({ data }) => data),
      expected.map((delivery) => ({ deliveryId: delivery.id })),
    )
    assert.deepEqual((await host.post(`/webhooks/${id}/replay`, { since })).json(), { replayed: 0 })
    await refused(host.post(`/webhooks/${id}/replay`, { since: 'yesterday' }), 400, /^The start/)
    await refused(host.post(`/webhooks/${id}/replay`, {}), 400, /^The start/)
  })

  it('replays nothing to a webhook that is turned off', async () => {
    const webhook = await addWebhook(db(), host.user, { active: false })
    const { id } = await addDelivery(db(), webhook)
    await refused(host.post(`/webhooks/${webhook.id}/deliveries/${id}/replay`), 400, /turned off/)
    await refused(
      host.post(`/webhooks/${webhook.id}/replay`, { since: '2027-01-01T00:00:00Z' }),
      400,
      /turned off/,
    )
    assert.deepEqual(await jobsOf(db(), 'webhook'), [])
  })

  it('can belong to a team, for its admins', async () => {
    const team = (await host.post('/teams', { slug: `team-${newId()}`, name: 'Team' })).json()
    const ours = await create({ teamId: team.id })
    assert.equal(ours.ownerId, team.id)
    const mine = await create()
    const ids = async (query: string) =>
      (await host.get(`/webhooks${query}`)).json().items.map(({ id }: { id: string }) => id)
    assert.deepEqual(await ids(''), [ours.id, mine.id])
    assert.deepEqual(await ids(`?ownerId=${team.id}`), [ours.id])
    assert.deepEqual(await ids(`?ownerId=${host.user.id}`), [mine.id])
    await refused(host.get(`/webhooks?ownerId=${newId()}`), 404, /nothing here/)
    await refused(
      host.post('/webhooks', { url: 'https://hooks.example/', teamId: team.id, eventTypeIds: [eventTypeId] }),
      400,
      /belong to the webhook’s owner/,
    )
    await refused(
      host.post('/webhooks', { url: 'https://hooks.example/', teamId: newId() }),
      404,
      /nothing here/,
    )
    await refused(host.post('/webhooks', { url: 'https://hooks.example/', teamId: 'x' }), 404, /nothing here/)

    await db().updateTable('team_members').set({ role: 'member' }).where('team_id', '=', team.id).execute()
    assert.deepEqual(await ids(''), [mine.id])
    await refused(host.get(`/webhooks?ownerId=${team.id}`), 403, /Only admins and owners/)
    await refused(host.get(`/webhooks/${ours.id}`), 403, /Only admins and owners/)
  })
})
