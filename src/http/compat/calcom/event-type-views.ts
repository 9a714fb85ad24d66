import { offeredDurations } from '../../../domain/event-types/durations.ts'
import type { BookingWindow, EventType, Limits } from '../../../domain/event-types/event-type.ts'
import { hostCalls, type Location, publicValue } from '../../../domain/event-types/location.ts'
import type { Question } from '../../../domain/event-types/questions.ts'
import { priceOf } from '../../../domain/payments/price.ts'
import { shownImage } from '../../../domain/people/image.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import type { Context } from '../../../services/context.ts'

/** An event type, whose it is, and whether the reader is one of its people. */
export interface OwnedEventType {
  readonly eventType: EventType
  readonly owner: Scheduler
  readonly hostIds: readonly string[]
  readonly isOwn: boolean
}

/** An event type as it has been since 2024-06-14. */
export async function toEventType(context: Context, owned: OwnedEventType) {
  const { eventType, owner, isOwn } = owned
  const { numbers, publicUrl } = context
  const isTeam = owner.kind === 'team'
  const ownerId = await numbers.of(isTeam ? 'team' : 'user', owner.id)
  const durations = offeredDurations(eventType)
  const person = {
    id: ownerId,
    name: owner.name,
    username: owner.slug,
    avatarUrl: shownImage(publicUrl, owner.avatarUrl) || null,
    weekStart: 'Sunday',
    brandColor: owner.branding.primaryColor || null,
    darkBrandColor: null,
    metadata: {},
  }
  return {
    id: await numbers.of('event-type', eventType.id),
    ...(isTeam ? await teamOf(context, owned, ownerId) : { ownerId, users: [person] }),
    lengthInMinutes: eventType.durationMinutes,
    ...(durations.length > 1 && { lengthInMinutesOptions: [...durations] }),
    title: eventType.name,
    slug: eventType.slug,
    description: eventType.description,
    locations: locationsOf(eventType, isOwn),
    bookingFields: bookingFieldsOf(eventType),
    recurrence: recurrenceOf(eventType),
    disableGuests: eventType.maxGuests === 0,
    slotInterval: eventType.intervalMinutes,
    minimumBookingNotice: eventType.noticeMinutes,
    beforeEventBuffer: eventType.bufferBeforeMinutes,
    afterEventBuffer: eventType.bufferAfterMinutes,
    metadata: {},
    ...priceFields(eventType),
    lockTimeZoneToggleOnBookingPage: false,
    seatsPerTimeSlot: eventType.seats > 1 ? eventType.seats : null,
    seats:
      eventType.seats > 1
        ? { seatsPerTimeSlot: eventType.seats, showAttendeeInfo: false, showAvailabilityCount: true }
        : { disabled: true },
    forwardParamsSuccessRedirect: null,
    successRedirectUrl: eventType.returnUrl || null,
    isInstantEvent: false,
    seatsShowAvailabilityCount: eventType.seats > 1 ? true : null,
    scheduleId: eventType.scheduleId === null ? null : await numbers.of('schedule', eventType.scheduleId),
    bookingLimitsCount: limitsOf(eventType.limits),
    bookingLimitsDuration: limitsOf(eventType.limitMinutes),
    bookingWindow: windowOf(eventType.window),
    confirmationPolicy: eventType.requiresApproval
      ? { type: 'always', blockUnconfirmedBookingsInBooker: true }
      : { disabled: true },
    requiresBookerEmailVerification: eventType.confirmEmail,
    bookingRequiresAuthentication: false,
    hidden: eventType.hidden || eventType.linkOnly,
    bookingUrl: `${publicUrl}/${owner.slug}/${eventType.slug}`,
  }
}

async function teamOf({ numbers }: Context, { eventType, owner, hostIds }: OwnedEventType, teamId: number) {
  const users = await numbers.ofAll('user', hostIds)
  return {
    teamId,
    ownerId: null,
    schedulingType: eventType.assignment === 'round-robin' ? 'roundRobin' : 'collective',
    assignAllTeamMembers: false,
    hosts: hostIds.map((id) => ({ userId: users.get(id) })),
    team: { id: teamId, slug: owner.slug, name: owner.name, brandColor: owner.branding.primaryColor || null },
  }
}

