import type { EventType } from '../../domain/event-types/event-type.ts'
import type { RoutingForm } from '../../domain/forms/routing.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findForm } from '../../store/forms/forms.ts'
import { findSchedulerBySlug } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'

/** Where a form can send visitors. */
export interface Destination {
  readonly scheduler: Scheduler
  readonly eventType: Pick<EventType, 'id' | 'slug'>
}

export interface PublishedForm {
  readonly form: RoutingForm
  readonly scheduler: Scheduler
}

/** A routing form with its owner; throws `not_found`. */
export async function getForm(context: Context, userSlug: string, formSlug: string): Promise<PublishedForm> {
  const known = isSlug(userSlug) && isSlug(formSlug)
  const scheduler = known ? await findSchedulerBySlug(context.db, userSlug) : undefined
  const form =
    scheduler && (await findForm(context.db, scheduler.id, formSlug, (row) => context.parsedForms.read(row)))
  if (scheduler === undefined || form === undefined) {
    throw new Problem('not_found', sentence`There is no such form. Check the address.`)
  }
  return { form, scheduler }
}
