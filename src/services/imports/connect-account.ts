import { type Calendar, checkCalendar, MAX_CALENDARS, NO_VERSION } from '../../domain/calendars/calendar.ts'
import { MAX_CONNECTIONS } from '../../domain/calendars/connection.ts'
import type { PlannedConnection } from '../../domain/imports/plan.ts'
import { Problem } from '../../domain/problem.ts'
import { NOTHING, sentence } from '../../domain/sentence.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import { findCalendarPage, insertCalendar, type StoredCalendar } from '../../store/calendars/calendars.ts'
import { findConnectionPage, insertConnection } from '../../store/calendars/connections.ts'
import type { Trx } from '../../store/engine/database.ts'
import type { ObjectKind } from '../../store/imports/objects.ts'
import { newId } from '../../store/new-id.ts'
import { sealTokens } from '../calendars/access-token.ts'
import { watchCalendar } from '../calendars/channels.ts'
import { sourceOf } from '../calendars/opened-calendar.ts'
import type { Context } from '../context.ts'
import { seal } from '../seal.ts'
import type { OpenedAccount, OpenedCalendar } from './open-account.ts'
import type { Preparation } from './plan.ts'

interface Connecting {
  readonly context: Context
  readonly trx: Trx
  readonly preparation: Preparation
  /** When the import was applied. */
  readonly at: number
}

interface Connected {
  readonly key: string
  readonly kind: ObjectKind
  readonly id: string
  /** False: it was here before. */
  readonly isNew: boolean
}

const HERE_ALREADY = sentence`This account is connected here already, and stays as it is.`
const MOST = 1000

/** Connects an account that was opened, with the calendars that were chosen there. One that is connected stays as it is. */
export async function connectAccount(
  unit: Connecting,
  item: PlannedConnection,
  opened: OpenedAccount,
  userId: string,
): Promise<Connected[]> {
  const { trx, preparation } = unit
  const own = await findCalendarPage(trx, userId, { limit: MOST })
  const known = await findKnown(trx, item, opened, userId, own)
  if (known !== undefined) {
    preparation.outcomes.set(item.key, { state: 'same', sentence: HERE_ALREADY })
    return [{ key: item.key, isNew: false, ...known }]
  }
  const { chosen, missing } = choose(item, opened)
  if (chosen.length === 0 && (missing.length > 0 || opened.at === 'server')) {
    throw new Problem('invalid', sentence`None of its calendars was found. Please connect the calendar here.`)
  }
  if (own.length + chosen.length > MAX_CALENDARS) throw tooMany()
  const connectionId = opened.at === 'provider' ? newId() : null
  const writesTo = own.some(({ writeTo }) => writeTo) ? null : item.content.write
  const calendars = chosen.map((found) =>
    calendarOf(unit, item, opened, { found, userId, connectionId, writesTo }),
  )
  for (const calendar of calendars) {
    checkCalendar(calendar, sourceOf(unit.context, calendar).write !== undefined)
  }
  if (connectionId !== null) await insertAccount(unit, item, opened, { userId, connectionId })
  for (const calendar of calendars) {
    await insertCalendar(trx, calendar)
    if (calendar.busy) await watchCalendar(unit.context, trx, calendar)
  }
  if (missing.length > 0) {
    const reason = sentence`These of its calendars were not found: ${missing}.`
    preparation.outcomes.set(item.key, { state: 'changed', sentence: reason })
  }
  const made = calendars.map(({ id, externalId, url }): Connected => {
    return { key: `${item.key}@${externalId || url}`, kind: 'calendar', id, isNew: true }
  })
  if (connectionId !== null)
    return [{ key: item.key, kind: 'connection', id: connectionId, isNew: true }, ...made]
  // An account on a server has no row of its own: its first calendar stands for it.
  return made.map((one, index) => (index === 0 ? { ...one, key: item.key } : one))
}

