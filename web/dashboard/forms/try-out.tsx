import { useState } from 'react'
import { explainRoute } from '../../../src/domain/forms/explain.ts'
import { canRouteTo, findAnswerProblem } from '../../../src/domain/forms/routing.ts'
import { Button } from '../core/buttons.tsx'
import { sayRefusal } from '../core/data/refusals.ts'
import type { EventTypeView, FormTestView, FormView } from '../core/data/views.ts'
import { Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'
import { AnswerInput, type GivenAnswer } from './answer-input.tsx'
import { describeTarget, nextTestName, toRouted, toTargetView } from './rules/draft-target.ts'
import { ruleReasons } from './rules/rule-reason.ts'

interface Props {
  readonly form: FormView
  readonly eventTypes: readonly EventTypeView[]
  readonly onAddTest: (test: FormTestView) => void
}

/** Shows where answers lead and why, by the same code that routes visitors. The rules needn't be saved. */
export function TryOut({ form, eventTypes, onAddTest }: Props) {
  const [answers, setAnswers] = useState<Readonly<Record<string, GivenAnswer>>>({})
  const f = words.forms
  const routable = new Set(eventTypes.filter(canRouteTo).map(({ id }) => id))
  const routed = toRouted(form)
  const isRoutable = (id: string) => routable.has(id)
  const explained = explainRoute(routed, answers, isRoutable)
  const { target, rule } = explained
  const reasons = ruleReasons(routed, answers, isRoutable, explained)
  const problem = findAnswerProblem(form.fields, answers)
  const given = () => {
    const asked = form.fields.map(({ id }) => [id, answers[id] ?? ''] as const)
    return Object.fromEntries(asked.filter(([, answer]) => answer.length > 0))
  }
  return (
    <Section title={f.tryOut} hint={f.tryOutHint}>
      {form.fields.map((field, index) => (
        <AnswerInput
          key={field.id}
          field={field}
          label={field.label || tell(f.fieldNumbered, { number: index + 1 })}
          value={answers[field.id] ?? ''}
          onChange={(answer) => setAnswers({ ...answers, [field.id]: answer })}
        />
      ))}
      <div className="nested result" role="status">
        {problem === undefined ? (
          <>
            <p className="muted small">
              {rule === null ? f.byFallback : tell(f.byRule, { number: rule + 1 })}
            </p>
            <strong>{describeTarget(target, eventTypes)}</strong>
          </>
        ) : (
          // No rule decides about what can't be sent: it would contradict what is said about rules that never match.
          <p>{tell(f.notSent, { reason: sayRefusal(problem) })}</p>
        )}
      </div>
      {problem === undefined && reasons.length > 0 && (
        <details className="why">
          <summary>{f.why}</summary>
          <ol>
            {reasons.map((reason, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their order
              <li key={index}>
                <strong>{tell(f.ruleNumbered, { number: index + 1 })}</strong> {reason}
              </li>
            ))}
          </ol>
        </details>
      )}
      {problem === undefined && form.fields.length > 0 && (
        <div>
          <Button
            small
            onPress={() =>
              onAddTest({
                name: nextTestName(form.tests),
                answers: given(),
                expect: toTargetView(target),
              })
            }
          >
            {f.saveAsTest}
          </Button>
        </div>
      )}
    </Section>
  )
}
