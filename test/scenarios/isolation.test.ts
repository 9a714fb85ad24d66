import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Document } from '../../src/http/docs/openapi.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import { insertImport } from '../../src/store/imports/imports.ts'
import { newId } from '../../src/store/new-id.ts'
import { enrol } from '../authenticator.ts'
import { connect } from '../connections.ts'
import { onEveryDatabase } from '../databases.ts'
import { type FeedServer, startFeedServer } from '../feed-server.ts'
import { bearer, type Host, signIn } from '../host-api.ts'
import { appOn, bookingOf, fromSomeoneNew, MONDAY_NOON, plainEventType, stoppedClock } from '../kit.ts'
import { type GoogleStandIn, startGoogle } from '../outside/google.ts'
import { addDelivery, addWebhook } from '../webhooks.ts'

interface Route {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
}

/** What a request needs beside its path in order to get past the schema. */
const BODIES: Readonly<Record<string, object>> = {
  createSchedule: { name: 'Hours', timezone: 'UTC' },
  createEventType: { slug: 'new', name: 'New', durationMinutes: 30 },
  createRoutingForm: {
    slug: 'new',
    name: 'New',
    fields: [],
    rules: [],
    fallback: { action: 'message', message: 'Thanks.' },
  },
  tryRoutingForm: { answers: {} },
  blockGuest: { entry: 'spam.example' },
  createAbsence: { startTime: '2027-03-01T00:00:00Z', endTime: '2027-03-02T00:00:00Z' },
  createCalendar: { kind: 'feed', name: 'Elsewhere', url: 'https://calendar.example/feed.ics' },
  createConnection: { provider: 'google' },
  discoverCalendars: { url: 'https://calendar.example', username: 'me', password: 'secret' },
  createTeam: { slug: 'new-team', name: 'New team' },
  updateTeamMember: { role: 'owner' },
  replaceTeamAttributes: [],
  inviteToTeam: { email: 'someone@example.org', role: 'member' },
  inviteToInstance: { email: 'someone@example.org' },
  rescheduleBooking: { startTime: '2027-01-12T14:00:00Z' },
  addLink: { link: 'https://meet.example/room' },
  createToken: { name: 'New', scopes: ['read'] },
  renamePasskey: { name: 'New' },
  addPasskey: { name: 'New', credentialId: 'a', clientDataJSON: 'b', attestationObject: 'c' },
  createMessage: { name: 'New', on: 'booked', texts: { en: { subject: 'Hello', body: 'Hello' } } },
  previewMessage: {
    message: { name: 'New', on: 'booked', texts: { en: { subject: 'Hello', body: 'Hello' } } },
  },
  startImport: { source: 'calendly', token: 'a-token' },
  createWebhook: { url: 'https://93.184.215.14/hook' },
  replayFailedWebhookDeliveries: { since: '2027-01-01T00:00:00Z' },
}

const QUERIES: Readonly<Record<string, string>> = {
  explainStart: '?start=2027-01-12T09:00:00Z',
  explainDraftStart: '?start=2027-01-12T09:00:00Z',
  previewSlots: '?dateFrom=2027-01-12&dateTo=2027-01-13&timezone=UTC',
}

