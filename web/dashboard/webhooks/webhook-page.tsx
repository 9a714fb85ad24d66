import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call, type Versioned } from '../core/data/api.ts'
import { useChange, useEventTypes, useOne } from '../core/data/data.ts'
import type { WebhookView, WebhookWithSecretView } from '../core/data/views.ts'
import { Confirm, CreateSheet, Sheet } from '../core/dialogs.tsx'
import { SaveBar, useDraft } from '../core/fields/draft.tsx'
import { Switch } from '../core/fields/fields.tsx'
import { FormErrors } from '../core/fields/form-errors.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { navigate } from '../core/router.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'
import { Deliveries } from './deliveries.tsx'
import { OwnSecret, WebhookFields } from './webhook-fields.tsx'
import { WebhookState } from './webhook-state.tsx'

export default function WebhookPage({ id }: { readonly id: string }) {
  const webhook = useOne<WebhookView>(`/webhooks/${id}`)
  const host = URL.parse(webhook.data?.body.url ?? '')?.host
  return (
    <Page
      title={host ?? words.webhooks.title}
      back={{ to: '/app/webhooks', label: words.webhooks.title }}
      actions={webhook.data && <WebhookState webhook={webhook.data.body} />}
    >
      <Loaded query={webhook} skeleton={<RowsSkeleton rows={5} />}>
        {(found) => <Webhook loaded={found} />}
      </Loaded>
    </Page>
  )
}

function Webhook({ loaded }: { readonly loaded: Versioned<WebhookView> }) {
  const { id, ownerId, disabledReason, disabledAt } = loaded.body
  const edited = useDraft(`/webhooks/${id}`, loaded, ['/webhooks'])
  const { draft, set } = edited
  const eventTypes = (useEventTypes().data ?? []).filter((eventType) => eventType.ownerId === ownerId)
  const w = words.webhooks
  return (
    <>
      {disabledAt !== null && <p className="alert">{tell(w.disabledHint, { reason: disabledReason })}</p>}
      <Deliveries webhookId={id} />
      <FormErrors error={edited.save.error}>
        <Section title={w.settings}>
          <Switch
            label={w.active}
            hint={w.activeHint}
            on={draft.active}
            onChange={(active) => set({ active })}
          />
          <WebhookFields draft={draft} eventTypes={eventTypes} onChange={set} />
        </Section>
        <SecretSection webhook={loaded.body} />
        <SaveBar draft={edited} />
      </FormErrors>
    </>
  )
}

/** The signing secret, and deleting the webhook. */
function SecretSection({ webhook }: { readonly webhook: WebhookView }) {
  const { id, format, previousSecretUntil } = webhook
  const path = `/webhooks/${id}`
  const times = useTimes()
  const [asking, setAsking] = useState<'rotate' | 'own' | 'delete'>()
  const rotate = useChange(
    () => call<WebhookWithSecretView>(`${path}/rotate-secret`, { method: 'POST', body: {} }),
    [path],
  )
  const remove = useChange(() => call(path, { method: 'DELETE' }), ['/webhooks'])
  const w = words.webhooks
  const close = () => {
    rotate.reset()
    remove.reset()
    setAsking(undefined)
  }
  return (
    <Section
      title={w.secret}
      hint={
        previousSecretUntil === null
          ? w.secretHint
          : tell(w.secretOld, { time: times.moment(previousSecretUntil) })
      }
    >
      <div className="actions">
        <Button onPress={() => setAsking('rotate')}>{w.rotate}</Button>
        {format !== 'standard' && <Button onPress={() => setAsking('own')}>{w.useOwnSecret}</Button>}
        <Button onPress={() => setAsking('delete')}>{w.remove}</Button>
      </div>
      {asking === 'rotate' && rotate.data === undefined && (
        <Confirm
          title={w.rotateTitle}
          confirm={w.rotate}
          danger={false}
          busy={rotate.isPending}
          error={rotate.error}
          onClose={close}
          onConfirm={() => rotate.mutate(undefined)}
        >
          {format === 'standard' ? w.rotateHint : w.rotateAtOnce}
        </Confirm>
      )}
      {rotate.data !== undefined && (
        <Sheet title={w.secretReady} onClose={close} alert>
          <ShownOnce secret={rotate.data.body.secret} onDone={close} />
        </Sheet>
      )}
      {asking === 'own' && <UseOwnSecret path={path} onClose={close} />}
      {asking === 'delete' && (
        <Confirm
          title={w.removeTitle}
          confirm={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onClose={close}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => navigate('/app/webhooks', { force: true }) })
          }
        >
          {w.removeHint}
        </Confirm>
      )}
    </Section>
  )
}

interface OwnProps {
  readonly path: string
  readonly onClose: () => void
}

function UseOwnSecret({ path, onClose }: OwnProps) {
  const [secret, setSecret] = useState('')
  const save = useChange(() => call(path, { method: 'PATCH', body: { secret } }), [path])
  const w = words.webhooks
  return (
    <CreateSheet
      title={w.useOwnSecret}
      submit={words.save}
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
    >
      <p className="muted">{w.useOwnSecretHint}</p>
      <OwnSecret value={secret} onChange={setSecret} />
    </CreateSheet>
  )
}
