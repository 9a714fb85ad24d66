import { CALENDLY } from '../../domain/imports/messages/plan-webhooks.ts'
import type { Sourced, SourceRow } from '../../domain/imports/source.ts'
import { lookUp } from '../../domain/imports/values.ts'
import { instantOf, listOf, rowOf, type Tree, textOf, treeOf, treesOf } from './trees.ts'

// What Calendly's API tells, as rows of Cal.com's tables. Ids are the last part of its URIs.

/** The id of a thing, of which Calendly gives the URI. */
export const idOf = (uri: unknown): string => textOf(uri).split('/').at(-1) ?? ''

/** As `idOf`, where there may be none. */
const idOrNull = (uri: unknown): string | null => idOf(uri) || null

export const organizationRow = (id: string, organization: Tree): Sourced => ({
  table: 'Team',
  row: rowOf({ id, name: organization.name, slug: organization.slug, isOrganization: true }),
})

export const userRow = (
  user: Tree,
  organizationId: string,
  defaultScheduleId: string | undefined,
): Sourced => ({
  table: 'users',
  row: rowOf({
    id: idOf(user.uri),
    username: user.slug,
    name: user.name,
    email: user.email,
    timeZone: user.timezone,
    avatarUrl: user.avatar_url,
    locale: user.locale,
    timeFormat: user.time_notation === undefined ? undefined : user.time_notation === '24h' ? 24 : 12,
    created: instantOf(user.created_at),
    organizationId,
    defaultScheduleId,
  }),
})

export const membershipRow = (membership: Tree): Sourced => ({
  table: 'Membership',
  row: {
    id: idOf(membership.uri),
    teamId: idOf(membership.organization),
    userId: idOf(treeOf(membership.user).uri),
    accepted: true,
    role: membership.role === 'user' ? 'MEMBER' : textOf(membership.role).toUpperCase(),
  },
})

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

export function scheduleRows(schedule: Tree): Sourced[] {
  const id = idOf(schedule.uri)
  const hours = treesOf(schedule.rules).flatMap(({ type, wday, date, intervals }) => {
    const when = type === 'date' ? { days: [], date } : { days: [DAYS.indexOf(textOf(wday))], date: null }
    const open = treesOf(intervals).map(({ from, to }) => ({ ...when, startTime: from, endTime: to }))
    // A date without hours is a day off.
    return open.length === 0 && type === 'date' ? [{ ...when, startTime: '00:00', endTime: '00:00' }] : open
  })
  return [
    {
      table: 'Schedule',
      row: rowOf({ id, userId: idOf(schedule.user), name: schedule.name, timeZone: schedule.timezone }),
    },
    ...hours.map(
      (row, index): Sourced => ({
        table: 'Availability',
        row: { id: `${id}-${index + 1}`, scheduleId: id, ...row },
      }),
    ),
  ]
}

/** The team that an event type belongs to, known from its event types alone. */
export function teamRow(type: Tree, organizationId: string): Sourced {
  const { name, owner } = treeOf(type.profile)
  const [slug] = (URL.parse(textOf(type.scheduling_url))?.pathname ?? '').split('/').filter(Boolean)
  return { table: 'Team', row: rowOf({ id: idOf(owner), name, slug, parentId: organizationId }) }
}

const POOLING: Readonly<Record<string, string>> = {
  round_robin: 'roundRobin',
  multi_pool: 'roundRobin',
  collective: 'collective',
}

/** `guessed` has columns that Calendly does not tell; their names are noted in `metadata.guessed`. */
export function eventTypeRow(type: Tree, guessed: SourceRow): Sourced {
  const profile = treeOf(type.profile)
  const isTeam = profile.type === 'Team'
  const lengths = listOf(type.duration_options)
  const names = Object.keys(guessed)
  return {
    table: 'EventType',
    row: rowOf({
      id: idOf(type.uri),
      title: type.name,
      slug: type.slug ?? idOf(type.scheduling_url),
      description: type.description_plain,
      length: type.duration,
      hidden: type.secret === true || type.active === false,
      userId: isTeam ? null : idOrNull(profile.owner),
      teamId: isTeam ? idOrNull(profile.owner) : null,
      position: type.position,
      schedulingType: lookUp(POOLING, textOf(type.pooling_type)) ?? null,
      locations: treesOf(type.locations).map(locationOf),
      bookingFields: treesOf(type.custom_questions).map(questionOf),
      slotInterval: type.start_time_increment,
      beforeEventBuffer: type.before_buffer,
      afterEventBuffer: type.after_buffer,
      interfaceLanguage: type.locale,
      ...guessed,
      createdAt: instantOf(type.created_at),
      updatedAt: instantOf(type.updated_at),
      metadata: {
        ...(lengths.length > 0 && { multipleDuration: lengths }),
        ...(names.length > 0 && { guessed: names }),
      },
    }),
  }
}

