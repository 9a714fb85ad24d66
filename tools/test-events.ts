import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What the runner learns from test files: one of these as JSON on each line. */
export type Outcome =
  /** A test or suite begins: the last of these says where a file hangs. */
  | { readonly kind: 'begun'; readonly name: string }
  | { readonly kind: 'passed'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string }
  /** A suite that is in no other one has ended, after so many milliseconds. */
  | { readonly kind: 'ended'; readonly name: string; readonly duration: number }
  /** All reached their end; without this line they were cut short. */
  | { readonly kind: 'end' }

/**
 * A reporter for Node's test runner that counts tests, not the suites around them.
 *
 * A test with tests inside counts as those, unless it fails outside them.
 */
export default async function* testEvents(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  /** The names from the outermost suite to here. */
  let path: string[] = []
  let withChildren: boolean[] = []
  let begun: string[] = []
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') {
      begun = [...begun.slice(0, data.nesting), data.name]
      yield lineOf({ kind: 'begun', name: begun.join(' › ') })
    } else if (type === 'test:start') {
      path = [...path.slice(0, data.nesting), data.name]
      withChildren = [...withChildren.slice(0, data.nesting).fill(true), false]
    } else if (type === 'test:pass' || type === 'test:fail') {
      const name = path.slice(0, data.nesting + 1).join(' › ')
      const outcome = outcomeOf(type, data, name, withChildren[data.nesting] ?? false)
      if (outcome) yield lineOf(outcome)
      if (data.nesting === 0 && data.details.type === 'suite') {
        yield lineOf({ kind: 'ended', name, duration: data.details.duration_ms })
      }
    } else if (type === 'test:summary') {
      yield lineOf({ kind: 'end' })
    }
  }
}

const lineOf = (outcome: Outcome) => `${JSON.stringify(outcome)}\n`

type ResultEvent = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

function outcomeOf(
  type: ResultEvent['type'],
  data: ResultEvent['data'],
  name: string,
  hasChildren: boolean,
): Outcome | undefined {
  if (data.skip !== undefined && data.skip !== false)
    return { kind: 'failed', name, reason: 'It is skipped.' }
  if (data.todo !== undefined && data.todo !== false)
    return { kind: 'failed', name, reason: 'It is still to do.' }

  const isLeaf = data.details.type !== 'suite' && !hasChildren
  if (type === 'test:pass') return isLeaf ? { kind: 'passed', name } : undefined
  const error = 'error' in data.details ? data.details.error : undefined
  const failure = error && 'failureType' in error ? error.failureType : undefined
  if (!isLeaf && failure === 'subtestsFailed') return undefined
  // Its suite failed, such as in `before`, and gives the reason.
  if (failure === 'cancelledByParent') return undefined
  return { kind: 'failed', name, reason: inspect(error?.cause ?? error) }
}
