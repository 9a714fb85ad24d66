import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noSuchEventType } from '../../../domain/bookings/bookable.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Context } from '../../../services/context.ts'
import { getEventType, listEventTypes } from '../../../services/event-types/event-types.ts'
import { getProfile } from '../../../services/people/get-profile.ts'
import { getMe } from '../../../services/people/me.ts'
import type { Principal } from '../../../services/people/sign-in/principal.ts'
import { success } from './envelope.ts'
import { type OwnedEventType, toEventType, toOlderEventType } from './event-type-views.ts'
import { findPrincipal, type Query, requirePrincipal, textIn } from './request.ts'
import { isSince } from './versions.ts'

const ALL = 200

/** What can be booked: all of one's own, or what anyone may see of a user or team. */
export function addEventTypeRoutes(app: FastifyInstance, { context }: { readonly context: Context }): void {
  app.get('/event-types', async (request) => list(context, request))
  app.get('/event-types/:id', async (request) => success(await show(context, request)))
}

async function list(context: Context, request: FastifyRequest) {
  const found = await find(context, request)
  if (isSince(request, '2024-06-14')) {
    return success(await Promise.all(found.map((one) => toEventType(context, one))))
  }
  const groups = [...Map.groupBy(found, ({ owner }) => owner.id).values()]
  return success({
    eventTypeGroups: await Promise.all(
      groups.map(async (group) => {
        const owner = group[0]?.owner as Scheduler
        const isTeam = owner.kind === 'team'
        return {
          teamId: isTeam ? await context.numbers.of('team', owner.id) : null,
          bookerUrl: context.publicUrl,
          profile: { slug: owner.slug, name: owner.name, image: null },
          metadata: { membershipCount: 1, readOnly: false },
          eventTypes: await Promise.all(group.map((one) => toOlderEventType(context, one))),
        }
      }),
    ),
    profiles: groups.map((group) => ({ slug: group[0]?.owner.slug, name: group[0]?.owner.name })),
  })
}

/** Of a user or team without a token, what their page shows. */
async function find(context: Context, request: FastifyRequest): Promise<OwnedEventType[]> {
  const query = request.query as Query
  const slug =
    textIn(query, 'username') ?? textIn(query, 'usernames')?.split(',')[0] ?? textIn(query, 'teamSlug')
  const eventSlug = textIn(query, 'eventSlug') ?? textIn(query, 'eventTypeSlug')
  const fits = ({ eventType }: OwnedEventType) => eventSlug === undefined || eventType.slug === eventSlug
  if (slug === undefined)
    return (await findOwn(context, await requirePrincipal(context, request))).filter(fits)
  const principal = await findPrincipal(context, request)
  const me = principal && (await getMe(context, principal))
  const own = me && [me.user, ...me.teams.map(({ team }) => team)].find((one) => one.slug === slug)
  if (principal !== undefined && own !== undefined) {
    return (await findOwn(context, principal)).filter((one) => one.owner.id === own.id && fits(one))
  }
  const profile = await getProfile(context, slug.toLowerCase()).catch((error) => {
    // There, nobody has no event types.
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  })
  return (profile?.eventTypes ?? [])
    .map((eventType) => ({
      eventType,
      owner: profile?.scheduler as Scheduler,
      hostIds: [],
      isOwn: false,
    }))
    .filter(fits)
}

async function findOwn(context: Context, principal: Principal): Promise<OwnedEventType[]> {
  const [{ user, teams }, found] = await Promise.all([
    getMe(context, principal),
    listEventTypes(context, principal, undefined, { limit: ALL }),
  ])
  const owners = new Map<string, Scheduler>(
    [user, ...teams.map(({ team }) => team)].map((one) => [one.id, one]),
  )
  return found.flatMap(({ eventType, hosts }) => {
    const owner = owners.get(eventType.schedulerId)
    return owner === undefined
      ? []
      : [{ eventType, owner, hostIds: hosts.map(({ hostId }) => hostId), isOwn: true }]
  })
}

async function show(context: Context, request: FastifyRequest) {
  const principal = await requirePrincipal(context, request)
  const id = await context.numbers.idOf('event-type', Number((request.params as { id: string }).id))
  if (id === undefined) throw noSuchEventType()
  const { eventType, hosts } = await getEventType(context.db, principal, id)
  const { user, teams } = await getMe(context, principal)
  const owner = [user, ...teams.map(({ team }) => team)].find((one) => one.id === eventType.schedulerId)
  if (owner === undefined) throw noSuchEventType()
  const found = { eventType, owner, hostIds: hosts.map(({ hostId }) => hostId), isOwn: true }
  return isSince(request, '2024-06-14')
    ? toEventType(context, found)
    : { eventType: await toOlderEventType(context, found) }
}
