import { startChild } from '../child.ts'
import type { EvaluateFigures } from '../evaluate.ts'
import type { Part } from '../part.ts'
import { perSecond } from '../table.ts'

const SECONDS = 2

/** Evaluating a form of 100 rules that leads to a team of 500, filtered by attributes. */
export const evaluate: Part = async function* (bench) {
  await using child = startChild<{ folder: string; seconds: number }, EvaluateFigures>('evaluate.ts')
  const figures = await child.ask({ folder: bench.folder('evaluate'), seconds: SECONDS })
  yield {
    what: 'evaluate, 100 rules, team of 500; limit: reading its rows',
    ours: perSecond(figures.dryRun),
    baseline: perSecond(figures.read),
    value: figures.dryRun / figures.read,
    target: { atLeast: 0.7 },
  }
  yield {
    what: 'evaluate and record; limit: storing the response',
    ours: perSecond(figures.recorded),
    baseline: perSecond(figures.stored),
    value: figures.recorded / figures.stored,
  }
}
