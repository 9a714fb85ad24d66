import { type Answer, type Asked, type Route, type StandIn, startStandIn } from './stand-in.ts'

/** A stand-in for Cal.com's API v2, as its OpenAPI document has it: what an import reads. */
export interface CalcomApiStandIn extends StandIn {
  readonly token: string
}

export interface CalcomApiOptions {
  /** Whether the token is of an admin of an organization; otherwise of a person with a team. */
  readonly organization?: boolean
  readonly bookings?: number
}

export const CALCOM_API_TOKEN = 'cal_live_token-of-the-tests'

const ORGANIZATION = 100
const PAGING = ['take', 'skip']
const [SCHEDULES, EVENT_TYPES, BOOKINGS] = ['2024-06-11', '2024-06-14', '2024-08-13']

const people = [1, 2].map((id) => ({
  id,
  username: `person-${id}`,
  name: `Person ${id}`,
  email: `person${id}@example.org`,
  bio: null,
  avatarUrl: null,
  timeZone: 'Europe/Berlin',
  weekStart: 'Monday',
  timeFormat: 24,
  defaultScheduleId: 200 + id,
}))

const eventType = (id: number, values: object) => ({
  id,
  lengthInMinutes: 30,
  lengthInMinutesOptions: [15, 30],
  title: `Type ${id}`,
  slug: `type-${id}`,
  description: '',
  locations: [
    { type: 'integration', integration: 'cal-video' },
    { type: 'address', address: '1 Example Street', public: true },
    { type: 'attendeePhone' },
    { type: 'organizersDefaultApp' },
  ],
  bookingFields: [
    { type: 'name', slug: 'name', label: 'Name', required: true, isDefault: true },
    {
      type: 'select',
      slug: 'plan',
      label: 'Plan',
      required: false,
      hidden: false,
      options: ['Free', 'Team'],
      isDefault: false,
    },
  ],
  disableGuests: false,
  minimumBookingNotice: 60,
  beforeEventBuffer: 5,
  afterEventBuffer: 10,
  recurrence: { interval: 1, occurrences: 4, frequency: 'weekly' },
  metadata: { kept: 'yes' },
  price: 0,
  currency: 'usd',
  hidden: false,
  scheduleId: null,
  bookingLimitsCount: { day: 2, year: 50 },
  bookingLimitsDuration: { week: 120 },
  bookingWindow: [{ type: 'businessDays', value: 20, rolling: false }],
  confirmationPolicy: {
    type: 'time',
    noticeThreshold: { unit: 'days', count: 2 },
    blockUnconfirmedBookingsInBooker: true,
  },
  seats: { seatsPerTimeSlot: 3, showAttendeeInfo: false, showAvailabilityCount: true },
  ...values,
})

const host = {
  id: 1,
  name: 'Person 1',
  email: 'person1@example.org',
  username: 'person-1',
  timeZone: 'Europe/Berlin',
}
const coHost = { ...host, id: 2, name: 'Person 2', email: 'person2@example.org', username: 'person-2' }
const guest = { name: 'Guest', timeZone: 'Asia/Tokyo', language: 'ja', absent: false }

const booking = (id: number) => ({
  id,
  uid: `uid-${id}`,
  title: `Meeting ${id}`,
  description: '',
  hosts: id === 2 ? [host, coHost] : [host],
  status: id === 3 ? 'cancelled' : 'accepted',
  start: `2030-01-${String(1 + (id % 28)).padStart(2, '0')}T09:00:00.000Z`,
  end: `2030-01-${String(1 + (id % 28)).padStart(2, '0')}T09:30:00.000Z`,
  duration: 30,
  eventTypeId: 1001,
  eventType: { id: 1001, slug: 'type-1001' },
  location: 'integrations:daily',
  meetingUrl: `https://app.cal.com/video/uid-${id}`,
  absentHost: false,
  createdAt: '2029-12-01T00:00:00.000Z',
  updatedAt: '2029-12-01T00:00:00.000Z',
  icsUid: `uid-${id}@Cal.com`,
  ...(id === 3 && { rescheduledToUid: 'uid-4', cancellationReason: 'Moved' }),
  ...(id === 4 && { rescheduledFromUid: 'uid-3', reschedulingReason: 'A clash' }),
  ...(id === 6 && { recurringBookingUid: 'series-6' }),
  ...(id === 5
    ? {
        attendees: [1, 2].map((seat) => ({
          ...guest,
          email: `seat${seat}@example.com`,
          seatUid: `seat-uid-${seat}`,
          bookingFieldsResponses: { plan: 'Team' },
        })),
      }
    : {
        attendees: [{ ...guest, email: `guest${id}@example.com` }],
        guests: [`other${id}@example.com`],
        bookingFieldsResponses: { email: `guest${id}@example.com`, name: 'Guest', plan: 'Team' },
      }),
})

