import { useState } from 'react'
import { suggestEmail } from '../../src/domain/people/email-suggestion.ts'
import { Field } from '../parts/fields/field.tsx'
import { useSpeech } from '../parts/texts.tsx'

interface Props {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** The guest's address. Once they leave it, a likely mistake in its domain is pointed out. */
export function EmailField({ value, error, onChange }: Props) {
  const { tell } = useSpeech()
  const [left, setLeft] = useState<string>()
  const meant = left === value ? suggestEmail(value.trim()) : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the focus leaving the field
    <div className="suggesting" onBlur={() => setLeft(value)}>
      <Field
        name="email"
        label={tell('email')}
        type="email"
        required
        autoComplete="email"
        value={value}
        error={error}
        onChange={(typed) => onChange(String(typed))}
      />
      <div role="status">
        {meant !== undefined && (
          <button type="button" className="text-button" onClick={() => onChange(meant)}>
            {tell('didYouMean', { domain: meant.slice(meant.lastIndexOf('@') + 1) })}
          </button>
        )}
      </div>
    </div>
  )
}
