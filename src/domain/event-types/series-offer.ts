import { invalidField, Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'

export const SERIES_STEPS = ['week', '2 weeks', 'month'] as const

export type SeriesStep = (typeof SERIES_STEPS)[number]

/** What series an event type offers. */
export interface SeriesOffer {
  readonly every: readonly SeriesStep[]
  /** The most meetings of one series. */
  readonly most: number
}

export const MOST_OF_SERIES = 52

/** Throws `invalid` with the reason if an event type can't offer this. */
export function checkSeriesOffer(offer: SeriesOffer | null): void {
  if (offer === null) return
  const { every, most } = offer
  if (every.length === 0)
    throw new Problem('invalid', sentence`Choose how often a series may repeat.`, { field: 'series.every' })
  for (const [index, step] of every.entries()) {
    if (!SERIES_STEPS.includes(step)) {
      throw invalidField(`series.every.${index}`, sentence`{field} must be one of ${SERIES_STEPS}.`)
    }
    if (every.indexOf(step) < index)
      throw invalidField(`series.every.${index}`, sentence`{field} is there twice.`)
  }
  if (!Number.isInteger(most) || most < 2 || most > MOST_OF_SERIES) {
    throw invalidField(
      'series.most',
      sentence`{field} must be a whole number from ${2} to ${MOST_OF_SERIES}.`,
    )
  }
}
