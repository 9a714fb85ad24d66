import { isEmail, isPhone, isWebAddress } from './contact.ts'
import { Problem } from './problem.ts'
import { MAX_ANSWER } from './questions.ts'
import { isSlug } from './slug.ts'
import { isLine, isProse } from './text.ts'

export const FIELD_TYPES = ['select', 'text', 'email', 'phone', 'textarea'] as const

export interface FormField {
  readonly id: string
  readonly label: string
  readonly type: (typeof FIELD_TYPES)[number]
  readonly required: boolean
  /** Answers of a select; empty for every other type. */
  readonly options: readonly { readonly id: string; readonly label: string }[]
}

export const OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'isEmpty',
  'isNotEmpty',
  'isAnyOf',
] as const

export type Operator = (typeof OPERATORS)[number]

/** `value` is text, a list for `isAnyOf`, and nothing for `isEmpty` and `isNotEmpty`. */
export interface Leaf {
  readonly field: string
  readonly operator: Operator
  readonly value?: string | readonly string[]
}

export type Condition = Leaf | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] }

export type Target =
  | { readonly action: 'routeToEvent'; readonly eventTypeId: string }
  | { readonly action: 'redirect'; readonly url: string }
  | { readonly action: 'message'; readonly message: string }

export interface Rule {
  readonly when: Condition
  readonly target: Target
}

export interface RoutingForm {
  readonly id: string
  readonly schedulerId: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly fields: readonly FormField[]
  readonly rules: readonly Rule[]
  readonly fallback: Target
}

/** Answers by field id. */
export type Answers = Readonly<Record<string, unknown>>

/** Throws `invalid`, naming the field's label, when an answer is missing or does not fit. */
export function checkFormAnswers(fields: readonly FormField[], answers: Answers): void {
  for (const field of fields) {
    const answer = answerTo(field.id, answers)
    if (answer === undefined || answer === null || (typeof answer === 'string' && answer.trim() === '')) {
      if (field.required) throw new Problem('invalid', `"${field.label}" is required.`)
      continue
    }
    const expected = findMismatch(field, answer)
    if (expected !== undefined) throw new Problem('invalid', `"${field.label}" must be ${expected}.`)
  }
}

/** What the answer ought to have been, or undefined when it fits. */
function findMismatch(field: FormField, answer: unknown): string | undefined {
  if (typeof answer !== 'string') return 'text'
  if (answer.length > MAX_ANSWER) return `at most ${MAX_ANSWER} characters`
  switch (field.type) {
    case 'select':
      return field.options.some((option) => option.id === answer) ? undefined : 'one of its options'
    case 'email':
      return isEmail(answer.trim()) ? undefined : 'an e-mail address'
    case 'phone':
      return isPhone(answer.trim()) ? undefined : 'a phone number'
    case 'text':
      return isLine(answer) ? undefined : 'one line of text without control characters'
    case 'textarea':
      return isProse(answer) ? undefined : 'text without control characters'
  }
}

// A form is saved with a fallback, but the event type that it leads to can be deleted afterwards.
const LAST_RESORT: Target = { action: 'message', message: 'Thank you. Your answers have been received.' }

/**
 * Where the answers lead: the first rule that matches and whose target stands.
 *
 * `stands` says whether an event type can still be routed to; a rule whose event
 * type is gone or hidden falls through to the next.
 */
export function route(
  form: Pick<RoutingForm, 'rules' | 'fallback'>,
  answers: Answers,
  stands: (eventTypeId: string) => boolean,
): Target {
  const usable = (target: Target) => target.action !== 'routeToEvent' || stands(target.eventTypeId)
  const rule = form.rules.find(({ when, target }) => matches(when, answers) && usable(target))
  if (rule !== undefined) return rule.target
  return usable(form.fallback) ? form.fallback : LAST_RESORT
}

