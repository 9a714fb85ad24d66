import { randomBytes } from 'node:crypto'
import { checkAbsence } from '../../domain/event-types/absence.ts'
import { readBlocklistEntry } from '../../domain/event-types/blocklist.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { checkFilteredAttributes } from '../../domain/forms/form-attributes.ts'
import { checkForm, type FormContent, type Target } from '../../domain/forms/routing.ts'
import type {
  PlannedAbsence,
  PlannedEventType,
  PlannedForm,
  PlannedLink,
  PlannedMessage,
  PlannedSchedule,
  PlannedSetting,
  PlannedTeam,
  PlannedUser,
  PlannedWebhook,
} from '../../domain/imports/plan.ts'
import type { SourceKey } from '../../domain/imports/source.ts'
import { checkMessage, type MessageContent } from '../../domain/messages/message.ts'
import { changeValues, checkAttributes } from '../../domain/people/attributes.ts'
import type { Actor } from '../../domain/people/audit.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { Problem } from '../../domain/problem.ts'
import { NOTHING, sentence } from '../../domain/sentence.ts'
import { checkWebhook } from '../../domain/webhooks/webhook.ts'
import { formatSecret } from '../../outside/webhooks/signatures.ts'
import { findBlockedEntries, insertBlockedGuest } from '../../store/bookings/guests/blocked-guests.ts'
import { findPrivateLinkByToken, insertPrivateLink } from '../../store/bookings/private-links.ts'
import type { Trx } from '../../store/engine/database.ts'
import { insertAbsence, updateAbsence } from '../../store/event-types/absences.ts'
import { insertEventType, replaceHosts, updateEventType } from '../../store/event-types/event-types.ts'
import { findSchedules, insertSchedule, updateSchedule } from '../../store/event-types/schedules.ts'
import { insertForm, updateForm } from '../../store/forms/forms.ts'
import { type Before, findBefore, insertChanges } from '../../store/imports/changes.ts'
import { insertOldSlug } from '../../store/imports/names.ts'
import {
  findRowsOf,
  findRowTexts,
  type ImportedObject,
  type ObjectKind,
  saveObjects,
} from '../../store/imports/objects.ts'
import { insertMessage, updateMessage } from '../../store/messages/messages.ts'
import { newId } from '../../store/new-id.ts'
import { findAttributes, updateAttributes, updateMemberAttributes } from '../../store/people/attributes.ts'
import { deleteTeamMember, findMemberIds, insertTeamMember, updateRole } from '../../store/people/members.ts'
import {
  bumpRevisions,
  findScheduler,
  isSlugInUse,
  lockSchedulers,
  updateScheduler,
} from '../../store/people/schedulers.ts'
import { findUserByEmail, hasAdmin, updateUser } from '../../store/people/users.ts'
import { findWebhook, insertWebhook, updateWebhook } from '../../store/webhooks/webhooks.ts'
import { MAX_ENTRIES } from '../bookings/host/blocklist.ts'
import { recordAudit } from '../change.ts'
import type { Context } from '../context.ts'
import { check as checkHosted } from '../event-types/event-types.ts'
import { check as checkNamed } from '../event-types/schedules.ts'
import { speaks } from '../messages/compose.ts'
import { usualHours } from '../people/create-user.ts'
import { checkPage } from '../people/me.ts'
import { readEmail } from '../people/sign-in/sign-in.ts'
import { hashSecret } from '../secret.ts'
import { sealSecret } from '../webhooks/secret.ts'
import { importPage } from '../workspace/document/import.ts'
import { connectAccount } from './connect-account.ts'
import { contentHash, rowHash } from './hash.ts'
import type { PlannedImport, Preparation, Task } from './plan.ts'

/** What making a unit needs. */
export interface Unit {
  readonly context: Context
  readonly trx: Trx
  readonly actor: Actor
  readonly given: PlannedImport
  readonly preparation: Preparation
  /** When the import was applied: everything that it makes is as old. */
  readonly at: number
}

