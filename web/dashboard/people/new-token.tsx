import { useState } from 'react'
import { SCOPES } from '../../../src/domain/people/user.ts'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import type { CreateToken, NewTokenView } from '../core/data/views.ts'
import { CreateSheet, Sheet } from '../core/dialogs.tsx'
import { NumberInput, Select, TextInput } from '../core/fields/fields.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { words } from '../words.ts'

export function NewToken({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('read')
  const [days, setDays] = useState<number | null>(90)
  const t = words.tokens
  const create = useChange(() => {
    const body: CreateToken = { name, scopes: [scope], ...(days !== null && { expiresInDays: days }) }
    return call<NewTokenView>('/tokens', { method: 'POST', body })
  }, ['/tokens'])
  if (create.data !== undefined) {
    return (
      <Sheet title={t.ready} onClose={onClose} alert>
        <ShownOnce secret={create.data.body.token} onDone={onClose} />
      </Sheet>
    )
  }
  return (
    <CreateSheet
      title={t.add}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextInput
        label={words.name}
        hint={t.nameHint}
        field="name"
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <Select
        label={t.scope}
        field="scopes"
        value={scope}
        options={SCOPES.map((id) => ({ id, label: t[id] }))}
        onChange={(chosen) => setScope(SCOPES.find((one) => one === chosen) ?? 'read')}
      />
      <NumberInput
        label={t.expires}
        hint={t.expiresHint}
        field="expiresInDays"
        unit={words.units.days}
        value={days}
        onChange={setDays}
      />
    </CreateSheet>
  )
}
