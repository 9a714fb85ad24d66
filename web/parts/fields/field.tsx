import { type ReactNode, useId } from 'react'
import type { Question } from '../../../src/domain/event-types/questions.ts'
import { WarningIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'
import { PhoneInput } from './phone-input.tsx'
import { chosenIn } from './several.ts'

export type FieldType = Question['type']

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type: FieldType
  readonly required: boolean
  readonly value: string | boolean
  readonly onChange: (value: string | boolean) => void
  readonly error?: string | undefined
  readonly options?: readonly { readonly id: string; readonly label: string }[]
  readonly autoComplete?: string
  readonly maxLength?: number
  /** For a phone number: the country where the guest probably is. */
  readonly country?: string | undefined
}

const INPUT_TYPES = { text: 'text', number: 'text', email: 'email', url: 'url' } as const
const INPUT_MODES = { text: undefined, number: 'decimal', email: 'email', url: 'url' } as const

/** A form field with label, value and error. */
export function Field(props: FieldProps) {
  const { name, label, type, required, value, onChange, error, options = [], autoComplete, maxLength } = props
  const { tell } = useSpeech()
  const id = useId()
  const common = {
    id,
    name,
    'aria-required': required,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    autoComplete: autoComplete ?? 'off',
    maxLength,
  }
  const text = typeof value === 'string' ? value : ''
  const control = () => {
    if (type === 'textarea') {
      return (
        <textarea
          {...common}
          className="input input-tall"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    }
    if (type === 'select') {
      const { maxLength: _, ...rest } = common
      return (
        <select {...rest} className="input" value={text} onChange={(event) => onChange(event.target.value)}>
          <option value="">{required ? tell('choose') : '–'}</option>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </select>
      )
    }
    if (type === 'checkbox' || type === 'radio' || type === 'multiselect') return null
    if (type === 'phone')
      return <PhoneInput common={common} value={text} onChange={onChange} here={props.country} />
    return (
      <input
        {...common}
        className="input"
        type={INPUT_TYPES[type]}
        inputMode={INPUT_MODES[type]}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  const mark = !required && <span className="optional"> ({tell('optional')})</span>
  if (type === 'radio' || type === 'multiselect') {
    return (
      <fieldset className="field choices">
        <legend className="label">
          {label}
          {mark}
        </legend>
        <Choices {...props} type={type} describedBy={`${id}-error`} />
        <FieldError id={`${id}-error`}>{error}</FieldError>
      </fieldset>
    )
  }
  return (
    <div className="field">
      {type === 'checkbox' ? (
        <div className="tick">
          <input
            {...common}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.target.checked)}
          />
          <label htmlFor={id}>
            {label}
            {mark}
          </label>
        </div>
      ) : (
        <>
          <label className="label" htmlFor={id}>
            {label}
            {mark}
          </label>
          {control()}
        </>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}

interface ChoicesProps extends FieldProps {
  readonly type: 'radio' | 'multiselect'
  readonly describedBy: string
}

/** One of a few, or several. */
function Choices({ name, type, required, value, onChange, error, options = [], describedBy }: ChoicesProps) {
  const ids = options.map(({ id }) => id)
  const chosen = chosenIn(String(value), ids)
  const choose = (id: string, on: boolean) => {
    const isChosen = (one: string) => (one === id ? on : type === 'multiselect' && chosen.includes(one))
    onChange(ids.filter(isChosen).join('\n'))
  }
  return options.map((option) => (
    <label key={option.id} className="choice">
      <input
        type={type === 'radio' ? 'radio' : 'checkbox'}
        name={name}
        value={option.id}
        required={required && type === 'radio'}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : describedBy}
        checked={chosen.includes(option.id)}
        onChange={(event) => choose(option.id, event.target.checked)}
      />
      <span>{option.label}</span>
    </label>
  ))
}

export function FieldError({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  if (children === undefined) return null
  return (
    <p id={id} className="error">
      <span className="icon">
        <WarningIcon size={16} />
      </span>
      <span>{children}</span>
    </p>
  )
}

/** Focuses the first field with an error. */
export function focusFirstError(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
