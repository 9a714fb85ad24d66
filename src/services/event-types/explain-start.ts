import { availabilityOf, type BookableEventType } from '../../domain/bookings/bookable.ts'
import { parseInstant } from '../../domain/instant.ts'
import { invalidField } from '../../domain/problem.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import { explainStart } from '../../domain/slots/explain.ts'
import { claimSpan, type TimeOff } from '../../domain/slots/openings.ts'
import { findTakenTime } from '../../store/bookings/bookings.ts'
import { findBusyCalendars } from '../../store/calendars/busy-times.ts'
import { findNames, findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { ofAskedLength } from '../slots/listings.ts'
import { type EventTypeDraft, readDraft } from './draft.ts'
import { getEventType } from './event-types.ts'

/** Why a start is not available, or that it is. For round robin, each group of hosts has its own reasons. */
export interface Explanation {
  readonly startsAt: number
  readonly offered: boolean
  readonly groups: readonly { readonly hostIds: readonly string[]; readonly reasons: readonly Sentence[] }[]
}

interface AskedStart {
  readonly start: string
  /** Minutes, one of those offered; undefined: the default. */
  readonly duration?: string | undefined
}

export async function explain(
  context: Context,
  principal: Principal,
  eventTypeId: string,
  asked: AskedStart,
): Promise<Explanation> {
  const { eventType } = await getEventType(context.db, principal, eventTypeId)
  const owner = await findScheduler(context.db, eventType.schedulerId)
  if (owner === undefined) throw notFound()
  return explainIn(context, principal, await context.slots.readBookable(owner, eventType), asked)
}

/** The same with settings that are not saved. */
export async function explainDraft(
  context: Context,
  principal: Principal,
  draft: EventTypeDraft,
  asked: AskedStart,
): Promise<Explanation> {
  return explainIn(context, principal, await readDraft(context, principal, draft), asked)
}

async function explainIn(
  context: Context,
  principal: Principal,
  found: BookableEventType,
  { start, duration }: AskedStart,
): Promise<Explanation> {
  const startsAt = parseInstant(start)
  if (startsAt === undefined) {
    throw invalidField('start', sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  const now = context.now()
  const bookable = ofAskedLength(found, { duration })
  const span = claimSpan(bookable.rules, { start: startsAt, end: startsAt + 1 })
  const taken = await findTakenTime(context.db, bookable.hostIds, span, bookable.rules.seats > 1)
  // Only a calendar's owner may see its name.
  const own = await findBusyCalendars(context.db, principal.userId, span)
  const busyTimes = new Map(bookable.busyTimes).set(principal.userId, own)
  const confirmed = new Set(bookable.hosts.filter((host) => host.confirmed).map(({ hostId }) => hostId))
  const available = availabilityOf({ ...bookable, busyTimes }, taken)
  const redirected = available
    .flat()
    .flatMap((host) => host.absences.flatMap((away) => away.redirectTo ?? []))
  const names = await findNames(context.db, redirected)
  const groups = available.map((group) => {
    const hosts = group.map((host) => ({
      ...host,
      absences: host.absences.map((away) => withStandIn(away, names)),
      unconfirmed: !confirmed.has(host.hostId),
    }))
    return {
      hostIds: hosts.map(({ hostId }) => hostId),
      reasons: explainStart(bookable.rules, hosts, now, startsAt),
    }
  })
  const offered = groups.some(({ reasons }) => reasons.length === 0)
  if (groups.length === 0) {
    const disabled = bookable.hosts.filter((host) => host.disabled).map(({ hostId }) => hostId)
    const reason =
      disabled.length === 0
        ? sentence`The event type has no hosts.`
        : sentence`A host’s account is disabled, and meetings need this host. Choose other hosts.`
    return { startsAt, offered, groups: [{ hostIds: disabled, reasons: [reason] }] }
  }
  return { startsAt, offered, groups }
}

function withStandIn(away: TimeOff, names: ReadonlyMap<string, string>): TimeOff {
  const standIn = away.redirectTo === undefined ? undefined : names.get(away.redirectTo)
  return standIn === undefined ? away : { ...away, standIn }
}
