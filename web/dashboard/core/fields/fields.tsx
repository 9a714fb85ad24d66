import { type ReactNode, useId, useState } from 'react'
import { tell, words } from '../../words.ts'
import { ErrorLine, FieldError, useFieldError, useFieldWarning, WarningLine } from './form-errors.tsx'

interface Labelled {
  readonly label: string
  readonly hint?: ReactNode
  /** The wire path of its value: errors of the server about it are shown here. */
  readonly field?: string
  /** A mistake that the page itself found. */
  readonly error?: string | undefined
  readonly hideLabel?: boolean
}

interface Described {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

/** A control with its label, its hint and its error. */
function Labelled(props: Labelled & { readonly children: (described: Described) => ReactNode }) {
  const { label, hint, field, hideLabel = false } = props
  const id = useId()
  const refusal = useFieldError(field, () => document.getElementById(id)?.focus())
  const error = props.error ?? refusal
  const missing = useFieldWarning(field)
  const warning = error === undefined ? missing : undefined
  const described = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className="field" data-field={field}>
      <label className={hideLabel ? 'sr-only' : 'label'} htmlFor={id}>
        {label}
      </label>
      {props.children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error !== undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {warning && <WarningLine id={`${id}-warning`}>{warning}</WarningLine>}
      {error && <ErrorLine id={`${id}-error`}>{error}</ErrorLine>}
    </div>
  )
}

interface TextProps extends Labelled {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'password' | 'tel' | 'date' | 'time'
  readonly placeholder?: string
  readonly autoComplete?: string
  readonly maxLength?: number
  readonly prefix?: string
  readonly required?: boolean
}

export function TextInput({ value, onChange, prefix, type = 'text', required, ...props }: TextProps) {
  const { placeholder, autoComplete = 'off', maxLength, ...labelled } = props
  return (
    <Labelled {...labelled}>
      {(described) => {
        const input = (
          <input
            {...described}
            {...{ placeholder, autoComplete, maxLength, type, value }}
            aria-required={required}
            className="input"
            onChange={(event) => onChange(event.target.value)}
          />
        )
        if (prefix === undefined) return input
        return (
          <div className="prefixed">
            <span aria-hidden="true" title={prefix}>
              {prefix}
            </span>
            {input}
          </div>
        )
      }}
    </Labelled>
  )
}

interface AreaProps extends Labelled {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly maxLength?: number
  readonly rows?: number
}

export function TextArea({ value, onChange, maxLength, rows = 3, ...labelled }: AreaProps) {
  return (
    <Labelled {...labelled}>
      {(described) => (
        <textarea
          {...described}
          {...{ rows, maxLength, value }}
          className="input"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  )
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

interface ListProps extends Labelled {
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** A list, one item per line. Empty lines stay while the host types. */
export function ListArea({ values, onChange, ...labelled }: ListProps) {
  const [text, setText] = useState(values.join('\n'))
  const shown = JSON.stringify(linesOf(text)) === JSON.stringify(values) ? text : values.join('\n')
  return (
    <TextArea
      {...labelled}
      value={shown}
      onChange={(next) => {
        setText(next)
        onChange(linesOf(next))
      }}
    />
  )
}

interface NumberProps extends Labelled {
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly unit?: string
  readonly placeholder?: string
}

/** A whole number; empty is null. */
export function NumberInput({ value, onChange, unit, placeholder, ...labelled }: NumberProps) {
  return (
    <Labelled {...labelled}>
      {(described) => (
        <div className="measured">
          <input
            {...described}
            className="input"
            inputMode="numeric"
            autoComplete="off"
            placeholder={placeholder}
            value={value === null || Number.isNaN(value) ? '' : String(value)}
            onChange={(event) => {
              const digits = event.target.value.replace(/\D/g, '').slice(0, 7)
              onChange(digits === '' ? null : Number(digits))
            }}
          />
          {unit && <span>{unit}</span>}
        </div>
      )}
    </Labelled>
  )
}

const UNITS = [
  { minutes: 1440, name: 'days' },
  { minutes: 60, name: 'hours' },
  { minutes: 1, name: 'minutes' },
] as const

interface DurationProps extends Labelled {
  readonly minutes: number
  readonly onChange: (minutes: number) => void
}

/** A length of time, in the largest unit that shows it as a whole number. */
export function DurationInput({ minutes, onChange, ...labelled }: DurationProps) {
  const fitting = UNITS.find((unit) => minutes % unit.minutes === 0) ?? UNITS[2]
  const [chosen, setChosen] = useState<(typeof UNITS)[number]>(minutes === 0 ? UNITS[2] : fitting)
  const unit = minutes % chosen.minutes === 0 ? chosen : fitting
  return (
    <Labelled {...labelled}>
      {(described) => (
        <div className="duration">
          <input
            {...described}
            className="input"
            inputMode="numeric"
            autoComplete="off"
            value={String(minutes / unit.minutes)}
            onChange={(event) =>
              onChange(Number(event.target.value.replace(/\D/g, '').slice(0, 6)) * unit.minutes)
            }
          />
          <select
            className="input"
            aria-label={tell(words.unitOf, { label: labelled.label })}
            value={unit.name}
            onChange={(event) => {
              const next = UNITS.find(({ name }) => name === event.target.value) ?? UNITS[2]
              setChosen(next)
              onChange((minutes / unit.minutes) * next.minutes)
            }}
          >
            {UNITS.toReversed().map(({ name }) => (
              <option key={name} value={name}>
                {words.units[name]}
              </option>
            ))}
          </select>
        </div>
      )}
    </Labelled>
  )
}

interface Option {
  readonly id: string
  readonly label: string
}

interface SelectProps extends Labelled {
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
}

export function Select({ value, options, onChange, ...labelled }: SelectProps) {
  return (
    <Labelled {...labelled}>
      {(described) => (
        <select
          {...described}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

interface SwitchProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly disabled?: boolean
}

export function Switch({ label, hint, on, onChange, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="switch-row">
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={on}
        aria-label={label}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        onClick={() => onChange(!on)}
      />
      <div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboards reach the switch itself */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a label for a button */}
        <span className="label" onClick={() => disabled || onChange(!on)}>
          {label}
        </span>
        {hint && (
          <p id={`${id}-hint`} className="hint">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

interface SegmentsProps<Id extends string> {
  readonly label: string
  readonly value: Id
  readonly options: readonly {
    readonly id: Id
    readonly label: string
    readonly count?: number | undefined
  }[]
  readonly onChange: (value: Id) => void
}

/** One of a few, all of them in sight. */
export function Segments<Id extends string>({ label, value, options, onChange }: SegmentsProps<Id>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          aria-pressed={value === option.id}
          onClick={() => onChange(option.id)}
        >
          {option.label}
          {option.count !== undefined && option.count > 0 && <span className="count">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  )
}

interface CheckboxesProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly field?: string
  readonly options: readonly Option[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Several of a few. */
export function Checkboxes({ label, hint, field, options, chosen, onChange }: CheckboxesProps) {
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      <div className="ticks">
        {options.map((option) => (
          <label key={option.id} className="tick">
            <input
              type="checkbox"
              checked={chosen.includes(option.id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, option.id] : chosen.filter((id) => id !== option.id))
              }
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {field !== undefined && <FieldError field={field} />}
    </fieldset>
  )
}
