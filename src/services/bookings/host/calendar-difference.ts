import { type Author, auditOf } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { SeenDifference } from '../../../domain/calendars/difference.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import { findActiveIds } from '../../../store/bookings/rosters.ts'
import { type EntryDifference, findDifferences } from '../../../store/calendars/entries.ts'
import type { Db } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import { insertJobs } from '../../../store/outbox.ts'
import { insertAuditEntry } from '../../../store/people/audit.ts'
import { writeEntryJob } from '../../calendars/jobs.ts'
import type { Context } from '../../context.ts'
import { cancel } from '../cancel.ts'
import { adoptCalendarTime } from './adopt-calendar-time.ts'

/** A booking, and what a host's calendar says differently about its meeting. */
export interface ComparedBooking extends ListedBooking {
  readonly calendarDifference: SeenDifference | null
}

/** Adds to bookings what their hosts' calendars say differently. Only confirmed meetings are in a calendar. */
export async function withDifferences<B extends ListedBooking>(
  db: Db,
  listed: readonly B[],
): Promise<(B & ComparedBooking)[]> {
  const confirmed = listed.filter(({ booking }) => booking.status === 'Confirmed')
  const found =
    confirmed.length === 0
      ? []
      : await findDifferences(db, [...new Set(confirmed.map(({ booking }) => booking.meetingId))])
  return listed.map((one) => ({ ...one, calendarDifference: differenceOf(one, found)?.difference ?? null }))
}

const differenceOf = ({ booking }: ListedBooking, found: readonly EntryDifference[]) =>
  booking.status === 'Confirmed' ? found.find(({ meetingId }) => meetingId === booking.meetingId) : undefined

/**
 * Follows the host's calendar: moves the meeting with all its guests to where the host has moved its entry, or cancels
 * it if the host has deleted the entry.
 */
export async function followCalendar(
  context: Context,
  author: Author,
  seen: ListedBooking,
  reason: string,
): Promise<ListedBooking> {
  const [{ difference }] = await requireDifferences(context.db, seen)
  if (difference.kind === 'moved') {
    return adoptCalendarTime(context, author, seen, {
      span: { start: difference.startsAt, end: difference.endsAt },
      reason,
    })
  }
  for (const id of await findActiveIds(context.db, seen.booking.meetingId)) {
    const guest = id === seen.booking.id ? undefined : await findBooking(context.db, id)
    if (guest !== undefined) await cancel(context, author, guest, { reason })
  }
  // Last: while this one is left, the host can try again.
  return cancel(context, author, seen, { reason })
}

/** Puts the calendar back: writes the meeting's entry again, where the meeting is. */
export async function restoreCalendar(
  context: Context,
  author: Author,
  seen: ListedBooking,
): Promise<ListedBooking> {
  const found = await requireDifferences(context.db, seen)
  const now = context.now()
  await context.db.transaction().execute(async (trx) => {
    await insertJobs(
      trx,
      found.map((key) => writeEntryJob(key, now, true)),
      now,
    )
    const entries = auditOf(author, seen, 'calendar-restored', { now, newId })
    for (const entry of entries) await insertAuditEntry(trx, entry)
  })
  context.outbox.wake()
  return seen
}

async function requireDifferences(
  db: Db,
  { booking }: ListedBooking,
): Promise<[EntryDifference, ...EntryDifference[]]> {
  const [first, ...others] =
    booking.status === 'Confirmed' ? await findDifferences(db, [booking.meetingId]) : []
  if (first === undefined) {
    throw new Problem(
      'state_conflict',
      sentence`The calendar and this booking say the same. Look at it again.`,
    )
  }
  return [first, ...others]
}
