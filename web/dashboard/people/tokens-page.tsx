import { useState } from 'react'
import { call } from '../core/api.ts'
import { Action, NumberInput, Select, TextInput, Trouble } from '../core/controls.tsx'
import { useAll, useChange } from '../core/data.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page } from '../core/page.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { useTimes } from '../core/times.ts'
import type { TokenView } from '../core/views.ts'
import { words } from '../words.ts'

export default function TokensPage() {
  const tokens = useAll<TokenView>('/tokens')
  const times = useTimes()
  const [adding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<TokenView>()
  const t = words.tokens
  const revoke = useChange((id: string) => call(`/tokens/${id}`, { method: 'DELETE' }), ['/tokens'])
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Action kind="main" onPress={() => setAdding(true)}>
          <PlusIcon size={16} />
          {t.add}
        </Action>
      }
    >
      <Loaded query={tokens}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t.none}>{t.noneHint}</Empty>
          ) : (
            <ul className="panel rows">
              {all.map((token) => (
                <li key={token.id} className="row">
                  <div className="min-w-0 flex-1">
                    <p className="row-title m-0">{token.name}</p>
                    <p className="row-sub">
                      {token.scopes.includes('write') ? t.write : t.read} ·{' '}
                      {t.made(times.moment(token.createdAt))}
                      {' · '}
                      {token.expiresAt === null ? t.forever : t.until(times.moment(token.expiresAt))}
                    </p>
                  </div>
                  <Action small label={`${t.revoke}: ${token.name}`} onPress={() => setRevoking(token)}>
                    {t.revoke}
                  </Action>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <AddToken onClose={() => setAdding(false)} />}
      {revoking && (
        <Confirm
          title={t.revokeTitle(revoking.name)}
          confirm={t.revoke}
          busy={revoke.isPending}
          error={revoke.error}
          onClose={() => setRevoking(undefined)}
          onConfirm={() => revoke.mutate(revoking.id, { onSuccess: () => setRevoking(undefined) })}
        >
          {t.revokeHint}
        </Confirm>
      )}
    </Page>
  )
}

function AddToken({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState('read')
  const [days, setDays] = useState<number | null>(90)
  const t = words.tokens
  const add = useChange(
    () =>
      call<TokenView & { token: string }>('/tokens', {
        method: 'POST',
        body: { name, scopes: [scope], ...(days !== null && { expiresInDays: days }) },
      }),
    ['/tokens'],
  )
  if (add.data !== undefined) {
    return (
      <Sheet title={t.ready} onClose={onClose} alert>
        <ShownOnce secret={add.data.body.token} onDone={onClose} />
      </Sheet>
    )
  }
  return (
    <Sheet title={t.add} onClose={onClose}>
      <TextInput label={words.name} hint={t.nameHint} maxLength={100} value={name} onChange={setName} />
      <Select
        label={t.scope}
        value={scope}
        options={[
          { id: 'read', label: t.read },
          { id: 'write', label: t.write },
        ]}
        onChange={setScope}
      />
      <NumberInput
        label={t.expires}
        hint={t.expiresHint}
        unit={words.units.days}
        value={days}
        onChange={setDays}
      />
      <Trouble error={add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action kind="main" busy={add.isPending} onPress={() => add.mutate(undefined)}>
          {words.eventTypes.create}
        </Action>
      </div>
    </Sheet>
  )
}
