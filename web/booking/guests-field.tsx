import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { isEmail } from '../../src/domain/people/contact.ts'
import { FieldError } from '../parts/fields/field.tsx'
import { useSpeech } from '../parts/texts.tsx'

interface Props {
  /** The addresses as they were typed, each with a comma after it, and the beginning of another one. */
  readonly value: string
  readonly most: number
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

const SEPARATED = /[\s,;]+/

/** The addresses of those whom the guest brings: each is a chip once it is typed. */
export function GuestsField({ value, most, error, onChange }: Props) {
  const { tell } = useSpeech()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState(false)
  const pieces = value.split(SEPARATED)
  const draft = pieces.pop() ?? ''
  const emails = [...new Set(pieces)].filter((email) => email !== '')
  const put = (list: readonly string[], rest = '') =>
    onChange(list.map((email) => `${email}, `).join('') + rest)

  if (!opened && value === '') {
    return (
      <div className="field">
        <button
          type="button"
          className="text-button"
          onClick={() => {
            setOpened(true)
            // Once the input is there.
            setTimeout(() => input.current?.focus())
          }}
        >
          <span aria-hidden="true">+</span> {tell('addGuests')}
        </button>
      </div>
    )
  }
  const finish = () => draft !== '' && put([...emails, draft])
  const remove = (email: string) => {
    put(
      emails.filter((other) => other !== email),
      draft,
    )
    setTimeout(() => input.current?.focus())
  }
  const press = (event: KeyboardEvent) => {
    // Enter would book at once.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Enter') finish()
    if (event.key === 'Backspace' && draft === '') put(emails.slice(0, -1))
  }
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {tell('guests', { count: most })}
        <span className="optional"> ({tell('optional')})</span>
      </label>
      {emails.length > 0 && (
        <ul className="chips guest-chips">
          {emails.map((email) => (
            <li key={email} className="chip" data-wrong={!isEmail(email) || undefined}>
              {email}
              <button type="button" aria-label={tell('removeGuest', { email })} onClick={() => remove(email)}>
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        id={id}
        name="guests"
        className="input"
        type="text"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        maxLength={3000}
        aria-required="false"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        value={draft}
        onChange={({ target }) => onChange(emails.map((email) => `${email}, `).join('') + target.value)}
        onKeyDown={press}
      />
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}
