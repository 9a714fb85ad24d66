import type { Route } from '../src/domain/forms/route.ts'
import { checkForm, FORM_DEFAULTS, type RoutingForm } from '../src/domain/forms/routing.ts'
import type { Context } from '../src/services/context.ts'
import { routingToken } from '../src/services/forms/routing-token.ts'
import type { Db } from '../src/store/engine/database.ts'
import { insertForm, insertResponse } from '../src/store/forms/forms.ts'
import { newId } from '../src/store/new-id.ts'

/** Saves a form; without anything else said, one that thanks its visitors. */
export async function addForm(
  db: Db,
  owner: { readonly id: string },
  given: Partial<RoutingForm> = {},
): Promise<RoutingForm> {
  const form: RoutingForm = {
    ...FORM_DEFAULTS,
    id: newId(),
    schedulerId: owner.id,
    slug: `form-${newId()}`,
    name: 'Contact',
    fallback: { action: 'message', message: 'Thank you.' },
    ...given,
  }
  checkForm(form)
  await insertForm(db, form)
  return form
}

/** The token of a visitor whom this form has just led to an event type, and there to some hosts. */
export async function tokenFor(
  context: Context,
  { id: formId }: Pick<RoutingForm, 'id'>,
  eventTypeId: string,
  given: Partial<Route> = {},
): Promise<{ readonly responseId: string; readonly token: string }> {
  const id = newId()
  const route = { eventTypeId, hostIds: null, reason: null, detail: '', ...given }
  const result = { action: 'routeToEvent', eventTypeId } as const
  await insertResponse(context.db, { id, formId, answers: {}, result, route, createdAt: context.now() })
  return { responseId: id, token: routingToken(context, id) }
}
