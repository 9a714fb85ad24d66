import { randomBytes } from 'node:crypto'
import { checkPrivateLink, type PrivateLink } from '../../../domain/bookings/private-link.ts'
import type { PageRequest } from '../../../domain/cursor.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import {
  deletePrivateLink,
  findPrivateLink,
  findPrivateLinkPage,
  insertPrivateLink,
} from '../../../store/bookings/private-links.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findHostSeats } from '../../../store/event-types/event-types.ts'
import { newId } from '../../../store/new-id.ts'
import { change } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getEventType } from '../../event-types/event-types.ts'
import { getId, notFound, readIdPage, requireRole, seesAllBookings } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { hashSecret } from '../../secret.ts'

/** What a host says about a new link. What is left out doesn't limit it. */
export type PrivateLinkInput = Partial<
  Pick<PrivateLink, 'uses' | 'expiresAt' | 'durationMinutes' | 'hostIds' | 'answers' | 'note'>
>

/** A new link. Its token is known only now. */
interface IssuedLink {
  readonly link: PrivateLink
  readonly token: string
  readonly url: string
}

const NO_LIMITS = {
  uses: null,
  used: 0,
  expiresAt: null,
  durationMinutes: null,
  hostIds: [],
  answers: {},
  note: '',
} satisfies Partial<PrivateLink>

/** Links of an event type, oldest first. What they fill in is about guests, so not all members of a team may see it. */
export async function listPrivateLinks(
  context: Context,
  principal: Principal,
  eventTypeId: string,
  page: PageRequest,
): Promise<PrivateLink[]> {
  const { eventType } = await getEventType(context.db, principal, eventTypeId)
  const links = await findPrivateLinkPage(context.db, eventType.id, readIdPage(page))
  if (await seesAllBookings(context.db, principal, eventType.schedulerId)) return links
  return links.map((link) => ({ ...link, answers: {} }))
}

export async function createPrivateLink(
  context: Context,
  principal: Principal,
  eventTypeId: string,
  input: PrivateLinkInput,
): Promise<IssuedLink> {
  const { eventType } = await getEventType(context.db, principal, eventTypeId)
  await requireRole(context.db, principal, eventType.schedulerId, 'admin')
  return issuePrivateLink(context, principal, eventType, input)
}

/** Makes a link, without asking whether the actor may. */
export async function issuePrivateLink(
  context: Context,
  actor: Actor,
  eventType: { readonly id: string; readonly schedulerId: string; readonly seats: number },
  input: PrivateLinkInput,
): Promise<IssuedLink> {
  const token = randomBytes(32).toString('base64url')
  const createdAt = context.now()
  const link = { ...NO_LIMITS, ...input, id: newId(), eventTypeId: eventType.id, createdAt }
  return change(context, actor, eventType.schedulerId, async (trx) => {
    const seats = await findHostSeats(trx, eventType.id)
    checkPrivateLink(
      link,
      seats.map(({ hostId }) => hostId),
      createdAt,
    )
    if (link.hostIds.length > 0 && eventType.seats > 1) {
      const reason = sentence`Guests who share a slot need the same hosts, so a link cannot choose them.`
      throw new Problem('invalid', reason, { field: 'hostIds' })
    }
    await insertPrivateLink(trx, link, hashSecret(token))
    const audit = { ...about(link, eventType.schedulerId), action: 'created', changes: Object.keys(input) }
    return { result: { link, token, url: urlOf(context, token) }, audit, affects: [] }
  })
}

/** Ends a link. Bookings that were made through it stay. */
export async function deleteLink(
  context: Context,
  principal: Principal,
  eventTypeId: string,
  linkId: string,
): Promise<void> {
  const { eventType } = await getEventType(context.db, principal, eventTypeId)
  await requireRole(context.db, principal, eventType.schedulerId, 'admin')
  await change(context, principal, eventType.schedulerId, async (trx) => {
    const link = await getLinkOf(trx, eventType.id, linkId)
    await deletePrivateLink(trx, link.id)
    const audit = { ...about(link, eventType.schedulerId), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [] }
  })
}

async function getLinkOf(db: Db, eventTypeId: string, linkId: string): Promise<PrivateLink> {
  const link = await findPrivateLink(db, getId(linkId))
  if (link?.eventTypeId !== eventTypeId) throw notFound()
  return link
}

const urlOf = ({ publicUrl }: Context, token: string) => `${publicUrl}/l/${token}`

const about = ({ id }: PrivateLink, schedulerId: string) => ({
  schedulerId,
  objectType: 'private-link',
  objectId: id,
})
