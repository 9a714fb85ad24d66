import { type Answer, type Asked, type Route, type StandIn, startStandIn } from './stand-in.ts'

/** A stand-in for Calendly's API v2, as its reference has it: what an import reads. */
export interface CalendlyApiStandIn extends StandIn {
  readonly token: string
}

export interface CalendlyApiOptions {
  /** Whether the token is of an admin; otherwise of a person, who may not read the organization. */
  readonly admin?: boolean
  readonly events?: number
  /** What its clock shows: times of the past can't be asked for. */
  readonly now?: number
}

export const CALENDLY_TOKEN = 'calendly-token-of-the-tests'

/** A Monday, nine o'clock in London. */
export const CALENDLY_NOW = Date.UTC(2030, 0, 7, 9)

const HOST = 'https://api.calendly.com'
const ORGANIZATION = `${HOST}/organizations/ORG`
const [ME, OTHER] = [`${HOST}/users/ME`, `${HOST}/users/OTHER`]
const HOUR = 3_600_000
const DAY = 24 * HOUR

const at = (instant: number) => new Date(instant).toISOString().replace('.000Z', '.000000Z')

const user = (uri: string, name: string) => ({
  uri,
  name,
  slug: name.toLowerCase().replace(' ', '-'),
  email: `${name.toLowerCase().replace(' ', '')}@example.org`,
  scheduling_url: `https://calendly.com/${name.toLowerCase().replace(' ', '-')}`,
  timezone: 'Europe/London',
  avatar_url: null,
  created_at: at(CALENDLY_NOW - 100 * DAY),
  updated_at: at(CALENDLY_NOW - 100 * DAY),
  current_organization: ORGANIZATION,
  resource_type: 'User',
  locale: 'en',
  time_notation: '24h',
})

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

const schedule = (of: string) => ({
  uri: `${HOST}/user_availability_schedules/HOURS-${of.split('/').at(-1)}`,
  default: true,
  name: 'Working hours',
  user: of,
  timezone: 'Europe/London',
  rules: [
    { type: 'wday', wday: 'sunday', intervals: [] },
    ...weekdays.map((wday) => ({ type: 'wday', wday, intervals: [{ from: '09:00', to: '17:00' }] })),
    { type: 'wday', wday: 'saturday', intervals: [] },
    { type: 'date', date: '2030-02-01', intervals: [{ from: '10:00', to: '12:00' }] },
    { type: 'date', date: '2030-02-04', intervals: [] },
  ],
})

const eventType = (id: string, values: object) => ({
  uri: `${HOST}/event_types/${id}`,
  name: `Type ${id}`,
  active: true,
  booking_method: 'instant',
  slug: id.toLowerCase(),
  scheduling_url: `https://calendly.com/person-me/${id.toLowerCase()}`,
  duration: 30,
  duration_options: [30, 60],
  kind: 'solo',
  pooling_type: null,
  type: 'StandardEventType',
  description_plain: 'About it',
  secret: false,
  deleted_at: null,
  profile: { type: 'User', name: 'Person Me', owner: ME },
  locations: [
    { kind: 'physical', location: '1 Example Street' },
    { kind: 'zoom_conference' },
    { kind: 'inbound_call', phone_number: '+441632960000' },
    { kind: 'outbound_call' },
  ],
  custom_questions: [
    {
      name: 'Company',
      type: 'string',
      position: 0,
      enabled: true,
      required: true,
      answer_choices: [],
      include_other: false,
    },
    {
      name: 'Topics',
      type: 'multi_select',
      position: 1,
      enabled: true,
      required: false,
      answer_choices: ['Prices', 'Hosting'],
      include_other: false,
    },
  ],
  start_time_increment: 15,
  before_buffer: 5,
  after_buffer: 10,
  created_at: at(CALENDLY_NOW - 90 * DAY),
  updated_at: at(CALENDLY_NOW - 90 * DAY),
  ...values,
})

const TYPES = [
  eventType('SOLO', {}),
  eventType('GROUP', { kind: 'group', secret: true }),
  eventType('ROBIN', {
    pooling_type: 'round_robin',
    scheduling_url: 'https://calendly.com/example-sales/robin',
    profile: { type: 'Team', name: 'Sales', owner: `${HOST}/teams/SALES` },
  }),
  eventType('POLL', { booking_method: 'poll' }),
  eventType('GONE', { deleted_at: at(CALENDLY_NOW) }),
]

/** Days that have as many meetings as they may have: those of events 101 to 104. */
const FULL_DAYS: readonly number[] = [3, 4]

/** Offered on weekdays at ten and four; notice, window and limits differ by type. */
const RULES: Readonly<
  Record<string, { readonly notice: number; readonly days: number; readonly seats: number }>
> = {
  SOLO: { notice: 24 * HOUR, days: 60, seats: 1 },
  GROUP: { notice: 0, days: 10_000, seats: 8 },
  ROBIN: { notice: HOUR, days: 14, seats: 1 },
}

