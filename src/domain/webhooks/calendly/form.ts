import { writeAnswer } from '../../event-types/questions.ts'
import type { FormField, Target } from '../../forms/routing.ts'
import type { Surroundings } from '../telling.ts'
import { answersIn, type SubmittedForm } from '../webhook.ts'
import { instantOf, resourceOf, trackingOf } from './resource.ts'

/** Answers to a form in the words of Calendly's webhooks. */
export function submissionOf(submitted: SubmittedForm, surroundings: Surroundings) {
  const { id, form, answers, result, at } = submitted
  const times = { created_at: instantOf(at), updated_at: instantOf(at) }
  return {
    uri: resourceOf(surroundings, 'routing_form_submissions', id),
    routing_form: resourceOf(surroundings, 'routing_forms', form.id),
    questions_and_answers: answersIn(form, answers).map(({ fieldId, field, value }) => ({
      question_uuid: fieldId,
      question: field?.label ?? fieldId,
      answer: writeAnswer(inWords(field, value)),
    })),
    tracking: trackingOf({}),
    result: resultOf(result, surroundings),
    submitter: null,
    submitter_type: null,
    ...times,
  }
}

/** Options by their labels. */
function inWords(field: FormField | undefined, value: unknown): unknown {
  const labels = new Map<unknown, string>(field?.options.map(({ id, label }) => [id, label]))
  const labelOf = (one: unknown) => labels.get(one) ?? one
  return Array.isArray(value) ? value.map(labelOf) : labelOf(value)
}

function resultOf(result: Target, surroundings: Surroundings) {
  if (result.action === 'redirect') return { type: 'external_url', value: result.url }
  if (result.action === 'message')
    return { type: 'custom_message', value: { headline: '', body: result.message } }
  return { type: 'event_type', value: resourceOf(surroundings, 'event_types', result.eventTypeId) }
}
