import { useState } from 'react'
import { call } from '../../core/data/api.ts'
import { useChange } from '../../core/data/data.ts'
import type { AttributeView, MemberView, TeamView } from '../../core/data/views.ts'
import { CreateSheet } from '../../core/dialogs.tsx'
import { Checkboxes, Select, TextInput } from '../../core/fields/fields.tsx'
import { list, tell, words } from '../../words.ts'

type Value = MemberView['attributes'][string]

/** A value of an attribute in one line. */
export const valueText = (value: Value) => list([value].flat())

interface Props {
  readonly team: TeamView
  readonly member: MemberView
  readonly attributes: readonly AttributeView[]
  readonly onClose: () => void
}

/** Edits what is set for one member. */
export function MemberAttributes({ team, member, attributes, onClose }: Props) {
  const [draft, setDraft] = useState(member.attributes)
  const members = `/teams/${team.id}/members`
  const save = useChange(
    // What is not set any more has to be said.
    (given: Readonly<Record<string, Value | null>>) =>
      call(`${members}/${member.userId}`, { method: 'PATCH', body: { attributes: given } }),
    [members],
  )
  const given = Object.fromEntries(attributes.map(({ key }) => [key, draft[key] ?? null]))
  return (
    <CreateSheet
      title={tell(words.attributes.of, { name: member.name })}
      submit={words.save}
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() => save.mutate(given, { onSuccess: onClose })}
    >
      {attributes.map((attribute) => (
        <ValueInput
          key={attribute.key}
          attribute={attribute}
          value={draft[attribute.key]}
          onChange={(value) => setDraft({ ...draft, [attribute.key]: value })}
        />
      ))}
    </CreateSheet>
  )
}

interface ValueProps {
  readonly attribute: AttributeView
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}

function ValueInput({ attribute: { key, label, type, options }, value, onChange }: ValueProps) {
  const field = `attributes.${key}`
  const text = typeof value === 'string' ? value : ''
  const choices = options.map((option) => ({ id: option, label: option }))
  if (type === 'text') {
    return <TextInput label={label} field={field} maxLength={200} value={text} onChange={onChange} />
  }
  if (type === 'one') {
    const all = [{ id: '', label: words.attributes.notSet }, ...choices]
    return <Select label={label} field={field} value={text} options={all} onChange={onChange} />
  }
  const chosen = typeof value === 'string' ? [] : (value ?? [])
  return <Checkboxes label={label} field={field} options={choices} chosen={chosen} onChange={onChange} />
}
