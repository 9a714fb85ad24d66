import type { ImportView } from '../core/data/views.ts'
import { list, moveInWords, tell } from '../words.ts'

/** What the services call themselves. */
export const SOURCE_NAMES: Readonly<Record<ImportView['source'], string>> = {
  calcom: 'Cal.com',
  calendly: 'Calendly',
}

const VIDEO_NAMES: Readonly<Record<string, string>> = {
  daily: 'Cal Video',
  'google:meet': 'Google Meet',
  office365_video: 'Microsoft Teams',
}

/** A video service of the source, such as `integrations:daily`, as people know it. */
export function videoName(from: string): string {
  const own = from.replace(/^integrations:/, '')
  const name = VIDEO_NAMES[own] ?? own.replace(/_?video$/, '').replaceAll(/[_:-]+/g, ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Whether it goes on by itself. */
export const isRunning = ({ state }: Pick<ImportView, 'state'>) => state === 'reading' || state === 'applying'

type Counts = NonNullable<ImportView['plan']>['counts']

export const LINE_STATES = ['new', 'changed', 'same', 'left-out'] as const

export type LineState = (typeof LINE_STATES)[number]

/** How many lines of these tables are in these states; of all tables, where none are given. */
export const countIn = (counts: Counts, states: readonly LineState[], tables = Object.keys(counts)): number =>
  tables
    .flatMap((table) => states.map((state) => counts[table]?.[state] ?? 0))
    .reduce((sum, count) => sum + count, 0)

/** What a table is called here; a newer source may have more of them. */
export const tableName = (table: string): string =>
  (moveInWords.tables as Readonly<Record<string, string>>)[table] ?? table

/** What comes over or is listed, in a few words: "40 people, 3 teams". */
export function thingsIn(counts: Counts, states: readonly LineState[]): string {
  const { people, teams, eventTypes, bookings, rest } = moveInWords.plan
  const main = { users: people, Team: teams, EventType: eventTypes, Booking: bookings }
  const others = Object.keys(counts).filter((table) => !Object.hasOwn(main, table))
  const told = [
    ...Object.entries(main).map(([table, text]) => ({ text, count: countIn(counts, states, [table]) })),
    { text: rest, count: countIn(counts, states, others) },
  ]
  return list(told.filter(({ count }) => count > 0).map(({ text, count }) => tell(text, { count })))
}
