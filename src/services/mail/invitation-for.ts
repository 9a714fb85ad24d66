import { uidOf } from '../../domain/bookings/booking.ts'
import type { BookingChange } from '../../domain/bookings/change.ts'
import { type Invitation, writeInvitation } from '../../format/icalendar/invitation.ts'
import { entryOf, type MailLinks, type MailReader } from './compose.ts'
import type { MailKind } from './texts/texts.ts'

/**
 * What a mail does to the reader's calendar. A request that waits for its answer
 * is in no calendar: it comes without an invitation, and a meeting that goes back
 * to waiting is taken out until it is accepted. Taking out what a calendar does not
 * know of does nothing, so a cancellation need not know what was sent before.
 */
const METHODS: Readonly<Record<MailKind, Invitation['method'] | undefined>> = {
  confirmed: 'REQUEST',
  approved: 'REQUEST',
  movedByGuest: 'REQUEST',
  movedByHost: 'REQUEST',
  moveRequested: 'CANCEL',
  cancelledByGuest: 'CANCEL',
  cancelledByHost: 'CANCEL',
  cancelledByService: 'CANCEL',
  requested: undefined,
  declined: undefined,
  expired: undefined,
  reminder: undefined,
}

export function invitationFor(
  change: BookingChange,
  reader: MailReader,
  links: MailLinks,
  kind: MailKind,
): Invitation | undefined {
  const isFormer = reader.role === 'formerHost'
  const method = isFormer ? 'CANCEL' : METHODS[kind]
  const [organizer, ...otherHosts] = change.hosts
  if (method === undefined || organizer === undefined) return undefined
  const entry = entryOf(change, reader, links)
  const isOfBefore = isFormer || kind === 'moveRequested'
  const startsAt = isOfBefore ? (change.previousStartsAt ?? change.startsAt) : change.startsAt
  return writeInvitation(method, {
    uid: uidOf(change.bookingId),
    sequence: change.sequence,
    at: change.at,
    startsAt,
    endsAt: startsAt + (change.endsAt - change.startsAt),
    summary: entry.title,
    description: entry.details,
    location: entry.location,
    url: reader.role === 'guest' ? links.manage : links.dashboard,
    organizer,
    attendees: [change.booking.invitee, ...otherHosts],
  })
}
