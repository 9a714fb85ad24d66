import type { BookingChange, ChangeRecord, MeetingHost } from '../../domain/bookings/change.ts'
import { MINUTE } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'

/** The recipient of a mail, as stored in a job. */
export type MailRecipient =
  | { readonly role: 'guest' }
  | { readonly role: 'host' | 'formerHost'; readonly hostId: string }

export interface MailJobData {
  readonly change: ChangeRecord
  readonly recipient: MailRecipient
}

export interface ReminderJobData extends MailJobData {
  readonly minutesBefore: number
  /** When the next reminder is due: from then on, a reminder that is late is not sent. Null: this is the last. */
  readonly nextAt?: number | null
}

/** A mail to every participant, and reminders if this change confirms the meeting. */
export function mailJobsFor(change: BookingChange, now: number): NewJob[] {
  const record = recordOf(change)
  const reminders = reminderTimes(change, now)
  return recipientsOf(change).flatMap((recipient) => [
    {
      kind: 'mail' as const,
      // One lane for each booking and person: their emails arrive in order, and do not wait for other people's.
      lane: `mail:${change.bookingId}:${recipient.role === 'guest' ? 'guest' : recipient.hostId}`,
      data: { change: record, recipient } satisfies MailJobData,
      dueAt: now,
    },
    ...(recipient.role === 'formerHost' ? [] : reminders).map(({ minutesBefore, dueAt, nextAt }) => ({
      kind: 'reminder' as const,
      // No lane: until it is due, it would block later emails.
      lane: null,
      data: { change: record, recipient, minutesBefore, nextAt } satisfies ReminderJobData,
      dueAt,
    })),
  ])
}

function recipientsOf({ hosts, formerHosts = [] }: BookingChange): MailRecipient[] {
  return [
    { role: 'guest' },
    ...hosts.filter(canBeWrittenTo).map(({ id }) => ({ role: 'host' as const, hostId: id })),
    ...formerHosts.filter(canBeWrittenTo).map(({ id }) => ({ role: 'formerHost' as const, hostId: id })),
  ]
}

const canBeWrittenTo = ({ email }: MeetingHost) => email !== ''

/** Reminders of an earlier time are not deleted: each checks the meeting before it is sent. */
function reminderTimes(change: BookingChange, now: number) {
  if (change.status !== 'Confirmed') return []
  const dueAts = change.eventType.reminderMinutes.map((minutes) => change.startsAt - minutes * MINUTE)
  return change.eventType.reminderMinutes
    .map((minutesBefore) => ({ minutesBefore, dueAt: change.startsAt - minutesBefore * MINUTE }))
    .filter(({ dueAt }) => dueAt > now)
    .map((reminder) => {
      const later = dueAts.filter((dueAt) => dueAt > reminder.dueAt)
      return { ...reminder, nextAt: later.length === 0 ? null : Math.min(...later) }
    })
}

/** The part of a change that cannot be loaded later. */
function recordOf(change: BookingChange): ChangeRecord {
  const { booking, eventType, scheduler, hosts, formerHosts, ...record } = change
  return record
}
