import { CompiledSchedule, type Schedule } from '../src/domain/event-types/hours.ts'
import { findOpenings, type Openings, startsOf } from '../src/domain/slots/openings.ts'
import { Zones } from '../src/domain/zone.ts'

/** One for all tests of a file: building a zone's table takes a millisecond. */
export const zones = new Zones()

export const compiled = (schedule: Schedule) => new CompiledSchedule(schedule, zones)

/** Openings, with every start listed. */
export interface Offered extends Openings {
  readonly starts: readonly number[]
}

/** What the rule engine finds, with every start listed. */
export function findOffered(...asked: Parameters<typeof findOpenings>): Offered {
  const openings = findOpenings(...asked)
  const { step, firsts, counts, seatsLeft } = openings
  return { step, firsts, counts, seatsLeft, starts: startsOf(openings) }
}
