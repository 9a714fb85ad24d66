import type { TSchema } from 'typebox'
import {
  ASSIGNMENTS,
  CAPTCHA_PROVIDERS,
  type EventTypeSettings,
  LIVE_CHECKS,
} from '../domain/event-types/event-type.ts'
import { LOCATION_TYPES } from '../domain/event-types/location.ts'
import type { PublicEventType } from '../domain/event-types/public-event-type.ts'
import { QUESTION_TYPES } from '../domain/event-types/questions.ts'
import { MOST_OF_SERIES, SERIES_STEPS } from '../domain/event-types/series-offer.ts'
import { list, nameIn, nullable, oneOf } from './schema.ts'
import { Type } from './type.ts'

/** A field in words, at the start of a sentence ("The duration must be …"), and as JSON. */
interface Described {
  readonly called: string
  readonly schema: TSchema
}

const called = <const Name extends string, Schema extends TSchema>(name: Name, schema: Schema) => ({
  called: name,
  schema,
})

const Limit = nullable(Type.Integer({ minimum: 1 }))

const limits = (description: string) =>
  Type.Object({ day: Limit, week: Limit, month: Limit, year: Type.Optional(Limit) }, { description })

const BookingWindow = Type.Union([
  Type.Object({
    kind: oneOf(['rolling']),
    days: Type.Integer({ description: 'Days after today.' }),
    businessDays: Type.Optional(
      Type.Boolean({ description: 'Count only Mondays to Fridays, in the time zone of the schedule.' }),
    ),
  }),
  Type.Object({ kind: oneOf(['fixed']), from: Type.String(), to: Type.String() }),
  Type.Object({ kind: oneOf(['unlimited']) }),
])

