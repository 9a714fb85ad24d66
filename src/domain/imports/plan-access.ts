import { readBlocklistEntry } from '../event-types/blocklist.ts'
import { Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { type Draft, keyOf } from './draft.ts'
import { sameCalendars } from './kinds.ts'
import type { PlannedBlock, PlannedConnection, PlannedLink } from './plan.ts'
import type { SourceKey, SourceRow } from './source.ts'
import { flagIn, groupBy, idIn, instantIn, lineOf, textIn, wholeIn } from './values.ts'
import { EVENT_TYPE_STAYS, OWNER_STAYS } from './words.ts'

/** Private links under their old tokens. */
export function planLinks(draft: Draft): void {
  const tokens = new Set<string>()
  const nameOf = (row: SourceRow) =>
    draft.eventTypes.get(keyOf('EventType', idIn(row, 'eventTypeId')))?.name ?? ''
  draft.eachRow('HashedLink', nameOf, (row, key): PlannedLink | Sentence => {
    const eventType = draft.eventTypes.get(keyOf('EventType', idIn(row, 'eventTypeId')))
    if (eventType === undefined) return EVENT_TYPE_STAYS
    const token = textIn(row, 'link')
    if (!/^[\w.~-]{1,200}$/.test(token)) return sentence`Its link can’t be read.`
    if (tokens.has(token)) return sentence`Another private link has the same address.`
    tokens.add(token)
    const expiresAt = instantIn(row, 'expiresAt') ?? null
    // A link that expires counts no uses there.
    const most = expiresAt === null ? (wholeIn(row, 'maxUsageCount') ?? 1) : null
    const uses = most === null || most < 1 ? null : Math.min(most, 10_000)
    const used = uses === null ? 0 : Math.max(wholeIn(row, 'usageCount') ?? 0, 0)
    if (expiresAt !== null && expiresAt <= draft.here.now) return sentence`The link has expired.`
    if (uses !== null && used >= uses) return sentence`The link has been used up.`
    const content = { eventType: eventType.key, token, uses, used, expiresAt }
    return { kind: 'link', key, unit: eventType.unit, name: eventType.name, notes: [], content }
  })
}

/** Addresses and domains that can't book. */
export function planBlocklist(draft: Draft): void {
  const entries = new Set<string>()
  draft.eachRow(
    'Watchlist',
    (row) => textIn(row, 'value'),
    (row, key): PlannedBlock | Sentence => {
      const type = textIn(row, 'type')
      const action = textIn(row, 'action')
      if (type !== 'EMAIL' && type !== 'DOMAIN')
        return sentence`Only email addresses and domains are blocked here.`
      if (action !== '' && action !== 'BLOCK') return sentence`It was watched there and not blocked.`
      const entry = readEntry(textIn(row, 'value'))
      if (typeof entry !== 'string') return entry
      if (entries.has(entry)) return sentence`It is listed twice.`
      entries.add(entry)
      return { kind: 'block', key, unit: key, name: entry, notes: [], content: { entry } }
    },
  )
}

function readEntry(text: string): string | Sentence {
  try {
    return readBlocklistEntry(text)
  } catch (error) {
    if (error instanceof Problem) return sentence`It is neither an email address nor a domain.`
    throw error
  }
}

/** Connected accounts with their calendars. What they sign in with stays in the row. */
export function planConnections(draft: Draft): void {
  // Older rows name no credential: they are of the person's only one.
  const ownerOf = (row: SourceRow, type: string) => `${idIn(row, 'userId')} ${textIn(row, type)}`
  const credentials = groupBy(draft.rows('Credential'), (row) => ownerOf(row, 'type'))
  const credentialOf = (row: SourceRow): string => {
    const [only, ...others] = credentials.get(ownerOf(row, 'integration')) ?? []
    return idIn(row, 'credentialId') || (only !== undefined && others.length === 0 ? idIn(only) : '')
  }
  const read = groupBy(draft.rows('SelectedCalendar'), credentialOf)
  const write = groupBy(draft.rows('DestinationCalendar'), credentialOf)
  draft.eachRow(
    'Credential',
    (row) => textIn(row, 'type'),
    (row, key): PlannedConnection | Sentence => {
      const type = textIn(row, 'type')
      const provider = sameCalendars(type)
      if (provider === undefined) return sentence`Apps don’t come along. Please connect what you need here.`
      const user = draft.users.get(keyOf('users', idIn(row, 'userId')))
      if (user === undefined) return OWNER_STAYS
      if (flagIn(row, 'invalid'))
        return sentence`The connection no longer works there. Please connect the calendar here.`
      if (!draft.here.calendarKinds.includes(provider))
        return sentence`This service can’t use the connection. ${user.name} has to connect the calendar again.`
      return planConnection(row, key, user, provider, read.get(idIn(row)) ?? [], write.get(idIn(row)) ?? [])
    },
  )
}

function planConnection(
  row: SourceRow,
  key: SourceKey,
  user: { readonly key: SourceKey; readonly name: string },
  provider: string,
  read: readonly SourceRow[],
  write: readonly SourceRow[],
): PlannedConnection {
  const idsOf = (rows: readonly SourceRow[]) => [
    ...new Set(rows.map((one) => lineOf(textIn(one, 'externalId'), 1024)).filter((id) => id !== '')),
  ]
  const own = write.filter((one) => idIn(one, 'eventTypeId') === '')
  const ofEventTypes = write.length > own.length
  return {
    kind: 'connection',
    key,
    unit: user.key,
    name: `${user.name}: ${lineOf(textIn(row, 'type'), 60)}`,
    notes: ofEventTypes
      ? [sentence`Event types with a calendar of their own write to the one that their host has chosen.`]
      : [],
    content: {
      user: user.key,
      provider,
      read: idsOf(read.filter((one) => idIn(one, 'eventTypeId') === '')),
      write: idsOf(own)[0] ?? null,
    },
  }
}
