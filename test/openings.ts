import { findOpenings, type Openings, startsOf } from '../src/domain/slots/openings.ts'

/** Openings, with every start by itself. */
export interface Offered extends Openings {
  readonly starts: readonly number[]
}

/** What the rule engine finds, with every start by itself. */
export function findOffered(...asked: Parameters<typeof findOpenings>): Offered {
  const openings = findOpenings(...asked)
  const { step, firsts, counts, seatsLeft } = openings
  return { step, firsts, counts, seatsLeft, starts: startsOf(openings) }
}
