import type { BookedMeeting, BookingChange } from '../../domain/bookings/change.ts'
import { isErased } from '../../domain/bookings/erased.ts'
import type { Message } from '../../domain/messages/message.ts'
import type { Recipient } from '../../domain/messages/moments.ts'
import { decideDue, occasionOf } from '../../domain/messages/schedule.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import { findMeeting } from '../../store/bookings/meetings.ts'
import { findMessage } from '../../store/messages/messages.ts'
import type { MessageRecord } from '../../store/messages/records.ts'
import { bookedMeetingOf } from '../bookings/load-change.ts'
import type { Context } from '../context.ts'
import { composeBookingMail } from '../mail/compose.ts'
import { linksOf } from '../mail/links.ts'
import { isHost, type MailReader } from '../mail/reader.ts'
import { addressOf, mailTo, sendBookingMail, sendMail, sendReminder } from '../mail/send.ts'
import { composeOwnMail, phoneText, wordsFor } from './compose.ts'
import type { MessageJobData } from './jobs.ts'
import { type SendingJob, sendEach, sendOnce } from './once.ts'
import { findReplacement, recipientOf, type StandardMail } from './replacement.ts'
import { checkUnasked, sendSms } from './send-sms.ts'
import { sendUnbooked } from './send-unbooked.ts'
import { UNSUBSCRIBED, unsubscribeHeaders, unsubscribeLink, wantsNoMail } from './unsubscribe.ts'

/** Sends a message that is due, by the booking and the message as they are now. */
export async function sendDueMessage(
  context: Context,
  job: SendingJob & { readonly data: MessageJobData },
): Promise<void> {
  const { data } = job
  if ('responseId' in data) return sendUnbooked(context, job, data)
  const { bookingId, messageId, dueAt } = data
  const [found, message] = await Promise.all([
    findMeeting(context.db, bookingId),
    findMessage(context.db, messageId),
  ])
  if (found === undefined || message === undefined) return
  const meeting = bookedMeetingOf(found)
  const verdict = decideDue({ booking: meeting.booking, message, dueAt, now: context.now() })
  if (verdict.kind === 'dropped') return
  const occasion = occasionOf(message, meeting.booking.startsAt, '')
  const sendings = readersOf(message.to, meeting).map(([recipient, reader]) => ({
    message,
    key: { messageId, bookingId, responseId: null, recipient, occasion },
    send: async (record: MessageRecord) => {
      checkUnasked(context, record)
      if (verdict.kind === 'skip') return verdict.reason
      if (reader === undefined) return sentence`The guest has been erased.`
      return message.by === 'sms'
        ? sendSms(context, job, record, {
            invitee: meeting.booking.invitee,
            text: phoneText(wordsFor(message, meeting, reader, linksOf(context, meeting))),
          })
        : sendTo(context, message, meeting, reader)
    },
  }))
  await sendEach(context, job, sendings)
}

/** Who gets a message, with the key under which that is recorded; undefined: they have been erased. */
export function readersOf(
  to: Recipient,
  { booking, hosts }: BookedMeeting,
): [string, MailReader | undefined][] {
  if (to === 'guest') return [['guest', isErased(booking) ? undefined : { role: 'guest' }]]
  if (to === 'guests')
    return booking.guests.map((email, index) => [`guests:${index}`, { role: 'addedGuest', email, index }])
  return hosts.filter(({ email }) => email !== '').map((host) => [`hosts:${host.id}`, { role: 'host', host }])
}

/** Sends a message to one person; returns why it was not sent, if so. */
async function sendTo(
  context: Context,
  message: Message,
  meeting: BookedMeeting,
  reader: MailReader,
): Promise<Sentence | undefined> {
  const links = linksOf(context, meeting)
  const { scheduler, booking } = meeting
  const words = wordsFor(message, meeting, reader, links)
  const address = addressOf(reader, booking.invitee.email)
  // Hosts' own mails are not for guests to stop.
  const isFollowUp = message.on === 'after' && !isHost(reader)
  if (isFollowUp && (await wantsNoMail(context, scheduler.id, address))) return UNSUBSCRIBED
  const unsubscribe = isFollowUp ? unsubscribeLink(context, scheduler.id, address) : undefined
  const composed = message.replaces
    ? composeBookingMail(changeFrom(meeting), reader, links, { kind: 'reminder', own: words })
    : composeOwnMail(words, meeting, reader, { site: links.site, unsubscribe })
  const occasion = `message:${message.id}:${occasionOf(message, booking.startsAt, '')}`
  const mail = mailTo(context, meeting, reader, { ...composed, idSource: booking.id, occasion })
  const headers = { ...mail.headers, ...(unsubscribe && unsubscribeHeaders(unsubscribe)) }
  await sendMail(context, { ...mail, headers })
  return undefined
}

/** A meeting as if it had just been confirmed. */
export function changeFrom(meeting: BookedMeeting, given: Partial<BookingChange> = {}): BookingChange {
  const { id, status, startsAt, endsAt, sequence, createdAt, reason } = meeting.booking
  return {
    ...meeting,
    id,
    type: 'created',
    bookingId: id,
    by: 'guest',
    reason,
    status,
    startsAt,
    endsAt,
    previousStartsAt: null,
    sequence,
    at: createdAt,
    ...given,
  }
}

/** Emails one person about a change, or reminds them, in the host's own words if there are any. */
export async function sendStandardMail(context: Context, job: SendingJob, mail: StandardMail): Promise<void> {
  const { change, reader, minutesBefore } = mail
  const send = (message?: Message) => {
    const own = message && wordsFor(message, change, reader, linksOf(context, change))
    return minutesBefore === undefined
      ? sendBookingMail(context, change, reader, own)
      : sendReminder(context, change, reader, { minutesBefore, own })
  }
  const message = await findReplacement(context, mail)
  if (message === undefined) return send()
  const key = {
    messageId: message.id,
    bookingId: change.bookingId,
    responseId: null,
    recipient: keyOf(reader),
    occasion: occasionOf(message, change.startsAt, change.id),
  }
  await sendOnce(context, job, {
    message,
    key,
    send: async () => {
      await send(message)
      return undefined
    },
  })
}

/** The key under which it is recorded what a person gets. */
export function keyOf(reader: MailReader): string {
  if (isHost(reader)) return `hosts:${reader.host.id}`
  return reader.role === 'addedGuest' ? `guests:${reader.index}` : (recipientOf(reader) ?? 'guest')
}
