import type { SourceRow, SourceTable } from './source.ts'

/** How a value is written in PostgreSQL's text form. Enums and uuids are text. */
export type ColumnKind =
  | 'integer'
  | 'integers'
  | 'text'
  | 'texts'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'time'
  | 'json'

/**
 * What is read of each table, by kind. Secrets that we have no use for (second factors, codes, passwords) are not listed, so
 * they never leave the source.
 */
const COLUMNS: Readonly<Record<SourceTable, Partial<Readonly<Record<ColumnKind, string>>>>> = {
  users: {
    integer: 'id bufferTime timeFormat defaultScheduleId organizationId movedToProfileId',
    text: `username name email bio timeZone weekStart theme locale brandColor darkBrandColor role avatarUrl
      uuid`,
    boolean: 'hideBranding allowDynamicBooking locked isPlatformManaged requiresBookerEmailVerification',
    timestamp: 'created',
    json: 'metadata',
  },
  Profile: {
    integer: 'id userId organizationId',
    text: 'uid username',
    timestamp: 'createdAt updatedAt',
  },
  Team: {
    integer: 'id parentId timeFormat',
    text: 'name slug bio brandColor darkBrandColor theme appLogo timeZone weekStart logoUrl',
    boolean: `hideBranding hideBookATeamMember isPrivate pendingPayment isOrganization isPlatform
      hideTeamProfileLink`,
    timestamp: 'createdAt',
    json: 'metadata bookingLimits',
  },
  Membership: {
    integer: 'teamId userId id',
    text: 'role',
    boolean: 'accepted',
    timestamp: 'createdAt updatedAt',
  },
  Schedule: {
    integer: 'id userId',
    text: 'name timeZone',
  },
  Availability: {
    integer: 'id userId eventTypeId scheduleId',
    integers: 'days',
    date: 'date',
    time: 'startTime endTime',
  },
  OutOfOfficeEntry: {
    integer: 'id userId toUserId reasonId',
    text: 'uuid notes',
    boolean: 'showNotePublicly',
    timestamp: 'start end createdAt updatedAt',
  },
  TravelSchedule: {
    integer: 'id userId',
    text: 'timeZone prevTimeZone',
    timestamp: 'startDate endDate',
  },
  EventType: {
    integer: `id length userId periodDays minimumBookingNotice price teamId position slotInterval afterEventBuffer
      beforeEventBuffer seatsPerTimeSlot scheduleId parentId offsetStart profileId maxLeadThreshold
      restrictionScheduleId maxActiveBookingsPerBooker minimumRescheduleNotice`,
    text: `title slug description eventName timeZone currency schedulingType periodType successRedirectUrl
      interfaceLanguage customReplyToEmail lockedTimeZone requiresCancellationReason
      redirectUrlOnNoRoutingFormResponse`,
    boolean: `hidden periodCountCalendarDays requiresConfirmation disableGuests hideCalendarNotes
      seatsShowAttendees requiresBookerEmailVerification seatsShowAvailabilityCount
      lockTimeZoneToggleOnBookingPage onlyShowFirstAvailableSlot isInstantEvent assignAllTeamMembers
      useEventTypeDestinationCalendarEmail forwardParamsSuccessRedirect isRRWeightsEnabled
      rescheduleWithSameRoundRobinHost requiresConfirmationWillBlockSlot showOptimizedSlots
      hideCalendarEventDetails assignRRMembersUsingSegment requiresConfirmationForFreeEmail
      useEventLevelSelectedCalendars allowReschedulingPastBookings disableCancelling disableRescheduling
      hideOrganizerEmail includeNoShowInRRCalculation useBookerTimezone allowReschedulingCancelledBookings
      maxActiveBookingPerBookerOfferReschedule bookingRequiresAuthentication rrHostSubsetEnabled
      enablePerHostLocations`,
    timestamp: 'periodEndDate periodStartDate createdAt updatedAt',
    json: `locations metadata recurringEvent bookingLimits bookingFields durationLimits eventTypeColor
      rrSegmentQueryValue`,
  },
  EventTypeCustomInput: {
    integer: 'id eventTypeId',
    text: 'label type placeholder',
    boolean: 'required',
    json: 'options',
  },
  Host: {
    integer: 'userId eventTypeId priority weight weightAdjustment scheduleId memberId',
    text: 'groupId',
    boolean: 'isFixed',
    timestamp: 'createdAt',
  },
  _user_eventtype: {
    integer: 'A B',
  },
  HashedLink: {
    integer: 'id eventTypeId maxUsageCount usageCount',
    text: 'link',
    timestamp: 'expiresAt',
  },
  App_RoutingForms_Form: {
    integer: 'userId teamId position',
    text: 'id description name',
    boolean: 'disabled',
    timestamp: 'createdAt updatedAt',
    json: 'routes fields settings',
  },
  App_RoutingForms_FormResponse: {
    integer: 'id',
    text: 'formId routedToBookingUid chosenRouteId uuid',
    timestamp: 'createdAt updatedAt',
    json: 'response',
  },
  Attribute: {
    integer: 'teamId',
    text: 'id type name slug',
    boolean: 'enabled usersCanEditRelation isWeightsEnabled isLocked',
    timestamp: 'createdAt updatedAt',
  },
  AttributeOption: {
    text: 'id attributeId value slug',
    texts: 'contains',
    boolean: 'isGroup',
  },
  AttributeToUser: {
    integer: 'memberId weight',
    text: 'id attributeOptionId',
    timestamp: 'createdAt updatedAt',
  },
  Webhook: {
    integer: 'userId eventTypeId teamId time',
    text: 'id subscriberUrl payloadTemplate appId secret timeUnit version',
    texts: 'eventTriggers',
    boolean: 'active',
    timestamp: 'createdAt',
  },
  Workflow: {
    integer: 'id userId time teamId position',
    text: 'name trigger timeUnit type',
    boolean: 'isActiveOnAll',
  },
  WorkflowStep: {
    integer: 'id stepNumber workflowId',
    text: 'action sendTo reminderBody emailSubject template sender sourceLocale',
    boolean: 'numberRequired includeCalendarEvent',
    timestamp: 'verifiedAt',
  },
  WorkflowsOnEventTypes: {
    integer: 'id workflowId eventTypeId',
  },
  WorkflowsOnRoutingForms: {
    integer: 'id workflowId',
    text: 'routingFormId',
  },
  Watchlist: {
    integer: 'organizationId',
    text: 'type value description action id source',
    boolean: 'isGlobal',
    timestamp: 'lastUpdatedAt',
  },
  Booking: {
    integer: 'id userId eventTypeId destinationCalendarId iCalSequence rating',
    text: `uid title description location status cancellationReason rejectionReason fromReschedule
      dynamicEventSlugRef dynamicGroupSlugRef recurringEventId smsReminderNumber iCalUID userPrimaryEmail
      ratingFeedback cancelledBy rescheduledBy`,
    boolean: 'paid rescheduled noShowHost',
    timestamp: 'startTime endTime createdAt updatedAt',
    json: 'customInputs metadata responses',
  },
  Attendee: {
    integer: 'id bookingId',
    text: 'email name timeZone locale phoneNumber',
    boolean: 'noShow',
  },
  BookingSeat: {
    integer: 'id bookingId attendeeId',
    text: 'referenceUid',
    json: 'data metadata',
  },
  BookingReference: {
    integer: 'id bookingId credentialId',
    text: 'type uid meetingId meetingPassword meetingUrl externalCalendarId',
    boolean: 'deleted',
  },
  BookingInternalNote: {
    integer: 'id notePresetId bookingId createdById',
    text: 'text',
    timestamp: 'createdAt',
  },
  Tracking: {
    integer: 'id bookingId',
    text: 'utm_source utm_medium utm_campaign utm_term utm_content',
  },
  Payment: {
    integer: 'id bookingId amount',
    text: 'uid currency externalId appId paymentOption',
    boolean: 'success refunded',
    json: 'data',
  },
  Credential: {
    integer: 'id userId teamId',
    text: 'type appId encryptedKey',
    boolean: 'invalid',
    json: 'key',
  },
  App: {
    text: 'slug',
    boolean: 'enabled',
    timestamp: 'createdAt updatedAt',
    json: 'keys',
  },
  SelectedCalendar: {
    integer: 'userId credentialId eventTypeId',
    text: 'integration externalId id error',
    timestamp: 'createdAt updatedAt',
  },
  DestinationCalendar: {
    integer: 'id userId eventTypeId credentialId',
    text: 'integration externalId primaryEmail',
    timestamp: 'createdAt updatedAt',
  },
}