/** Makes or changes the settings of one person or team. */
export async function applyUnit(unit: Unit, key: SourceKey, items: readonly PlannedSetting[]): Promise<void> {
  const { trx, preparation, given } = unit
  const due = items.filter((item) => preparation.tasks.get(item.key) !== 'keep' && !isDone(unit, item.key))
  if (due.length === 0) return
  // Keeps others from taking a slug or an address between the check and the insert.
  await lockSchedulers(trx)
  const known = due.flatMap(({ key }) => preparation.objects.get(key)?.id ?? [])
  await bumpRevisions(trx, known)
  const written: ImportedObject[] = []
  for (const item of due) {
    const task = preparation.tasks.get(item.key) as Task
    const made = await explaining(unit, item.key, () =>
      task === 'make' ? make(unit, item) : change(unit, item),
    )
    for (const object of made) preparation.objects.set(object.key, object)
    written.push(...made)
  }
  written.push(...(await makeMissingHours(unit, key)))
  const texts = await findRowTexts(trx, written)
  const remembered = written.map((object) => ({ ...object, rowHash: rowHash(texts.get(object.id)) }))
  for (const object of remembered) preparation.objects.set(object.key, object)
  await saveObjects(trx, given.memory, remembered)
  const owner = preparation.objects.get(key)
  if (owner !== undefined) {
    const objectType = owner.kind === 'team' ? 'team' : 'user'
    const audit = { schedulerId: owner.id, objectType, objectId: owner.id, action: 'imported', changes: [] }
    await recordAudit(trx, unit.actor, unit.context.now(), audit)
  }
}

/** What can't be made here stays there, with the sentence why, and stops nothing else. */
async function explaining(
  { preparation }: Unit,
  key: SourceKey,
  work: () => Promise<Made[]>,
): Promise<Made[]> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    preparation.outcomes.set(key, { state: 'left-out', sentence: error.sentence })
    return []
  }
}

/** Whether this import has done it already, before it was interrupted. */
const isDone = ({ preparation, given }: Unit, key: SourceKey) =>
  preparation.objects.get(key)?.lastImportId === given.id

type Made = ImportedObject

function remember(
  { given, preparation }: Unit,
  key: string,
  kind: ObjectKind,
  id: string,
  contentHash: string,
  made = true,
): Made {
  const before = preparation.objects.get(key)
  return {
    key,
    kind,
    id,
    made: before?.made ?? made,
    contentHash,
    rowHash: '',
    importId: before?.importId ?? given.id,
    lastImportId: given.id,
  }
}

/** Our id of what a plan refers to. */
function idOf({ preparation }: Unit, key: SourceKey): string {
  const object = preparation.objects.get(key)
  if (object === undefined)
    throw new Problem('invalid', sentence`It belongs to something that does not come over.`)
  return object.id
}

const findId = ({ preparation }: Unit, key: SourceKey | null): string | null =>
  key === null ? null : (preparation.objects.get(key)?.id ?? null)

async function make(unit: Unit, item: PlannedSetting): Promise<Made[]> {
  const hash = contentHash(item)
  switch (item.kind) {
    case 'user':
      return makeUser(unit, item, hash)
    case 'block':
      return makeBlock(unit, item.key, item.content.entry, hash)
    case 'connection': {
      const opened = unit.preparation.opened.get(item.key)
      if (opened === undefined) return []
      const made = await connectAccount(unit, item, opened, idOf(unit, item.content.user))
      return made.map(({ key, kind, id, isNew }) => remember(unit, key, kind, id, hash, isNew))
    }
    default: {
      const id = newId()
      await write(unit, item, id, 'make')
      return [remember(unit, item.key, item.kind, id, hash)]
    }
  }
}

/** Changes what an earlier import made to what its source says now, and remembers what it was. */
async function change(unit: Unit, item: PlannedSetting): Promise<Made[]> {
  const { trx, preparation, given } = unit
  const memory = preparation.objects.get(item.key)
  if (memory === undefined || item.kind === 'connection' || item.kind === 'block') return []
  const before = await findRowsOf(trx, memory.kind, memory.id)
  await write(unit, item, memory.id, 'change')
  const after = await findRowsOf(trx, memory.kind, memory.id)
  const keyOf = ({ table, key }: Before) => JSON.stringify([table, key])
  const known = new Set(before.map(keyOf))
  const added = after
    .filter((row) => !known.has(keyOf(row)))
    .map(({ table, key }) => ({ table, key, row: null }))
  const remembered = await findBefore(trx, 'import_objects', { source: given.memory, source_key: item.key })
  await insertChanges(trx, given.id, [remembered, ...before, ...added])
  return [remember(unit, item.key, memory.kind, memory.id, contentHash(item))]
}

