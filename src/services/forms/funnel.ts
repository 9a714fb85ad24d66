import { formatDate } from '../../domain/calendar-date.ts'
import { type Funnel, funnelOf } from '../../domain/forms/funnel.ts'
import { countOutcomes, findFormCounts } from '../../store/forms/counts.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { type PeriodQuery, readPeriod } from '../period.ts'
import { saveFormCounts } from './count-visitors.ts'
import { getOwnForm } from './forms.ts'

/** A form's funnel between two dates in its owner's time zone. */
interface FormFunnel extends Funnel {
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** How far the visitors came who opened or answered a form in a period. */
export async function getFunnel(
  context: Context,
  principal: Principal,
  formId: string,
  query: PeriodQuery,
): Promise<FormFunnel> {
  const form = await getOwnForm(context.db, principal, formId)
  const owner = await findScheduler(context.db, form.schedulerId)
  if (owner === undefined) throw notFound()
  const zone = context.slots.zones.get(owner.timeZone)
  const { first, last, span } = readPeriod(query, zone, context.now())
  // What this instance has counted shows at once; that of others follows within a minute.
  await saveFormCounts(context)
  const steps = await findFormCounts(context.db, form.id, first, last)
  const responses = await countOutcomes(context.db, form.id, span)
  return {
    from: formatDate(first),
    to: formatDate(last),
    timeZone: zone.id,
    ...funnelOf(form.fields, steps, responses),
  }
}
