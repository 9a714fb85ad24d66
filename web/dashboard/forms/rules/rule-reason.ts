import type { ExplainedRoute } from '../../../../src/domain/forms/explain.ts'
import { answerTo, type Condition, isUsable, type RoutingForm } from '../../../../src/domain/forms/routing.ts'
import type { RuleWarning } from '../../../../src/domain/forms/warnings.ts'
import { anyOf, list, tell, words } from '../../words.ts'
import { conditionText, valueText } from './rule-sentence.ts'

/** What became of each rule, given these answers. */
export function ruleReasons(
  { fields, rules }: Pick<RoutingForm, 'fields' | 'rules'>,
  answers: Readonly<Record<string, string | readonly string[]>>,
  isRoutable: (eventTypeId: string) => boolean,
  explained: ExplainedRoute,
): readonly string[] {
  const r = words.forms.reasons
  return rules.map(({ when, target }, index) => {
    const failed = explained.rules[index]?.failed ?? null
    if (failed === null) {
      if (index === explained.rule) return r.matched
      const late = isUsable(target, isRoutable) && explained.rule !== null
      return late ? tell(r.comesFirst, { rule: (explained.rule ?? 0) + 1 }) : r.skipped
    }
    const { condition, path } = failed
    if (!('field' in condition)) return r.noCondition
    const given = [answerTo(condition.field, answers) ?? []].flat().map((one) => String(one).trim())
    const field = fields.find(({ id }) => id === condition.field)
    const text = conditionText(condition, fields)
    const reason =
      given.join('') === ''
        ? tell(r.unanswered, { condition: text })
        : tell(r.failed, { condition: text, answer: list(given.map((one) => valueText(one, field))) })
    return hasAlternatives(when, path) ? tell(r.alternatives, { reason }) : reason
  })
}

/** Whether another condition than the one at this path could have matched instead. */
function hasAlternatives(when: Condition, path: string): boolean {
  let here: Condition | undefined = when
  for (const step of path.matchAll(/\.(?:all|any)\.(\d+)/g)) {
    if (here === undefined || 'field' in here) return false
    if ('any' in here && here.any.length > 1) return true
    here = ('any' in here ? here.any : here.all)[Number(step[1])]
  }
  return false
}

/** Why a rule never decides. */
export function warningText({ rule, kind, by }: RuleWarning): string {
  const w = words.forms.warnings
  if (kind === 'never') return tell(w.never, { rule: rule + 1 })
  return tell(w.shadowed, { rule: rule + 1, others: anyOf(by.map((one) => `${one + 1}`)) })
}
