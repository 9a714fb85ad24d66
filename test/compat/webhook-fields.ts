/** What another service's documentation says of one of its messages, or a part of one, and how ours differs. */
interface MessageFields {
  /** `name:type` of each field; `?` after the type: may be null; `~` before the name: not always there. */
  readonly fields: string
  /** What we never send, and why. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** `name:type` of what only we send. */
  readonly ours?: string
}

const NO_SUCH_SETTING = 'there is no such setting'
const INTERNAL = 'a column of their tables that means nothing elsewhere'
const LEFT_OUT = {
  customReplyToEmail: NO_SUCH_SETTING,
  disableRescheduling: 'a notice in minutes says until when',
  disableCancelling: 'a notice in minutes says until when',
  oneTimePassword: INTERNAL,
  organizationId: 'there are none',
  conferenceData: INTERNAL,
  appsStatus: INTERNAL,
}

const BOOKING =
  'bookerUrl:uri title:text startTime:time endTime:time additionalNotes:text type:text description:text eventTypeId:whole hideCalendarNotes:flag hideCalendarEventDetails:flag hideOrganizerEmail:flag schedulingType:text? seatsPerTimeSlot:whole? seatsShowAttendees:flag seatsShowAvailabilityCount:flag organizer:object attendees:list customInputs:object responses:object userFieldsResponses:object location:text destinationCalendar:object? iCalUID:text iCalSequence:whole requiresConfirmation:flag hashedLink:text? uid:text ~videoCallData:object eventTitle:text eventDescription:text price:whole currency:text length:whole bookingId:whole metadata:object status:text'

const OURS = '~team:object ~smsReminderNumber:text'

const bookingWith = (more = '', leftOut: Readonly<Record<string, string>> = {}): MessageFields => ({
  fields: `${BOOKING} ${more}`,
  leftOut: { ...LEFT_OUT, ...leftOut },
  ours: OURS,
})

/** Hand-written from the examples of the payload version 2021-10-20, by `triggerEvent`. */
export const CALCOM_PAYLOADS: Readonly<Record<string, MessageFields>> = {
  BOOKING_CREATED: bookingWith(),
  BOOKING_REQUESTED: bookingWith(),
  BOOKING_REJECTED: bookingWith('rejectionReason:text'),
  BOOKING_CANCELLED: bookingWith('cancellationReason:text requestReschedule:flag cancelledBy:text'),
  BOOKING_RESCHEDULED: bookingWith(
    'rescheduleId:whole rescheduleUid:text rescheduleStartTime:time rescheduleEndTime:time rescheduledBy:text',
  ),
  BOOKING_REASSIGNED: bookingWith('addedHostUserIds:wholes removedHostUserIds:wholes'),
  BOOKING_LOCATION_UPDATED: bookingWith('previousLocation:text'),
  // Its documentation has no example: what their own handler of payments sends.
  BOOKING_PAID: bookingWith('paymentId:whole'),
  BOOKING_NO_SHOW_UPDATED: { fields: 'message:text attendees:list bookingUid:text bookingId:whole' },
  MEETING_ENDED: {
    fields:
      'id:whole uid:text userId:whole? userPrimaryEmail:text? eventTypeId:whole title:text description:text customInputs:object responses:object startTime:time endTime:time location:text status:text paid:flag cancellationReason:text? rejectionReason:text? metadata:object iCalUID:text iCalSequence:whole user:object attendees:list',
    leftOut: Object.fromEntries(
      'idempotencyKey updatedAt destinationCalendarId reassignReason reassignById dynamicEventSlugRef dynamicGroupSlugRef rescheduled fromReschedule recurringEventId smsReminderNumber scheduledJobs isRecorded rating ratingFeedback noShowHost oneTimePassword cancelledBy rescheduledBy creationSource payment references appsStatus'
        .split(' ')
        .map((name) => [name, INTERNAL]),
    ),
    // Older versions of theirs have them.
    ours: 'userFieldsResponses:object eventType:object',
  },
  FORM_SUBMITTED: { fields: 'formId:text formName:text teamId:whole? responses:object' },
}