const KINDS: ReadonlyMap<string, ReadonlyMap<string, ColumnKind>> = new Map(
  Object.entries(COLUMNS).map(([table, kinds]) => [
    table,
    new Map(
      Object.entries(kinds).flatMap(([kind, names]) =>
        names.split(/\s+/).map((name) => [name, kind as ColumnKind] as const),
      ),
    ),
  ]),
)

const NO_COLUMNS: ReadonlyMap<string, ColumnKind> = new Map()

/** The columns that are read of a table, with their kinds. */
export const columnsOf = (table: SourceTable): ReadonlyMap<string, ColumnKind> =>
  KINDS.get(table) ?? NO_COLUMNS

/** Turns the text forms of a row into values. Columns that we don't read are dropped; null is null. */
export function decodeRow(table: SourceTable, texts: Readonly<Record<string, string | null>>): SourceRow {
  const row: Record<string, unknown> = {}
  for (const [column, kind] of columnsOf(table)) {
    const text = texts[column]
    if (text !== undefined) row[column] = text === null ? null : decode(kind, text)
  }
  return row
}

/** The value of a text form, or else the text itself. */
function decode(kind: ColumnKind, text: string): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'integer':
      return readInteger(text) ?? text
    case 'boolean':
      return BOOLEANS.get(text) ?? text
    case 'timestamp':
      return readTimestamp(text) ?? text
    case 'date':
      return text
    case 'time':
      return /^\d\d:\d\d(?=:|$)/.exec(text)?.[0] ?? text
    case 'json':
      return readJson(text)
    case 'texts':
      return readArray(text) ?? text
    case 'integers':
      return readIntegers(text) ?? text
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['t', true],
  ['true', true],
  ['f', false],
  ['false', false],
])