onEveryDatabase('isolation', ({ db }) => {
  let app: FastifyInstance
  let feeds: FeedServer
  let google: GoogleStandIn
  let routes: Route[]
  let owner: Host
  let stranger: Host
  let member: Host
  let readOnly: ReturnType<typeof bearer>
  /** Ids of things that are the owner's alone, and of things that are the team's, by the resource in the path. */
  let own: Record<string, Record<string, string>>
  let shared: Record<string, Record<string, string>>
  /** The team's, but not hosted by the member. */
  let unhosted: Record<string, Record<string, string>>

  before(async () => {
    const clock = stoppedClock()
    google = await startGoogle({ now: clock.now })
    const providers = { google: googleProvider(google.settings) }
    const under = await appOn(db(), { now: clock.now, signup: 'open', providers })
    app = under.app
    feeds = await startFeedServer()
    const document: Document = (await app.inject('/openapi-admin.json')).json()
    routes = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/api/admin/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => ({
          operationId,
          method: method.toUpperCase() as Route['method'],
          path: path.slice('/api/admin'.length),
        })),
      )
    assert.ok(routes.filter(isAboutOneThing).length > 25, 'the routes were found')
    owner = await signIn(app, under.mailbox, 'owner@example.org')
    stranger = await signIn(app, under.mailbox, 'stranger@example.org')
    const id = async (answer: Promise<{ statusCode: number; body: string; json: () => { id: string } }>) => {
      const got = await answer
      assert.ok(got.statusCode < 300, got.body)
      return got.json().id
    }
    const team = await id(owner.post('/teams', { slug: 'the-team', name: 'The team' }))
    const invitation = await id(
      owner.post(`/teams/${team}/invitations`, { email: 'member@example.org', role: 'member' }),
    )
    const pending = await id(
      owner.post(`/teams/${team}/invitations`, { email: 'pending@example.org', role: 'member' }),
    )
    member = await signIn(app, under.mailbox, 'member@example.org')
    await member.post(`/invitations/${invitation}/accept`)
    const eventType = await id(
      owner.post('/event-types', {
        slug: 'talk',
        name: 'Talk',
        durationMinutes: 30,
        noticeMinutes: 0,
        abuse: plainEventType().abuse,
      }),
    )
    const instanceInvitation = await id(owner.post('/instance-invitations', { email: 'guest@example.org' }))
    const form = (more: object) => ({ ...BODIES.createRoutingForm, ...more })
    const book = (page: string, startsAt: number) =>
      id(
        app.inject({
          method: 'POST',
          url: `/api/public/scheduling/${page}/book`,
          payload: bookingOf(plainEventType(), startsAt),
          headers: fromSomeoneNew(),
        }),
      )
    const booking = await book(`${owner.user.slug}/talk`, MONDAY_NOON + 24 * 3_600_000)
    const webhooks = async (ownerId: string) => {
      const webhook = await addWebhook(db(), { id: ownerId })
      return { id: webhook.id, deliveryId: (await addDelivery(db(), webhook)).id }
    }
    /** One that is being read, by nobody. */
    const addImport = async (createdBy: string) => {
      const times = { createdAt: MONDAY_NOON, leasedUntil: MONDAY_NOON, total: 0 }
      const brought = { ...times, id: newId(), source: 'calcom', createdBy } as const
      await insertImport(db(), brought)
      return brought.id
    }
    const connectionId = await connect(app, owner, 'google', google)
    own = {
      webhooks: await webhooks(owner.user.id),
      messages: { id: await id(owner.post('/messages', BODIES.createMessage as object)) },
      schedules: { id: await id(owner.post('/schedules', { name: 'Other hours', timezone: 'UTC' })) },
      'event-types': { id: eventType, linkId: await id(owner.post(`/event-types/${eventType}/links`, {})) },
      'routing-forms': { id: await id(owner.post('/routing-forms', form({ slug: 'mine' }))) },
      blocklist: { id: await id(owner.post('/blocklist', { entry: 'blocked@example.net' })) },
      absences: { id: await id(owner.post('/absences', BODIES.createAbsence as object)) },
      calendars: {
        id: await id(owner.post('/calendars', { ...BODIES.createCalendar, url: `${feeds.url}/mine.ics` })),
      },
      connections: { id: connectionId },
      tokens: { id: await id(owner.post('/tokens', { name: 'Mine', scopes: ['read'] })) },
      bookings: { id: booking },
      teams: { id: team, userId: owner.user.id, invitationId: pending },
      invitations: { id: pending },
      'instance-invitations': { id: instanceInvitation },
      people: { id: member.user.id },
      me: { id: await enrol(owner) },
      imports: { id: await addImport(owner.user.id) },
      // No such job. Long enough to stand nowhere by chance.
      system: { id: '987654321987' },
    }
    const hosts = [{ userId: owner.user.id, fixed: true }]
    const ours = await id(
      owner.post('/event-types', { slug: 'ours', name: 'Ours', durationMinutes: 30, teamId: team, hosts }),
    )
    shared = {
      webhooks: await webhooks(team),
      messages: { id: await id(owner.post('/messages', { ...BODIES.createMessage, teamId: team })) },
      'event-types': {
        id: ours,
        linkId: await id(owner.post(`/event-types/${ours}/links`, {})),
      },
      'routing-forms': { id: await id(owner.post('/routing-forms', form({ slug: 'ours', teamId: team }))) },
      teams: { id: team, userId: owner.user.id, invitationId: pending },
    }
    unhosted = { bookings: { id: await book('the-team/ours', MONDAY_NOON + 25 * 3_600_000) } }
    const { token } = (await owner.post('/tokens', { name: 'Reader', scopes: ['read'] })).json()
    readOnly = bearer(app, token)
  })
  after(async () => {
    await app.close()
    await feeds.close()
    await google.close()
  })

  const isAboutOneThing = ({ path }: Route) => path.includes('{')

  /** The path with real ids in it. A resource without a sample fails the test: a new route cannot be forgotten. */
  function pathOf({ path, operationId }: Route, samples: typeof own): string {
    const ids = samples[path.split('/')[1] as string]
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids?.[name]
      assert.ok(id, `there is no sample for ${path}: add one`)
      return id
    })
    return filled + (QUERIES[operationId] ?? '')
  }

  function send(
    who: Pick<Host, 'get' | 'post' | 'put' | 'patch' | 'del'>,
    route: Route,
    samples: typeof own,
  ) {
    const path = pathOf(route, samples)
    const body = BODIES[route.operationId] ?? {}
    if (route.method === 'GET') return who.get(path)
    if (route.method === 'DELETE') return who.del(path)
    if (route.method === 'PUT') return who.put(path, body)
    return route.method === 'PATCH' ? who.patch(path, body) : who.post(path, body)
  }

  /** Asks Google, which may be slow: what it answers is not ours to protect. */
  const ASKS_GOOGLE = '/connections/{id}/calendars'

  /** Everything the owner can see, to be compared before and after an attack. */
  async function everything(): Promise<string[]> {
    // The state of the system changes by itself.
    const leftOut = [ASKS_GOOGLE, '/system']
    const pages = routes.filter(
      ({ method, path }) => method === 'GET' && !path.endsWith('/explain') && !leftOut.includes(path),
    )
    return Promise.all(pages.map(async (route) => `${route.path} ${(await send(owner, route, own)).body}`))
  }

  it('refuses requests without a token', async () => {
    for (const route of routes) {
      const answer = await send(bearer(app, ''), route, own)
      assert.equal(answer.statusCode, 401, `${route.method} ${route.path}: ${answer.body}`)
      assert.deepEqual(Object.keys(answer.json()), ['error'])
    }
  })

  it('lets strangers neither read nor change anything', async () => {
    const before = await everything()
    for (const route of routes.filter(isAboutOneThing)) {
      const answer = await send(stranger, route, own)
      // What belongs to the instance is for its admins alone, of whom a stranger is none.
      const expected = /^\/(?:instance-invitations|people|system)/.test(route.path) ? 403 : 404
      assert.equal(answer.statusCode, expected, `${route.method} ${route.path}: ${answer.body}`)
    }
    assert.deepEqual(await everything(), before)
  })

  it('lets nobody read a calendar through another user’s account', async () => {
    const body = { kind: 'google', connectionId: own.connections?.id, externalId: 'team@group.example' }
    const asked = google.asked.length
    for (const other of [stranger, member]) {
      assert.equal((await other.post('/calendars', body)).statusCode, 404)
    }
    assert.equal(google.asked.length, asked, 'Google was not even asked')
  })

  it('lists nothing of others to a stranger', async () => {
    const ids = Object.values(own).flatMap((sample) => Object.values(sample))
    for (const route of routes.filter((one) => one.method === 'GET' && !isAboutOneThing(one))) {
      const { body } = await send(stranger, route, own)
      for (const id of ids) assert.ok(!body.includes(id), `${route.path} shows ${id}`)
    }
  })

  it('lets members see the team’s objects, but not change them', async () => {
    for (const route of routes.filter(isAboutOneThing)) {
      if (shared[route.path.split('/')[1] as string] === undefined) continue
      const { statusCode, body } = await send(member, route, shared)
      const where = `${route.method} ${route.path}: ${body}`
      // Who has been invited is for those to know who invite; where webhooks go and what guests say, for those who manage.
      const hidden = /\/invitations|\/responses|^\/webhooks/.test(route.path)
      if (route.method === 'GET' && !hidden) assert.equal(statusCode, 200, where)
      else assert.equal(statusCode, 403, where)
    }
  })

  it('hides the team’s bookings from members who do not host them', async () => {
    const about = routes.filter((route) => isAboutOneThing(route) && route.path.startsWith('/bookings/'))
    assert.ok(about.length > 10, 'the routes were found')
    const before = (await owner.get(`/bookings/${unhosted.bookings?.id}`)).body
    for (const route of about) {
      const { statusCode, body } = await send(member, route, unhosted)
      assert.equal(statusCode, 404, `${route.method} ${route.path}: ${body}`)
    }
    assert.deepEqual((await member.get('/bookings')).json().items, [])
    assert.equal((await owner.get(`/bookings/${unhosted.bookings?.id}`)).body, before)
  })

  it('refuses changes with a read-only API token', async () => {
    const before = await everything()
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      const answer = await send(readOnly, route, own)
      assert.equal(answer.statusCode, 403, `${route.method} ${route.path}: ${answer.body}`)
    }
    assert.deepEqual(await everything(), before)
  })
})
