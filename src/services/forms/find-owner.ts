import { type BookableEventType, rotatingHostOf, takesTurns } from '../../domain/bookings/bookable.ts'
import { companyDomain, type OwnerRule } from '../../domain/forms/owner.ts'
import type { Route } from '../../domain/forms/route.ts'
import { DAY } from '../../domain/interval.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import { findHostsOfDomain, findHostsOfGuest } from '../../store/bookings/guests/former-hosts.ts'
import type { Context } from '../context.ts'
import type { Destination } from './get.ts'

/** The route to the host who met this guest last, or someone else of their company; undefined if none of them is offered. */
export async function findOwner(
  context: Context,
  { scheduler, eventType }: Destination,
  { days, by }: OwnerRule,
  email: string,
): Promise<Route | undefined> {
  const bookable = await context.slots.getBookable(scheduler.slug, eventType.slug)
  const now = context.now()
  const period = { since: now - days * DAY, now }
  const within = days === 1 ? 'the last day' : `the last ${days} days`
  const route = (hostId: string, whom: string): Route => ({
    eventTypeId: eventType.id,
    hostIds: [hostId],
    reason: 'owner',
    detail: `Met ${whom} in ${within}.`,
  })
  const own = await findHostsOfGuest(context.db, guestKey(email), period)
  const first = await firstOffered(context, bookable, own)
  if (first !== undefined) return route(first, 'this guest')
  const domain = by === 'domain' ? companyDomain(email) : undefined
  if (domain === undefined) return undefined
  const theirs = await findHostsOfDomain(context.db, domain, period)
  const next = await firstOffered(context, bookable, theirs)
  return next === undefined ? undefined : route(next, `someone at ${domain}`)
}

/** The first of these hosts who takes turns at this event type and has a free time. */
export async function firstOffered(
  { slots }: Context,
  bookable: BookableEventType,
  hostIds: readonly string[],
): Promise<string | undefined> {
  if (!takesTurns(bookable)) return undefined
  for (const hostId of hostIds) {
    const group = bookable.groups.find((one) => rotatingHostOf(one) === hostId)
    if (group !== undefined && (await slots.hasStart(bookable, [group]))) return hostId
  }
  return undefined
}