type Written = Exclude<PlannedSetting, { readonly kind: 'block' | 'connection' }>

async function write(unit: Unit, item: Written, id: string, task: Task): Promise<void> {
  switch (item.kind) {
    case 'user':
      return changeUser(unit, item, id)
    case 'team':
      return writeTeam(unit, item, id, task)
    case 'schedule':
      return writeSchedule(unit, item, id, task)
    case 'absence':
      return writeAbsence(unit, item, id, task)
    case 'event-type':
      return writeEventType(unit, item, id, task)
    case 'form':
      return writeForm(unit, item, id, task)
    case 'message':
      return writeMessage(unit, item, id, task)
    case 'webhook':
      return writeWebhook(unit, item, id, task)
    case 'link':
      return writeLink(unit, item, id, task)
  }
}

async function makeUser(unit: Unit, item: PlannedUser, hash: string): Promise<Made[]> {
  const { trx, at } = unit
  const { content } = item
  const email = readEmail(content.email)
  const existing = await findUserByEmail(trx, email)
  const id = existing?.id ?? newId()
  if (existing === undefined) {
    await importPage(trx, { id, kind: 'user', slug: content.slug, given: content }, email, at)
    const admin = content.admin || (!content.disabled && !(await hasAdmin(trx)))
    await updateUser(trx, id, {
      timeFormat: content.timeFormat,
      weekStart: content.weekStart,
      ...(admin && { admin }),
      ...(content.disabled && { disabledAt: at }),
    })
  }
  await keepOldSlugs(unit, id, 'scheduler', '', content.oldSlugs, existing !== undefined)
  return [remember(unit, item.key, 'user', id, hash, existing === undefined)]
}

/** Whoever had no hours there has the usual ones here, which offer nothing until they have looked at them. */
async function makeMissingHours(unit: Unit, key: SourceKey): Promise<Made[]> {
  const { trx, preparation, given } = unit
  const owner = preparation.objects.get(key)
  if (owner?.kind !== 'user' || !owner.made || owner.importId !== given.id) return []
  const schedules = await findSchedules(trx, owner.id, { limit: 10_000 })
  if (schedules.some(({ isDefault }) => isDefault)) return []
  const [first] = schedules
  if (first !== undefined) {
    await updateSchedule(trx, { ...first, isDefault: true })
    return []
  }
  const page = await findScheduler(trx, owner.id)
  const id = newId()
  await insertSchedule(trx, {
    ...usualHours(page?.locale ?? 'en'),
    id,
    userId: owner.id,
    timeZone: page?.timeZone ?? 'UTC',
    confirmed: false,
  })
  return [remember(unit, `${key}@hours`, 'schedule', id, '')]
}

/** Lets names of the service before lead here, unless they lead elsewhere. */
async function keepOldSlugs(
  { trx, given }: Unit,
  targetId: string,
  kind: 'scheduler' | 'event-type',
  scope: string,
  slugs: readonly string[],
  /** It stays when the import is undone, so each name has to go by itself. */
  stays = false,
): Promise<void> {
  for (const slug of slugs) {
    if (kind === 'scheduler' && (await isSlugInUse(trx, slug))) continue
    const inserted = await insertOldSlug(trx, { kind, scope, slug, target_id: targetId })
    if (inserted && stays)
      await insertChanges(trx, given.id, [{ table: 'old_slugs', key: { kind, scope, slug }, row: null }])
  }
}

async function changeUser({ trx }: Unit, { content }: PlannedUser, id: string): Promise<void> {
  const before = await findScheduler(trx, id)
  if (before === undefined) return
  const page = pageOf(before, content)
  checkPage(page)
  await updateScheduler(trx, page)
}

/** The page as it is there now. Slug and pictures stay: others may know them by now. */
function pageOf(before: Scheduler, content: PlannedUser['content'] | PlannedTeam['content']): Scheduler {
  const { name, bio, timeZone, locale, theme } = content
  return { ...before, name, bio, timeZone, locale, theme }
}

