import type { Target } from '../../../../src/domain/forms/routing.ts'
import type { EventTypeView, FormTestView, FormView, TargetView } from '../../core/data/views.ts'
import { tell, words } from '../../words.ts'

/** A target of a draft as the domain knows it. */
export const toTarget = (target: TargetView): Target => {
  if (target.action === 'routeToEvent')
    return { action: target.action, eventTypeId: target.eventTypeId ?? '' }
  if (target.action === 'redirect') return { action: target.action, url: target.redirectUrl ?? '' }
  return { action: target.action, message: target.message ?? '' }
}

/** The other way round. */
export const toTargetView = (target: Target): TargetView => ({
  action: target.action,
  eventTypeId: target.action === 'routeToEvent' ? target.eventTypeId : null,
  redirectUrl: target.action === 'redirect' ? target.url : null,
  message: target.action === 'message' ? target.message : null,
})

/** A draft as the domain routes by it. */
export const toRouted = ({ fields, rules, fallback }: FormView) => ({
  fields,
  rules: rules.map(({ when, target }) => ({ when, target: toTarget(target) })),
  fallback: toTarget(fallback),
})

/** A target in words. */
export function describeTarget(target: Target, eventTypes: readonly EventTypeView[]): string {
  const f = words.forms
  if (target.action === 'redirect') return tell(f.leadsToUrl, { url: target.url })
  if (target.action === 'message') return tell(f.leadsToMessage, { message: target.message })
  const eventType = eventTypes.find(({ id }) => id === target.eventTypeId)
  return tell(f.leadsToEvent, { name: eventType?.name ?? f.deletedEvent })
}

/** A name that no other test has. */
export function nextTestName(tests: readonly FormTestView[]): string {
  let number = tests.length + 1
  while (tests.some(({ name }) => name === tell(words.forms.testNumbered, { number }))) number++
  return tell(words.forms.testNumbered, { number })
}
