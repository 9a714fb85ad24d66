import type { Booking } from '../../../domain/bookings/booking.ts'
import { isErased } from '../../../domain/bookings/erased.ts'
import type { Channel } from '../../../domain/messages/message.ts'
import { type Sentence, sentence } from '../../../domain/sentence.ts'
import {
  type ActOnBooking,
  findActsOn,
  findDeliveriesAbout,
  findHistory,
  findOpenJobs,
  type HistoryEntry,
  type OpenJob,
} from '../../../store/bookings/history.ts'
import { findCalendarHosts } from '../../../store/calendars/calendars.ts'
import { findWrittenTo } from '../../../store/calendars/entries.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findMessage } from '../../../store/messages/messages.ts'
import { findRecords } from '../../../store/messages/records.ts'
import { findNames } from '../../../store/people/schedulers.ts'
import type { Context } from '../../context.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { getBooking } from './list.ts'

export const HISTORY_KINDS = ['change', 'mail', 'webhook', 'calendar', 'link'] as const

export const HISTORY_STATES = ['done', 'waiting', 'failed'] as const

type State = (typeof HISTORY_STATES)[number]

/** Something that has happened to a booking, or is about to. */
export interface HistoryItem {
  readonly at: number
  readonly kind: (typeof HISTORY_KINDS)[number]
  readonly what: Sentence
  /** Who did it; null: the service. */
  readonly by: string | null
  readonly state: State
}

/** The history of a booking that the user may see, oldest first. */
export async function listHistory(
  context: Context,
  principal: Principal,
  id: string,
): Promise<HistoryItem[]> {
  const { db } = context
  const { booking } = await getBooking(context, principal, id)
  const calendarIds = (await findWrittenTo(db, [booking.meetingId])).map(({ calendarId }) => calendarId)
  const [entries, acts, deliveries, jobs, messages] = await Promise.all([
    findHistory(db, booking),
    findActsOn(db, booking.id),
    findDeliveriesAbout(db, booking.id),
    findOpenJobs(db, booking, calendarIds),
    findMessageTraces(db, booking),
  ])
  const open = jobs.flatMap((job) => traceOf(job, booking))
  const traces = [...entries.map((entry) => ({ ...entry, state: 'done' as const })), ...open, ...messages]
  const nameOf = await findPeople(db, booking, traces, acts)
  return [
    ...(acts.some(({ action }) => action === 'created') ? [] : [madeItem(booking, traces, acts)]),
    ...acts.map(({ action, actor, actorId, at }) => ({
      at,
      kind: 'change' as const,
      what: changeText(action),
      by: (actorId === null ? undefined : nameOf(actorId)) ?? actor,
      state: 'done' as const,
    })),
    ...traces.map((trace) => itemOf(trace, nameOf)),
    ...deliveries.map(({ event, status, at }) => ({
      at,
      kind: 'webhook' as const,
      what: sentence`Webhook: ${event}`,
      by: null,
      state: DELIVERY_STATES[status],
    })),
  ].toSorted((a, b) => a.at - b.at)
}

const DELIVERY_STATES = { pending: 'waiting', succeeded: 'done', failed: 'failed' } as const

type Trace = Pick<HistoryEntry, 'at' | 'kind' | 'what' | 'subject'> & {
  readonly state: State
  /** How one of the hosts' own messages was sent; its name is `what`. */
  readonly channel?: Channel
}

/** The hosts' own messages. Those that stand in a mail of ours are in the history with it. */
async function findMessageTraces(db: Db, { id }: Booking): Promise<Trace[]> {
  const records = await findRecords(db, id)
  const messages = await Promise.all(records.map(({ messageId }) => findMessage(db, messageId)))
  return records.flatMap(({ state, recipient, channel, at }, index) => {
    const message = messages[index]
    if (message === undefined || message.replaces || state === 'skipped') return []
    const [role, hostId] = recipient.split(':')
    const subject = role === 'hosts' ? (hostId ?? '') : role === 'guests' ? 'addedGuest' : 'guest'
    return [{ at, kind: 'mail', what: message.name, subject, channel, state: MESSAGE_STATES[state] }]
  })
}

const MESSAGE_STATES = { sending: 'waiting', sent: 'done', failed: 'failed' } as const

