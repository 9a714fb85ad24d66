import { MINUTE } from '../../domain/interval.ts'
import { TryAgainAt } from '../../domain/job.ts'
import { printableLine } from '../../format/printable.ts'
import { type Access, ProviderFailure } from '../../outside/provider.ts'
import {
  createMeeting,
  deleteMeeting,
  findMeeting,
  updateMeeting,
  type WantedMeeting,
  type ZoomMeeting,
} from '../../outside/zoom-meetings.ts'
import { findActiveIds, findRoster, type Roster } from '../../store/bookings/rosters.ts'
import { findAnyConnection } from '../../store/calendars/connections.ts'
import {
  deleteLink,
  findLink,
  insertLink,
  type LinkKey,
  type MeetingLink,
  markAttempted,
  updateTold,
} from '../../store/calendars/meeting-links.ts'
import { providerOf, withAccess } from '../calendars/access-token.ts'
import type { FormerLink } from '../calendars/link-jobs.ts'
import { CALENDARS_WITH_LINKS } from '../calendars/provider-entries.ts'
import type { Context } from '../context.ts'
import { keepLink, stopAwaiting } from './keep-link.ts'

/** Brings a meeting's link up to date with what the database says now. Safe to repeat. */
export async function syncLink(context: Context, meetingId: string): Promise<void> {
  const link = await findLink(context.db, meetingId)
  if (link === undefined) return
  const roster = await findRoster(context.db, meetingId)
  if (roster === undefined) {
    // A meeting that waits for approval keeps its link, which nobody sees meanwhile, unless its event is deleted.
    const comesWithEvent = CALENDARS_WITH_LINKS[link.provider] !== undefined
    if (!comesWithEvent && (await findActiveIds(context.db, meetingId)).length > 0) return
    await removeFormer(context, link)
    return deleteLink(context.db, link)
  }
  if (link.provider !== 'zoom' || link.connectionId === null) return
  // Its next announcement makes another link.
  if (!roster.hostIds.includes(link.hostId)) return
  try {
    if (link.url === '') await makeLink(context, link, link.connectionId, roster)
    else await tellTime(context, link, link.connectionId, roster)
  } catch (error) {
    const isFinal = error instanceof ProviderFailure && error.code === 'refused'
    if (isFinal) await stopAwaiting(context, meetingId)
    throw error
  }
}

/**
 * Zoom knows no idempotency keys. So the attempt is recorded before the request, and where one was recorded without an
 * answer, the meeting is looked for by its marker, for a minute, before another is made.
 */
async function makeLink(context: Context, link: MeetingLink, connectionId: string, roster: Roster) {
  const { apiUrl } = providerOf(context, 'zoom')
  const wanted = wantedOf(link, roster)
  const made = await withAccess(context, connectionId, async (access) => {
    const found = await findAttempted(context, access, link)
    if (found !== undefined) return found
    await markAttempted(context.db, link, context.now())
    return createMeeting(apiUrl, access, wanted).catch(async (error) => {
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
  await withAccess(context, connectionId, (access) => deleteMeeting(apiUrl, access, made.id))
}

/** Zoom does not promise that its list has a new meeting at once. */
const LIST_LAGS = MINUTE
const LOOK_EVERY = 15_000

/**
 * The meeting that an attempt without an answer has made, if it has.
 *
 * Until it must be in Zoom's list, its absence says nothing: then the job looks again later.
 */
async function findAttempted(
  context: Context,
  access: Access,
  link: LinkKey & Pick<MeetingLink, 'attemptedAt'>,
): Promise<ZoomMeeting | undefined> {
  if (link.attemptedAt === null) return undefined
  const { apiUrl } = providerOf(context, 'zoom')
  const found = await findMeeting(apiUrl, access, markerOf(link))
  const [now, certainAt] = [context.now(), link.attemptedAt + LIST_LAGS]
  if (found !== undefined || now >= certainAt) return found
  throw new TryAgainAt(Math.min(now + LOOK_EVERY, certainAt), 'Zoom may be making this meeting.')
}

async function tellTime(context: Context, link: MeetingLink, connectionId: string, roster: Roster) {
  const wanted = wantedOf(link, roster)
  if (link.told?.start === wanted.start && link.told.end === wanted.end) return
  const { apiUrl } = providerOf(context, 'zoom')
  const isThere = await withAccess(context, connectionId, (access) =>
    updateMeeting(apiUrl, access, link.externalId, wanted),
  )
  if (isThere) return updateTold(context.db, link.meetingId, wanted)
  // The host has deleted it at Zoom. Guests need another, and hear of it.
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
  await makeLink(context, fresh, connectionId, roster)
}

/** Removes a meeting at the provider, even one whose creation was never answered. */
export async function removeFormer(context: Context, former: FormerLink): Promise<void> {
  const { connectionId, externalId, attemptedAt } = former
  if (connectionId === null || (externalId === '' && attemptedAt === null)) return
  const connection = await findAnyConnection(context.db, connectionId)
  // The host has disconnected: what is left at the provider is theirs.
  if (connection?.provider !== 'zoom') return
  const { apiUrl } = providerOf(context, 'zoom')
  await withAccess(context, connectionId, async (access) => {
    const id = externalId || (await findAttempted(context, access, former))?.id
    if (id !== undefined) await deleteMeeting(apiUrl, access, id)
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