/** Numbers and links are for those who have booked, unless the reader is one of its people. */
function locationsOf({ location, locations }: EventType, isOwn: boolean) {
  return (locations.length === 0 ? [location] : locations).map((one) => {
    const value = isOwn ? one.value : publicValue(one)
    return toLocation({ ...one, value }, hostCalls(one))
  })
}

function toLocation({ type, value, provider = '' }: Location, isCalled: boolean) {
  if (isCalled) return { type: 'attendeePhone' }
  switch (type) {
    case 'InPerson':
      return { type: 'address', address: value, public: true }
    case 'Phone':
      return { type: 'phone', phone: value, public: value !== '' }
    case 'Link':
      return { type: 'link', link: value, public: value !== '' }
    case 'Video':
      if (value !== '') return { type: 'link', link: value, public: true }
      return { type: 'integration', integration: provider === '' ? 'cal-video' : provider }
  }
}

/** What there is called otherwise. */
const FIELD_TYPES: Readonly<Partial<Record<Question['type'], string>>> = {
  checkbox: 'boolean',
}

function bookingFieldsOf({ questions, maxGuests, locations }: EventType) {
  const basic = { isDefault: true, disableOnPrefill: false, hidden: false }
  return [
    { ...basic, type: 'name', slug: 'name', required: true },
    { ...basic, type: 'email', slug: 'email', required: true },
    ...(locations.length > 1 ? [{ ...basic, type: 'radioInput', slug: 'location', required: false }] : []),
    { ...basic, type: 'textarea', slug: 'notes', required: false },
    { ...basic, type: 'multiemail', slug: 'guests', required: false, hidden: maxGuests === 0 },
    { ...basic, type: 'textarea', slug: 'rescheduleReason', required: false },
    ...questions.map(({ key, label, type, required, options, hidden }) => ({
      isDefault: false,
      type: FIELD_TYPES[type] ?? type,
      slug: key,
      label,
      required,
      ...(options.length > 0 && { options: [...options] }),
      hidden: hidden === true,
      disableOnPrefill: false,
    })),
  ]
}

/** There, too, in the smallest unit; currencies are lower case, and all lengths cost the same. */
function priceFields({ price, durationMinutes }: EventType) {
  if (price === null) return { price: 0, currency: 'usd' }
  return { price: priceOf(price, durationMinutes), currency: price.currency.toLowerCase() }
}

function recurrenceOf({ series }: EventType) {
  const step = series?.every[0]
  if (series == null || step === undefined) return null
  return {
    interval: step === '2 weeks' ? 2 : 1,
    occurrences: series.most,
    frequency: step === 'month' ? 'monthly' : 'weekly',
  }
}

function limitsOf(limits: Limits) {
  const { day, week, month, year = null } = limits
  if (day === null && week === null && month === null && year === null) return { disabled: true }
  return {
    ...(day !== null && { day }),
    ...(week !== null && { week }),
    ...(month !== null && { month }),
    ...(year !== null && { year }),
  }
}

function windowOf(window: BookingWindow) {
  switch (window.kind) {
    case 'unlimited':
      return { disabled: true }
    case 'fixed':
      return { type: 'range', value: [window.from, window.to] }
    case 'rolling':
      return {
        type: window.businessDays ? 'businessDays' : 'calendarDays',
        value: window.days,
        rolling: false,
      }
  }
}

/** An event type as it was before. */
export async function toOlderEventType(context: Context, { eventType, owner }: OwnedEventType) {
  const isTeam = owner.kind === 'team'
  return {
    id: await context.numbers.of('event-type', eventType.id),
    title: eventType.name,
    slug: eventType.slug,
    length: eventType.durationMinutes,
    description: eventType.description,
    hidden: eventType.hidden || eventType.linkOnly,
    position: eventType.position,
    userId: isTeam ? null : await context.numbers.of('user', owner.id),
    teamId: isTeam ? await context.numbers.of('team', owner.id) : null,
    locations: locationsOf(eventType, true),
    requiresConfirmation: eventType.requiresApproval,
    minimumBookingNotice: eventType.noticeMinutes,
    beforeEventBuffer: eventType.bufferBeforeMinutes,
    afterEventBuffer: eventType.bufferAfterMinutes,
    slotInterval: eventType.intervalMinutes,
    seatsPerTimeSlot: eventType.seats > 1 ? eventType.seats : null,
    ...priceFields(eventType),
    metadata: {},
  }
}