/** What a host can set, as the host API and exports have it. */
export const EVENT_TYPE_SCHEMA = {
  slug: called('The booking link', Type.String({ maxLength: 64 })),
  name: called('The name', Type.String({ maxLength: 200 })),
  description: called('The description', Type.String({ maxLength: 5000 })),
  durationMinutes: called('The duration', Type.Integer()),
  durations: called(
    'The list of durations',
    list(Type.Integer(), {
      maxItems: 10,
      description:
        'The lengths that guests choose from, in minutes; `durationMinutes`, the default, is one of them. Empty: only that one.',
    }),
  ),
  intervalMinutes: called(
    'The time between starts',
    nullable(Type.Integer({ description: 'Time between starts; null: the duration of the meeting.' })),
  ),
  bufferBeforeMinutes: called('The buffer before', Type.Integer()),
  bufferAfterMinutes: called('The buffer after', Type.Integer()),
  noticeMinutes: called('The minimum notice', Type.Integer()),
  window: called('The booking window', BookingWindow),
  limits: called(
    'The set of booking limits',
    limits('The most meetings of each host; null: no limit. Weeks begin on Monday.'),
  ),
  limitMinutes: called(
    'The set of limits in minutes',
    limits('The most minutes of each host in meetings of this event type, all together; null: no limit.'),
  ),
  seats: called('The number of seats', Type.Integer()),
  maxGuests: called(
    'The number of additional guests',
    Type.Integer({
      description: 'How many others a guest may bring, 0 to 10. Each takes a seat, and is notified by email.',
    }),
  ),
  keepPersonalDataDays: called(
    'The number of days that personal data is kept',
    nullable(
      Type.Integer({
        description:
          'Whole days after a meeting’s end until its guest is erased: the booking stays as “Erased guest”. Null: never.',
      }),
    ),
  ),
  requiresApproval: called('The approval setting', Type.Boolean()),
  hidden: called('The visibility setting', Type.Boolean()),
  holds: called(
    'Holding times',
    Type.Boolean({
      description:
        'Whether guests can hold a time for five minutes while they fill in the form; not with seats.',
    }),
  ),
  confirmEmail: called(
    'Confirming addresses',
    Type.Boolean({
      description: 'Whether guests prove their address with a code that we email to them.',
    }),
  ),
  linkOnly: called(
    'Private links only',
    Type.Boolean({
      description:
        'Only a private link or a routing form opens it: without one, its page, slots and `book` are 404.',
    }),
  ),
  location: called(
    'The location',
    Type.Object({
      type: oneOf(LOCATION_TYPES),
      value: Type.String({ maxLength: 2000 }),
      provider: Type.Optional(
        nameIn(
          'links',
          [''],
          'Makes a link for each booking of a video call; `value` is then empty. Empty: no link is made.',
        ),
      ),
    }),
  ),
  locations: called(
    'The list of locations',
    list(
      Type.Object({
        id: Type.String({ description: '1 to 64 letters, digits, hyphens or underscores; unique.' }),
        type: oneOf(LOCATION_TYPES),
        value: Type.String({
          maxLength: 2000,
          description: 'As in `location`. A phone call without a number: the host calls the guest.',
        }),
        provider: Type.Optional(nameIn('links', [''], 'As in `location`.')),
        label: Type.Optional(
          Type.String({ maxLength: 200, description: 'Your name for it; empty: pages name its type.' }),
        ),
      }),
      {
        maxItems: 10,
        description:
          'The locations that guests choose from; `location` is the first of them. Empty: only `location`.',
      },
    ),
  ),
  questions: called(
    'The list of questions',
    list(
      Type.Object({
        key: Type.String(),
        label: Type.String({ maxLength: 500 }),
        type: oneOf(QUESTION_TYPES),
        required: Type.Boolean(),
        options: list(Type.String({ maxLength: 500 }), {
          maxItems: 200,
          description: 'Of a `select`, `radio` or `multiselect`, whose answer is a list.',
        }),
        hidden: Type.Optional(
          Type.Boolean({ description: 'Answered by links and embeds; the page doesn’t show it.' }),
        ),
      }),
      { maxItems: 50 },
    ),
  ),
  abuse: called(
    'The spam protection',
    Type.Object({
      honeypot: Type.Boolean(),
      captcha: oneOf([...CAPTCHA_PROVIDERS, '']),
      blocklist: list(Type.String({ maxLength: 254 }), { maxItems: 1000 }),
      detectDuplicates: Type.Boolean(),
      rateLimit: Limit,
    }),
  ),
  assignment: called('The assignment of hosts', oneOf(ASSIGNMENTS)),
  position: called('The position', Type.Integer()),
  scheduleId: called('The schedule', nullable(Type.String())),
  cancelNoticeMinutes: called(
    'The cancellation cutoff',
    Type.Integer({
      description: 'How long before the start a guest can still cancel; 0: until it starts.',
    }),
  ),
  rescheduleNoticeMinutes: called(
    'The rescheduling cutoff',
    Type.Integer({ description: 'The same for rescheduling.' }),
  ),
  reminderMinutes: called(
    'The list of reminders',
    list(Type.Integer(), {
      maxItems: 5,
      description: 'How long before the start guest and host are reminded: 5 to 43200 minutes each.',
    }),
  ),
  allowedOrigins: called(
    'The list of sites',
    list(Type.String({ maxLength: 300 }), {
      maxItems: 50,
      description:
        'Sites that may embed its page, such as https://www.example.com; empty: all. http is allowed for this machine only.',
    }),
  ),
  returnUrl: called(
    'The return address',
    Type.String({
      maxLength: 2000,
      description:
        'Where the booking page sends guests after booking, with `bookingId` and `status` added; https only; empty: nowhere.',
    }),
  ),
  liveCheck: called(
    'The setting for calendars that cannot be checked',
    oneOf(
      LIVE_CHECKS,
      'If a host’s calendar cannot be checked at the moment of booking: accept what is known, or refuse with 503.',
    ),
  ),
  writeToCalendarId: called(
    'The calendar for bookings',
    nullable(
      Type.String(),
      'A host’s calendar that bookings are added to; null: the one that each host has chosen.',
    ),
  ),
  series: called(
    'The series',
    nullable(
      Type.Object({
        every: list(oneOf(SERIES_STEPS), { maxItems: 3 }),
        most: Type.Integer({ description: `The most meetings of one series: 2 to ${MOST_OF_SERIES}.` }),
      }),
      'How guests may repeat a meeting; null: not at all.',
    ),
  ),
  price: called(
    'The price',
    nullable(
      Type.Object({
        amount: Type.Integer({ description: 'For each seat, in the smallest unit of the currency.' }),
        currency: Type.String({ description: 'As ISO 4217 writes it: `EUR`.' }),
        refund: Type.Object(
          {
            fullUntilMinutes: Type.Integer({
              description:
                'Guests who cancel this many minutes before the start, or earlier, get everything back.',
            }),
            laterPercent: Type.Integer({ description: 'The share that they get back from then on.' }),
          },
          { description: 'What guests get back when they cancel.' },
        ),
        byDuration: Type.Optional(
          Type.Record(Type.String(), Type.Integer(), {
            description: 'By the length in minutes, where lengths differ: `{ "30": 4900, "60": 8900 }`.',
          }),
        ),
      }),
      'What a meeting costs; null: nothing.',
    ),
  ),
} satisfies Record<'slug' | 'name' | keyof EventTypeSettings, Described>

