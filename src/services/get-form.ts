import { Problem } from '../domain/problem.ts'
import type { RoutingForm } from '../domain/routing.ts'
import type { Scheduler } from '../domain/scheduler.ts'
import { isSlug } from '../domain/slug.ts'
import { findForm } from '../store/routing-forms.ts'
import { findSchedulerBySlug } from '../store/schedulers.ts'
import type { Context } from './context.ts'

export interface PublishedForm {
  readonly form: RoutingForm
  readonly scheduler: Scheduler
}

/** A routing form and whose it is; throws `not_found`. */
export async function getForm(context: Context, userSlug: string, formSlug: string): Promise<PublishedForm> {
  const known = isSlug(userSlug) && isSlug(formSlug)
  const scheduler = known ? await findSchedulerBySlug(context.db, userSlug) : undefined
  const form = scheduler && (await findForm(context.db, scheduler.id, formSlug))
  if (scheduler === undefined || form === undefined) {
    throw new Problem('not_found', 'There is no such form. Check the address.')
  }
  return { form, scheduler }
}
