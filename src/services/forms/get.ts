import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Context } from '../context.ts'
import type { PublishedForm } from '../published-forms.ts'

/** Where a form can send visitors. */
export interface Destination {
  readonly scheduler: Scheduler
  readonly eventType: Pick<EventType, 'id' | 'slug'>
}

/** A routing form with its owner; throws `not_found`. */
export async function getForm(context: Context, userSlug: string, formSlug: string): Promise<PublishedForm> {
  const known = isSlug(userSlug) && isSlug(formSlug)
  const published = known ? await context.publishedForms.find(userSlug, formSlug) : undefined
  if (published === undefined) {
    throw new Problem('not_found', sentence`There is no such form. Check the address.`)
  }
  return published
}
