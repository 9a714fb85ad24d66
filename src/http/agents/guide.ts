import type { Static } from 'typebox'
import { type AccessTokens, queryOf } from '../../domain/bookings/guest-access.ts'
import { formatDate, parseDate, weekdayOf } from '../../domain/calendar-date.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { hostCalls, LOCATION_TYPES } from '../../domain/event-types/location.ts'
import { publicEventType } from '../../domain/event-types/public-event-type.ts'
import type { Question } from '../../domain/event-types/questions.ts'
import { formatInstant } from '../../domain/instant.ts'
import { MINUTE } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { MAX_SPAN_DAYS } from '../../domain/slots/openings.ts'
import { instantOf, localDay, type Zone, type Zones } from '../../domain/zone.ts'
import { PUBLIC_EVENT_TYPE } from '../../format/event-type-schema.ts'
import { nullable, oneOf } from '../../format/schema.ts'
import { Type } from '../../format/type.ts'
import { listSlots, type OpenedEventType } from '../../services/bookings/guest/open-event-type.ts'
import type { Context } from '../../services/context.ts'
import { asksForSms, smsAskers } from '../../services/messages/messages.ts'
import type { Profile } from '../../services/people/get-profile.ts'
import { CHANGES_PER_MINUTE } from '../public/bookings.ts'
import { BOOKINGS_PER_MINUTE } from '../public/scheduling.ts'
import { AbuseConfig, questionsView } from '../public/schemas.ts'
import { toAbuseConfig } from '../public/views.ts'

const Host = Type.Object({
  slug: Type.String({ description: 'The `userSlug` of everything below.' }),
  kind: oneOf(['user', 'team']),
  name: Type.String({ description: 'Display name.' }),
  bio: Type.String({ description: 'A short text about them, or empty.' }),
  timezone: Type.String({ description: 'IANA time zone.' }),
  url: Type.String({ description: 'Their page, for people.' }),
})

const EventTypeFacts = Type.Object({
  ...Type.Omit(Type.Object(PUBLIC_EVENT_TYPE), ['id']).properties,
  slug: Type.String({ description: 'The `eventSlug` of everything else.' }),
  description: Type.String({ description: 'The host’s words for guests, or empty.' }),
  location: Type.Object({ type: oneOf(LOCATION_TYPES) }),
  noticeMinutes: Type.Integer({
    description: 'Minimum notice: the latest a slot can be booked, in minutes before its start.',
  }),
  bookableDays: nullable(
    Type.Integer(),
    'Slots are offered for this many days from today; null means no limit.',
  ),
  bookableBusinessDays: nullable(
    Type.Integer(),
    'Slots are offered for this many business days (Monday to Friday) from today; null: not counted so.',
  ),
  bookableFrom: nullable(Type.String(), 'First date offered, or null.'),
  bookableTo: nullable(Type.String(), 'Last date offered, or null.'),
  cancelNoticeMinutes: Type.Integer({ description: 'Cancellation cutoff, in minutes before the start.' }),
  rescheduleNoticeMinutes: Type.Integer({ description: 'Rescheduling cutoff, in minutes before the start.' }),
  sms: Type.Optional(
    Type.Boolean({
      description:
        'The host sends text messages to guests who agree: `inviteePhone` and `smsConsent` in `book`.',
    }),
  ),
  bookingsPerMinute: Type.Integer({ description: 'Requests to book per minute and client address.' }),
  questions: questionsView('The choices of a `select`, `radio` or `multiselect`, whose answer is a list.'),
  abuseConfig: AbuseConfig,
  url: Type.String({ description: 'The booking page, for people.' }),
  guideUrl: Type.String({ description: 'How to book it over HTTP, as Markdown.' }),
})

const More = Type.Object({
  openapi: Type.String({ description: 'The whole interface as OpenAPI 3.1.' }),
  docs: Type.String({ description: 'The same as a page.' }),
  mcp: Type.String({ description: 'The same as an MCP server (streamable HTTP).' }),
})

/** A host and their event types. */
export const ProfileGuide = Type.Object({
  kind: oneOf(['profile']),
  host: Host,
  eventTypes: Type.Array(EventTypeFacts, { description: 'What can be booked, in the host’s order.' }),
  more: More,
})

const Body = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Everything needed to book one event type over HTTP. */
export const EventGuide = Type.Object({
  kind: oneOf(['event']),
  host: Host,
  eventType: EventTypeFacts,
  listSlots: Type.Object({
    method: Type.String(),
    url: Type.String({ description: 'With {placeholders}.' }),
    exampleUrl: Type.String({ description: 'Next week.' }),
    maxDays: Type.Integer(),
  }),
  book: Type.Object({
    method: Type.String(),
    url: Type.String(),
    exampleBody: Body,
  }),
  captcha: Type.Union([
    Type.Object({
      provider: Type.String(),
      solvableByPrograms: Type.Boolean(),
      challengeUrl: Type.String({ description: 'Empty unless programs can solve it.' }),
      how: Type.String(),
    }),
    Type.Null(),
  ]),
  manage: Type.Object({
    about: Type.String(),
    get: Type.Object({ method: Type.String(), url: Type.String() }),
    reschedule: Type.Object({ method: Type.String(), url: Type.String(), exampleBody: Body }),
    cancel: Type.Object({ method: Type.String(), url: Type.String(), exampleBody: Body }),
    requestsPerMinute: Type.Integer(),
  }),
  errors: Type.Array(Type.Object({ status: Type.Integer(), whatToDo: Type.String() })),
  more: More,
})

