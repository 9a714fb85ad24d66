/** A formula over variables that each have one of a few values. A set of values is a bit mask. */
export type Formula = Literal | { readonly all: readonly Formula[] } | { readonly any: readonly Formula[] }

interface Literal {
  readonly variable: number
  readonly values: bigint
}

/** Work that may still be done. The problem is NP-complete, so hostile formulas must be given up. */
export interface Budget {
  left: number
}

/** Thrown when a budget is used up. */
export class GivenUp extends Error {}

/** Takes work from a budget; throws `GivenUp` if there is too little left. */
export function spend(budget: Budget, work: number): void {
  budget.left -= work
  if (budget.left < 0) throw new GivenUp()
}

/** The opposite of a formula, where `domains` are the values that each variable can have. */
export function negate(formula: Formula, domains: readonly bigint[]): Formula {
  if ('all' in formula) return { any: formula.all.map((part) => negate(part, domains)) }
  if ('any' in formula) return { all: formula.any.map((part) => negate(part, domains)) }
  const { variable, values } = formula
  return { variable, values: (domains[variable] ?? 0n) & ~values }
}

/**
 * Whether some choice of values fulfils all formulas.
 *
 * Narrows the domains by what must hold. If something is left to decide, it guesses; if the guess
 * is wrong, it splits the domain of one variable and tries both parts. Exact, unless it throws `GivenUp`.
 */
export function isSatisfiable(
  formulas: readonly Formula[],
  domains: readonly bigint[],
  budget: Budget,
): boolean {
  const narrowed = [...domains]
  const open = narrow(formulas, narrowed, budget)
  if (open === undefined) return false
  const mentioned = literalsOf(open, narrowed)
  const guess = [...narrowed]
  for (const [variable, masks] of mentioned) guess[variable] = promisingValues(masks)
  if (open.every((formula) => truthOf(formula, guess, budget) === true)) return true
  const [variable] = [...mentioned].reduce((one, other) => (other[1].length > one[1].length ? other : one))
  const values = guess[variable] as bigint
  const rest = (narrowed[variable] as bigint) & ~values
  return (
    isSatisfiable(open, narrowed.with(variable, values), budget) ||
    isSatisfiable(open, narrowed.with(variable, rest), budget)
  )
}

/** What is said about each variable that makes a difference. */
function literalsOf(formulas: readonly Formula[], domains: readonly bigint[]): Map<number, bigint[]> {
  const mentioned = new Map<number, bigint[]>()
  const collect = (formula: Formula) => {
    if ('variable' in formula) {
      const domain = domains[formula.variable] ?? 0n
      const common = domain & formula.values
      if (common === 0n || common === domain) return
      const known = mentioned.get(formula.variable)
      if (known === undefined) mentioned.set(formula.variable, [common])
      else known.push(common)
    } else {
      for (const part of 'all' in formula ? formula.all : formula.any) collect(part)
    }
  }
  for (const formula of formulas) collect(formula)
  return mentioned
}

/** Values that fulfil the first of these, and as many others as they can. */
const promisingValues = (masks: readonly bigint[]) => masks.reduce((chosen, mask) => chosen & mask || chosen)

type Alternatives = Extract<Formula, { readonly any: unknown }>

/** Removes impossible values from the domains. Returns what is left to decide, or undefined for a contradiction. */
function narrow(
  formulas: readonly Formula[],
  domains: bigint[],
  budget: Budget,
): readonly Alternatives[] | undefined {
  let work = [...formulas]
  for (;;) {
    let narrowed = false
    const open: Alternatives[] = []
    for (let formula = work.pop(); formula !== undefined; formula = work.pop()) {
      spend(budget, 1)
      if ('all' in formula) work.push(...formula.all)
      else if ('any' in formula) {
        const parts = possibleParts(formula, domains, budget)
        if (parts === undefined) continue
        const [only] = parts
        if (only === undefined) return undefined
        if (parts.length === 1) work.push(only)
        else open.push({ any: parts })
      } else {
        const before = domains[formula.variable] ?? 0n
        const after = before & formula.values
        if (after === 0n) return undefined
        narrowed ||= after !== before
        domains[formula.variable] = after
      }
    }
    if (!narrowed) return open
    work = open
  }
}

/** The alternatives that can still hold, those about the same variable as one; undefined if one of them holds anyway. */
function possibleParts(
  { any }: Alternatives,
  domains: readonly bigint[],
  budget: Budget,
): Formula[] | undefined {
  const parts: Formula[] = []
  for (const part of any) {
    const truth = truthOf(part, domains, budget)
    if (truth === true) return undefined
    if (truth === false) continue
    const same = 'variable' in part ? parts.findIndex((one) => isAbout(part.variable, one)) : -1
    if (same < 0) parts.push(part)
    else {
      const merged = union(parts[same] as Literal, part as Literal)
      if (truthOf(merged, domains, budget) === true) return undefined
      parts[same] = merged
    }
  }
  return parts
}

const isAbout = (variable: number, formula: Formula) => 'variable' in formula && formula.variable === variable

const union = ({ variable, values }: Literal, other: Literal): Literal => ({
  variable,
  values: values | other.values,
})

/** Whether a formula holds whatever is chosen from the domains, or never; otherwise undefined. */
function truthOf(formula: Formula, domains: readonly bigint[], budget: Budget): boolean | undefined {
  spend(budget, 1)
  if ('variable' in formula) {
    const domain = domains[formula.variable] ?? 0n
    const common = domain & formula.values
    return common === 0n ? false : common === domain ? true : undefined
  }
  const [parts, decisive] = 'all' in formula ? [formula.all, false] : [formula.any, true]
  let open = false
  for (const part of parts) {
    const truth = truthOf(part, domains, budget)
    if (truth === decisive) return decisive
    open ||= truth === undefined
  }
  return open ? undefined : !decisive
}