async function writeTeam(unit: Unit, { content }: PlannedTeam, id: string, task: Task): Promise<void> {
  const { trx, at } = unit
  const attributes = checkAttributes(content.attributes)
  if (task === 'make') {
    await importPage(trx, { id, kind: 'team', slug: content.slug, given: content }, null, at)
    await keepOldSlugs(unit, id, 'scheduler', '', content.oldSlugs)
  } else {
    const before = await findScheduler(trx, id)
    if (before !== undefined) await updateScheduler(trx, pageOf(before, content))
  }
  if (attributes.length > 0) await updateAttributes(trx, id, attributes)
  const wanted = new Set<string>()
  for (const { user, role, attributes: values } of content.members) {
    const userId = findId(unit, user)
    if (userId === null) continue
    wanted.add(userId)
    await insertTeamMember(trx, { teamId: id, userId, role }, at)
    await updateRole(trx, id, userId, role)
    await updateMemberAttributes(trx, id, userId, changeValues(attributes, {}, values))
  }
  for (const userId of await findMemberIds(trx, id)) {
    if (!wanted.has(userId)) await deleteTeamMember(trx, id, userId)
  }
}

async function writeSchedule(
  unit: Unit,
  { content }: PlannedSchedule,
  id: string,
  task: Task,
): Promise<void> {
  const { trx } = unit
  const userId = idOf(unit, content.user)
  const { name, timeZone, weekly, overrides } = content
  const here = await findSchedules(trx, userId, { limit: 10_000 })
  const isDefault =
    task === 'change'
      ? here.some((schedule) => schedule.id === id && schedule.isDefault)
      : content.isDefault && !here.some((schedule) => schedule.isDefault)
  const schedule = { id, userId, name, timeZone, weekly, overrides, isDefault, confirmed: true }
  checkNamed(schedule)
  await (task === 'make' ? insertSchedule(trx, schedule) : updateSchedule(trx, schedule))
}

async function writeAbsence(unit: Unit, { content }: PlannedAbsence, id: string, task: Task): Promise<void> {
  const { start, end, note, user, redirectTo } = content
  const absence = {
    id,
    userId: idOf(unit, user),
    startsAt: start,
    endsAt: end,
    note,
    redirectTo: findId(unit, redirectTo),
  }
  checkAbsence(absence)
  await (task === 'make' ? insertAbsence(unit.trx, absence) : updateAbsence(unit.trx, absence))
}

async function writeEventType(
  unit: Unit,
  { content }: PlannedEventType,
  id: string,
  task: Task,
): Promise<void> {
  const { trx } = unit
  const schedulerId = idOf(unit, content.owner)
  const scheduleId = findId(unit, content.schedule) ?? (await findBrought(unit, content.owner, schedulerId))
  const eventType: EventType = {
    ...content.settings,
    id,
    schedulerId,
    slug: content.slug,
    name: content.name,
    scheduleId,
  }
  const seats = content.hosts.flatMap(({ user, ...seat }) => {
    const hostId = findId(unit, user)
    return hostId === null ? [] : [{ hostId, ...seat }]
  })
  await checkHosted(trx, eventType, seats)
  if (task === 'make') {
    await insertEventType(trx, eventType, seats)
    await keepOldSlugs(unit, id, 'event-type', schedulerId, content.oldSlugs, isHere(unit, content.owner))
  } else {
    await updateEventType(trx, eventType)
    await replaceHosts(trx, id, seats)
  }
}

const isHere = ({ preparation }: Unit, key: SourceKey) => preparation.objects.get(key)?.made === false

/** Who had an account with hours of their own keeps them; what comes over has the hours that it had there. */
async function findBrought(unit: Unit, owner: SourceKey, ownerId: string): Promise<string | null> {
  if (!isHere(unit, owner)) return null
  const brought = unit.preparation.settings.find(
    (item) => item.kind === 'schedule' && item.content.user === owner && item.content.isDefault,
  )
  const id = brought === undefined ? null : findId(unit, brought.key)
  const own = id === null ? [] : await findSchedules(unit.trx, ownerId, { limit: 10_000 })
  return own.some((schedule) => schedule.id === id) ? id : null
}

