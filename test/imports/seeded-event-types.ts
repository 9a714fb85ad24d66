import { at, DAY, SEEDED_ORGANIZATION, type Seed } from './seed.ts'
import { PEOPLE } from './seeded-people.ts'

/** Event types that bookings are made of. */
export const SEATED = 2010
export const RECURRING = 2011
export const QUESTIONS = 2013
export const PRICED = 2014
export const ROUND_ROBIN = 3001
export const COLLECTIVE = 3002

/** The personal event type that everybody has. */
export const usualOf = (user: number) => 1000 + user

const system = (name: string, type: string, values: object = {}) => ({
  name,
  type,
  required: false,
  editable: 'system',
  sources: [{ id: 'default', type: 'default', label: 'Default' }],
  ...values,
})

const SYSTEM_FIELDS = [
  system('name', 'name', { required: true, defaultLabel: 'your_name' }),
  system('email', 'email', { required: true, defaultLabel: 'email_address' }),
  system('location', 'radioInput', { editable: 'system', hideWhenJustOneOption: true }),
  system('title', 'text', { hidden: true, editable: 'system-but-optional' }),
  system('notes', 'textarea', { editable: 'system-but-optional', defaultLabel: 'additional_notes' }),
  system('guests', 'multiemail', { editable: 'system-but-optional', defaultLabel: 'additional_guests' }),
  system('rescheduleReason', 'textarea', { editable: 'system-but-optional' }),
]

const asked = (name: string, type: string, values: object = {}) => ({
  name,
  type,
  label: `About ${name}`,
  required: false,
  editable: 'user',
  sources: [{ id: 'user', type: 'user', label: 'User' }],
  ...values,
})

const options = (...labels: string[]) => labels.map((label) => ({ label, value: label.toLowerCase() }))

const ALL_QUESTIONS = [
  ...SYSTEM_FIELDS,
  asked('company', 'text', { required: true, placeholder: 'Where you work' }),
  asked('story', 'textarea'),
  asked('seats', 'number'),
  asked('billing', 'email'),
  asked('mobile', 'phone'),
  asked('street', 'address'),
  asked('others', 'multiemail'),
  asked('plan', 'select', { required: true, options: options('Free', 'Team', 'Company') }),
  asked('topics', 'multiselect', { options: options('Prices', 'Hosting', 'Support') }),
  asked('days', 'checkbox', { options: options('Monday', 'Tuesday') }),
  asked('size', 'radio', { options: options('Small', 'Large') }),
  asked('where', 'radioInput', {
    options: options('Phone', 'Address'),
    optionsInputs: { phone: { type: 'phone' } },
  }),
  asked('terms', 'boolean', { required: true }),
  asked('website', 'url'),
  asked('campaign', 'text', { hidden: true }),
  asked('unchangeable', 'text', { editable: 'user-readonly' }),
  asked('hologram', 'hologram'),
]

const ALL_LOCATIONS = [
  { type: 'inPerson', address: '1 Example Street', displayLocationPublicly: true, customLabel: 'Office' },
  { type: 'attendeeInPerson' },
  { type: 'phone' },
  { type: 'userPhone', hostPhoneNumber: '+441632960000' },
  { type: 'link', link: 'https://meet.example.org/room' },
  { type: 'conferencing' },
  { type: 'somewhereElse' },
  { type: 'integrations:google:meet' },
  { type: 'integrations:zoom' },
  { type: 'integrations:office365_video' },
  { type: 'integrations:jitsi' },
  { type: 'integrations:daily' },
  { type: 'integrations:whereby_video', link: 'https://whereby.com/example' },
]

const LIMITS = { PER_DAY: 3, PER_WEEK: 10, PER_MONTH: 30, PER_YEAR: 200 }

