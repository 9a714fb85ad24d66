import type { Answers, FormField } from '../forms/routing.ts'
import { comparable } from '../text.ts'

/** An address has no more than that. */
const MOST_GIVEN = 200

/**
 * The answers to a form that an address of Cal.com's router gives, by its fields' identifiers: `?form=…&company-size=11-50`.
 *
 * Fields are known by their id or what is asked, choices by their id or what they say; neither by its spelling.
 */
export function routerAnswers(
  fields: readonly FormField[],
  query: readonly (readonly [string, string])[],
): Answers {
  const given = new Map<string, string[]>()
  for (const [name, value] of query.slice(0, MOST_GIVEN)) {
    const key = nameKey(name)
    given.set(key, [...(given.get(key) ?? []), value])
  }
  const answers: Record<string, unknown> = {}
  for (const field of fields) {
    const values = given.get(nameKey(field.id)) ?? given.get(nameKey(field.label)) ?? []
    const answer = answerOf(field, values)
    if (answer !== undefined) answers[field.id] = answer
  }
  return answers
}

/** Identifiers there may be anything; ids here are made of them. */
const nameKey = (name: string) =>
  comparable(name)
    .replace(/\[\]$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function answerOf({ type, options }: FormField, values: readonly string[]): unknown {
  const [first] = values
  if (first === undefined || first === '') return undefined
  const chosen = (value: string) =>
    options.find(({ id }) => id === value)?.id ??
    options.find(({ label }) => comparable(label) === comparable(value))?.id ??
    value
  if (type === 'select') return chosen(first)
  if (type !== 'multiselect') return first
  // Several values, or one with commas: both are in use.
  const listed =
    values.length > 1 || options.some((option) => option.id === chosen(first)) ? values : first.split(',')
  return [...new Set(listed.map((value) => chosen(value.trim())))]
}
