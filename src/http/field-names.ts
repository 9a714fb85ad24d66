import { LANGUAGES } from '../domain/languages.ts'
import { EVENT_TYPE_SCHEMA } from '../format/event-type-schema.ts'

/**
 * The fields of the host API in words, at the start of a sentence: "The duration must be …".
 *
 * `*` stands for an index or a key, and `{1}` for the first index, counted from 1.
 */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(EVENT_TYPE_SCHEMA).map(([field, { called }]) => [field, called])),

  timezone: 'The time zone',
  email: 'The email address',
  role: 'The role',
  disabled: 'Whether they are disabled',
  code: 'The recovery code',
  credentialId: 'The passkey’s id',
  clientDataJSON: 'The passkey’s client data',
  attestationObject: 'The passkey’s attestation',
  authenticatorData: 'The passkey’s data',
  signature: 'The passkey’s signature',
  transports: 'The list of transports',
  'transports.*': 'Transport {1}',
  search: 'The text to find',
  url: 'The address',
  kind: 'The kind',
  provider: 'The provider',
  connectionId: 'The connected account',
  externalId: 'The calendar',
  note: 'The note',
  reason: 'The reason',
  startDate: 'The first day',
  endDate: 'The last day',
  startTime: 'The start',
  inviteeName: 'The guest’s name',
  inviteeEmail: 'The guest’s email address',
  inviteePhone: 'The guest’s phone number',
  inviteeTimezone: 'The guest’s time zone',
  inviteeLocale: 'The guest’s language',
  inviteeNotes: 'The notes',
  customFields: 'The set of answers',
  endTime: 'The end',
  teamId: 'The team',
  ownerId: 'The owner',

  'durations.*': 'Duration {1}',
  duration: 'The duration',
  'window.kind': 'The kind of booking window',
  'window.days': 'The booking window',
  'window.from': 'The first date of the booking window',
  'window.to': 'The last date of the booking window',
  'limits.day': 'The limit per day',
  'limits.week': 'The limit per week',
  'limits.month': 'The limit per month',
  guests: 'The list of guests',
  'guests.*': 'Guest {1}',
  'location.type': 'The type of location',
  'location.value': 'The location',
  'location.provider': 'The meeting link',
  'locations.*': 'Location {1}',
  'locations.*.id': 'The id of location {1}',
  'locations.*.type': 'The type of location {1}',
  'locations.*.value': 'Location {1}',
  'locations.*.provider': 'The meeting link of location {1}',
  'locations.*.label': 'The name of location {1}',
  locationId: 'The location',
  'questions.*': 'Question {1}',
  'questions.*.key': 'The key of question {1}',
  'questions.*.label': 'The label of question {1}',
  'questions.*.type': 'The type of question {1}',
  'questions.*.required': 'The required setting of question {1}',
  'questions.*.options': 'The list of options of question {1}',
  'questions.*.options.*': 'Option {2} of question {1}',
  'abuse.honeypot': 'The honeypot setting',
  'abuse.captcha': 'The CAPTCHA',
  'abuse.blocklist': 'The blocklist',
  'abuse.blocklist.*': 'Entry {1} of the blocklist',
  'abuse.detectDuplicates': 'The duplicates setting',
  'abuse.rateLimit': 'The limit of attempts per minute',
  'reminderMinutes.*': 'Reminder {1}',
  'allowedOrigins.*': 'Site {1}',
  uses: 'The number of uses',
  expiresAt: 'The expiry',
  hostIds: 'The list of hosts',
  'hostIds.*': 'Host {1}',
  answers: 'The set of answers',
  'answers.*': 'An answer',
  'series.every': 'The list of intervals',
  'series.every.*': 'Interval {1}',
  'series.most': 'The most meetings of a series',
  scope: 'The scope',
  hosts: 'The list of hosts',
  'hosts.*': 'Host {1}',
  'hosts.*.userId': 'Host {1}',
  'hosts.*.fixed': 'The required setting of host {1}',
  'hosts.*.weight': 'The weight of host {1}',

  undoable: '“Undoable”',
  hostId: 'The host',
  automatic: 'The automatic choice',
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
  'rules.*.target.hosts': 'The host filter of rule {1}',
  'rules.*.target.redirectUrl': 'The address of rule {1}',
  'rules.*.target.message': 'The message of rule {1}',
  'rules.*.target.owner': 'The host of returning guests in rule {1}',
  'rules.*.target.owner.days': 'How long ago returning guests met their host, in rule {1},',
  'rules.*.target.ownerLookupUrl': 'The owner lookup of rule {1}',
  'rules.*.target.owner.by': 'How returning guests are recognised in rule {1}',
  fallback: 'The fallback',
  'fallback.action': 'The action of the fallback',
  'fallback.eventTypeId': 'The event type of the fallback',
  'fallback.hosts': 'The host filter of the fallback',
  'fallback.redirectUrl': 'The address of the fallback',
  'fallback.message': 'The message of the fallback',
  'fallback.owner': 'The host of returning guests in the fallback',
  'fallback.owner.days': 'How long ago returning guests met their host, in the fallback,',
  'fallback.ownerLookupUrl': 'The owner lookup of the fallback',
  'fallback.owner.by': 'How returning guests are recognised in the fallback',
  tests: 'The list of tests',
  'tests.*': 'Test {1}',
  'tests.*.name': 'The name of test {1}',
  'tests.*.answers': 'The set of answers of test {1}',
  'tests.*.expect': 'The expected result of test {1}',
  'tests.*.expect.action': 'The expected action of test {1}',
  'tests.*.expect.eventTypeId': 'The expected event type of test {1}',
  'tests.*.expect.redirectUrl': 'The expected address of test {1}',
  'tests.*.expect.message': 'The expected message of test {1}',
  force: 'The force parameter',

  events: 'The list of events',
  'events.*': 'Event {1}',
  eventTypeIds: 'The list of event types',
  'eventTypeIds.*': 'Event type {1}',
  active: 'The active setting',
  message: 'The message',
  ...messageFields(''),
  ...messageFields('message.'),
  branch: 'The branch',
  bookingId: 'The booking',
  language: 'The language',
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
  germanAddress: 'The German form of address',
  handOverTo: 'Who takes over',
  theme: 'The theme',
  timeFormat: 'The time format',
  weekStart: 'The start of the week',
  membersSeeAll: 'The choice of what members see',
  branding: 'The branding',
  'branding.primaryColor': 'The colour',
  'branding.logoUrl': 'The address of the logo',

  '*': 'Attribute {1}',
  '*.key': 'The key of attribute {1}',
  '*.label': 'The label of attribute {1}',
  '*.type': 'The type of attribute {1}',
  '*.options': 'The list of options of attribute {1}',
  '*.options.*': 'Option {2} of attribute {1}',
  attributes: 'The set of attributes',
  'attributes.*': 'An attribute',
  'attributes.*.*': 'An attribute',
  dryRun: 'The dry run setting',

  scopes: 'The list of scopes',
  'scopes.*': 'Scope {1}',
  expiresInDays: 'The number of days until it expires',
  token: 'The token',

  limit: 'The limit',
  end: 'Whether to end what it made',
  cancel: 'Whether to cancel meetings',
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

