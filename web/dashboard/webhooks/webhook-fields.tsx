import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../src/domain/webhooks/webhook.ts'
import { TextInput, Ticks } from '../core/controls.tsx'
import type { EventTypeView } from '../core/views.ts'
import { words } from '../words.ts'

export interface WebhookDraft {
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly eventTypeIds: readonly string[]
}

interface Props {
  readonly draft: WebhookDraft
  readonly eventTypes: readonly EventTypeView[]
  readonly error?: string | undefined
  readonly onChange: (part: Partial<WebhookDraft>) => void
}

/** What is told to whom. */
export function WebhookFields({ draft, eventTypes, error, onChange }: Props) {
  const w = words.webhooks
  return (
    <>
      <TextInput
        label={w.url}
        hint={w.urlHint}
        type="url"
        maxLength={2000}
        placeholder="https://"
        value={draft.url}
        error={error}
        onChange={(url) => onChange({ url })}
      />
      <Ticks
        label={w.events}
        hint={w.eventsHint}
        options={WEBHOOK_EVENTS.map((id) => ({ id, label: w.eventNames[id] }))}
        chosen={draft.events}
        onChange={(chosen) => onChange({ events: WEBHOOK_EVENTS.filter((event) => chosen.includes(event)) })}
      />
      {eventTypes.length > 0 && (
        <Ticks
          label={w.eventTypes}
          hint={w.eventTypesHint}
          options={eventTypes.map(({ id, name }) => ({ id, label: name }))}
          chosen={draft.eventTypeIds}
          onChange={(eventTypeIds) => onChange({ eventTypeIds })}
        />
      )}
    </>
  )
}
