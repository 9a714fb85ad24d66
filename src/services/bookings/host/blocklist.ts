import type { PageRequest } from '../../../domain/cursor.ts'
import { readBlocklistEntry } from '../../../domain/event-types/blocklist.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import {
  type BlockedGuest,
  deleteBlockedGuest,
  findBlockedEntries,
  findBlockedGuest,
  findBlockedGuests,
  insertBlockedGuest,
} from '../../../store/bookings/guests/blocked-guests.ts'
import type { Db } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import { change, type VersionOf } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getId, listedSchedulers, notFound, readIdPage, requireRole } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'

/** Limited, because every booking is compared with every entry. */
export const MAX_ENTRIES = 1000

/** The blocklists of the user and their teams, or of one of them. */
export async function listBlockedGuests(
  context: Context,
  principal: Principal,
  ownerId: string | undefined,
  page: PageRequest,
): Promise<BlockedGuest[]> {
  const owners = await listedSchedulers(context.db, principal, ownerId)
  return findBlockedGuests(context.db, owners, readIdPage(page))
}

export async function blockGuest(
  context: Context,
  principal: Principal,
  ownerId: string,
  text: string,
): Promise<BlockedGuest> {
  return change(context, principal, getId(ownerId), async (trx) => {
    await requireRole(trx, principal, ownerId, 'admin')
    const entry = readBlocklistEntry(text)
    const listed = await findBlockedEntries(trx, [ownerId])
    if (listed.includes(entry)) {
      throw new Problem('in_use', sentence`"${entry}" is already on the list.`, { field: 'entry' })
    }
    if (listed.length >= MAX_ENTRIES) {
      throw new Problem(
        'invalid',
        sentence`A blocklist has at most ${MAX_ENTRIES} entries. Block whole domains.`,
      )
    }
    const blocked = { id: newId(), schedulerId: ownerId, entry, createdAt: context.now() }
    await insertBlockedGuest(trx, blocked)
    const audit = { ...about(blocked), action: 'created', changes: ['entry'] }
    return { result: blocked, audit, affects: [ownerId] }
  })
}

export async function unblockGuest(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<BlockedGuest>,
): Promise<void> {
  const { schedulerId } = await getBlockedGuest(context.db, principal, id)
  await change(context, principal, schedulerId, async (trx) => {
    const blocked = await getBlockedGuest(trx, principal, id)
    await requireRole(trx, principal, schedulerId, 'admin')
    expect(blocked)
    await deleteBlockedGuest(trx, blocked.id)
    const audit = { ...about(blocked), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [schedulerId] }
  })
}

async function getBlockedGuest(db: Db, principal: Principal, id: string): Promise<BlockedGuest> {
  const blocked = await findBlockedGuest(db, getId(id))
  if (blocked === undefined) throw notFound()
  await requireRole(db, principal, blocked.schedulerId, 'member')
  return blocked
}

const about = ({ id, schedulerId }: BlockedGuest) => ({
  schedulerId,
  objectType: 'blocklist-entry',
  objectId: id,
})
