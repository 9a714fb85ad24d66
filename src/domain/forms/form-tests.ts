import type { EventType } from '../event-types/event-type.ts'
import { Problem } from '../problem.ts'
import { inTurn, type Sentence, sentence, type Value } from '../sentence.ts'
import {
  canRouteTo,
  type FormTest,
  findAnswerProblem,
  findRoute,
  isUsable,
  matches,
  type RoutingForm,
  type Target,
} from './routing.ts'

/** What a test needs to know of the owner's event types. */
type TestedEventType = Pick<EventType, 'id' | 'name' | 'hidden' | 'linkOnly'>

type Tested = Pick<RoutingForm, 'fields' | 'rules' | 'fallback'>

/** Why a test fails, in a sentence, or undefined if it passes. */
export function findTestFailure(
  form: Tested,
  { answers, expect }: FormTest,
  eventTypes: readonly TestedEventType[],
): Sentence | undefined {
  const problem = findAnswerProblem(form.fields, answers)
  if (problem !== undefined) return problem
  const routable = new Set(eventTypes.filter(canRouteTo).map(({ id }) => id))
  const isRoutable = (id: string) => routable.has(id)
  const { rule, target } = findRoute(form, answers, isRoutable)
  if (isSame(target, expect)) return undefined
  const [actual, expected] = [describe(target, eventTypes), describe(expect, eventTypes)]
  const first = form.rules.findIndex(({ when }) => matches(when, answers))
  if (first !== rule) {
    return sentence`Rule ${first + 1} matches, but its event type is hidden or deleted, so it leads to ${actual} instead of ${expected}.`
  }
  if (rule < 0 && !isUsable(form.fallback, isRoutable)) {
    return sentence`No rule matches, and the event type of the fallback is hidden or deleted, so it leads to ${actual} instead of ${expected}.`
  }
  return rule < 0
    ? sentence`No rule matches, so it leads to ${actual} instead of ${expected}.`
    : sentence`Rule ${rule + 1} matches, so it leads to ${actual} instead of ${expected}.`
}

/** Throws `invalid` with the names of the tests that fail, and why. */
export function checkFormTests(
  form: Tested & Pick<RoutingForm, 'tests'>,
  eventTypes: readonly TestedEventType[],
): void {
  const failures = form.tests.flatMap((test, index) => {
    const reason = findTestFailure(form, test, eventTypes)
    return reason === undefined
      ? []
      : [{ index, failure: sentence`The test "${test.name}" fails. ${reason}` }]
  })
  const [first] = failures
  if (first === undefined) return
  throw new Problem('invalid', inTurn(failures.map(({ failure }) => failure)), {
    field: `tests.${first.index}`,
  })
}

function isSame(one: Target, other: Target): boolean {
  if (one.action === 'routeToEvent')
    return other.action === one.action && other.eventTypeId === one.eventTypeId
  if (one.action === 'redirect') return other.action === one.action && other.url === one.url
  return other.action === one.action && other.message === one.message
}

function describe(target: Target, eventTypes: readonly TestedEventType[]): Value {
  if (target.action === 'redirect') return target.url
  if (target.action === 'message') return sentence`the message "${target.message}"`
  const name = eventTypes.find(({ id }) => id === target.eventTypeId)?.name
  return name === undefined ? sentence`an event type that does not exist` : `"${name}"`
}