type Facts = Static<typeof EventTypeFacts>

export async function profileGuide(context: Context, { scheduler, eventTypes }: Profile) {
  const asks = await smsAskers(context, scheduler.id)
  return {
    kind: 'profile' as const,
    host: hostOf(context, scheduler),
    eventTypes: eventTypes.map((eventType) => factsOf(context, scheduler, eventType, asks(eventType.id))),
    more: moreOf(context),
  } satisfies Static<typeof ProfileGuide>
}

/** The guide to one event type. Its example slot is free at the time of writing. */
export async function eventGuide(
  context: Context,
  event: OpenedEventType,
  /** What it is opened with. */
  tokens: AccessTokens = {},
): Promise<Static<typeof EventGuide>> {
  const { scheduler, eventType } = event.bookable
  const link = queryOf(tokens)
  const api = `${context.publicUrl}/api/public`
  const base = `${api}/scheduling/${scheduler.slug}/${eventType.slug}`
  const week = nextWeek(scheduler, context.slots.zones, context.now())
  const query = `dateFrom=${week.from}&dateTo=${week.to}&timezone=${scheduler.timeZone}`
  const slot = (await findSlot(context, event, week)) ?? madeUpSlot(eventType, week)
  const facts = factsOf(context, scheduler, eventType, await asksForSms(context, eventType))
  const own = `${api}/bookings/{id}`
  return {
    kind: 'event',
    host: hostOf(context, scheduler),
    eventType: facts,
    listSlots: {
      method: 'GET',
      url: `${base}/slots?dateFrom={YYYY-MM-DD}&dateTo={YYYY-MM-DD}&timezone={IANA time zone}${eventType.durations.length > 0 ? '&duration={minutes}' : ''}${link && `&${link}`}`,
      exampleUrl: `${base}/slots?${query}${link && `&${link}`}`,
      maxDays: MAX_SPAN_DAYS,
    },
    book: {
      method: 'POST',
      url: `${base}/book${link && `?${link}`}`,
      exampleBody: exampleBody(eventType, slot),
    },
    captcha: captchaOf(facts),
    manage: {
      about:
        'The response to a booking (201) has the guest’s own link in its Location header, with the id and token for these requests. Keep it.',
      get: { method: 'GET', url: `${own}?token={token}` },
      reschedule: {
        method: 'POST',
        url: `${own}/reschedule?token={token}`,
        exampleBody: { startTime: slot.startTime, reason: 'My train is late.' },
      },
      cancel: {
        method: 'POST',
        url: `${own}/cancel?token={token}`,
        exampleBody: { reason: 'Something came up.' },
      },
      requestsPerMinute: CHANGES_PER_MINUTE,
    },
    errors: ERRORS,
    more: moreOf(context),
  }
}

const hostOf = ({ publicUrl }: Context, { slug, kind, name, bio, timeZone }: Scheduler) => ({
  slug,
  kind,
  name,
  bio,
  timezone: timeZone,
  url: `${publicUrl}/${slug}`,
})

function factsOf(context: Context, scheduler: Scheduler, eventType: EventType, sms: boolean): Facts {
  const { window } = eventType
  const url = `${context.publicUrl}/${scheduler.slug}/${eventType.slug}`
  return {
    ...publicEventType(eventType),
    noticeMinutes: eventType.noticeMinutes,
    bookableDays: window.kind === 'rolling' && !window.businessDays ? window.days : null,
    bookableBusinessDays: window.kind === 'rolling' && window.businessDays ? window.days : null,
    bookableFrom: window.kind === 'fixed' ? window.from : null,
    bookableTo: window.kind === 'fixed' ? window.to : null,
    cancelNoticeMinutes: eventType.cancelNoticeMinutes,
    rescheduleNoticeMinutes: eventType.rescheduleNoticeMinutes,
    ...(sms && { sms }),
    bookingsPerMinute: eventType.abuse.rateLimit ?? BOOKINGS_PER_MINUTE,
    questions: eventType.questions,
    abuseConfig: toAbuseConfig(context, 'scheduling', scheduler, eventType),
    url,
    guideUrl: `${url}.md`,
  }
}

const moreOf = ({ publicUrl }: Context) => ({
  openapi: `${publicUrl}/openapi.json`,
  docs: `${publicUrl}/docs`,
  mcp: `${publicUrl}/mcp`,
})