function availableTimes(type: string, from: number, to: number) {
  const { notice, days, seats } = RULES[type] ?? { notice: 0, days: 0, seats: 1 }
  const times: object[] = []
  for (let day = 0; day < 200; day++) {
    for (const hour of [10, 16]) {
      const start = Date.UTC(2030, 0, 7 + day, hour)
      const isOpen = start >= CALENDLY_NOW + notice && start <= CALENDLY_NOW + days * DAY
      if (type === 'ROBIN' && FULL_DAYS.includes(day)) continue
      const isWeekday = ![0, 6].includes(new Date(start).getUTCDay())
      if (isOpen && isWeekday && start >= from && start < to)
        times.push({
          status: 'available',
          invitees_remaining: seats,
          start_time: at(start),
          scheduling_url: 'https://calendly.com/',
        })
    }
  }
  return times
}

/** Groups have two who come and one who cancelled; the third event was moved to the fourth. */
const eventOf = (number: number) => {
  const isRobin = number > 100 && number <= 104
  const start = isRobin
    ? CALENDLY_NOW + (number < 103 ? 3 : 4) * DAY + (number % 2) * HOUR
    : CALENDLY_NOW + (number - 50) * DAY
  return {
    uri: `${HOST}/scheduled_events/EVENT-${number}`,
    name: `Meeting ${number}`,
    meeting_notes_plain: number === 1 ? 'Notes' : null,
    status: number === 3 ? 'canceled' : 'active',
    start_time: at(start),
    end_time: at(start + HOUR / 2),
    event_type: `${HOST}/event_types/${isRobin ? 'ROBIN' : number === 2 ? 'GROUP' : 'SOLO'}`,
    location: { type: 'zoom', status: 'pushed', join_url: `https://zoom.us/j/${number}` },
    invitees_counter: { total: 1, active: 1, limit: 1 },
    created_at: at(start - 10 * DAY),
    updated_at: at(start - 10 * DAY),
    event_memberships: [
      { user: ME, user_email: 'personme@example.org', user_name: 'Person Me' },
      ...(number === 5
        ? [{ user: OTHER, user_email: 'personother@example.org', user_name: 'Person Other' }]
        : []),
    ],
    event_guests: number === 6 ? [{ email: 'colleague@example.com' }] : [],
    calendar_event: { kind: 'google', external_id: `google-${number}` },
    ...(number === 3 && {
      cancellation: { canceled_by: 'Guest 3', reason: 'A clash', canceler_type: 'invitee' },
    }),
  }
}

const inviteeOf = (event: number, number: number, values: object = {}) => ({
  uri: `${HOST}/scheduled_events/EVENT-${event}/invitees/INVITEE-${event}-${number}`,
  email: `guest${event}-${number}@example.com`,
  name: `Guest ${event}`,
  status: 'active',
  timezone: 'Asia/Tokyo',
  questions_and_answers: [{ question: 'Company', answer: 'Example Ltd', position: 0 }],
  tracking: { utm_source: event === 1 ? 'newsletter' : null, utm_medium: null, salesforce_uuid: null },
  text_reminder_number: null,
  rescheduled: false,
  old_invitee: null,
  new_invitee: null,
  no_show: event === 7 ? { uri: `${HOST}/invitee_no_shows/1`, created_at: at(CALENDLY_NOW) } : null,
  payment: null,
  ...values,
})

function inviteesOf(event: number) {
  if (event === 2) return [inviteeOf(2, 1), inviteeOf(2, 2), inviteeOf(2, 3, { status: 'canceled' })]
  if (event === 3) return [inviteeOf(3, 1, { status: 'canceled', rescheduled: true })]
  if (event === 4)
    return [inviteeOf(4, 1, { old_invitee: `${HOST}/scheduled_events/EVENT-3/invitees/INVITEE-3-1` })]
  return [inviteeOf(event, 1)]
}