const schedule = (user: number) => ({
  id: 200 + user,
  ownerId: user,
  name: 'Working hours',
  timeZone: 'Europe/Berlin',
  isDefault: true,
  availability: [{ days: ['Monday', 'Sunday'], startTime: '09:00', endTime: '17:00' }],
  overrides: [{ date: '2030-02-01', startTime: '10:00', endTime: '12:00' }],
})

const team = (id: number, values: object) => ({
  id,
  name: `Team ${id}`,
  slug: `team-${id}`,
  isOrganization: false,
  ...values,
})

const membership = (teamId: number, userId: number) => ({
  id: teamId * 10 + userId,
  userId,
  teamId,
  accepted: true,
  role: userId === 1 ? 'OWNER' : 'MEMBER',
  user: { name: `Person ${userId}`, email: `person${userId}@example.org`, username: `person-${userId}` },
})

const webhook = (id: string, values: object) => ({
  id,
  subscriberUrl: `https://hooks.example.org/${id}`,
  active: true,
  triggers: ['BOOKING_CREATED'],
  payloadTemplate: null,
  secret: `secret of ${id}`,
  ...values,
})

const teamType = (teamId: number) =>
  eventType(3001, {
    teamId,
    schedulingType: 'roundRobin',
    hosts: [
      { userId: 1, mandatory: true, priority: 'medium', weight: 100 },
      { userId: 2, mandatory: false, priority: 'high' },
    ],
  })

