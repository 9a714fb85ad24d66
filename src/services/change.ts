import { randomUUIDv7 } from 'node:crypto'
import { Problem } from '../domain/problem.ts'
import { brokenConstraint, type Db, type Trx } from '../store/engine/database.ts'
import { type AuditEntry, insertAuditEntry } from '../store/people/audit.ts'
import { bumpRevisions } from '../store/people/schedulers.ts'
import type { Context } from './context.ts'

/** Whoever makes a change: a principal, or the command line. */
export interface Actor {
  readonly userId: string | null
  readonly email: string
}

/** What a change was about, for the audit and for everyone who has cached something of it. */
export interface Changed<T> {
  readonly result: T
  readonly audit: Omit<AuditEntry, 'id' | 'actor' | 'actorId' | 'createdAt'>
  /** Schedulers whose offers may be different now. */
  readonly affects: readonly string[]
}

/**
 * The one door for changes to settings.
 *
 * A transaction that begins by bumping the owner's revision, which keeps others
 * from changing the same things meanwhile; it also bumps everyone else concerned
 * and records who did it. Caches learn of it after the commit.
 */
export async function change<T>(
  context: Context,
  actor: Actor,
  ownerId: string,
  work: (trx: Trx) => Promise<Changed<T>>,
): Promise<T> {
  const { result, affects } = await transact(context.db, async (trx) => {
    await bumpRevisions(trx, [ownerId])
    const changed = await work(trx)
    await bumpRevisions(
      trx,
      changed.affects.filter((id) => id !== ownerId),
    )
    await recordAudit(trx, actor, context.now(), changed.audit)
    return changed
  })
  context.changes.note([ownerId, ...affects])
  return result
}

/** A transaction in which losing a race for an address is told as what it is. */
async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (brokenConstraint(error) !== 'unique') throw error
    throw new Problem('slug_taken', 'Someone else has just taken this. Please choose another.', {
      cause: error,
    })
  }
}

export async function recordAudit(
  db: Db,
  actor: Actor,
  now: number,
  audit: Changed<unknown>['audit'],
): Promise<void> {
  await insertAuditEntry(db, {
    ...audit,
    id: randomUUIDv7(),
    actorId: actor.userId,
    actor: actor.email,
    createdAt: now,
  })
}

/** Names of the top-level fields in which two versions differ. */
export function changedFields(before: object, after: object): string[] {
  const old = before as Record<string, unknown>
  const now = after as Record<string, unknown>
  return Object.keys(now).filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
}
