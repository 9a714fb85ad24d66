import { useState } from 'react'
import { call } from '../core/api.ts'
import { Action, Select, Trouble } from '../core/controls.tsx'
import { type Owner, useAll, useChange, useEventTypes, useOwners } from '../core/data.ts'
import { Sheet } from '../core/dialogs.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page } from '../core/page.tsx'
import { Link, navigate } from '../core/router.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import type { WebhookView } from '../core/views.ts'
import { words } from '../words.ts'
import { type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

export default function WebhooksPage() {
  const webhooks = useAll<WebhookView>('/webhooks')
  const owners = useOwners()
  const [adding, setAdding] = useState(false)
  const w = words.webhooks
  return (
    <Page
      title={w.title}
      lead={w.lead}
      actions={
        <Action kind="main" onPress={() => setAdding(true)}>
          <PlusIcon size={16} />
          {w.add}
        </Action>
      }
    >
      <Loaded query={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={w.none}>{w.noneHint}</Empty>
          ) : (
            <ul className="panel rows">
              {all.map((webhook) => {
                const owner = owners.find(({ id }) => id === webhook.ownerId)
                return (
                  <li key={webhook.id} className="row">
                    <div className="min-w-0 flex-1 basis-56">
                      <Link className="row-title" to={`/app/webhooks/${webhook.id}`}>
                        {webhook.url}
                      </Link>
                      <p className="row-sub">
                        {webhook.events.length === 0
                          ? w.everything
                          : webhook.events.map((event) => w.eventNames[event]).join(', ')}
                        {owner?.team && ` · ${owner.name}`}
                      </p>
                    </div>
                    <WebhookState webhook={webhook} />
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
      {adding && <AddWebhook owners={owners} onClose={() => setAdding(false)} />}
    </Page>
  )
}

export function WebhookState({ webhook }: { readonly webhook: WebhookView }) {
  const w = words.webhooks
  if (!webhook.active) {
    return (
      <span className="status" data-status="Cancelled">
        {webhook.disabledAt === null ? w.off : w.disabled}
      </span>
    )
  }
  if (webhook.failingSince !== null) {
    return (
      <span className="status" data-status="Declined">
        {w.failing}
      </span>
    )
  }
  return (
    <span className="status" data-status="Confirmed">
      {w.on}
    </span>
  )
}

function AddWebhook({
  owners,
  onClose,
}: {
  readonly owners: readonly Owner[]
  readonly onClose: () => void
}) {
  const managed = owners.filter(({ manages }) => manages)
  const [ownerId, setOwnerId] = useState(managed[0]?.id ?? '')
  const [draft, setDraft] = useState<WebhookDraft>({ url: '', events: [], eventTypeIds: [] })
  const owner = managed.find(({ id }) => id === ownerId)
  const eventTypes = (useEventTypes().data ?? []).filter((eventType) => eventType.ownerId === ownerId)
  const w = words.webhooks
  const add = useChange(
    () =>
      call<WebhookView & { secret: string }>('/webhooks', {
        method: 'POST',
        body: { ...draft, ...(owner?.team && { teamId: owner.id }) },
      }),
    ['/webhooks'],
  )
  if (add.data !== undefined) {
    const { id, secret } = add.data.body
    const done = () => navigate(`/app/webhooks/${id}`)
    return (
      <Sheet title={w.secretReady} onClose={done} alert>
        <ShownOnce secret={secret} onDone={done} />
      </Sheet>
    )
  }
  return (
    <Sheet title={w.add} onClose={onClose} wide>
      {managed.length > 1 && (
        <Select
          label={words.owner}
          value={ownerId}
          options={managed.map(({ id, name }) => ({ id, label: name }))}
          onChange={(id) => {
            setOwnerId(id)
            setDraft({ ...draft, eventTypeIds: [] })
          }}
        />
      )}
      <WebhookFields
        draft={draft}
        eventTypes={eventTypes}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      <Trouble error={add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action kind="main" busy={add.isPending} onPress={() => add.mutate(undefined)}>
          {w.create}
        </Action>
      </div>
    </Sheet>
  )
}
