import { createHash } from 'node:crypto'
import type { BookingChange } from '../../domain/bookings/change.ts'
import { isErased } from '../../domain/bookings/erased.ts'
import { GiveUp } from '../../domain/job.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import { type Mail, type Mailbox, MailRefused } from '../../outside/mail/mail.ts'
import type { Context } from '../context.ts'
import { composeBookingMail, mailKindOf } from './compose.ts'
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
): Promise<void> {
  await send(context, bookingMail(context, change, reader, { kind: mailKindOf(change), occasion: 'change' }))
}

/** Emails one person a reminder. */
export async function sendReminder(
  context: Context,
  change: BookingChange,
  reader: MailReader,
  minutesBefore: number,
): Promise<void> {
  await send(
    context,
    bookingMail(context, change, reader, { kind: 'reminder', occasion: `reminder:${minutesBefore}` }),
  )
}

async function send(context: Context, mail: Mail): Promise<void> {
  try {
    await context.mailer(mail)
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    throw new GiveUp(error.sentence, { cause: error })
  }
}

function bookingMail(
  context: Context,
  change: BookingChange,
  reader: MailReader,
  { kind, occasion }: { readonly kind: MailKind; readonly occasion: string },
): Mail {
  const { invitee } = change.booking
  const guest = { name: invitee.name, email: invitee.email }
  const links = linksOf(context, change)
  const invitation = invitationFor(change, reader, links, kind, context.slots.zones)
  const answersTo = (isHost(reader) ? [guest] : change.hosts).filter(({ email }) => email !== '')
  return {
    ...composeBookingMail(change, reader, links, kind),
    to: addressOf(reader, guest.email),
    messageId: messageIdOf(context, change, reader, occasion),
    fromName: headerName(change.scheduler.name),
    ...(answersTo.length > 0 && { replyTo: answersTo.map(mailboxOf) }),
    // Prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(invitation && { invitation }),
  }
}

function addressOf(reader: MailReader, guest: string): string {
  if (reader.role === 'addedGuest') return reader.email
  return isHost(reader) ? reader.host.email : guest
}

function personOf(reader: MailReader): string {
  if (reader.role === 'addedGuest') return `addedGuest:${reader.index}`
  return isHost(reader) ? `${reader.role}:${reader.host.id}` : 'guest'
}

/** A Message-ID that stays the same when this mail is sent again. */
function messageIdOf(context: Context, { id }: BookingChange, reader: MailReader, occasion: string): string {
  const person = personOf(reader)
  const hash = createHash('sha256').update(`${person} ${occasion}`).digest('hex').slice(0, 16)
  return `<${id}.${hash}@${new URL(context.publicUrl).hostname}>`
}

const mailboxOf = ({ name, email }: { readonly name: string; readonly email: string }): Mailbox => ({
  name: headerName(name),
  address: email,
})

const headerName = (name: string) => shortened(printableLine(name), 60)
