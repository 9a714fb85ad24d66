import { isDeepStrictEqual } from 'node:util'
import type { PageRequest } from '../../domain/cursor.ts'
import { checkEventType, EVENT_TYPE_DEFAULTS, type EventType } from '../../domain/event-types/event-type.ts'
import { type GivenLocations, withLocations } from '../../domain/event-types/location.ts'
import { slugTaken } from '../../domain/people/slug.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findAnyCalendar } from '../../store/calendars/calendars.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import {
  countBookings,
  deleteEventType,
  findAllHostSeats,
  findEventTypeById,
  findEventTypePage,
  findEventTypes,
  findHostSeats,
  type HostSeat,
  insertEventType,
  isEventSlugInUse,
  isEventSlugTaken,
  replaceHosts,
  updateEventType,
  updatePositions,
} from '../../store/event-types/event-types.ts'
import { findSchedule } from '../../store/event-types/schedules.ts'
import { findFormsRoutingTo } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'
import { findRole } from '../../store/people/members.ts'
import { moveSlug } from '../../store/people/old-slugs.ts'
import { bumpRevisions } from '../../store/people/schedulers.ts'
import { change, changedFields, type VersionOf } from '../change.ts'
import { checkCaptchaKeys } from '../check-captcha.ts'
import type { Context } from '../context.ts'
import { accountOf } from '../payments/accounts.ts'
import { getId, isId, listedSchedulers, notFound, readIdPage, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { checkLinkProviders } from './link-providers.ts'

/** An event type with its hosts, as the host API shows it. */
export interface ManagedEventType {
  readonly eventType: EventType
  readonly hosts: readonly Required<HostSeat>[]
}

export type EventTypeInput = Partial<Omit<EventType, 'id' | 'schedulerId' | keyof GivenLocations>> &
  GivenLocations

/** Undefined: hosts stay as they are; a user's new event type has the user, and a team's has none. */
export interface GivenHosts {
  readonly hosts?: readonly HostSeat[] | undefined
}

/** Event types of the user and their teams, or of one of them. */
export async function listEventTypes(
  context: Context,
  principal: Principal,
  ownerId: string | undefined,
  page: PageRequest,
): Promise<ManagedEventType[]> {
  const owners = await listedSchedulers(context.db, principal, ownerId)
  const found = await findEventTypePage(context.db, owners, readIdPage(page))
  const hosts = await findAllHostSeats(
    context.db,
    found.map(({ id }) => id),
  )
  return found.map((eventType) => ({ eventType, hosts: hosts.get(eventType.id) ?? [] }))
}

export async function getEventType(db: Db, principal: Principal, id: string): Promise<ManagedEventType> {
  const eventType = await findEventTypeById(db, getId(id))
  if (eventType === undefined) throw notFound()
  await requireRole(db, principal, eventType.schedulerId, 'member')
  return withHosts(db, eventType)
}

export async function createEventType(
  context: Context,
  principal: Principal,
  ownerId: string,
  { hosts, ...input }: EventTypeInput & Pick<EventType, 'slug' | 'name' | 'durationMinutes'> & GivenHosts,
): Promise<ManagedEventType> {
  return change(context, principal, getId(ownerId), async (trx) => {
    await requireRole(trx, principal, ownerId, 'admin')
    const eventType: EventType = {
      ...EVENT_TYPE_DEFAULTS,
      ...input,
      ...withLocations(EVENT_TYPE_DEFAULTS, input),
      id: newId(),
      schedulerId: ownerId,
    }
    const seats = hosts ?? (ownerId === principal.userId ? [{ hostId: ownerId, fixed: true }] : [])
    checkLinkProviders(context, eventType)
    checkCaptchaKeys(context, eventType)
    await check(trx, eventType, seats)
    await checkAccount(trx, eventType)
    await refuseTakenSlug(trx, eventType)
    await insertEventType(trx, eventType, seats)
    const audit = { ...about(eventType), action: 'created', changes: Object.keys(input) }
    return { result: await withHosts(trx, eventType), audit, affects: affectedBy(eventType, seats) }
  })
}

export async function changeEventType(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<ManagedEventType>,
  { hosts, ...input }: EventTypeInput & GivenHosts,
): Promise<ManagedEventType> {
  const { eventType: found } = await getEventType(context.db, principal, id)
  return change(context, principal, found.schedulerId, async (trx) => {
    const before = await getEventType(trx, principal, id)
    await requireRole(trx, principal, found.schedulerId, 'admin')
    expect(before)
    const after: EventType = {
      ...before.eventType,
      ...input,
      ...withLocations(before.eventType, input),
      id: found.id,
      schedulerId: found.schedulerId,
    }
    const seats = hosts ?? before.hosts
    checkLinkProviders(context, after, before.eventType)
    checkCaptchaKeys(context, after, before.eventType)
    await check(trx, after, seats)
    await checkAccount(trx, after, before.eventType)
    const isRenamed = after.slug !== before.eventType.slug
    if (isRenamed) await refuseTakenSlug(trx, after)
    await updateEventType(trx, after)
    if (isRenamed) {
      await moveSlug(trx, {
        kind: 'event-type',
        scope: after.schedulerId,
        targetId: after.id,
        from: before.eventType.slug,
        to: after.slug,
      })
    }
    if (hosts !== undefined) await replaceHosts(trx, after.id, hosts)
    const fields = changedFields(before.eventType, after)
    const audit = {
      ...about(after),
      action: 'updated',
      changes: hosts === undefined ? fields : [...fields, 'hosts'],
    }
    const affects = affectedBy(after, [...before.hosts, ...seats])
    return { result: await withHosts(trx, after), audit, affects }
  })
}

/** Puts all event types of an owner into this order. */
export async function orderEventTypes(
  context: Context,
  principal: Principal,
  ownerId: string,
  ids: readonly string[],
): Promise<void> {
  await change(context, principal, getId(ownerId), async (trx) => {
    await requireRole(trx, principal, ownerId, 'admin')
    const before = await findEventTypes(trx, ownerId)
    const known = new Set(before.map(({ id }) => id))
    if (ids.length !== known.size || !new Set(ids).isSubsetOf(known) || new Set(ids).size !== ids.length) {
      const reason = sentence`The order must name each event type of the owner once. Load the list again.`
      throw new Problem('invalid', reason, { field: 'ids' })
    }
    await updatePositions(trx, ids)
    const moved = ids.find((id, at) => before[at]?.id !== id) ?? ids[0] ?? ownerId
    const audit = { schedulerId: ownerId, objectType: 'event-type', objectId: moved }
    return { result: undefined, audit: { ...audit, action: 'updated', changes: ['position'] }, affects: [] }
  })
}

/** Copies an event type under a new slug. The copy is hidden. */
export async function cloneEventType(
  context: Context,
  principal: Principal,
  id: string,
): Promise<ManagedEventType> {
  const { eventType: source } = await getEventType(context.db, principal, id)
  return change(context, principal, source.schedulerId, async (trx) => {
    const { eventType, hosts } = await getEventType(trx, principal, id)
    await requireRole(trx, principal, source.schedulerId, 'admin')
    const copy: EventType = {
      ...eventType,
      id: newId(),
      slug: await freeSlug(trx, eventType),
      name: `${eventType.name} (copy)`,
      hidden: true,
      position: eventType.position + 1,
    }
    // A copy owes no one anything yet.
    const seats = hosts.map((host) => ({ ...host, balance: 0 }))
    await insertEventType(trx, copy, seats)
    const audit = { ...about(copy), action: 'created', changes: ['clone'] }
    return { result: await withHosts(trx, copy), audit, affects: affectedBy(copy, hosts) }
  })
}

export async function removeEventType(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<ManagedEventType>,
): Promise<void> {
  const { eventType: found } = await getEventType(context.db, principal, id)
  await change(context, principal, found.schedulerId, async (trx) => {
    const current = await getEventType(trx, principal, id)
    await requireRole(trx, principal, found.schedulerId, 'admin')
    expect(current)
    // Waits for bookings under way, and makes those after it look again: no booking may lose its event type.
    await bumpRevisions(
      trx,
      current.hosts.map(({ hostId }) => hostId),
    )
    const bookings = await countBookings(trx, found)
    if (bookings > 0) {
      throw new Problem(
        'in_use',
        bookings === 1
          ? sentence`This event type has 1 booking, which would be lost. Hide it instead.`
          : sentence`This event type has ${bookings} bookings, which would be lost. Hide it instead.`,
      )
    }
    const forms = await findFormsRoutingTo(trx, found.id)
    if (forms.length > 0) throw new Problem('in_use', sentence`These forms send visitors to it: ${forms}.`)
    await deleteEventType(trx, found.id)
    const audit = { ...about(found), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: affectedBy(found, current.hosts) }
  })
}

export async function check(db: Db, eventType: EventType, hosts: readonly HostSeat[]): Promise<void> {
  checkEventType(eventType)
  for (const [index, { hostId, weight = 1 }] of hosts.entries()) {
    const field = `hosts.${index}.userId`
    if (!isId(hostId)) throw invalidField(field, sentence`{field} must be the id of a user.`)
    if (hosts.findIndex((host) => host.hostId === hostId) < index) {
      throw new Problem('invalid', sentence`Each host can be added only once.`, { field })
    }
    const mayHost =
      hostId === eventType.schedulerId || (await findRole(db, eventType.schedulerId, hostId)) !== undefined
    if (!mayHost) throw new Problem('invalid', sentence`Hosts must be members of the team.`, { field })
    if (!Number.isInteger(weight) || weight < 1 || weight > 100) {
      throw invalidField(
        `hosts.${index}.weight`,
        sentence`{field} must be a whole number from ${1} to ${100}.`,
      )
    }
  }
  await checkWriteTo(db, eventType, hosts)
  if (eventType.scheduleId === null) return
  const { scheduleId } = eventType
  const owners = isId(scheduleId) ? hosts.map(({ hostId }) => findSchedule(db, hostId, scheduleId)) : []
  if (!(await Promise.all(owners)).some((schedule) => schedule !== undefined)) {
    throw invalidField('scheduleId', sentence`{field} must belong to one of the hosts.`)
  }
}

/**
 * Throws `invalid` if nobody could be paid. A price that was there before may stay: an imported one has no account yet,
 * and nothing is booked meanwhile.
 */
export async function checkAccount(
  db: Db,
  { schedulerId, price }: EventType,
  before?: EventType,
): Promise<void> {
  if (price === null || isDeepStrictEqual(price, before?.price)) return
  if ((await accountOf(db, schedulerId)) !== undefined) return
  const reason = sentence`Connect an account that gets the money first. Then set a price.`
  throw new Problem('invalid', reason, { field: 'price' })
}

/** Throws `invalid` unless bookings can be added to the chosen calendar. */
async function checkWriteTo(
  db: Db,
  { writeToCalendarId }: EventType,
  hosts: readonly HostSeat[],
): Promise<void> {
  if (writeToCalendarId === null) return
  const calendar = isId(writeToCalendarId) ? await findAnyCalendar(db, writeToCalendarId) : undefined
  if (calendar === undefined || !hosts.some(({ hostId }) => hostId === calendar.userId)) {
    throw invalidField('writeToCalendarId', sentence`{field} must belong to one of the hosts.`)
  }
  if (!calendar.writable) {
    const reason =
      calendar.connectionId === null
        ? sentence`Bookings can’t be added to a feed. Choose another calendar.`
        : sentence`Bookings can’t be added to a calendar that you can only read. Choose another calendar.`
    throw new Problem('invalid', reason, { field: 'writeToCalendarId' })
  }
}

async function refuseTakenSlug(trx: Trx, { schedulerId, slug }: EventType): Promise<void> {
  if (await isEventSlugTaken(trx, schedulerId, slug)) {
    throw slugTaken(slug)
  }
}

async function freeSlug(trx: Trx, { schedulerId, slug }: EventType): Promise<string> {
  for (let number = 2; ; number++) {
    const input = `${slug.slice(0, 58)}-${number}`
    if (!(await isEventSlugInUse(trx, schedulerId, input))) return input
  }
}

async function withHosts(db: Db, eventType: EventType): Promise<ManagedEventType> {
  return { eventType, hosts: await findHostSeats(db, eventType.id) }
}

const affectedBy = ({ schedulerId }: EventType, hosts: readonly HostSeat[]) => [
  ...new Set([schedulerId, ...hosts.map(({ hostId }) => hostId)]),
]

const about = ({ id, schedulerId }: EventType) => ({ schedulerId, objectType: 'event-type', objectId: id })
