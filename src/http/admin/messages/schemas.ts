import type { Static } from 'typebox'
import { LANGUAGES } from '../../../domain/languages.ts'
import { CHANNELS, MAX_BODY, MAX_SUBJECT } from '../../../domain/messages/message.ts'
import { MOMENTS, RECIPIENTS } from '../../../domain/messages/moments.ts'
import { BRANCHES } from '../../../domain/messages/timeline.ts'
import { list, nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'

const MessageText = Type.Object({
  subject: Type.Optional(
    Type.String({
      maxLength: MAX_SUBJECT,
      description: 'One line, with values in it; none for texts to phones.',
    }),
  ),
  body: Type.String({
    maxLength: MAX_BODY,
    description:
      'Markdown (paragraphs, emphasis, lists, links) with values such as {{guest.name}}, {{start | date}} and {{answers.KEY}}, and {{#if NAME}}…{{else}}…{{/if}}.',
  }),
})

const texts = {
  en: MessageText,
  de: MessageText,
  es: MessageText,
  fr: MessageText,
  pt: MessageText,
  ja: MessageText,
}

const ids = (description: string) => list(Type.String({ maxLength: 64 }), { maxItems: 200, description })

const fields = {
  name: Type.String({ maxLength: 200, description: 'What hosts call it; guests don’t see it.' }),
  on: oneOf(MOMENTS, 'When it is sent. unbooked: a form led to an event type, and no booking came of it.'),
  minutes: nullable(
    Type.Integer(),
    'Before the start or after the end: 5 to 43,200. After the answers of a form (unbooked): 5 to 10,080. Null otherwise.',
  ),
  to: oneOf(RECIPIENTS, 'guest, guests (those whom the guest brings) or hosts.'),
  by: oneOf(CHANNELS, 'sms is for the guest alone, and only where the instance sends text messages.'),
  eventTypeIds: ids('Only bookings of these event types; empty: of all that the owner has.'),
  formIds: ids('For unbooked: only answers to these forms; empty: to all that the owner has.'),
  enabled: Type.Boolean(),
  replaces: Type.Boolean({
    description:
      'Its words stand in the service’s own mail of that moment: subject and opening. Times, place, links and invitation stay.',
  }),
  texts: Type.Partial(Type.Object(texts), {
    description: 'By language; at least the owner’s. Readers get their own language, or else the owner’s.',
  }),
}

export type MessageView = Static<typeof MessageView>
export const MessageView = Type.Object({
  id: Type.String(),
  ownerId: Type.String(),
  ...fields,
  createdAt: Type.String(),
})

export type ChangeMessage = Static<typeof ChangeMessage>
export const ChangeMessage = Type.Partial(Type.Object(fields))

const created = {
  ...ChangeMessage.properties,
  name: fields.name,
  on: fields.on,
  texts: fields.texts,
  teamId: Type.Optional(Type.String({ description: 'The team that owns it; you without it.' })),
}

export type CreateMessage = Static<typeof CreateMessage>
export const CreateMessage = Type.Object(created)

export const PreviewRequest = Type.Object({
  message: Type.Object(created),
  bookingId: Type.Optional(
    Type.String({ maxLength: 64, description: 'A booking to show it with; without it, an example.' }),
  ),
  language: Type.Optional(oneOf(LANGUAGES, 'The reader’s language; without it, that of the booking.')),
})

export type PreviewView = Static<typeof PreviewView>
export const PreviewView = Type.Object({
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  sms: nullable(
    Type.Object({
      text: Type.String(),
      segments: Type.Integer({ description: 'How many text messages a phone company counts.' }),
    }),
    'Null for emails.',
  ),
  warnings: Type.Array(
    Type.Object({ field: Type.String(), name: Type.String(), line: Type.Integer(), column: Type.Integer() }),
    { description: 'Values that may be empty, outside any {{#if}} that asks for them.' },
  ),
})

export const TimelineQuery = Type.Object({
  start: Type.Optional(Type.String({ maxLength: 64, description: 'A UTC instant; without it, in a week.' })),
  branch: Type.Optional(
    oneOf(
      BRANCHES,
      'What becomes of the booking; without it, it takes place. Only requests can be declined.',
    ),
  ),
  language: Type.Optional(oneOf(LANGUAGES, 'The guest’s language; without it, the owner’s.')),
})

export type TimelineView = Static<typeof TimelineView>
export const TimelineView = Type.Array(
  Type.Object({
    at: Type.String(),
    when: Type.String({ description: 'The same in words.' }),
    to: oneOf(RECIPIENTS),
    by: oneOf(CHANNELS),
    subject: Type.String(),
    text: Type.String({ description: 'As it will read, for an example.' }),
    messageId: Type.Optional(Type.String()),
    standard: Type.Optional(
      Type.String({ description: 'The service’s own mail, such as booked or reminder.' }),
    ),
  }),
  { description: 'Each entry has either messageId or standard.' },
)

export const MESSAGE_STATES = ['planned', 'sent', 'skipped', 'failed'] as const

export type BookingMessagesView = Static<typeof BookingMessagesView>
export const BookingMessagesView = Type.Array(
  Type.Object({
    messageId: Type.String(),
    to: oneOf(RECIPIENTS),
    by: oneOf(CHANNELS),
    state: oneOf(MESSAGE_STATES),
    at: Type.String({ description: 'When it was sent or skipped, or will be due.' }),
    reason: Type.String({ description: 'Why it was skipped or failed; empty otherwise.' }),
  }),
)
