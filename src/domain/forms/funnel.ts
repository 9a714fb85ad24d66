import type { FormField, Target } from './routing.ts'

/** How often visitors opened a form, or left it at a question. */
export interface StepCount {
  readonly step: 'opened' | 'left'
  /** The question; empty for `opened`. */
  readonly field: string
  readonly count: number
}

/** Responses with the same result and the same fate. */
export interface ResponseCount {
  readonly target: Target
  readonly booked: boolean
  readonly met: boolean
  readonly count: number
}

/** How far visitors of a form came. */
export interface Funnel {
  readonly opened: number
  readonly answered: number
  readonly routed: number
  readonly booked: number
  readonly met: number
  /** Visitors who left without answering, by the furthest question they had come to; null: they had not begun. */
  readonly dropOff: readonly { readonly fieldId: string | null; readonly count: number }[]
}

/** Puts counts together. A question that the form no longer has keeps its count, after the others. */
export function funnelOf(
  fields: readonly Pick<FormField, 'id'>[],
  steps: readonly StepCount[],
  responses: readonly ResponseCount[],
): Funnel {
  const sum = (counts: readonly { readonly count: number }[]) =>
    counts.reduce((total, { count }) => total + count, 0)
  const opened = sum(steps.filter(({ step }) => step === 'opened'))
  const answered = sum(responses)
  const left = new Map(steps.filter(({ step }) => step === 'left').map(({ field, count }) => [field, count]))
  const begun = [...new Set([...fields.map(({ id }) => id), ...left.keys()])]
  const leftBegun = begun.map((fieldId) => ({ fieldId, count: left.get(fieldId) ?? 0 }))
  // Clients of the API may answer without opening the form.
  const untouched = Math.max(0, opened - answered - sum(leftBegun))
  return {
    opened,
    answered,
    routed: sum(responses.filter(({ target }) => target.action === 'routeToEvent')),
    booked: sum(responses.filter(({ booked }) => booked)),
    met: sum(responses.filter(({ met }) => met)),
    dropOff: [{ fieldId: null, count: untouched }, ...leftBegun],
  }
}
