import type { FormField } from '../../forms/routing.ts'
import type { Surroundings } from '../telling.ts'
import { answersIn, type SubmittedForm } from '../webhook.ts'

/** Answers to a form in the words of Cal.com's webhooks; `flat` is what it repeats beside the payload. */
export function formOf({ form, scheduler, answers }: SubmittedForm, { numbers }: Surroundings) {
  return {
    payload: {
      formId: form.id,
      formName: form.name,
      teamId: scheduler.kind === 'team' ? numbers[scheduler.id] : null,
      responses: Object.fromEntries(
        answersIn(form, answers).map(({ fieldId, field, value }) => [
          fieldId,
          { value, response: chosenIn(field, value) },
        ]),
      ),
    },
    flat: answers,
  }
}

/** The options that an answer names, with their labels; any other answer is as it was given. */
function chosenIn(field: FormField | undefined, value: unknown): unknown {
  const options = field?.options ?? []
  if (options.length === 0) return value
  if (Array.isArray(value)) return options.filter(({ id }) => value.includes(id))
  return options.find(({ id }) => id === value) ?? value
}
