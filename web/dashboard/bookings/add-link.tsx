import { useState } from 'react'
import { SubmitButton } from '../core/buttons.tsx'
import { TextInput } from '../core/fields/fields.tsx'
import { FormErrors } from '../core/fields/form-errors.tsx'
import { words } from '../words.ts'

interface Props {
  readonly busy: boolean
  readonly error: unknown
  readonly onAdd: (link: string) => void
}

/** Says that a video call has no link, and takes it. */
export function AddLink({ busy, error, onAdd }: Props) {
  const [link, setLink] = useState('')
  const b = words.bookings
  return (
    <form
      className="notice-differs"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onAdd(link)
      }}
    >
      <span>{b.awaitsLink}</span>
      <FormErrors error={error}>
        <TextInput
          label={b.videoLink}
          field="link"
          type="url"
          placeholder="https://"
          maxLength={2000}
          value={link}
          onChange={setLink}
        />
      </FormErrors>
      <div className="actions">
        <SubmitButton busy={busy}>{b.sendLink}</SubmitButton>
      </div>
    </form>
  )
}
