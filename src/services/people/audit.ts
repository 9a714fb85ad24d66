import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page, PageRequest } from '../../domain/cursor.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { AuditEntry } from '../../domain/people/audit.ts'
import { csvLine } from '../../format/text/csv.ts'
import { type AuditFilter, findAuditEntries, findObjectNames } from '../../store/people/audit.ts'
import type { Context } from '../context.ts'
import { instantIn } from '../period.ts'
import { isId, managedSchedulers, readIdPage } from './access.ts'
import type { Principal } from './sign-in/principal.ts'

/** Filters of the audit log, with their names on the wire. */
export interface AuditQuery {
  readonly actor?: string
  readonly action?: string
  readonly objectType?: string
  readonly from?: string
  readonly to?: string
}

/** An entry with what it is about; undefined: it is gone, or has no page. */
export interface ListedEntry extends AuditEntry {
  readonly object: { readonly name: string; readonly url: string } | undefined
}

/** Changes to the user and the teams that they manage, newest first. */
export async function listAudit(
  context: Context,
  principal: Principal,
  query: AuditQuery,
  page: PageRequest,
): Promise<ListedEntry[]> {
  const filter = readQuery(query)
  // The audit shows who was invited and who got which role: only admins may read that.
  const owners = await managedSchedulers(context.db, principal)
  return findListed(context, owners, filter, readIdPage(page))
}

async function findListed(
  { db }: Context,
  owners: readonly string[],
  filter: AuditFilter,
  page: Page,
): Promise<ListedEntry[]> {
  const entries = await findAuditEntries(db, owners, { ...filter, ...page })
  const names = await findObjectNames(
    db,
    entries.filter(({ objectId }) => isId(objectId)),
  )
  return entries.map((entry) => {
    const name = names.get(entry.objectId)
    return { ...entry, object: name === undefined ? undefined : { name, url: pageOf(entry) } }
  })
}

/** The page of the dashboard that shows an object with a name. */
function pageOf({ objectType, objectId, schedulerId }: AuditEntry): string {
  switch (objectType) {
    case 'booking':
    case 'event-type':
    case 'webhook':
    case 'team':
      return `/app/${objectType}s/${objectId}`
    case 'routing-form':
      return `/app/forms/${objectId}`
    case 'team-member':
      return `/app/teams/${schedulerId}`
    case 'schedule':
      return '/app/availability'
    case 'calendar':
      return '/app/calendars'
    default:
      return '/app/profile'
  }
}

function readQuery({ actor, action, objectType, from, to }: AuditQuery): AuditFilter {
  return {
    ...(actor?.trim() && { actor: actor.trim() }),
    ...(action && { action }),
    ...(objectType && { objectType }),
    ...(from && { from: instantIn('from', from) }),
    ...(to && { to: instantIn('to', to) }),
  }
}

const COLUMNS = [
  'at',
  'actor',
  'token',
  'action',
  'objectType',
  'objectName',
  'changes',
  'ownerId',
  'objectId',
  'id',
]

const PAGE = 200

/** The entries that a query finds, as CSV, a page at a time; throws before the first if the query is wrong. */
export async function exportAudit(
  context: Context,
  principal: Principal,
  query: AuditQuery,
): Promise<AsyncIterable<string>> {
  const filter = readQuery(query)
  const owners = await managedSchedulers(context.db, principal)
  async function* chunks() {
    yield csvLine(COLUMNS)
    let after: string | undefined
    do {
      const found = await findListed(context, owners, filter, { after, limit: PAGE })
      yield found.map(lineOf).join('')
      // SQLite answers at once: without this, other requests would wait for the whole export.
      await nextTurn()
      after = found.length === PAGE ? found.at(-1)?.id : undefined
    } while (after !== undefined)
  }
  return chunks()
}

const lineOf = (entry: ListedEntry): string =>
  csvLine([
    formatInstant(entry.createdAt),
    entry.actor,
    entry.token,
    entry.action,
    entry.objectType,
    entry.object?.name ?? '',
    entry.changes.join(' '),
    entry.schedulerId,
    entry.objectId,
    entry.id,
  ])
