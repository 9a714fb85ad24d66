import type { HostFilter, HostValue } from '../src/domain/forms/host-filter.ts'
import type { Condition, Leaf, Target } from '../src/domain/forms/routing.ts'
import type { AttributeValues } from '../src/domain/people/attributes.ts'

// What a form does, read aloud: slow, plain, and free of the code it is compared with. Only types are shared.
// Hosts are open on weekdays from nine to five, UTC; meetings last half an hour, and start every half hour.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const HALF_HOUR = 30 * MINUTE

export interface ReferenceHost {
  readonly id: string
  readonly fixed: boolean
  readonly attributes: AttributeValues
  /** Time off. */
  readonly away: readonly { readonly start: number; readonly end: number }[]
}

export interface ReferenceEventType {
  readonly id: string
  readonly hidden: boolean
  readonly roundRobin: boolean
  /** Bookable today and this many days after. */
  readonly windowDays: number
  readonly hosts: readonly ReferenceHost[]
}

/** A meeting that was. */
export interface ReferenceMeeting {
  readonly hostId: string
  readonly email: string
  readonly startsAt: number
  readonly status: string
}

export interface ReferenceForm {
  readonly rules: readonly { readonly when: Condition; readonly target: Target }[]
  readonly fallback: Target
}

type Answers = Readonly<Record<string, string | readonly string[]>>

export interface ReferenceRoute {
  readonly target: Target | 'last resort'
  /** Null: all hosts, or no event type at all. */
  readonly hostIds: readonly string[] | null
  readonly reason: 'owner' | 'filter' | null
}

/** Where a visitor goes, and there to which hosts. */
export function referenceRoute(
  form: ReferenceForm,
  eventTypes: readonly ReferenceEventType[],
  answers: Answers,
  history: readonly ReferenceMeeting[],
  now: number,
): ReferenceRoute {
  const eventTypeOf = (target: Target) =>
    target.action === 'routeToEvent'
      ? eventTypes.find(({ id, hidden }) => id === target.eventTypeId && !hidden)
      : undefined
  const usable = (target: Target) => target.action !== 'routeToEvent' || eventTypeOf(target) !== undefined
  const chosen = form.rules.find(({ when, target }) => holds(when, answers) && usable(target))?.target
  const targets = [
    ...(chosen === undefined ? [] : [chosen]),
    ...(usable(form.fallback) ? [form.fallback] : []),
  ]
  for (const target of targets) {
    const eventType = eventTypeOf(target)
    const toAll = { target, hostIds: null, reason: null }
    if (target.action !== 'routeToEvent' || eventType === undefined) return toAll
    const { hosts: filter } = target
    const rotating = eventType.hosts.filter(({ fixed }) => !fixed)
    if (!eventType.roundRobin || rotating.length === 0) return toAll
    const isFree = (host: ReferenceHost) => hasStart(eventType, host, now)
    const owner = metBy(target, String(answers.email ?? ''), history, now)
      .flatMap(({ hostId }) => rotating.filter(({ id }) => id === hostId))
      .find(isFree)
    if (owner !== undefined) return { target, hostIds: [owner.id], reason: 'owner' }
    if (filter === undefined) return toAll
    const passing = rotating.filter((host) => passes(filter, host.attributes, answers))
    if (passing.length < rotating.length && passing.some(isFree)) {
      return { target, hostIds: passing.map(({ id }) => id), reason: 'filter' }
    }
    if (rotating.some(isFree)) return toAll
  }
  // Nobody has a free time: the fallback is the end, whatever it is.
  return { target: usable(form.fallback) ? form.fallback : 'last resort', hostIds: null, reason: null }
}

/** The meetings that make their hosts owners of this visitor: their own first, the latest first. */
function metBy(
  target: Target,
  email: string,
  history: readonly ReferenceMeeting[],
  now: number,
): ReferenceMeeting[] {
  if (target.action !== 'routeToEvent' || target.owner === undefined || email === '') return []
  const { days, by } = target.owner
  const counted = history
    .filter(({ status }) => status === 'Confirmed' || status === 'Completed')
    .filter(({ startsAt }) => startsAt <= now && startsAt > now - days * DAY)
    .toSorted((a, b) => b.startsAt - a.startsAt)
  const domainOf = (address: string) => address.split('@')[1]
  const own = counted.filter((meeting) => meeting.email === email)
  const isCompany = domainOf(email) !== 'gmail.com'
  const colleagues = counted.filter((meeting) => domainOf(meeting.email) === domainOf(email))
  return by === 'domain' && isCompany ? [...own, ...colleagues] : own
}

