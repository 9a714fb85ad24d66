import { awaitsLink } from '../../domain/bookings/booking.ts'
import {
  type BookingChange,
  type ChangeRecord,
  type EntryVersion,
  isOutcome,
  type MeetingHost,
} from '../../domain/bookings/change.ts'
import { MINUTE } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Trx } from '../../store/engine/database.ts'
import { deleteReminders } from '../../store/outbox.ts'
import type { Trace } from '../work-queue.ts'

/** The recipient of a mail, as stored in a job. */
export type MailRecipient =
  | { readonly role: 'guest' }
  /** One of those whom the guest brings, by their place in the list. */
  | { readonly role: 'addedGuest'; readonly index: number }
  | { readonly role: 'host' | 'formerHost' | 'stayingHost'; readonly hostId: string }

export interface MailJobData {
  readonly change: ChangeRecord
  readonly recipient: MailRecipient
  /** The recipient's calendar entry that the mail updates, if it is of a seated meeting. */
  readonly entry?: EntryVersion
}

export interface ReminderJobData extends MailJobData {
  readonly minutesBefore: number
  /** When the next reminder is due: from then on, a reminder that is late is not sent. Null: this is the last. */
  readonly nextAt?: number | null
  /** Sent only while the link of the meeting is missing. */
  readonly about?: 'link'
}

/** What the history of a booking says of a mail. Guests have no name there: it outlives them. */
export function traceOf({ change, recipient }: MailJobData, what: string): Trace {
  const subject = 'hostId' in recipient ? recipient.hostId : recipient.role
  return { bookingId: change.bookingId, kind: 'mail', what, subject }
}

/** A mail to every participant, and reminders if this change confirms the meeting. */
export function mailJobsFor(change: BookingChange, now: number): NewJob[] {
  if (isOutcome(change)) return []
  const record = recordOf(change)
  return recipientsOf(change).flatMap((recipient) => {
    const entry = entryFor(change, recipient)
    const person = personOf(recipient)
    const mail = {
      kind: 'mail' as const,
      // One lane for each person and booking, or seated meeting: their emails arrive in order, and do not wait for
      // other people's.
      lane: `mail:${entry?.meetingId ?? change.bookingId}:${person}`,
      data: { change: record, recipient, ...(entry && { entry }) } satisfies MailJobData,
      dueAt: now,
    }
    return [
      ...(isToldElsewhere(change, recipient, entry) ? [] : [mail]),
      ...remindersFor(change, record, recipient, now),
    ]
  })
}

/** What reminders need to know of a change. */
export type ReminderChange = ChangeRecord &
  Pick<BookingChange, 'booking' | 'eventType'> & {
    readonly hosts: readonly Pick<MeetingHost, 'id' | 'email'>[]
  }

/** The reminders alone, for a meeting of which everybody has been told elsewhere. */
export function reminderJobsFor(change: ReminderChange, now: number): NewJob[] {
  const { booking: _, eventType: __, hosts, ...record } = change
  const recipients: MailRecipient[] = [
    { role: 'guest' },
    ...hosts.filter(canBeWrittenTo).map(({ id }) => ({ role: 'host' as const, hostId: id })),
  ]
  return recipients.flatMap((recipient) => remindersFor(change, record, recipient, now))
}

function remindersFor(
  change: ReminderChange,
  record: ChangeRecord,
  recipient: MailRecipient,
  now: number,
): NewJob<ReminderJobData>[] {
  const reminds = recipient.role === 'guest' || recipient.role === 'host'
  const times = [
    ...(reminds ? reminderTimes(change, now) : []),
    ...(recipient.role === 'host' ? linkReminders(change, now) : []),
  ]
  return times.map(({ dueAt, ...reminder }) => ({
    kind: 'reminder',
    // No lane: until it is due, it would block later emails.
    lane: null,
    data: { change: record, recipient, ...reminder },
    dueAt,
  }))
}

/** Whether another mail tells this person of the change. */
function isToldElsewhere(
  { together, hostsTold, status }: BookingChange,
  { role }: MailRecipient,
  entry: EntryVersion | undefined,
): boolean {
  // A host answers each request of a seated meeting.
  if (hostsTold && (role === 'formerHost' || (role === 'host' && status === 'Confirmed'))) return true
  // Not hosts of a seated meeting: their calendars have each meeting on its own.
  return together?.length === 0 && entry === undefined
}

