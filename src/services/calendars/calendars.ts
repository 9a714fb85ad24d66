import { setTimeout } from 'node:timers/promises'
import {
  type Calendar,
  type CalendarKind,
  checkCalendar,
  MAX_CALENDARS,
  NO_VERSION,
  webAddressOf,
} from '../../domain/calendars/calendar.ts'
import type { PageRequest } from '../../domain/cursor.ts'
import { MINUTE } from '../../domain/interval.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { NOTHING, sentence, sentenceOf } from '../../domain/sentence.ts'
import { isLine } from '../../domain/text.ts'
import { ServerFailure, ServerRefusal } from '../../outside/calendars/calendar-server.ts'
import type { FoundCalendar } from '../../outside/kinds/calendar-source.ts'
import { countBusyTimes, deleteBusyTimes } from '../../store/calendars/busy-times.ts'
import {
  clearWriteTo,
  countCalendars,
  deleteCalendar,
  findCalendar,
  findCalendarPage,
  insertCalendar,
  isProviderCalendar,
  type StoredCalendar,
  updateCalendar,
} from '../../store/calendars/calendars.ts'
import { deleteItems } from '../../store/calendars/items.ts'
import type { Db } from '../../store/engine/database.ts'
import { newId } from '../../store/new-id.ts'
import { change, changedFields, type VersionOf } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, notFound, readIdPage } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { seal } from '../seal.ts'
import { unwatchCalendar, watchCalendar } from './channels.ts'
import { sourceOf } from './opened-calendar.ts'
import { findAtProvider, getProviderCalendar, requireWritable } from './provider-calendars.ts'
import { refreshCalendar, requireReadable } from './refresh.ts'

/** A calendar with the number of its busy times. */
export interface ConnectedCalendar {
  readonly calendar: StoredCalendar
  readonly busyTimes: number
}

type CalendarInput = Partial<
  Pick<Calendar, 'name' | 'url' | 'username' | 'busy' | 'tentative' | 'writeTo'>
> & {
  readonly password?: string
}

type NewCalendar = CalendarInput &
  Pick<Calendar, 'kind'> & { readonly connectionId?: string; readonly externalId?: string }

interface ServerAccount {
  /** Left out: the first kind of server that this service knows. */
  readonly kind?: CalendarKind
  readonly url: string
  readonly username: string
  readonly password: string
}

/** The calendars of an account on a calendar server. */
export async function discover(
  context: Context,
  principal: Principal,
  { kind, url, username, password }: ServerAccount,
): Promise<FoundCalendar[]> {
  const servers = context.kinds.all.filter(({ calendar }) => calendar?.discover !== undefined)
  const chosen = kind === undefined ? servers[0] : servers.find(({ name }) => name === kind)
  const discoverAt = chosen?.calendar?.discover
  if (discoverAt === undefined) {
    throw invalidField('kind', sentence`{field} must be one of ${servers.map(({ name }) => name)}.`)
  }
  const address = await checkAddress(context, webAddressOf(url))
  checkPassword(password)
  try {
    return await discoverAt({ guard: context.guard, owner: principal.userId, username, password }, address)
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error
    const field = error instanceof ServerRefusal ? 'password' : 'url'
    throw new Problem('invalid', error.sentence, { cause: error, field })
  }
}

