import {
  type Condition,
  type FormField,
  type Leaf,
  OPERATORS,
  type Operator,
} from '../../../src/domain/forms/routing.ts'
import { Select, TextArea, TextInput, Ticks } from '../core/controls.tsx'
import { CrossIcon, PlusIcon } from '../core/icons.tsx'
import { OrderButtons } from '../core/ordered.tsx'
import type { EventTypeView, RuleView } from '../core/views.ts'
import { words } from '../words.ts'
import { TargetEditor } from './target-editor.tsx'

interface Props {
  readonly rules: readonly RuleView[]
  readonly index: number
  readonly fields: readonly FormField[]
  readonly eventTypes: readonly EventTypeView[]
  readonly onChange: (rules: readonly RuleView[]) => void
}

/** When these answers are given, then go there. */
export function RuleEditor({ rules, index, fields, eventTypes, onChange }: Props) {
  const f = words.forms
  const rule = rules[index] as RuleView
  const named = f.ruleNumbered(index + 1)
  const change = (part: Partial<RuleView>) => onChange(rules.with(index, { ...rule, ...part }))
  return (
    <fieldset className="nested" aria-label={named}>
      <OrderButtons items={rules} index={index} named={named} onChange={onChange} />
      <h3 className="m-0 text-base font-semibold">{named}</h3>
      <ConditionEditor
        condition={rule.when}
        fields={fields}
        depth={1}
        name={named}
        onChange={(when) => change({ when })}
      />
      <TargetEditor
        name={named}
        target={rule.target}
        eventTypes={eventTypes}
        onChange={(target) => change({ target })}
      />
    </fieldset>
  )
}

const MOST_DEPTH = 8

interface ConditionProps {
  readonly condition: Condition
  readonly fields: readonly FormField[]
  readonly depth: number
  readonly name: string
  readonly onChange: (condition: Condition) => void
}

const partsOf = (condition: Condition): readonly Condition[] =>
  'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition]

/** A tree: groups in which all or any of the conditions must hold. */
function ConditionEditor({ condition, fields, depth, name, onChange }: ConditionProps) {
  const f = words.forms
  // A rule that is one comparison is shown as a group of one, so that another can be added.
  const kind = 'any' in condition ? 'any' : 'all'
  const parts = partsOf(condition)
  const build = (chosen: 'all' | 'any', next: readonly Condition[]): Condition =>
    chosen === 'all' ? { all: next } : { any: next }
  const replace = (index: number, part: Condition) =>
    onChange(
      build(
        kind,
        parts.map((one, at) => (at === index ? part : one)),
      ),
    )
  const remove = (index: number) =>
    onChange(
      build(
        kind,
        parts.filter((_, at) => at !== index),
      ),
    )
  const [field] = fields
  const fresh: Leaf = { field: field?.id ?? '', operator: 'equals', value: field?.options[0]?.id ?? '' }
  return (
    <div className="tree" data-kind={kind}>
      <div className="max-w-xs">
        <Select
          label={depth === 1 ? f.when : f.group}
          hideLabel={depth > 1}
          value={kind}
          options={[
            { id: 'all', label: f.all },
            { id: 'any', label: f.any },
          ]}
          onChange={(chosen) => onChange(build(chosen === 'any' ? 'any' : 'all', parts))}
        />
      </div>
      <ul className="tree-parts">
        {parts.map((part, index) => {
          const named = f.conditionNumbered(name, index + 1)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions are known by their order alone
            <li key={index}>
              {'field' in part ? (
                <LeafEditor
                  leaf={part}
                  fields={fields}
                  name={named}
                  onChange={(leaf) => replace(index, leaf)}
                />
              ) : (
                <ConditionEditor
                  condition={part}
                  fields={fields}
                  depth={depth + 1}
                  name={named}
                  onChange={(next) => replace(index, next)}
                />
              )}
              <button
                type="button"
                className="round flex-none"
                aria-label={words.removeOf(named)}
                onClick={() => remove(index)}
              >
                <CrossIcon size={16} />
              </button>
            </li>
          )
        })}
      </ul>
      <div className="flex flex-wrap gap-4">
        <button
          type="button"
          className="text-button"
          onClick={() => onChange(build(kind, [...parts, fresh]))}
        >
          <PlusIcon size={16} />
          {f.addCondition}
          <span className="sr-only"> ({name})</span>
        </button>
        {depth < MOST_DEPTH - 1 && (
          <button
            type="button"
            className="text-button"
            onClick={() => onChange(build(kind, [...parts, build(kind === 'all' ? 'any' : 'all', [fresh])]))}
          >
            <PlusIcon size={16} />
            {f.addGroup}
            <span className="sr-only"> ({name})</span>
          </button>
        )}
      </div>
    </div>
  )
}

