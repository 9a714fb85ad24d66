import {
  comparisonOf,
  HOST_OPERATORS,
  type HostCondition,
  type HostFilter,
  type HostOperator,
  type HostValue,
} from '../../../../src/domain/forms/host-filter.ts'
import { AddItem, IconButton } from '../../core/buttons.tsx'
import { useOne, useOwners } from '../../core/data/data.ts'
import type { AttributeView, EventTypeView, FormView } from '../../core/data/views.ts'
import { Checkboxes, ListArea, Select, TextInput } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { CrossIcon } from '../../core/icons.tsx'
import { tell, words } from '../../words.ts'
import { hostSentence } from './host-sentence.ts'

type Fields = FormView['fields']

const MAX_DEPTH = 8

/** The attributes by which hosts of this event type can be chosen; none where there is no choice. */
export function useHostAttributes(eventType: EventTypeView | undefined): readonly AttributeView[] {
  const isTeam = useOwners().some(({ id, team }) => team && id === eventType?.ownerId)
  const isChoice = isTeam && eventType?.assignment === 'round-robin'
  const path = `/teams/${eventType?.ownerId}/attributes`
  return useOne<readonly AttributeView[]>(path, isChoice).data?.body ?? []
}

interface Props {
  readonly filter: HostFilter | undefined
  readonly eventType: EventTypeView | undefined
  readonly fields: Fields
  readonly path: string
  readonly onChange: (filter: HostFilter | undefined) => void
}

/** Which hosts of the event type a visitor gets: a sentence, and the conditions behind it. */
export function HostFilterEditor({ filter, eventType, fields, path, onChange }: Props) {
  const attributes = useHostAttributes(eventType)
  const [attribute] = attributes
  const f = words.forms
  if (attribute === undefined) return null
  const first = emptyCondition(attribute)
  return (
    <fieldset className="stack" aria-label={f.hosts}>
      <p className="label">{f.hosts}</p>
      <p className="hint">{filter === undefined ? f.allHosts : f.hostsHint}</p>
      {filter === undefined ? (
        <AddItem onPress={() => onChange({ all: [first] })}>{f.chooseHosts}</AddItem>
      ) : (
        <>
          <p>{hostSentence(filter, attributes, fields)}</p>
          <Group
            filter={filter}
            attributes={attributes}
            fields={fields}
            depth={1}
            name={f.hosts}
            path={path}
            onChange={onChange}
          />
        </>
      )}
      <FieldError field={path} />
    </fieldset>
  )
}

/** A new comparison with this attribute. */
function emptyCondition({ key, type, options }: AttributeView): HostCondition {
  const value = options[0] ?? ''
  return type === 'many' ? { attribute: key, contains: value } : { attribute: key, is: value }
}

const groupOf = (kind: 'all' | 'any', parts: readonly HostFilter[]): HostFilter =>
  kind === 'all' ? { all: parts } : { any: parts }

const partsOf = (filter: HostFilter): readonly HostFilter[] =>
  'all' in filter ? filter.all : 'any' in filter ? filter.any : [filter]

interface GroupProps {
  readonly filter: HostFilter
  readonly attributes: readonly AttributeView[]
  readonly fields: Fields
  readonly depth: number
  readonly name: string
  readonly path: string
  /** Undefined once nothing is left of the group. */
  readonly onChange: (filter: HostFilter | undefined) => void
}

function Group({ filter, attributes, fields, depth, name, path, onChange }: GroupProps) {
  const f = words.forms
  const single = 'attribute' in filter
  const kind = 'any' in filter ? 'any' : 'all'
  const parts = partsOf(filter)
  const change = (next: readonly HostFilter[]) =>
    onChange(next.length === 0 ? undefined : groupOf(kind, next))
  const empty = emptyCondition(attributes[0] as AttributeView)
  return (
    <div className="tree" data-kind={kind}>
      {parts.length > 1 && (
        <div className="tree-kind">
          <Select
            label={f.group}
            hideLabel
            value={kind}
            options={[
              { id: 'all', label: f.all },
              { id: 'any', label: f.any },
            ]}
            onChange={(chosen) => onChange(groupOf(chosen === 'any' ? 'any' : 'all', parts))}
          />
        </div>
      )}
      <ul className="tree-parts">
        {parts.map((part, index) => {
          const partName = tell(f.conditionNumbered, { name, number: index + 1 })
          const partPath = single ? path : `${path}.${kind}.${index}`
          const replace = (next: HostFilter | undefined) =>
            change(next === undefined ? parts.toSpliced(index, 1) : parts.with(index, next))
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their order
            <li key={index}>
              {index > 0 && <p className="tree-join">{kind === 'all' ? f.and : f.or}</p>}
              {'attribute' in part ? (
                <div className="tree-leaf">
                  <Comparison
                    condition={part}
                    attributes={attributes}
                    fields={fields}
                    name={partName}
                    path={partPath}
                    onChange={replace}
                  />
                  <IconButton
                    label={tell(words.removeOf, { name: partName })}
                    onPress={() => replace(undefined)}
                  >
                    <CrossIcon size={16} />
                  </IconButton>
                </div>
              ) : (
                <Group
                  filter={part}
                  attributes={attributes}
                  fields={fields}
                  depth={depth + 1}
                  name={partName}
                  path={partPath}
                  onChange={replace}
                />
              )}
            </li>
          )
        })}
      </ul>
      <div className="actions">
        <AddItem to={name} onPress={() => change([...parts, empty])}>
          {f.addCondition}
        </AddItem>
        {depth < MAX_DEPTH - 1 && (
          <AddItem
            to={name}
            onPress={() => change([...parts, groupOf(kind === 'all' ? 'any' : 'all', [empty, empty])])}
          >
            {f.addGroup}
          </AddItem>
        )}
      </div>
    </div>
  )
}

