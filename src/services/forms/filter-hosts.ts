import { rotatingHostOf, takesTurns } from '../../domain/bookings/bookable.ts'
import { compileFilter, describeFilter } from '../../domain/forms/host-filter.ts'
import { type Route, routeToAll } from '../../domain/forms/route.ts'
import { type Answers, answerTo, type Target } from '../../domain/forms/routing.ts'
import type { Context } from '../context.ts'
import type { Destination } from './get.ts'

/**
 * The route to the hosts who pass the target's filter, if one of them has a free time; otherwise to all of them, if
 * one of those has. Undefined if nobody has.
 *
 * Where hosts don't take turns there is no choice, so a filter does nothing.
 */
export async function filterHosts(
  context: Context,
  { scheduler, eventType }: Destination,
  target: Target,
  answers: Answers,
): Promise<Route | undefined> {
  const filter = target.action === 'routeToEvent' ? target.hosts : undefined
  if (filter === undefined) return routeToAll(eventType.id)
  const { slots } = context
  const bookable = await slots.getBookable(scheduler.slug, eventType.slug)
  if (!takesTurns(bookable)) return routeToAll(eventType.id)
  const { attributes, values, valuesOfGroup } = await slots.getHostAttributes(bookable)
  const answerOf = (fieldId: string) => answerTo(fieldId, answers)
  const passes = values.map(compileFilter(filter, answerOf))
  const passing = bookable.groups.filter((_, index) => passes[valuesOfGroup[index] as number])
  if (
    passing.length < bookable.groups.length &&
    passing.length > 0 &&
    (await slots.hasStart(bookable, passing))
  ) {
    const hostIds = passing.map(rotatingHostOf)
    return {
      eventTypeId: eventType.id,
      hostIds,
      reason: 'filter',
      detail: describeFilter(filter, answerOf, attributes),
    }
  }
  return (await slots.hasStart(bookable, bookable.groups)) ? routeToAll(eventType.id) : undefined
}