function readInteger(text: string): number | undefined {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  // Adding 0 makes -0 a 0.
  return Number.isSafeInteger(value) ? value + 0 : undefined
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d)?)?$/

/** Without a zone it is UTC. */
function readTimestamp(text: string): string | undefined {
  const [, date = '', time = '', fraction = '', zone = 'Z'] = TIMESTAMP.exec(text) ?? []
  if (!isDate(date)) return undefined
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const instant = Date.parse(`${date}T${time}.${milliseconds}${offset}`)
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString()
}

/** A date that there is: not February 30, which JavaScript reads as March 2. */
function isDate(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function readIntegers(text: string): (number | null)[] | undefined {
  const items = readArray(text)
  const integers = items?.map((item) => (item === null ? null : readInteger(item)))
  return integers?.every((item) => item !== undefined) ? integers : undefined
}

/** A list such as `{1,"a b",NULL}`; undefined if it isn't one, or has lists in it. */
function readArray(text: string): (string | null)[] | undefined {
  // Arrays that don't begin at 1 say so first: [0:1]={a,b}
  const body = text.replace(/^\[-?\d+:-?\d+\]=/, '')
  if (body === '{}') return []
  if (!body.startsWith('{') || !body.endsWith('}')) return undefined
  const items: (string | null)[] = []
  for (let at = 1; at < body.length; ) {
    const end = body[at] === '"' ? endOfQuoted(body, at) : endOfPlain(body, at)
    if (end === undefined) return undefined
    const item = body.slice(at, end)
    if (item.startsWith('"')) items.push(item.slice(1, -1).replace(/\\([\s\S])/g, '$1'))
    else items.push(item.toUpperCase() === 'NULL' ? null : item)
    if (body[end] === '}') return end === body.length - 1 ? items : undefined
    if (body[end] !== ',') return undefined
    at = end + 1
  }
  return undefined
}

function endOfQuoted(body: string, start: number): number | undefined {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === '\\') at++
    else if (body[at] === '"') return at + 1
  }
  return undefined
}

/** Where an item without quotes ends. It has one character at least, and none that would need quotes. */
function endOfPlain(body: string, start: number): number | undefined {
  let at = start
  while (at < body.length && !',}{"\\'.includes(body[at] ?? '')) at++
  return at > start ? at : undefined
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

/** The fields of a line of `COPY … FROM stdin`. */
export function readCopyLine(line: string): (string | null)[] {
  const fields = line.split('\t')
  return line.includes('\\') ? fields.map(readCopyField) : fields
}

function readCopyField(field: string): string | null {
  if (field === '\\N') return null
  if (!field.includes('\\')) return field
  return field.replace(/\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|([\s\S]))/g, (_, octal, hex, char) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return ESCAPES.get(char) ?? char
  })
}
