import type { Sourced, SourceRow } from '../../domain/imports/source.ts'
import { instantOf, listOf, rowOf, type Tree, textOf, treeOf, treesOf } from './trees.ts'

// What Cal.com's API tells, as the rows of its tables that it was made from. Where it does not tell an id, one is made of what
// does not change.

export const userRow = (user: Tree, organizationId?: unknown): Sourced => ({
  table: 'users',
  row: rowOf({
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    bio: user.bio,
    avatarUrl: user.avatarUrl,
    timeZone: user.timeZone,
    weekStart: user.weekStart,
    theme: user.theme,
    defaultScheduleId: user.defaultScheduleId,
    locale: user.locale,
    timeFormat: user.timeFormat,
    hideBranding: user.hideBranding,
    brandColor: user.brandColor,
    darkBrandColor: user.darkBrandColor,
    allowDynamicBooking: user.allowDynamicBooking,
    created: instantOf(user.createdDate),
    metadata: user.metadata,
    organizationId,
  }),
})

export const profileRow = (profile: Tree): Sourced => ({
  table: 'Profile',
  row: rowOf({
    id: profile.id,
    userId: profile.userId,
    organizationId: profile.organizationId,
    username: profile.username,
  }),
})

export const teamRow = (team: Tree): Sourced => ({
  table: 'Team',
  row: rowOf({
    id: team.id,
    name: team.name,
    slug: team.slug,
    bio: team.bio,
    logoUrl: team.logoUrl,
    parentId: team.parentId,
    isOrganization: team.isOrganization,
    isPrivate: team.isPrivate,
    hideBranding: team.hideBranding,
    hideBookATeamMember: team.hideBookATeamMember,
    theme: team.theme,
    brandColor: team.brandColor,
    darkBrandColor: team.darkBrandColor,
    timeFormat: team.timeFormat,
    timeZone: team.timeZone,
    weekStart: team.weekStart,
    metadata: team.metadata,
  }),
})

export const membershipRow = (membership: Tree): Sourced => ({
  table: 'Membership',
  row: rowOf({
    id: membership.id,
    teamId: membership.teamId,
    userId: membership.userId,
    accepted: membership.accepted,
    role: membership.role,
  }),
})

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export function scheduleRows(schedule: Tree): Sourced[] {
  const { id } = schedule
  const hours = [...treesOf(schedule.availability), ...treesOf(schedule.overrides)]
  return [
    {
      table: 'Schedule',
      row: rowOf({ id, userId: schedule.ownerId, name: schedule.name, timeZone: schedule.timeZone }),
    },
    ...hours.map(
      ({ days, date, startTime, endTime }, index): Sourced => ({
        table: 'Availability',
        row: rowOf({
          id: `${id}-${index + 1}`,
          scheduleId: id,
          days: listOf(days).map((day) => DAYS.indexOf(String(day))),
          date: date ?? null,
          startTime,
          endTime,
        }),
      }),
    ),
  ]
}

export const timeOffRow = (entry: Tree): Sourced => ({
  table: 'OutOfOfficeEntry',
  row: rowOf({
    id: entry.id,
    uuid: entry.uuid,
    userId: entry.userId,
    toUserId: entry.toUserId ?? null,
    start: instantOf(entry.start),
    end: instantOf(entry.end),
    notes: entry.notes,
  }),
})

