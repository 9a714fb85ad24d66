import { readRelease } from '../../../version.ts'
import { CreateBooking, CreateOlderBooking } from './booking-input.ts'
import { VERSION_HEADER, type Version } from './versions.ts'

type Schema = Readonly<Record<string, unknown>>

const [TEXT, WHOLE, FLAG, TIME] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'string', format: 'date-time' },
] as const
const ANY = { type: 'object', additionalProperties: true }
const listOf = (items: Schema) => ({ type: 'array', items })
const orNull = (schema: Schema) => ({ oneOf: [schema, { type: 'null' }] })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
/** Fields whose names end in a question mark may be left out. */
function object(fields: Readonly<Record<string, Schema>>) {
  const entries = Object.entries(fields)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
    required: entries.filter(([name]) => !name.endsWith('?')).map(([name]) => name),
  }
}

const Attendee = object({
  name: TEXT,
  email: TEXT,
  displayEmail: TEXT,
  timeZone: TEXT,
  language: TEXT,
  absent: FLAG,
  'phoneNumber?': TEXT,
  'seatUid?': TEXT,
  'bookingFieldsResponses?': ANY,
  'metadata?': ANY,
})

const Host = object({
  id: WHOLE,
  name: TEXT,
  email: TEXT,
  displayEmail: TEXT,
  username: TEXT,
  timeZone: TEXT,
})

const schemas: Readonly<Record<string, Schema>> = {
  Booking: object({
    id: WHOLE,
    uid: { ...TEXT, description: 'A secret: whoever has it can see, move and cancel the booking.' },
    title: TEXT,
    description: TEXT,
    hosts: listOf(Host),
    status: { type: 'string', enum: ['accepted', 'pending', 'cancelled', 'rejected'] },
    cancellationReason: TEXT,
    start: TIME,
    end: TIME,
    duration: WHOLE,
    eventTypeId: WHOLE,
    eventType: object({ id: WHOLE, slug: TEXT }),
    attendees: listOf(Attendee),
    guests: listOf(TEXT),
    meetingUrl: TEXT,
    location: TEXT,
    absentHost: FLAG,
    createdAt: TIME,
    updatedAt: TIME,
    metadata: ANY,
    rating: orNull(WHOLE),
    icsUid: TEXT,
    bookingFieldsResponses: ANY,
    'seatUid?': TEXT,
    'recurringBookingUid?': TEXT,
  }),
  OlderBooking: object({
    id: WHOLE,
    uid: TEXT,
    userPrimaryEmail: TEXT,
    eventTypeId: WHOLE,
    title: TEXT,
    description: TEXT,
    startTime: TIME,
    endTime: TIME,
    status: { type: 'string', enum: ['ACCEPTED', 'PENDING', 'CANCELLED', 'REJECTED'] },
    location: TEXT,
    paid: FLAG,
    metadata: ANY,
    cancellationReason: orNull(TEXT),
    rejectionReason: orNull(TEXT),
    responses: ANY,
    attendees: listOf(object({ name: TEXT, email: TEXT, timeZone: TEXT, locale: TEXT, noShow: FLAG })),
    user: object({ id: WHOLE, name: TEXT, email: TEXT, username: TEXT, timeZone: TEXT }),
    eventType: object({
      id: WHOLE,
      slug: TEXT,
      title: TEXT,
      eventName: orNull(TEXT),
      timeZone: orNull(TEXT),
    }),
    customInputs: ANY,
    smsReminderNumber: orNull(TEXT),
    createdAt: TIME,
    recurringEventId: orNull(TEXT),
    iCalUID: TEXT,
  }),
  EventType: object({
    id: WHOLE,
    'ownerId?': orNull(WHOLE),
    'users?': listOf(ANY),
    'teamId?': WHOLE,
    'schedulingType?': TEXT,
    'assignAllTeamMembers?': FLAG,
    'hosts?': listOf(ANY),
    'team?': ANY,
    lengthInMinutes: WHOLE,
    'lengthInMinutesOptions?': listOf(WHOLE),
    title: TEXT,
    slug: TEXT,
    description: TEXT,
    locations: listOf(ANY),
    bookingFields: listOf(ANY),
    recurrence: orNull(object({ interval: WHOLE, occurrences: WHOLE, frequency: TEXT })),
    disableGuests: FLAG,
    slotInterval: orNull(WHOLE),
    minimumBookingNotice: WHOLE,
    beforeEventBuffer: WHOLE,
    afterEventBuffer: WHOLE,
    metadata: ANY,
    price: WHOLE,
    currency: TEXT,
    lockTimeZoneToggleOnBookingPage: FLAG,
    seatsPerTimeSlot: orNull(WHOLE),
    seats: ANY,
    forwardParamsSuccessRedirect: orNull(FLAG),
    successRedirectUrl: orNull(TEXT),
    isInstantEvent: FLAG,
    seatsShowAvailabilityCount: orNull(FLAG),
    scheduleId: orNull(WHOLE),
    bookingLimitsCount: ANY,
    bookingLimitsDuration: ANY,
    bookingWindow: ANY,
    confirmationPolicy: ANY,
    requiresBookerEmailVerification: FLAG,
    bookingRequiresAuthentication: FLAG,
    hidden: FLAG,
    bookingUrl: TEXT,
  }),
  Schedule: object({
    id: WHOLE,
    ownerId: WHOLE,
    name: TEXT,
    timeZone: TEXT,
    availability: listOf(object({ days: listOf(TEXT), startTime: TEXT, endTime: TEXT })),
    isDefault: FLAG,
    overrides: listOf(object({ date: TEXT, startTime: TEXT, endTime: TEXT })),
  }),
  Me: object({
    id: WHOLE,
    username: TEXT,
    email: TEXT,
    name: TEXT,
    avatarUrl: orNull(TEXT),
    bio: TEXT,
    timeFormat: WHOLE,
    defaultScheduleId: orNull(WHOLE),
    weekStart: TEXT,
    timeZone: TEXT,
    locale: TEXT,
    organizationId: orNull(WHOLE),
    metadata: ANY,
  }),
  Reservation: object({
    eventTypeId: WHOLE,
    slotStart: TIME,
    slotEnd: TIME,
    slotDuration: WHOLE,
    reservationUid: TEXT,
    'reservationDuration?': WHOLE,
    reservationUntil: TIME,
  }),
  Webhook: object({
    id: TEXT,
    subscriberUrl: TEXT,
    triggers: listOf(TEXT),
    active: FLAG,
    payloadTemplate: orNull(TEXT),
    'secret?': TEXT,
    'userId?': WHOLE,
    'eventTypeId?': WHOLE,
  }),
  Slots: {
    type: 'object',
    additionalProperties: listOf(
      object({
        start: TEXT,
        'end?': TEXT,
        'seatsBooked?': WHOLE,
        'seatsRemaining?': WHOLE,
        'seatsTotal?': WHOLE,
      }),
    ),
  },
  OlderSlots: object({
    slots: {
      type: 'object',
      additionalProperties: listOf(
        object({ 'time?': TEXT, 'startTime?': TEXT, 'endTime?': TEXT, 'attendees?': WHOLE }),
      ),
    },
  }),
  Error: object({
    status: { type: 'string', enum: ['error'] },
    timestamp: TIME,
    path: TEXT,
    error: object({ code: TEXT, message: TEXT }),
  }),
}

