import { isChoice } from '../../../src/domain/event-types/questions.ts'
import { FIELD_TYPES } from '../../../src/domain/forms/routing.ts'
import { AddItem, IconButton } from '../core/buttons.tsx'
import type { FormView } from '../core/data/views.ts'
import { Select, Switch, TextInput } from '../core/fields/fields.tsx'
import { FieldError } from '../core/fields/form-errors.tsx'
import { OrderButtons } from '../core/fields/ordered.tsx'
import { CrossIcon } from '../core/icons.tsx'
import { Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'

type FormField = FormView['fields'][number]

interface Props {
  readonly fields: readonly FormField[]
  readonly onChange: (fields: readonly FormField[]) => void
}

/** An id such as `field-3` that isn't taken. */
const nextId = (stem: string, taken: readonly { readonly id: string }[]) => {
  let number = taken.length + 1
  while (taken.some(({ id }) => id === `${stem}-${number}`)) number++
  return `${stem}-${number}`
}

/** What visitors are asked. */
export function FieldsEditor({ fields, onChange }: Props) {
  const f = words.forms
  const add = () =>
    onChange([
      ...fields,
      { id: nextId('field', fields), label: '', type: 'text', required: false, options: [] },
    ])
  return (
    <Section title={f.fields} hint={f.fieldsHint}>
      {fields.map((field, index) => {
        const name = field.label || tell(f.fieldNumbered, { number: index + 1 })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the host types the ids, so they can't keep the focus
          <fieldset key={index} className="nested" aria-label={name}>
            <OrderButtons items={fields} index={index} name={name} onChange={onChange} />
            <FieldEditor
              field={field}
              name={name}
              path={`fields.${index}`}
              onChange={(next) => onChange(fields.with(index, next))}
            />
          </fieldset>
        )
      })}
      <FieldError field="fields" />
      <AddItem onPress={add}>{f.addField}</AddItem>
    </Section>
  )
}

interface FieldProps {
  readonly field: FormField
  readonly name: string
  readonly path: string
  readonly onChange: (field: FormField) => void
}

function FieldEditor({ field, name, path, onChange }: FieldProps) {
  const f = words.forms
  const change = (part: Partial<FormField>) => onChange({ ...field, ...part })
  return (
    <>
      <TextInput
        label={f.fieldLabel}
        field={`${path}.label`}
        maxLength={500}
        value={field.label}
        onChange={(label) => change({ label })}
      />
      <div className="columns">
        <Select
          label={words.questions.type}
          field={`${path}.type`}
          value={field.type}
          options={FIELD_TYPES.map((type) => ({ id: type, label: words.questions.types[type] }))}
          onChange={(chosen) => {
            const type = FIELD_TYPES.find((one) => one === chosen) ?? 'text'
            const options = field.options.length > 0 ? field.options : [{ id: 'option-1', label: '' }]
            change({ type, options: isChoice(type) ? options : [] })
          }}
        />
        <TextInput
          label={f.fieldId}
          hint={f.fieldIdHint}
          field={`${path}.id`}
          maxLength={64}
          value={field.id}
          onChange={(id) => change({ id })}
        />
      </div>
      {isChoice(field.type) && (
        <Options
          name={name}
          path={`${path}.options`}
          options={field.options}
          onChange={(options) => change({ options })}
        />
      )}
      <Switch
        label={words.questions.required}
        on={field.required}
        onChange={(required) => change({ required })}
      />
    </>
  )
}

interface OptionsProps {
  readonly name: string
  readonly path: string
  readonly options: FormField['options']
  readonly onChange: (options: FormField['options']) => void
}

function Options({ name, path, options, onChange }: OptionsProps) {
  const f = words.forms
  return (
    <fieldset className="stack">
      <legend className="label">{f.options}</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the host types the ids, so they can't keep the focus
        <div key={index} className="option-row">
          <TextInput
            label={tell(f.optionLabel, { name, number: index + 1 })}
            hideLabel
            field={`${path}.${index}.label`}
            placeholder={f.optionText}
            maxLength={500}
            value={option.label}
            onChange={(label) => onChange(options.with(index, { ...option, label }))}
          />
          <TextInput
            label={tell(f.optionId, { name, number: index + 1 })}
            hideLabel
            field={`${path}.${index}.id`}
            placeholder={f.fieldId}
            maxLength={64}
            value={option.id}
            onChange={(id) => onChange(options.with(index, { ...option, id }))}
          />
          <IconButton
            label={tell(words.removeOf, {
              name: option.label || tell(f.optionLabel, { name, number: index + 1 }),
            })}
            onPress={() => onChange(options.toSpliced(index, 1))}
          >
            <CrossIcon size={16} />
          </IconButton>
        </div>
      ))}
      <FieldError field={path} />
      <AddItem to={name} onPress={() => onChange([...options, { id: nextId('option', options), label: '' }])}>
        {f.addOption}
      </AddItem>
    </fieldset>
  )
}
