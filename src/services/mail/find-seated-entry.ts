import type { EntryVersion } from '../../domain/bookings/change.ts'
import { findRoster } from '../../store/bookings/rosters.ts'
import type { Db } from '../../store/engine/database.ts'
import type { SeatedEntry } from './reader.ts'

/** A host's calendar entry of a seated meeting, with the guests who attend it now. */
export async function findSeatedEntry(db: Db, hostId: string, entry: EntryVersion): Promise<SeatedEntry> {
  const roster = await findRoster(db, entry.meetingId)
  if (roster === undefined || !roster.hostIds.includes(hostId)) {
    return { ...entry, attended: undefined }
  }
  const { bookings, seats } = roster
  const [{ startsAt, endsAt }] = bookings
  const guests = bookings.map(({ invitee }) => invitee.name)
  return { ...entry, attended: { startsAt, endsAt, seats, guests } }
}
