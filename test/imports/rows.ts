import type { Choices, Here, PlannedSetting, SettingsPlan } from '../../src/domain/imports/plan.ts'
import { planSettings } from '../../src/domain/imports/plan-settings.ts'
import {
  BOOKING_TABLES,
  SOURCE_TABLES,
  type SourceRow,
  type SourceSettings,
} from '../../src/domain/imports/source.ts'
import { say } from '../../src/domain/sentence.ts'

/** A source with these rows, and empty tables otherwise. */
export function sourceOf(
  tables: Partial<Record<keyof SourceSettings, readonly SourceRow[]>>,
): SourceSettings {
  const all = SOURCE_TABLES.filter((table) => !BOOKING_TABLES.some((one) => one === table))
  return { ...(Object.fromEntries(all.map((table) => [table, []])) as unknown as SourceSettings), ...tables }
}

/** An instance that nobody has used yet. */
export const EMPTY: Here = {
  now: Date.UTC(2026, 5, 1, 12),
  accounts: new Map(),
  slugs: new Set(),
  slugsOfOwners: new Set(),
  linkProviders: ['google-meet', 'jitsi', 'zoom'],
  calendarKinds: [],
  smsOffered: true,
}

export const ANA: SourceRow = {
  id: 1,
  username: 'ana',
  name: 'Ana',
  email: 'ana@example.org',
  timeZone: 'Europe/Berlin',
  weekStart: 'Monday',
  timeFormat: 24,
  locale: 'de',
  locked: false,
  role: 'USER',
  defaultScheduleId: 1,
}

export const BEN: SourceRow = {
  ...ANA,
  id: 2,
  username: 'ben',
  name: 'Ben',
  email: 'ben@example.org',
  defaultScheduleId: null,
}

export const SALES: SourceRow = {
  id: 5,
  name: 'Sales',
  slug: 'sales',
  timeZone: 'Europe/Berlin',
  isOrganization: false,
}

export const member = (
  id: number,
  userId: number,
  teamId: number,
  role = 'MEMBER',
  accepted = true,
): SourceRow => ({
  id,
  userId,
  teamId,
  role,
  accepted,
})

/** Ana and Ben, both of Sales. */
export const TEAM = {
  users: [ANA, BEN],
  Team: [SALES],
  Membership: [member(1, 1, 5, 'OWNER'), member(2, 2, 5)],
}

export function planOf(
  tables: Parameters<typeof sourceOf>[0],
  here: Partial<Here> = {},
  choices: Choices = {},
): SettingsPlan {
  return planSettings(sourceOf(tables), { ...EMPTY, ...here }, choices)
}

/** The lines of a plan as people read them: `users/1 new`, with what is said of it. */
export const linesOf = ({ lines }: Pick<SettingsPlan, 'lines'>): Record<string, string> =>
  Object.fromEntries(lines.map(({ key, state, sentence }) => [key, `${state} ${say(sentence)}`.trim()]))

/** What is planned for a row, if it is of this kind. */
export function itemOf<Kind extends PlannedSetting['kind']>(
  { settings }: Pick<SettingsPlan, 'settings'>,
  kind: Kind,
  key: string,
): Extract<PlannedSetting, { kind: Kind }> {
  const found = settings.find((item) => item.key === key && item.kind === kind)
  if (found === undefined) throw new Error(`There is no ${kind} ${key} in the plan.`)
  return found as Extract<PlannedSetting, { kind: Kind }>
}
