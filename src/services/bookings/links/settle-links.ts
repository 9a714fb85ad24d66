import { type BookingChange, isOutcome } from '../../../domain/bookings/change.ts'
import type { LinkProvider } from '../../../domain/event-types/location.ts'
import { MINUTE } from '../../../domain/interval.ts'
import type { NewJob } from '../../../domain/job.ts'
import type { LinkKind } from '../../../outside/kinds/kind.ts'
import { findLocation, updateLocation } from '../../../store/bookings/locations.ts'
import { findWriteTo } from '../../../store/calendars/calendars.ts'
import { findConnectionsFor } from '../../../store/calendars/connections.ts'
import { insertEntry } from '../../../store/calendars/entries.ts'
import { deleteLink, findLink, insertLink, type MeetingLink } from '../../../store/calendars/meeting-links.ts'
import type { Trx } from '../../../store/engine/database.ts'
import { lockJobs, postponeForLink } from '../../../store/outbox.ts'
import { calendarsFor, writeEntryJob } from '../../calendars/jobs.ts'
import { formerLinkJob, linkJob } from '../../calendars/link-jobs.ts'
import type { Context } from '../../context.ts'

/** How long emails and webhooks wait for a link. Then they go without, and an update follows. */
const WAIT = MINUTE

/** A change to announce. */
interface Announced {
  readonly jobId: number
  readonly change: BookingChange
}

/** A change with the link that there is, and the jobs that links need. */
interface SettledChange extends Announced {
  /** Its link is still being made: the job is due again later. */
  readonly waits: boolean
  readonly jobs: readonly NewJob[]
}

/** Settles the links of these changes. Those that wait for one are postponed. */
export async function settleLinks(
  context: Context,
  trx: Trx,
  announcements: readonly Announced[],
  now: number,
): Promise<SettledChange[]> {
  const wanting = announcements.filter(({ change }) => change.booking.location.provider && !isOutcome(change))
  // Before the links are read: whoever stores one then waits for us, or we for them.
  const ours = await lockJobs(
    trx,
    wanting.map(({ jobId }) => jobId),
  )
  const settled: SettledChange[] = []
  for (const { jobId, change } of announcements) {
    const one = ours.has(jobId) ? await settleLink(context, trx, change, now) : { change, jobs: [] }
    const { waitUntil } = one
    if (waitUntil !== undefined) await postponeForLink(trx, jobId, waitUntil)
    settled.push({ jobId, change: one.change, jobs: one.jobs, waits: waitUntil !== undefined })
  }
  return settled
}

/** A change that may be announced, with the link that there is; `waitUntil` if its link is still being made. */
interface Settled {
  readonly change: BookingChange
  readonly waitUntil?: number | undefined
  readonly jobs: readonly NewJob[]
}

/**
 * Sees to it that a confirmed meeting has the link that its event type wants, and that others have none.
 *
 * Links belong to the account of a host. If the meeting gets other hosts, it gets another link.
 */
async function settleLink(context: Context, trx: Trx, change: BookingChange, now: number): Promise<Settled> {
  const { provider = '' } = change.booking.location
  if (provider === '') return { change, jobs: [] }
  const left = change.formerMeeting ? [linkJob(change.formerMeeting.id, now)] : []
  const { meetingId } = change.booking
  const [link, current] = [await findLink(trx, meetingId), await findLocation(trx, change.bookingId)]
  // It may have been cancelled since; that change has its own announcement.
  if (change.status !== 'Confirmed' || current?.status !== 'Confirmed') {
    return { change: withLink(change, ''), jobs: link ? [...left, linkJob(meetingId, now)] : left }
  }
  const settled = await linkFor(context, trx, { change, provider, known: link }, now)
  const url = settled.link?.url ?? ''
  if (current.value !== url) await updateLocation(trx, change.bookingId, url)
  const awaited = settled.link !== undefined && url === '' && now < settled.link.awaitedUntil
  return {
    change: withLink(change, url),
    jobs: [...left, ...settled.jobs],
    ...(awaited && { waitUntil: settled.link?.awaitedUntil }),
  }
}

