import { createRateLimit } from '../store/rate-limits.ts'
import type { Context } from './context.ts'

/**
 * How many requests a minute a user may have us send to other servers: enough for any work, too few to flood a
 * server through this one or to guess passwords there.
 */
export const outsideLimit = ({ db }: Context) => createRateLimit(db, 'outside', 30, 60)
