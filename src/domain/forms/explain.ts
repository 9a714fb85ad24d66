import {
  type Answers,
  answerTo,
  type Condition,
  type FormField,
  findRoute,
  isUsable,
  type Leaf,
  matches,
  type RoutingForm,
  type Rule,
  type Target,
} from './routing.ts'

/** The first comparison that kept a rule from matching. */
interface FailedCondition {
  /** Where it stands in the rule, such as `when.all.0.any.1`. */
  readonly path: string
  readonly condition: Condition
}

/** What became of one rule. */
interface ExplainedRule {
  readonly matched: boolean
  readonly failed: FailedCondition | null
  readonly reason: string
}

export interface ExplainedRoute {
  readonly target: Target
  /** The index of the rule that decided, or null for the fallback. */
  readonly rule: number | null
  readonly rules: readonly ExplainedRule[]
}

type Explained = Pick<RoutingForm, 'fields' | 'rules' | 'fallback'>

/** Where the answers lead, and why: what became of each rule. */
export function explainRoute(
  form: Explained,
  answers: Answers,
  isRoutable: (eventTypeId: string) => boolean,
): ExplainedRoute {
  const { rule: fired, target } = findRoute(form, answers, isRoutable)
  const explain = (rule: Rule, index: number): ExplainedRule => {
    const failure = findFailure(rule.when, answers, 'when', false)
    if (failure !== undefined) {
      const { path, condition, alternatives } = failure
      const sentence = describeFailure(condition, form.fields, answers)
      const reason = alternatives ? `No alternative matched. The first: ${sentence}` : sentence
      return { matched: false, failed: { path, condition }, reason }
    }
    const matched = (reason: string) => ({ matched: true, failed: null, reason })
    if (index === fired) return matched('Matched.')
    return isUsable(rule.target, isRoutable)
      ? matched(`Matched, but rule ${fired + 1} comes first.`)
      : matched('Matched, but skipped: its event type is hidden or deleted.')
  }
  return { target, rule: fired < 0 ? null : fired, rules: form.rules.map(explain) }
}

interface Failure extends FailedCondition {
  /** Whether any other condition could have matched instead. */
  readonly alternatives: boolean
}

function findFailure(
  condition: Condition,
  answers: Answers,
  path: string,
  alternatives: boolean,
): Failure | undefined {
  if (matches(condition, answers)) return undefined
  if ('all' in condition) {
    const index = condition.all.findIndex((part) => !matches(part, answers))
    return findFailure(condition.all[index] as Condition, answers, `${path}.all.${index}`, alternatives)
  }
  const [first, ...others] = 'any' in condition ? condition.any : []
  if (first === undefined) return { path, condition, alternatives }
  return findFailure(first, answers, `${path}.any.0`, alternatives || others.length > 0)
}

function describeFailure(condition: Condition, fields: readonly FormField[], answers: Answers): string {
  if (!('field' in condition)) return 'The rule has no condition that could match.'
  const field = fields.find(({ id }) => id === condition.field)
  const label = quote(field?.label || condition.field)
  const wanted = valuesOf(condition)
    .map((value) => quote(labelOf(field, value)))
    .join(', ')
  const given = [answerTo(condition.field, answers) ?? []].flat().map((one) => String(one).trim())
  const shown = given.filter((one) => one !== '').map((one) => quote(labelOf(field, one)))
  const is = shown.length > 0 ? `is ${shown.join(', ')}` : 'is empty'
  switch (condition.operator) {
    case 'equals':
      return `${label} ${is}, not ${wanted}.`
    case 'notEquals':
      return `${label} is ${wanted}.`
    case 'contains':
      return `${label} ${is}, which does not contain ${wanted}.`
    case 'notContains':
      return `${label} ${is}, which contains ${wanted}.`
    case 'startsWith':
      return `${label} ${is}, which does not start with ${wanted}.`
    case 'endsWith':
      return `${label} ${is}, which does not end with ${wanted}.`
    case 'isEmpty':
      return `${label} ${is}, but has to be empty.`
    case 'isNotEmpty':
      return `${label} is empty.`
    case 'isAnyOf':
      return `${label} ${is}, not one of ${wanted}.`
    case 'isOnlyOf':
      return `${label} ${is}, not only ${wanted}.`
    case 'lessThan':
      return `${label} ${is}, not less than ${wanted}.`
    case 'atMost':
      return `${label} ${is}, not at most ${wanted}.`
    case 'greaterThan':
      return `${label} ${is}, not greater than ${wanted}.`
    case 'atLeast':
      return `${label} ${is}, not at least ${wanted}.`
  }
}

const valuesOf = ({ value }: Leaf): readonly string[] => [value ?? []].flat().map(String)

/** Choices by their label, which is what visitors see. */
const labelOf = (field: FormField | undefined, value: string) =>
  field?.options.find(({ id }) => id === value)?.label || value

const LONGEST_QUOTE = 80

function quote(text: string): string {
  return text.length > LONGEST_QUOTE ? `"${text.slice(0, LONGEST_QUOTE).toWellFormed()}…"` : `"${text}"`
}
