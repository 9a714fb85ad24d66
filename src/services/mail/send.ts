import { hash } from 'node:crypto'
import type { BookedMeeting, BookingChange } from '../../domain/bookings/change.ts'
import { isErased } from '../../domain/bookings/erased.ts'
import { GiveUp } from '../../domain/job.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import { type Mail, type Mailbox, MailRefused } from '../../outside/mail/mail.ts'
import type { Context } from '../context.ts'
import { type ComposedMail, composeBookingMail, mailKindOf, type OwnWords } from './compose.ts'
import { invitationFor } from './invitation-for.ts'
import type { MailRecipient } from './jobs.ts'
import type { MailKind } from './languages.ts'
import { linksOf } from './links.ts'
import { isHost, type MailReader } from './reader.ts'

/** The recipient as they are now; undefined if they are no longer part of the meeting. */
export function findReader(change: BookingChange, recipient: MailRecipient): MailReader | undefined {
  if (recipient.role === 'guest') return isErased(change.booking) ? undefined : recipient
  if (recipient.role === 'addedGuest') {
    const email = change.booking.guests[recipient.index]
    return email === undefined ? undefined : { ...recipient, email }
  }
  const { role, hostId } = recipient
  const among = role === 'formerHost' ? (change.formerHosts ?? []) : change.hosts
  const host = among.find(({ id }) => id === hostId)
  // Someone who has deleted their account has no address.
  return host && host.email !== '' ? { role, host } : undefined
}

/** Emails one person about a change; throws `GiveUp` if their mail server refuses for good. */
export async function sendBookingMail(
  context: Context,
  change: BookingChange,
  reader: MailReader,
  own?: OwnWords,
): Promise<void> {
  await sendMail(context, bookingMail(context, change, reader, { own, occasion: 'change' }))
}

/** A reminder, perhaps in the host's own words. */
interface Reminder {
  readonly minutesBefore: number
  readonly own?: OwnWords | undefined
}

/** Emails one person a reminder. */
export async function sendReminder(
  context: Context,
  change: BookingChange,
  reader: MailReader,
  { minutesBefore, own }: Reminder,
): Promise<void> {
  const occasion = `reminder:${minutesBefore}`
  await sendMail(context, bookingMail(context, change, reader, { kind: 'reminder', own, occasion }))
}

/** Sends a mail; throws `GiveUp` if the recipient's mail server refuses for good. */
export async function sendMail(context: Context, mail: Mail): Promise<void> {
  try {
    await context.mailer(mail)
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    throw new GiveUp(error.sentence, { cause: error })
  }
}

interface BookingMail {
  readonly kind?: MailKind
  readonly own?: OwnWords | undefined
  readonly occasion: string
}

function bookingMail(
  context: Context,
  change: BookingChange,
  reader: MailReader,
  { kind = mailKindOf(change), own, occasion }: BookingMail,
): Mail {
  const links = linksOf(context, change)
  const invitation = invitationFor(change, reader, links, kind, context.slots.zones)
  const composed = composeBookingMail(change, reader, links, { kind, own })
  return {
    ...mailTo(context, change, reader, { ...composed, idSource: change.id, occasion }),
    ...(invitation && { invitation }),
  }
}

/** A mail to one person about a meeting. `idSource` and `occasion` make its Message-ID. */
export function mailTo(
  context: Context,
  meeting: BookedMeeting,
  reader: MailReader,
  {
    idSource,
    occasion,
    ...composed
  }: ComposedMail & { readonly idSource: string; readonly occasion: string },
): Mail {
  const { invitee } = meeting.booking
  const guest = { name: invitee.name, email: invitee.email }
  const answersTo = (isHost(reader) ? [guest] : meeting.hosts).filter(({ email }) => email !== '')
  return {
    ...composed,
    to: addressOf(reader, guest.email),
    messageId: messageIdOf(context, idSource, personOf(reader), occasion),
    fromName: headerName(meeting.scheduler.name),
    ...(answersTo.length > 0 && { replyTo: answersTo.map(mailboxOf) }),
    // Prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

export function addressOf(reader: MailReader, guest: string): string {
  if (reader.role === 'addedGuest') return reader.email
  return isHost(reader) ? reader.host.email : guest
}

function personOf(reader: MailReader): string {
  if (reader.role === 'addedGuest') return `addedGuest:${reader.index}`
  return isHost(reader) ? `${reader.role}:${reader.host.id}` : 'guest'
}

/** A Message-ID that stays the same when this mail is sent again. */
export function messageIdOf(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  idSource: string,
  person: string,
  occasion: string,
): string {
  const about = hash('sha256', `${person} ${occasion}`, 'hex').slice(0, 16)
  return `<${idSource}.${about}@${new URL(publicUrl).hostname}>`
}

const mailboxOf = ({ name, email }: { readonly name: string; readonly email: string }): Mailbox => ({
  name: headerName(name),
  address: email,
})

export const headerName = (name: string) => shortened(printableLine(name), 60)
