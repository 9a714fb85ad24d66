import type { EventType } from '../domain/event-type.ts'
import { Problem } from '../domain/problem.ts'
import type { Scheduler } from '../domain/scheduler.ts'
import { isSlug } from '../domain/slug.ts'
import { findEventTypes } from '../store/event-types.ts'
import { findSchedulerBySlug } from '../store/schedulers.ts'
import type { Context } from './context.ts'

export interface Profile {
  readonly scheduler: Scheduler
  readonly eventTypes: readonly EventType[]
}

/** A scheduler with the event types that are not hidden; throws `not_found`. */
export async function getProfile(context: Context, userSlug: string): Promise<Profile> {
  const scheduler = isSlug(userSlug) ? await findSchedulerBySlug(context.db, userSlug) : undefined
  if (scheduler === undefined) throw new Problem('not_found', 'There is nobody at this address.')
  const eventTypes = await findEventTypes(context.db, scheduler.id)
  return { scheduler, eventTypes: eventTypes.filter((eventType) => !eventType.hidden) }
}
