import type { Static } from 'typebox'
import { ASSIGNMENTS, CAPTCHA_PROVIDERS, LIVE_CHECKS } from '../../../domain/event-types/event-type.ts'
import { LINK_PROVIDERS, LOCATION_TYPES } from '../../../domain/event-types/location.ts'
import { QUESTION_TYPES } from '../../../domain/event-types/questions.ts'
import { MOST_OF_SERIES, SERIES_STEPS } from '../../../domain/event-types/series-offer.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'

const Limit = nullable(Type.Integer({ minimum: 1 }))

const BookingWindow = Type.Union([
  Type.Object({ kind: oneOf(['rolling']), days: Type.Integer() }),
  Type.Object({ kind: oneOf(['fixed']), from: Type.String(), to: Type.String() }),
  Type.Object({ kind: oneOf(['unlimited']) }),
])

const eventType = {
  slug: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 200 }),
  description: Type.String({ maxLength: 5000 }),
  durationMinutes: Type.Integer(),
  durations: Type.Array(Type.Integer(), {
    maxItems: 10,
    description:
      'The lengths that guests choose from, in minutes; `durationMinutes`, the default, is one of them. Empty: only that one.',
  }),
  intervalMinutes: nullable(
    Type.Integer({ description: 'Time between starts; null: the duration of the meeting.' }),
  ),
  bufferBeforeMinutes: Type.Integer(),
  bufferAfterMinutes: Type.Integer(),
  noticeMinutes: Type.Integer(),
  window: BookingWindow,
  limits: Type.Object({ day: Limit, week: Limit, month: Limit }),
  seats: Type.Integer(),
  maxGuests: Type.Integer({
    description: 'How many others a guest may bring, 0 to 10. Each takes a seat, and is notified by email.',
  }),
  keepPersonalDataDays: nullable(
    Type.Integer({
      description:
        'Whole days after a meeting’s end until its guest is erased: the booking stays as “Erased guest”. Null: never.',
    }),
  ),
  requiresApproval: Type.Boolean(),
  hidden: Type.Boolean(),
  holds: Type.Boolean({
    description:
      'Whether guests can hold a time for five minutes while they fill in the form; not with seats.',
  }),
  confirmEmail: Type.Boolean({
    description: 'Whether guests prove their address with a code that we email to them.',
  }),
  linkOnly: Type.Boolean({
    description:
      'Only a private link or a routing form opens it: without one, its page, slots and `book` are 404.',
  }),
  location: Type.Object({
    type: oneOf(LOCATION_TYPES),
    value: Type.String({ maxLength: 2000 }),
    provider: Type.Optional(
      oneOf(
        ['', ...LINK_PROVIDERS],
        'Makes a link for each booking of a video call; `value` is then empty. Empty: no link is made.',
      ),
    ),
  }),
  locations: Type.Array(
    Type.Object({
      id: Type.String({ description: '1 to 64 letters, digits, hyphens or underscores; unique.' }),
      type: oneOf(LOCATION_TYPES),
      value: Type.String({
        maxLength: 2000,
        description: 'As in `location`. A phone call without a number: the host calls the guest.',
      }),
      provider: Type.Optional(oneOf(['', ...LINK_PROVIDERS], 'As in `location`.')),
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
  questions: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String({ maxLength: 500 }),
      type: oneOf(QUESTION_TYPES),
      required: Type.Boolean(),
      options: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 200 }),
    }),
    { maxItems: 50 },
  ),
  abuse: Type.Object({
    honeypot: Type.Boolean(),
    captcha: oneOf([...CAPTCHA_PROVIDERS, '']),
    blocklist: Type.Array(Type.String({ maxLength: 254 }), { maxItems: 1000 }),
    detectDuplicates: Type.Boolean(),
    rateLimit: Limit,
  }),
  assignment: oneOf(ASSIGNMENTS),
  position: Type.Integer(),
  scheduleId: nullable(Type.String()),
  cancelNoticeMinutes: Type.Integer({
    description: 'How long before the start a guest can still cancel; 0: until it starts.',
  }),
  rescheduleNoticeMinutes: Type.Integer({ description: 'The same for rescheduling.' }),
  reminderMinutes: Type.Array(Type.Integer(), {
    maxItems: 5,
    description: 'How long before the start guest and host are reminded: 5 to 43200 minutes each.',
  }),
  allowedOrigins: Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 50,
    description:
      'Sites that may embed its page, such as https://www.example.com; empty: all. http is allowed for this machine only.',
  }),
  returnUrl: Type.String({
    maxLength: 2000,
    description:
      'Where the booking page sends guests after booking, with `bookingId` and `status` added; https only; empty: nowhere.',
  }),
  liveCheck: oneOf(
    LIVE_CHECKS,
    'If a host’s calendar cannot be checked at the moment of booking: accept what is known, or refuse with 503.',
  ),
  writeToCalendarId: nullable(
    Type.String(),
    'A host’s calendar that bookings are added to; null: the one that each host has chosen.',
  ),
  series: nullable(
    Type.Object({
      every: Type.Array(oneOf(SERIES_STEPS), { maxItems: 3 }),
      most: Type.Integer({ description: `The most meetings of one series: 2 to ${MOST_OF_SERIES}.` }),
    }),
    'How guests may repeat a meeting; null: not at all.',
  ),
  hosts: Type.Array(
    Type.Object({ userId: Type.String(), fixed: Type.Boolean(), weight: Type.Optional(Type.Integer()) }),
    { maxItems: 100 },
  ),
}