export async function startCalcomApi({
  organization = true,
  bookings = 130,
}: CalcomApiOptions = {}): Promise<CalcomApiStandIn> {
  const refuse = (status: number, message: string): Answer => ({
    status,
    body: {
      status: 'error',
      timestamp: '2030-01-01T00:00:00.000Z',
      error: { code: String(status), message },
    },
  })
  const org = `/v2/organizations/${ORGANIZATION}`
  const all = Array.from({ length: bookings }, (_, index) => booking(index + 1))

  /** A list that is asked for with the token and, where there are several, the right version. */
  const list = (
    path: string,
    items: readonly object[] | ((query: URLSearchParams) => readonly object[]),
    {
      version,
      query = PAGING,
      paged = true,
    }: { version?: string; query?: readonly string[]; paged?: boolean } = {},
  ): Route => ({
    method: 'GET',
    path: new RegExp(`^${path}$`),
    query,
    answer: (asked) => {
      const refusal = check(asked, version)
      if (refusal !== undefined) return refusal
      const found = typeof items === 'function' ? items(asked.query) : items
      if (!paged) return { status: 200, body: { status: 'success', data: found } }
      const [take, skip] = [Number(asked.query.get('take') ?? 100), Number(asked.query.get('skip') ?? 0)]
      if (!(take >= 1 && take <= 250 && skip >= 0)) return refuse(400, 'take must not be greater than 250')
      const data = found.slice(skip, skip + take)
      const pagination = {
        totalItems: found.length,
        returnedItems: data.length,
        totalPages: Math.ceil(found.length / take),
        hasNextPage: skip + take < found.length,
      }
      return { status: 200, body: { status: 'success', data, pagination } }
    },
  })

  const check = ({ headers }: Asked, version?: string): Answer | undefined => {
    if (headers.authorization !== `Bearer ${CALCOM_API_TOKEN}`) return refuse(401, 'Invalid API key')
    if (version !== undefined && headers['cal-api-version'] !== version)
      return refuse(400, `cal-api-version must be ${version}`)
    return undefined
  }

  const [person, other] = people
  const own = [eventType(1001, { ownerId: 1 }), eventType(1002, { ownerId: 1, hidden: true })]
  const everywhere: Route[] = [
    {
      method: 'GET',
      path: /^\/v2\/me$/,
      answer: (asked) =>
        check(asked) ?? {
          status: 200,
          body: {
            status: 'success',
            data: { ...person, organizationId: organization ? ORGANIZATION : null },
          },
        },
    },
    list(
      '/v2/event-types',
      (query) => (query.get('username') === null ? own : [eventType(1003, { ownerId: 2 })]),
      {
        version: EVENT_TYPES,
        query: ['username', 'orgId', 'eventSlug', 'usernames', 'orgSlug'],
        paged: false,
      },
    ),
    list(
      '/v2/event-types/1001/private-links',
      [
        { linkId: 'abc', eventTypeId: 1001, isExpired: false, expiresAt: '2030-12-31T23:59:59.000Z' },
        { linkId: 'def', eventTypeId: 1001, isExpired: false, maxUsageCount: 10, usageCount: 3 },
      ],
      { query: [], paged: false },
    ),
    list('/v2/event-types/1002/private-links', [], { query: [], paged: false }),
    list('/v2/event-types/1001/webhooks', [webhook('hook-type', { eventTypeId: 1001 })]),
    list('/v2/event-types/1002/webhooks', []),
    list('/v2/webhooks', [webhook('hook-person', { userId: 1 })]),
  ]
  const sorted = ['sortCreated', ...PAGING]
  const ofPerson: Route[] = [
    list('/v2/teams', [team(101, {})], { query: [], paged: false }),
    list('/v2/teams/101/memberships', [membership(101, 1), membership(101, 2)]),
    list('/v2/teams/101/event-types', [teamType(101)], { version: EVENT_TYPES, query: [], paged: false }),
    list('/v2/schedules', [schedule(1)], { version: SCHEDULES, query: [], paged: false }),
    list('/v2/bookings', all, { version: BOOKINGS, query: sorted }),
  ]
  const option = { id: 'option-europe', attributeId: 'region', value: 'Europe', slug: 'europe' }
  const ofOrganization: Route[] = [
    list(
      `${org}/users`,
      [person, other].map((user) => ({
        ...user,
        username: null,
        locale: 'en',
        createdDate: '2029-01-01T00:00:00.000Z',
        profile: {
          id: 500 + (user?.id ?? 0),
          organizationId: ORGANIZATION,
          userId: user?.id,
          username: user?.username,
        },
      })),
    ),
    list(`${org}/memberships`, [membership(ORGANIZATION, 1), membership(ORGANIZATION, 2)]),
    list(`${org}/teams`, [team(101, { parentId: ORGANIZATION })]),
    list(`${org}/teams/101/memberships`, [membership(101, 1)]),
    list(`${org}/teams/event-types`, [teamType(101)], { version: EVENT_TYPES }),
    list(`${org}/schedules`, [schedule(1), schedule(2)]),
    list(`${org}/ooo`, [
      {
        id: 1,
        uuid: 'away',
        userId: 1,
        toUserId: 2,
        start: '2030-03-01T00:00:00.000Z',
        end: '2030-03-02T23:59:59.999Z',
      },
    ]),
    list(`${org}/attributes`, [
      {
        id: 'region',
        teamId: ORGANIZATION,
        type: 'SINGLE_SELECT',
        name: 'Region',
        slug: 'region',
        enabled: true,
      },
    ]),
    list(
      `${org}/attributes/region/options`,
      [option, { ...option, id: 'option-asia', value: 'Asia', slug: 'asia' }],
      {
        query: [],
        paged: false,
      },
    ),
    list(`${org}/attributes/region/options/assigned`, [{ ...option, assignedUserIds: [2, 999] }]),
    list(`${org}/routing-forms`, [
      {
        id: 'form-1',
        name: 'Form',
        description: '',
        userId: 1,
        teamId: 101,
        disabled: false,
        routes: [],
        fields: [],
      },
    ]),
    list(`${org}/webhooks`, [webhook('hook-organization', { teamId: ORGANIZATION })]),
    list(`${org}/bookings`, all, { version: BOOKINGS, query: sorted }),
  ]
  const standIn = await startStandIn({
    refuse,
    routes: () => [...everywhere, ...(organization ? ofOrganization : ofPerson)],
  })
  return { ...standIn, token: CALCOM_API_TOKEN }
}
