import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signInWithToken } from '../../../../test/host-api.ts'
import { appOn, bookingOf, fromSomeoneNew, MONDAY_NOON, stoppedClock } from '../../../../test/kit.ts'
import { alwaysOpen } from '../../../../test/server-process.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { newId } from '../../../store/new-id.ts'
import { insertTeamMember } from '../../../store/people/members.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

onEveryDatabase('messages in the host API', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: Mail[]
  let host: Host
  let member: Host
  let stranger: Host
  let eventTypeId: string
  let teamId: string

  before(async () => {
    const under = await appOn(db(), { now: clock.now, signup: 'open' })
    ;({ app, mailbox } = under)
    host = await signInWithToken(app, mailbox, 'host@example.org')
    member = await signInWithToken(app, mailbox, 'member@example.org')
    stranger = await signInWithToken(app, mailbox, 'stranger@example.org')
    await host.patch('/me', { name: 'Ada Host', slug: 'ada' })
    const { items } = (await host.get('/schedules')).json()
    await host.patch(`/schedules/${items[0].id}`, { weekly: alwaysOpen.weekly, timezone: 'UTC' })
    const made = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 30,
      noticeMinutes: 0,
      location: { type: 'Link', value: 'https://meet.example.com/room' },
      abuse: { honeypot: false, captcha: '', blocklist: [], detectDuplicates: false, rateLimit: null },
    })
    assert.equal(made.statusCode, 201, made.body)
    eventTypeId = made.json().id
    teamId = (await host.post('/teams', { name: 'Team', slug: 'band' })).json().id
    await insertTeamMember(db(), { teamId, userId: member.user.id, role: 'member' }, 0)
  })
  after(async () => {
    await app.close()
  })
  beforeEach(async () => {
    await db().deleteFrom('messages').execute()
    await db().deleteFrom('outbox').execute()
    mailbox.length = 0
  })

  const text = (subject: string, body: string) => ({ texts: { en: { subject, body } } })
  const given = (more: object = {}) => ({
    name: 'Thanks',
    on: 'booked',
    ...text('Hello {{guest.firstName}}', 'See you at {{start}}.'),
    ...more,
  })
  const create = async (more: object = {}, who = host) => {
    const answer = await who.post('/messages', given(more))
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }
  const refused = async (answer: ReturnType<Host['get']>, status: number, says: RegExp, field?: string) => {
    const { statusCode, body, headers } = await answer
    assert.equal(statusCode, status, body)
    assert.match(JSON.parse(body).error, says)
    if (field !== undefined) assert.equal(headers['error-field'], field)
  }
  const count = async () => (await host.get('/messages')).json().items.length
  const book = async (startsAt: number, more: object = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/ada/talk/book',
      headers: fromSomeoneNew(),
      payload: bookingOf({ durationMinutes: 30 } as Parameters<typeof bookingOf>[0], startsAt, { ...more }),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().bookingId ?? answer.json().id
  }

  it('are made, listed, changed and deleted', async () => {
    const made = await create()
    assert.deepEqual(
      { ...made, id: '', createdAt: '' },
      {
        id: '',
        ownerId: host.user.id,
        name: 'Thanks',
        on: 'booked',
        minutes: null,
        to: 'guest',
        by: 'email',
        eventTypeIds: [],
        formIds: [],
        enabled: true,
        replaces: false,
        ...text('Hello {{guest.firstName}}', 'See you at {{start}}.'),
        createdAt: '',
      },
    )
    assert.deepEqual((await host.get('/messages')).json(), { items: [made], nextCursor: null })
    assert.deepEqual((await host.get(`/messages/${made.id}`)).json(), made)
    const changed = await host.patch(`/messages/${made.id}`, { on: 'after', minutes: 60, enabled: false })
    assert.deepEqual(changed.json(), { ...made, on: 'after', minutes: 60, enabled: false })
    const stale = { 'if-match': '"other"' }
    assert.equal((await host.patch(`/messages/${made.id}`, { name: 'x' }, stale)).statusCode, 412)
    assert.equal((await host.del(`/messages/${made.id}`)).statusCode, 204)
    assert.equal((await host.get(`/messages/${made.id}`)).statusCode, 404)
    const { items } = (await host.get(`/audit?ownerId=${host.user.id}`)).json()
    const acts = items.filter((entry: { objectId: string }) => entry.objectId === made.id)
    assert.deepEqual(
      acts.map(({ action, objectType }: { action: string; objectType: string }) => `${objectType} ${action}`),
      ['message deleted', 'message updated', 'message created'],
    )
  })

  it('belong to their owners: members read, others see nothing', async () => {
    const made = await create({ teamId })
    assert.equal(made.ownerId, teamId)
    assert.equal((await member.get(`/messages/${made.id}`)).statusCode, 200)
    assert.equal((await member.get(`/messages?ownerId=${teamId}`)).json().items.length, 1)
    assert.equal((await member.patch(`/messages/${made.id}`, { name: 'x' })).statusCode, 403)
    assert.equal((await member.del(`/messages/${made.id}`)).statusCode, 403)
    assert.equal((await member.post('/messages', given({ teamId }))).statusCode, 403)
    for (const answer of [
      stranger.get(`/messages/${made.id}`),
      stranger.get(`/messages?ownerId=${teamId}`),
      stranger.patch(`/messages/${made.id}`, { name: 'x' }),
      stranger.del(`/messages/${made.id}`),
      stranger.post(`/messages/${made.id}/test`),
      stranger.post('/messages', given({ teamId })),
      stranger.get(`/event-types/${eventTypeId}/timeline`),
      stranger.get(`/messages/${newId()}`),
    ]) {
      assert.equal((await answer).statusCode, 404)
    }
    await refused(stranger.post('/messages', given({ eventTypeIds: [eventTypeId] })), 400, /belong to/)
    assert.equal((await stranger.get('/messages')).json().items.length, 0)
  })

  it('are refused where they can’t work, with the place of the error', async () => {
    const post = (more: object) => host.post('/messages', given(more))
    await refused(
      post(text('Hi', 'Dear\n{{guest.nmae}}')),
      400,
      /guest\.nmae.*line 2, column 1/,
      'texts.en.body',
    )
    await refused(post(text('Hi {{#if start}}', 'x')), 400, /line 1, column 4/, 'texts.en.subject')
    await refused(post(text('Hi', '{{reason}}')), 400, /line 1, column 1/, 'texts.en.body')
    await refused(post(text('Two\nlines', 'x')), 400, /one line/, 'texts.en.subject')
    await refused(post(text('Hi', '[x](javascript:alert)')), 400, /line 1, column 1/, 'texts.en.body')
    await refused(post({ minutes: 60 }), 400, /minutes/, 'minutes')
    await refused(post({ on: 'before', minutes: 4 }), 400, /5 to 43200/, 'minutes')
    await refused(post({ formIds: [newId()] }), 400, /form/, 'formIds')
    await refused(post({ eventTypeIds: [newId()] }), 400, /belong to/, 'eventTypeIds.0')
    await refused(post({ texts: { de: { subject: 'x', body: 'y' } } }), 400, /language/, 'texts')
    await refused(post({ on: 'after', minutes: 60, replaces: true }), 400, /replace/, 'replaces')
    await refused(post({ by: 'sms', texts: { en: { body: 'Hi' } } }), 400, /no text messages/, 'by')
    assert.equal((await post({ on: 'never' })).statusCode, 400)
    assert.equal((await post({ texts: { it: { subject: 'x', body: 'y' } } })).statusCode, 400)
    assert.equal(await count(), 0)
  })

  it('replace a mail only once', async () => {
    const first = await create({ replaces: true })
    await refused(host.post('/messages', given({ replaces: true })), 409, /Thanks/)
    const named = given({ replaces: true, eventTypeIds: [eventTypeId] })
    await refused(host.post('/messages', named), 409, /Thanks/)
    const other = await create()
    await refused(host.patch(`/messages/${other.id}`, { replaces: true }), 409, /Thanks/)
    await create({ replaces: true, to: 'hosts' })
    assert.equal((await host.patch(`/messages/${first.id}`, { name: 'Mine' })).statusCode, 200)
    assert.equal(await count(), 3)
  })

  it('are previewed with an example and with a booking, in any language', async () => {
    const message = given({
      ...text('Hi {{guest.name}}', '**Bring** {{answers.what}} to {{event.name}}: [join]({{link.join}})'),
    })
    const example = (await host.post('/messages/preview', { message })).json()
    assert.match(example.subject, /^Hi \S/)
    assert.equal(example.sms, null)
    assert.deepEqual(example.warnings, [
      { field: 'texts.en.body', name: 'answers.what', line: 1, column: 11 },
      { field: 'texts.en.body', name: 'link.join', line: 1, column: 54 },
    ])
    const bookingId = await book(MONDAY_NOON + 2 * DAY, {
      inviteeName: '<b>Grace</b> https://evil.example',
      customFields: { what: '[a](https://evil.example) {{guest.email}}' },
    })
    const real = (await host.post('/messages/preview', { message, bookingId, language: 'de' })).json()
    assert.equal(real.subject, 'Hi <b>Grace</b> https[:]//evil[.]example')
    assert.ok(real.text.includes('Bring [a](https[:]//evil[.]example) {{guest[.]email}} to Talk: join'))
    assert.ok(real.html.includes('<strong>Bring</strong>'))
    assert.ok(!real.html.includes('href="https://evil'))
    assert.ok(real.html.includes('href="https://meet.example.com/room"'))
    await refused(
      host.post('/messages/preview', { message: given(text('x', '{{')) }),
      400,
      /line 1, column 1/,
      'message.texts.en.body',
    )
    assert.equal((await stranger.post('/messages/preview', { message, bookingId })).statusCode, 404)
  })

  it('are sent to the asker as a test, even when they are off, and not without end', async () => {
    const made = await create({ enabled: false })
    assert.equal((await host.post(`/messages/${made.id}/test`)).statusCode, 204)
    assert.equal(mailbox.length, 1)
    assert.equal(mailbox[0]?.to, 'host@example.org')
    assert.match(mailbox[0]?.subject ?? '', /^Hello /)
    for (let sent = 1; sent < 20; sent++) await host.post(`/messages/${made.id}/test`)
    assert.equal((await host.post(`/messages/${made.id}/test`)).statusCode, 429)
    assert.equal(mailbox.length, 20)
  })

  it('are part of the timeline of an event type', async () => {
    const replaced = await create({ replaces: true })
    const thanks = await create({ on: 'after', minutes: 60, ...text('Thanks', 'Bye {{guest.name}}') })
    await create({ on: 'no-show', ...text('Missed', 'Sorry') })
    const start = new Date(MONDAY_NOON + 3 * DAY).toISOString()
    const timeline = async (query: string) =>
      (await host.get(`/event-types/${eventTypeId}/timeline?${query}`)).json()
    const plain = await timeline(`start=${start}`)
    type Entry = {
      at: string
      when: string
      to: string
      subject: string
      messageId?: string
      standard?: string
    }
    assert.deepEqual(
      plain.map(({ at, when, to, messageId, standard }: Entry) =>
        [at, when, to, messageId ?? standard].join(' | '),
      ),
      [
        `2027-01-11T12:00:00Z | When it is booked | hosts | booked`,
        `2027-01-11T12:00:00Z | When it is booked | guest | ${replaced.id}`,
        `2027-01-13T12:00:00Z | A day before the start | guest | reminder`,
        `2027-01-13T12:00:00Z | A day before the start | hosts | reminder`,
        `2027-01-14T11:00:00Z | An hour before the start | guest | reminder`,
        `2027-01-14T11:00:00Z | An hour before the start | hosts | reminder`,
        `2027-01-14T13:30:00Z | An hour after the end | guest | ${thanks.id}`,
      ],
    )
    for (const entry of plain) assert.notEqual(entry.subject, '')
    for (const entry of plain) assert.equal('messageId' in entry, !('standard' in entry))
    const missed = await timeline(`start=${start}&branch=no-show`)
    assert.equal(missed.at(-1).subject, 'Missed')
    assert.ok(!missed.some(({ messageId }: Entry) => messageId === thanks.id))
    const cancelled = await timeline(`start=${start}&branch=cancelled`)
    assert.deepEqual(cancelled.at(-1).standard, 'cancelled')
    const asking = { slug: 'asking', name: 'Asking', durationMinutes: 30, requiresApproval: true }
    const { id: askingId } = (await host.post('/event-types', asking)).json()
    const declined = await host.get(`/event-types/${askingId}/timeline?start=${start}&branch=declined`)
    assert.deepEqual(declined.json().at(-1).standard, 'declined')
    const german = await host.get(`/event-types/${eventTypeId}/timeline`, { 'accept-language': 'de' })
    assert.match(german.json()[0].when, /gebucht/)
    await refused(host.get(`/event-types/${eventTypeId}/timeline?start=soon`), 400, /UTC instant/)
    assert.equal((await host.get(`/event-types/${eventTypeId}/timeline?branch=x`)).statusCode, 400)
  })
})
