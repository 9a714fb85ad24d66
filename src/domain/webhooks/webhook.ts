import { type Booking, shownLocation } from '../bookings/booking.ts'
import type { ChangeRecord, MeetingHost } from '../bookings/change.ts'
import type { EventType } from '../event-types/event-type.ts'
import type { Answers, RoutingForm, Target } from '../forms/routing.ts'
import { formatInstant } from '../instant.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'

export const WEBHOOK_EVENTS = [
  'booking.created',
  'booking.approved',
  'booking.declined',
  'booking.cancelled',
  'booking.rescheduled',
  'booking.reassigned',
  'booking.updated',
  'booking.no_show',
  'booking.completed',
  'form.submitted',
  'message.failed',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The settings of a webhook. */
export interface WebhookContent {
  readonly url: string
  /** Empty: all, including future ones. */
  readonly events: readonly WebhookEvent[]
  /** Only bookings of these event types; empty: of all. Doesn't filter forms. */
  readonly eventTypeIds: readonly string[]
  readonly active: boolean
}

/** An address that gets the events of a user's or team's bookings and forms. */
export interface Webhook extends WebhookContent {
  readonly id: string
  readonly schedulerId: string
  /** Sealed where it is stored. */
  readonly secret: string
  /** The old secret also signs until `previousSecretUntil`. */
  readonly previousSecret: string | null
  readonly previousSecretUntil: number | null
  readonly createdAt: number
  /** The first failure since the last success; null: the last delivery succeeded. */
  readonly failingSince: number | null
  /** When and why the service disabled it. */
  readonly disabledAt: number | null
  readonly disabledReason: Sentence
}

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const DAY = 24 * 3_600_000

/** How long an old secret keeps signing beside the new one. */
export const ROTATION = DAY

const MAX_RETRY_AFTER = DAY
const GIVE_UP_AFTER = 5 * DAY
const STILL_FAILING_AFTER = DAY

/** Throws `invalid` if these settings can't work. */
export function checkWebhook({ events, eventTypeIds, url }: WebhookContent): void {
  if (url.length > 2000) throw invalidField('url', sentence`{field} must be at most ${2000} characters.`)
  for (const [index, event] of events.entries()) {
    const field = `events.${index}`
    if (!WEBHOOK_EVENTS.includes(event))
      throw invalidField(field, sentence`{field} must be one of ${WEBHOOK_EVENTS}.`)
    if (events.indexOf(event) < index)
      throw new Problem('invalid', sentence`The event ${event} is listed twice.`, { field })
  }
  for (const [index, id] of eventTypeIds.entries()) {
    if (eventTypeIds.indexOf(id) < index) {
      throw new Problem('invalid', sentence`An event type is listed twice.`, {
        field: `eventTypeIds.${index}`,
      })
    }
  }
}

/** Whether this webhook gets the event; `eventTypeId` is null for events without an event type. */
export function wants(webhook: WebhookContent, event: WebhookEvent, eventTypeId: string | null): boolean {
  if (!webhook.active) return false
  if (webhook.events.length > 0 && !webhook.events.includes(event)) return false
  return (
    eventTypeId === null || webhook.eventTypeIds.length === 0 || webhook.eventTypeIds.includes(eventTypeId)
  )
}

/** The secrets that sign at this instant, the current one first. */
export function signingSecrets(webhook: Webhook, now: number): string[] {
  const { secret, previousSecret, previousSecretUntil } = webhook
  const both = previousSecret !== null && previousSecretUntil !== null && now < previousSecretUntil
  return both ? [secret, previousSecret] : [secret]
}

/** Whether a webhook has been failing for so long that it should be disabled. */
export function shouldDisable({ failingSince }: Webhook, queuedAt: number, now: number): boolean {
  if (failingSince === null || now - failingSince < GIVE_UP_AFTER) return false
  // With few bookings, one failure weeks ago would look like weeks of failures.
  return now - queuedAt >= STILL_FAILING_AFTER
}

/** The instant until which a `Retry-After` header asks to wait; undefined if it is missing or unreadable. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : undefined
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  const at = seconds === undefined ? date : now + seconds
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, now), now + MAX_RETRY_AFTER)
}

/** The body of a delivery: the same shape for every event. */
export interface WebhookPayload {
  readonly type: WebhookEvent
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The parts of a booking change that go into a payload. */
interface ToldChange extends ChangeRecord {
  readonly booking: Pick<
    Booking,
    | 'invitee'
    | 'guests'
    | 'location'
    | 'customFields'
    | 'notes'
    | 'source'
    | 'utm'
    | 'createdAt'
    | 'series'
    | 'routing'
  >
  readonly eventType: Pick<EventType, 'id' | 'slug' | 'name'>
  readonly scheduler: { readonly slug: string }
  readonly hosts: readonly MeetingHost[]
}

export function bookingPayload(change: ToldChange): WebhookPayload {
  const { booking, eventType, scheduler, hosts } = change
  const { invitee } = booking
  // A link that was made for this booking is shown only while it leads somewhere.
  const location = booking.location.provider ? shownLocation({ ...booking, ...change }) : booking.location
  return {
    type: `booking.${change.type}`,
    timestamp: formatInstant(change.at),
    data: {
      id: change.bookingId,
      ...(booking.series && { seriesId: booking.series.id }),
      eventTypeId: eventType.id,
      eventTypeSlug: eventType.slug,
      eventTypeName: eventType.name,
      userSlug: scheduler.slug,
      status: change.status,
      startTime: formatInstant(change.startsAt),
      endTime: formatInstant(change.endsAt),
      previousStartTime: change.previousStartsAt === null ? null : formatInstant(change.previousStartsAt),
      invitee: {
        name: invitee.name,
        email: invitee.email,
        phone: invitee.phone,
        timezone: invitee.timeZone,
        locale: invitee.locale,
      },
      guests: booking.guests,
      location: { type: location.type, value: location.value },
      customFields: booking.customFields,
      notes: booking.notes,
      source: booking.source,
      utm: booking.utm,
      ...(booking.routing && { routing: booking.routing }),
      reason: change.reason,
      changedBy: change.by,
      sequence: change.sequence,
      hosts: hosts.map(({ id, slug, name, email, timeZone }) => ({
        id,
        slug,
        name,
        email,
        timezone: timeZone,
      })),
      createdAt: formatInstant(booking.createdAt),
    },
  }
}

/** A message that did not arrive. */
export interface FailedMessage {
  readonly message: { readonly id: string; readonly name: string; readonly on: string; readonly by: string }
  readonly bookingId: string | null
  readonly responseId: string | null
  readonly to: string
  readonly reason: string
  readonly at: number
}

export function messagePayload(failed: FailedMessage): WebhookPayload {
  const { message, bookingId, responseId, to, reason, at } = failed
  return {
    type: 'message.failed',
    timestamp: formatInstant(at),
    data: {
      messageId: message.id,
      messageName: message.name,
      on: message.on,
      by: message.by,
      to,
      bookingId,
      responseId,
      reason,
    },
  }
}

/** The data of a job that announces the answers to a form. */
export interface ResponseRecord {
  readonly responseId: string
}

interface SubmittedForm {
  readonly id: string
  readonly form: Pick<RoutingForm, 'id' | 'slug' | 'name' | 'fields'>
  readonly userSlug: string
  readonly answers: Answers
  readonly result: Target
  /** The event type that the result leads to, if it still exists. */
  readonly eventType: { readonly slug: string; readonly name: string } | undefined
  readonly at: number
}

export function formPayload({
  id,
  form,
  userSlug,
  answers,
  result,
  eventType,
  at,
}: SubmittedForm): WebhookPayload {
  const fields = new Map(form.fields.map((field) => [field.id, field]))
  return {
    type: 'form.submitted',
    timestamp: formatInstant(at),
    data: {
      id,
      formId: form.id,
      formSlug: form.slug,
      formName: form.name,
      userSlug,
      // A list keeps the form's order, and has room for answers to unknown fields.
      answers: Object.keys(answers)
        .sort((a, b) => placeOf(form, a) - placeOf(form, b))
        .map((fieldId) => {
          const field = fields.get(fieldId)
          const value = answers[fieldId]
          const option = field?.options.find((one) => one.id === value)
          return {
            fieldId,
            label: field?.label ?? null,
            value,
            optionLabel: option?.label ?? null,
          }
        }),
      result: {
        action: result.action,
        eventTypeId: result.action === 'routeToEvent' ? result.eventTypeId : null,
        eventTypeSlug: eventType?.slug ?? null,
        eventTypeName: eventType?.name ?? null,
        redirectUrl: result.action === 'redirect' ? result.url : null,
        message: result.action === 'message' ? result.message : null,
      },
      createdAt: formatInstant(at),
    },
  }
}

/** Answers to unknown fields come last. */
function placeOf(form: Pick<RoutingForm, 'fields'>, fieldId: string): number {
  const index = form.fields.findIndex(({ id }) => id === fieldId)
  return index < 0 ? form.fields.length : index
}
