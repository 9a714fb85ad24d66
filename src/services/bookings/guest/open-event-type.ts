import { type BookableEventType, openedBy } from '../../../domain/bookings/bookable.ts'
import { startAgain } from '../../../domain/bookings/decisions/booking-rules.ts'
import { deadLink } from '../../../domain/bookings/decisions/refusals.ts'
import { type AccessTokens, type GuestAccess, isInvited } from '../../../domain/bookings/guest-access.ts'
import { endOf, type PrivateLink } from '../../../domain/bookings/private-link.ts'
import { isUnspent } from '../../../domain/forms/route.ts'
import { findPrivateLinkByToken } from '../../../store/bookings/private-links.ts'
import { findEventTypeById } from '../../../store/event-types/event-types.ts'
import { findRoutedResponse } from '../../../store/forms/forms.ts'
import { findScheduler } from '../../../store/people/schedulers.ts'
import type { Context } from '../../context.ts'
import { readRoutingToken } from '../../forms/routing-token.ts'
import { hashSecret } from '../../secret.ts'
import type { ListingQuery } from '../../slots/listings.ts'

/** An event type as a guest sees it, and what they came with. */
export interface OpenedEventType {
  readonly bookable: BookableEventType
  readonly access: GuestAccess
}

/** Opens the event type at these slugs; throws `not_found`, or `start_again` if the form's token is not good for it. */
export async function openEventType(
  context: Context,
  userSlug: string,
  eventSlug: string,
  tokens: AccessTokens = {},
): Promise<OpenedEventType> {
  const bookable = await context.slots.getBookable(userSlug, eventSlug)
  if (tokens.link === undefined && tokens.routing === undefined) {
    return { bookable: openedBy(bookable, {}), access: {} }
  }
  const access = checkAccess(await findAccess(context, tokens), tokens, bookable, context.now())
  return { bookable: openedBy(bookable, access), access }
}

/**
 * The same for booking: from settings that may be a minute old, since they are compared under the lock.
 *
 * A repeated request finds its answer even if the first one spent the last use, so there the lock decides.
 */
export async function openToBook(
  context: Context,
  userSlug: string,
  eventSlug: string,
  tokens: AccessTokens,
  isRepeatable: boolean,
): Promise<OpenedEventType> {
  if (tokens.link === undefined && tokens.routing === undefined) {
    const known = await context.slots.getBookableToVerify(userSlug, eventSlug)
    const bookable = known.eventType.linkOnly ? await context.slots.getBookable(userSlug, eventSlug) : known
    return { bookable: openedBy(bookable, {}), access: {} }
  }
  const [known, found] = await Promise.all([
    context.slots.getBookableToVerify(userSlug, eventSlug),
    findAccess(context, tokens),
  ])
  const access = checkAccess(found, tokens, known, isRepeatable ? undefined : context.now())
  return { bookable: openedBy(known, access), access }
}

/** Slots as JSON bytes. Those of guests with a link or answers to a form are never cached: they would outlive it. */
export function listSlots(
  context: Context,
  { bookable, access }: OpenedEventType,
  query: ListingQuery,
  key: string,
): Uint8Array | Promise<Uint8Array> {
  if (isInvited(access)) return context.slots.listFrom(bookable, query)
  return context.slots.list(bookable.scheduler.slug, bookable.eventType.slug, query, { key })
}

/** Where the page of a private link is; throws `not_found`. */
export async function findLinkedPath(context: Context, token: string): Promise<string> {
  const link = await findPrivateLinkByToken(context.db, hashSecret(token))
  if (link === undefined) throw deadLink(undefined)
  const end = endOf(link, context.now())
  if (end !== undefined) throw deadLink(end)
  const { scheduler, eventType } = (await findLinked(context, link)) ?? {}
  if (scheduler === undefined) throw deadLink(undefined)
  return `/${scheduler.slug}/${eventType?.slug}`
}

/** A link that no longer works, and whose it is; undefined if it still works, or is unknown. */
export async function findEndedLink(context: Context, token: string) {
  const link = await findPrivateLinkByToken(context.db, hashSecret(token))
  if (link === undefined) return undefined
  const end = endOf(link, context.now())
  if (end === undefined) return undefined
  const linked = await findLinked(context, link)
  return linked && { end, ...linked }
}

async function findLinked({ db }: Context, { eventTypeId }: PrivateLink) {
  const eventType = await findEventTypeById(db, eventTypeId)
  const scheduler = eventType && (await findScheduler(db, eventType.schedulerId))
  return scheduler && { eventType, scheduler }
}

async function findAccess(context: Context, { link, routing }: AccessTokens): Promise<GuestAccess> {
  const responseId = routing === undefined ? undefined : readRoutingToken(context, routing)
  const [foundLink, routed] = await Promise.all([
    link === undefined ? undefined : findPrivateLinkByToken(context.db, hashSecret(link)),
    responseId === undefined ? undefined : findRoutedResponse(context.db, responseId),
  ])
  return { link: foundLink, routed }
}

/** Throws unless everything that the guest came with is good for this event type, and at `now` if that is given. */
function checkAccess(
  access: GuestAccess,
  tokens: AccessTokens,
  { eventType }: BookableEventType,
  now: number | undefined,
): GuestAccess {
  const { link, routed } = access
  if (tokens.link !== undefined) {
    if (link?.eventTypeId !== eventType.id) throw deadLink(undefined)
    const end = now === undefined ? undefined : endOf(link, now)
    if (end !== undefined) throw deadLink(end)
  }
  if (tokens.routing !== undefined) {
    if (routed?.route.eventTypeId !== eventType.id) throw startAgain()
    if (now !== undefined && !isUnspent(routed, now)) throw startAgain()
  }
  return access
}
