import { type BookingChange, isOutcome } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import { findWriteTo, type WriteCalendar } from '../../store/calendars/calendars.ts'
import { type EntryKey, findWrittenTo, insertEntry } from '../../store/calendars/entries.ts'
import type { Trx } from '../../store/engine/database.ts'

/**
 * The data of a `calendar-write` job: which entry to bring up to date. What it says is read when the job runs.
 *
 * Jobs of older versions name a booking instead of a meeting.
 */
export type CalendarWrite =
  | (EntryKey & { readonly restore?: boolean })
  | { readonly calendarId: string; readonly change: { readonly bookingId: string } }

/** Brings one entry up to date, after all earlier jobs for it. `restore` undoes what the host has moved. */
export function writeEntryJob({ calendarId, meetingId }: EntryKey, dueAt: number, restore = false): NewJob {
  const data: CalendarWrite = { calendarId, meetingId, ...(restore && { restore }) }
  return { kind: 'calendar-write', lane: `calendar:${calendarId}:${meetingId}`, data, dueAt }
}

/** Emails the host of a calendar that it does not work. */
export const calendarFailedJob = ({ id }: { readonly id: string }, dueAt: number): NewJob => ({
  kind: 'calendar-failed',
  lane: null,
  data: { calendarId: id },
  dueAt,
})

/**
 * The jobs that bring changes into their hosts' calendars.
 *
 * Every calendar that has the meeting, or is about to get it, is updated: the host
 * may have chosen another calendar since, or may no longer host the meeting.
 */
export async function calendarJobsFor(
  trx: Trx,
  announced: readonly BookingChange[],
  now: number,
): Promise<NewJob[]> {
  const changes = announced.filter((change) => !isOutcome(change))
  const hostIds = changes.filter(isConfirmed).flatMap(({ hosts }) => hosts.map(({ id }) => id))
  const own = changes.flatMap(({ eventType }) => eventType.writeToCalendarId ?? [])
  const chosen = await findWriteTo(trx, [...new Set(hostIds)], [...new Set(own)])
  const written = await findWrittenTo(trx, [...new Set(changes.flatMap(entryIds))])

  const jobs = new Map<string, NewJob>()
  const add = (key: EntryKey) => {
    const job = writeEntryJob(key, now)
    jobs.set(job.lane ?? '', job)
  }
  for (const change of changes) {
    const { meetingId } = change.booking
    const isElsewhere = ({ userId }: WriteCalendar) =>
      written.some((one) => one.meetingId === meetingId && one.movedBy === userId)
    const calendars = isConfirmed(change)
      ? calendarsFor(change, chosen).filter((one) => !isElsewhere(one))
      : []
    for (const { id: calendarId } of calendars) {
      await insertEntry(trx, { calendarId, meetingId })
      // A later change has to find it there.
      written.push({ calendarId, meetingId, movedBy: null })
    }
    const ids = entryIds(change)
    for (const key of written) if (ids.includes(key.meetingId)) add(key)
  }
  return [...jobs.values()]
}

/** Where a confirmed meeting is written: one calendar a host, that of the event type before the host's own. */
export function calendarsFor(
  { hosts, eventType }: Pick<BookingChange, 'hosts' | 'eventType'>,
  chosen: readonly WriteCalendar[],
): WriteCalendar[] {
  return hosts.flatMap(({ id }) => {
    const theirs = chosen.filter(({ userId }) => userId === id)
    const calendar =
      theirs.find((one) => one.id === eventType.writeToCalendarId) ?? theirs.find(({ writeTo }) => writeTo)
    return calendar === undefined ? [] : [calendar]
  })
}

const isConfirmed = ({ status }: BookingChange) => status === 'Confirmed'

/** The present meeting, the one that the guest left, and the entry that older versions wrote for the booking alone. */
const entryIds = ({ booking, formerMeeting }: BookingChange) => [
  ...new Set([booking.meetingId, booking.id, ...(formerMeeting ? [formerMeeting.id] : [])]),
]
