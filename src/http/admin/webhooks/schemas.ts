import type { Static } from 'typebox'
import {
  CALCOM_EVENTS,
  CALENDLY_EVENTS,
  MAX_SECRET,
  WEBHOOK_FORMATS,
} from '../../../domain/webhooks/formats.ts'
import { DELIVERY_STATUSES, WEBHOOK_EVENTS } from '../../../domain/webhooks/webhook.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import { PageQuery } from '../paging.ts'

/** In our words, and in those of the other formats. */
const EVENTS = [...WEBHOOK_EVENTS, ...CALCOM_EVENTS, ...CALENDLY_EVENTS] as const

const fields = {
  url: Type.String({
    maxLength: 2000,
    description: 'A public https address, without user name or password.',
  }),
  format: oneOf(
    WEBHOOK_FORMATS,
    'What deliveries look like and how they are signed: as Standard Webhooks, or as Cal.com or Calendly send them.',
  ),
  events: Type.Array(oneOf(EVENTS), {
    maxItems: EVENTS.length,
    description: 'Which events are sent, by our names or those of the format; empty: all.',
  }),
  eventTypeIds: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 200,
    description:
      'Only bookings of these event types; empty: of all that the owner has. form.submitted is always sent.',
  }),
  active: Type.Boolean({
    description: 'Turning on a webhook that the service has turned off clears its failures.',
  }),
}

export type WebhookView = Static<typeof WebhookView>
export const WebhookView = Type.Object({
  id: Type.String(),
  ownerId: Type.String(),
  ...fields,
  createdAt: Type.String(),
  previousSecretUntil: nullable(
    Type.String({ description: 'Until when the previous secret signs as well.' }),
  ),
  failingSince: nullable(
    Type.String({ description: 'The first failure since the last success; null when all is well.' }),
  ),
  disabledAt: nullable(Type.String({ description: 'When the service itself turned it off.' })),
  disabledReason: Type.String(),
})

export type WebhookWithSecretView = Static<typeof WebhookWithSecretView>
export const WebhookWithSecretView = Type.Object({
  ...WebhookView.properties,
  secret: Type.String({ description: 'Verifies deliveries. Shown only once.' }),
})

export type ChangeWebhook = Static<typeof ChangeWebhook>
export const ChangeWebhook = Type.Partial(
  Type.Object({
    ...fields,
    secret: Type.String({
      minLength: 1,
      maxLength: MAX_SECRET,
      description:
        'A secret of your own, whose whole text is the key: only for the formats calcom and calendly. It replaces the present one at once.',
    }),
    payloadTemplate: nullable(
      Type.String({ maxLength: 10_000, description: 'Not supported: anything but an empty one is refused.' }),
    ),
  }),
)

export type CreateWebhook = Static<typeof CreateWebhook>
export const CreateWebhook = Type.Object({
  ...ChangeWebhook.properties,
  url: fields.url,
  teamId: Type.Optional(Type.String({ description: 'The team that owns it; you without it.' })),
})

const Headers = Type.Record(Type.String(), Type.String())

export type DeliverySummaryView = Static<typeof DeliverySummaryView>
export const DeliverySummaryView = Type.Object({
  id: Type.String({ description: 'The webhook-id header: the same for every attempt.' }),
  webhookId: Type.String(),
  event: Type.String(),
  bookingId: nullable(Type.String()),
  test: Type.Boolean({ description: 'A sample that you sent to try the webhook.' }),
  status: oneOf(DELIVERY_STATUSES),
  attempts: Type.Integer({ description: 'Since it was queued, or last replayed.' }),
  createdAt: Type.String(),
  nextAttemptAt: nullable(Type.String({ description: 'About when the next attempt is made.' })),
  lastAttemptAt: nullable(Type.String()),
  durationMs: nullable(Type.Integer({ description: 'How long the last attempt took.' })),
  responseStatus: nullable(Type.Integer({ description: 'Null when there was no answer.' })),
  error: Type.String({ description: 'Why the last attempt failed; empty when it did not.' }),
})

export type DeliveryView = Static<typeof DeliveryView>
export const DeliveryView = Type.Object({
  ...DeliverySummaryView.properties,
  request: Type.Object({
    headers: Headers,
    body: Type.String({ description: 'Exactly as it is sent: signatures cover these very characters.' }),
  }),
  response: Type.Object({
    headers: Headers,
    body: Type.String({ description: 'At most its first 16 KB.' }),
  }),
})

export type DeliveryListQuery = Static<typeof DeliveryListQuery>
export const DeliveryListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(oneOf(DELIVERY_STATUSES)),
})

export type ReplayFailed = Static<typeof ReplayFailed>
export const ReplayFailed = Type.Object({
  since: Type.String({
    maxLength: 64,
    description: 'A UTC instant: deliveries queued then or later.',
  }),
})

export type ReplayedView = Static<typeof ReplayedView>
export const ReplayedView = Type.Object({ replayed: Type.Integer({ description: 'How many there were.' }) })

export type TestWebhookQuery = Static<typeof TestWebhookQuery>
export const TestWebhookQuery = Type.Object({
  event: Type.Optional(
    oneOf(EVENTS, 'Which event to send a sample of; without it, the first that the webhook wants.'),
  ),
})
