import { Select, TextArea, TextInput } from '../core/fields.tsx'
import type { FormView } from '../core/views.ts'

interface Props {
  readonly field: FormView['fields'][number]
  readonly label: string
  readonly value: string
  readonly onChange: (answer: string) => void
}

/** An answer to a question of a form, as a visitor would give it. */
export function AnswerInput({ field: { type, options }, ...input }: Props) {
  if (type === 'textarea') return <TextArea {...input} rows={2} />
  if (type !== 'select') return <TextInput {...input} />
  const choices = options.map((option) => ({ id: option.id, label: option.label || option.id }))
  return <Select {...input} options={[{ id: '', label: '–' }, ...choices]} />
}