interface Operation {
  readonly path: string
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly summary: string
  readonly version?: Version
  readonly data?: Schema
  readonly status?: number
  readonly query?: string
  readonly body?: unknown
  /** Whether a bearer token is needed; some only take one. */
  readonly token: 'needed' | 'taken' | 'none'
}

const webhooksAt = (path: string): Operation[] => [
  {
    path,
    method: 'get',
    summary: 'Webhooks',
    data: listOf(ref('Webhook')),
    token: 'needed',
    query: 'take skip',
  },
  {
    path,
    method: 'post',
    summary: 'Add a webhook',
    data: ref('Webhook'),
    status: 201,
    body: ANY,
    token: 'needed',
  },
  ...(['get', 'patch', 'delete'] as const).map((method) => ({
    path: `${path}/{webhookId}`,
    method,
    summary: 'A webhook',
    data: ref('Webhook'),
    token: 'needed' as const,
    ...(method === 'patch' && { body: ANY }),
  })),
]

const changeOf = (name: string, summary: string, token: Operation['token'], status = 200): Operation => ({
  path: `/bookings/{uid}/${name}`,
  method: 'post',
  summary,
  version: '2024-08-13',
  data: ref('Booking'),
  status,
  body: ANY,
  token,
})

const SLOT_QUERY = 'eventTypeId eventTypeSlug username teamSlug timeZone duration'