export function eventTypeRows(type: Tree): Sourced[] {
  const confirmation = treeOf(type.confirmationPolicy)
  const isConfirmed = confirmation.type === 'always' || confirmation.type === 'time'
  const threshold = treeOf(confirmation.noticeThreshold)
  const seats = treeOf(type.seats)
  const recurrence = treeOf(type.recurrence)
  const options = listOf(type.lengthInMinutesOptions)
  const row = rowOf({
    id: type.id,
    title: type.title,
    slug: type.slug,
    description: type.description,
    length: type.lengthInMinutes,
    hidden: type.hidden,
    userId: type.ownerId,
    teamId: type.teamId,
    parentId: type.parentEventTypeId,
    schedulingType: schedulingOf(type.schedulingType),
    locations: Array.isArray(type.locations) ? treesOf(type.locations).map(locationOf) : undefined,
    bookingFields: Array.isArray(type.bookingFields) ? treesOf(type.bookingFields).map(fieldOf) : undefined,
    disableGuests: type.disableGuests,
    slotInterval: type.slotInterval,
    minimumBookingNotice: type.minimumBookingNotice,
    beforeEventBuffer: type.beforeEventBuffer,
    afterEventBuffer: type.afterEventBuffer,
    offsetStart: type.offsetStart,
    recurringEvent:
      recurrence.frequency === undefined
        ? undefined
        : {
            freq: FREQUENCIES.indexOf(String(recurrence.frequency)),
            interval: recurrence.interval,
            count: recurrence.occurrences,
          },
    price: type.price,
    currency: type.currency,
    seatsPerTimeSlot: seats.seatsPerTimeSlot ?? type.seatsPerTimeSlot,
    seatsShowAttendees: seats.showAttendeeInfo,
    seatsShowAvailabilityCount: seats.showAvailabilityCount ?? type.seatsShowAvailabilityCount,
    successRedirectUrl: type.successRedirectUrl,
    forwardParamsSuccessRedirect: type.forwardParamsSuccessRedirect,
    isInstantEvent: type.isInstantEvent,
    scheduleId: type.scheduleId,
    bookingLimits: limitsOf(type.bookingLimitsCount),
    durationLimits: limitsOf(type.bookingLimitsDuration),
    maxActiveBookingsPerBooker: treeOf(type.bookerActiveBookingsLimit).maximumActiveBookings,
    onlyShowFirstAvailableSlot: type.onlyShowFirstAvailableSlot,
    ...windowOf(type.bookingWindow),
    requiresConfirmation: type.confirmationPolicy === undefined ? undefined : isConfirmed,
    requiresConfirmationWillBlockSlot: confirmation.blockUnconfirmedBookingsInBooker,
    requiresBookerEmailVerification: type.requiresBookerEmailVerification,
    hideCalendarNotes: type.hideCalendarNotes,
    hideCalendarEventDetails: type.hideCalendarEventDetails,
    eventName: type.customName,
    lockTimeZoneToggleOnBookingPage: type.lockTimeZoneToggleOnBookingPage,
    assignAllTeamMembers: type.assignAllTeamMembers,
    rescheduleWithSameRoundRobinHost: type.rescheduleWithSameRoundRobinHost,
    disableCancelling: treeOf(type.disableCancelling).disabled,
    disableRescheduling: treeOf(type.disableRescheduling).disabled,
    interfaceLanguage: type.interfaceLanguage,
    metadata: {
      ...treeOf(type.metadata),
      ...(options.length > 0 && { multipleDuration: options }),
      ...(confirmation.type === 'time' && {
        requiresConfirmationThreshold: { time: threshold.count, unit: threshold.unit },
      }),
    },
  })
  return [{ table: 'EventType', row }, ...treesOf(type.hosts).map((host) => hostRow(type.id, host))]
}

const FREQUENCIES = ['yearly', 'monthly', 'weekly', 'daily']

/** ROUND_ROBIN or roundRobin. */
const schedulingOf = (type: unknown) =>
  typeof type === 'string' && /^[A-Z_]+$/.test(type)
    ? type.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    : type

const PRIORITIES = ['lowest', 'low', 'medium', 'high', 'highest']

function hostRow(eventTypeId: unknown, { userId, mandatory, priority, weight }: Tree): Sourced {
  const level = PRIORITIES.indexOf(String(priority))
  return {
    table: 'Host',
    row: rowOf({ eventTypeId, userId, isFixed: mandatory, priority: level < 0 ? undefined : level, weight }),
  }
}

/** Such as integrations:google:meet and integrations:office365_video. */
const integrationOf = (name: string) =>
  `integrations:${name === 'cal-video' ? 'daily' : name.replace(/^google-/, 'google:').replaceAll('-', '_')}`

function locationOf(location: Tree): SourceRow {
  const { type, public: isPublic } = location
  const shown = { displayLocationPublicly: isPublic }
  switch (type) {
    case 'address':
      return rowOf({ type: 'inPerson', address: location.address, ...shown })
    case 'link':
      return rowOf({ type: 'link', link: location.link, ...shown })
    case 'phone':
      return rowOf({ type: 'userPhone', hostPhoneNumber: location.phone, ...shown })
    case 'attendeePhone':
      return { type: 'phone' }
    case 'attendeeAddress':
      return { type: 'attendeeInPerson' }
    case 'attendeeDefined':
      return { type: 'somewhereElse' }
    case 'organizersDefaultApp':
      return { type: 'conferencing' }
    case 'integration':
      return rowOf({ type: integrationOf(textOf(location.integration)), link: location.link })
    default:
      return location
  }
}

function fieldOf(field: Tree): SourceRow {
  return rowOf({
    name: field.slug,
    type: field.type,
    label: field.label,
    required: field.required,
    placeholder: field.placeholder,
    hidden: field.hidden,
    options: Array.isArray(field.options)
      ? field.options.map((option) => ({ label: option, value: option }))
      : undefined,
    editable: field.isDefault === true ? 'system' : 'user',
  })
}

const PERIODS = { day: 'PER_DAY', week: 'PER_WEEK', month: 'PER_MONTH', year: 'PER_YEAR' }

function limitsOf(value: unknown): SourceRow | undefined {
  const limits = treeOf(value)
  const found = Object.entries(PERIODS).filter(([period]) => typeof limits[period] === 'number')
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map(([period, name]) => [name, limits[period]]))
}

