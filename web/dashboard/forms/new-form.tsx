import { useState } from 'react'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import type { CreateForm, FormView } from '../core/data/views.ts'
import { CreateSheet } from '../core/dialogs.tsx'
import { TextInput } from '../core/fields/fields.tsx'
import { OwnerSelect, teamOf, useOwnerChoice } from '../core/fields/owner-select.tsx'
import { slugOf } from '../core/fields/slug.tsx'
import { navigate } from '../core/router.tsx'
import { words } from '../words.ts'

export function NewForm({ onClose }: { readonly onClose: () => void }) {
  const choice = useOwnerChoice()
  const [name, setName] = useState('')
  const f = words.forms
  const create = useChange(() => {
    const body: CreateForm = {
      name,
      slug: slugOf(name),
      fields: [{ id: 'topic', label: f.firstField, type: 'text', required: true, options: [] }],
      fallback: { action: 'message', message: f.firstMessage },
      ...teamOf(choice.owner),
    }
    return call<FormView>('/routing-forms', { method: 'POST', body })
  }, ['/routing-forms'])
  return (
    <CreateSheet
      title={f.add}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(undefined, { onSuccess: ({ body }) => navigate(`/app/forms/${body.id}`) })
      }
    >
      <OwnerSelect choice={choice} />
      <TextInput
        label={words.name}
        hint={f.nameHint}
        field="name"
        maxLength={200}
        value={name}
        onChange={setName}
      />
    </CreateSheet>
  )
}