/** What a job that is not done would leave behind. */
function traceOf({ kind, data, createdAt, failedAt }: OpenJob, booking: Booking): Trace[] {
  const state = failedAt === null ? 'waiting' : 'failed'
  const at = failedAt ?? createdAt
  const { change, recipient, calendarId = '' } = data
  if (kind === 'meeting-link') return [{ at, kind: 'link', what: 'made', subject: '', state }]
  if (kind === 'calendar-write')
    return [{ at, kind: 'calendar', what: 'written', subject: calendarId, state }]
  // The mails about other guests of the meeting are in its lanes, too.
  if (change?.bookingId !== booking.id || recipient === undefined) return []
  const subject = recipient.hostId ?? recipient.role
  if (kind === 'mail') return [{ at, kind: 'mail', what: change.type, subject, state }]
  return kind === 'reminder' ? [{ at, kind: 'mail', what: 'reminder', subject, state }] : []
}

/** Finds the names of everyone in the history: users, the hosts of calendars, and the guest. */
async function findPeople(
  db: Db,
  booking: Booking,
  traces: readonly Trace[],
  acts: readonly ActOnBooking[],
): Promise<(subject: string) => string | undefined> {
  const about = (kind: Trace['kind']) =>
    traces.filter((trace) => trace.kind === kind).map(({ subject }) => subject)
  const hosts = await findCalendarHosts(db, about('calendar'))
  const users = [...about('mail'), ...acts.map(({ actorId }) => actorId ?? ''), ...hosts.values()]
  const names = await findNames(
    db,
    users.filter((id) => id.includes('-')),
  )
  const guest: [string, string][] = isErased(booking) ? [] : [['guest', booking.invitee.name]]
  const known = new Map([...names, ...guest])
  return (subject) => known.get(hosts.get(subject) ?? subject)
}

function itemOf(
  { at, kind, what, subject, state, channel }: Trace,
  nameOf: (subject: string) => string | undefined,
): HistoryItem {
  const name = nameOf(subject)
  const reader = name ?? READERS[subject] ?? FORMER
  if (channel === 'sms')
    return { at, kind, what: sentence`Text message to ${reader}: ${what}`, by: null, state }
  switch (kind) {
    case 'change':
      return { at, kind, what: changeText(what), by: name ?? null, state }
    case 'mail':
      return {
        at,
        kind,
        what: sentence`Email to ${reader}: ${channel === undefined ? changeText(what) : what}`,
        by: null,
        state,
      }
    case 'calendar':
      return {
        at,
        kind,
        what: name === undefined ? sentence`Calendar entry` : sentence`Calendar entry of ${name}`,
        by: null,
        state,
      }
    case 'link':
      return { at, kind, what: sentence`Meeting link`, by: null, state }
  }
}

const READERS: Readonly<Record<string, Sentence>> = {
  guest: sentence`the guest`,
  addedGuest: sentence`an additional guest`,
}

const FORMER = sentence`a former host`

/** When it was made: nobody else has recorded that, unless a host did it. */
function madeItem(booking: Booking, traces: readonly Trace[], acts: readonly ActOnBooking[]): HistoryItem {
  const wasAnswered =
    acts.some(({ action }) => action === 'approved' || action === 'declined') ||
    traces.some(({ kind, what }) => kind === 'change' && what === 'declined')
  const isRequest = wasAnswered || booking.status === 'PendingApproval'
  const isUnpaid = booking.status === 'PendingPayment' || booking.status === 'Expired'
  return {
    at: booking.createdAt,
    kind: 'change',
    what: isUnpaid
      ? changeText('chosen')
      : isRequest
        ? sentence`The meeting was requested.`
        : changeText('created'),
    by: isErased(booking) ? null : booking.invitee.name,
    state: 'done',
  }
}

/** By the names that changes, the audit and mails have for it. */
const TEXTS: Readonly<Record<string, Sentence>> = {
  chosen: sentence`The guest chose this time, and went to pay.`,
  created: sentence`The meeting was booked.`,
  approved: sentence`The request was approved.`,
  declined: sentence`The request was declined.`,
  cancelled: sentence`The meeting was cancelled.`,
  rescheduled: sentence`The meeting was rescheduled.`,
  reassigned: sentence`The meeting was handed over.`,
  undone: sentence`The answer was undone.`,
  'no-show': sentence`The guest was marked as a no-show.`,
  'no-show undone': sentence`The no-show was undone.`,
  'calendar-restored': sentence`The calendar entry was put back.`,
  paid: sentence`The guest has paid.`,
  refunded: sentence`Money was refunded.`,
  reminder: sentence`Reminder`,
}

const changeText = (name: string): Sentence => TEXTS[name] ?? sentence`The booking was changed.`
