import { type Route, routeToAll } from '../../domain/forms/route.ts'
import {
  type Answers,
  fallbackOf,
  findEmailAnswer,
  findRoute,
  type Target,
} from '../../domain/forms/routing.ts'
import type { Context } from '../context.ts'
import type { PublishedForm } from '../published-forms.ts'
import { filterHosts } from './filter-hosts.ts'
import { findOwner } from './find-owner.ts'
import { lookUpOwner } from './look-up-owner.ts'

/** Where a visitor goes. */
interface RoutedVisitor {
  readonly target: Target
  /** The index of the rule that decided, which is -1 for the fallback. */
  readonly rule: number
  /** Null unless the target is an event type. */
  readonly route: Route | null
}

/**
 * Where these answers lead, and there to which hosts.
 *
 * A target that chooses hosts leads to the fallback if nobody there has a free time. The fallback is the end: it
 * leads to its event type in any case.
 */
export async function routeVisitor(
  context: Context,
  { form, scheduler, rules, destinations }: PublishedForm,
  { answers, dryRun }: { readonly answers: Answers; readonly dryRun: boolean },
): Promise<RoutedVisitor> {
  const isRoutable = (id: string) => destinations.has(id)
  const eventTypeOf = (target: Target) =>
    target.action === 'routeToEvent' ? destinations.get(target.eventTypeId) : undefined
  const email = findEmailAnswer(form.fields, answers)
  const chooseHosts = async (target: Target): Promise<Route | undefined> => {
    const eventType = eventTypeOf(target)
    if (target.action !== 'routeToEvent' || eventType === undefined) return undefined
    const { owner } = target
    const owned =
      owner && email ? await findOwner(context, { scheduler, eventType }, owner, email) : undefined
    if (owned !== undefined) return owned
    const { ownerLookupUrl: url } = target
    const visitor = url && email && !dryRun ? { email, answers } : undefined
    const named =
      url && visitor
        ? await lookUpOwner(context, { scheduler, eventType }, { formId: form.id, url }, visitor)
        : undefined
    return named ?? filterHosts(context, { scheduler, eventType }, target, answers)
  }
  const { rule, target } = findRoute(form, answers, isRoutable, rules)
  if (eventTypeOf(target) === undefined) return { target, rule, route: null }
  const chosen = await chooseHosts(target)
  if (chosen !== undefined) return { target, rule, route: chosen }
  const fallback = fallbackOf(form, isRoutable)
  const last = eventTypeOf(fallback)
  if (last === undefined) return { target: fallback, rule: -1, route: null }
  const route = (rule < 0 ? undefined : await chooseHosts(fallback)) ?? routeToAll(last.id)
  return { target: fallback, rule: -1, route }
}