const PLACES: Readonly<Record<string, string>> = {
  ask_invitee: 'somewhereElse',
  outbound_call: 'phone',
  google_conference: 'integrations:google:meet',
  zoom_conference: 'integrations:zoom',
  zoom: 'integrations:zoom',
  microsoft_teams_conference: 'integrations:office365_video',
  webex_conference: 'integrations:webex_video',
  gotomeeting_conference: 'integrations:gotomeeting_video',
  gotomeeting: 'integrations:gotomeeting_video',
}

function locationOf({ kind, location, phone_number: phone }: Tree): SourceRow {
  if (kind === 'physical' || kind === 'custom') return rowOf({ type: 'inPerson', address: location })
  if (kind === 'inbound_call') return rowOf({ type: 'userPhone', hostPhoneNumber: phone })
  return { type: lookUp(PLACES, textOf(kind)) ?? kind }
}

const QUESTIONS: Readonly<Record<string, string>> = {
  string: 'text',
  text: 'textarea',
  phone_number: 'phone',
  single_select: 'radio',
  multi_select: 'checkbox',
}

/** Calendly's own links call its questions a1 to a10. */
const nameOfQuestion = (position: unknown) => `a${Number(position) + 1}`

function questionOf(question: Tree): SourceRow {
  const choices = listOf(question.answer_choices)
  return rowOf({
    name: nameOfQuestion(question.position),
    type: lookUp(QUESTIONS, textOf(question.type)) ?? question.type,
    label: question.name,
    required: question.required,
    hidden: question.enabled === false,
    options: choices.length === 0 ? undefined : choices.map((choice) => ({ label: choice, value: choice })),
    editable: 'user',
  })
}

export const hostRow = (eventTypeId: string, userId: string, isFixed: boolean): Sourced => ({
  table: 'Host',
  row: { eventTypeId, userId, isFixed },
})

export const webhookRow = (webhook: Tree): Sourced => ({
  table: 'Webhook',
  row: rowOf({
    id: idOf(webhook.uri),
    userId: webhook.scope === 'user' ? idOrNull(webhook.user) : null,
    teamId: webhook.scope === 'user' ? null : idOrNull(webhook.organization),
    subscriberUrl: webhook.callback_url,
    active: webhook.state === 'active',
    eventTriggers: listOf(webhook.events),
    version: CALENDLY,
    createdAt: instantOf(webhook.created_at),
  }),
})

const FIELDS: Readonly<Record<string, string>> = { name: 'text', radios: 'select' }

export const formRow = (form: Tree, userId: string): Sourced => ({
  table: 'App_RoutingForms_Form',
  row: rowOf({
    id: idOf(form.uri),
    name: form.name,
    userId,
    disabled: form.status !== 'published',
    fields: treesOf(form.questions).map((question) =>
      rowOf({
        id: question.uuid,
        label: question.name,
        type: lookUp(FIELDS, textOf(question.type)) ?? question.type,
        required: question.required,
        options: Array.isArray(question.answer_choices)
          ? question.answer_choices.map((choice) => ({ id: choice, label: choice }))
          : undefined,
      }),
    ),
    routes: [],
    createdAt: instantOf(form.created_at),
    updatedAt: instantOf(form.updated_at),
  }),
})

