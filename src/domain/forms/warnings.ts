import { comparable } from '../text.ts'
import { type Condition, compare, type FormField, isUsable, type Leaf, type RoutingForm } from './routing.ts'
import { type Budget, type Formula, GivenUp, isSatisfiable, negate, spend } from './satisfiable.ts'

export const WARNING_KINDS = ['never', 'shadowed'] as const

/** A rule that can't decide anything: no answers match it, or rules before it match whenever it does. */
export interface RuleWarning {
  /** The index of the rule. */
  readonly rule: number
  readonly kind: (typeof WARNING_KINDS)[number]
  /** The rules that shadow it, none of which can be left out; empty for `never`. */
  readonly by: readonly number[]
  readonly sentence: string
}

type Warned = Pick<RoutingForm, 'fields' | 'rules'>

/** Steps of the solver, about 0.1 s. What they don't suffice for gets no warning. */
const MOST_WORK = 600_000
/** One hard question must not use up what all others need. */
const MOST_WORK_EACH = 40_000

/** What the solver may do for one request, however many forms it is about. */
export const newBudget = (): Budget => ({ left: MOST_WORK })

/**
 * The rules that never decide, whatever a visitor answers.
 *
 * Exact for selects and numbers. For text it never warns wrongly, but does not know what email addresses and phone
 * numbers look like. Rules whose event type isn't routable are skipped, so they shadow nothing.
 */
export function findRuleWarnings(
  { fields, rules }: Warned,
  isRoutable: (eventTypeId: string) => boolean,
  budget = newBudget(),
): RuleWarning[] {
  const conditions = rules.map(({ when }) => when)
  const model = giveUpLate(() => modelOf(fields, conditions, budget))
  if (model === undefined) return []
  const { domains, facts, formulas } = model
  const opposites = formulas.map((formula) => negate(formula, domains))
  /** Whether rule `index` can match while these others don't; undefined if that takes too long. */
  const canMatch = (index: number, others: readonly number[]): boolean | undefined => {
    const each = { left: Math.min(budget.left, MOST_WORK_EACH) }
    const before = each.left
    const asked = [
      ...facts,
      ...others.map((other) => opposites[other] as Formula),
      formulas[index] as Formula,
    ]
    const answer = giveUpLate(() => isSatisfiable(asked, domains, each))
    budget.left -= before - Math.max(each.left, 0)
    return answer
  }
  const warnings: RuleWarning[] = []
  let before: readonly number[] = []
  for (const [rule, { target }] of rules.entries()) {
    if (canMatch(rule, []) === false) {
      const sentence = `Rule ${rule + 1} can never match: no answers fulfil its conditions.`
      warnings.push({ rule, kind: 'never', by: [], sentence })
      continue
    }
    if (canMatch(rule, before) === false) {
      const by = fewest(before, (others) => canMatch(rule, others) === false)
      const sentence = `Rule ${rule + 1} never decides: whenever it matches, rule ${listed(by)} comes first.`
      warnings.push({ rule, kind: 'shadowed', by, sentence })
    } else if (isUsable(target, isRoutable)) before = [...before, rule]
  }
  return warnings
}

/** Numbers of rules as people write them: 1, 2 or 3. */
function listed(rules: readonly number[]): string {
  const names = rules.map((rule) => `${rule + 1}`)
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ')
}

/** A subset that still suffices and from which nothing can be left out: one alone, if there is one. */
function fewest(all: readonly number[], suffice: (some: readonly number[]) => boolean): readonly number[] {
  const alone = all.find((one) => suffice([one]))
  if (alone !== undefined) return [alone]
  let needed = all
  for (const one of all) {
    const others = needed.filter((other) => other !== one)
    if (suffice(others)) needed = others
  }
  return needed
}

function giveUpLate<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof GivenUp) return undefined
    throw error
  }
}

/** What visitors can answer, as variables with finitely many values. */
interface Model {
  readonly domains: readonly bigint[]
  /** What holds for all answers. */
  readonly facts: readonly Formula[]
  /** One for each condition. */
  readonly formulas: readonly Formula[]
}

function modelOf(fields: readonly FormField[], conditions: readonly Condition[], budget: Budget): Model {
  const domains: bigint[] = []
  const facts: Formula[] = []
  const addVariable = (size: number) => domains.push((1n << BigInt(size)) - 1n) - 1
  const leaves = Map.groupBy(conditions.flatMap(leavesOf), ({ field }) => field)
  const translations = new Map<string, (leaf: Leaf) => Formula>()
  for (const [id, about] of leaves) {
    const field = fields.find((one) => one.id === id)
    const translate =
      field?.type === 'select'
        ? modelSelect(field, addVariable, budget)
        : field?.type === 'multiselect'
          ? modelMultiselect(field, addVariable, facts)
          : field?.type === 'number'
            ? modelNumber(field, about, addVariable, budget)
            : modelText(field?.required ?? false, about, addVariable, facts, budget)
    translations.set(id, translate)
  }
  const toFormula = (condition: Condition): Formula => {
    if ('all' in condition) return { all: condition.all.map(toFormula) }
    if ('any' in condition) return { any: condition.any.map(toFormula) }
    return translations.get(condition.field)?.(condition) ?? { any: [] }
  }
  return { domains, facts, formulas: conditions.map(toFormula) }
}

const leavesOf = (condition: Condition): readonly Leaf[] => {
  if ('all' in condition) return condition.all.flatMap(leavesOf)
  if ('any' in condition) return condition.any.flatMap(leavesOf)
  return [condition]
}

