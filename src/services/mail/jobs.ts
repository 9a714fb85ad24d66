import type { BookingChange, ChangeRecord, MeetingHost } from '../../domain/bookings/change.ts'
import { MINUTE } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'

/** Who a mail goes to, as a job remembers it. */
export type MailRecipient =
  | { readonly role: 'guest' }
  | { readonly role: 'host' | 'formerHost'; readonly hostId: string }

export interface MailJobData {
  readonly change: ChangeRecord
  readonly recipient: MailRecipient
}

export interface ReminderJobData extends MailJobData {
  readonly minutesBefore: number
}

/** A mail to everyone concerned, and reminders of what is confirmed by this change. */
export function mailJobsFor(change: BookingChange, now: number): NewJob[] {
  const record = recordOf(change)
  const reminders = reminderTimes(change, now)
  return recipientsOf(change).flatMap((recipient) => [
    {
      kind: 'mail' as const,
      // Mails about one booking reach one person in order; nobody waits for another's.
      lane: `mail:${change.bookingId}:${recipient.role === 'guest' ? 'guest' : recipient.hostId}`,
      data: { change: record, recipient } satisfies MailJobData,
      dueAt: now,
    },
    ...(recipient.role === 'formerHost' ? [] : reminders).map(({ minutesBefore, dueAt }) => ({
      kind: 'reminder' as const,
      // In no lane, where it would hold up what happens before it is due.
      lane: null,
      data: { change: record, recipient, minutesBefore } satisfies ReminderJobData,
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

/** Those of an earlier time are not taken back: each finds out for itself that its time has passed away. */
function reminderTimes(change: BookingChange, now: number) {
  if (change.status !== 'Confirmed') return []
  return change.eventType.reminderMinutes
    .map((minutesBefore) => ({ minutesBefore, dueAt: change.startsAt - minutesBefore * MINUTE }))
    .filter(({ dueAt }) => dueAt > now)
}

/** The part of a change that cannot be read again later. */
function recordOf(change: BookingChange): ChangeRecord {
  const { booking, eventType, scheduler, hosts, formerHosts, ...record } = change
  return record
}
