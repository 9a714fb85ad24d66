import {
  EVENTS_OF,
  MAX_SECRET,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '../../../src/domain/webhooks/formats.ts'
import { type SubscribedEvent, WEBHOOK_EVENTS } from '../../../src/domain/webhooks/webhook.ts'
import type { EventTypeView, WebhookView } from '../core/data/views.ts'
import { Checkboxes, Select, TextInput } from '../core/fields/fields.tsx'
import { words } from '../words.ts'
import { eventName, isAmong } from './delivery-state.tsx'

export type WebhookDraft = Pick<WebhookView, 'url' | 'format' | 'events' | 'eventTypeIds'>

interface Props {
  readonly draft: WebhookDraft
  readonly eventTypes: readonly EventTypeView[]
  readonly onChange: (part: Partial<WebhookDraft>) => void
}

/** Where messages go, and about what. */
export function WebhookFields({ draft, eventTypes, onChange }: Props) {
  const w = words.webhooks
  const events: readonly SubscribedEvent[] =
    draft.format === 'standard' ? WEBHOOK_EVENTS : EVENTS_OF[draft.format]
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
      <Select
        label={w.format}
        hint={w.formatHint}
        field="format"
        value={draft.format}
        options={WEBHOOK_FORMATS.map((id) => ({ id, label: w.formats[id] }))}
        onChange={(format) => onChange({ format: format as WebhookFormat, events: [] })}
      />
      <Checkboxes
        label={w.events}
        hint={w.eventsHint}
        field="events"
        options={events.map((id) => ({ id, label: eventName(id) }))}
        chosen={events.filter((event) => isAmong(event, draft.events))}
        onChange={(chosen) => onChange({ events: events.filter((event) => chosen.includes(event)) })}
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

interface SecretProps {
  readonly value: string
  readonly onChange: (secret: string) => void
}

/** A secret that the receiver knows already. */
export function OwnSecret({ value, onChange }: SecretProps) {
  const w = words.webhooks
  return (
    <TextInput
      label={w.ownSecret}
      hint={w.ownSecretHint}
      field="secret"
      maxLength={MAX_SECRET}
      value={value}
      onChange={onChange}
    />
  )
}