function windowOf(value: unknown): SourceRow {
  const { type, value: amount, rolling, disabled } = treeOf(Array.isArray(value) ? value[0] : value)
  if (disabled === true) return { periodType: 'unlimited' }
  if (type === 'range') {
    const [from, to] = listOf(amount)
    return { periodType: 'range', periodStartDate: instantOf(from), periodEndDate: instantOf(to) }
  }
  if (type !== 'businessDays' && type !== 'calendarDays') return {}
  return {
    periodType: rolling === true ? 'rolling_window' : 'rolling',
    periodDays: amount,
    periodCountCalendarDays: type === 'calendarDays',
  }
}

export const linkRow = (link: Tree): Sourced => ({
  table: 'HashedLink',
  row: rowOf({
    id: link.linkId,
    link: link.linkId,
    eventTypeId: link.eventTypeId,
    expiresAt: instantOf(link.expiresAt),
    maxUsageCount: link.maxUsageCount,
    usageCount: link.usageCount,
  }),
})

export const webhookRow = (webhook: Tree): Sourced => ({
  table: 'Webhook',
  row: rowOf({
    id: webhook.id,
    userId: webhook.userId,
    teamId: webhook.teamId,
    eventTypeId: webhook.eventTypeId,
    subscriberUrl: webhook.subscriberUrl,
    active: webhook.active,
    eventTriggers: webhook.triggers,
    payloadTemplate: webhook.payloadTemplate,
    secret: webhook.secret,
  }),
})

export const formRow = (form: Tree): Sourced => ({
  table: 'App_RoutingForms_Form',
  row: rowOf({
    id: form.id,
    name: form.name,
    description: form.description,
    userId: form.userId,
    teamId: form.teamId,
    disabled: form.disabled,
    routes: form.routes,
    fields: form.fields,
    settings: form.settings,
    position: form.position,
    createdAt: instantOf(form.createdAt),
    updatedAt: instantOf(form.updatedAt),
  }),
})

export const attributeRow = (attribute: Tree): Sourced => ({
  table: 'Attribute',
  row: rowOf({
    id: attribute.id,
    teamId: attribute.teamId,
    type: attribute.type,
    name: attribute.name,
    slug: attribute.slug,
    enabled: attribute.enabled,
  }),
})

export const optionRow = (option: Tree): Sourced => ({
  table: 'AttributeOption',
  row: rowOf({ id: option.id, attributeId: option.attributeId, value: option.value, slug: option.slug }),
})

export function bookingRows(booking: Tree): Sourced[] {
  const { id } = booking
  const [host, ...others] = treesOf(booking.hosts)
  const attendees = treesOf(booking.attendees)
  const known = new Set(attendees.map(({ email }) => textOf(email).toLowerCase()))
  // The tables have hosts besides the first among those who attend.
  const all = [...attendees, ...others.filter(({ email }) => !known.has(textOf(email).toLowerCase()))]
  const { meetingUrl, reschedulingReason } = booking
  const row = rowOf({
    id,
    uid: booking.uid,
    userId: host?.id,
    userPrimaryEmail: host?.email,
    eventTypeId: booking.eventTypeId,
    title: booking.title,
    description: booking.description,
    startTime: instantOf(booking.start),
    endTime: instantOf(booking.end),
    createdAt: instantOf(booking.createdAt),
    updatedAt: instantOf(booking.updatedAt),
    location: booking.location,
    status: booking.status,
    cancellationReason: booking.cancellationReason,
    cancelledBy: booking.cancelledByEmail,
    rescheduledBy: booking.rescheduledByEmail,
    fromReschedule: booking.rescheduledFromUid,
    rescheduled: typeof booking.rescheduledToUid === 'string' ? true : undefined,
    recurringEventId: booking.recurringBookingUid,
    metadata: {
      ...treeOf(booking.metadata),
      ...(typeof meetingUrl === 'string' && { videoCallUrl: meetingUrl }),
    },
    responses: {
      ...treeOf(booking.bookingFieldsResponses),
      ...(Array.isArray(booking.guests) && { guests: booking.guests }),
      ...(typeof reschedulingReason === 'string' && { rescheduleReason: reschedulingReason }),
    },
    iCalUID: booking.icsUid,
    rating: booking.rating,
    noShowHost: booking.absentHost,
  })
  return [
    { table: 'Booking', row },
    ...all.flatMap((attendee, index) => attendeeRows(id, `${id}-${index + 1}`, attendee)),
  ]
}

function attendeeRows(bookingId: unknown, id: string, attendee: Tree): Sourced[] {
  const { seatUid } = attendee
  const row = rowOf({
    id,
    bookingId,
    email: attendee.email,
    name: attendee.name,
    timeZone: attendee.timeZone,
    locale: attendee.language,
    phoneNumber: attendee.phoneNumber,
    noShow: attendee.absent,
  })
  const seat = rowOf({
    id: seatUid,
    referenceUid: seatUid,
    bookingId,
    attendeeId: id,
    data: { responses: treeOf(attendee.bookingFieldsResponses) },
    metadata: attendee.metadata,
  })
  return [
    { table: 'Attendee', row },
    ...(typeof seatUid === 'string' ? [{ table: 'BookingSeat', row: seat } as const] : []),
  ]
}
