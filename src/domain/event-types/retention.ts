import { invalidField } from '../problem.ts'
import { sentence } from '../sentence.ts'

/** Ten years: longer than any law asks for. */
const MAX_KEEP_DAYS = 3650

/** Throws `invalid` unless personal data is kept for ever (null) or for whole days. */
export function checkKeepDays(days: number | null): void {
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= MAX_KEEP_DAYS)) return
  throw invalidField(
    'keepPersonalDataDays',
    sentence`{field} must be a whole number of days from ${1} to ${MAX_KEEP_DAYS}.`,
  )
}
