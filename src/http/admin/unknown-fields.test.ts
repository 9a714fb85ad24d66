import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { enrol } from '../../../test/authenticator.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type FeedServer, startFeedServer } from '../../../test/feed-server.ts'
import { bearer, type Host, signIn } from '../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import { createImport } from '../../services/imports/read.ts'
import type { Document, Schema } from '../docs/openapi.ts'

interface BodyRoute {
  readonly method: 'post' | 'patch' | 'put' | 'delete'
  readonly path: string
  readonly schema: Schema
}

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

onEveryDatabase('an unknown field in a body of the host API', ({ db }) => {
  let app: FastifyInstance
  let feeds: FeedServer
  let ada: Host
  let bob: Host
  let eve: Host
  let team: string
  let routes: BodyRoute[]
  const ids: Record<string, string> = {}

  before(async () => {
    feeds = await startFeedServer()
    const made = await appOn(db(), { signup: 'open', now: stoppedClock().now })
    app = made.app
    ada = await signIn(app, made.mailbox, 'ada@hosts.example')
    bob = await signIn(app, made.mailbox, 'bob@hosts.example')
    eve = await signIn(app, made.mailbox, 'eve@hosts.example')
    const create = async (path: string, body: object): Promise<string> => {
      const answer = await ada.post(path, body)
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().id
    }
    team = await create('/teams', { slug: 'crew', name: 'Crew', membersSeeAll: true })
    const invited = await create(`/teams/${team}/invitations`, { email: bob.user.email })
    await bob.post(`/invitations/${invited}/accept`)
    ids.teams = team
    ids['event-types'] = await create('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 30,
      noticeMinutes: 0,
      teamId: team,
      hosts: [{ userId: ada.user.id, fixed: true }],
    })
    ids.schedules = await create('/schedules', { name: 'Hours', timezone: 'UTC' })
    ids.people = bob.user.id
    ids.me = await enrol(ada)
    ids.absences = await create('/absences', { startDate: '2030-01-01', endDate: '2030-01-02' })
    ids.webhooks = await create('/webhooks', {
      url: 'https://93.184.216.34/hook',
      events: ['booking.created'],
      teamId: team,
    })
    ids.messages = await create('/messages', {
      teamId: team,
      name: 'Thanks',
      on: 'booked',
      texts: { en: { subject: 'Hello', body: 'Hello' } },
    })
    ids['routing-forms'] = await create('/routing-forms', {
      name: 'Contact',
      slug: 'contact',
      teamId: team,
      fallback: { action: 'message', message: 'Thank you' },
    })
    ids.calendars = await create('/calendars', { kind: 'feed', name: 'Mine', url: `${feeds.url}/mine.ics` })
    const booked = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/crew/talk/book',
      headers: fromSomeoneNew(),
      payload: bookingOf(plainEventType(), MONDAY_NOON + 21 * 3_600_000),
    })
    assert.equal(booked.statusCode, 201, booked.body)
    ids.bookings = booked.json().id
    ids.imports = await createImport(made.context, 'calcom', ada.user.id)

    const document: Document = (await app.inject('/openapi-admin.json')).json()
    routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const schema = requestBody?.content['application/json']?.schema
        if (schema === undefined || !path.startsWith('/api/admin/')) return []
        return [{ method: method as BodyRoute['method'], path, schema }]
      }),
    )
  })
  after(async () => {
    await app.close()
    await feeds.close()
  })

  /** The address of a route, with the ids of things that are there, or of things that aren't. */
  function addressOf({ path }: BodyRoute, there = true): string {
    const [, , , collection = ''] = path.split('/')
    return path
      .replace('/api/admin', '')
      .replace('{id}', there ? (ids[collection] ?? UNKNOWN_ID) : UNKNOWN_ID)
      .replace('{userId}', bob.user.id)
  }

  const send = (host: Pick<Host, 'token'>, { method, ...route }: BodyRoute, body: unknown, there = true) =>
    app.inject({
      method: method.toUpperCase() as 'POST',
      url: `/api/admin${addressOf({ method, ...route }, there)}`,
      headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })

  it('is refused by name, wherever it is', async () => {
    assert.ok(routes.length > 25)
    let nested = 0
    for (const route of routes) {
      for (const path of pathsOfObjects(route.schema).map((at) => (at === '' ? 'nmae' : `${at}.nmae`))) {
        const body = sampleOf(route.schema)
        for (const [key, id] of Object.entries({ teamId: team, eventTypeId: ids['event-types'] })) {
          if (Object.hasOwn(Object(body), key)) Object.assign(Object(body), { [key]: id })
        }
        put(body, path)
        const answer = await send(ada, route, body)
        const about = `${route.method} ${route.path} ${path}: ${answer.body}`
        assert.equal(answer.statusCode, 400, about)
        assert.equal(answer.json().error, `Unknown field "${path}".`, about)
        assert.equal(answer.headers['error-field'], path, about)
        if (path !== 'nmae') nested++
      }
    }
    assert.ok(nested > 30, String(nested))
  })

  it('is refused in a condition of a rule', async () => {
    const fields = [{ id: 'topic', label: 'Topic', type: 'text' }]
    const target = { action: 'message', message: 'Hello' }
    const leaf = { field: 'topic', operator: 'equals', value: 'a' }
    for (const [when, path] of [
      [{ ...leaf, vlaue: 'b' }, 'rules.0.when.vlaue'],
      [{ all: [{ ...leaf, vlaue: 'b' }] }, 'rules.0.when.all.0.vlaue'],
      [{ any: [leaf], nmae: 1 }, 'rules.0.when.nmae'],
    ] as const) {
      const answer = await ada.patch(`/routing-forms/${ids['routing-forms']}`, {
        fields,
        rules: [{ when, target }],
      })
      assert.deepEqual([answer.statusCode, answer.json().error], [400, `Unknown field "${path}".`])
      assert.equal(answer.headers['error-field'], path)
    }
  })

  it('is not mentioned to those who may not change the thing, or to whom it is not there', async () => {
    const created = await ada.post('/tokens', { name: 'Reader', scopes: ['read'] })
    const reader = bearer(app, created.json().token)
    for (const route of routes) {
      const body = sampleOf(route.schema)
      put(body, Array.isArray(body) ? '0.nmae' : 'nmae')
      const statusFor = async (host: Pick<Host, 'token'>, there = true) =>
        (await send(host, route, body, there)).statusCode
      assert.equal(await statusFor({ token: 'nobody' }), 401, route.path)
      assert.equal(await statusFor(reader), 403, route.path)
      if (!route.path.includes('{id}')) continue
      assert.equal(await statusFor(ada, false), 404, route.path)
      // People are for admins of the instance alone.
      const ofInstance = route.path.includes('/people/')
      assert.equal(await statusFor(eve), ofInstance ? 403 : 404, route.path)
      const ofTeam = /\/(?:teams|event-types|messages|webhooks|routing-forms|bookings)\//.test(route.path)
      assert.equal(await statusFor(bob), ofTeam || ofInstance ? 403 : 404, route.path)
    }
    const talk = { slug: 'more', name: 'More', durationMinutes: 30, teamId: team, nmae: 1 }
    assert.equal((await bob.post('/event-types', talk)).statusCode, 403)
    assert.equal((await eve.post('/event-types', talk)).statusCode, 404)
  })
})

