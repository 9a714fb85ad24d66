import { isUsable, type PrivateLink } from '../../domain/bookings/private-link.ts'
import { Problem } from '../../domain/problem.ts'
import { findPrivateLinkByToken } from '../../store/bookings/private-links.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { type BookableEventType, throughLink } from '../slots/bookable.ts'
import type { ListingQuery } from '../slots/listings.ts'
import { hashOf } from './private-links.ts'

/** An event type as a guest sees it, and the private link that they came with. */
export interface OpenedEventType {
  readonly bookable: BookableEventType
  readonly link: PrivateLink | undefined
}

/** Opens the event type at these slugs, through a private link if there is a token; throws `not_found`. */
export async function openEventType(
  context: Context,
  userSlug: string,
  eventSlug: string,
  token?: string,
): Promise<OpenedEventType> {
  const bookable = await context.slots.getBookable(userSlug, eventSlug)
  const link = token === undefined ? undefined : await getUsableLink(context, bookable, token)
  return { bookable: throughLink(bookable, link), link }
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
  token: string | undefined,
  isRepeatable: boolean,
): Promise<OpenedEventType> {
  const [known, found] = await Promise.all([
    context.slots.getBookableToVerify(userSlug, eventSlug),
    token === undefined ? undefined : findPrivateLinkByToken(context.db, hashOf(token)),
  ])
  if (token === undefined) {
    const bookable = known.eventType.linkOnly ? await context.slots.getBookable(userSlug, eventSlug) : known
    return { bookable: throughLink(bookable, undefined), link: undefined }
  }
  const link = checkLink(found, known, isRepeatable ? undefined : context.now())
  return { bookable: throughLink(known, link), link }
}

/** Slots as JSON bytes. Those through a link are never cached: they would outlive the link. */
export function listSlots(
  context: Context,
  { bookable, link }: OpenedEventType,
  query: ListingQuery,
  key: string,
): Uint8Array | Promise<Uint8Array> {
  if (link !== undefined) return context.slots.listFrom(bookable, query)
  return context.slots.list(bookable.scheduler.slug, bookable.eventType.slug, query, { key })
}

/** Where the page of a private link is; throws `not_found`. */
export async function findLinkedPath(context: Context, token: string): Promise<string> {
  const link = await findPrivateLinkByToken(context.db, hashOf(token))
  if (link === undefined || !isUsable(link, context.now())) throw deadLink()
  const eventType = await findEventTypeById(context.db, link.eventTypeId)
  const scheduler = eventType && (await findScheduler(context.db, eventType.schedulerId))
  if (scheduler === undefined) throw deadLink()
  return `/${scheduler.slug}/${eventType?.slug}`
}

async function getUsableLink(
  { db, now }: Context,
  bookable: BookableEventType,
  token: string,
): Promise<PrivateLink> {
  return checkLink(await findPrivateLinkByToken(db, hashOf(token)), bookable, now())
}

function checkLink(
  link: PrivateLink | undefined,
  { eventType }: BookableEventType,
  now: number | undefined,
): PrivateLink {
  if (link?.eventTypeId !== eventType.id) throw deadLink()
  if (now !== undefined && !isUsable(link, now)) throw deadLink()
  return link
}

export const deadLink = () =>
  new Problem('not_found', 'This link has expired or was already used. Please ask the host for a new one.')
