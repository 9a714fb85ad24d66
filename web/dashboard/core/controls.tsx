import { type ReactNode, useId, useState } from 'react'
import { CheckIcon, WarningIcon } from '../../parts/icons.tsx'
import { words } from '../words.ts'
import { sentenceOf } from './data.ts'

interface Labelled {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly hideLabel?: boolean
}

interface Described {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

/** A control with its name, what is to be known about it, and what is wrong with it. */
function Labelled(props: Labelled & { readonly children: (described: Described) => ReactNode }) {
  const { label, hint, error, hideLabel = false } = props
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
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
      {error && <ErrorLine id={`${id}-error`}>{error}</ErrorLine>}
    </div>
  )
}

export function ErrorLine({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="error">
      <span className="icon !text-danger">
        <WarningIcon size={16} />
      </span>
      <span>{children}</span>
    </p>
  )
}

interface TextProps extends Labelled {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'password' | 'date' | 'time' | 'datetime-local'
  readonly placeholder?: string
  readonly autoComplete?: string
  readonly maxLength?: number
  readonly prefix?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly min?: string
}

export function TextInput({ value, onChange, prefix, type = 'text', required, ...props }: TextProps) {
  const { label, hint, error, hideLabel, ...rest } = props
  return (
    <Labelled {...{ label, hint, error }} {...(hideLabel && { hideLabel })}>
      {(described) => {
        const input = (
          <input
            {...described}
            {...rest}
            aria-required={required}
            autoComplete={props.autoComplete ?? 'off'}
            className="input"
            type={type}
            value={value}
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
  readonly placeholder?: string
}

export function TextArea({ value, onChange, maxLength, rows = 3, placeholder, ...labelled }: AreaProps) {
  return (
    <Labelled {...labelled}>
      {(described) => (
        <textarea
          {...described}
          className="input resize-y"
          rows={rows}
          maxLength={maxLength}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  )
}

interface NumberProps extends Labelled {
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly unit?: string
  readonly placeholder?: string
}

/** A whole number; empty is null. What is not a number is left to the server to refuse. */
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

interface SpanProps extends Labelled {
  readonly minutes: number
  readonly onChange: (minutes: number) => void
}

/** A length of time, in the largest unit that says it without a fraction. */
export function SpanInput({ minutes, onChange, ...labelled }: SpanProps) {
  const fitting = UNITS.find((unit) => minutes % unit.minutes === 0) ?? UNITS[2]
  const [chosen, setChosen] = useState<(typeof UNITS)[number]>(minutes === 0 ? UNITS[2] : fitting)
  const unit = minutes % chosen.minutes === 0 ? chosen : fitting
  return (
    <Labelled {...labelled}>
      {(described) => (
        <div className="flex gap-2">
          <input
            {...described}
            className="input !w-24"
            inputMode="numeric"
            autoComplete="off"
            value={String(minutes / unit.minutes)}
            onChange={(event) =>
              onChange(Number(event.target.value.replace(/\D/g, '').slice(0, 6)) * unit.minutes)
            }
          />
          <select
            className="input flex-1"
            aria-label={`${labelled.label}: ${words.unit}`}
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

export interface Choice {
  readonly id: string
  readonly label: string
}

interface ChoiceProps extends Labelled {
  readonly value: string
  readonly options: readonly Choice[]
  readonly onChange: (value: string) => void
  readonly disabled?: boolean
}

export function Select({ value, options, onChange, disabled = false, ...labelled }: ChoiceProps) {
  return (
    <Labelled {...labelled}>
      {(described) => (
        <select
          {...described}
          className="input"
          disabled={disabled}
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
  readonly hideLabel?: boolean
}

export function Switch({ label, hint, on, onChange, disabled = false, hideLabel = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="switch-row">
      <button
        id={id}
        type="button"
        role="switch"
        className="switch"
        aria-checked={on}
        aria-label={label}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        onClick={() => onChange(!on)}
      />
      {!hideLabel && (
        <div>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the switch itself is what a keyboard reaches */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a label for a button */}
          <span className="label cursor-pointer" onClick={() => disabled || onChange(!on)}>
            {label}
          </span>
          {hint && (
            <p id={`${id}-hint`} className="hint">
              {hint}
            </p>
          )}
        </div>
      )}
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

interface TicksProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly options: readonly Choice[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Several of a few. */
export function Ticks({ label, hint, options, chosen, onChange }: TicksProps) {
  return (
    <fieldset className="field">
      <legend className="label mb-1.5">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      <div className="grid gap-2 sm:grid-cols-2">
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
    </fieldset>
  )
}

interface ActionProps {
  readonly children: ReactNode
  readonly onPress: () => void
  readonly busy?: boolean
  readonly kind?: 'main' | 'quiet' | 'danger'
  readonly small?: boolean
  readonly label?: string
}

/** A button that shows that it is at work, and does nothing twice meanwhile. */
export function Action({
  children,
  onPress,
  busy = false,
  kind = 'quiet',
  small = false,
  label,
}: ActionProps) {
  const kinds = { main: '', quiet: ' button-quiet', danger: ' button-danger' }
  return (
    <button
      type="button"
      className={`button${kinds[kind]}${small ? ' button-small' : ''}`}
      aria-disabled={busy}
      aria-label={label}
      onClick={() => busy || onPress()}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** Copies a text, and says so. */
export function CopyButton({
  text,
  children,
  small = true,
}: {
  readonly text: string
  readonly children: string
  readonly small?: boolean
}) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Pages without https have no clipboard; an old way is left.
      const area = document.createElement('textarea')
      area.value = text
      document.body.append(area)
      area.select()
      document.execCommand('copy')
      area.remove()
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <button
      type="button"
      className={`button button-quiet${small ? ' button-small' : ''}`}
      onClick={() => void copy()}
    >
      {copied && <CheckIcon size={16} />}
      <span aria-live="polite">{copied ? words.copied : children}</span>
    </button>
  )
}

/** What went wrong with what was just done here. */
export function Trouble({ error }: { readonly error: unknown }) {
  return (
    <div role="alert">
      {error !== null && error !== undefined && <p className="alert">{sentenceOf(error)}</p>}
    </div>
  )
}
