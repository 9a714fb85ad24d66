import type { DayNumber } from '../../domain/calendar-date.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { localDay } from '../../domain/zone.ts'
import { addFormCounts } from '../../store/forms/counts.ts'
import type { Context } from '../context.ts'
import type { PublishedForm } from '../published-forms.ts'

/** Counts that a visitor has opened a form. */
export function countOpened(context: Context, { form, scheduler }: PublishedForm): void {
  const day = dayOf(context, scheduler.timeZone)
  context.formCounts.add({ formId: form.id, day, step: 'opened', field: '', count: 1 })
}

/** Counts that a visitor has left a form at a question; throws `invalid` if it has no such question. */
export function countLeft(context: Context, { form, scheduler }: PublishedForm, field: string): void {
  if (!form.fields.some(({ id }) => id === field)) {
    throw new Problem('invalid', sentence`This form has no such question.`)
  }
  const day = dayOf(context, scheduler.timeZone)
  context.formCounts.add({ formId: form.id, day, step: 'left', field, count: 1 })
}

const dayOf = (context: Context, timeZone: string): DayNumber =>
  localDay(context.slots.zones.get(timeZone), context.now())

/** Saves what was counted. If that fails, it is kept for the next time. */
export async function saveFormCounts({ db, formCounts }: Context): Promise<void> {
  const counts = formCounts.take()
  if (counts.length === 0) return
  try {
    await addFormCounts(db, counts)
  } catch (error) {
    for (const count of counts) formCounts.add(count)
    throw error
  }
}
