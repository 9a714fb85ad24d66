import { FieldError } from '../core/form-errors.tsx'
import { OrderButtons } from '../core/ordered.tsx'
import type { EventTypeView, FormView, RuleView } from '../core/views.ts'
import { words } from '../words.ts'
import { ConditionEditor } from './condition-editor.tsx'
import { TargetEditor } from './target-editor.tsx'

interface Props {
  readonly rules: readonly RuleView[]
  readonly index: number
  readonly fields: FormView['fields']
  readonly eventTypes: readonly EventTypeView[]
  readonly onChange: (rules: readonly RuleView[]) => void
}

/** If these conditions match, then send the visitor there. */
export function RuleEditor({ rules, index, fields, eventTypes, onChange }: Props) {
  const rule = rules[index] as RuleView
  const name = words.forms.ruleNumbered(index + 1)
  const path = `rules.${index}`
  const change = (part: Partial<RuleView>) => onChange(rules.with(index, { ...rule, ...part }))
  return (
    <fieldset className="nested" aria-label={name}>
      <OrderButtons items={rules} index={index} name={name} onChange={onChange} />
      <h3>{name}</h3>
      <ConditionEditor
        condition={rule.when}
        fields={fields}
        depth={1}
        name={name}
        path={`${path}.when`}
        onChange={(when) => change({ when })}
      />
      <TargetEditor
        path={`${path}.target`}
        target={rule.target}
        eventTypes={eventTypes}
        onChange={(target) => change({ target })}
      />
      <FieldError field={path} />
    </fieldset>
  )
}
