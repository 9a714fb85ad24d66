import { type Actor, type AuditedAct, auditEntryOf } from '../domain/people/audit.ts'
import { Problem } from '../domain/problem.ts'
import { sentence } from '../domain/sentence.ts'
import { brokenConstraint, type Db, type Trx } from '../store/engine/database.ts'
import { newId } from '../store/new-id.ts'
import { insertAuditEntry } from '../store/people/audit.ts'
import { updateFeedMaker, updateMaker } from '../store/people/made-by-token.ts'
import { bumpRevisions } from '../store/people/schedulers.ts'
import type { Context } from './context.ts'

/** The outcome of a change, for the audit and the caches. */
export interface Changed<T> {
  readonly result: T
  readonly audit: AuditedAct
  /** Schedulers whose slots may have changed. */
  readonly affects: readonly string[]
}

/** What a change is about, and which version of it: `expect` throws if the client saw another than the current one. */
export interface VersionOf<T> {
  readonly id: string
  readonly expect: (current: T) => void
}

/**
 * All changes to settings go through here.
 *
 * The transaction first bumps the owner's revision, which locks out concurrent changes. It then bumps
 * everyone else affected and writes the audit. Caches are invalidated after the commit.
 */
export async function change<T>(
  context: Context,
  actor: Actor,
  ownerId: string,
  work: (trx: Trx) => Promise<Changed<T>>,
  /** Locks whole tables first: two changes that each hold a row of them would wait for each other. */
  lock?: (trx: Trx) => Promise<void>,
): Promise<T> {
  const { result, affects } = await transact(context.db, async (trx) => {
    await lock?.(trx)
    await bumpRevisions(trx, [ownerId])
    const changed = await work(trx)
    await bumpRevisions(
      trx,
      changed.affects.filter((id) => id !== ownerId),
    )
    await recordAudit(trx, actor, context.now(), changed.audit)
    await noteMaker(trx, actor, changed.audit)
    return changed
  })
  context.slots.settingsChanged([ownerId, ...affects])
  return result
}

/** Runs a transaction, and reports a lost race for a slug as `slug_taken`. */
async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (brokenConstraint(error) !== 'unique') throw error
    throw new Problem('slug_taken', sentence`Someone else has just taken this. Please choose another.`, {
      cause: error,
    })
  }
}

export async function recordAudit(db: Db, actor: Actor, now: number, audit: AuditedAct): Promise<void> {
  await insertAuditEntry(db, auditEntryOf(actor, newId(), now, audit))
}

/** What a token makes works without it, so revoking it must be able to end that as well. */
async function noteMaker(trx: Trx, { via }: Actor, audit: AuditedAct): Promise<void> {
  const tokenId = via?.kind === 'token' ? via.id : null
  const { objectType, objectId, action } = audit
  if (objectType === 'calendar-feed') {
    return updateFeedMaker(trx, objectId, action === 'deleted' ? null : tokenId)
  }
  if (tokenId === null || action !== 'created') return
  if (objectType === 'webhook') return updateMaker(trx, 'webhooks', objectId, tokenId)
  if (objectType === 'calendar') return updateMaker(trx, 'calendars', objectId, tokenId)
}

/** Names of the top-level fields in which two versions differ. */
export function changedFields(before: object, after: object): string[] {
  const old = before as Record<string, unknown>
  const now = after as Record<string, unknown>
  return Object.keys(now).filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
}
