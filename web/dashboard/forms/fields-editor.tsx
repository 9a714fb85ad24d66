import { FIELD_TYPES, type FormField } from '../../../src/domain/forms/routing.ts'
import { ErrorLine, Select, Switch, TextInput } from '../core/controls.tsx'
import { CrossIcon, PlusIcon } from '../core/icons.tsx'
import { OrderButtons } from '../core/ordered.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'

interface Props {
  readonly fields: readonly FormField[]
  readonly error: string | undefined
  readonly onChange: (fields: readonly FormField[]) => void
}

const next = (stem: string, taken: readonly string[]) => {
  let number = taken.length + 1
  while (taken.includes(`${stem}-${number}`)) number++
  return `${stem}-${number}`
}

/** What visitors are asked. */
export function FieldsEditor({ fields, error, onChange }: Props) {
  const f = words.forms
  const replace = (index: number, part: Partial<FormField>) =>
    onChange(fields.map((field, at) => (at === index ? { ...field, ...part } : field)))
  const add = () => {
    const id = next(
      'field',
      fields.map((field) => field.id),
    )
    onChange([...fields, { id, label: '', type: 'text', required: false, options: [] }])
  }
  return (
    <Section title={f.fields} hint={f.fieldsHint}>
      {error && <ErrorLine>{error}</ErrorLine>}
      {fields.map((field, index) => {
        const named = field.label || f.fieldNumbered(index + 1)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: ids are typed, and would lose the focus
          <fieldset key={index} className="nested" aria-label={named}>
            <OrderButtons items={fields} index={index} named={named} onChange={onChange} />
            <TextInput
              label={f.fieldLabel}
              maxLength={500}
              value={field.label}
              onChange={(label) => replace(index, { label })}
            />
            <div className="grid gap-4 sm:grid-cols-2">
              <Select
                label={words.questions.type}
                value={field.type}
                options={FIELD_TYPES.map((type) => ({ id: type, label: words.questions.types[type] }))}
                onChange={(chosen) => {
                  const type = FIELD_TYPES.find((one) => one === chosen) ?? 'text'
                  const first = { id: 'option-1', label: '' }
                  const options = field.options.length > 0 ? field.options : [first]
                  replace(index, { type, options: type === 'select' ? options : [] })
                }}
              />
              <TextInput
                label={f.fieldId}
                hint={f.fieldIdHint}
                maxLength={64}
                value={field.id}
                onChange={(id) => replace(index, { id })}
              />
            </div>
            {field.type === 'select' && (
              <Options
                named={named}
                options={field.options}
                onChange={(options) => replace(index, { options })}
              />
            )}
            <Switch
              label={words.questions.required}
              on={field.required}
              onChange={(required) => replace(index, { required })}
            />
          </fieldset>
        )
      })}
      <div>
        <button type="button" className="text-button" onClick={add}>
          <PlusIcon size={16} />
          {f.addField}
        </button>
      </div>
    </Section>
  )
}

interface OptionsProps {
  readonly named: string
  readonly options: FormField['options']
  readonly onChange: (options: FormField['options']) => void
}

function Options({ named, options, onChange }: OptionsProps) {
  const f = words.forms
  const replace = (index: number, part: object) =>
    onChange(options.map((option, at) => (at === index ? { ...option, ...part } : option)))
  return (
    <fieldset className="m-0 grid gap-2 border-0 p-0">
      <legend className="label mb-2">{f.options}</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ids are typed, and would lose the focus
        <div key={index} className="grid grid-cols-[1fr_8rem_auto] items-center gap-2">
          <TextInput
            label={f.optionLabel(named, index + 1)}
            hideLabel
            placeholder={f.optionText}
            maxLength={500}
            value={option.label}
            onChange={(label) => replace(index, { label })}
          />
          <TextInput
            label={f.optionId(named, index + 1)}
            hideLabel
            placeholder={f.fieldId}
            maxLength={64}
            value={option.id}
            onChange={(id) => replace(index, { id })}
          />
          <button
            type="button"
            className="round"
            aria-label={words.removeOf(option.label || f.optionLabel(named, index + 1))}
            onClick={() => onChange(options.filter((_, at) => at !== index))}
          >
            <CrossIcon size={16} />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className="text-button"
          onClick={() =>
            onChange([
              ...options,
              {
                id: next(
                  'option',
                  options.map(({ id }) => id),
                ),
                label: '',
              },
            ])
          }
        >
          <PlusIcon size={16} />
          {f.addOption}
          <span className="sr-only"> {named}</span>
        </button>
      </div>
    </fieldset>
  )
}
