import assert from 'node:assert/strict'
import { before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { settle } from '../../../../test/account.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn, signInWithToken } from '../../../../test/host-api.ts'
import { appOn, bookingOf, MONDAY_NOON, plainSurroundings, stoppedClock } from '../../../../test/kit.ts'
import { addWebhook } from '../../../../test/webhooks.ts'
import { EVENT_TYPE_DEFAULTS } from '../../../domain/event-types/event-type.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import type { Context } from '../../../services/context.ts'
import { countAttention } from '../../../services/workspace/attention/attention.ts'
import { pairOf } from '../../../store/sentences.ts'
import type { AttentionView } from './attention.ts'

const [HOUR, DAY] = [3_600_000, 86_400_000]
const MEET = { type: 'Video', value: 'https://meet.example.com/room' }

onEveryDatabase('/api/admin/attention', ({ db }) => {
  const clock = stoppedClock()
  const surroundings = { ...plainSurroundings }
  let app: FastifyInstance
  let context: Context
  let mailbox: Mail[]
  /** An admin of the instance. */
  let root: Host
  let ada: Host
  /** A member of Ada's team. */
  let bob: Host
  let team: string
  let count = 0

  before(async () => {
    const made = await appOn(db(), { signup: 'open', now: clock.now, surroundings })
    app = made.app
    context = made.context
    mailbox = made.mailbox
    root = await signInWithToken(app, made.mailbox, 'root@hosts.example')
    ada = await signInWithToken(app, made.mailbox, 'ada@hosts.example')
    bob = await signInWithToken(app, made.mailbox, 'bob@hosts.example')
    team = (await ada.post('/teams', { slug: 'sales', name: 'Sales' })).json().id
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email, role: 'member' })
    await bob.post(`/invitations/${invited.json().id}/accept`)
  })
  beforeEach(async () => {
    clock.moveTo(MONDAY_NOON)
    for (const table of ['outbox', 'webhooks', 'leases', 'calendars', 'connections', 'invitations'] as const)
      await db().deleteFrom(table).execute()
    await db().updateTable('event_types').set({ hidden: 1 }).execute()
    context.slots.settingsChanged([root, ada, bob].map(({ user }) => user.id))
  })

  async function read(host: Pick<Host, 'get'>, headers = {}): Promise<AttentionView['items']> {
    const answer = await host.get('/attention', headers)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().items
  }
  const kinds = async (host: Host) => (await read(host)).map(({ kind, scope }) => `${kind} ${scope}`)
  const only = async (host: Host) => {
    const [item, ...others] = await read(host)
    assert.deepEqual(others, [])
    return item ?? assert.fail('nothing needs attention')
  }
  /** An event type that lacks nothing, unless told so. Returns its id. */
  async function newEventType(host: Host, given: object = {}): Promise<string> {
    const body = { slug: `talk-${++count}`, name: 'Talk', durationMinutes: 30, location: MEET, ...given }
    const made = await host.post('/event-types', body)
    assert.equal(made.statusCode, 201, made.body)
    return made.json().id
  }

  it('is empty when all is well, and needs a sign-in', async () => {
    await newEventType(ada)
    for (const host of [root, ada, bob]) assert.deepEqual(await read(host), [])
    assert.equal((await bearer(app, 'nonsense').get('/attention')).statusCode, 401)
  })

  it('names a calendar that could not be read, with the reason, to its owner alone', async () => {
    await settle(app, db(), await signIn(app, mailbox, 'ada@hosts.example'))
    await db().updateTable('event_types').set({ hidden: 1 }).execute()
    const { text, parts } = pairOf(sentence`The response was ${500}.`)
    await db()
      .updateTable('calendars')
      .set({
        busy: 1,
        failures: 1,
        last_error: text,
        last_error_parts: parts,
        refreshed_at: MONDAY_NOON - DAY,
      })
      .execute()
    assert.deepEqual(await only(ada), {
      kind: 'calendar-failing',
      scope: 'me',
      sentence: 'The calendar “Calendar of ada” could not be read. The response was 500.',
      url: '/app/calendars',
      since: '2027-01-10T12:00:00Z',
    })
    const [german] = await read(ada, { 'accept-language': 'de' })
    assert.equal(
      german?.sentence,
      'Der Kalender „Calendar of ada“ konnte nicht gelesen werden. Die Antwort war 500.',
    )
    assert.deepEqual([await read(bob), await read(root)], [[], []])
    // An account that has to be connected again is one thing to do, however many calendars it has.
    const [{ id } = { id: '' }] = await db().selectFrom('connections').select('id').execute()
    await db().updateTable('connections').set({ status: 'reconnect' }).execute()
    await db().updateTable('calendars').set({ connection_id: id }).execute()
    const lost = await only(ada)
    assert.deepEqual([lost.kind, lost.scope, lost.url], ['connection-lost', 'me', '/app/calendars'])
    assert.match(lost.sentence, /ada@provider\.example/)
  })

  it('names a video call without a link until it has one', async () => {
    const id = await newEventType(ada, { name: 'Demo', location: { type: 'Video', value: '' } })
    assert.deepEqual(await only(ada), {
      kind: 'video-without-link',
      scope: 'me',
      sentence: '“Demo” is a video call without a link.',
      url: `/app/event-types/${id}`,
      since: null,
    })
    await ada.patch(`/event-types/${id}`, { location: MEET })
    assert.deepEqual(await read(ada), [])
  })

  it('tells those who manage a team what its members can’t mend', async () => {
    const hosts = [{ userId: ada.user.id, fixed: true }]
    await newEventType(ada, { teamId: team, location: { type: 'Video', value: '' }, hosts })
    assert.deepEqual(await kinds(ada), ['video-without-link team'])
    assert.deepEqual([await read(bob), await read(root)], [[], []])
  })

  it('names CAPTCHAs without keys, of event types and of forms', async () => {
    const id = await newEventType(ada)
    const abuse = JSON.stringify({ ...EVENT_TYPE_DEFAULTS.abuse, captcha: 'turnstile' })
    await db().updateTable('event_types').set({ abuse }).where('id', '=', id).execute()
    const form = await ada.post('/routing-forms', {
      slug: `form-${++count}`,
      name: 'Contact us',
      fields: [],
      rules: [],
      fallback: { action: 'routeToEvent', eventTypeId: id },
    })
    assert.equal(form.statusCode, 201, form.body)
    const formId = form.json().id
    await db().updateTable('routing_forms').set({ abuse }).where('id', '=', formId).execute()
    const items = await read(ada)
    assert.deepEqual(
      items.map(({ kind, url }) => [kind, url]),
      [
        ['captcha-without-keys', `/app/event-types/${id}`],
        ['captcha-without-keys', `/app/forms/${formId}`],
      ],
    )
    assert.match(items[1]?.sentence ?? '', /“Contact us”/)
    await db().deleteFrom('routing_forms').execute()
  })

  it('names webhooks that fail or were disabled, but not one that its owner turned off', async () => {
    const failing = await addWebhook(db(), { id: team }, { failingSince: MONDAY_NOON - HOUR })
    await addWebhook(db(), { id: team }, { active: false, failingSince: MONDAY_NOON - HOUR })
    const disabled = await addWebhook(
      db(),
      { id: ada.user.id },
      { active: false, disabledAt: MONDAY_NOON - DAY, disabledReason: sentence`The response was ${410}.` },
    )
    // Those of one millisecond come in any order.
    const items = (await read(ada)).toSorted((a, b) => (a.scope < b.scope ? -1 : 1))
    assert.deepEqual(
      items.map(({ scope, url, since }) => [scope, url, since]),
      [
        ['me', `/app/webhooks/${disabled.id}`, '2027-01-10T12:00:00Z'],
        ['team', `/app/webhooks/${failing.id}`, '2027-01-11T11:00:00Z'],
      ],
    )
    assert.match(items[0]?.sentence ?? '', /93\.184\.215\.14 was disabled\. The response was 410\./)
    assert.deepEqual(await read(bob), [])
  })

  it('names a guest to their host, and to admins of the instance only the reason', async () => {
    const id = await newEventType(ada, { slug: 'mailed', noticeMinutes: 0 })
    const start = MONDAY_NOON + 22 * HOUR
    const eventType = (await ada.get(`/event-types/${id}`)).json()
    const booked = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${ada.user.slug}/mailed/book`,
      payload: bookingOf(eventType, start, { inviteeName: 'Grace Guest' }),
    })
    assert.equal(booked.statusCode, 201, booked.body)
    await db().deleteFrom('outbox').execute()
    const bookingId = booked.json().booking?.id ?? booked.json().id
    const { text, parts } = pairOf(
      sentence`The mail server refuses the recipient: ${'550 <grace@guests.example>'}`,
    )
    const failed = {
      kind: 'mail' as const,
      lane: null,
      data: JSON.stringify({ change: { bookingId }, recipient: { role: 'guest' } }),
      due_at: MONDAY_NOON,
      created_at: MONDAY_NOON,
      attempts: 1,
      failed_at: MONDAY_NOON,
      error: text,
      error_parts: parts,
    }
    await db().insertInto('outbox').values(failed).execute()
    const mine = await only(ada)
    assert.deepEqual([mine.kind, mine.scope, mine.url], ['mail-failing', 'me', `/app/bookings/${bookingId}`])
    assert.match(mine.sentence, /^An email to Grace Guest could not be delivered\. The mail server refuses/)
    const theirs = await only(root)
    assert.deepEqual([theirs.kind, theirs.scope, theirs.url], ['mail-failing', 'instance', '/app/system'])
    assert.doesNotMatch(theirs.sentence, /Grace|grace/)
    assert.deepEqual(await read(bob), [])
    // One that is retried is for the instance alone, and one of a meeting that is over for nobody.
    await db()
      .insertInto('outbox')
      .values({ ...failed, failed_at: null, attempts: 2 })
      .execute()
    assert.match((await only(root)).sentence, /^2 emails could not be delivered\./)
    clock.moveTo(start + DAY)
    assert.deepEqual(await read(ada), [])
  })

  it('names those who were invited a week ago, to those who can invite them again', async () => {
    await ada.post(`/teams/${team}/invitations`, { email: 'late@hosts.example', role: 'member' })
    await root.post('/instance-invitations', { email: 'never@hosts.example' })
    clock.moveTo(MONDAY_NOON + 7 * DAY - 1)
    assert.deepEqual([await read(ada), await read(root)], [[], []])
    clock.moveTo(MONDAY_NOON + 7 * DAY)
    assert.deepEqual(await only(ada), {
      kind: 'invitation-unanswered',
      scope: 'team',
      sentence: 'late@hosts.example hasn’t accepted the invitation to Sales.',
      url: `/app/teams/${team}`,
      since: '2027-01-11T12:00:00Z',
    })
    const instance = await only(root)
    assert.deepEqual([instance.scope, instance.url], ['instance', '/app/people'])
    assert.deepEqual(await read(bob), [])
  })

  it('names an event type that nobody can book in 30 days, until there is a time', async () => {
    const id = await newEventType(ada, { name: 'Full', noticeMinutes: 31 * 24 * 60 })
    assert.deepEqual(await only(ada), {
      kind: 'nothing-bookable',
      scope: 'me',
      sentence: 'Nobody can book “Full” in the next 30 days.',
      url: `/app/event-types/${id}`,
      since: null,
    })
    await ada.patch(`/event-types/${id}`, { noticeMinutes: 0 })
    assert.deepEqual(await read(ada), [])
    await ada.patch(`/event-types/${id}`, { hosts: [] })
    assert.deepEqual(await kinds(ada), ['nothing-bookable me'])
    // Hiding is how event types with bookings are put away.
    await ada.patch(`/event-types/${id}`, { hidden: true })
    assert.deepEqual(await read(ada), [])
  })

  it('tells admins of the instance that a backup is overdue', async () => {
    Object.assign(surroundings, { backupEvery: DAY })
    try {
      const backedUp = (at: number) =>
        db()
          .insertInto('leases')
          .values({ name: 'backup', leased_until: 0, done_at: at })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ done_at: at }))
          .execute()
      await backedUp(MONDAY_NOON - 2 * DAY)
      assert.deepEqual(await read(root), [])
      await backedUp(MONDAY_NOON - 2 * DAY - 1000)
      const item = await only(root)
      assert.deepEqual(
        [item.kind, item.scope, item.url, item.since],
        ['backup-overdue', 'instance', '/app/system', '2027-01-10T11:59:59Z'],
      )
      assert.deepEqual(await read(ada), [])
    } finally {
      Object.assign(surroundings, { backupEvery: 0 })
    }
  })

  it('tells admins of the instance that a newer version has changed the database', async () => {
    await db().insertInto('migrations').values({ name: '999-tomorrow', ran_at: 0 }).execute()
    try {
      assert.deepEqual(await kinds(root), ['newer-schema instance'])
      assert.deepEqual(await read(ada), [])
    } finally {
      await db().deleteFrom('migrations').where('name', '=', '999-tomorrow').execute()
    }
  })

  it('is counted by kind, whoever can mend it', async () => {
    await newEventType(ada, { location: { type: 'Video', value: '' } })
    await newEventType(bob, { location: { type: 'Video', value: '' } })
    await addWebhook(db(), { id: team }, { failingSince: MONDAY_NOON })
    const counts = await countAttention(context)
    assert.equal(counts.get('video-without-link'), 2)
    assert.equal(counts.get('webhook-failing'), 1)
    assert.equal(counts.get('nothing-bookable'), 0)
    assert.equal(counts.get('backup-overdue'), 0)
  })
})
