import { setImmediate as nextTurn } from 'node:timers/promises'
import { StartChanges } from '../../domain/imports/compare/start-changes.ts'
import type {
  Choices,
  PlanLine,
  PlannedMeeting,
  PlannedSetting,
  SettingsPlan,
} from '../../domain/imports/plan.ts'
import { MeetingPlanner } from '../../domain/imports/plan-meetings.ts'
import { planSettings } from '../../domain/imports/plan-settings.ts'
import type { Source, SourceKey, SourceRow, SourceSettings } from '../../domain/imports/source.ts'
import { inTurn, NOTHING, type Sentence, sentence } from '../../domain/sentence.ts'
import type { Db } from '../../store/engine/database.ts'
import { findImportIds } from '../../store/imports/imports.ts'
import { findMeetingKeys, findMeetingRows } from '../../store/imports/meetings.ts'
import {
  findObjects,
  findRowTexts,
  findSettingObjects,
  type ImportedObject,
} from '../../store/imports/objects.ts'
import { findSettingRows, readAttendedPages, readBookingPages } from '../../store/imports/rows.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { contentHash, meetingHash, meetingRowHash, rowHash } from './hash.ts'
import { findHere } from './here.ts'
import type { OpenedAccount } from './open-account.ts'

/** What is to be done about a planned thing: it is new, its source has changed, or it stays as it is. */
export type Task = 'make' | 'change' | 'keep'

export type Outcome = Pick<PlanLine, 'state' | 'sentence'>

/** A plan with what earlier imports made of the same rows. */
export interface Preparation {
  readonly plan: SettingsPlan
  /** All settings, those that only bookings need last. */
  readonly settings: readonly PlannedSetting[]
  readonly planner: MeetingPlanner
  /** What this and earlier imports made, by key. */
  readonly objects: Map<string, ImportedObject>
  readonly tasks: ReadonlyMap<SourceKey, Task>
  readonly lines: readonly PlanLine[]
  /** What became of rows otherwise than was planned, with the reason. */
  readonly outcomes: Map<SourceKey, Outcome>
  /** Accounts that were signed in to, and are about to be connected. */
  readonly opened: Map<SourceKey, OpenedAccount>
  /** Keys of meetings that came over before and were not met again yet. */
  readonly vanishing: Set<string>
}

/** The part of an import that planning needs. */
export interface PlannedImport {
  readonly id: string
  readonly source: Source
  readonly memory: string
  readonly choices: Choices
  /** Null: the operator, on the command line. */
  readonly createdBy: string | null
}

const CHANGED_THERE = sentence`It has changed there since it came over.`
const CHANGED_HERE = sentence`It has changed there, and here as well, so it stays as it is.`
const DELETED_HERE = sentence`It was deleted here, so it does not come over again.`
const GONE_THERE = sentence`It is gone there, and stays here.`

/** Plans all settings, and looks at all bookings once. `onPage` is called after each page of them. */
export async function preparePlan(
  context: Context,
  { id, source, memory, choices, createdBy }: PlannedImport,
  onPage: (bookings: number) => Promise<void>,
): Promise<Preparation> {
  const { db } = context
  const rows = await findMayCome(db, createdBy, await findSettingRows(db, id))
  const here = await findHere(context, memory, rows)
  const plan = planSettings(rows, here, choices)
  const planner = new MeetingPlanner(rows, plan, here)
  // Nobody knows by which rules Calendly offers its times.
  const starts = source === 'calcom' ? new StartChanges(rows, here.now) : undefined
  for await (const page of readAttendedPages(db, id)) {
    for (const booking of page) {
      planner.note(booking)
      starts?.note(booking)
    }
    await onPage(page.length)
    // On SQLite, requests wait while a page is read.
    await nextTurn()
  }
  const changedStarts = new Map<SourceKey, Sentence>()
  for (const change of starts?.each() ?? []) {
    if (change !== undefined) changedStarts.set(change.key, change.sentence)
    await nextTurn()
  }
  const settings = [...plan.settings, ...planner.extras()]
  const objects = await findSettingObjects(db, memory)
  const { tasks, told } = await compareSettings(db, id, settings, objects)
  const planned = new Set<string>(settings.map(({ key }) => key))
  const listed = new Set<string>(plan.lines.map(({ key }) => key))
  // Each brings their own account from Calendly: what others brought is not gone.
  const own = source === 'calendly' ? await findImportIds(db, source, createdBy) : undefined
  const isOwn = (importId: string) => own === undefined || own.has(importId)
  const gone = [...objects.values()].filter(
    ({ key, importId }) =>
      importId !== id && isOwn(importId) && !planned.has(key) && !listed.has(key) && isRow(key),
  )
  const meetings = await findMeetingKeys(db, memory)
  return {
    plan,
    settings,
    planner,
    objects,
    tasks,
    lines: [
      ...plan.lines.map((line) => told.get(line.key)?.(line) ?? withStarts(line, changedStarts)),
      ...gone.map(({ key }) => goneLine(key as SourceKey)),
    ],
    outcomes: new Map(),
    opened: new Map(),
    vanishing: new Set(
      meetings.flatMap(({ source_key, import_id }) => (isOwn(import_id) ? [source_key] : [])),
    ),
  }
}

/** Admins of the instance bring everybody; others bring themselves, whatever their token can read. */
async function findMayCome(db: Db, createdBy: string | null, rows: SourceSettings): Promise<SourceSettings> {
  const person = createdBy === null ? undefined : await findUser(db, createdBy)
  if (createdBy === null || person?.admin) return rows
  const isSelf = ({ email }: SourceRow) =>
    typeof email === 'string' && email.trim().toLowerCase() === person?.email.toLowerCase()
  return { ...rows, users: rows.users.filter(isSelf), Team: [], Membership: [], Watchlist: [] }
}

