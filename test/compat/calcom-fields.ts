/** What Cal.com’s public document says of an answer, by the names of its fields, and how ours differ. */
export interface CalcomFields {
  /** Always there. */
  readonly needed: string
  /** There only sometimes. */
  readonly possible?: string
  /** What we never send, and why. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** What only we send, and why. */
  readonly ours?: Readonly<Record<string, string>>
}

const MOVED = 'a moved booking keeps its uid, so there is no other one'
const NOT_KEPT = 'a booking says that and why it ended or moved; by whom is in its history'
const NO_SUCH_SETTING = 'there is no such setting'

const BOOKING = {
  needed:
    'id uid title description hosts status start end duration eventTypeId eventType location absentHost createdAt updatedAt attendees bookingFieldsResponses',
  possible: 'cancellationReason meetingUrl metadata rating icsUid guests',
  leftOut: {
    cancelledByEmail: NOT_KEPT,
    rescheduledByEmail: NOT_KEPT,
    reschedulingReason: NOT_KEPT,
    rescheduledFromUid: MOVED,
    rescheduledToUid: MOVED,
  },
} satisfies CalcomFields

const ATTENDEE = {
  needed: 'name email displayEmail timeZone absent',
  possible: 'language phoneNumber',
} satisfies CalcomFields

const NO_UID = { bookingUid: 'whoever has it could move the booking of another guest' }

const WEBHOOK = 'payloadTemplate triggers id subscriberUrl active'

/** Hand-written from `docs/api-reference/v2/openapi.json`; for the oldest versions, from the types of its server. */
export const CALCOM_FIELDS = {
  booking: BOOKING,
  recurringBooking: { ...BOOKING, needed: `${BOOKING.needed} recurringBookingUid` },
  seatedBooking: {
    ...BOOKING,
    needed: `${BOOKING.needed.replace(' bookingFieldsResponses', '')} seatUid`,
    ours: {
      bookingFieldsResponses: 'a seat is a booking of its own here, with its own answers',
      guests: 'the same',
    },
    possible: BOOKING.possible.replace(' guests', ''),
  },
  bookingHost: { needed: 'id name email displayEmail username timeZone' },
  bookingEventType: { needed: 'id slug' },
  bookingAttendee: ATTENDEE,
  seatedAttendee: {
    needed: `${ATTENDEE.needed} seatUid bookingFieldsResponses`,
    possible: `${ATTENDEE.possible} metadata`,
  },
  olderBooking: {
    needed:
      'title id uid description recurringEventId startTime endTime location status metadata cancellationReason responses rejectionReason userPrimaryEmail user attendees eventTypeId eventType customInputs smsReminderNumber',
    ours: {
      paid: 'lists there have it, and one shape serves both',
      createdAt: 'when it was made',
      iCalUID: 'finds it in a calendar',
    },
  },
  olderAttendee: {
    needed: 'name email timeZone',
    possible: 'locale',
    ours: { noShow: 'there is no other way to tell in this version' },
  },
  olderUser: { needed: 'id name email username timeZone' },
  olderBookingEventType: {
    needed: 'eventName slug timeZone',
    possible: 'id',
    ours: { title: 'what is booked' },
  },
  olderList: {
    needed: 'bookings recurringInfo nextCursor',
    ours: { totalCount: 'how many there are' },
  },
  eventType: {
    needed:
      'id lengthInMinutes title slug description locations bookingFields disableGuests recurrence metadata price currency lockTimeZoneToggleOnBookingPage forwardParamsSuccessRedirect successRedirectUrl isInstantEvent scheduleId hidden bookingRequiresAuthentication ownerId users bookingUrl',
    possible:
      'lengthInMinutesOptions slotInterval minimumBookingNotice beforeEventBuffer afterEventBuffer seatsPerTimeSlot seatsShowAvailabilityCount bookingLimitsCount bookingLimitsDuration bookingWindow confirmationPolicy requiresBookerEmailVerification seats',
    leftOut: {
      bookerActiveBookingsLimit: NO_SUCH_SETTING,
      onlyShowFirstAvailableSlot: NO_SUCH_SETTING,
      showOptimizedSlots: NO_SUCH_SETTING,
      offsetStart: NO_SUCH_SETTING,
      bookerLayouts: NO_SUCH_SETTING,
      interfaceLanguage: 'pages are in the language of the guest',
      color: 'pages have the colour of their owner',
      customName: 'titles are made in one way',
      destinationCalendar: 'calendars have no numbers here',
      useDestinationCalendarEmail: NO_SUCH_SETTING,
      hideCalendarNotes: NO_SUCH_SETTING,
      hideCalendarEventDetails: NO_SUCH_SETTING,
      hideOrganizerEmail: NO_SUCH_SETTING,
      calVideoSettings: 'there is no such service',
      disableCancelling: 'a notice in minutes says until when',
      disableRescheduling: 'a notice in minutes says until when',
      allowReschedulingPastBookings: NO_SUCH_SETTING,
      allowReschedulingCancelledBookings: NO_SUCH_SETTING,
    },
  },
  slot: { needed: 'start' },
  rangeSlot: { needed: 'start end' },
  seatedSlot: { needed: 'start seatsBooked seatsRemaining seatsTotal', leftOut: NO_UID },
  seatedRangeSlot: { needed: 'start end seatsBooked seatsRemaining seatsTotal', leftOut: NO_UID },
  olderSlot: { needed: 'time', possible: 'attendees', leftOut: NO_UID },
  olderRangeSlot: { needed: 'startTime endTime', possible: 'attendees', leftOut: NO_UID },
  reservation: {
    needed: 'eventTypeId slotStart slotEnd slotDuration reservationUid reservationDuration reservationUntil',
  },
  shownReservation: {
    needed: 'eventTypeId slotStart slotEnd slotDuration reservationUid reservationUntil',
  },
  me: {
    needed:
      'id username email name avatarUrl bio timeFormat defaultScheduleId weekStart timeZone organizationId',
    leftOut: { organization: 'there are none' },
    ours: { locale: 'programs that show dates want it', metadata: 'empty, as users have there inside' },
  },
  schedule: { needed: 'id ownerId name timeZone availability isDefault overrides' },
  availability: { needed: 'days startTime endTime' },
  override: { needed: 'date startTime endTime' },
  webhook: { needed: `${WEBHOOK} userId`, leftOut: { secret: 'shown once, when it is made' } },
  madeWebhook: { needed: `${WEBHOOK} userId`, possible: 'secret' },
  eventTypeWebhook: { needed: `${WEBHOOK} eventTypeId`, leftOut: { secret: 'shown once, when it is made' } },
} satisfies Readonly<Record<string, CalcomFields>>