interface WantedLink {
  readonly change: BookingChange
  readonly provider: LinkProvider
  readonly known: MeetingLink | undefined
}

/** The meeting's link; undefined if none of its hosts can make one. */
async function linkFor(
  context: Context,
  trx: Trx,
  { change, provider, known }: WantedLink,
  now: number,
): Promise<{ readonly link: MeetingLink | undefined; readonly jobs: readonly NewJob[] }> {
  const { hosts } = change
  const { meetingId } = change.booking
  const kind = context.kinds.findLink(provider)
  const jobs = kind?.link.comes === 'from-account' ? [linkJob(meetingId, now)] : []
  /** Its first job is still at it. */
  const isAwaited = (link: MeetingLink) => link.url === '' && now < link.awaitedUntil
  const hostIds = hosts.map(({ id }) => id)
  if (known?.provider === provider && hostIds.includes(known.hostId)) {
    return { link: known, jobs: isAwaited(known) ? [] : jobs }
  }
  const former = known === undefined ? [] : [formerLinkJob(known, now)]
  if (known !== undefined) await deleteLink(trx, known)
  if (kind?.link.comes === 'with-event') {
    const written = await writtenWithLink(trx, change, kind, now)
    return { link: written?.link, jobs: [...former, ...(written?.jobs ?? [])] }
  }
  const fresh = kind && (await newLink(context, trx, change, { kind, now }))
  if (fresh === undefined) return { link: undefined, jobs: former }
  const link = await insertLink(trx, fresh)
  return { link, jobs: [...former, ...jobs] }
}

/** A link that comes with the event in a host's calendar; undefined if none of the hosts has such a calendar. */
async function writtenWithLink(
  trx: Trx,
  change: BookingChange,
  { name: kind, link: { name: provider } }: LinkKind,
  now: number,
) {
  const { meetingId } = change.booking
  const { writeToCalendarId } = change.eventType
  const hostIds = change.hosts.map(({ id }) => id)
  const chosen = await findWriteTo(trx, hostIds, writeToCalendarId === null ? [] : [writeToCalendarId])
  const calendar = calendarsFor(change, chosen).find((one) => one.kind === kind)
  if (calendar === undefined) return undefined
  const link = await insertLink(trx, {
    meetingId,
    provider,
    hostId: calendar.userId,
    connectionId: calendar.connectionId,
    externalId: '',
    url: '',
    told: undefined,
    attemptedAt: null,
    awaitedUntil: now + WAIT,
  })
  const entry = { calendarId: calendar.id, meetingId }
  await insertEntry(trx, entry)
  return { link, jobs: [writeEntryJob(entry, now)] }
}

async function newLink(
  context: Context,
  trx: Trx,
  { hosts, booking: { meetingId } }: BookingChange,
  { kind: { name, link }, now }: { readonly kind: LinkKind; readonly now: number },
): Promise<MeetingLink | undefined> {
  const hostIds = hosts.map(({ id }) => id)
  const provider = context.providers[name]
  if (provider === undefined) return undefined
  const [mainHost = ''] = hostIds
  const none = { meetingId, provider: link.name, externalId: '', told: undefined, attemptedAt: null }
  if (link.comes === 'at-once') {
    const url = link.make(provider.apiUrl)
    return { ...none, hostId: mainHost, connectionId: null, url, awaitedUntil: now }
  }
  const found = await findConnectionsFor(trx, hostIds, name)
  const inOrder = hostIds.flatMap((id) => found.filter(({ userId }) => userId === id))
  const account = inOrder.find(({ status }) => status === 'ok') ?? inOrder[0]
  if (account === undefined) return undefined
  // While the host has to reconnect, waiting is useless.
  const awaitedUntil = account.status === 'ok' ? now + WAIT : now
  return { ...none, hostId: account.userId, connectionId: account.id, url: '', awaitedUntil }
}

function withLink(change: BookingChange, value: string): BookingChange {
  const { booking } = change
  return { ...change, booking: { ...booking, location: { ...booking.location, value } } }
}