/** The fields of a message, alone or in a preview. */
function messageFields(before: string): Record<string, string> {
  const texts: [string, string][] = LANGUAGES.flatMap((language) => [
    [`texts.${language}`, 'The text'],
    [`texts.${language}.subject`, 'The subject'],
    [`texts.${language}.body`, 'The text'],
  ])
  const fields: Record<string, string> = {
    on: 'The moment',
    minutes: 'The number of minutes',
    by: 'The channel',
    formIds: 'The list of forms',
    'formIds.*': 'Form {1}',
    enabled: 'The enabled setting',
    replaces: 'The replaces setting',
    texts: 'The text',
    ...Object.fromEntries(texts),
    // Other bodies and queries have fields of these names.
    ...(before !== '' && {
      name: 'The name',
      to: 'The recipient',
      eventTypeIds: 'The list of event types',
      'eventTypeIds.*': 'Event type {1}',
      teamId: 'The team',
    }),
  }
  return Object.fromEntries(Object.entries(fields).map(([field, name]) => [before + field, name]))
}

/** An index, or the date of an override. */
const INDEX_OR_DATE = /^\d+$|^\d{4}-\d\d-\d\d$/

/** What a field is called that has no name, nor one around it. */
export const ANY_FIELD = 'A field'

/** The field at this path in words. A field without a name takes that of the field around it. */
export function fieldName(path: string, translate?: (name: string) => string | undefined): string {
  const keys = path.split('.')
  const numbers = keys.filter((key) => INDEX_OR_DATE.test(key)).map((key) => String(Number(key) + 1))
  for (let length = keys.length; length > 0; length--) {
    const pattern = keys
      .slice(0, length)
      .map((key) => (INDEX_OR_DATE.test(key) ? '*' : key))
      .join('.')
    const name = Object.hasOwn(FIELD_NAMES, pattern) ? FIELD_NAMES[pattern] : undefined
    if (name !== undefined) {
      return (translate?.(name) ?? name).replaceAll(/\{(\d)\}/g, (_, nth) => numbers[nth - 1] ?? '')
    }
  }
  return translate?.(ANY_FIELD) ?? ANY_FIELD
}