function captchaOf({ abuseConfig }: Facts): Static<typeof EventGuide>['captcha'] {
  const { captchaProvider: provider, captchaChallengeUrl: challengeUrl } = abuseConfig
  if (provider === '') return null
  if (challengeUrl === undefined) {
    return {
      provider,
      solvableByPrograms: false,
      challengeUrl: '',
      how: 'Only a person in a browser can solve this challenge. Give the guest the link to the booking page instead.',
    }
  }
  return {
    provider,
    solvableByPrograms: true,
    challengeUrl,
    how: [
      'GET the challenge. Its nonce, salt, keyPrefix and the derived key are hex.',
      'Count up from 0 until PBKDF2 with SHA-256, of the bytes of nonce followed by the counter (32 bits, big-endian), with salt, cost iterations and keyLength bytes, gives a key that begins with keyPrefix.',
      'Send captchaToken: base64 of the JSON { "challenge": the whole challenge, "solution": { "counter", "derivedKey" } }.',
      'It takes about a second. Each solution works for one booking request, until expiresAt (in seconds since 1970).',
    ].join(' '),
  }
}

const ERRORS = [
  {
    status: 400,
    whatToDo:
      'Correct what the sentence names and try again. If the time is no longer available, list the slots again.',
  },
  { status: 404, whatToDo: 'Check the address: the host, event type or booking does not exist.' },
  { status: 409, whatToDo: 'The booking’s status or cutoff no longer allows this.' },
  { status: 413, whatToDo: 'Send at most 64 KB.' },
  { status: 415, whatToDo: 'Send the body as application/json.' },
  { status: 429, whatToDo: 'Wait as many seconds as Retry-After says.' },
  { status: 503, whatToDo: 'Try again in a moment, with the same Idempotency-Key.' },
  {
    status: 504,
    whatToDo: 'It is not known whether it was saved. Send the same Idempotency-Key and body again.',
  },
]

interface Slot {
  readonly startTime: string
  readonly endTime: string
}

interface Week {
  readonly zone: Zone
  readonly from: string
  readonly to: string
}

/** Monday to Sunday of next week, in the host's time zone. */
function nextWeek({ timeZone }: Scheduler, zones: Zones, now: number): Week {
  const zone = zones.get(timeZone)
  const today = localDay(zone, now)
  const monday = today + 8 - weekdayOf(today)
  return { zone, from: formatDate(monday), to: formatDate(monday + 6) }
}

/** The first slot of that week, if there is one. */
async function findSlot(
  context: Context,
  event: OpenedEventType,
  { from, to }: Week,
): Promise<Slot | undefined> {
  const { scheduler, eventType } = event.bookable
  const { slug, timeZone } = scheduler
  const query = { dateFrom: from, dateTo: to, timezone: timeZone }
  const key = `guide ${slug}/${eventType.slug} ${from} ${timeZone}`
  const listing = await listSlots(context, event, query, key)
  const days = JSON.parse(Buffer.from(listing).toString()) as { slots: Slot[] }[]
  return days[0]?.slots[0]
}

/** A plausible slot, for an event type that has none that week. */
function madeUpSlot({ durationMinutes }: EventType, { zone, from }: Week): Slot {
  const startsAt = instantOf(zone, parseDate(from) as number, 10 * 60)
  return { startTime: formatInstant(startsAt), endTime: formatInstant(startsAt + durationMinutes * MINUTE) }
}

/** A complete request; it books if the slot is free and the CAPTCHA is solved. */
function exampleBody(eventType: EventType, { startTime, endTime }: Slot): Record<string, unknown> {
  const required = eventType.questions.filter((question) => question.required)
  return {
    startTime,
    endTime,
    inviteeName: 'Grace Guest',
    inviteeEmail: 'grace@guest.example',
    inviteeTimezone: 'Europe/Berlin',
    ...exampleLocation(eventType),
    ...(required.length > 0 && {
      customFields: Object.fromEntries(required.map((question) => [question.key, exampleAnswer(question)])),
    }),
    ...(eventType.abuse.captcha !== '' && { captchaToken: '…' }),
    ...(eventType.confirmEmail && { emailCode: '…' }),
  }
}

/** The first location that guests can choose, and a number if the host calls. */
function exampleLocation({ locations: [first] }: EventType): Record<string, string> {
  if (first === undefined) return {}
  return { locationId: first.id, ...(hostCalls(first) && { inviteePhone: '+1 202 555 0123' }) }
}

function exampleAnswer({ type, options }: Question): unknown {
  switch (type) {
    case 'select':
    case 'radio':
      return options[0] ?? ''
    case 'multiselect':
      return options.slice(0, 1)
    case 'checkbox':
      return true
    case 'number':
      return 1
    case 'phone':
      return '+1 202 555 0123'
    case 'email':
      return 'grace@guest.example'
    case 'url':
      return 'https://guest.example/'
    case 'text':
    case 'textarea':
      return 'What the guest answers'
  }
}
