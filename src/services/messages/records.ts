import type { ChangeRecord } from '../../domain/bookings/change.ts'
import { bookingLane } from '../../domain/job.ts'
import type { Channel, Message } from '../../domain/messages/message.ts'
import { isAbout } from '../../domain/messages/message.ts'
import type { Recipient } from '../../domain/messages/moments.ts'
import { decideDue, momentOf, occasionOf } from '../../domain/messages/schedule.ts'
import { NOTHING, type Sentence } from '../../domain/sentence.ts'
import { findMeeting } from '../../store/bookings/meetings.ts'
import { findMessagesOf } from '../../store/messages/messages.ts'
import { findRecords } from '../../store/messages/records.ts'
import { findJobsInLanes } from '../../store/outbox.ts'
import { bookedMeetingOf, changeOf } from '../bookings/load-change.ts'
import { getBooking } from '../bookings/reports/list.ts'
import type { Context } from '../context.ts'
import type { MailJobData } from '../mail/jobs.ts'
import { notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { type MessageJobData, messageLane, plannedBy } from './jobs.ts'
import { roleOf } from './once.ts'
import { readersOf } from './send.ts'

/** What became, or will become, of a message of a booking. */
export interface MessageStatus {
  readonly messageId: string
  readonly to: Recipient
  readonly by: Channel
  readonly state: 'planned' | 'sent' | 'skipped' | 'failed'
  readonly at: number
  readonly reason: Sentence
}

/** The messages of a booking that the user may see: what was sent or skipped, and what is still planned. */
export async function listBookingMessages(
  context: Context,
  principal: Principal,
  bookingId: string,
): Promise<MessageStatus[]> {
  const { db } = context
  const { booking } = await getBooking(context, principal, bookingId)
  const found = await findMeeting(db, booking.id)
  if (found === undefined) throw notFound()
  const records = await findRecords(db, booking.id)
  const known = new Set(
    records.map(({ messageId, recipient, occasion }) => [messageId, recipient, occasion].join()),
  )
  const meeting = bookedMeetingOf(found)
  const past = records.map(({ messageId, recipient, channel, state, at, reason }) => ({
    messageId,
    to: roleOf(recipient),
    by: channel,
    state: state === 'sending' ? ('planned' as const) : state,
    at,
    reason,
  }))
  if (!meeting.scheduler.hasMessages) return past
  const messages = await findMessagesOf(db, [meeting.scheduler.id])
  const due = await findDue(context, found, messages)
  const ahead = due.flatMap(({ message, dueAt, changeId }) => {
    const verdict = decideDue({
      booking: meeting.booking,
      message,
      dueAt,
      now: Math.max(dueAt, context.now()),
    })
    if (verdict.kind === 'dropped') return []
    const occasion = occasionOf(message, meeting.booking.startsAt, changeId)
    return readersOf(message.to, meeting)
      .filter(([recipient]) => !known.has([message.id, recipient, occasion].join()))
      .map(() => ({
        messageId: message.id,
        to: message.to,
        by: message.by,
        state: verdict.kind === 'skip' ? ('skipped' as const) : ('planned' as const),
        at: dueAt,
        reason: verdict.kind === 'skip' ? verdict.reason : NOTHING,
      }))
  })
  return [...past, ...ahead].sort((a, b) => a.at - b.at)
}

interface Due {
  readonly message: Message
  readonly dueAt: number
  readonly changeId: string
}

/** What waits to be sent, by the jobs that there are: to announce a change, to send its mails, and its messages. */
async function findDue(
  { db }: Context,
  found: NonNullable<Awaited<ReturnType<typeof findMeeting>>>,
  messages: readonly Message[],
): Promise<Due[]> {
  const { id } = found.listed.booking
  const lanes = [bookingLane(id), `mail:${id}`, messageLane(id)]
  const [announcements = [], mails = [], planned = []] = await Promise.all(
    lanes.map((lane) => findJobsInLanes(db, lane)),
  )
  const carried = (record: ChangeRecord): Due[] =>
    messages
      .filter((message) => message.replaces && message.on === momentOf(record))
      .filter((message) => message.enabled && isAbout(message, found.eventType.id))
      .map((message) => ({ message, dueAt: record.at, changeId: record.id }))
  const announced = await Promise.all(
    announcements.map(async ({ data }): Promise<Due[]> => {
      const record = data as ChangeRecord
      const change = await changeOf(db, found, record)
      const own = plannedBy(change, messages).map((due) => ({ ...due, changeId: record.id }))
      return [...own, ...carried(record)]
    }),
  )
  const inMails = mails.filter(({ kind }) => kind === 'mail').map(({ data }) => (data as MailJobData).change)
  const jobs = planned.flatMap(({ data }): Due[] => {
    const { messageId, dueAt } = data as MessageJobData
    const message = messages.find((one) => one.id === messageId)
    return message === undefined ? [] : [{ message, dueAt, changeId: '' }]
  })
  const changes = new Map(inMails.map((record) => [record.id, record]))
  const all = [...announced.flat(), ...[...changes.values()].flatMap(carried), ...jobs]
  return [...new Map(all.map((due) => [[due.message.id, due.dueAt, due.changeId].join(), due])).values()]
}