export async function listCalendars(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<ConnectedCalendar[]> {
  const found = await findCalendarPage(context.db, principal.userId, readIdPage(page))
  const counts = await countBusyTimes(
    context.db,
    found.map(({ id }) => id),
  )
  return found.map((calendar) => ({ calendar, busyTimes: counts.get(calendar.id) ?? 0 }))
}

export async function getCalendar(db: Db, principal: Principal, id: string): Promise<ConnectedCalendar> {
  const calendar = await findCalendar(db, principal.userId, getId(id))
  if (calendar === undefined) throw notFound()
  const counts = await countBusyTimes(db, [calendar.id])
  return { calendar, busyTimes: counts.get(calendar.id) ?? 0 }
}

/** Connects a calendar that can be read. The next refresh does so. */
export async function createCalendar(
  context: Context,
  principal: Principal,
  input: NewCalendar,
): Promise<ConnectedCalendar> {
  const { userId } = principal
  const id = newId()
  const now = context.now()
  const source = sourceOf(context, input)
  const calendar: StoredCalendar = {
    busy: input.busy ?? true,
    tentative: input.tentative ?? 'busy',
    writeTo: input.writeTo ?? false,
    ...(source.connect === 'account'
      ? await findAtProvider(context, principal, input)
      : await atAddress(context, id, input)),
    id,
    userId,
    createdAt: now,
    ...NO_VERSION,
    refreshedAt: null,
    nextRefreshAt: now,
    failures: 0,
    lastError: NOTHING,
    skipped: 0,
    notices: 0,
  }
  checkCalendar(calendar, source.write !== undefined)
  if (source.connect !== 'account') await checkReadable(context, calendar)
  const { connectionId, externalId } = calendar
  const made = await change(context, principal, userId, async (trx) => {
    if ((await countCalendars(trx, userId)) >= MAX_CALENDARS) {
      throw new Problem('invalid', sentence`You can connect at most ${MAX_CALENDARS} calendars.`)
    }
    if (connectionId !== null && (await isProviderCalendar(trx, connectionId, externalId))) {
      throw new Problem('invalid', sentence`This calendar is already connected.`, { field: 'externalId' })
    }
    if (calendar.writeTo) await clearWriteTo(trx, userId)
    await insertCalendar(trx, calendar)
    if (calendar.busy) await watchCalendar(context, trx, calendar)
    const audit = { ...about(calendar), action: 'created', changes: Object.keys(input) }
    return { result: { calendar, busyTimes: 0 }, audit, affects: [] }
  })
  context.outbox.wake()
  return made
}

async function atAddress(
  context: Context,
  id: string,
  { kind, name, url, username = '', password = '' }: NewCalendar,
) {
  if (name === undefined) throw invalidField('name', sentence`{field} is required.`)
  if (url === undefined) throw invalidField('url', sentence`{field} is required.`)
  return {
    kind,
    name,
    url: await checkAddress(context, webAddressOf(url)),
    username,
    sealedPassword: seal(context, id, checkPassword(password)),
    connectionId: null,
    externalId: '',
    writable: sourceOf(context, { kind }).write !== undefined,
  }
}

export async function changeCalendar(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<ConnectedCalendar>,
  input: CalendarInput,
): Promise<ConnectedCalendar> {
  const { userId } = principal
  // Other servers can take long to answer, so they are asked before the transaction.
  const url = input.url === undefined ? undefined : await checkAddress(context, webAddressOf(input.url))
  if (changesAccess(input) || input.writeTo === true) {
    const { calendar } = await getCalendar(context.db, principal, id)
    if (calendar.connectionId !== null) await checkProviderChange(context, principal, calendar, input)
    else if (changesAccess(input)) {
      await checkReadable(context, withChanges(context, calendar, input, url))
    }
  }
  const changed = await change(context, principal, userId, async (trx) => {
    const present = await getCalendar(trx, principal, id)
    expect(present)
    const before = present.calendar
    const after = withChanges(context, before, input, url)
    const changes = changedFields(before, after).map((name) =>
      name === 'sealedPassword' ? 'password' : name,
    )
    if (after.writeTo && !before.writeTo) await clearWriteTo(trx, userId)
    const readAnew = ['url', 'username', 'password', 'busy', 'tentative'].some((name) =>
      changes.includes(name),
    )
    const stored: StoredCalendar = readAnew
      ? { ...after, ...NO_VERSION, nextRefreshAt: context.now(), failures: 0, lastError: NOTHING }
      : after
    await updateCalendar(trx, stored)
    if (stored.busy && !before.busy) await watchCalendar(context, trx, stored)
    if (!stored.busy) {
      await unwatchCalendar(context, trx, stored)
      await deleteBusyTimes(trx, stored.id)
      await deleteItems(trx, stored.id)
    }
    const audit = { ...about(stored), action: 'updated', changes }
    const busyTimes = stored.busy ? present.busyTimes : 0
    return { result: { calendar: stored, busyTimes }, audit, affects: [userId] }
  })
  context.outbox.wake()
  return changed
}

/** A calendar of a connected account is found by its id there, and has neither an address nor a password of its own. */
async function checkProviderChange(
  context: Context,
  principal: Principal,
  { connectionId, externalId, writeTo }: StoredCalendar,
  input: CalendarInput,
): Promise<void> {
  if (changesAccess(input)) {
    throw new Problem(
      'invalid',
      sentence`This calendar is read through a connected account, so it has no address.`,
    )
  }
  if (writeTo || connectionId === null) return
  requireWritable(await getProviderCalendar(context, principal, connectionId, externalId))
}

/** Whether a change concerns where or as whom the calendar is read. */
export const changesAccess = ({ url, username, password }: CalendarInput) =>
  url !== undefined || username !== undefined || password !== undefined

function withChanges(
  context: Context,
  before: StoredCalendar,
  input: CalendarInput,
  url: string | undefined,
): StoredCalendar {
  const { password, ...settings } = input
  const after: StoredCalendar = {
    ...before,
    ...settings,
    ...(url !== undefined && { url }),
    ...(password !== undefined && { sealedPassword: seal(context, before.id, checkPassword(password)) }),
    id: before.id,
    userId: before.userId,
  }
  checkCalendar(after, sourceOf(context, after).write !== undefined)
  if (after.connectionId !== null) return after
  const elsewhere = after.url !== before.url && before.sealedPassword !== '' && password === undefined
  if (elsewhere && new URL(after.url).origin !== new URL(before.url).origin) {
    // Otherwise a stolen session could send the password to another server.
    const reason = sentence`The calendar is on another server now. Enter its password again.`
    throw new Problem('invalid', reason, { field: 'password' })
  }
  return after
}

/** Throws `invalid` with the reason if the calendar cannot be read. Hosts rarely look at it again. */
async function checkReadable(context: Context, calendar: StoredCalendar): Promise<void> {
  try {
    await requireReadable(context, calendar)
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error
    const field = error instanceof ServerRefusal ? 'password' : 'url'
    throw new Problem('invalid', error.sentence, { cause: error, field })
  }
}

/** Disconnects a calendar and deletes its busy times. Bookings already written to it stay there. */
export async function removeCalendar(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<ConnectedCalendar>,
): Promise<void> {
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    const present = await getCalendar(trx, principal, id)
    expect(present)
    await unwatchCalendar(context, trx, present.calendar)
    await deleteCalendar(trx, present.calendar.id)
    const audit = { ...about(present.calendar), action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [userId] }
  })
  context.outbox.wake()
}