/** A scheduled event with those who were invited. `isGroup`: each of them has a seat. */
export function bookingRows(event: Tree, all: readonly Tree[], isGroup: boolean): Sourced[] {
  const id = idOf(event.uri)
  // Who cancelled a seat is gone from the tables; who cancelled the whole meeting is not.
  const active = all.filter(({ status }) => status !== 'canceled')
  const invitees = active.length > 0 ? active : all
  const [first = {}] = invitees
  const [host, ...others] = treesOf(event.event_memberships)
  const guests = treesOf(event.event_guests)
  const location = treeOf(event.location)
  const cancellation = treeOf(event.cancellation ?? first.cancellation)
  const row = rowOf({
    id,
    uid: id,
    userId: idOrNull(host?.user),
    userPrimaryEmail: host?.user_email,
    eventTypeId: idOrNull(event.event_type),
    title: event.name,
    description: event.meeting_notes_plain,
    startTime: instantOf(event.start_time),
    endTime: instantOf(event.end_time),
    createdAt: instantOf(event.created_at),
    updatedAt: instantOf(event.updated_at),
    location: location.location ?? location.join_url,
    status: event.status === 'canceled' ? 'cancelled' : 'accepted',
    cancellationReason: cancellation.reason,
    cancelledBy: cancellation.canceled_by,
    // The event stands before the invitee: …/scheduled_events/EVENT/invitees/INVITEE
    fromReschedule: textOf(first.old_invitee).split('/').at(-3) || undefined,
    rescheduled: first.rescheduled === true ? true : undefined,
    metadata: typeof location.join_url === 'string' ? { videoCallUrl: location.join_url } : {},
    responses: {
      ...answersOf(first),
      ...(guests.length > 0 && { guests: guests.map(({ email }) => email) }),
    },
  })
  return [
    { table: 'Booking', row },
    ...invitees.flatMap((invitee) => inviteeRows(id, invitee, isGroup)),
    ...others.map(
      ({ user, user_email: email, user_name: name }): Sourced => ({
        table: 'Attendee',
        row: rowOf({ id: `${id}-host-${idOf(user)}`, bookingId: id, email, name }),
      }),
    ),
    ...guests.map(
      ({ email }, index): Sourced => ({
        table: 'Attendee',
        row: rowOf({ id: `${id}-guest-${index + 1}`, bookingId: id, email, name: '' }),
      }),
    ),
    ...referenceRows(id, event),
  ]
}

const answersOf = (invitee: Tree): SourceRow => ({
  name: invitee.name,
  email: invitee.email,
  ...Object.fromEntries(
    treesOf(invitee.questions_and_answers).map(({ position, answer }) => [nameOfQuestion(position), answer]),
  ),
})

function inviteeRows(bookingId: string, invitee: Tree, hasSeat: boolean): Sourced[] {
  const id = idOf(invitee.uri)
  const tracking = treeOf(invitee.tracking)
  const utm = Object.entries(tracking).filter(([name, value]) => name.startsWith('utm_') && value !== null)
  const payment = treeOf(invitee.payment)
  const rows: Sourced[] = [
    {
      table: 'Attendee',
      row: rowOf({
        id,
        bookingId,
        email: invitee.email,
        name: invitee.name,
        timeZone: invitee.timezone,
        phoneNumber: invitee.text_reminder_number ?? null,
        noShow: Object.keys(treeOf(invitee.no_show)).length > 0,
      }),
    },
  ]
  if (hasSeat) {
    const data = { responses: answersOf(invitee) }
    rows.push({ table: 'BookingSeat', row: { id, referenceUid: id, bookingId, attendeeId: id, data } })
  }
  if (utm.length > 0) rows.push({ table: 'Tracking', row: { id, bookingId, ...Object.fromEntries(utm) } })
  if (typeof payment.amount === 'number') {
    rows.push({
      table: 'Payment',
      row: rowOf({
        id,
        bookingId,
        amount: Math.round(payment.amount * 100),
        currency: textOf(payment.currency).toLowerCase(),
        success: payment.successful,
        externalId: payment.external_id,
      }),
    })
  }
  return rows
}

const CALENDARS: Readonly<Record<string, string>> = {
  google: 'google_calendar',
  exchange: 'office365_calendar',
  outlook: 'office365_calendar',
  outlook_desktop: 'office365_calendar',
}

const VIDEOS: Readonly<Record<string, string>> = {
  google_conference: 'google_meet_video',
  zoom: 'zoom_video',
  zoom_conference: 'zoom_video',
  microsoft_teams_conference: 'office365_video',
}

function referenceRows(bookingId: string, event: Tree): Sourced[] {
  const calendar = treeOf(event.calendar_event)
  const location = treeOf(event.location)
  const rows: Sourced[] = []
  if (typeof calendar.external_id === 'string') {
    const type = lookUp(CALENDARS, textOf(calendar.kind)) ?? calendar.kind
    rows.push({
      table: 'BookingReference',
      row: { id: `${bookingId}-calendar`, bookingId, type, uid: calendar.external_id },
    })
  }
  const video = lookUp(VIDEOS, textOf(location.type))
  if (video !== undefined && typeof location.join_url === 'string') {
    rows.push({
      table: 'BookingReference',
      row: {
        id: `${bookingId}-video`,
        bookingId,
        type: video,
        uid: bookingId,
        meetingUrl: location.join_url,
      },
    })
  }
  return rows
}
