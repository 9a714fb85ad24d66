import type { Attribute } from '../people/attributes.ts'
import { Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { findMisfit, type HostFilter } from './host-filter.ts'
import type { RoutingForm } from './routing.ts'

type Targets = Pick<RoutingForm, 'rules' | 'fallback'>

/** The host filters of a form, with their paths. */
function filtersOf({ rules, fallback }: Targets): { readonly filter: HostFilter; readonly at: string }[] {
  const targets = [
    ...rules.map(({ target }, index) => ({ target, at: `rules.${index}.target` })),
    { target: fallback, at: 'fallback' },
  ]
  return targets.flatMap(({ target, at }) =>
    target.action === 'routeToEvent' && target.hosts !== undefined
      ? [{ filter: target.hosts, at: `${at}.hosts` }]
      : [],
  )
}

/** Throws `invalid` with the field if a form compares with attributes that its owner lacks, or in ways that don't fit. */
export function checkFilteredAttributes(form: Targets, attributes: readonly Attribute[]): void {
  for (const { filter, at } of filtersOf(form)) {
    const misfit = findMisfit(filter, attributes, at)
    if (misfit !== undefined) throw new Problem('invalid', misfit.reason, { field: misfit.at })
  }
}

/** Throws `in_use` with the form's name if new definitions of attributes would break a host filter. */
export function refuseBrokenFilters(
  attributes: readonly Attribute[],
  forms: readonly (Targets & Pick<RoutingForm, 'name'>)[],
): void {
  for (const form of forms) {
    for (const { filter, at } of filtersOf(form)) {
      const misfit = findMisfit(filter, attributes, at)
      if (misfit === undefined) continue
      throw new Problem(
        'in_use',
        sentence`The form "${form.name}" chooses hosts by this. Change the form first: ${misfit.reason}`,
      )
    }
  }
}
