import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What `test.ts` learns from a test file: one of these as JSON on each line. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string }
  /** The file came to its end; without this line it was cut short. */
  | { readonly kind: 'end' }

/**
 * A reporter for Node's test runner that tells of single tests, not of the suites around them.
 *
 * A test with tests inside it counts through them, unless it fails by itself.
 */
export default async function* testEvents(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  /** The names from the outermost suite to here. */
  let path: string[] = []
  let withChildren: boolean[] = []
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      path = [...path.slice(0, data.nesting), data.name]
      withChildren = [...withChildren.slice(0, data.nesting).fill(true), false]
    } else if (type === 'test:pass' || type === 'test:fail') {
      const outcome = outcomeOf(
        type,
        data,
        path.slice(0, data.nesting + 1),
        withChildren[data.nesting] ?? false,
      )
      if (outcome) yield `${JSON.stringify(outcome)}\n`
    } else if (type === 'test:summary') {
      yield `${JSON.stringify({ kind: 'end' } satisfies Outcome)}\n`
    }
  }
}

type ResultEvent = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

function outcomeOf(
  type: ResultEvent['type'],
  data: ResultEvent['data'],
  path: readonly string[],
  hasChildren: boolean,
): Outcome | undefined {
  const name = path.join(' › ')
  if (data.skip !== undefined && data.skip !== false)
    return { kind: 'failed', name, reason: 'It is skipped.' }
  if (data.todo !== undefined && data.todo !== false)
    return { kind: 'failed', name, reason: 'It is still to do.' }

  const isLeaf = data.details.type !== 'suite' && !hasChildren
  if (type === 'test:pass') return isLeaf ? { kind: 'passed' } : undefined
  const error = 'error' in data.details ? data.details.error : undefined
  if (!isLeaf && error && 'failureType' in error && error.failureType === 'subtestsFailed') return undefined
  return { kind: 'failed', name, reason: inspect(error?.cause ?? error) }
}