/** The paths of the objects within a body that have fields of their own. */
function pathsOfObjects(schema: Schema, at = ''): string[] {
  const branch = branchOf(schema)
  const inner = Object.entries(branch.properties ?? {}).flatMap(([key, part]) =>
    pathsOfObjects(part, at === '' ? key : `${at}.${key}`),
  )
  const items = branch.items === undefined ? [] : pathsOfObjects(branch.items, at === '' ? '0' : `${at}.0`)
  return [...(branch.properties !== undefined ? [at] : []), ...inner, ...items]
}

/** A body with every field, which the schema accepts. */
function sampleOf(schema: Schema): unknown {
  const branch = branchOf(schema)
  if (branch.enum !== undefined) return branch.enum[0]
  if (branch.properties !== undefined) {
    return Object.fromEntries(Object.entries(branch.properties).map(([key, part]) => [key, sampleOf(part)]))
  }
  if (branch.items !== undefined) return [sampleOf(branch.items)]
  return { string: 'a', integer: 1, number: 1, boolean: true }[branch.type ?? ''] ?? {}
}

const branchOf = (schema: Schema): Schema => (schema.anyOf?.[0] ? branchOf(schema.anyOf[0]) : schema)

function put(body: unknown, path: string): void {
  const keys = path.split('.')
  const holder = keys.slice(0, -1).reduce((inner, key) => Object(inner)[key], body)
  Object.assign(Object(holder), { [String(keys.at(-1))]: 1 })
}
