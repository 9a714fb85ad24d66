/**
 * The fields of the host API in words, at the start of a sentence: "The duration must be …".
 *
 * `*` stands for an index or a key, and `{1}` for the first index, counted from 1.
 */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: 'The name',
  slug: 'The booking link',
  description: 'The description',
  timezone: 'The time zone',
  email: 'The email address',
  role: 'The role',
  url: 'The address',
  kind: 'The kind',
  provider: 'The provider',
  note: 'The note',
  reason: 'The reason',
  startDate: 'The first day',
  endDate: 'The last day',
  startTime: 'The start',
  endTime: 'The end',
  teamId: 'The team',
  ownerId: 'The owner',

  durationMinutes: 'The duration',
  intervalMinutes: 'The time between starts',
  bufferBeforeMinutes: 'The buffer before',
  bufferAfterMinutes: 'The buffer after',
  noticeMinutes: 'The minimum notice',
  window: 'The booking window',
  'window.kind': 'The kind of booking window',
  'window.days': 'The booking window',
  'window.from': 'The first date of the booking window',
  'window.to': 'The last date of the booking window',
  limits: 'The set of booking limits',
  'limits.day': 'The limit per day',
  'limits.week': 'The limit per week',
  'limits.month': 'The limit per month',
  seats: 'The number of seats',
  requiresApproval: 'The approval setting',
  hidden: 'The visibility setting',
  location: 'The location',
  'location.type': 'The type of location',
  'location.value': 'The location',
  questions: 'The list of questions',
  'questions.*': 'Question {1}',
  'questions.*.key': 'The key of question {1}',
  'questions.*.label': 'The label of question {1}',
  'questions.*.type': 'The type of question {1}',
  'questions.*.required': 'The required setting of question {1}',
  'questions.*.options': 'The list of options of question {1}',
  'questions.*.options.*': 'Option {2} of question {1}',
  abuse: 'The spam protection',
  'abuse.honeypot': 'The honeypot setting',
  'abuse.captcha': 'The CAPTCHA',
  'abuse.blocklist': 'The blocklist',
  'abuse.blocklist.*': 'Entry {1} of the blocklist',
  'abuse.detectDuplicates': 'The duplicates setting',
  'abuse.rateLimit': 'The limit of attempts per minute',
  assignment: 'The assignment of hosts',
  position: 'The position',
  scheduleId: 'The schedule',
  cancelNoticeMinutes: 'The cancellation cutoff',
  rescheduleNoticeMinutes: 'The rescheduling cutoff',
  reminderMinutes: 'The list of reminders',
  'reminderMinutes.*': 'Reminder {1}',
  allowedOrigins: 'The list of sites',
  'allowedOrigins.*': 'Site {1}',
  hosts: 'The list of hosts',
  'hosts.*': 'Host {1}',
  'hosts.*.userId': 'Host {1}',
  'hosts.*.fixed': 'The required setting of host {1}',
  'hosts.*.weight': 'The weight of host {1}',

  undoable: '“Undoable”',
  hostId: 'The host',
  weekly: 'The weekly schedule',
  'weekly.*': 'A day of the weekly schedule',
  'weekly.*.*': 'A range of hours',
  'weekly.*.*.opens': 'The start of a range of hours',
  'weekly.*.*.closes': 'The end of a range of hours',
  overrides: 'The list of date overrides',
  'overrides.*': 'A date override',
  'overrides.*.*': 'A range of hours',
  'overrides.*.*.opens': 'The start of a range of hours',
  'overrides.*.*.closes': 'The end of a range of hours',
  isDefault: 'The default setting',

  fields: 'The list of fields',
  'fields.*': 'Field {1}',
  'fields.*.id': 'The id of field {1}',
  'fields.*.label': 'The label of field {1}',
  'fields.*.type': 'The type of field {1}',
  'fields.*.required': 'The required setting of field {1}',
  'fields.*.options': 'The list of options of field {1}',
  'fields.*.options.*': 'Option {2} of field {1}',
  'fields.*.options.*.id': 'The id of option {2} of field {1}',
  'fields.*.options.*.label': 'The label of option {2} of field {1}',
  rules: 'The list of rules',
  'rules.*': 'Rule {1}',
  'rules.*.when': 'The condition of rule {1}',
  'rules.*.target': 'The target of rule {1}',
  'rules.*.target.action': 'The action of rule {1}',
  'rules.*.target.eventTypeId': 'The event type of rule {1}',
  'rules.*.target.redirectUrl': 'The address of rule {1}',
  'rules.*.target.message': 'The message of rule {1}',
  fallback: 'The fallback',
  'fallback.action': 'The action of the fallback',
  'fallback.eventTypeId': 'The event type of the fallback',
  'fallback.redirectUrl': 'The address of the fallback',
  'fallback.message': 'The message of the fallback',
  force: 'The force parameter',

  events: 'The list of events',
  'events.*': 'Event {1}',
  eventTypeIds: 'The list of event types',
  'eventTypeIds.*': 'Event type {1}',
  active: 'The active setting',
  since: 'The start',
  event: 'The event',

  username: 'The user name',
  password: 'The password',
  busy: 'The conflicts setting',
  writeTo: 'The setting for adding bookings',

  entry: 'The entry',

  bio: 'The bio',
  avatarUrl: 'The address of the picture',
  locale: 'The language',
  theme: 'The theme',
  timeFormat: 'The time format',
  weekStart: 'The start of the week',
  branding: 'The branding',
  'branding.primaryColor': 'The colour',
  'branding.logoUrl': 'The address of the logo',

  scopes: 'The list of scopes',
  'scopes.*': 'Scope {1}',
  expiresInDays: 'The number of days until it expires',
  token: 'The token',

  limit: 'The limit',
  cursor: 'The cursor',
  status: 'The status',
  'status.*': 'The status',
  from: 'The first date',
  to: 'The last date',
  eventTypeId: 'The event type',
  text: 'The text to search for',
  order: 'The order',
  start: 'The start',
  dateFrom: 'The first date',
  dateTo: 'The last date',
}

/** An index, or the date of an override. */
const INDEX_OR_DATE = /^\d+$|^\d{4}-\d\d-\d\d$/

/** The field at this path in words. A field without a name takes that of the field around it. */
export function fieldName(path: string): string {
  const keys = path.split('.')
  const numbers = keys.filter((key) => INDEX_OR_DATE.test(key)).map((key) => String(Number(key) + 1))
  for (let length = keys.length; length > 0; length--) {
    const pattern = keys
      .slice(0, length)
      .map((key) => (INDEX_OR_DATE.test(key) ? '*' : key))
      .join('.')
    const name = Object.hasOwn(FIELD_NAMES, pattern) ? FIELD_NAMES[pattern] : undefined
    if (name !== undefined) return name.replaceAll(/\{(\d)\}/g, (_, nth) => numbers[nth - 1] ?? '')
  }
  return 'A field'
}
