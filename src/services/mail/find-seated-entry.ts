import type { EntryVersion } from '../../domain/bookings/change.ts'
import { findRoster } from '../../store/bookings/rosters.ts'
import type { Db } from '../../store/engine/database.ts'
import type { SeatedEntry } from './reader.ts'

/** A host's calendar entry of a seated meeting, with the guests who attend it now. */
export async function findSeatedEntry(
  db: Db,
  hostId: string,
  { meetingId, sequence }: EntryVersion,
): Promise<SeatedEntry> {
  const roster = await findRoster(db, meetingId)
  if (roster === undefined || !roster.hostIds.includes(hostId)) {
    return { meetingId, sequence, attended: undefined }
  }
  const { bookings, seats } = roster
  const [{ startsAt, endsAt }] = bookings
  const guests = bookings.map(({ invitee }) => invitee.name)
  return {
    meetingId,
    sequence,
    attended: { startsAt, endsAt, seats, guests },
  }
}
