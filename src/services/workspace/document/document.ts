import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { ASSIGNMENT_REASONS } from '../../../domain/bookings/assignment.ts'
import { BOOKING_STATUSES, RECORDED_SOURCES } from '../../../domain/bookings/booking.ts'
import { CAPTCHA_PROVIDERS } from '../../../domain/event-types/event-type.ts'
import { LOCATION_TYPES } from '../../../domain/event-types/location.ts'
import { MOST_OF_SERIES, SERIES_STEPS } from '../../../domain/event-types/series-offer.ts'
import { OWNER_MATCHES } from '../../../domain/forms/owner.ts'
import { FIELD_TYPES } from '../../../domain/forms/routing.ts'
import { parseInstant } from '../../../domain/instant.ts'
import { LANGUAGES } from '../../../domain/languages.ts'
import { CHANNELS, MAX_BODY, MAX_SUBJECT } from '../../../domain/messages/message.ts'
import { MOMENTS, RECIPIENTS } from '../../../domain/messages/moments.ts'
import { PAYMENT_STATUSES } from '../../../domain/payments/payment.ts'
import { ATTRIBUTE_TYPES, MAX_ATTRIBUTE_OPTIONS, MAX_ATTRIBUTES } from '../../../domain/people/attributes.ts'
import { GERMAN_ADDRESSES, THEMES } from '../../../domain/people/scheduler.ts'
import { ROLES, TIME_FORMATS, WEEK_STARTS } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import { eventTypeProperties } from '../../../format/event-type-schema.ts'
import { nameIn, nullable, oneOf, withNames } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Kinds } from '../../../outside/kinds/kind.ts'
import { KINDS } from '../../../outside/registry.ts'

// Users and teams with all they own, for moving to another instance. People are identified by email address and
// event types by slug; ids are valid only within one file.

export const FORMAT = 'punctual-workspace'
export const VERSION = 1

// Refuse unknown fields rather than drop them silently.
const exact = <const T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })

/** The same of a schema that names its fields for the API, which ignores others. */
function strictly<T extends TSchema>(schema: T): T {
  const { properties, items, anyOf } = schema as Schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, strictly(property)]),
      ),
      additionalProperties: false,
    }),
    ...(items && { items: strictly(items) }),
    ...(anyOf && { anyOf: anyOf.map(strictly) }),
  }
}

interface Schema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

const Text = Type.String({ maxLength: 5000 })
const Line = Type.String({ maxLength: 500 })
const Slug = Type.String({ maxLength: 64 })
const Email = Type.String({ maxLength: 254 })
const Address = Type.String({ maxLength: 2000 })
/** An uploaded image is in the file itself, as a `data:` address. */
const Picture = Type.String({ maxLength: 800_000 })
/** `YYYY-MM-DDTHH:MM:SS.sssZ` */
const Instant = Type.String({ maxLength: 40 })
const Blocklist = Type.Array(Email, { maxItems: 1000 })
const Location = exact({
  type: oneOf(LOCATION_TYPES),
  value: Address,
  /** Left out: no link is made. */
  provider: Type.Optional(nameIn('links', [''])),
})

const page = {
  slug: Slug,
  name: Type.String({ maxLength: 200 }),
  bio: Text,
  avatarUrl: Picture,
  timeZone: Type.String({ maxLength: 64 }),
  locale: Type.String({ maxLength: 16 }),
  theme: oneOf(THEMES),
  // Left out where it is `sie`.
  germanAddress: Type.Optional(oneOf(GERMAN_ADDRESSES)),
  branding: exact({ primaryColor: Line, logoUrl: Picture }),
}

const Hours = Type.Record(Type.String(), Type.Array(exact({ opens: Line, closes: Line }), { maxItems: 48 }))

const Schedule = exact({
  /** Event types in this file refer to it. */
  id: Line,
  name: Type.String({ maxLength: 200 }),
  timeZone: Type.String({ maxLength: 64 }),
  weekly: Hours,
  overrides: Hours,
  isDefault: Type.Boolean(),
  /** False until its user has saved it once. */
  confirmed: Type.Optional(Type.Boolean()),
})

/** The fields that files of every version have. Earlier files lack those that came later. */
const FIRST_FIELDS = [
  'slug',
  'name',
  'description',
  'durationMinutes',
  'intervalMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'noticeMinutes',
  'window',
  'limits',
  'seats',
  'requiresApproval',
  'hidden',
  'location',
  'questions',
  'abuse',
  'assignment',
  'position',
] as const

/** Calendars are not exported, so neither is the choice of one. */
const Settings = Type.Omit(Type.Object(eventTypeProperties), ['scheduleId', 'writeToCalendarId'])

