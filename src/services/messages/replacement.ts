import type { BookingChange } from '../../domain/bookings/change.ts'
import { isAbout, type Message } from '../../domain/messages/message.ts'
import type { Recipient } from '../../domain/messages/moments.ts'
import { momentOf } from '../../domain/messages/schedule.ts'
import { findMessagesOf } from '../../store/messages/messages.ts'
import type { Context } from '../context.ts'
import type { MailReader } from '../mail/reader.ts'

/** Which of the service's own mails: that of a change, or a reminder. */
export interface StandardMail {
  readonly change: BookingChange
  readonly reader: MailReader
  /** Undefined: it is no reminder. */
  readonly minutesBefore?: number | undefined
}

/** Who a mail's reader is for messages; those who no longer host a meeting are nobody. */
export function recipientOf({ role }: MailReader): Recipient | undefined {
  if (role === 'guest') return 'guest'
  if (role === 'addedGuest') return 'guests'
  return role === 'host' ? 'hosts' : undefined
}

/** The message whose words stand in one of the service's own mails, if there is one. */
export async function findReplacement(
  { db }: Pick<Context, 'db'>,
  mail: StandardMail,
): Promise<Message | undefined> {
  const { scheduler } = mail.change
  if (!scheduler.hasMessages) return undefined
  return chooseReplacement(await findMessagesOf(db, [scheduler.id]), mail)
}

/** The same among messages that have been read already. */
export function chooseReplacement(
  messages: readonly Message[],
  { change, reader, minutesBefore }: StandardMail,
): Message | undefined {
  const moment = minutesBefore === undefined ? momentOf(change) : 'before'
  const to = recipientOf(reader)
  return messages.find(
    (message) =>
      message.replaces &&
      message.enabled &&
      message.on === moment &&
      message.to === to &&
      message.minutes === (minutesBefore ?? null) &&
      isAbout(message, change.eventType.id),
  )
}