interface LeafProps {
  readonly leaf: Leaf
  readonly fields: readonly FormField[]
  readonly name: string
  readonly onChange: (leaf: Leaf) => void
}

const isValueless = (operator: Operator) => operator === 'isEmpty' || operator === 'isNotEmpty'

function LeafEditor({ leaf, fields, name, onChange }: LeafProps) {
  const f = words.forms
  const field = fields.find(({ id }) => id === leaf.field)
  const text = typeof leaf.value === 'string' ? leaf.value : ''
  const list = Array.isArray(leaf.value) ? (leaf.value as readonly string[]) : []
  const options = field?.type === 'select' ? field.options : []
  const whole = leaf.operator === 'equals' || leaf.operator === 'notEquals'
  const withOperator = (operator: Operator): Leaf => {
    if (isValueless(operator)) return { field: leaf.field, operator }
    if (operator === 'isAnyOf') return { field: leaf.field, operator, value: text === '' ? list : [text] }
    return { field: leaf.field, operator, value: text || list[0] || '' }
  }
  return (
    <div className="leaf">
      <Select
        label={f.leafField(name)}
        hideLabel
        value={leaf.field}
        options={[
          ...(field === undefined ? [{ id: leaf.field, label: f.chooseField }] : []),
          ...fields.map(({ id, label }, index) => ({ id, label: label || f.fieldNumbered(index + 1) })),
        ]}
        onChange={(id) => {
          const chosen = fields.find((one) => one.id === id)
          onChange({ field: id, operator: 'equals', value: chosen?.options[0]?.id ?? '' })
        }}
      />
      <Select
        label={f.leafOperator(name)}
        hideLabel
        value={leaf.operator}
        options={OPERATORS.map((operator) => ({ id: operator, label: f.operators[operator] }))}
        onChange={(chosen) => onChange(withOperator(OPERATORS.find((one) => one === chosen) ?? 'equals'))}
      />
      {leaf.operator === 'isAnyOf' && options.length > 0 && (
        <Ticks
          label={f.leafValue(name)}
          options={options.map(({ id, label }) => ({ id, label: label || id }))}
          chosen={list}
          onChange={(value) => onChange({ ...leaf, value })}
        />
      )}
      {leaf.operator === 'isAnyOf' && options.length === 0 && (
        <TextArea
          label={f.leafValue(name)}
          hint={words.questions.optionsHint}
          rows={2}
          value={list.join('\n')}
          onChange={(value) => onChange({ ...leaf, value: value === '' ? [] : value.split('\n') })}
        />
      )}
      {!isValueless(leaf.operator) &&
        leaf.operator !== 'isAnyOf' &&
        (options.length > 0 && whole ? (
          <Select
            label={f.leafValue(name)}
            hideLabel
            value={text}
            options={[
              ...(options.some(({ id }) => id === text) ? [] : [{ id: text, label: f.chooseAnswer }]),
              ...options.map(({ id, label }) => ({ id, label: label || id })),
            ]}
            onChange={(value) => onChange({ ...leaf, value })}
          />
        ) : (
          <TextInput
            label={f.leafValue(name)}
            hideLabel
            placeholder={f.value}
            value={text}
            onChange={(value) => onChange({ ...leaf, value })}
          />
        ))}
    </div>
  )
}