/** The values at which this holds. */
function maskOf<T>(values: readonly T[], holds: (value: T) => boolean, budget: Budget): bigint {
  spend(budget, values.length)
  return values.reduce((mask, value, index) => (holds(value) ? mask | (1n << BigInt(index)) : mask), 0n)
}

type AddVariable = (size: number) => number

/** One variable: the chosen option, or none. */
function modelSelect({ options, required }: FormField, addVariable: AddVariable, budget: Budget) {
  const answers = [...options.map(({ id }) => comparable(id)), ...(required ? [] : [''])]
  const variable = addVariable(answers.length)
  return (leaf: Leaf): Formula => ({
    variable,
    values: maskOf(answers, (answer) => compare(leaf, answer), budget),
  })
}

/** One variable for each option: whether it is chosen. */
function modelMultiselect({ options, required }: FormField, addVariable: AddVariable, facts: Formula[]) {
  const chosen = new Map(options.map(({ id }) => [comparable(id), addVariable(2)] as const))
  const one = (id: string, values: bigint): Formula[] => {
    const variable = chosen.get(id)
    return variable === undefined ? [] : [{ variable, values }]
  }
  const someOf = (ids: readonly string[]): Formula => ({ any: ids.flatMap((id) => one(id, 2n)) })
  const noneOf = (ids: readonly string[]): Formula => ({ all: ids.flatMap((id) => one(id, 1n)) })
  const all = [...chosen.keys()]
  if (required) facts.push(someOf(all))
  return ({ operator, value }: Leaf): Formula => {
    const wanted = [value ?? []].flat().map(comparable)
    if (operator === 'isEmpty') return noneOf(all)
    if (operator === 'isNotEmpty') return someOf(all)
    if (operator === 'notContains') return noneOf(wanted)
    if (operator !== 'isOnlyOf') return someOf(wanted)
    return { all: [someOf(wanted), noneOf(all.filter((id) => !wanted.includes(id)))] }
  }
}

/** One variable: one of the numbers that rules compare with, something between two of them, or nothing. */
function modelNumber(
  { required }: FormField,
  leaves: readonly Leaf[],
  addVariable: AddVariable,
  budget: Budget,
) {
  const points = leaves.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  const sorted = [...new Set(points)].sort((a, b) => a - b)
  const around = sorted.flatMap((point, index) => [point, point / 2 + (sorted[index + 1] ?? Infinity) / 2])
  const answers = [...(required ? [] : ['']), ...[-Infinity, ...around].map(String)]
  const variable = addVariable(answers.length)
  return (leaf: Leaf): Formula => ({
    variable,
    values: maskOf(answers, (answer) => compare(leaf, answer), budget),
  })
}

/**
 * Four kinds of variables: which of the texts that rules compare with the whole answer is, if any; how
 * it begins; how it ends; and for each text that rules search, whether it is in it.
 *
 * The others only count where the whole is none of the known texts.
 */
function modelText(
  required: boolean,
  leaves: readonly Leaf[],
  addVariable: AddVariable,
  facts: Formula[],
  budget: Budget,
) {
  const valuesOf = (...operators: readonly Leaf['operator'][]) => {
    const some = leaves.filter(({ operator }) => operators.includes(operator))
    const texts = some.flatMap(({ operator, value }) => (operator === 'isAnyOf' ? [value].flat() : [value]))
    return [...new Set(texts.map(comparable))]
  }
  const known = new Set(['', ...valuesOf('equals', 'notEquals', 'isAnyOf')])
  if (required) known.delete('')
  const points = [...known]
  const whole = addVariable(points.length + 1)
  const another: Formula = { variable: whole, values: 1n << BigInt(points.length) }
  // An answer has one longest beginning among these, and so begins with all shorter ones that this begins with.
  const starts = [...new Set(['', ...valuesOf('startsWith')])]
  const start = addVariable(starts.length)
  const ends = [...new Set(['', ...valuesOf('endsWith')])]
  const end = addVariable(ends.length)
  const searched = new Map(valuesOf('contains', 'notContains').map((text) => [text, addVariable(2)] as const))
  const NO = 1n
  const YES = 2n
  const ALL = (size: number) => (1n << BigInt(size)) - 1n
  for (const [text, variable] of searched) {
    const found: Formula = { variable, values: YES }
    const implies = (other: number, size: number, values: bigint) => {
      if (values !== 0n) facts.push({ any: [found, { variable: other, values: ALL(size) & ~values }] })
    }
    const includesText = (other: string) => other.includes(text)
    implies(start, starts.length, maskOf(starts, includesText, budget))
    implies(end, ends.length, maskOf(ends, includesText, budget))
    spend(budget, searched.size)
    for (const [other, otherVariable] of searched) {
      if (other !== text && includesText(other)) implies(otherVariable, 2, YES)
    }
  }
  /** What a comparison means for an answer that is none of the known texts. */
  const elsewhere = ({ operator, value }: Leaf): Formula => {
    const text = comparable(value)
    switch (operator) {
      case 'equals':
      case 'isAnyOf':
      case 'isEmpty':
        return { any: [] }
      case 'notEquals':
      case 'isNotEmpty':
        return { all: [] }
      case 'startsWith':
        return { variable: start, values: maskOf(starts, (one) => one.startsWith(text), budget) }
      case 'endsWith':
        return { variable: end, values: maskOf(ends, (one) => one.endsWith(text), budget) }
      case 'contains':
      case 'notContains':
        return { variable: searched.get(text) ?? 0, values: operator === 'contains' ? YES : NO }
      default:
        return { any: [] }
    }
  }
  return (leaf: Leaf): Formula => ({
    any: [
      { variable: whole, values: maskOf(points, (point) => compare(leaf, point), budget) },
      { all: [another, elsewhere(leaf)] },
    ],
  })
}