const EventType = strictly(
  Type.Object({
    ...Type.Pick(Settings, FIRST_FIELDS).properties,
    ...Type.Partial(Type.Omit(Settings, FIRST_FIELDS)).properties,
    /** The id of a schedule in this file; null for each host's default. */
    schedule: nullable(Line),
    hosts: Type.Array(
      Type.Object({
        email: Email,
        fixed: Type.Boolean(),
        weight: Type.Integer(),
        // Files of earlier versions do not have it.
        balance: Type.Optional(Type.Number()),
      }),
      { maxItems: 100 },
    ),
  }),
)

const Owner = exact({ days: Type.Integer(), by: oneOf(OWNER_MATCHES) })

const Target = Type.Union([
  // The domain checks the shape of a host filter.
  exact({
    action: oneOf(['routeToEvent']),
    eventType: Slug,
    owner: Type.Optional(Owner),
    ownerLookupUrl: Type.Optional(Address),
    hosts: Type.Optional(Type.Unknown()),
  }),
  exact({ action: oneOf(['redirect']), url: Address }),
  exact({ action: oneOf(['message']), message: Text }),
])

const RoutingForm = exact({
  slug: Slug,
  name: Type.String({ maxLength: 200 }),
  description: nullable(Text),
  fields: Type.Array(
    exact({
      id: Line,
      label: Line,
      type: oneOf(FIELD_TYPES),
      required: Type.Boolean(),
      options: Type.Array(exact({ id: Line, label: Line }), { maxItems: 200 }),
    }),
    { maxItems: 100 },
  ),
  // A condition's shape is checked by the domain, whose reasons say more.
  rules: Type.Array(exact({ when: Type.Unknown(), target: Target }), { maxItems: 200 }),
  fallback: Target,
  // Files of earlier versions do not have it.
  abuse: Type.Optional(
    exact({
      honeypot: Type.Boolean(),
      captcha: oneOf([...CAPTCHA_PROVIDERS, '']),
      blocklist: Blocklist,
    }),
  ),
  keepPersonalDataDays: Type.Optional(nullable(Type.Integer())),
  tests: Type.Optional(
    Type.Array(
      exact({
        name: Type.String({ maxLength: 200 }),
        answers: Type.Record(Type.String(), Type.Union([Text, Type.Array(Text, { maxItems: 200 })])),
        expect: Target,
      }),
      { maxItems: 100 },
    ),
  ),
})

const MessageText = exact({
  subject: Type.String({ maxLength: MAX_SUBJECT }),
  body: Type.String({ maxLength: MAX_BODY }),
})

/** The domain checks the rest, and says more. */
const Message = exact({
  name: Type.String({ maxLength: 200 }),
  on: oneOf(MOMENTS),
  minutes: nullable(Type.Integer()),
  to: oneOf(RECIPIENTS),
  by: oneOf(CHANNELS),
  /** Slugs of this owner's; empty: all. */
  eventTypes: Type.Array(Slug),
  forms: Type.Array(Slug),
  enabled: Type.Boolean(),
  replaces: Type.Boolean(),
  texts: Type.Partial(Type.Object(Object.fromEntries(LANGUAGES.map((one) => [one, MessageText]))), {
    additionalProperties: false,
  }),
})

const offers = {
  eventTypes: Type.Array(EventType),
  routingForms: Type.Array(RoutingForm),
  blocklist: Blocklist,
  // Left out where there are none.
  messages: Type.Optional(Type.Array(Message)),
}

const User = exact({
  email: Email,
  ...page,
  disabled: Type.Boolean(),
  // Left out where they are `auto`.
  timeFormat: Type.Optional(oneOf(TIME_FORMATS)),
  weekStart: Type.Optional(oneOf(WEEK_STARTS)),
  schedules: Type.Array(Schedule),
  absences: Type.Array(
    exact({ startTime: Instant, endTime: Instant, note: Text, redirectTo: Type.Optional(Email) }),
  ),
  ...offers,
})

const Team = exact({
  ...page,
  members: Type.Array(
    exact({
      email: Email,
      role: oneOf(ROLES),
      attributes: Type.Optional(Type.Record(Type.String(), Type.Union([Line, Type.Array(Line)]))),
    }),
  ),
  // Files of earlier versions do not have these.
  membersSeeAll: Type.Optional(Type.Boolean()),
  attributes: Type.Optional(
    Type.Array(
      exact({
        key: Line,
        label: Line,
        type: oneOf(ATTRIBUTE_TYPES),
        options: Type.Array(Line, { maxItems: MAX_ATTRIBUTE_OPTIONS }),
      }),
      { maxItems: MAX_ATTRIBUTES },
    ),
  ),
  ...offers,
})

/** An event type in this file, as `owner/event`. */
const EventAddress = Type.String({ maxLength: 130 })

