import { createCipheriv } from 'node:crypto'
import { at, DAY, SEEDED_ENCRYPTION_KEY, SEEDED_ORGANIZATION, type Seed, uuidOf } from './seed.ts'
import { ROUND_ROBIN } from './seeded-event-types.ts'

export function seedWebhooks(seed: Seed): void {
  const add = (id: string, eventTriggers: readonly string[], values: object) =>
    seed.add('Webhook', { id, subscriberUrl: `https://hooks.example.org/${id}`, eventTriggers, ...values })
  const made = ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED']
  add('hook-person', made, { userId: 1, secret: 'secret of person 1' })
  add('hook-team', [...made, 'BOOKING_REQUESTED', 'BOOKING_REJECTED'], {
    teamId: 101,
    secret: 'secret of sales',
  })
  add('hook-event-type', ['BOOKING_CREATED', 'BOOKING_NO_SHOW_UPDATED'], { eventTypeId: ROUND_ROBIN })
  add('hook-organization', ['BOOKING_CREATED'], { teamId: SEEDED_ORGANIZATION })
  add('hook-form', ['FORM_SUBMITTED'], { teamId: 101 })
  add('hook-template', ['BOOKING_CREATED'], { userId: 2, payloadTemplate: '{"text": "{{title}}"}' })
  add('hook-asleep', ['BOOKING_CREATED'], { userId: 2, active: false })
  add('hook-elsewhere', ['RECORDING_READY', 'MEETING_ENDED', 'OOO_CREATED'], { userId: 3 })
  add('hook-zapier', ['BOOKING_CREATED'], { userId: 3, appId: 'zapier' })
  add('hook-later', ['AFTER_GUESTS_CAL_VIDEO_NO_SHOW'], { userId: 3, time: 5, timeUnit: 'minute' })
  add('hook-lost', ['BOOKING_CREATED'], { userId: 999 })
}

const TRIGGERS = [
  'BEFORE_EVENT',
  'EVENT_CANCELLED',
  'NEW_EVENT',
  'RESCHEDULE_EVENT',
  'AFTER_EVENT',
  'AFTER_HOSTS_CAL_VIDEO_NO_SHOW',
  'AFTER_GUESTS_CAL_VIDEO_NO_SHOW',
  'BOOKING_REJECTED',
  'BOOKING_REQUESTED',
  'BOOKING_PAYMENT_INITIATED',
  'BOOKING_PAID',
  'BOOKING_NO_SHOW_UPDATED',
  'FORM_SUBMITTED',
  'FORM_SUBMITTED_NO_EVENT',
]

const ACTIONS = [
  'EMAIL_HOST',
  'EMAIL_ATTENDEE',
  'SMS_ATTENDEE',
  'SMS_NUMBER',
  'EMAIL_ADDRESS',
  'WHATSAPP_ATTENDEE',
  'WHATSAPP_NUMBER',
  'CAL_AI_PHONE_CALL',
]

const TEMPLATES = ['REMINDER', 'CUSTOM', 'CANCELLED', 'RESCHEDULED', 'COMPLETED', 'RATING']

/** A workflow for each trigger and, with the first trigger, one for each action. */
export function seedWorkflows(seed: Seed): void {
  const add = (id: number, trigger: string, action: string, values: object = {}) => {
    const timed = /^(?:BEFORE|AFTER)_|NO_EVENT$/.test(trigger)
    seed.add('Workflow', {
      id,
      name: `${trigger} ${action}`,
      userId: 1,
      trigger,
      time: timed ? 24 : null,
      timeUnit: timed ? (['hour', 'day', 'minute'][id % 3] ?? null) : null,
      type: trigger.startsWith('FORM') ? 'ROUTING_FORM' : 'EVENT_TYPE',
      ...values,
    })
    seed.add('WorkflowStep', {
      id,
      stepNumber: 1,
      action,
      workflowId: id,
      sendTo:
        action === 'EMAIL_ADDRESS'
          ? 'office@example.org'
          : action.endsWith('NUMBER')
            ? '+441632960001'
            : null,
      emailSubject: 'Meeting with {ORGANIZER_NAME} on {EVENT_DATE_ddd, MMM D}',
      reminderBody:
        '<p>Hi {ATTENDEE_FIRST_NAME},</p><p>{EVENT_NAME} is on {EVENT_DATE} at {EVENT_TIME} {TIMEZONE}, {LOCATION} {MEETING_URL}.</p><p>{CANCEL_URL} {RESCHEDULE_URL} {ADDITIONAL_NOTES} {UNKNOWN_VARIABLE}</p>',
      template: TEMPLATES[id % TEMPLATES.length],
      sender: 'Example',
      includeCalendarEvent: id % 2 === 0,
    })
  }
  for (const [index, trigger] of TRIGGERS.entries())
    add(index + 1, trigger, 'EMAIL_ATTENDEE', { teamId: 101 })
  for (const [index, action] of ACTIONS.entries()) add(index + 21, 'BEFORE_EVENT', action)
  add(40, 'NEW_EVENT', 'EMAIL_HOST', { teamId: SEEDED_ORGANIZATION, isActiveOnAll: true })
  add(41, 'FULL_MOON', 'CARRIER_PIGEON')
  seed.add('WorkflowStep', {
    id: 50,
    stepNumber: 2,
    action: 'EMAIL_HOST',
    workflowId: 1,
    template: 'REMINDER',
  })
  for (const [index, workflowId] of [1, 2, 3, 21, 22].entries())
    seed.add('WorkflowsOnEventTypes', {
      id: index + 1,
      workflowId,
      eventTypeId: workflowId < 20 ? ROUND_ROBIN : 2001,
    })
  seed.add('WorkflowsOnEventTypes', { id: 9, workflowId: 999, eventTypeId: ROUND_ROBIN })
}

