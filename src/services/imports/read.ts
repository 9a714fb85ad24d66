import type { ImportState } from '../../domain/imports/plan.ts'
import type { Source, Sourced } from '../../domain/imports/source.ts'
import { Problem } from '../../domain/problem.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import { readSource, type SourceOptions } from '../../outside/imports/reader.ts'
import type { Db } from '../../store/engine/database.ts'
import { findImport, type Import, insertImport, updateImport } from '../../store/imports/imports.ts'
import { countLines, insertLines } from '../../store/imports/lines.ts'
import { countBookingRows, deleteRows, insertRows } from '../../store/imports/rows.ts'
import {
  deleteSecrets,
  findSecretKeys,
  insertSecrets,
  type SealedSecret,
} from '../../store/imports/secrets.ts'
import { newId } from '../../store/new-id.ts'
import type { Context } from '../context.ts'
import { LEASE, type Progress, progressOf } from './lease.ts'
import { bookingPlaces, settingPlaces, vanishedPlaces } from './lines.ts'
import { chooseMemory } from './memory.ts'
import { type Preparation, planPages, prepareMeetings, preparePlan, vanishedLines } from './plan.ts'
import { sealSecret, withoutSecrets } from './their-secrets.ts'

/** Begins an import. */
export async function createImport(
  { db, now }: Context,
  source: Source,
  createdBy: string | null,
): Promise<string> {
  const id = newId()
  await insertImport(db, { id, source, createdBy, createdAt: now(), leasedUntil: now() + LEASE, total: 0 })
  return id
}

const UNREADABLE = sentence`Something went wrong while reading. Please start again, or ask the operator.`

/** Who is told how far it has come, and whether it is applied at once. */
interface ReadingOptions {
  readonly onRead?: (progress: Progress) => void
  readonly onPlanned?: (progress: Progress) => void
  readonly toApply?: boolean
}

/**
 * Reads a source and plans what becomes of it. What goes wrong is said by the import. With `toApply`, it is applied at
 * once: if all of it is new, its plan is returned, and its bookings are planned only when they are made.
 */
export async function readImport(
  context: Context,
  id: string,
  options: SourceOptions,
  { onRead = () => {}, onPlanned = () => {}, toApply = false }: ReadingOptions = {},
): Promise<Preparation | undefined> {
  try {
    await stage(context, id, options, onRead)
    return await planImport(context, id, onPlanned, toApply)
  } catch (error) {
    const reason = error instanceof Problem ? error.sentence : UNREADABLE
    await fail(context, id, 'reading', reason)
    // Its message may have the address or the token in it.
    if (!(error instanceof Problem)) throw new Error(`An import failed: ${nameOf(error)}`)
    return undefined
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error)

async function fail({ db }: Context, id: string, from: ImportState, reason: Sentence): Promise<void> {
  await deleteRows(db, id)
  await updateImport(db, id, from, { state: 'failed', reason, leasedUntil: null })
}

const BATCH = 250

/** The most that a reader can note without being understood as noise. */
const MOST_NOTES = 200

async function stage(
  context: Context,
  id: string,
  options: SourceOptions,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const { db, guard, now } = context
  const progress = progressOf(context, id, 'reading', 0, onProgress)
  let latest: Progress = { done: 0, total: 0 }
  const notes: Sentence[] = []
  let batch: Sourced[] = []
  let secrets: SealedSecret[] = []
  let position = 0
  let responses = 0
  const flush = async () => {
    await insertRows(db, id, position, batch)
    await insertSecrets(db, id, secrets)
    position += batch.length
    batch = []
    secrets = []
    await progress.set(latest)
  }
  const reading = readSource(options, {
    guard,
    now,
    onProgress: ({ done, total }) => {
      latest = { done, total: total ?? done }
    },
  })
  for await (const read of reading) {
    if ('note' in read) {
      if (notes.length < MOST_NOTES) notes.push(read.note)
      continue
    }
    if (read.table === 'App_RoutingForms_FormResponse') {
      responses += 1
      continue
    }
    batch.push(withoutSecrets(read))
    secrets.push(...sealSecret(context, id, read))
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  if (responses > 0)
    notes.push(
      sentence`Answers to routing forms stay there: ${responses}. Export them there if you still need them.`,
    )
  await updateImport(db, id, 'reading', { notes })
}

/** Keeps no secret that the plan has no use for. */
async function forgetUnusable(db: Db, id: string, { settings }: Preparation): Promise<void> {
  const wanted = new Set<string>(settings.filter(({ kind }) => kind === 'connection').map(({ key }) => key))
  for (const key of await findSecretKeys(db, id)) {
    if (!wanted.has(key)) await deleteSecrets(db, id, key)
  }
}

/** Plans what was read: all of it, or only the settings if bookings are new and about to be made. */
async function planImport(
  context: Context,
  id: string,
  onProgress: (progress: Progress) => void,
  toApply: boolean,
): Promise<Preparation | undefined> {
  const { db } = context
  const found = (await findImport(db, id)) as Import
  const memory = await chooseMemory(db, found)
  const total = await countBookingRows(db, id)
  const progress = progressOf(context, id, 'reading', 2 * total, onProgress)
  const preparation = await preparePlan(context, { ...found, memory }, (count) => progress.add(count))
  await forgetUnusable(db, id, preparation)
  await insertLines(db, id, settingPlaces(preparation.lines))
  const isNew = preparation.objects.size === 0 && preparation.vanishing.size === 0
  if (!toApply || !isNew) {
    for await (const page of planPages(db, id, preparation)) {
      await insertLines(db, id, bookingPlaces(await prepareMeetings(db, { id, memory }, preparation, page)))
      await progress.add(page.length)
    }
    await insertLines(db, id, vanishedPlaces(vanishedLines(preparation)))
  }
  await updateImport(db, id, 'reading', {
    state: 'planned',
    memory,
    counts: await countLines(db, id),
    offered: preparation.plan.choices,
    done: 2 * total,
    total: 2 * total,
    leasedUntil: null,
  })
  return toApply && isNew ? preparation : undefined
}
