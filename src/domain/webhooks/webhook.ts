import { type Booking, shownLocation } from '../bookings/booking.ts'
import type { ChangeRecord, MeetingHost } from '../bookings/change.ts'
import type { EventType } from '../event-types/event-type.ts'
import type { Location } from '../event-types/location.ts'
import type { Answers, FormField, RoutingForm, Target } from '../forms/routing.ts'
import { formatInstant } from '../instant.ts'
import { paymentView } from '../payments/payment.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { type CalcomEvent, type CalendlyEvent, EVENTS_OF, MAX_SECRET, type WebhookFormat } from './formats.ts'

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
  'booking.paid',
  'booking.refunded',
  'form.submitted',
  'message.failed',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** What a webhook can be told of: in our words, or in those of its format. */
export type SubscribedEvent = WebhookEvent | CalcomEvent | CalendlyEvent

/** The settings of a webhook. */
export interface WebhookContent {
  readonly url: string
  readonly format: WebhookFormat
  /** Empty: all, including future ones. */
  readonly events: readonly SubscribedEvent[]
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
export function checkWebhook({ events, eventTypeIds, format, url }: WebhookContent): void {
  if (url.length > 2000) throw invalidField('url', sentence`{field} must be at most ${2000} characters.`)
  const known: readonly string[] = [...WEBHOOK_EVENTS, ...EVENTS_OF[format]]
  for (const [index, event] of events.entries()) {
    const field = `events.${index}`
    if (!known.includes(event)) throw invalidField(field, sentence`{field} must be one of ${known}.`)
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

/** Throws `invalid` if a secret of the client's own can't sign. */
export function checkOwnSecret(secret: string, format: WebhookFormat): void {
  if (format === 'standard') {
    const reason = sentence`Only the formats of Cal.com and Calendly take a secret of your own.`
    throw new Problem('invalid', reason, { field: 'secret' })
  }
  if (secret === '') throw invalidField('secret', sentence`{field} must not be empty.`)
  if (secret.length > MAX_SECRET)
    throw invalidField('secret', sentence`{field} must be at most ${MAX_SECRET} characters.`)
}

/**
 * Whether this webhook gets the event, which its format calls `name`.
 *
 * `eventTypeId` is null for events without an event type.
 */
export function wants(
  webhook: WebhookContent,
  event: WebhookEvent,
  eventTypeId: string | null,
  name: SubscribedEvent = event,
): boolean {
  const { active, events, eventTypeIds } = webhook
  if (!active || !(events.length === 0 || events.includes(event) || events.includes(name))) return false
  return eventTypeId === null || eventTypeIds.length === 0 || eventTypeIds.includes(eventTypeId)
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
export interface ToldChange extends ChangeRecord {
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
    | 'metadata'
    | 'payment'
  >
  readonly eventType: Pick<
    EventType,
    'id' | 'slug' | 'name' | 'description' | 'questions' | 'requiresApproval' | 'seats' | 'assignment'
  >
  readonly scheduler: {
    readonly id: string
    readonly kind: 'user' | 'team'
    readonly slug: string
    readonly name: string
  }
  readonly hosts: readonly MeetingHost[]
}

/** A link that was made for this booking is shown only while it leads somewhere. */
export const toldLocation = (change: ToldChange): Location =>
  change.booking.location.provider ? shownLocation({ ...change.booking, ...change }) : change.booking.location

export function bookingPayload(change: ToldChange): WebhookPayload {
  const { booking, eventType, scheduler, hosts } = change
  const { invitee } = booking
  const location = toldLocation(change)
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
      payment: paymentView(booking.payment),
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

export interface SubmittedForm {
  readonly id: string
  readonly form: Pick<RoutingForm, 'id' | 'slug' | 'name' | 'fields'>
  readonly scheduler: { readonly id: string; readonly kind: 'user' | 'team'; readonly slug: string }
  readonly answers: Answers
  readonly result: Target
  /** The event type that the result leads to, if it still exists. */
  readonly eventType: { readonly slug: string; readonly name: string } | undefined
  readonly at: number
}

export function formPayload({
  id,
  form,
  scheduler,
  answers,
  result,
  eventType,
  at,
}: SubmittedForm): WebhookPayload {
  return {
    type: 'form.submitted',
    timestamp: formatInstant(at),
    data: {
      id,
      formId: form.id,
      formSlug: form.slug,
      formName: form.name,
      userSlug: scheduler.slug,
      // A list keeps the form's order, and has room for answers to unknown fields.
      answers: answersIn(form, answers).map(({ fieldId, field, value }) => ({
        fieldId,
        label: field?.label ?? null,
        value,
        optionLabel: field?.options.find((one) => one.id === value)?.label ?? null,
      })),
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

interface GivenAnswer {
  readonly fieldId: string
  /** Undefined if the form has no such field. */
  readonly field: FormField | undefined
  readonly value: unknown
}

/** Answers in the order of their form; those to unknown fields come last. */
export function answersIn({ fields }: Pick<RoutingForm, 'fields'>, answers: Answers): GivenAnswer[] {
  const places = new Map(fields.map(({ id }, index) => [id, index]))
  const placeOf = (fieldId: string) => places.get(fieldId) ?? fields.length
  return Object.keys(answers)
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((fieldId) => ({ fieldId, field: fields[placeOf(fieldId)], value: answers[fieldId] }))
}