const OPERATIONS: readonly Operation[] = [
  { path: '/me', method: 'get', summary: 'The signed-in user', data: ref('Me'), token: 'needed' },
  {
    path: '/event-types',
    method: 'get',
    summary: 'Your event types, or those that anyone may see of a user',
    version: '2024-06-14',
    data: listOf(ref('EventType')),
    query: 'username eventSlug',
    token: 'taken',
  },
  {
    path: '/event-types/{id}',
    method: 'get',
    summary: 'One of your event types',
    version: '2024-06-14',
    data: ref('EventType'),
    token: 'needed',
  },
  {
    path: '/slots',
    method: 'get',
    summary: 'Slots by date',
    version: '2024-09-04',
    data: ref('Slots'),
    query: `start end format bookingUidToReschedule ${SLOT_QUERY}`,
    token: 'none',
  },
  {
    path: '/slots/available',
    method: 'get',
    summary: 'Slots by date, as before 2024-09-04',
    data: ref('OlderSlots'),
    query: `startTime endTime slotFormat usernameList rescheduleUid ${SLOT_QUERY}`,
    token: 'none',
  },
  {
    path: '/slots/reservations',
    method: 'post',
    summary: 'Keep a slot for a while',
    version: '2024-09-04',
    data: ref('Reservation'),
    status: 201,
    body: ANY,
    token: 'taken',
  },
  {
    path: '/slots/reservations/{uid}',
    method: 'patch',
    summary: 'Keep another slot instead, or the same for longer',
    version: '2024-09-04',
    data: ref('Reservation'),
    body: ANY,
    token: 'taken',
  },
  ...(['get', 'delete'] as const).map((method) => ({
    path: '/slots/reservations/{uid}',
    method,
    summary: method === 'get' ? 'A slot that is kept' : 'Give a slot back',
    version: '2024-09-04' as const,
    ...(method === 'get' && { data: ref('Reservation') }),
    token: 'none' as const,
  })),
  {
    path: '/bookings',
    method: 'get',
    summary: 'Bookings of you and your teams',
    version: '2024-08-13',
    data: listOf(ref('Booking')),
    query:
      'status attendeeEmail attendeeName bookingUid eventTypeId eventTypeIds teamId afterStart beforeEnd sortStart sortCreated take skip limit cursor',
    token: 'needed',
  },
  {
    path: '/bookings',
    method: 'post',
    summary: 'Book',
    version: '2024-08-13',
    data: ref('Booking'),
    status: 201,
    body: { anyOf: [CreateBooking, CreateOlderBooking] },
    token: 'taken',
  },
  {
    path: '/bookings/{uid}',
    method: 'get',
    summary: 'A booking',
    version: '2024-08-13',
    data: ref('Booking'),
    token: 'taken',
  },
  {
    path: '/bookings/verification/email/send-code',
    method: 'post',
    summary: 'Email a code to a guest, for the event type that asks for it',
    data: object({ sent: FLAG }),
    body: ANY,
    token: 'none',
  },
  changeOf('cancel', 'Cancel a booking', 'taken'),
  changeOf('reschedule', 'Move a booking', 'taken', 201),
  changeOf('confirm', 'Approve a request', 'needed'),
  changeOf('decline', 'Decline a request', 'needed'),
  changeOf('mark-absent', 'Say whether the guest came', 'needed'),
  {
    path: '/schedules',
    method: 'get',
    summary: 'Your schedules',
    data: listOf(ref('Schedule')),
    token: 'needed',
  },
  {
    path: '/schedules/default',
    method: 'get',
    summary: 'Your default schedule',
    data: ref('Schedule'),
    token: 'needed',
  },
  { path: '/schedules/{id}', method: 'get', summary: 'A schedule', data: ref('Schedule'), token: 'needed' },
  ...webhooksAt('/webhooks'),
  ...webhooksAt('/event-types/{id}/webhooks'),
]

/** What of their interface is here, as an OpenAPI document. */
export function calcomDocument(publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of OPERATIONS) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Punctual: Cal.com’s API v2',
      version: readRelease().version,
      description:
        'For programs that were written for Cal.com’s API v2: change the address, and use an API token of ours. What is not listed here answers 404.',
    },
    servers: [{ url: `${publicUrl}/v2` }],
    paths,
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

function describe({ path, summary, version, data, status = 200, query = '', body, token }: Operation) {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return {
    summary,
    parameters: [
      ...named.map((name) => ({ name, in: 'path', required: true, schema: TEXT })),
      ...query
        .split(' ')
        .filter((name) => name !== '')
        .map((name) => ({ name, in: 'query', schema: TEXT })),
      ...(version === undefined
        ? []
        : [{ name: VERSION_HEADER, in: 'header', schema: { ...TEXT, default: version } }]),
    ],
    ...(body !== undefined && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      [status]: {
        description: 'Done.',
        content: {
          'application/json': {
            schema: object({ status: TEXT, ...(data !== undefined && { data }) }),
          },
        },
      },
      default: {
        description: 'Refused.',
        content: { 'application/json': { schema: ref('Error') } },
      },
    },
    security: token === 'needed' ? [{ bearer: [] }] : token === 'taken' ? [{}, { bearer: [] }] : [],
  }
}
