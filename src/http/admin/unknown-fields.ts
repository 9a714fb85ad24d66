import type { FastifyRequest } from 'fastify'
import { getBooking } from '../../services/bookings/reports/list.ts'
import { getCalendar } from '../../services/calendars/calendars.ts'
import type { Context } from '../../services/context.ts'
import { getAbsence } from '../../services/event-types/absences.ts'
import { getEventType } from '../../services/event-types/event-types.ts'
import { getSchedule } from '../../services/event-types/schedules.ts'
import { getOwnForm } from '../../services/forms/forms.ts'
import { getImport } from '../../services/imports/imports.ts'
import { getMessage } from '../../services/messages/messages.ts'
import { getId, requireInstanceAdmin, requireRole } from '../../services/people/access.ts'
import { getPerson } from '../../services/people/people.ts'
import { getPasskey } from '../../services/people/sign-in/passkeys.ts'
import type { Principal } from '../../services/people/sign-in/principal.ts'
import { getMember } from '../../services/people/teams/members.ts'
import { getOwnWebhook } from '../../services/webhooks/webhooks.ts'
import { principalOf } from './principal.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

const CLOSED = new WeakMap<Schema, Schema>()

/** The schema of a body without unknown fields, nested ones included. Always the same object, to be compiled once. */
export function closed(schema: Schema): Schema {
  return CLOSED.getOrInsertComputed(schema, close)
}

function close(schema: Schema): Schema {
  const { properties, items, anyOf, patternProperties } = schema
  const each = (parts: Readonly<Record<string, Schema>>) =>
    Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, closed(part)]))
  return {
    ...(properties && { additionalProperties: false }),
    ...schema,
    ...(properties && { properties: each(properties) }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
  }
}

/**
 * Throws what the request would be answered without its unknown field, if that is 403 or 404.
 *
 * Schemas are checked before the services decide who may do what, so a stranger would learn of a typo first.
 */
export async function requireAccess(context: Context, request: FastifyRequest): Promise<void> {
  const principal = principalOf(request)
  const [collection = ''] = (request.routeOptions.url ?? '').replace('/api/admin/', '').split('/')
  const params = request.params as Readonly<Record<string, string>>
  const { teamId, eventTypeId } = Object(request.body) as Readonly<Record<string, unknown>>
  if (params.id !== undefined) await OF_COLLECTION[collection]?.(context, principal, params.id, params.userId)
  else if (typeof teamId === 'string') await requireAdmin(context, principal, teamId)
  else if (collection === 'system') requireInstanceAdmin(principal)
  else if (typeof eventTypeId === 'string') await requireHost(context, principal, eventTypeId)
}

type RequireAccess = (context: Context, principal: Principal, id: string, memberId?: string) => Promise<void>

const requireAdmin: RequireAccess = async ({ db }, principal, id) =>
  requireRole(db, principal, getId(id), 'admin')

/** Hosts of an event type may book it for guests. */
const requireHost: RequireAccess = async (context, principal, id) => {
  const { eventType, hosts } = await getEventType(context.db, principal, id)
  if (hosts.some(({ hostId }) => hostId === principal.userId)) return
  await requireAdmin(context, principal, eventType.schedulerId)
}

const OF_COLLECTION: Readonly<Record<string, RequireAccess>> = {
  absences: async (context, principal, id) => void (await getAbsence(context, principal, id)),
  bookings: async (context, principal, id) => {
    const { hostIds, schedulerId } = await getBooking(context, principal, id)
    if (!hostIds.includes(principal.userId)) await requireAdmin(context, principal, schedulerId)
  },
  calendars: async ({ db }, principal, id) => void (await getCalendar(db, principal, id)),
  'event-types': async (context, principal, id) => {
    const { eventType } = await getEventType(context.db, principal, id)
    await requireAdmin(context, principal, eventType.schedulerId)
  },
  imports: async (context, principal, id) => void (await getImport(context, principal, id)),
  messages: async ({ db }, principal, id) => {
    const { schedulerId } = await getMessage(db, principal, id)
    await requireRole(db, principal, schedulerId, 'admin')
  },
  me: async ({ db }, principal, id) => void (await getPasskey(db, principal, id)),
  people: async (context, principal, id) => void (await getPerson(context, principal, id)),
  'routing-forms': async (context, principal, id) => {
    const { schedulerId } = await getOwnForm(context.db, principal, id)
    await requireAdmin(context, principal, schedulerId)
  },
  schedules: async ({ db }, principal, id) => void (await getSchedule(db, principal, id)),
  teams: async (context, principal, id, memberId) => {
    await requireAdmin(context, principal, id)
    if (memberId !== undefined) await getMember(context.db, principal, id, memberId)
  },
  webhooks: async ({ db }, principal, id) => void (await getOwnWebhook(db, principal, id)),
}
