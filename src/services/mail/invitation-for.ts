import type { BookingChange } from '../../domain/bookings/change.ts'
import type { Zones } from '../../domain/zone.ts'
import { type Invitation, writeInvitation } from '../../format/icalendar/invitation.ts'
import { writeMeetingOfSeries, writeSeries } from '../../format/icalendar/series.ts'
import { calendarEvent, seatedEvent, seriesEvent } from './calendar-entry.ts'
import type { MailKind } from './languages.ts'
import { type HostReader, isHost, type MailLinks, type MailReader, type SeatedEntry } from './reader.ts'

/**
 * What a mail does to the reader's calendar.
 *
 * A pending request is in no calendar: it comes without an invitation, and a meeting that becomes pending again
 * is removed until the host accepts it.
 */
const METHODS: Readonly<Record<MailKind, Invitation['method'] | undefined>> = {
  confirmed: 'REQUEST',
  approved: 'REQUEST',
  linkAdded: 'REQUEST',
  movedByGuest: 'REQUEST',
  movedByHost: 'REQUEST',
  reassigned: 'REQUEST',
  moveRequested: 'CANCEL',
  cancelledByGuest: 'CANCEL',
  cancelledByHost: 'CANCEL',
  cancelledByService: 'CANCEL',
  requested: undefined,
  requestReassigned: undefined,
  declined: undefined,
  expired: undefined,
  reminder: undefined,
}

/** The invitation or cancellation that goes with a mail, if any. */
export function invitationFor(
  change: BookingChange,
  reader: MailReader,
  links: MailLinks,
  kind: MailKind,
  zones: Zones,
): Invitation | undefined {
  if (isHost(reader) && reader.hasEvent) return undefined
  if (isHost(reader) && reader.entry !== undefined) {
    return seatedInvitation(change, { ...reader, entry: reader.entry }, links, kind)
  }
  const isFormer = reader.role === 'formerHost'
  const method = isFormer ? 'CANCEL' : METHODS[kind]
  if (method === undefined) return undefined
  // A request that was never confirmed is in no calendar that it could be removed from.
  if (method === 'CANCEL' && change.previousStatus === 'PendingApproval') return undefined
  const event = calendarEvent(change, reader, links, change.at)
  if (event === undefined) return undefined
  // Removes the event from where the reader's calendar has it, which is the time before this change.
  const isOfBefore = isFormer || kind === 'moveRequested'
  const startsAt = isOfBefore ? (change.previousStartsAt ?? change.startsAt) : change.startsAt
  const meeting = { ...event, startsAt, endsAt: startsAt + (change.endsAt - change.startsAt) }
  const inSeries = seriesEvent(meeting, change, zones, reader)
  if (inSeries === undefined) return writeInvitation(method, meeting)
  const isAboutAll = change.together !== undefined
  return isAboutAll
    ? writeSeries('REQUEST', inSeries.event, inSeries.series)
    : writeMeetingOfSeries(method, inSeries.event, inSeries.series, inSeries.index)
}

/** What a mail about one guest of a seated meeting does to the host's one entry for all of them. */
function seatedInvitation(
  change: BookingChange,
  reader: HostReader & { readonly entry: SeatedEntry },
  links: MailLinks,
  kind: MailKind,
): Invitation | undefined {
  if (METHODS[kind] === undefined) return undefined
  // A request that was never confirmed is in no calendar.
  if (change.previousStatus === 'PendingApproval' && change.status !== 'Confirmed') return undefined
  const { attended } = reader.entry
  const before = change.previousStartsAt ?? change.startsAt
  const gone = { startsAt: before, endsAt: before + (change.endsAt - change.startsAt), seats: 0, guests: [] }
  const event = seatedEvent(change, reader, attended ?? gone, links)
  return writeInvitation(attended === undefined ? 'CANCEL' : 'REQUEST', event)
}
