import type { Actor } from '../../domain/people/audit.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { restoreChanges } from '../../store/imports/changes.ts'
import { type Import, updateImport } from '../../store/imports/imports.ts'
import { deleteRows } from '../../store/imports/rows.ts'
import {
  deleteMade,
  findImportedOwners,
  findOldestAdmin,
  forgetObjects,
  hasLaterImport,
  hasNewBooking,
} from '../../store/imports/undo.ts'
import { bumpRevisions, findScheduler, lockHosts, lockSchedulers } from '../../store/people/schedulers.ts'
import { recordAudit } from '../change.ts'
import type { Context } from '../context.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { getImport } from './imports.ts'

/** Undoes an import as a whole, for the one who asks. */
export async function undoImport(context: Context, principal: Principal, id: string): Promise<void> {
  await undo(context, principal, await getImport(context, principal, id))
}

/** Takes back everything that an import made or changed, all or nothing. What was made here since stays, unless it hangs on that. */
export async function undo(context: Context, actor: Actor, found: Import): Promise<void> {
  const { db, now, slots } = context
  const { id, source, appliedAt } = found
  if (found.state !== 'applied' || appliedAt === null)
    throw new Problem('state_conflict', sentence`Only an import that was applied can be undone.`)
  const owners = await db.transaction().execute(async (trx) => {
    // Nobody books meanwhile, and nobody changes what is about to go.
    await lockSchedulers(trx)
    const owners = await findImportedOwners(trx, id)
    await bumpRevisions(trx, owners)
    await lockHosts(trx, owners)
    if (await hasLaterImport(trx, source, { id, appliedAt }))
      throw new Problem('state_conflict', sentence`A later import builds on this one. Undo that one first.`)
    if (await hasNewBooking(trx, id))
      throw new Problem(
        'state_conflict',
        sentence`Somebody has booked since this import was applied, so it can no longer be undone.`,
      )
    await deleteMade(trx, id)
    await restoreChanges(trx, id)
    await forgetObjects(trx, id)
    await deleteRows(trx, id)
    const change = { state: 'undone', undoneAt: now(), leasedUntil: null } as const
    if (!(await updateImport(trx, id, 'applied', change)))
      throw new Problem('state_conflict', sentence`Only an import that was applied can be undone.`)
    const witness = await findWitness()
    if (witness !== undefined) {
      const audit = {
        schedulerId: witness,
        objectType: 'import',
        objectId: id,
        action: 'undone',
        changes: [],
      }
      await recordAudit(trx, actor, now(), audit)
    }
    return owners

    /** Whoever did it, unless they came with the import themselves. */
    async function findWitness(): Promise<string | undefined> {
      const self = actor.userId === null ? undefined : await findScheduler(trx, actor.userId)
      return self?.id ?? (await findOldestAdmin(trx))
    }
  })
  slots.settingsChanged(owners)
  slots.bookingsChanged(owners)
}
