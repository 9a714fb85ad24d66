import { useState } from 'react'
import { call } from '../core/data/api.ts'
import { useChange, useEventTypes } from '../core/data/data.ts'
import type { CreateWebhook, WebhookWithSecretView } from '../core/data/views.ts'
import { CreateSheet, Sheet } from '../core/dialogs.tsx'
import { OwnerSelect, teamOf, useOwnerChoice } from '../core/fields/owner-select.tsx'
import { navigate } from '../core/router.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { words } from '../words.ts'
import { OwnSecret, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

const NEW: WebhookDraft = { url: '', format: 'standard', events: [], eventTypeIds: [] }

export function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const choice = useOwnerChoice()
  const { owner } = choice
  const [draft, setDraft] = useState<WebhookDraft>(NEW)
  const [ownSecret, setOwnSecret] = useState('')
  const eventTypes = (useEventTypes().data ?? []).filter(({ ownerId }) => ownerId === owner?.id)
  const w = words.webhooks
  const create = useChange(() => {
    const secret = draft.format === 'standard' || ownSecret === '' ? {} : { secret: ownSecret }
    const body: CreateWebhook = { ...draft, ...secret, ...teamOf(owner) }
    return call<WebhookWithSecretView>('/webhooks', { method: 'POST', body })
  }, ['/webhooks'])
  if (create.data !== undefined) {
    const { id, secret } = create.data.body
    const done = () => navigate(`/app/webhooks/${id}`)
    return (
      <Sheet title={w.secretReady} onClose={done} alert>
        <ShownOnce secret={secret} onDone={done} />
      </Sheet>
    )
  }
  return (
    <CreateSheet
      wide
      title={w.add}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() => create.mutate(undefined)}
    >
      <OwnerSelect choice={choice} onChange={() => setDraft({ ...draft, eventTypeIds: [] })} />
      <WebhookFields
        draft={draft}
        eventTypes={eventTypes}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      {draft.format !== 'standard' && <OwnSecret value={ownSecret} onChange={setOwnSecret} />}
    </CreateSheet>
  )
}