interface ComparisonProps {
  readonly condition: HostCondition
  readonly attributes: readonly AttributeView[]
  readonly fields: Fields
  readonly name: string
  readonly path: string
  readonly onChange: (condition: HostCondition) => void
}

const OPERATORS: readonly HostOperator[] = ['is', 'isNot', 'isAnyOf', 'contains']

const conditionOf = (attribute: string, operator: HostOperator, values: readonly HostValue[]) =>
  ({ attribute, [operator]: operator === 'isAnyOf' ? values : (values[0] ?? '') }) as HostCondition

/** One comparison: an attribute, an operator, and an option, text or answer. */
function Comparison({ condition, attributes, fields, name, path, onChange }: ComparisonProps) {
  const f = words.forms
  const attribute = attributes.find(({ key }) => key === condition.attribute)
  const { operator, values } = comparisonOf(condition)
  const operators = attribute === undefined ? OPERATORS : HOST_OPERATORS[attribute.type]
  return (
    <div className="leaf">
      <Select
        label={tell(f.leafAttribute, { name })}
        hideLabel
        field={`${path}.attribute`}
        value={condition.attribute}
        options={[
          ...(attribute === undefined ? [{ id: condition.attribute, label: f.chooseAttribute }] : []),
          ...attributes.map(({ key, label }) => ({ id: key, label })),
        ]}
        onChange={(key) => {
          const chosen = attributes.find((one) => one.key === key)
          if (chosen !== undefined) onChange(emptyCondition(chosen))
        }}
      />
      <Select
        label={tell(f.leafOperator, { name })}
        hideLabel
        value={operator}
        options={operators.map((id) => ({ id, label: f.hostOperators[id] }))}
        onChange={(chosen) => {
          const next = operators.find((one) => one === chosen) ?? operator
          onChange(conditionOf(condition.attribute, next, values))
        }}
      />
      <Values
        attribute={attribute}
        operator={operator}
        values={values}
        fields={fields}
        label={tell(f.leafValue, { name })}
        path={`${path}.${operator}`}
        onChange={(next) => onChange(conditionOf(condition.attribute, operator, next))}
      />
      <FieldError field={path} />
    </div>
  )
}

interface ValuesProps {
  readonly attribute: AttributeView | undefined
  readonly operator: HostOperator
  readonly values: readonly HostValue[]
  readonly fields: Fields
  readonly label: string
  readonly path: string
  readonly onChange: (values: readonly HostValue[]) => void
}

/** Options and answers share a list, so they need ids that differ. */
const idOf = (value: HostValue) => (typeof value === 'string' ? `text ${value}` : `answer ${value.answerOf}`)

const valueOfId = (id: string): HostValue =>
  id.startsWith('answer ') ? { answerOf: id.slice('answer '.length) } : id.slice('text '.length)

function Values({ attribute, operator, values, fields, label, path, onChange }: ValuesProps) {
  const f = words.forms
  const answers = fields.map((field, index) => ({
    id: idOf({ answerOf: field.id }),
    label: tell(f.answerTo, { question: field.label || tell(f.fieldNumbered, { number: index + 1 }) }),
  }))
  const choices = [
    ...(attribute?.options ?? []).map((option) => ({ id: idOf(option), label: option })),
    ...answers,
  ]
  const isText = attribute?.type === 'text'
  const [value = ''] = values
  if (operator === 'isAnyOf' && !isText) {
    const chosen = (ids: readonly string[]) => onChange(ids.map(valueOfId))
    return (
      <Checkboxes label={label} field={path} options={choices} chosen={values.map(idOf)} onChange={chosen} />
    )
  }
  if (operator === 'isAnyOf') {
    const texts = values.filter((one) => typeof one === 'string')
    const others = values.filter((one) => typeof one !== 'string')
    return (
      <ListArea
        label={label}
        hint={words.questions.optionsHint}
        field={path}
        values={texts}
        onChange={(next) => onChange([...next, ...others])}
      />
    )
  }
  const sources = isText ? [{ id: 'text ', label: f.thisText }, ...answers] : choices
  const shown = isText && typeof value === 'string' ? 'text ' : idOf(value)
  return (
    <>
      <Select
        label={isText ? tell(f.compareWith, { name: label }) : label}
        hideLabel
        {...(!isText && { field: path })}
        value={shown}
        options={[
          ...(sources.some(({ id }) => id === shown) ? [] : [{ id: shown, label: f.chooseAnswer }]),
          ...sources,
        ]}
        onChange={(id) => onChange([valueOfId(id)])}
      />
      {isText && typeof value === 'string' && (
        <TextInput
          label={label}
          hideLabel
          field={path}
          placeholder={f.value}
          maxLength={200}
          value={value}
          onChange={(text) => onChange([text])}
        />
      )}
    </>
  )
}