/** Where guests see other times than there, the plan says how many. */
function withStarts(line: PlanLine, changed: ReadonlyMap<SourceKey, Sentence>): PlanLine {
  const told = changed.get(line.key)
  if (told === undefined || line.state === 'left-out') return line
  const sentence = line.sentence.pattern === NOTHING.pattern ? told : inTurn([line.sentence, told])
  return { ...line, state: 'changed', sentence }
}

/** Parts of a row have its key and more. */
const isRow = (key: string) => !key.includes('@')

const goneLine = (key: SourceKey): PlanLine => ({ state: 'same', key, name: key, sentence: GONE_THERE })

/** Lines of what came over before and is no longer there. */
export const vanishedLines = ({ vanishing }: Preparation): PlanLine[] =>
  [...vanishing].map((key) => goneLine(key as SourceKey))

type Tell = (line: PlanLine) => PlanLine

const same =
  (told: Sentence): Tell =>
  (line) => ({ ...line, state: 'same', sentence: told })

/** What is new: the first time, a row comes over as it is or changed; then, it has changed there or has not. */
function compare(
  memory: ImportedObject | undefined,
  importId: string,
  planned: () => string,
  now: string,
): { readonly task: Task; readonly tell?: Tell } {
  if (memory === undefined) return { task: 'make' }
  if (memory.lastImportId === importId) {
    // This import was interrupted after it had done this.
    return memory.importId === importId ? { task: 'keep' } : { task: 'keep', tell: changedThere }
  }
  if (memory.contentHash === planned()) return { task: 'keep', tell: same(NOTHING) }
  if (now === '') return { task: 'keep', tell: same(DELETED_HERE) }
  if (now !== memory.rowHash) return { task: 'keep', tell: same(CHANGED_HERE) }
  return { task: 'change', tell: changedThere }
}

const changedThere: Tell = (line) => ({ ...line, state: 'changed', sentence: CHANGED_THERE })

async function compareSettings(
  db: Db,
  importId: string,
  settings: readonly PlannedSetting[],
  objects: ReadonlyMap<string, ImportedObject>,
): Promise<{ readonly tasks: Map<SourceKey, Task>; readonly told: Map<SourceKey, Tell> }> {
  const texts = await findRowTexts(db, [...objects.values()])
  const tasks = new Map<SourceKey, Task>()
  const told = new Map<SourceKey, Tell>()
  for (const item of settings) {
    const memory = objects.get(item.key)
    const now = rowHash(memory && texts.get(memory.id))
    // An account that was here before keeps its page, whatever becomes of it there or here. So do calendars that are connected.
    const { task, tell } =
      memory !== undefined && memory.lastImportId !== importId && (!memory.made || item.kind === 'connection')
        ? { task: 'keep' as const, tell: same(now === '' ? DELETED_HERE : NOTHING) }
        : compare(memory, importId, () => contentHash(item), now)
    tasks.set(item.key, task)
    if (tell) told.set(item.key, tell)
  }
  return { tasks, told }
}

/** A booking of the source with what becomes of it. */
export interface PreparedMeeting {
  readonly position: number
  readonly lines: readonly PlanLine[]
  readonly meeting: PlannedMeeting | null
  readonly task: Task
  readonly memory: ImportedObject | undefined
}

/** A booking of the source with what is planned for it. */
type PlannedRow = Pick<PreparedMeeting, 'position' | 'lines' | 'meeting'>

/** Plans all bookings, in pages: each while the database is busy with the one before it. */
export async function* planPages(
  db: Db,
  importId: string,
  { planner }: Preparation,
): AsyncGenerator<readonly PlannedRow[]> {
  const pages = readBookingPages(db, importId)
  const planNext = async () => {
    const { done, value } = await pages.next()
    return done
      ? undefined
      : value.map((booking) => ({ position: booking.position, ...planner.plan(booking) }))
  }
  for (let next = planNext(); ; ) {
    const planned = await next
    if (planned === undefined) return
    next = planNext()
    // Whoever stops here never waits for it.
    next.catch(() => {})
    yield planned
  }
}

/** Compares some planned bookings with what earlier imports made of them. */
export async function prepareMeetings(
  db: Db,
  { id, memory }: Pick<PlannedImport, 'id' | 'memory'>,
  { vanishing }: Preparation,
  planned: readonly PlannedRow[],
): Promise<PreparedMeeting[]> {
  const keys = planned.flatMap(({ lines, meeting }) => [
    ...(meeting ? [meeting.key] : []),
    ...lines.map(({ key }) => key),
  ])
  for (const key of keys) vanishing.delete(key)
  const known = await findObjects(db, memory, [...new Set(keys)])
  const meetings = [...known.values()].filter(({ kind }) => kind === 'meeting').map(({ id }) => id)
  const rows = await findMeetingRows(db, meetings)
  return planned.map(({ position, lines, meeting }) => {
    if (meeting === null) return { position, lines, meeting, task: 'keep', memory: undefined }
    const memory = known.get(meeting.key)
    const now = meetingRowHash((memory && rows.get(memory.id)) ?? [])
    const { task, tell } = compare(memory, id, () => meetingHash(meeting), now)
    const told = lines.map((line) => (tell && line.key === meeting.key ? tell(line) : line))
    return { position, lines: told, meeting, task, memory }
  })
}