export function seedEventTypes(seed: Seed): void {
  const { now } = seed
  const add = (id: number, slug: string, values: object) =>
    seed.add('EventType', {
      id,
      slug,
      title: slug.replaceAll('-', ' '),
      bookingFields: SYSTEM_FIELDS,
      locations: [{ type: 'integrations:daily' }],
      metadata: {},
      updatedAt: at(now - 30 * DAY),
      ...values,
    })
  const personal = (id: number, userId: number, slug: string, values: object = {}) =>
    add(id, slug, { userId, profileId: 500 + userId, position: id % 100, ...values })
  const ofTeam = (id: number, teamId: number, slug: string, values: object) =>
    add(id, slug, { teamId, ...values })
  const host = (eventTypeId: number, userId: number, values: object = {}) =>
    seed.add('Host', { eventTypeId, userId, priority: 2, weight: 100, memberId: 10100 + userId, ...values })

  for (let user = 1; user <= PEOPLE; user++)
    personal(usualOf(user), user, '30min', { title: '30 Min Meeting', length: 30 })

  personal(2001, 1, 'intro', {
    length: 30,
    metadata: { multipleDuration: [15, 30, 60] },
    description: 'A first talk.\n\nWith **bold** words.',
    eventName: '{Organiser} and {Scheduler}',
    scheduleId: 201,
  })
  personal(2002, 1, 'secret', { hidden: true })
  personal(2003, 1, 'on-request', {
    requiresConfirmation: true,
    requiresConfirmationWillBlockSlot: true,
    metadata: { requiresConfirmationThreshold: { time: 2, unit: 'days' } },
  })
  personal(2004, 2, 'rolling-days', { periodType: 'rolling', periodDays: 30, periodCountCalendarDays: true })
  personal(2005, 2, 'rolling-business-days', {
    periodType: 'rolling',
    periodDays: 10,
    periodCountCalendarDays: false,
  })
  personal(2006, 2, 'range', {
    periodType: 'range',
    periodStartDate: at(now + 5 * DAY),
    periodEndDate: at(now + 65 * DAY),
  })
  personal(2007, 2, 'rolling-window', {
    periodType: 'rolling_window',
    periodDays: 7,
    periodCountCalendarDays: true,
  })
  personal(2008, 2, 'evening', {
    scheduleId: 302,
    timeZone: 'Europe/London',
    lockTimeZoneToggleOnBookingPage: true,
  })
  personal(2009, 3, 'redirecting', {
    successRedirectUrl: 'https://example.org/thanks',
    forwardParamsSuccessRedirect: true,
    disableGuests: true,
    disableCancelling: true,
  })
  personal(SEATED, 2, 'class', {
    length: 30,
    seatsPerTimeSlot: 5,
    seatsShowAttendees: false,
    seatsShowAvailabilityCount: true,
  })
  personal(RECURRING, 2, 'weekly', { recurringEvent: { freq: 2, count: 3, interval: 1 } })
  personal(2012, 3, 'anywhere', { locations: ALL_LOCATIONS })
  personal(QUESTIONS, 1, 'questions', { bookingFields: ALL_QUESTIONS })
  personal(PRICED, 4, 'consulting', {
    price: 2500,
    currency: 'eur',
    metadata: {
      apps: { stripe: { enabled: true, price: 2500, currency: 'eur', paymentOption: 'ON_BOOKING' } },
    },
  })
  personal(2015, 5, 'limited', {
    bookingLimits: LIMITS,
    durationLimits: { PER_DAY: 120, PER_WEEK: 600, PER_MONTH: 2400, PER_YEAR: 20000 },
    maxActiveBookingsPerBooker: 2,
    onlyShowFirstAvailableSlot: true,
  })
  personal(2016, 6, 'buffered', {
    length: 45,
    beforeEventBuffer: 10,
    afterEventBuffer: 15,
    minimumBookingNotice: 1440,
    minimumRescheduleNotice: 60,
    slotInterval: 20,
    offsetStart: 5,
    requiresBookerEmailVerification: true,
  })
  personal(2017, 7, 'old-questions', { bookingFields: null, locations: null })
  seed.add('EventTypeCustomInput', {
    id: 1,
    eventTypeId: 2017,
    label: 'Company',
    type: 'text',
    required: true,
  })
  seed.add('EventTypeCustomInput', { id: 2, eventTypeId: 2017, label: 'Story', type: 'textLong' })
  seed.add('EventTypeCustomInput', {
    id: 3,
    eventTypeId: 2017,
    label: 'Size',
    type: 'radio',
    options: [{ label: 'Small', type: 'text' }],
  })
  seed.add('EventTypeCustomInput', { id: 4, eventTypeId: 2017, label: 'Agreed', type: 'bool' })
  // Names that are good there, but not here.
  personal(2018, 8, 'Über_uns', { title: 'Über uns' })
  // Older than schedules: its hours are its own.
  personal(2019, 9, 'own-hours')
  seed.add('Availability', {
    id: seed.nextId('Availability'),
    eventTypeId: 2019,
    days: [2, 4],
    startTime: '08:00',
    endTime: '12:00',
  })
  seed.add('_user_eventtype', { A: 2019, B: 9 })

  ofTeam(ROUND_ROBIN, 101, 'demo', { schedulingType: 'roundRobin', isRRWeightsEnabled: true })
  for (const [index, weight] of [100, 200, 50, 100, null].entries()) host(ROUND_ROBIN, index + 1, { weight })
  ofTeam(COLLECTIVE, 101, 'panel', {
    schedulingType: 'collective',
    locations: [{ type: 'integrations:zoom' }],
  })
  host(COLLECTIVE, 6, { isFixed: true })
  host(COLLECTIVE, 7, { isFixed: true })
  ofTeam(3003, 101, 'expert', { schedulingType: 'roundRobin', rescheduleWithSameRoundRobinHost: true })
  host(3003, 8, { isFixed: true })
  host(3003, 9)
  host(3003, 10, { priority: 3, scheduleId: 210 })
  const unlockedFields = { locations: true, scheduleId: true }
  ofTeam(3004, 101, 'check-in', {
    schedulingType: 'managed',
    metadata: { managedEventConfig: { unlockedFields } },
  })
  personal(3005, 11, 'check-in', { parentId: 3004, metadata: { managedEventConfig: {} } })
  personal(3006, 12, 'check-in', { parentId: 3004, metadata: { managedEventConfig: {} } })
  ofTeam(3007, 102, 'help', { schedulingType: 'roundRobin', assignAllTeamMembers: true, seatsPerTimeSlot: 3 })
  for (let user = 13; user <= 20; user++) host(3007, user, { memberId: 10200 + user })
  ofTeam(3008, 102, 'old-team-type', { schedulingType: 'collective' })
  seed.add('_user_eventtype', { A: 3008, B: 13 })
  seed.add('_user_eventtype', { A: 3008, B: 14 })
  ofTeam(3009, 103, 'quiet-talk', { schedulingType: 'roundRobin' })
  host(3009, 21, { memberId: 10321 })

  // Broken in one way each.
  personal(2090, 10, 'unknown-enum', { periodType: 'lunar', schedulingType: 'lottery' })
  personal(2091, 10, 'broken-json', { locations: '[{"type": "inPers', bookingFields: '{', metadata: 'null}' })
  personal(2092, 999, 'no-owner')
  host(4999, 1)

  seed.add('HashedLink', { id: 1, link: 'once-abcdefghijklmnop', eventTypeId: 2002 })
  seed.add('HashedLink', {
    id: 2,
    link: 'thrice-abcdefghijklmn',
    eventTypeId: 2002,
    maxUsageCount: 3,
    usageCount: 1,
  })
  seed.add('HashedLink', { id: 3, link: 'used-abcdefghijklmnop', eventTypeId: 2001, usageCount: 1 })
  seed.add('HashedLink', {
    id: 4,
    link: 'until-abcdefghijklmno',
    eventTypeId: ROUND_ROBIN,
    expiresAt: at(now + 30 * DAY),
  })
  seed.add('HashedLink', {
    id: 5,
    link: 'over-abcdefghijklmnop',
    eventTypeId: 2001,
    expiresAt: at(now - 30 * DAY),
  })
  seed.add('HashedLink', { id: 6, link: 'lost-abcdefghijklmnop', eventTypeId: 4999 })
}

