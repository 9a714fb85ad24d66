import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findEventTypes } from '../../store/event-types/event-types.ts'
import { findSchedulerBySlug } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'

export interface Profile {
  readonly scheduler: Scheduler
  readonly eventTypes: readonly EventType[]
}

/** A user or team with the event types that anyone may see; throws `not_found`. */
export async function getProfile(context: Context, userSlug: string): Promise<Profile> {
  const scheduler = isSlug(userSlug) ? await findSchedulerBySlug(context.db, userSlug) : undefined
  if (scheduler === undefined)
    throw new Problem('not_found', sentence`There is no booking page at this address.`)
  const eventTypes = await findEventTypes(context.db, scheduler.id)
  return { scheduler, eventTypes: eventTypes.filter(({ hidden, linkOnly }) => !hidden && !linkOnly) }
}
