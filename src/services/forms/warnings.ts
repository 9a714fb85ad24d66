import type { EventType } from '../../domain/event-types/event-type.ts'
import { canRouteTo, type RoutingForm } from '../../domain/forms/routing.ts'
import { findRuleWarnings, newBudget, type RuleWarning } from '../../domain/forms/warnings.ts'
import { findEventTypes } from '../../store/event-types/event-types.ts'
import type { Context } from '../context.ts'

/** A form, and its rules that never decide. */
export interface WarnedForm {
  readonly form: RoutingForm
  readonly warnings: readonly RuleWarning[]
  /** What signs its lookups of owners, if this change has made it. It is shown only then. */
  readonly lookupSecret?: string | undefined
}

/** Adds warnings to a form, of whose owner these are the event types. */
export function warn(form: RoutingForm, eventTypes: readonly EventType[], budget = newBudget()): WarnedForm {
  const routable = new Set(eventTypes.filter(canRouteTo).map(({ id }) => id))
  return { form, warnings: findRuleWarnings(form, (id) => routable.has(id), budget) }
}

/** Adds warnings to forms. Together they get no more time than one would. */
export async function addWarnings(context: Context, forms: readonly RoutingForm[]): Promise<WarnedForm[]> {
  const owners = [...new Set(forms.map(({ schedulerId }) => schedulerId))]
  const found = await Promise.all(
    owners.map(async (owner) => [owner, await findEventTypes(context.db, owner)] as const),
  )
  const eventTypes = new Map(found)
  const budget = newBudget()
  return forms.map((form) => warn(form, eventTypes.get(form.schedulerId) ?? [], budget))
}
