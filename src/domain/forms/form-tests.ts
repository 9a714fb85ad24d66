import type { EventType } from '../event-types/event-type.ts'
import { Problem } from '../problem.ts'
import {
  canRouteTo,
  type FormTest,
  findAnswerProblem,
  findRoute,
  type RoutingForm,
  type Target,
} from './routing.ts'

/** What a test needs to know of the owner's event types. */
export type TestedEventType = Pick<EventType, 'id' | 'name' | 'hidden' | 'linkOnly'>

type Tested = Pick<RoutingForm, 'fields' | 'rules' | 'fallback'>

/** Why a test fails, in a sentence, or undefined if it passes. */
export function findTestFailure(
  form: Tested,
  { answers, expect }: FormTest,
  eventTypes: readonly TestedEventType[],
): string | undefined {
  const problem = findAnswerProblem(form.fields, answers)
  if (problem !== undefined) return problem
  const routable = new Set(eventTypes.filter(canRouteTo).map(({ id }) => id))
  const { rule, target } = findRoute(form, answers, (id) => routable.has(id))
  if (isSame(target, expect)) return undefined
  const by = rule < 0 ? 'No rule matches' : `Rule ${rule + 1} matches`
  return `${by}, so it leads to ${describe(target, eventTypes)} instead of ${describe(expect, eventTypes)}.`
}

/** Throws `invalid` with the names of the tests that fail, and why. */
export function checkFormTests(
  form: Tested & Pick<RoutingForm, 'tests'>,
  eventTypes: readonly TestedEventType[],
): void {
  const failures = form.tests.flatMap((test, index) => {
    const reason = findTestFailure(form, test, eventTypes)
    return reason === undefined ? [] : [{ index, sentence: `The test "${test.name}" fails. ${reason}` }]
  })
  const [first] = failures
  if (first === undefined) return
  throw new Problem('invalid', failures.map(({ sentence }) => sentence).join(' '), {
    field: `tests.${first.index}`,
  })
}

function isSame(one: Target, other: Target): boolean {
  if (one.action === 'routeToEvent')
    return other.action === one.action && other.eventTypeId === one.eventTypeId
  if (one.action === 'redirect') return other.action === one.action && other.url === one.url
  return other.action === one.action && other.message === one.message
}

function describe(target: Target, eventTypes: readonly TestedEventType[]): string {
  if (target.action === 'redirect') return target.url
  if (target.action === 'message') return `the message "${target.message}"`
  const name = eventTypes.find(({ id }) => id === target.eventTypeId)?.name
  return name === undefined ? 'an event type that does not exist' : `"${name}"`
}