const Booking = exact({
  eventType: EventAddress,
  /** Shared by all guests of one meeting, and by its claims. */
  meeting: Line,
  host: Email,
  seat: Type.Integer({ minimum: 1, maximum: 10_000 }),
  seats: Type.Integer({ minimum: 1, maximum: 10_000 }),
  status: oneOf(BOOKING_STATUSES),
  startTime: Instant,
  endTime: Instant,
  invitee: exact({
    name: Type.String({ maxLength: 200 }),
    email: Email,
    phone: Type.String({ maxLength: 40 }),
    timeZone: Type.String({ maxLength: 64 }),
    locale: Type.String({ maxLength: 35 }),
    /** Where they have agreed to get text messages. */
    smsNumber: Type.Optional(Line),
  }),
  location: Location,
  notes: Text,
  customFields: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 }),
  source: oneOf(RECORDED_SOURCES),
  createdTime: Instant,
  // Files of earlier versions do not have them.
  sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  reason: Type.Optional(Type.String({ maxLength: 1000 })),
  utm: Type.Optional(Type.Record(Type.String({ maxLength: 500 }), Line, { maxProperties: 20 })),
  guests: Type.Optional(Type.Array(Email, { maxItems: 10 })),
  /** Who attends it, and no longer hosts its event type. */
  formerHosts: Type.Optional(Type.Array(Email, { maxItems: 100 })),
  hostNotes: Type.Optional(Text),
  /** What the program that booked keeps with it. */
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), { maxProperties: 50 }),
  ),
  /** What calendars call it, if it was made elsewhere. */
  uid: Type.Optional(Line),
  /** What was paid where it was made. Only told: no money moves here for it. */
  payment: Type.Optional(
    exact({
      status: oneOf(PAYMENT_STATUSES),
      amount: Type.Integer({ minimum: 0 }),
      currency: Type.String({ maxLength: 3 }),
      refunded: Type.Integer({ minimum: 0 }),
    }),
  ),
  /** Its place in a series; all bookings of the series share the id. */
  series: Type.Optional(
    exact({
      id: Line,
      every: oneOf(SERIES_STEPS),
      count: Type.Integer({ minimum: 2, maximum: MOST_OF_SERIES }),
      index: Type.Integer({ minimum: 0, maximum: MOST_OF_SERIES - 1 }),
      firstTime: Instant,
      timeZone: Line,
    }),
  ),
  /** How the round robin chose the host. */
  assignment: Type.Optional(
    exact({
      reason: oneOf(ASSIGNMENT_REASONS),
      detail: Line,
      host: Email,
      changes: Type.Array(exact({ host: Email, by: Type.Number({ minimum: -1000, maximum: 1000 }) }), {
        maxItems: 100,
      }),
    }),
  ),
})

const Claim = exact({
  eventType: EventAddress,
  meeting: Line,
  host: Email,
  startTime: Instant,
  endTime: Instant,
  bufferBeforeMinutes: Type.Integer({ minimum: 0, maximum: 1440 }),
  bufferAfterMinutes: Type.Integer({ minimum: 0, maximum: 1440 }),
})

const Workspace = exact({
  format: oneOf([FORMAT]),
  version: Type.Integer(),
  exportedAt: Instant,
  users: Type.Array(User),
  teams: Type.Array(Team),
  bookings: Type.Array(Booking),
  claims: Type.Array(Claim),
})

export type Workspace = Static<typeof Workspace>
export type WorkspaceUser = Static<typeof User>
export type WorkspaceTeam = Static<typeof Team>
export type WorkspaceEventType = Static<typeof EventType>
export type WorkspaceForm = Static<typeof RoutingForm>
export type WorkspaceMessage = Static<typeof Message>
export type WorkspaceTarget = Static<typeof Target>
export type WorkspaceBooking = Static<typeof Booking>
export type WorkspaceClaim = Static<typeof Claim>

/** Parses a workspace and checks its shape only; throws `invalid` with the reason. */
export function readWorkspace(text: string, { names }: Pick<Kinds, 'names'> = KINDS): Workspace {
  const value = parse(text)
  const { format, version } = (value ?? {}) as Partial<Workspace>
  if (format !== FORMAT)
    throw new Problem('invalid', english`The file is not an exported workspace of Punctual.`)
  if (typeof version !== 'number' || version > VERSION) {
    throw new Problem(
      'invalid',
      english`The workspace has version ${String(version)}, and this version of Punctual reads up to ${VERSION}: update it first.`,
    )
  }
  const [error] = Value.Errors(withNames(Workspace, names), value)
  if (error === undefined) return value as Workspace
  const place = error.instancePath.slice(1).replaceAll('/', '.') || 'The workspace'
  const reason = error.keyword === 'boolean' ? 'is not part of a workspace' : error.message
  throw new Problem('invalid', english`${place} ${reason}.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => {
      if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
        throw new Problem('invalid', english`The file contains text that cannot be stored.`)
      }
      return value
    })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('invalid', english`The file is not JSON: ${(error as Error).message}.`)
  }
}

export const formatTime = (instant: number) => new Date(instant).toISOString()

export function readTime(text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined || !Number.isInteger(instant)) {
    throw new Problem('invalid', english`"${text}" is not an instant such as 2030-01-31T09:30:00Z.`)
  }
  return instant
}
