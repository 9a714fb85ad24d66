import { type Framers, framersOf } from '../../domain/event-types/framing.ts'
import { eventTypesOf, type RoutingForm } from '../../domain/forms/routing.ts'
import { findEventTypes } from '../../store/event-types/event-types.ts'
import type { Context } from '../context.ts'

/** The sites that may frame a form: those that may frame every event type it can lead to. */
export async function findFormFramers({ db }: Context, form: RoutingForm): Promise<Framers> {
  const targets = eventTypesOf(form)
  if (targets.length === 0) return 'everyone'
  const eventTypes = await findEventTypes(db, form.schedulerId)
  // A form never leads to a hidden event type.
  return framersOf(eventTypes.filter(({ id, hidden }) => !hidden && targets.includes(id)))
}
