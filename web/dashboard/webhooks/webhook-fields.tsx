import { WEBHOOK_EVENTS } from '../../../src/domain/webhooks/webhook.ts'
import type { EventTypeView, WebhookView } from '../core/data/views.ts'
import { Checkboxes, TextInput } from '../core/fields/fields.tsx'
import { words } from '../words.ts'

export type WebhookDraft = Pick<WebhookView, 'url' | 'events' | 'eventTypeIds'>

interface Props {
  readonly draft: WebhookDraft
  readonly eventTypes: readonly EventTypeView[]
  readonly onChange: (part: Partial<WebhookDraft>) => void
}

/** Where messages go, and about what. */
export function WebhookFields({ draft, eventTypes, onChange }: Props) {
  const w = words.webhooks
  return (
    <>
      <TextInput
        label={w.url}
        hint={w.urlHint}
        field="url"
        type="url"
        maxLength={2000}
        placeholder="https://"
        value={draft.url}
        onChange={(url) => onChange({ url })}
      />
      <Checkboxes
        label={w.events}
        hint={w.eventsHint}
        field="events"
        options={WEBHOOK_EVENTS.map((id) => ({ id, label: w.eventNames[id] }))}
        chosen={draft.events}
        onChange={(chosen) => onChange({ events: WEBHOOK_EVENTS.filter((event) => chosen.includes(event)) })}
      />
      {eventTypes.length > 0 && (
        <Checkboxes
          label={w.eventTypes}
          hint={w.eventTypesHint}
          field="eventTypeIds"
          options={eventTypes.map(({ id, name }) => ({ id, label: name }))}
          chosen={draft.eventTypeIds}
          onChange={(eventTypeIds) => onChange({ eventTypeIds })}
        />
      )}
    </>
  )
}
