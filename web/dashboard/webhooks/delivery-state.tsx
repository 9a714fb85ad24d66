import type { DeliveryStatus } from '../../../src/domain/webhooks/webhook.ts'
import { words } from '../words.ts'

/** The colours of a booking's status mean the same here. */
const COLOURS: Readonly<Record<DeliveryStatus, string>> = {
  pending: '',
  succeeded: 'Confirmed',
  failed: 'Declined',
}

export function DeliveryState({ status }: { readonly status: DeliveryStatus }) {
  return (
    <span className="status" data-status={COLOURS[status]}>
      {words.webhooks.statuses[status]}
    </span>
  )
}

/** What an event is called; its own name if a newer server knows more of them. */
export function eventName(event: string): string {
  const names: Readonly<Record<string, string>> = words.webhooks.eventNames
  return names[event] ?? event
}
