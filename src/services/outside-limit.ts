import { createRateLimit } from '../store/rate-limits.ts'
import type { Context } from './context.ts'

/**
 * How often a person may have another server asked at once, in a minute: enough for any work, and too little to
 * flood a server by way of this one, or to guess passwords there.
 */
export const outsideLimit = ({ db }: Context) => createRateLimit(db, 'outside', 30, 60)
