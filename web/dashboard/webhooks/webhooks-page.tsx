import { AddButton } from '../core/buttons.tsx'
import { useAll, useOwners } from '../core/data/data.ts'
import type { WebhookView } from '../core/data/views.ts'
import { EmptyState, Loaded, Page } from '../core/page.tsx'
import { Link, useAdding } from '../core/router.tsx'
import { list, words } from '../words.ts'
import { eventName } from './delivery-state.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { WebhookState } from './webhook-state.tsx'

export default function WebhooksPage() {
  const webhooks = useAll<WebhookView>('/webhooks')
  const [adding, setAdding] = useAdding()
  const w = words.webhooks
  return (
    <Page
      title={w.title}
      lead={w.lead}
      actions={
        <AddButton kind="primary" onPress={() => setAdding(true)}>
          {w.add}
        </AddButton>
      }
    >
      <Loaded query={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={w.none}>{w.noneHint}</EmptyState>
          ) : (
            <ul className="panel">
              {all.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <NewWebhook onClose={() => setAdding(false)} />}
    </Page>
  )
}

function WebhookRow({ webhook }: { readonly webhook: WebhookView }) {
  const owner = useOwners().find(({ id }) => id === webhook.ownerId)
  const w = words.webhooks
  const events = list(webhook.events.map(eventName))
  return (
    <li className="row">
      <div className="row-main">
        <Link className="row-title" to={`/app/webhooks/${webhook.id}`}>
          {webhook.url}
        </Link>
        <p className="row-sub">
          {events || w.everything}
          {webhook.format !== 'standard' && ` · ${w.formats[webhook.format]}`}
          {owner?.team && ` · ${owner.name}`}
        </p>
      </div>
      <WebhookState webhook={webhook} />
    </li>
  )
}
