import type { WebhookView } from '../core/data/views.ts'
import { words } from '../words.ts'

/** Whether a webhook is on, off or failing. */
export function WebhookState({ webhook }: { readonly webhook: WebhookView }) {
  const w = words.webhooks
  const [status, label] = webhook.active
    ? webhook.failingSince === null
      ? ['Confirmed', w.on]
      : ['Declined', w.failing]
    : ['Cancelled', webhook.disabledAt === null ? w.off : w.disabled]
  return (
    <span className="status" data-status={status}>
      {label}
    </span>
  )
}
