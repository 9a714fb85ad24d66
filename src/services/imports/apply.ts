import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PlanLine, PlannedSetting } from '../../domain/imports/plan.ts'
import type { SourceKey } from '../../domain/imports/source.ts'
import type { Actor } from '../../domain/people/audit.ts'
import type { Trx } from '../../store/engine/database.ts'
import {
  findImport,
  findOthers,
  type Import,
  leaseImport,
  updateImport,
} from '../../store/imports/imports.ts'
import { countLines, deleteLines, insertLines } from '../../store/imports/lines.ts'
import { insertOldLinks } from '../../store/imports/names.ts'
import { countBookingRows, deleteRows } from '../../store/imports/rows.ts'
import { deleteSecrets } from '../../store/imports/secrets.ts'
import { findMessagesOf } from '../../store/messages/messages.ts'
import type { Context } from '../context.ts'
import { planMessageAgain } from '../messages/messages.ts'
import { applyMeetings } from './apply-meetings.ts'
import { applyUnit, type Unit } from './apply-settings.ts'
import { LEASE, type Progress, progressOf } from './lease.ts'
import {
  bookingPlaces,
  bookingRange,
  SETTING_RANGE,
  settingPlaces,
  VANISHED_RANGE,
  vanishedPlaces,
} from './lines.ts'
import { openAccounts } from './open-accounts.ts'
import { type Preparation, planPages, prepareMeetings, preparePlan, vanishedLines } from './plan.ts'

/** Who applies an import, and when they said so. */
export interface ApplyJobData {
  readonly importId: string
  readonly actor: Actor
  readonly at: number
}

/**
 * Applies an import that somebody has asked for, and goes on with one that was interrupted: what it has made is remembered.
 * Tells when to look again if another process works on it; undefined: it is done, or there is nothing to do.
 * With a `preparation`, it has just been planned by this process.
 */
export async function continueApplying(
  context: Context,
  { importId, actor, at }: ApplyJobData,
  onProgress: (progress: Progress) => void = () => {},
  preparation?: Preparation,
): Promise<number | undefined> {
  const { db, now } = context
  if (!(await leaseImport(db, importId, 'applying', now(), now() + LEASE))) {
    const found = await findImport(db, importId)
    return found?.state === 'applying' ? (found.leasedUntil ?? now() + LEASE) : undefined
  }
  try {
    await applyLeased(context, { importId, actor, at }, onProgress, preparation)
  } catch (error) {
    // Whoever tries again need not wait.
    await updateImport(db, importId, 'applying', { leasedUntil: null })
    throw error
  }
  return undefined
}

async function applyLeased(
  context: Context,
  { importId, actor, at }: ApplyJobData,
  onProgress: (progress: Progress) => void,
  prepared?: Preparation,
): Promise<void> {
  const { db } = context
  const found = (await findImport(db, importId)) as Import
  const total = await countBookingRows(db, importId)
  // Bookings are looked at twice: once to plan them, and once to make them.
  const steps = (prepared === undefined ? 2 * total : total) + 1
  const progress = progressOf(context, importId, 'applying', steps, onProgress)
  const preparation = prepared ?? (await preparePlan(context, found, (count) => progress.add(count)))
  await db.transaction().execute(async (trx) => {
    await deleteLines(trx, importId, ...SETTING_RANGE)
    await insertLines(trx, importId, settingPlaces(preparation.lines))
  })
  const unitOf = (trx: Trx): Unit => ({ context, trx, actor, given: found, preparation, at })
  await applySettings(context, found, preparation, unitOf, () => progress.add(0))
  await tellOutcomes(context, importId, preparation)
  await progress.add(1)
  await applyBookings(context, found, preparation, unitOf, (count) => progress.add(count))
  await finish(context, found, preparation, at, steps)
}

/** What could not be made is said to be left out. */
async function tellOutcomes(
  { db }: Context,
  importId: string,
  { lines, outcomes }: Preparation,
): Promise<void> {
  if (outcomes.size === 0) return
  const told = lines.map((line): PlanLine => ({ ...line, ...outcomes.get(line.key) }))
  await db.transaction().execute(async (trx) => {
    await deleteLines(trx, importId, ...SETTING_RANGE)
    await insertLines(trx, importId, settingPlaces(told))
  })
}