export type EventTypeView = Static<typeof EventTypeView>
export const EventTypeView = Type.Object({ id: Type.String(), ownerId: Type.String(), ...eventType })

export type ChangeEventType = Static<typeof ChangeEventType>
export const ChangeEventType = Type.Partial(Type.Object(eventType))

export type CreateEventType = Static<typeof CreateEventType>
export const CreateEventType = Type.Object({
  ...ChangeEventType.properties,
  slug: eventType.slug,
  name: eventType.name,
  durationMinutes: eventType.durationMinutes,
  teamId: Type.Optional(Type.String({ description: 'The team that owns it; you without it.' })),
})

const Ranges = Type.Array(Type.Object({ opens: Type.String(), closes: Type.String() }), { maxItems: 48 })

const schedule = {
  name: Type.String({ maxLength: 200 }),
  timezone: Type.String({ maxLength: 64 }),
  weekly: Type.Record(Type.String(), Ranges, {
    description: 'By ISO weekday, "1" is Monday: ranges of wall-clock times, up to 24:00.',
  }),
  overrides: Type.Record(Type.String(), Ranges, {
    description: 'By date (YYYY-MM-DD): hours that replace the weekly ones; an empty list is a day off.',
  }),
  isDefault: Type.Boolean(),
}

export type ScheduleView = Static<typeof ScheduleView>
export const ScheduleView = Type.Object({
  id: Type.String(),
  ...schedule,
  confirmed: Type.Boolean({
    description: 'False until an invited user has saved it once: it offers nothing until then.',
  }),
})

export type ChangeSchedule = Static<typeof ChangeSchedule>
export const ChangeSchedule = Type.Partial(Type.Object(schedule))

export type CreateSchedule = Static<typeof CreateSchedule>
export const CreateSchedule = Type.Object({
  ...ChangeSchedule.properties,
  name: schedule.name,
  timezone: schedule.timezone,
})

const absence = {
  startTime: Type.String({ maxLength: 64, description: 'A UTC instant, such as 2030-01-31T09:30:00Z.' }),
  endTime: Type.String({ maxLength: 64, description: 'At most 400 days after startTime.' }),
  note: Type.String({ maxLength: 1000, description: 'Only you see it; guests never do.' }),
}

export type AbsenceView = Static<typeof AbsenceView>
export const AbsenceView = Type.Object({
  id: Type.String(),
  ...absence,
  startDate: nullable(Type.String(), 'The first day, if it is made of whole days in your zone.'),
  endDate: nullable(Type.String(), 'The last day, which is included.'),
  bookings: Type.Integer({ description: 'Meetings inside; time off does not cancel them.' }),
})

const wholeDays = {
  startDate: Type.Optional(
    Type.String({ maxLength: 10, description: 'Instead of startTime and endTime: whole days in your zone.' }),
  ),
  endDate: Type.Optional(Type.String({ maxLength: 10, description: 'The last day, which is included.' })),
}

export type ChangeAbsence = Static<typeof ChangeAbsence>
export const ChangeAbsence = Type.Object({ ...Type.Partial(Type.Object(absence)).properties, ...wholeDays })

export type CreateAbsence = Static<typeof CreateAbsence>
export const CreateAbsence = ChangeAbsence
