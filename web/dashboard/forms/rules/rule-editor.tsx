import { useId } from 'react'
import type { RuleWarning } from '../../../../src/domain/forms/warnings.ts'
import { WarningIcon } from '../../../parts/icons.tsx'
import type { EventTypeView, FormView, RuleView } from '../../core/data/views.ts'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { Grip, MoveButtons } from '../../core/fields/ordered.tsx'
import { ArrowIcon, DownIcon } from '../../core/icons.tsx'
import { tell, words } from '../../words.ts'
import { ConditionEditor } from './condition-editor.tsx'
import { toTarget } from './draft-target.ts'
import { HostChoice } from './host-choice.tsx'
import { useHostAttributes } from './host-filter-editor.tsx'
import { hostSentence } from './host-sentence.ts'
import { warningText } from './rule-reason.ts'
import { ruleSentence } from './rule-sentence.ts'
import { TargetEditor } from './target-editor.tsx'

interface Props {
  readonly rule: RuleView
  readonly index: number
  readonly count: number
  readonly fields: FormView['fields']
  readonly eventTypes: readonly EventTypeView[]
  readonly open: boolean
  readonly warnings: readonly RuleWarning[]
  readonly dragged: boolean
  readonly offset: number
  readonly onToggle: () => void
  readonly onChange: (rule: RuleView) => void
  readonly onDragStart: (index: number, pointerId: number, y: number) => void
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

/** If these conditions match, then send the visitor there: a sentence, and the editor that it opens. */
export function RuleEditor(props: Props) {
  const { rule, index, count, fields, eventTypes, open, warnings, dragged, offset } = props
  const { onToggle, onChange, onDragStart, onMove, onRemove } = props
  const editor = useId()
  const name = tell(words.forms.ruleNumbered, { number: index + 1 })
  const path = `rules.${index}`
  const sentence = ruleSentence({ when: rule.when, target: toTarget(rule.target) }, fields, eventTypes)
  const { hosts } = rule.target
  const attributes = useHostAttributes(eventTypes.find(({ id }) => id === rule.target.eventTypeId))
  const change = (part: Partial<RuleView>) => onChange({ ...rule, ...part })
  return (
    <fieldset
      className="nested rule"
      aria-label={name}
      data-dragged={dragged || undefined}
      style={offset === 0 ? undefined : { transform: `translateY(${offset}px)` }}
    >
      <div className="rule-head">
        <Grip
          label={tell(words.forms.dragRule, { name })}
          onDragStart={(pointerId, y) => onDragStart(index, pointerId, y)}
          onStep={(step) => onMove(index + step)}
        />
        <h3>{name}</h3>
        <MoveButtons index={index} count={count} name={name} onMove={onMove} onRemove={onRemove} />
      </div>
      <button
        type="button"
        className="rule-sentence"
        aria-expanded={open}
        aria-controls={editor}
        onClick={onToggle}
      >
        <span>
          {sentence.conditions.map(({ text, strong }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their order
            strong ? <strong key={at}>{text}</strong> : <span key={at}>{text}</span>,
          )}{' '}
          <span className="sr-only">{words.forms.thenWord}</span>
          <ArrowIcon size={16} /> <strong>{sentence.target}</strong>
          {hosts !== undefined && ` · ${hostSentence(hosts, attributes, fields)}`}
        </span>
        <DownIcon size={16} />
      </button>
      {warnings.map((warning) => (
        <p key={warning.kind} className="warning small">
          <span className="icon">
            <WarningIcon size={16} />
          </span>
          <span>{warningText(warning)}</span>
        </p>
      ))}
      <div id={editor} className="rule-editor" hidden={!open}>
        {open && (
          <>
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
              fields={fields}
              onChange={(target) => change({ target })}
            />
            <HostChoice
              path={`${path}.target`}
              target={rule.target}
              eventTypes={eventTypes}
              onChange={(target) => change({ target })}
            />
          </>
        )}
      </div>
      <FieldError field={path} />
    </fieldset>
  )
}