/** Attributes of the organization's people. */
export function seedAttributes(seed: Seed): void {
  const attribute = (id: string, type: string, name: string, values: readonly string[]) => {
    seed.add('Attribute', { id, teamId: SEEDED_ORGANIZATION, type, name, slug: name.toLowerCase() })
    for (const value of values)
      seed.add('AttributeOption', {
        id: `${id}-${value.toLowerCase()}`,
        attributeId: id,
        value,
        slug: value.toLowerCase(),
      })
  }
  const give = (user: number, attributeOptionId: string) =>
    seed.add('AttributeToUser', {
      id: `given-${seed.nextId('AttributeToUser')}`,
      memberId: 1000 + user,
      attributeOptionId,
    })
  attribute('region', 'SINGLE_SELECT', 'Region', ['Europe', 'Americas', 'Asia'])
  attribute('languages', 'MULTI_SELECT', 'Languages', ['English', 'German', 'Japanese'])
  attribute('desk', 'TEXT', 'Desk', ['A1', 'B2'])
  attribute('quota', 'NUMBER', 'Quota', ['10', '25'])
  seed.add('AttributeOption', {
    id: 'languages-european',
    attributeId: 'languages',
    value: 'European',
    slug: 'european',
    contains: ['languages-english', 'languages-german'],
    isGroup: true,
  })
  for (let user = 1; user <= 12; user++) {
    give(user, `region-${['europe', 'americas', 'asia'][user % 3]}`)
    give(user, 'languages-english')
    if (user % 2 === 0) give(user, 'languages-german')
  }
  give(1, 'desk-a1')
  give(1, 'quota-25')
  give(999, 'region-asia')
}
