import type { Condition, Leaf } from '../../../../src/domain/forms/routing.ts'
import { AddItem, IconButton } from '../../core/buttons.tsx'
import type { FormView } from '../../core/data/views.ts'
import { Select } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { CrossIcon } from '../../core/icons.tsx'
import { tell, words } from '../../words.ts'
import { LeafEditor } from './leaf-editor.tsx'

const MAX_DEPTH = 8

interface Props {
  readonly condition: Condition
  readonly fields: FormView['fields']
  readonly depth: number
  readonly name: string
  readonly path: string
  readonly onChange: (condition: Condition) => void
  /** For a group within another. */
  readonly onRemove?: () => void
}

type Kind = 'all' | 'any'

const groupOf = (kind: Kind, parts: readonly Condition[]): Condition =>
  kind === 'all' ? { all: parts } : { any: parts }

const partsOf = (condition: Condition): readonly Condition[] =>
  'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition]

/** A group of conditions, of which all or any must match; groups can contain groups. */
export function ConditionEditor({ condition, fields, depth, name, path, onChange, onRemove }: Props) {
  const f = words.forms
  // A rule of a single comparison is shown as a group of one, so that another can be added.
  const single = 'field' in condition
  const kind = 'any' in condition ? 'any' : 'all'
  const parts = partsOf(condition)
  const change = (next: readonly Condition[]) => onChange(groupOf(kind, next))
  const [field] = fields
  const empty: Leaf = { field: field?.id ?? '', operator: 'equals', value: field?.options[0]?.id ?? '' }
  return (
    <div className="tree" data-kind={kind}>
      <div className="tree-kind">
        <Select
          label={depth === 1 ? f.if : f.group}
          hideLabel={depth > 1}
          value={kind}
          options={[
            { id: 'all', label: f.all },
            { id: 'any', label: f.any },
          ]}
          onChange={(chosen) => onChange(groupOf(chosen === 'any' ? 'any' : 'all', parts))}
        />
        {onRemove !== undefined && (
          <IconButton label={tell(words.removeOf, { name })} onPress={onRemove}>
            <CrossIcon size={16} />
          </IconButton>
        )}
      </div>
      <ul className="tree-parts">
        {parts.map((part, index) => {
          const partName = tell(f.conditionNumbered, { name, number: index + 1 })
          const partPath = single ? path : `${path}.${kind}.${index}`
          const replace = (next: Condition) => change(parts.with(index, next))
          const removePart = () => change(parts.toSpliced(index, 1))
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their order
            <li key={index}>
              {index > 0 && <p className="tree-join">{kind === 'all' ? f.and : f.or}</p>}
              {'field' in part ? (
                <div className="tree-leaf">
                  <LeafEditor
                    leaf={part}
                    fields={fields}
                    name={partName}
                    path={partPath}
                    onChange={replace}
                  />
                  <IconButton label={tell(words.removeOf, { name: partName })} onPress={removePart}>
                    <CrossIcon size={16} />
                  </IconButton>
                </div>
              ) : (
                <ConditionEditor
                  condition={part}
                  fields={fields}
                  depth={depth + 1}
                  name={partName}
                  path={partPath}
                  onChange={replace}
                  onRemove={removePart}
                />
              )}
            </li>
          )
        })}
      </ul>
      {!single && <FieldError field={path} />}
      <div className="actions">
        <AddItem to={name} onPress={() => change([...parts, empty])}>
          {f.addCondition}
        </AddItem>
        {depth < MAX_DEPTH - 1 && (
          <AddItem
            to={name}
            onPress={() => change([...parts, groupOf(kind === 'all' ? 'any' : 'all', [empty])])}
          >
            {f.addGroup}
          </AddItem>
        )}
      </div>
    </div>
  )
}