/** What the host has connected here of this account. */
async function findKnown(
  trx: Trx,
  { content }: PlannedConnection,
  opened: OpenedAccount,
  userId: string,
  own: readonly StoredCalendar[],
): Promise<Pick<Connected, 'kind' | 'id'> | undefined> {
  if (opened.at === 'server') {
    const isOfIt = ({ kind, url }: StoredCalendar) =>
      kind === content.provider && opened.calendars.some((one) => isSameAddress(one.url, url))
    const calendar = own.find(isOfIt)
    return calendar && { kind: 'calendar', id: calendar.id }
  }
  const { subject, address } = opened.account
  const connections = await findConnectionPage(trx, userId, { limit: MOST })
  const connection = connections.find(
    (one) => one.provider === content.provider && (one.subject === subject || one.account === address),
  )
  if (connection !== undefined) return { kind: 'connection', id: connection.id }
  if (connections.length >= MAX_CONNECTIONS) throw tooMany()
  return undefined
}

const tooMany = () =>
  new Problem('invalid', sentence`This person has connected as many calendars as one may have.`)

/** The calendars that block time there or are written to, as the account has them now. */
function choose(
  { content }: PlannedConnection,
  { calendars }: OpenedAccount,
): { readonly chosen: readonly OpenedCalendar[]; readonly missing: readonly string[] } {
  const wanted = [...new Set([...content.read, ...(content.write === null ? [] : [content.write])])]
  const found = wanted.map((name) => calendars.find((one) => isCalled(one, name)))
  return {
    chosen: [...new Set(found.filter((one) => one !== undefined))],
    missing: wanted.filter((_, index) => found[index] === undefined),
  }
}

/** Whether the service before called a calendar so. */
export const isCalled = ({ externalId, url }: Pick<Calendar, 'externalId' | 'url'>, name: string): boolean =>
  url === '' ? externalId === name : isSameAddress(url, name)

const isSameAddress = (a: string, b: string): boolean => addressOf(a) === addressOf(b)

const addressOf = (url: string) => (URL.parse(url)?.href ?? url).replace(/\/$/, '')

function calendarOf(
  { context, at }: Connecting,
  { content }: PlannedConnection,
  opened: OpenedAccount,
  {
    found,
    userId,
    connectionId,
    writesTo,
  }: {
    readonly found: OpenedCalendar
    readonly userId: string
    readonly connectionId: string | null
    readonly writesTo: string | null
  },
): StoredCalendar {
  const id = newId()
  const { externalId, url, writable } = found
  return {
    id,
    userId,
    kind: content.provider,
    connectionId,
    externalId,
    name: shortened(printableLine(found.name), 200) || context.kinds.titleOf(content.provider),
    url,
    username: opened.at === 'server' ? opened.username : '',
    sealedPassword: opened.at === 'server' ? seal(context, id, opened.password) : '',
    busy: content.read.some((name) => isCalled(found, name)),
    tentative: 'busy',
    writeTo: writable && writesTo !== null && isCalled(found, writesTo),
    writable,
    createdAt: at,
    ...NO_VERSION,
    refreshedAt: null,
    nextRefreshAt: context.now(),
    failures: 0,
    lastError: NOTHING,
    skipped: 0,
    notices: 0,
  }
}

async function insertAccount(
  { context, trx, at }: Connecting,
  { content }: PlannedConnection,
  opened: OpenedAccount,
  { userId, connectionId }: { readonly userId: string; readonly connectionId: string },
): Promise<void> {
  if (opened.at === 'server') return
  const { accessToken, refreshToken, expiresIn } = opened.grant
  await insertConnection(trx, {
    id: connectionId,
    userId,
    provider: content.provider,
    subject: opened.account.subject,
    account: shortened(printableLine(opened.account.address), 200),
    sealedTokens: sealTokens(context, connectionId, { accessToken, refreshToken }),
    expiresAt: context.now() + expiresIn,
    tokenRevision: 0,
    status: 'ok',
    lastError: NOTHING,
    createdAt: at,
  })
}
