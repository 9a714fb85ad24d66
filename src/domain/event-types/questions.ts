import { isEmail, isPhone, isWebAddress } from '../people/contact.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { isLine, isProse } from '../text.ts'

export const QUESTION_TYPES = [
  'text',
  'textarea',
  'select',
  'radio',
  'multiselect',
  'checkbox',
  'number',
  'phone',
  'email',
  'url',
] as const

const CHOICES: ReadonlySet<string> = new Set(['select', 'radio', 'multiselect'])

/** Whether answers of this type are among given options. */
export const isChoice = (type: string): boolean => CHOICES.has(type)

/** A field of the booking form that the host has added. */
export interface Question {
  readonly key: string
  readonly label: string
  readonly type: (typeof QUESTION_TYPES)[number]
  readonly required: boolean
  /** Choices of a `select`, `radio` or `multiselect`; empty for every other type. */
  readonly options: readonly string[]
  /** Links and embeds answer it; guests don't see it. */
  readonly hidden?: boolean
}

export type CustomFields = Readonly<Record<string, unknown>>

/** An answer with its question. */
export interface Answer {
  readonly label: string
  /** A number as it is written; `true` or `false` for a checkbox; several choices with commas between them. */
  readonly value: string
  readonly isTick: boolean
}

/** The answers to these questions, in their order, without empty ones. */
export const answersTo = (questions: readonly Question[], given: CustomFields): Answer[] =>
  questions.flatMap(({ key, label }) => answerTo(label, Object.hasOwn(given, key) ? given[key] : ''))

/** The answers to what is not among these questions: one that was deleted has only its key. */
export function otherAnswers(questions: readonly Question[], given: CustomFields): Answer[] {
  const asked = new Set(questions.map(({ key }) => key))
  return Object.entries(given).flatMap(([key, answer]) => (asked.has(key) ? [] : answerTo(key, answer)))
}

function answerTo(label: string, answer: unknown): Answer[] {
  if (answer === null || answer === undefined) return []
  const value = writeAnswer(answer)
  return value === '' ? [] : [{ label, value, isTick: typeof answer === 'boolean' }]
}

/** An answer as text. Guests may send any JSON for what isn't asked. */
export function writeAnswer(answer: unknown): string {
  if (Array.isArray(answer) && answer.every((one) => typeof one === 'string')) return answer.join(', ')
  return typeof answer === 'object' ? JSON.stringify(answer) : String(answer)
}

/** The longest answer to any question, in characters. */
export const MAX_ANSWER = 5000

/** Throws `invalid`, naming the question's label, if a required answer is missing or an answer doesn't fit. */
export function checkAnswers(questions: readonly Question[], answers: CustomFields): void {
  for (const question of questions) {
    const answer = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined
    if (isBlank(question, answer)) {
      if (question.required) throw new Problem('invalid', sentence`"${question.label}" is required.`)
      continue
    }
    const mismatch = findMismatch(question, answer)
    if (mismatch !== undefined) throw new Problem('invalid', mismatch)
  }
}

function isBlank({ type }: Question, answer: unknown): boolean {
  // An unchecked box counts as no answer: a required checkbox must be checked.
  if (answer === undefined || answer === null || (type === 'checkbox' && answer === false)) return true
  if (type === 'multiselect' && Array.isArray(answer)) return answer.length === 0
  return typeof answer === 'string' && answer.trim() === ''
}

/** What the answer must be, or undefined if it fits. */
function findMismatch({ label, type, options }: Question, answer: unknown): Sentence | undefined {
  if (type === 'checkbox') return answer === true ? undefined : sentence`"${label}" must be true or false.`
  if (type === 'number') {
    const number = typeof answer === 'string' ? Number(answer) : answer
    if (typeof number === 'number' && Number.isFinite(number)) return undefined
    return sentence`"${label}" must be a number.`
  }
  if (type === 'multiselect') {
    if (Array.isArray(answer) && answer.every((one) => options.includes(one))) return undefined
    return sentence`"${label}" must be a list with some of ${options}.`
  }
  if (typeof answer !== 'string') return sentence`"${label}" must be text.`
  if (answer.length > MAX_ANSWER) return sentence`"${label}" must be at most ${MAX_ANSWER} characters.`
  if (type === 'textarea') {
    return isProse(answer) ? undefined : sentence`"${label}" must be text without control characters.`
  }
  if (!isLine(answer)) return sentence`"${label}" must be one line of text without control characters.`
  switch (type) {
    case 'select':
    case 'radio':
      return options.includes(answer) ? undefined : sentence`"${label}" must be one of ${options}.`
    case 'email':
      return isEmail(answer.trim()) ? undefined : sentence`"${label}" must be an email address.`
    case 'phone':
      return isPhone(answer.trim()) ? undefined : sentence`"${label}" must be a phone number.`
    case 'url':
      if (isWebAddress(answer.trim())) return undefined
      return sentence`"${label}" must be a web address that begins with https:// or http://.`
    case 'text':
      return undefined
  }
}

/** Throws `invalid` with the reason if these questions can't be asked. */
export function checkQuestions(questions: readonly Question[]): void {
  const keys = new Set<string>()
  for (const [index, { key, label, type, required, options, hidden }] of questions.entries()) {
    const at = `questions.${index}`
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(key)) {
      throw invalidField(
        `${at}.key`,
        sentence`{field} must begin with a letter, and contain only letters, digits, _ and -.`,
      )
    }
    if (keys.has(key)) {
      throw new Problem('invalid', sentence`Two questions have the key "${key}".`, { field: `${at}.key` })
    }
    keys.add(key)
    if (label.trim() === '') throw invalidField(`${at}.label`, sentence`{field} must not be empty.`)
    if (hidden && required) {
      throw new Problem('invalid', sentence`A hidden question can’t be required: guests don’t see it.`, {
        field: `${at}.required`,
      })
    }
    if (isChoice(type) && options.length === 0) {
      throw new Problem('invalid', sentence`"${label}" needs at least one option.`, {
        field: `${at}.options`,
      })
    }
  }
}