/** How long to wait for a read that began before ours, and how often to look whether it has ended. */
const LONGEST_WAIT = MINUTE
const LOOK_EVERY = 100

/** Reads that still wait for another one to end. Whoever asks meanwhile shares them. */
const awaited = new WeakMap<Db, Map<string, Promise<void>>>()

/** Reads a calendar now, and returns it with the outcome. What another read has found may be older than the request. */
export async function refreshNow(
  context: Context,
  principal: Principal,
  id: string,
): Promise<ConnectedCalendar> {
  const { calendar } = await getCalendar(context.db, principal, id)
  if (!calendar.busy) {
    throw new Problem('invalid', sentence`This calendar is not checked for conflicts, so it is not read.`)
  }
  if (!(await refreshCalendar(context, calendar))) await refreshNext(context, principal, id)
  return getCalendar(context.db, principal, id)
}

function refreshNext(context: Context, principal: Principal, id: string): Promise<void> {
  const all = awaited.get(context.db) ?? new Map<string, Promise<void>>()
  awaited.set(context.db, all)
  const read = all.get(id) ?? readInTurn(context, principal, id, () => all.delete(id))
  all.set(id, read)
  return read
}

/** Reads a calendar as soon as nobody else does. Calls `onBegin` before each try: whoever asks after that may be too late. */
async function readInTurn(
  context: Context,
  principal: Principal,
  id: string,
  onBegin: () => void,
): Promise<void> {
  const until = performance.now() + LONGEST_WAIT
  while (performance.now() < until) {
    await setTimeout(LOOK_EVERY)
    onBegin()
    const { calendar } = await getCalendar(context.db, principal, id)
    if (await refreshCalendar(context, calendar)) return
  }
  throw new Problem('unavailable', sentence`The calendar could not be checked. Please try again in a moment.`)
}

async function checkAddress({ guard }: Context, url: string): Promise<string> {
  try {
    return (await guard.check(url)).href
  } catch (error) {
    throw new Problem('invalid', sentenceOf(error), { cause: error, field: 'url' })
  }
}

function checkPassword(password: string): string {
  if (!isLine(password))
    throw invalidField('password', sentence`{field} must not contain control characters.`)
  return password
}

const about = ({ id, userId }: Calendar) => ({
  schedulerId: userId,
  objectType: 'calendar',
  objectId: id,
})
