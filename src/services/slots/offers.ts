import { type EventType, slotRules } from '../../domain/event-types/event-type.ts'
import { DAY, type Interval } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import type { BusyElsewhere, HostCalendar, SlotRules } from '../../domain/slots/openings.ts'
import { findBlockedEntries } from '../../store/bookings/blocked-guests.ts'
import type { TakenTime } from '../../store/bookings/bookings.ts'
import type { Db } from '../../store/engine/database.ts'
import { findAbsences } from '../../store/event-types/absences.ts'
import { type EventTypeHost, findEventType, findEventTypeHosts } from '../../store/event-types/event-types.ts'
import { findRevisionBySlug, findRevisions, findSchedulerBySlug } from '../../store/people/schedulers.ts'
import { type BusyTimeCache, readBusyTimes } from '../calendars/busy-times.ts'
import type { Context } from '../context.ts'
import { Recent } from './recent.ts'

/** An event type with everything that decides when it can be booked, except what is booked. */
export interface Offer {
  readonly scheduler: Scheduler
  readonly eventType: EventType
  readonly rules: SlotRules
  readonly hosts: readonly EventTypeHost[]
  readonly hostIds: readonly string[]
  /** Sets of hosts, any of which could take a meeting. */
  readonly groups: readonly (readonly EventTypeHost[])[]
  /** When hosts are away, by host. */
  readonly absences: ReadonlyMap<string, readonly Interval[]>
  /** What connected calendars take of the hosts' time, by host. */
  readonly elsewhere: ReadonlyMap<string, readonly BusyElsewhere[]>
  /** Addresses and domains that none of those concerned will meet. */
  readonly blocklist: readonly string[]
  /** Schedulers whose changes make this offer stale. */
  readonly dependsOn: readonly string[]
  /** What another instance has changed may be missing from here on. */
  readonly freshUntil: number
}

/** What another instance has changed is seen within a second. */
export const MAX_STALENESS = 800

interface CachedOffer {
  readonly offer: Offer
  readonly mark: number
  /** Revisions of those it depends on, none of them newer than what was read of them; empty: not known. */
  readonly revisions: ReadonlyMap<string, number>
  readonly readAt: number
}

/** However often its revisions are found unchanged, it is read anew after this long. */
const MAX_AGE = 60_000

export type OfferCache = Recent<CachedOffer>

/** About five kilobytes each. With 5,000 of them, listings of 10,000 hosts in turn were no faster, and took 20 MB more. */
const CACHED_OFFERS = 2000

export const createOfferCache = (): OfferCache => new Recent(CACHED_OFFERS)

/** The offer at these slugs, at most a second old; throws `not_found`. */
export function getOffer(context: Context, userSlug: string, eventSlug: string): Offer | Promise<Offer> {
  const cached = context.offers.get(`${userSlug}/${eventSlug}`)
  if (
    cached !== undefined &&
    context.now() < cached.offer.freshUntil &&
    context.changes.noneSince(cached.mark, cached.offer.dependsOn)
  ) {
    return cached.offer
  }
  return loadOffer(context, userSlug, eventSlug)
}

async function loadOffer(context: Context, userSlug: string, eventSlug: string): Promise<Offer> {
  if (!isSlug(userSlug) || !isSlug(eventSlug)) throw notFound()
  const key = `${userSlug}/${eventSlug}`
  const { mark } = context.changes
  const now = context.now()
  const cached = context.offers.get(key)
  if (cached !== undefined && (await isUnchanged(context, cached, now))) {
    const offer = { ...cached.offer, freshUntil: now + MAX_STALENESS }
    context.offers.set(key, { ...cached, offer })
    return offer
  }
  // Before anything else is read: a change in between makes the offer newer than its revisions, never older.
  const revision = await findRevisionBySlug(context.db, userSlug)
  const offer = await readOffer(context.db, context.busyTimes, userSlug, eventSlug, now)
  const revisions = new Map(offer.hosts.map((host) => [host.hostId, host.revision]))
  if (revision !== undefined) revisions.set(offer.scheduler.id, revision)
  // An address that its owner has left: someone may take it, and no revision that is known here would tell.
  else revisions.clear()
  context.offers.set(key, { offer, mark, revisions, readAt: now })
  return offer
}

/** Whether everything that an offer depends on is as it was when it was read: one small question instead of many. */
async function isUnchanged(context: Context, cached: CachedOffer, now: number): Promise<boolean> {
  const { offer, mark, revisions, readAt } = cached
  if (revisions.size === 0 || now >= readAt + MAX_AGE) return false
  if (!context.changes.noneSince(mark, offer.dependsOn)) return false
  const current = await findRevisions(context.db, offer.dependsOn)
  return offer.dependsOn.every((id) => revisions.has(id) && revisions.get(id) === current.get(id))
}

/** Reads the offer as it is now, past every cache; throws `not_found`. */
export async function readOffer(
  db: Db,
  busyTimes: BusyTimeCache,
  userSlug: string,
  eventSlug: string,
  now: number,
): Promise<Offer> {
  const scheduler = await findSchedulerBySlug(db, userSlug)
  if (scheduler === undefined) throw notFound()
  const eventType = await findEventType(db, scheduler.id, eventSlug)
  if (eventType === undefined) throw notFound()
  return readOfferOf(db, busyTimes, scheduler, eventType, now)
}

/** The same for an event type that has been found. */
export async function readOfferOf(
  db: Db,
  busyTimes: BusyTimeCache,
  scheduler: Scheduler,
  eventType: EventType,
  now: number,
): Promise<Offer> {
  const hosts = await findEventTypeHosts(db, eventType.id)
  const hostIds = hosts.map((host) => host.hostId)
  const dependsOn = [...new Set([scheduler.id, ...hostIds])]
  return {
    scheduler,
    eventType,
    rules: slotRules(eventType),
    hosts,
    hostIds,
    groups: groupHosts(eventType, hosts),
    absences: await findAbsences(db, hostIds, { start: now - DAY, end: Number.MAX_SAFE_INTEGER }),
    elsewhere: await readBusyTimes(db, busyTimes, hosts),
    blocklist: [...eventType.abuse.blocklist, ...(await findBlockedEntries(db, dependsOn))],
    dependsOn,
    freshUntil: now + MAX_STALENESS,
  }
}

const notFound = () => new Problem('not_found', 'There is no such event type. Check the address.')

function groupHosts(eventType: EventType, hosts: readonly EventTypeHost[]): EventTypeHost[][] {
  if (hosts.length === 0) return []
  const fixed = hosts.filter((host) => host.fixed)
  const rotating = hosts.filter((host) => !host.fixed)
  if (eventType.assignment === 'collective' || rotating.length === 0) return [[...hosts]]
  return rotating.map((host) => [...fixed, host])
}

/** The groups with what is taken of each host's time: what the rule engine wants. */
export function calendarsOf(
  offer: Offer,
  taken: readonly Pick<TakenTime, 'hostId' | 'claims'>[],
): HostCalendar[][] {
  const calendars = new Map<string, HostCalendar>()
  for (const { hostId, schedule } of offer.hosts) {
    const claims = taken.find((time) => time.hostId === hostId)?.claims ?? []
    const busy = offer.absences.get(hostId) ?? []
    calendars.set(hostId, { hostId, schedule, claims, busy, elsewhere: offer.elsewhere.get(hostId) ?? [] })
  }
  return offer.groups.map((group) => group.map(({ hostId }) => calendars.get(hostId) as HostCalendar))
}