/** Does the tree hold? An empty `all` holds, an empty `any` does not. */
export function matches(condition: Condition, answers: Answers): boolean {
  if ('all' in condition) return condition.all.every((part) => matches(part, answers))
  if ('any' in condition) return condition.any.some((part) => matches(part, answers))
  const answer = comparable(answerTo(condition.field, answers))
  const value = condition.value
  const wanted = typeof value === 'string' ? comparable(value) : ''
  switch (condition.operator) {
    case 'equals':
      return answer === wanted
    case 'notEquals':
      return answer !== wanted
    case 'contains':
      return answer.includes(wanted)
    case 'notContains':
      return !answer.includes(wanted)
    case 'startsWith':
      return answer.startsWith(wanted)
    case 'endsWith':
      return answer.endsWith(wanted)
    case 'isEmpty':
      return answer === ''
    case 'isNotEmpty':
      return answer !== ''
    case 'isAnyOf':
      return Array.isArray(value) && value.some((one) => comparable(one) === answer)
  }
}

function answerTo(fieldId: string, answers: Answers): unknown {
  return Object.hasOwn(answers, fieldId) ? answers[fieldId] : undefined
}

/** Trimmed and without case: how a person compares two answers. */
function comparable(answer: unknown): string {
  return typeof answer === 'string' ? answer.trim().normalize('NFC').toLowerCase() : ''
}

const MAX_TREE_DEPTH = 8

/** Throws `invalid` with the reason when this form could leave a visitor nowhere. */
export function checkForm(form: Omit<RoutingForm, 'id' | 'schedulerId'>): void {
  const refuse = (reason: string): never => {
    throw new Problem('invalid', reason)
  }
  if (!isSlug(form.slug)) refuse('A slug is 1 to 64 lower-case letters, digits and hyphens.')
  if (form.name.trim() === '') refuse('A form needs a name.')
  const fields = new Map<string, FormField>()
  for (const field of form.fields) {
    if (fields.has(field.id)) refuse(`Two fields have the id "${field.id}".`)
    if (field.label.trim() === '') refuse(`The field "${field.id}" needs a label.`)
    if (field.type === 'select' && field.options.length === 0) {
      refuse(`"${field.label}" is a select and needs options.`)
    }
    if (new Set(field.options.map((option) => option.id)).size !== field.options.length) {
      refuse(`"${field.label}" has two options with the same id.`)
    }
    fields.set(field.id, field)
  }
  const checkCondition = (condition: Condition, depth: number): void => {
    if (depth > MAX_TREE_DEPTH) refuse(`Conditions nest at most ${MAX_TREE_DEPTH} deep.`)
    if ('all' in condition || 'any' in condition) {
      for (const part of 'all' in condition ? condition.all : condition.any) checkCondition(part, depth + 1)
      return
    }
    const field =
      fields.get(condition.field) ?? refuse(`A rule asks about "${condition.field}", which is no field.`)
    const values = [condition.value ?? []].flat()
    if (field.type === 'select' && ['equals', 'notEquals', 'isAnyOf'].includes(condition.operator)) {
      for (const value of values) {
        if (!field.options.some((option) => option.id === value)) {
          refuse(`A rule compares "${field.label}" with "${value}", which is none of its options.`)
        }
      }
    }
    const bare = condition.operator === 'isEmpty' || condition.operator === 'isNotEmpty'
    if (!bare && values.length === 0) refuse(`A rule on "${field.label}" compares with nothing.`)
    if (condition.operator !== 'isAnyOf' && Array.isArray(condition.value)) {
      refuse(`Only isAnyOf takes a list ("${field.label}").`)
    }
  }
  const checkTarget = (target: Target): void => {
    if (target.action === 'redirect' && !isSafeRedirect(target.url)) {
      refuse(`"${target.url}" cannot be redirected to: use an https address.`)
    }
    if (target.action === 'message' && target.message.trim() === '') refuse('A message must say something.')
  }
  for (const { when, target } of form.rules) {
    checkCondition(when, 1)
    checkTarget(target)
  }
  checkTarget(form.fallback)
}

function isSafeRedirect(url: string): boolean {
  if (!isWebAddress(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
