import type { Choices, LineState } from '../../domain/imports/plan.ts'
import { isSlug, RESERVED_SLUGS } from '../../domain/people/slug.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { NOTHING, type Sentence, sentence } from '../../domain/sentence.ts'
import type { Db } from '../../store/engine/database.ts'
import { findImport, findImports, type Import, updateImport } from '../../store/imports/imports.ts'
import { findLines, type PlacedLine } from '../../store/imports/lines.ts'
import { findLanes, insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { listLinkProviders } from '../event-types/link-providers.ts'
import { getId, notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import type { ApplyJobData } from './apply.ts'

/** More than anyone makes. */
const MOST_LISTED = 100

const INTERRUPTED = sentence`The service stopped while it was reading. Please start again.`

/** A process that has died leaves its import as it was. */
async function seenNow(
  { db, now }: Pick<Context, 'now'> & { readonly db: Db },
  found: Import,
): Promise<Import> {
  if ((found.leasedUntil ?? 0) > now()) return found
  if (found.state === 'reading') return { ...found, state: 'failed', reason: INTERRUPTED }
  // What was given up can be applied again: what it has made is remembered.
  const isGivenUp =
    found.state === 'applying' && !(await findLanes(db, [laneOf(found.id)])).has(laneOf(found.id))
  return isGivenUp ? { ...found, state: 'planned' } : found
}

const laneOf = (id: string) => `import:${id}`

/** Who is no longer an admin has no part in what they began as one. */
const maySee = ({ admin, userId }: Principal, { createdBy, source }: Import): boolean =>
  admin || (createdBy === userId && source !== 'calcom')

/** Admins see all imports; others those that they began. */
export async function listImports(context: Context, principal: Principal): Promise<Import[]> {
  const found = await findImports(context.db, principal.admin ? undefined : principal.userId, MOST_LISTED)
  return Promise.all(found.filter((one) => maySee(principal, one)).map((one) => seenNow(context, one)))
}

export async function getImport(context: Context, principal: Principal, id: string): Promise<Import> {
  const found = await findImport(context.db, getId(id))
  if (found === undefined || !maySee(principal, found)) throw notFound()
  return seenNow(context, found)
}

/** Lines of a plan. The cursor is the place of the last one before. */
export async function listLines(
  context: Context,
  principal: Principal,
  id: string,
  filter: {
    readonly table?: string | undefined
    readonly state?: LineState | undefined
    readonly search: string
    readonly noted: boolean
  },
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<PlacedLine[]> {
  const found = await getImport(context, principal, id)
  const { cursor } = page
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw notFound()
  return findLines(context.db, found.id, {
    table: filter.table,
    states: filter.state && [filter.state],
    search: filter.search,
    noted: filter.noted,
    after: cursor === undefined ? undefined : Number(cursor),
    limit: page.limit,
  })
}

const NOT_PLANNED: Readonly<Record<Exclude<Import['state'], 'planned'>, Sentence>> = {
  reading: sentence`This import is still being read.`,
  applying: sentence`This import is being applied already.`,
  applied: sentence`This import was applied already.`,
  undone: sentence`This import was undone. Start another one to move in again.`,
  failed: sentence`This import has failed. Please start again.`,
}

/** Has an import applied by the worker, which goes on with it if it is interrupted. */
export async function applyImport(
  context: Context,
  principal: Principal,
  id: string,
  choices: Choices,
): Promise<void> {
  const found = await getImport(context, principal, id)
  checkChoices(context, choices)
  await beginApplying(context, found, choices, {
    importId: found.id,
    // A token's name is all that the audit needs of it.
    actor: { userId: principal.userId, email: principal.email, ...(principal.via && { via: principal.via }) },
    at: context.now(),
  })
  context.outbox.wake(['import-apply'])
}

/** Marks an import as being applied, and queues the job that does it, for now or for when it was interrupted. */
export async function beginApplying(
  { db, now }: Context,
  { id, state }: Pick<Import, 'id' | 'state'>,
  choices: Choices,
  data: ApplyJobData,
  dueAt: number = now(),
): Promise<void> {
  if (state !== 'planned') throw new Problem('state_conflict', NOT_PLANNED[state])
  await db.transaction().execute(async (trx) => {
    const change = { state: 'applying', choices, done: 0, reason: NOTHING } as const
    const isFirst = await updateImport(trx, id, 'planned', change)
    // The row is locked from here on: of two who apply again what was given up, the second finds the job of the first.
    const isAgain =
      !isFirst && (await updateImport(trx, id, 'applying', { done: 0 })) && (await isPlanned(trx, now, id))
    if (isAgain) await updateImport(trx, id, 'applying', change)
    else if (!isFirst) throw new Problem('state_conflict', NOT_PLANNED.applying)
    await insertJobs(trx, [{ kind: 'import-apply', lane: laneOf(id), data, dueAt }], now())
  })
}

async function isPlanned(db: Db, now: Context['now'], id: string): Promise<boolean> {
  const found = await findImport(db, id)
  return found !== undefined && (await seenNow({ db, now }, found)).state === 'planned'
}

/** Throws `invalid` unless these choices can be taken. */
export function checkChoices(context: Context, { slugs = {}, video = {} }: Choices): void {
  for (const [key, slug] of Object.entries(slugs)) {
    const field = `choices.slugs.${key}`
    if (!isSlug(slug))
      throw invalidField(field, sentence`{field} must be 1 to 64 lower-case letters, digits and hyphens.`)
    if (RESERVED_SLUGS.has(slug))
      throw new Problem('invalid', sentence`"${slug}" is reserved. Please choose another.`, { field })
  }
  const offered = listLinkProviders(context)
  for (const [key, provider] of Object.entries(video)) {
    if (provider === '' || offered.includes(provider)) continue
    throw new Problem('invalid', sentence`These meeting links are not set up on this service.`, {
      field: `choices.video.${key}`,
    })
  }
}
