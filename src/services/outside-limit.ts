import { createRateLimit } from '../store/rate-limits.ts'
import type { Context } from './context.ts'

/**
 * How many requests a minute a user may have us send to other servers: enough for any work, too few to flood a
 * server through this one or to guess passwords there.
 */
export const outsideLimit = ({ db }: Context) => createRateLimit(db, 'outside', 30, 60)

/** How often a minute an admin may have the instance examined, which asks several servers at once. */
export const checksLimit = ({ db }: Context) => createRateLimit(db, 'checks', 6, 60)