/** Whether this host, and everyone who attends every meeting, is free at some start within 60 days. */
export function hasStart(eventType: ReferenceEventType, host: ReferenceHost, now: number): boolean {
  const attending = [host, ...eventType.hosts.filter(({ fixed }) => fixed)]
  const midnight = Math.floor(now / DAY) * DAY
  const windowEnd = midnight + (eventType.windowDays + 1) * DAY
  for (let start = midnight; start < now + 60 * DAY; start += HALF_HOUR) {
    const time = new Date(start)
    const [weekday, minutes] = [time.getUTCDay(), time.getUTCHours() * 60 + time.getUTCMinutes()]
    const isOpen = weekday >= 1 && weekday <= 5 && minutes >= 9 * 60 && minutes + 30 <= 17 * 60
    const isAway = attending.some(({ away }) =>
      away.some((absence) => start < absence.end && absence.start < start + HALF_HOUR),
    )
    if (isOpen && !isAway && start >= now && start < windowEnd) return true
  }
  return false
}

const same = (text: string) => text.trim().toLowerCase()

function holds(condition: Condition, answers: Answers): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, answers))
  if ('any' in condition) return condition.any.some((part) => holds(part, answers))
  const given = answers[condition.field] ?? ''
  if (typeof given !== 'string') return holdsOfList(condition, given.map(same))
  const answer = same(given)
  if (typeof condition.value === 'number') return holdsOfNumber(condition, answer, condition.value)
  const wanted = [condition.value ?? []].flat().map((one) => same(String(one)))
  switch (condition.operator) {
    case 'equals':
      return answer === wanted[0]
    case 'notEquals':
      return answer !== wanted[0]
    case 'contains':
      return answer.includes(wanted[0] as string)
    case 'notContains':
      return !answer.includes(wanted[0] as string)
    case 'startsWith':
      return answer.startsWith(wanted[0] as string)
    case 'endsWith':
      return answer.endsWith(wanted[0] as string)
    case 'isEmpty':
      return answer === ''
    case 'isNotEmpty':
      return answer !== ''
    case 'isAnyOf':
    case 'isOnlyOf':
      return wanted.includes(answer)
    default:
      throw new Error('Only numbers are compared so.')
  }
}

function holdsOfNumber({ operator }: Leaf, answer: string, wanted: number): boolean {
  const unanswered = answer === ''
  const above = !unanswered && Number(answer) > wanted
  const below = !unanswered && Number(answer) < wanted
  const truths: Partial<Record<Leaf['operator'], boolean>> = {
    equals: !unanswered && !above && !below,
    notEquals: unanswered || above || below,
    lessThan: below,
    atMost: !unanswered && !above,
    greaterThan: above,
    atLeast: !unanswered && !below,
  }
  return truths[operator] as boolean
}

function holdsOfList({ operator, value }: Leaf, chosen: readonly string[]): boolean {
  const wanted = new Set([value ?? []].flat().map((one) => same(String(one))))
  const hits = new Set(chosen).intersection(wanted).size
  const truths: Partial<Record<Leaf['operator'], boolean>> = {
    isEmpty: chosen.length === 0,
    isNotEmpty: chosen.length > 0,
    contains: hits > 0,
    notContains: hits === 0,
    isAnyOf: hits > 0,
    isOnlyOf: hits > 0 && hits === new Set(chosen).size,
  }
  return truths[operator] as boolean
}

function passes(filter: HostFilter, attributes: AttributeValues, answers: Answers): boolean {
  if ('all' in filter) return filter.all.every((part) => passes(part, attributes, answers))
  if ('any' in filter) return filter.any.some((part) => passes(part, attributes, answers))
  const textOf = (value: HostValue) =>
    same(typeof value === 'string' ? value : String(answers[value.answerOf] ?? ''))
  const value = attributes[filter.attribute]
  if (value === undefined) return 'isNot' in filter
  const set = [value].flat().map(same)
  if ('is' in filter) return set[0] === textOf(filter.is)
  if ('isNot' in filter) return set[0] !== textOf(filter.isNot)
  if ('isAnyOf' in filter)
    return filter.isAnyOf.some((one) => textOf(one) !== '' && set.includes(textOf(one)))
  const wanted = textOf(filter.contains)
  if (wanted === '') return false
  return typeof value === 'string' ? same(value).includes(wanted) : set.includes(wanted)
}