/** Parts of them. */
export const CALCOM_PARTS = {
  organizer: {
    fields:
      'id:whole name:text email:text username:text timeZone:text language:object timeFormat:text utcOffset:whole',
    leftOut: { usernameInOrg: 'there are no organizations' },
  },
  attendee: {
    fields:
      'email:text name:text firstName:text lastName:text timeZone:text language:object utcOffset:whole phoneNumber:text?',
  },
  endedAttendee: {
    fields: 'email:text name:text timeZone:text phoneNumber:text? locale:text bookingId:whole noShow:flag',
    leftOut: { id: 'guests have no numbers' },
    ours: 'firstName:text lastName:text language:object utcOffset:whole',
  },
  answer: { fields: 'label:text value:any isHidden:flag' },
  videoCallData: { fields: 'type:text id:text password:text url:uri' },
} satisfies Readonly<Record<string, MessageFields>>

/** Hand-written from Calendly's documentation of its webhooks. */
export const CALENDLY_PARTS = {
  message: { fields: 'event:text created_at:time created_by:uri payload:object' },
  invitee: {
    fields:
      'uri:uri email:text first_name:text? last_name:text? name:text status:text questions_and_answers:list timezone:text event:uri created_at:time updated_at:time tracking:object text_reminder_number:text? rescheduled:flag old_invitee:uri? new_invitee:uri? cancel_url:uri reschedule_url:uri routing_form_submission:uri? ~cancellation:object payment:object? no_show:object? reconfirmation:object? scheduling_method:text? invitee_scheduled_by:uri? scheduled_event:object',
  },
  scheduledEvent: {
    fields:
      'uri:uri name:text meeting_notes_plain:text? meeting_notes_html:text? status:text start_time:time end_time:time event_type:uri location:object invitees_counter:object created_at:time updated_at:time event_memberships:list event_guests:list ~cancellation:object',
    leftOut: { calendar_event: 'not theirs to know' },
  },
  cancellation: { fields: 'canceled_by:text reason:text? canceler_type:text created_at:time' },
  tracking: {
    fields:
      'utm_campaign:text? utm_source:text? utm_medium:text? utm_content:text? utm_term:text? salesforce_uuid:text?',
  },
  membership: { fields: 'user:uri user_email:text user_name:text' },
  submission: {
    fields:
      'uri:uri routing_form:uri questions_and_answers:list tracking:object result:object submitter:uri? submitter_type:text? created_at:time updated_at:time',
  },
} satisfies Readonly<Record<string, MessageFields>>

type Check = (value: unknown) => boolean

const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Check = (value) => typeof value === 'string'
const isTime: Check = (value) =>
  isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value as string)

const CHECKS: Readonly<Record<string, Check>> = {
  any: (value) => value !== undefined,
  text: isText,
  time: isTime,
  uri: (value) => isText(value) && URL.canParse(value as string),
  whole: Number.isSafeInteger,
  wholes: (value) => Array.isArray(value) && value.every(Number.isSafeInteger),
  flag: (value) => typeof value === 'boolean',
  object: isObject,
  list: Array.isArray,
}

/** What is wrong with an object by these fields, one line for each. */
export function faultsOf(
  name: string,
  value: unknown,
  { fields, leftOut = {}, ours = '' }: MessageFields,
): string[] {
  if (!isObject(value)) return [`${name} is no object`]
  const given = value as Readonly<Record<string, unknown>>
  const faults: string[] = []
  const known = new Set<string>()
  for (const word of `${fields} ${ours}`.split(/\s+/).filter((part) => part !== '')) {
    const [, rare, field = '', type = '', nullable] = /^(~?)(\w+):(\w+)(\??)$/.exec(word) ?? []
    const check = CHECKS[type]
    if (check === undefined) throw new Error(`${name}: ${word}`)
    known.add(field)
    if (!Object.hasOwn(given, field)) {
      if (rare === '') faults.push(`${name}.${field} is missing`)
    } else if (!(given[field] === null && nullable === '?') && !check(given[field])) {
      faults.push(`${name}.${field} is no ${type}: ${JSON.stringify(given[field])}`)
    }
  }
  for (const field of Object.keys(given)) {
    if (Object.hasOwn(leftOut, field)) faults.push(`${name}.${field} is sent after all`)
    else if (!known.has(field)) faults.push(`${name}.${field} is unknown there`)
  }
  return faults
}