/** One transaction for each person or team, and a second one for what refers to those who come later. */
async function applySettings(
  context: Context,
  found: Import,
  preparation: Preparation,
  unitOf: (trx: Trx) => Unit,
  onProgress: () => Promise<void>,
): Promise<void> {
  const { db, slots } = context
  const units = Map.groupBy(preparation.settings, ({ unit }) => unit)
  const planned = new Set<string>(preparation.settings.map(({ key }) => key))
  const late = new Map<SourceKey, PlannedSetting[]>()
  const apply = async (key: SourceKey, items: readonly PlannedSetting[]) => {
    // Others may take long to answer, so they are asked before the transaction.
    await openAccounts(context, found, preparation, items, onProgress)
    await db.transaction().execute((trx) => applyUnit(unitOf(trx), key, items))
    const owner = preparation.objects.get(key)
    if (owner !== undefined) slots.settingsChanged([owner.id])
    await nextTurn()
  }
  for (const [key, items] of units) {
    const ready: PlannedSetting[] = []
    const known = new Set<string>()
    for (const item of items) {
      const misses = (other: SourceKey) =>
        planned.has(other) && !known.has(other) && !preparation.objects.has(other)
      if (item.kind === 'block' || refersTo(item).some(misses)) {
        late.set(key, [...(late.get(key) ?? []), item])
      } else {
        ready.push(item)
        known.add(item.key)
      }
    }
    await apply(key, ready)
  }
  for (const [key, items] of late) await apply(key, items)
}

/** What has to be made before. */
function refersTo(item: PlannedSetting): readonly SourceKey[] {
  switch (item.kind) {
    case 'user':
    case 'block':
      return []
    case 'team':
      return item.content.members.map(({ user }) => user)
    case 'schedule':
    case 'connection':
      return [item.content.user]
    case 'absence':
      return [item.content.user, item.content.redirectTo].filter((key) => key !== null)
    case 'event-type': {
      const { owner, schedule, hosts } = item.content
      return [owner, ...(schedule === null ? [] : [schedule]), ...hosts.map(({ user }) => user)]
    }
    case 'form':
      return [item.content.owner, ...eventTypesIn(item.content.form)]
    case 'message':
      return [item.content.owner, ...keysOf(item.content.message.eventTypeIds, item.content.message.formIds)]
    case 'webhook':
      return [item.content.owner, ...item.content.eventTypes]
    case 'link':
      return [item.content.eventType]
  }
}

const keysOf = (...lists: readonly (readonly string[])[]) => lists.flat() as SourceKey[]

function eventTypesIn({ rules, fallback }: Extract<PlannedSetting, { kind: 'form' }>['content']['form']) {
  return [...rules.map(({ target }) => target), fallback].flatMap((target) =>
    target.action === 'routeToEvent' ? [target.eventTypeId as SourceKey] : [],
  )
}

async function applyBookings(
  { db, slots }: Context,
  found: Import,
  preparation: Preparation,
  unitOf: (trx: Trx) => Unit,
  onPage: (bookings: number) => Promise<void>,
): Promise<void> {
  for await (const page of planPages(db, found.id, preparation)) {
    const { hostIds } = await db.transaction().execute(async (trx) => {
      const prepared = await prepareMeetings(trx, found, preparation, page)
      await deleteLines(trx, found.id, ...bookingRange(page))
      await insertLines(trx, found.id, bookingPlaces(prepared))
      return applyMeetings(unitOf(trx), prepared)
    })
    slots.bookingsChanged(hostIds)
    await onPage(page.length)
    await nextTurn()
  }
}

async function finish(
  context: Context,
  found: Import,
  preparation: Preparation,
  at: number,
  steps: number,
): Promise<void> {
  const { db } = context
  const { id } = found
  const links = preparation.plan.oldLinks.flatMap(({ path, key }) => {
    const target = preparation.objects.get(key)
    const kind = target && LINK_KINDS.find((other) => other === target.kind)
    return target && kind ? [{ path, kind, object_id: target.id }] : []
  })
  const owners = [...preparation.objects.values()]
    .filter(({ kind, lastImportId }) => (kind === 'user' || kind === 'team') && lastImportId === id)
    .map((owner) => owner.id)
  await db.transaction().execute(async (trx) => {
    await insertOldLinks(trx, id, links)
    await deleteLines(trx, id, ...VANISHED_RANGE)
    await insertLines(trx, id, vanishedPlaces(vanishedLines(preparation)))
    // Only what is due from now on: messages of the past are not sent.
    for (const message of await findMessagesOf(trx, owners)) await planMessageAgain(context, trx, message)
    await deleteSecrets(trx, id)
    // What an earlier import of the same instance read is outdated.
    for (const other of await findOthers(trx, found)) await deleteRows(trx, other)
    const counts = await countLines(trx, id)
    const end = { state: 'applied', appliedAt: at, done: steps, total: steps, leasedUntil: null } as const
    await updateImport(trx, id, 'applying', { ...end, counts })
  })
  context.slots.settingsChanged(owners)
}

const LINK_KINDS = ['user', 'team', 'event-type', 'form'] as const