/**
 * Who gets a mail. A mail can update one calendar entry only, so a guest who goes from one seated meeting to another
 * causes two: the second is about the meeting that they left.
 */
function recipientsOf({ hosts, formerHosts = [], ...change }: BookingChange): MailRecipient[] {
  const leaves = change.status === 'Confirmed' ? (change.formerMeeting?.hostIds ?? []) : []
  const staying = hosts.filter(({ id }) => leaves.includes(id))
  const mailsTo = (role: 'host' | 'formerHost' | 'stayingHost', people: readonly MeetingHost[]) =>
    people.filter(canBeWrittenTo).map(({ id }) => ({ role, hostId: id }))
  return [
    { role: 'guest' },
    ...addedGuestsOf(change),
    ...mailsTo('host', hosts),
    ...mailsTo('formerHost', formerHosts),
    ...mailsTo('stayingHost', staying),
  ]
}

/** Those whom the guest brings hear only of meetings that are, or were, confirmed. */
function addedGuestsOf({ booking, status, previousStatus }: Omit<BookingChange, 'hosts' | 'formerHosts'>) {
  const isTheirs = status === 'Confirmed' || previousStatus === 'Confirmed'
  return isTheirs ? booking.guests.map((_, index) => ({ role: 'addedGuest' as const, index })) : []
}

function personOf(recipient: MailRecipient): string {
  if (recipient.role === 'addedGuest') return `addedGuest:${recipient.index}`
  return recipient.role === 'guest' ? 'guest' : recipient.hostId
}

/** The entry that a mail updates: of the present meeting, or of the one that the guest left. */
function entryFor(
  { entries = [], status, booking, formerMeeting }: BookingChange,
  { role }: MailRecipient,
): EntryVersion | undefined {
  if (role === 'guest' || role === 'addedGuest') return undefined
  const present = role === 'host' && status !== 'PendingApproval'
  const meetingId = present ? booking.meetingId : (formerMeeting?.id ?? booking.meetingId)
  return entries.find((entry) => entry.meetingId === meetingId)
}

const canBeWrittenTo = ({ email }: Pick<MeetingHost, 'email'>) => email !== ''

/** Withdraws the reminders of times that these changes have left. What remains checks its meeting before it is sent. */
export async function withdrawReminders(trx: Trx, changes: readonly BookingChange[]): Promise<void> {
  const left = changes.flatMap(({ bookingId, previousStartsAt, eventType }) =>
    previousStartsAt === null
      ? []
      : [...new Set([...eventType.reminderMinutes, LINK_REMINDER])].map((minutes) => ({
          bookingId,
          dueAt: previousStartsAt - minutes * MINUTE,
        })),
  )
  await deleteReminders(trx, left)
}

function reminderTimes(change: ReminderChange, now: number) {
  // Those of the change before an update are queued already.
  if (change.status !== 'Confirmed' || change.type === 'updated') return []
  const dueAts = change.eventType.reminderMinutes.map((minutes) => change.startsAt - minutes * MINUTE)
  return change.eventType.reminderMinutes
    .map((minutesBefore) => ({ minutesBefore, dueAt: change.startsAt - minutesBefore * MINUTE }))
    .filter(({ dueAt }) => dueAt > now)
    .map((reminder) => {
      const later = dueAts.filter((dueAt) => dueAt > reminder.dueAt)
      return { ...reminder, nextAt: later.length === 0 ? null : Math.min(...later) }
    })
}

/** Minutes before a video call at which its host hears that it has no link. Later ones are told so when they are booked. */
const LINK_REMINDER = 1440

/** A reminder of a missing link, unless the host gets one at that time anyway, which says so. */
function linkReminders(change: ReminderChange, now: number) {
  const dueAt = change.startsAt - LINK_REMINDER * MINUTE
  const isMissing = awaitsLink(change.booking) && change.type !== 'updated'
  if (!isMissing || dueAt <= now || change.eventType.reminderMinutes.includes(LINK_REMINDER)) return []
  return [{ minutesBefore: LINK_REMINDER, nextAt: null, about: 'link' as const, dueAt }]
}

/** The part of a change that cannot be loaded later. */
export function recordOf(change: BookingChange): ChangeRecord {
  const { booking, eventType, scheduler, hosts, formerHosts, isSeated, entries, series, ...record } = change
  return record
}
