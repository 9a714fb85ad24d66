import { type Sentence, sentence } from '../../sentence.ts'
import { type Draft, keyOf } from '../draft.ts'
import type { PlannedEventType, PlannedTeam } from '../plan.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import { flagIn, idIn, textIn, valueIn, wholeIn } from '../values.ts'

type PlannedHost = PlannedEventType['content']['hosts'][number]

export interface PlannedHosts {
  readonly hosts: readonly PlannedHost[]
  readonly assignment: 'collective' | 'round-robin'
  readonly schedule: SourceKey | null
}

const MOST_HOSTS = 100
const MOST_WEIGHT = 100

/** Who hosts an event type of a team, and how they take turns. */
export function planTeamHosts(
  draft: Draft,
  team: PlannedTeam,
  row: SourceRow,
  rows: readonly SourceRow[],
  notes: Sentence[],
): PlannedHosts {
  const type = textIn(row, 'schedulingType')
  const isRoundRobin = type === 'roundRobin'
  if (!['roundRobin', 'collective', ''].includes(type))
    notes.push(sentence`How its hosts are assigned is not known here, so all of them attend.`)
  const members = new Set(team.content.members.map(({ user }) => user))
  const given = rows.length === 0 && flagIn(row, 'assignAllTeamMembers') ? [...members].map(asHost) : rows
  const seen = new Set<SourceKey>()
  const own = given.flatMap((host) => {
    const user = keyOf('users', idIn(host, 'userId'))
    if (seen.has(user)) return []
    seen.add(user)
    return [{ host, user }]
  })
  const kept = own.filter(({ user }) => members.has(user)).slice(0, MOST_HOSTS)
  if (kept.length < own.length)
    notes.push(sentence`Some hosts are not members of the team here, so they don’t host it.`)
  if (kept.length === 0) notes.push(sentence`It has no hosts, so nobody can book it until you add one.`)
  const takesTurns = kept.filter(({ host }) => isRoundRobin && !flagIn(host, 'isFixed'))
  noteDifferences(
    row,
    takesTurns.map(({ host }) => host),
    notes,
  )
  const weights = flagIn(row, 'isRRWeightsEnabled')
    ? smallestRatio(
        takesTurns.map(({ host }) => wholeIn(host, 'weight') ?? 100),
        notes,
      )
    : []
  const hosts = kept.map(({ host, user }) => ({
    user,
    fixed: isRoundRobin && flagIn(host, 'isFixed'),
    weight: weights[takesTurns.findIndex((one) => one.host === host)] ?? 1,
  }))
  return {
    hosts,
    assignment: isRoundRobin ? 'round-robin' : 'collective',
    schedule: planTeamSchedule(draft, row, kept, notes),
  }
}

const asHost = (user: SourceKey): SourceRow => ({ userId: user.slice('users/'.length) })

function noteDifferences(row: SourceRow, hosts: readonly SourceRow[], notes: Sentence[]): void {
  const priorities = new Set(hosts.map((host) => wholeIn(host, 'priority') ?? 2))
  if (priorities.size > 1)
    notes.push(sentence`Hosts have no priorities here: they take turns, by their weights.`)
  const groups = new Set(hosts.map((host) => idIn(host, 'groupId')).filter((id) => id !== ''))
  if (groups.size > 1)
    notes.push(sentence`Hosts are one group here: one of them takes the meeting, and not one of each group.`)
  if (flagIn(row, 'assignRRMembersUsingSegment'))
    notes.push(sentence`Its hosts were chosen by their attributes. Here all of its hosts take turns.`)
}

/** The smallest whole numbers in the same proportion. */
export function smallestRatio(weights: readonly number[], notes: Sentence[] = []): number[] {
  const positive = weights.map((weight) => Math.max(weight, 0))
  if (positive.some((weight) => weight === 0))
    notes.push(sentence`A host whose weight is 0 gets the smallest share here.`)
  const divisor = positive.reduce(commonDivisor, 0) || 1
  const whole = positive.map((weight) => Math.max(weight / divisor, 1))
  const most = Math.max(1, ...whole)
  if (most <= MOST_WEIGHT) return whole
  notes.push(sentence`The weights of hosts are rounded: the largest is ${MOST_WEIGHT} here.`)
  return whole.map((weight) => Math.max(Math.round((weight * MOST_WEIGHT) / most), 1))
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** An event type has one schedule here, which its owner uses; the other hosts use their default schedules. */
function planTeamSchedule(
  draft: Draft,
  row: SourceRow,
  hosts: readonly { readonly host: SourceRow; readonly user: SourceKey }[],
  notes: Sentence[],
): SourceKey | null {
  const shared = draft.schedules.get(keyOf('Schedule', idIn(row, 'scheduleId')))
  const own = hosts.flatMap(({ host, user }) => {
    const schedule = draft.schedules.get(keyOf('Schedule', idIn(host, 'scheduleId')))
    return schedule !== undefined && schedule.content.user === user && !schedule.content.isDefault
      ? [schedule]
      : []
  })
  const wanted = own.length === 0 && shared !== undefined ? [shared] : own
  const usable = wanted.filter(({ content }) => hosts.some(({ user }) => user === content.user))
  const [first, ...others] = usable
  const names = others.map(({ content }) => draft.users.get(content.user)?.name ?? '')
  if (others.length > 0)
    notes.push(
      sentence`One host can have their own schedule for an event type here. These use their default: ${names}.`,
    )
  if (own.length === 0 && shared !== undefined && hosts.length > 1)
    notes.push(sentence`All hosts had the hours of “${shared.name}” there. Here each host has their own.`)
  if (valueIn(row, 'restrictionScheduleId') !== null && idIn(row, 'restrictionScheduleId') !== '')
    notes.push(sentence`Hours that restrict all hosts are not known here.`)
  return first?.key ?? null
}
