import { rotatingHostOf, takesTurns } from '../../domain/bookings/bookable.ts'
import { describeMiss } from '../../domain/forms/host-filter.ts'
import {
  type Answers,
  answerTo,
  findEmailAnswer,
  type RoutingForm,
  type Target,
} from '../../domain/forms/routing.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { findAttributedMembers, findAttributes } from '../../store/people/attributes.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { filterHosts } from './filter-hosts.ts'
import { findOwner } from './find-owner.ts'

/** How a target chose among its hosts. */
export interface ExplainedHosts {
  /** Whom the visitor can book: the host who met them, hosts who pass, all hosts, or nobody, which leads to the fallback. */
  readonly leadsTo: 'owner' | 'filtered' | 'all' | 'nobody'
  readonly reason: string
  /** Each host who takes turns, by name. */
  readonly hosts: readonly {
    readonly userId: string
    readonly name: string
    readonly passed: boolean
    readonly reason: string
  }[]
}

/** Which hosts of a target are offered, and why; null if it makes no choice. Nobody's own system is asked for an owner here. */
export async function explainHosts(
  context: Context,
  { schedulerId, fields }: Pick<RoutingForm, 'schedulerId' | 'fields'>,
  target: Target,
  answers: Answers,
): Promise<ExplainedHosts | null> {
  if (target.action !== 'routeToEvent' || (target.hosts ?? target.owner) === undefined) return null
  const { db, slots } = context
  const [scheduler, eventType, attributes, members] = await Promise.all([
    findScheduler(db, schedulerId),
    findEventTypeById(db, target.eventTypeId),
    findAttributes(db, schedulerId),
    findAttributedMembers(db, schedulerId),
  ])
  if (scheduler === undefined || eventType === undefined) return null
  const bookable = await slots.getBookable(scheduler.slug, eventType.slug)
  if (!takesTurns(bookable)) {
    return {
      leadsTo: 'all',
      reason: 'The event type is no round robin, so there is no choice of hosts.',
      hosts: [],
    }
  }
  const { hosts: filter, owner } = target
  const rotating = new Set(bookable.groups.map(rotatingHostOf))
  const candidates = members.filter(({ userId }) => rotating.has(userId))
  const email = findEmailAnswer(fields, answers)
  const owned = owner && email ? await findOwner(context, { scheduler, eventType }, owner, email) : undefined
  if (owned !== undefined) {
    const hosts = candidates.map(({ userId, name }) => {
      const passed = owned.hostIds?.includes(userId) === true
      return { userId, name, passed, reason: passed ? owned.detail : 'Someone else met them last.' }
    })
    return { leadsTo: 'owner', reason: owned.detail, hosts }
  }
  if (filter === undefined) {
    const reason = 'No host who has met this visitor has a free time, so all hosts are offered.'
    return { leadsTo: 'all', reason, hosts: [] }
  }
  const hosts = candidates.map(({ userId, name, attributes: values }) => {
    const miss = describeMiss(filter, (fieldId) => answerTo(fieldId, answers), values, attributes)
    return { userId, name, passed: miss === undefined, reason: miss ?? 'Passes.' }
  })
  const route = await filterHosts(context, { scheduler, eventType }, target, answers)
  if (route === undefined) {
    return { leadsTo: 'nobody', reason: 'Matched, but no host has a free time in the next 60 days.', hosts }
  }
  if (route.hostIds !== null) return { leadsTo: 'filtered', reason: route.detail, hosts }
  const passed = hosts.filter((host) => host.passed).length
  const why = passed === 0 ? 'No host passes' : 'No host who passes has a free time in the next 60 days'
  const reason = passed === hosts.length ? 'Every host passes.' : `${why}, so all hosts are offered.`
  return { leadsTo: 'all', reason, hosts }
}
