import { TryAgainAt } from '../../../domain/job.ts'
import { english } from '../../../domain/sentence.ts'
import { printableLine } from '../../../format/text/printable.ts'
import { type Access, ProviderFailure } from '../../../outside/accounts/provider.ts'
import type { Kind } from '../../../outside/kinds/kind.ts'
import type { LinkOfAccount, MadeMeeting, WantedMeeting } from '../../../outside/kinds/link-maker.ts'
import { findActiveIds, findRoster, type Roster } from '../../../store/bookings/rosters.ts'
import { findAnyConnection } from '../../../store/calendars/connections.ts'
import {
  deleteLink,
  findLink,
  insertLink,
  type LinkKey,
  type MeetingLink,
  markAttempted,
  updateTold,
} from '../../../store/calendars/meeting-links.ts'
import { providerOf, withAccess } from '../../calendars/access-token.ts'
import type { FormerLink } from '../../calendars/link-jobs.ts'
import type { Context } from '../../context.ts'
import { keepLink, stopAwaiting } from './keep-link.ts'

/** Brings a meeting's link up to date with what the database says now. Safe to repeat. */
export async function syncLink(context: Context, meetingId: string): Promise<void> {
  const link = await findLink(context.db, meetingId)
  if (link === undefined) return
  const roster = await findRoster(context.db, meetingId)
  if (roster === undefined) {
    // A meeting that waits for approval keeps its link, which nobody sees meanwhile, unless its event is deleted.
    const comesWithEvent = context.kinds.findLink(link.provider)?.link.comes === 'with-event'
    if (!comesWithEvent && (await findActiveIds(context.db, meetingId)).length > 0) return
    await removeFormer(context, link)
    return deleteLink(context.db, link)
  }
  const kind = context.kinds.findLink(link.provider)
  if (kind?.link.comes !== 'from-account' || link.connectionId === null) return
  // Its next announcement makes another link.
  if (!roster.hostIds.includes(link.hostId)) return
  try {
    const account = accountWith(context, kind, kind.link, link.connectionId)
    if (link.url === '') await makeLink(context, account, link, roster)
    else await tellTime(context, account, link, roster)
  } catch (error) {
    const isFinal = error instanceof ProviderFailure && error.code === 'refused'
    if (isFinal) await stopAwaiting(context, meetingId)
    throw error
  }
}

/** A host's account that has a meeting for each of ours. */
interface LinkAccount {
  readonly maker: LinkOfAccount
  readonly title: string
  readonly apiUrl: string
  readonly connectionId: string
}

const accountWith = (
  context: Context,
  { name, title }: Kind,
  maker: LinkOfAccount,
  connectionId: string,
): LinkAccount => ({ maker, title, apiUrl: providerOf(context, name).apiUrl, connectionId })

/**
 * Providers may know no idempotency keys. So the attempt is recorded before the request, and where one was recorded without
 * an answer, the meeting is looked for by its marker, until it must be found, before another is made.
 */
async function makeLink(context: Context, account: LinkAccount, link: MeetingLink, roster: Roster) {
  const { maker, apiUrl, connectionId } = account
  const wanted = wantedOf(link, roster)
  const made = await withAccess(context, connectionId, async (access) => {
    const found = await findAttempted(context, account, access, link)
    if (found !== undefined) return found
    await markAttempted(context.db, link, context.now())
    return maker.make(apiUrl, access, wanted).catch(async (error) => {
      const { status } = error as ProviderFailure
      const isRefused = error instanceof ProviderFailure && status !== null && status >= 400 && status < 500
      if (isRefused) await markAttempted(context.db, link, null)
      throw error
    })
  })
  const { meetingId, awaitedUntil } = link
  const told = { start: wanted.start, end: wanted.end }
  const stored = { meetingId, awaitedUntil, externalId: made.id, url: made.joinUrl, told }
  if (await keepLink(context, stored)) return
  // Another worker was faster, or the meeting was cancelled meanwhile.
  const current = await findLink(context.db, meetingId)
  if (current?.externalId === made.id) return
  await withAccess(context, connectionId, (access) => maker.remove(apiUrl, access, made.id))
}

const LOOK_EVERY = 15_000

/**
 * The meeting that an attempt without an answer has made, if it has.
 *
 * Until it must be in the provider's list, its absence says nothing: then the job looks again later.
 */
async function findAttempted(
  context: Context,
  { maker, apiUrl, title }: LinkAccount,
  access: Access,
  link: LinkKey & Pick<MeetingLink, 'attemptedAt'>,
): Promise<MadeMeeting | undefined> {
  if (link.attemptedAt === null) return undefined
  const found = await maker.find(apiUrl, access, markerOf(link))
  const [now, certainAt] = [context.now(), link.attemptedAt + maker.foundWithin]
  if (found !== undefined || now >= certainAt) return found
  throw new TryAgainAt(Math.min(now + LOOK_EVERY, certainAt), english`${title} may be making this meeting.`)
}

async function tellTime(context: Context, account: LinkAccount, link: MeetingLink, roster: Roster) {
  const wanted = wantedOf(link, roster)
  if (link.told?.start === wanted.start && link.told.end === wanted.end) return
  const { maker, apiUrl, connectionId } = account
  const isThere = await withAccess(context, connectionId, (access) =>
    maker.change(apiUrl, access, link.externalId, wanted),
  )
  if (isThere) return updateTold(context.db, link.meetingId, wanted)
  // The host has deleted it at the provider. Guests need another, and hear of it.
  const fresh: MeetingLink = {
    ...link,
    externalId: '',
    url: '',
    told: undefined,
    attemptedAt: null,
    awaitedUntil: context.now(),
  }
  await context.db.transaction().execute(async (trx) => {
    await deleteLink(trx, link)
    await insertLink(trx, fresh)
  })
  await makeLink(context, account, fresh, roster)
}

/** Removes a meeting at the provider, even one whose creation was never answered. */
export async function removeFormer(context: Context, former: FormerLink): Promise<void> {
  const { connectionId, externalId, attemptedAt } = former
  if (connectionId === null || (externalId === '' && attemptedAt === null)) return
  const connection = await findAnyConnection(context.db, connectionId)
  // The host has disconnected: what is left at the provider is theirs.
  const kind = connection && context.kinds.find(connection.provider)
  if (kind?.link?.comes !== 'from-account') return
  const account = accountWith(context, kind, kind.link, connectionId)
  await withAccess(context, connectionId, async (access) => {
    const id = externalId || (await findAttempted(context, account, access, former))?.id
    if (id !== undefined) await account.maker.remove(account.apiUrl, access, id)
  })
}

function wantedOf(link: MeetingLink, { eventTypeName, bookings, seats }: Roster): WantedMeeting {
  const [{ startsAt, endsAt, invitee }] = bookings
  const isShared = seats > 1 || bookings.length > 1
  const topic = printableLine(isShared ? eventTypeName : `${eventTypeName}: ${invitee.name}`)
  return { topic, marker: markerOf(link), start: startsAt, end: endsAt }
}

/** Says which meeting it is, and which of the links that it has had. */
const markerOf = ({ meetingId, awaitedUntil }: LinkKey) =>
  `Punctual ${meetingId}/${awaitedUntil.toString(36)}`
