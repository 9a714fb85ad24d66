import assert from 'node:assert/strict'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { NO_VERSION } from '../src/domain/calendars/calendar.ts'
import { HOUR } from '../src/domain/interval.ts'
import { NOTHING } from '../src/domain/sentence.ts'
import { insertCalendar } from '../src/store/calendars/calendars.ts'
import { insertConnection } from '../src/store/calendars/connections.ts'
import type { Db } from '../src/store/engine/database.ts'
import { newId } from '../src/store/new-id.ts'
import { insertInvitation } from '../src/store/people/invitations.ts'
import type { Host } from './host-api.ts'
import { bookingOf, fromSomeoneNew, MONDAY_NOON, plainEventType } from './kit.ts'
import { PNG } from './pictures.ts'
import { addWebhook } from './webhooks.ts'

export const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR

/** What no export may hold. */
export const SECRETS = ['sealed-secret', 'sealed-password', 'sealed-tokens']

const talk = { durationMinutes: 60, noticeMinutes: 0, abuse: plainEventType().abuse }

/** Gives a host one of everything that an account can have. */
export async function settle(app: FastifyInstance, db: Db, host: Host): Promise<void> {
  const { id: userId, slug } = host.user
  const make = async (path: string, body: object) => {
    const made = await host.post(path, body)
    assert.ok(made.statusCode < 300, made.body)
    return made.json()
  }
  const image = await app.inject({
    method: 'POST',
    url: '/api/admin/images',
    payload: PNG,
    headers: { authorization: `Bearer ${host.token}`, 'content-type': 'image/png' },
  })
  assert.equal(image.statusCode, 201, image.body)
  const page = { name: `Name of ${slug}`, bio: `Bio of ${slug}`, avatarUrl: image.json().url }
  assert.equal((await host.patch('/me', page)).statusCode, 200)
  const eventType = await make('/event-types', { slug: 'talk', name: 'Talk', ...talk })
  await make('/absences', { startDate: '2027-03-01', endDate: '2027-03-02', note: 'Away' })
  await make('/routing-forms', {
    slug: 'contact',
    name: 'Contact',
    fields: [{ id: 'note', label: 'Your note', type: 'textarea', required: false, options: [] }],
    rules: [],
    fallback: { action: 'routeToEvent', eventTypeId: eventType.id },
    abuse: { honeypot: false, captcha: '', blocklist: [] },
  })
  await make('/blocklist', { entry: 'blocked.example' })
  await make('/tokens', { name: `Token of ${slug}`, scopes: ['read'] })
  await make('/me/calendar-feed', {})
  await addWebhook(db, { id: userId }, { url: `https://hooks.example/${slug}`, secret: 'sealed-secret' })
  await db.transaction().execute(async (trx) => {
    const connection = {
      id: newId(),
      userId,
      provider: 'google' as const,
      subject: `subject-${slug}`,
      account: `${slug}@provider.example`,
      sealedTokens: 'sealed-tokens',
      expiresAt: 0,
      tokenRevision: 0,
      status: 'ok' as const,
      lastError: NOTHING,
      createdAt: MONDAY_NOON,
    }
    await insertConnection(trx, connection)
    await insertCalendar(trx, {
      ...NO_VERSION,
      id: newId(),
      userId,
      kind: 'caldav',
      connectionId: null,
      externalId: '',
      notices: 0,
      name: `Calendar of ${slug}`,
      url: `https://calendar.example/${slug}/`,
      username: slug,
      sealedPassword: 'sealed-password',
      busy: false,
      tentative: 'busy',
      writeTo: false,
      writable: true,
      createdAt: MONDAY_NOON,
      refreshedAt: null,
      nextRefreshAt: MONDAY_NOON,
      failures: 0,
      lastError: NOTHING,
      skipped: 0,
    })
    await insertInvitation(trx, {
      id: newId(),
      email: `invited-by-${slug}@guests.example`,
      teamId: null,
      role: 'member',
      invitedBy: userId,
      tokenHash: null,
      createdAt: MONDAY_NOON,
      expiresAt: MONDAY_NOON + 24 * HOUR,
    })
  })
}

/** A team of the first host, which the others join, with an event type that all of them host. Returns its id. */
export async function addTeamOf(
  db: Db,
  owner: Host,
  others: readonly Host[],
  assignment: 'collective' | 'round-robin' = 'collective',
): Promise<string> {
  const { slug } = owner.user
  const made = await owner.post('/teams', { slug: `${slug}-team`, name: `Team of ${slug}` })
  assert.equal(made.statusCode, 201, made.body)
  const { id } = made.json()
  for (const { user } of others) {
    const row = { team_id: id, user_id: user.id, role: 'member' as const, created_at: MONDAY_NOON }
    await db.insertInto('team_members').values(row).execute()
  }
  const hosts = [owner, ...others].map(({ user }) => ({ userId: user.id, fixed: false }))
  const eventType = { teamId: id, slug: 'panel', name: 'Panel', assignment, hosts, ...talk }
  const added = await owner.post('/event-types', eventType)
  assert.equal(added.statusCode, 201, added.body)
  return id
}

/** Books an hour of `owner/event-type` as a guest does. */
export function bookHour(
  app: FastifyInstance,
  path: string,
  start: number,
  given: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: `/api/public/scheduling/${path}/book`,
    payload: bookingOf(plainEventType({ durationMinutes: 60 }), start, given),
    headers: fromSomeoneNew(),
  })
}