export async function startCalendlyApi({
  admin = true,
  events = 105,
  now = CALENDLY_NOW,
}: CalendlyApiOptions = {}): Promise<CalendlyApiStandIn> {
  const refuse = (status: number, message: string): Answer => ({
    status,
    body: { title: String(status), message },
  })
  const check = ({ headers, query }: Asked, required: readonly string[]): Answer | undefined => {
    if (headers.authorization !== `Bearer ${CALENDLY_TOKEN}`)
      return refuse(401, 'The access token is invalid')
    const missing = required.find((name) => !query.has(name))
    return missing === undefined ? undefined : refuse(400, `${missing} is required`)
  }
  const resource = (path: RegExp, content: object): Route => ({
    method: 'GET',
    path,
    answer: (asked) => check(asked, []) ?? { status: 200, body: { resource: content } },
  })
  /** A list with pages, whose tokens say where they begin. */
  const list = (
    path: RegExp,
    items: (asked: Asked, ...parameters: string[]) => readonly object[],
    { required = [], optional = [] }: { required?: readonly string[]; optional?: readonly string[] } = {},
  ): Route => ({
    method: 'GET',
    path,
    query: [...required, ...optional, 'count', 'page_token'],
    answer: (asked, ...parameters) => {
      const refusal = check(asked, required)
      if (refusal !== undefined) return refusal
      const ofOrganization = asked.query.has('organization') && asked.query.get('scope') !== 'user'
      if (ofOrganization && !admin) return refuse(403, 'You do not have permission')
      const count = Number(asked.query.get('count') ?? 20)
      const from = Number(asked.query.get('page_token') ?? 0)
      if (!(count >= 1 && count <= 100)) return refuse(400, 'count must be between 1 and 100')
      const all = items(asked, ...parameters)
      const next = from + count < all.length ? String(from + count) : null
      return {
        status: 200,
        body: { collection: all.slice(from, from + count), pagination: { count, next_page_token: next } },
      }
    },
  })
  const available: Route = {
    method: 'GET',
    path: /^\/event_type_available_times$/,
    query: ['event_type', 'start_time', 'end_time'],
    answer: (asked) => {
      const refusal = check(asked, ['event_type', 'start_time', 'end_time'])
      if (refusal !== undefined) return refusal
      const [from, to] = ['start_time', 'end_time'].map((name) =>
        Date.parse(asked.query.get(name) ?? ''),
      ) as [number, number]
      if (!(from > now && to > from && to - from <= 31 * DAY)) return refuse(400, 'Invalid range')
      const id = asked.query.get('event_type')?.split('/').at(-1) ?? ''
      return { status: 200, body: { collection: availableTimes(id, from, to) } }
    },
  }
  const scheduled = (query: URLSearchParams) => {
    const [status, from] = [query.get('status'), query.get('min_start_time') ?? '']
    return Array.from({ length: events }, (_, index) => eventOf(index + 1)).filter(
      (event) => (status === null || event.status === status) && event.start_time >= from,
    )
  }
  const membership = (of: string, role: string) => ({
    uri: `${HOST}/organization_memberships/MEMBER-${of.split('/').at(-1)}`,
    role,
    user: user(of, of === ME ? 'Person Me' : 'Person Other'),
    organization: ORGANIZATION,
  })
  const webhook = (id: string, values: object) => ({
    uri: `${HOST}/webhook_subscriptions/${id}`,
    callback_url: `https://hooks.example.org/${id}`,
    state: 'active',
    events: ['invitee.created', 'invitee.canceled', 'contact.created'],
    organization: ORGANIZATION,
    created_at: at(CALENDLY_NOW - DAY),
    ...values,
  })
  const standIn = await startStandIn({
    refuse,
    routes: () => [
      resource(/^\/users\/me$/, user(ME, 'Person Me')),
      resource(/^\/organizations\/ORG$/, { uri: ORGANIZATION, name: 'Example' }),
      list(/^\/organization_memberships$/, () => [membership(ME, 'owner'), membership(OTHER, 'user')], {
        required: ['organization'],
      }),
      {
        method: 'GET',
        path: /^\/user_availability_schedules$/,
        query: ['user'],
        answer: (asked) =>
          check(asked, ['user']) ?? {
            status: 200,
            body: { collection: [schedule(asked.query.get('user') ?? '')] },
          },
      },
      list(
        /^\/event_types$/,
        ({ query }) =>
          query.has('organization') ? TYPES : TYPES.filter(({ profile }) => profile.owner === ME),
        { optional: ['organization', 'user', 'active', 'sort'] },
      ),
      list(/^\/event_type_memberships$/, () => [{ member: { uri: ME } }, { member: { uri: OTHER } }], {
        required: ['event_type'],
      }),
      available,
      list(
        /^\/routing_forms$/,
        () => [
          {
            uri: `${HOST}/routing_forms/FORM`,
            name: 'Where to?',
            status: 'published',
            questions: [
              { uuid: 'q1', name: 'Your name', type: 'name', required: true },
              {
                uuid: 'q2',
                name: 'Size',
                type: 'radios',
                required: false,
                answer_choices: ['Small', 'Large'],
              },
            ],
          },
        ],
        { required: ['organization'] },
      ),
      list(
        /^\/webhook_subscriptions$/,
        ({ query }) => [
          query.get('scope') === 'user'
            ? webhook('HOOK-ME', { scope: 'user', user: ME })
            : webhook('HOOK-ORG', { scope: 'organization', user: null }),
        ],
        { required: ['organization', 'scope'], optional: ['user'] },
      ),
      list(/^\/scheduled_events$/, ({ query }) => scheduled(query), {
        optional: ['organization', 'user', 'sort', 'status', 'min_start_time', 'max_start_time'],
      }),
      list(/^\/scheduled_events\/EVENT-(\d+)\/invitees$/, (_, number = '') => inviteesOf(Number(number))),
    ],
  })
  return { ...standIn, token: CALENDLY_TOKEN }
}