export function seedWatchlist(seed: Seed): void {
  const add = (id: number, type: string, value: string, values: object = {}) =>
    seed.add('Watchlist', { id: uuidOf(5, id), type, value, ...values })
  add(1, 'EMAIL', 'spammer@example.net', { description: 'Books and never comes', isGlobal: true })
  add(2, 'DOMAIN', 'spam.example', { organizationId: SEEDED_ORGANIZATION })
  add(3, 'DOMAIN', '*.junk.example')
  add(4, 'USERNAME', 'spammer')
  add(5, 'EMAIL', 'watched@example.net', { action: 'REPORT' })
  add(6, 'EMAIL', 'not an address')
}

/** As the source encrypts what it signs in to CalDAV with. */
function encrypt(text: string): string {
  const iv = Buffer.alloc(16, 7)
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(SEEDED_ENCRYPTION_KEY, 'latin1'), iv)
  return `${iv.toString('hex')}:${cipher.update(text, 'utf8', 'hex')}${cipher.final('hex')}`
}

export function seedCredentials(seed: Seed): void {
  const app = (slug: string, keys: object | null) =>
    seed.add('App', { slug, keys, updatedAt: at(seed.now - DAY) })
  app('google-calendar', { client_id: 'google-client', client_secret: 'google-secret', redirect_uris: [] })
  app('office365-calendar', { client_id: 'microsoft-client', client_secret: 'microsoft-secret' })
  app('zoom', { client_id: 'zoom-client', client_secret: 'zoom-secret' })
  app('caldav-calendar', null)
  app('daily-video', { api_key: 'daily-key', scale_plan: 'false' })

  const credential = (
    id: number,
    userId: number,
    type: string,
    appId: string,
    key: unknown,
    values: object = {},
  ) => seed.add('Credential', { id, userId, type, appId, key, ...values })
  const tokens = (name: string, expires: number) => ({
    scope: 'calendar',
    token_type: 'Bearer',
    access_token: `access of ${name}`,
    refresh_token: `refresh of ${name}`,
    expiry_date: expires,
  })
  credential(1, 1, 'google_calendar', 'google-calendar', tokens('person 1', seed.now))
  credential(2, 2, 'office365_calendar', 'office365-calendar', tokens('person 2', seed.now / 1000))
  credential(3, 2, 'zoom_video', 'zoom', tokens('person 2 at Zoom', seed.now))
  const caldav = { username: 'person3', password: 'password of person 3', url: 'https://dav.example.org/' }
  credential(4, 3, 'caldav_calendar', 'caldav-calendar', encrypt(JSON.stringify(caldav)))
  credential(5, 4, 'google_calendar', 'google-calendar', tokens('person 4', seed.now), { invalid: true })
  credential(6, 5, 'caldav_calendar', 'caldav-calendar', 'not:encrypted')
  credential(7, 999, 'google_calendar', 'google-calendar', {})

  const selected = (userId: number, integration: string, externalId: string, credentialId: number) =>
    seed.add('SelectedCalendar', {
      id: `selected-${seed.nextId('SelectedCalendar')}`,
      userId,
      integration,
      externalId,
      credentialId,
    })
  selected(1, 'google_calendar', 'person1@example.org', 1)
  selected(1, 'google_calendar', 'holidays@group.calendar.google.com', 1)
  selected(2, 'office365_calendar', 'AQMkAD==', 2)
  selected(3, 'caldav_calendar', 'https://dav.example.org/person3/work/', 4)
  const destination = (id: number, integration: string, externalId: string, values: object) =>
    seed.add('DestinationCalendar', { id, integration, externalId, ...values })
  destination(1, 'google_calendar', 'person1@example.org', {
    userId: 1,
    credentialId: 1,
    primaryEmail: 'person1@example.org',
  })
  destination(2, 'office365_calendar', 'AQMkAD==', { userId: 2, credentialId: 2 })
  destination(3, 'caldav_calendar', 'https://dav.example.org/person3/work/', { userId: 3, credentialId: 4 })
  destination(4, 'google_calendar', 'demos@group.calendar.google.com', {
    eventTypeId: ROUND_ROBIN,
    credentialId: 1,
  })
}