async function writeForm(unit: Unit, { content }: PlannedForm, id: string, task: Task): Promise<void> {
  const { trx } = unit
  const schedulerId = idOf(unit, content.owner)
  const { rules, fallback, tests, ...rest } = content.form
  const target = (planned: Target): Target =>
    planned.action === 'routeToEvent'
      ? { ...planned, eventTypeId: idOf(unit, planned.eventTypeId as SourceKey) }
      : planned
  const form = checkForm({
    ...rest,
    rules: rules.map((rule) => ({ ...rule, target: target(rule.target) })),
    fallback: target(fallback),
    tests: tests.map((test) => ({ ...test, expect: target(test.expect) })),
  } as FormContent)
  checkFilteredAttributes(form, await findAttributes(trx, schedulerId))
  await (task === 'make'
    ? insertForm(trx, { ...form, id, schedulerId })
    : updateForm(trx, { ...form, id, schedulerId }))
}

async function writeMessage(unit: Unit, { content }: PlannedMessage, id: string, task: Task): Promise<void> {
  const { trx, at } = unit
  const schedulerId = idOf(unit, content.owner)
  const idsOf = (keys: readonly string[]) => keys.map((key) => idOf(unit, key as SourceKey))
  const message: MessageContent = {
    ...content.message,
    eventTypeIds: idsOf(content.message.eventTypeIds),
    formIds: idsOf(content.message.formIds),
  }
  const owner = await findScheduler(trx, schedulerId)
  checkMessage(message, speaks(owner?.locale ?? 'en'))
  const whole = { ...message, id, schedulerId, createdAt: at }
  await (task === 'make' ? insertMessage(trx, whole) : updateMessage(trx, whole))
}

const SECRET_BYTES = 32

async function writeWebhook(unit: Unit, { content }: PlannedWebhook, id: string, task: Task): Promise<void> {
  const { trx, context, at } = unit
  const webhook = {
    url: content.url,
    format: content.format,
    events: content.events,
    eventTypeIds: content.eventTypes.map((key) => idOf(unit, key)),
    active: content.active,
  }
  checkWebhook(webhook)
  if (task === 'change') {
    const before = await findWebhook(trx, id)
    if (before !== undefined) await updateWebhook(trx, { ...before, ...webhook })
    return
  }
  // What signed there signs here.
  const secret = content.secret || formatSecret(randomBytes(SECRET_BYTES))
  await insertWebhook(trx, {
    ...webhook,
    id,
    schedulerId: idOf(unit, content.owner),
    secret: sealSecret(context, id, secret),
    previousSecret: null,
    previousSecretUntil: null,
    createdAt: at,
    failingSince: null,
    disabledAt: null,
    disabledReason: NOTHING,
  })
}

async function writeLink(unit: Unit, { content }: PlannedLink, id: string, task: Task): Promise<void> {
  // A link is what its token says; another one there is another row.
  if (task === 'change') return
  const { trx, at } = unit
  const link = {
    id,
    eventTypeId: idOf(unit, content.eventType),
    uses: content.uses,
    used: content.used,
    expiresAt: content.expiresAt,
    durationMinutes: null,
    hostIds: [],
    answers: {},
    note: '',
    createdAt: at,
  }
  const hash = hashSecret(content.token)
  if ((await findPrivateLinkByToken(trx, hash)) !== undefined)
    throw new Problem('invalid', sentence`Another private link has the same address.`)
  await insertPrivateLink(trx, link, hash)
}

/** An entry of the instance there is one of every person and team here. */
async function makeBlock(unit: Unit, key: SourceKey, given: string, hash: string): Promise<Made[]> {
  const { trx, preparation, at } = unit
  const entry = readBlocklistEntry(given)
  const made: Made[] = [remember(unit, key, 'block', newId(), hash)]
  for (const item of preparation.settings) {
    if (item.kind !== 'user' && item.kind !== 'team') continue
    const schedulerId = findId(unit, item.key)
    if (schedulerId === null) continue
    const listed = await findBlockedEntries(trx, [schedulerId])
    if (listed.includes(entry) || listed.length >= MAX_ENTRIES) continue
    const id = newId()
    await insertBlockedGuest(trx, { id, schedulerId, entry, createdAt: at })
    made.push(remember(unit, `${key}@${item.key}`, 'block', id, hash))
  }
  return made
}