type Table = typeof EVENT_TYPE_SCHEMA

/** The names of the fields in words, which every language translates. */
export type EventTypeFieldName = Table[keyof Table]['called']

/** Their schemas alone. */
export const eventTypeProperties = schemasOf(EVENT_TYPE_SCHEMA)

/** What guests see, as the public API has it. */
export const PUBLIC_EVENT_TYPE = {
  id: Type.String({ description: 'The `eventTypeId` of bookings.' }),
  slug: Type.String({ description: 'The `eventSlug` of the other endpoints.' }),
  name: Type.String({ description: 'Display name.' }),
  description: Type.String({ description: 'Text for guests, or empty.' }),
  durationMinutes: Type.Integer({ description: 'Length of a meeting, unless the guest chooses another.' }),
  durations: list(Type.Integer(), {
    description:
      'The lengths in minutes that a guest can choose, `durationMinutes` among them; empty: only that one.',
  }),
  location: Type.Object({ type: oneOf(LOCATION_TYPES) }, { description: 'Where it takes place.' }),
  locations: list(
    Type.Object({
      id: Type.String({ description: 'The `locationId` of `book`.' }),
      type: oneOf(LOCATION_TYPES),
      label: Type.String({ description: 'The host’s name for it, or empty.' }),
      value: Type.String({
        description: 'The address of a meeting in person; empty for others until booked.',
      }),
      requiresPhone: Type.Boolean({ description: 'The host calls: `book` needs `inviteePhone`.' }),
    }),
    { description: 'Where a guest can choose to meet, `location` first; empty: only `location`.' },
  ),
  requiresApproval: Type.Boolean({ description: 'Whether bookings begin as `PendingApproval`.' }),
  seats: Type.Integer({ description: '1 unless several guests share a slot.' }),
  maxGuests: Type.Integer({ description: 'How many `guests` a booking may have.' }),
  series: nullable(
    Type.Object({
      every: list(oneOf(SERIES_STEPS), { description: 'How often it may repeat.' }),
      most: Type.Integer({ description: 'The most meetings of one series.' }),
    }),
    'What `repeat` of `book` may be; null: meetings don’t repeat.',
  ),
  price: nullable(
    Type.Object({
      amount: Type.Integer({
        description:
          'For each person, in the smallest unit of the currency: 4900 of `EUR` is €49.00, of `JPY` ¥4900.',
      }),
      currency: Type.String({ description: 'As ISO 4217 writes it: `EUR`.' }),
      byDuration: Type.Optional(
        Type.Record(Type.String(), Type.Integer(), {
          description: 'By the length in minutes, where lengths differ; `amount` for all others.',
        }),
      ),
    }),
    'What a meeting costs; null: nothing. `book` then answers with `paymentUrl`, where the guest pays until `payBy`.',
  ),
} satisfies Record<keyof PublicEventType, TSchema>

type SchemasOf<All> = { [Name in keyof All]: All[Name] extends Described ? All[Name]['schema'] : never }

function schemasOf<All extends Readonly<Record<string, Described>>>(table: All): SchemasOf<All> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { schema }]) => [name, schema]),
  ) as SchemasOf<All>
}
