import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { signOut } from '../core/data/session.ts'
import { Confirm } from '../core/dialogs.tsx'
import { Switch, TextInput } from '../core/fields/fields.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'

/** Deletes the account, after its owner has typed their address. */
export function DeleteAccount({ email }: { readonly email: string }) {
  const [asking, setAsking] = useState(false)
  const p = words.profile
  return (
    <Section title={p.deleteAccount} hint={p.deleteAccountHint}>
      <div>
        <Button kind="danger" onPress={() => setAsking(true)}>
          {p.deleteAccount}
        </Button>
      </div>
      {asking && <Ask email={email} onClose={() => setAsking(false)} />}
    </Section>
  )
}

function Ask({ email, onClose }: { readonly email: string; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [cancel, setCancel] = useState(false)
  const p = words.profile
  const remove = useMutation({
    mutationFn: async () => {
      await call(`/me${cancel ? '?cancel=true' : ''}`, { method: 'DELETE', body: { email: typed } })
      await signOut(false)
    },
  })
  return (
    <Confirm
      title={p.deleteAccountTitle}
      confirm={p.deleteAccount}
      cancel={p.keepAccount}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>{p.deleteAccountWhat}</p>
      <p>{p.deleteAccountTeams}</p>
      <TextInput
        label={p.typeEmail}
        hint={email}
        field="email"
        type="email"
        autoComplete="off"
        maxLength={254}
        value={typed}
        onChange={setTyped}
      />
      <Switch label={p.cancelMeetings} hint={p.cancelMeetingsHint} on={cancel} onChange={setCancel} />
    </Confirm>
  )
}
