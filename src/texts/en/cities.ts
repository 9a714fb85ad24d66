import type { Cities } from '../catalogue.ts'

/** The ids of time zones have English names. */
export default {} satisfies Cities
