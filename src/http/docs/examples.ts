import { EVENT_TYPE_DEFAULTS, type EventType } from '../../domain/event-types/event-type.ts'
import { publicEventType } from '../../domain/event-types/public-event-type.ts'
import { calendarLinks } from '../../format/calendar-links.ts'
import { PUBLIC_EVENT_TYPE } from '../../format/event-type-schema.ts'
import { meetingTime } from '../../services/mail/meeting-time.ts'

const TIME_ZONE = 'America/New_York'
const MEETING_PAGE = 'https://meet.example.com/demo'

/** One endpoint at work in the demo workspace: a request that succeeds, and what may come back. */
export interface Example {
  readonly path: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly bodies?: Readonly<Record<string, unknown>>
  /** By status, then by name. */
  readonly answers: Readonly<Record<number, Readonly<Record<string, unknown>>>>
}

/** Examples by operation. Their dates lie ahead of `now`, so that they can be tried as they are. */
export function examplesOn(now: number, publicUrl: string): Examples {
  const monday = nextMonday(now)
  const scene = {
    now,
    publicUrl,
    api: `${publicUrl}/api/public`,
    monday,
    own: ownBooking(monday, guest, now, publicUrl),
  }
  return {
    ...slotExamples(scene),
    ...bookingExamples(scene),
    ...ownBookingExamples(scene),
    ...routingExamples(scene),
    ...widgetExamples(scene),
  }
}

/** What the examples have in common. */
interface Scene {
  readonly now: number
  readonly publicUrl: string
  /** Where the public API is. */
  readonly api: string
  readonly monday: Temporal.PlainDate
  readonly own: ReturnType<typeof ownBooking>
}

type Examples = Readonly<Record<string, Example>>

const NOTES = 'Looking forward to it.'
const guest = { name: 'Grace Guest', email: 'grace@guest.example', timezone: 'Europe/Berlin' }
const demoIntro = { userSlug: 'demo', eventSlug: 'intro' }
const demoConfirmed = { userSlug: 'demo', eventSlug: 'confirmed' }
const demoCareful = { userSlug: 'demo', eventSlug: 'careful' }
const demoProtected = { userSlug: 'demo', eventSlug: 'protected' }
const demoContact = { userSlug: 'demo', formSlug: 'contact' }
const demoProtectedForm = { userSlug: 'demo', formSlug: 'protected' }

/** Profiles, and what can be booked. */
function slotExamples({ now, api, monday }: Scene): Examples {
  return {
    getProfile: {
      path: { userSlug: 'demo' },
      answers: {
        200: {
          user: {
            slug: 'demo',
            kind: 'user',
            profile: {
              name: 'Demo Host',
              bio: 'Here to be booked. Try anything.',
              avatarUrl: '',
              timezone: TIME_ZONE,
            },
            branding,
            eventTypes,
          },
        },
        404: says({ unknown: 'There is no booking page at this address.' }),
      },
    },
    listSlots: {
      path: demoIntro,
      query: { dateFrom: monday.toString(), dateTo: monday.toString(), timezone: guest.timezone },
      answers: {
        200: { oneDay: [{ date: monday.toString(), slots: slotsOn(monday) }] },
        400: says({
          missing: 'dateFrom is required.',
          malformed: 'dateTo must be a date such as 2030-01-31.',
          unknownZone: 'timezone must be an IANA time zone such as Europe/Berlin.',
          tooLong: 'Ask for at most 92 days at a time.',
        }),
        404: says({ unknown: 'There is no such event type. Check the address.' }),
      },
    },
    getAbuseConfig: {
      path: demoProtected,
      answers: {
        200: {
          protected: {
            enableHoneypot: true,
            enableCaptcha: true,
            captchaProvider: 'altcha',
            captchaSiteKey: '',
            captchaChallengeUrl: `${api}/scheduling/demo/protected/challenge`,
          },
        },
        404: says({ unknown: 'There is no such event type. Check the address.' }),
      },
    },
    getChallenge: {
      path: demoProtected,
      answers: {
        200: { challenge: challengeAt(now) },
        404: says({
          unknown: 'There is no such event type. Check the address.',
          withoutAltcha: 'There is no ALTCHA challenge here.',
        }),
      },
    },
  }
}

/** Booking, and what comes before it. */
function bookingExamples({ now, monday }: Scene): Examples {
  const tuesday = monday.add({ days: 1 })
  const [startTime, endTime] = [instantOn(monday, 10 * 60), instantOn(monday, 10 * 60 + 30)]
  return {
    book: {
      path: demoIntro,
      bodies: {
        guest: {
          startTime,
          endTime,
          inviteeName: guest.name,
          inviteeEmail: guest.email,
          inviteeTimezone: guest.timezone,
          inviteeNotes: NOTES,
        },
      },
      answers: {
        201: {
          confirmed: {
            id: idOf('b1'),
            eventTypeId: idOf('01'),
            status: 'Confirmed',
            startTime,
            endTime,
            invitee: { name: guest.name, email: guest.email, phone: '', timezone: guest.timezone },
            location: { type: 'Video', value: MEETING_PAGE },
            createdAt: instantAt(now),
          },
        },
        400: says({
          missing: 'inviteeName is required.',
          invalid: 'startTime must be a UTC instant such as 2030-01-31T09:30:00Z.',
          honeypot: 'This booking looks automated. Leave the hidden field empty.',
          captcha: 'Please complete the CAPTCHA challenge (captchaToken).',
          refused: 'This booking could not be accepted.',
          taken: 'This time is no longer available. Please choose another slot.',
          otherBody: 'This Idempotency-Key was used before, with another body.',
        }),
        404: says({ unknown: 'There is no such event type. Check the address.' }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
        503: says({ limiter: 'The service is too busy just now. Please try again in a moment.' }),
      },
    },
    verifyEmail: {
      path: demoConfirmed,
      bodies: { guest: { email: guest.email } },
      answers: {
        202: { sent: { expiresAt: instantAt(now + 10 * 60_000) } },
        400: says({ invalid: 'email must be an email address.' }),
        404: says({
          unknown: 'There is no such event type. Check the address.',
          off: 'This event type does not ask guests to confirm their address.',
        }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
        503: says({ limiter: 'The service is too busy just now. Please try again in a moment.' }),
      },
    },
    eraseMyData: {
      path: {},
      bodies: { guest: { email: guest.email } },
      answers: {
        200: { erased: { bookings: 1, responses: 0 } },
        202: { sent: { expiresAt: instantAt(now + 10 * 60_000) } },
        400: says({
          invalid: 'email must be an email address.',
          wrong: 'This code is wrong. Tries left: 9.',
          over: 'This code no longer works. Please request a new one.',
        }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
        503: says({ limiter: 'The service is too busy just now. Please try again in a moment.' }),
      },
    },
    hold: {
      path: demoCareful,
      bodies: {
        slot: { startTime: instantOn(tuesday, 15 * 60), endTime: instantOn(tuesday, 15 * 60 + 30) },
      },
      answers: {
        201: { held: { holdId: idOf('f1'), expiresAt: instantAt(now + 5 * 60_000) } },
        400: says({
          invalid: 'startTime must be a UTC instant such as 2030-01-31T09:30:00Z.',
          taken: 'This time is no longer available. Please choose another slot.',
        }),
        404: says({
          unknown: 'There is no such event type. Check the address.',
          off: 'Times of this event type can’t be held.',
        }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
        503: says({ limiter: 'The service is too busy just now. Please try again in a moment.' }),
      },
    },
    releaseHold: {
      path: { ...demoCareful, holdId: idOf('f1') },
      answers: {
        404: says({
          unknown: 'There is no such event type. Check the address.',
          malformed: 'There is no such hold.',
        }),
      },
    },
  }
}

/** A booking, for its guest. */
function ownBookingExamples({ now, monday, own }: Scene): Examples {
  const ownLink = { path: { id: own.booked.id }, query: { token: TOKEN } }
  const taken = instantOn(monday, 10 * 60)
  return {
    getOwnBooking: {
      ...ownLink,
      answers: { 200: { confirmed: own.booked }, 404: says({ unknown: NO_SUCH_BOOKING }) },
    },
    listOwnSlots: {
      path: ownLink.path,
      query: {
        ...ownLink.query,
        dateFrom: monday.toString(),
        dateTo: monday.toString(),
        timezone: guest.timezone,
      },
      answers: {
        200: {
          // All but its own, and the one that someone else has booked.
          oneDay: [
            {
              date: monday.toString(),
              slots: slotsOn(monday).filter(
                ({ startTime }) => ![own.booked.startTime, taken].includes(startTime),
              ),
            },
          ],
        },
        404: says({ unknown: NO_SUCH_BOOKING }),
        409: says({ cancelled: 'This booking has been cancelled.' }),
      },
    },
    getOwnCalendarFile: {
      ...ownLink,
      answers: {
        200: { confirmed: calendarFileOf(own.booked, now) },
        404: says({ unknown: NO_SUCH_BOOKING }),
        409: says({
          pending:
            'The host has not confirmed this booking yet. Its calendar file is available once they have.',
        }),
      },
    },
    rescheduleOwnBooking: {
      ...ownLink,
      bodies: { later: { startTime: own.moved.startTime, reason: 'My train is late.' } },
      answers: {
        200: { moved: own.moved },
        400: says({
          missing: 'startTime is required.',
          invalid: 'startTime must be a UTC instant such as 2030-01-31T09:30:00Z.',
          taken: 'This time is no longer available. Please choose another slot.',
        }),
        404: says({ unknown: NO_SUCH_BOOKING }),
        409: says({
          cancelled: 'This booking has been cancelled.',
          tooLate: 'It is too late to reschedule this booking here. Please contact the host.',
        }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
      },
    },
    cancelOwnBooking: {
      ...ownLink,
      bodies: { withReason: { reason: own.cancelled.reason } },
      answers: {
        200: { cancelled: own.cancelled },
        404: says({ unknown: NO_SUCH_BOOKING }),
        409: says({ tooLate: 'It is too late to cancel this booking here. Please contact the host.' }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
      },
    },
  }
}

/** Routing forms. */
function routingExamples({ now, api }: Scene): Examples {
  return {
    getRoutingForm: {
      path: demoContact,
      answers: {
        200: { form },
        404: says({ unknown: 'There is no such form. Check the address.' }),
      },
    },
    getFormAbuseConfig: {
      path: demoProtectedForm,
      answers: {
        200: {
          protected: {
            enableHoneypot: true,
            enableCaptcha: true,
            captchaProvider: 'altcha',
            captchaSiteKey: '',
            captchaChallengeUrl: `${api}/routing/demo/protected/challenge`,
          },
        },
        404: says({ unknown: 'There is no such form. Check the address.' }),
      },
    },
    getFormChallenge: {
      path: demoProtectedForm,
      answers: {
        200: { challenge: challengeAt(now) },
        404: says({
          unknown: 'There is no such form. Check the address.',
          withoutAltcha: 'There is no ALTCHA challenge here.',
        }),
      },
    },
    leaveRoutingForm: {
      path: demoContact,
      bodies: { atEmail: { field: 'email' } },
      answers: {
        400: says({ unknownField: 'This form has no such question.' }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
        404: says({ unknown: 'There is no such form. Check the address.' }),
      },
    },
    evaluateRoutingForm: {
      path: demoContact,
      bodies: {
        sales: { answers: { reason: 'sales', email: guest.email } },
        support: { answers: { reason: 'support' } },
        other: { answers: { reason: 'other', details: 'I would like to speak at your school.' } },
      },
      answers: {
        200: {
          event: {
            action: 'routeToEvent',
            eventTypeSlug: 'intro',
            eventTypeName: 'Intro call',
            redirectUrl: null,
            message: null,
          },
          redirect: {
            action: 'redirect',
            eventTypeSlug: null,
            eventTypeName: null,
            redirectUrl: 'https://support.example.com/',
            message: null,
          },
          message: {
            action: 'message',
            eventTypeSlug: null,
            eventTypeName: null,
            redirectUrl: null,
            message: 'Thank you. We will write to you within a day.',
          },
        },
        400: says({
          missing: '"What is it about?" is required.',
          unknownOption: '"What is it about?" must be one of its options.',
          email: '"Your email address" must be an email address.',
        }),
        429: says({ tooMany: 'Too many requests. Please try again in 42 seconds.' }),
        404: says({ unknown: 'There is no such form. Check the address.' }),
      },
    },
  }
}

/** What a site needs to show a widget. */
function widgetExamples({ api, publicUrl }: Scene): Examples {
  return {
    getProfileWidget: {
      path: { userSlug: 'demo-team' },
      answers: {
        200: {
          team: {
            kind: 'profile',
            name: 'Demo Team',
            url: `${publicUrl}/demo-team`,
            ...look,
            eventTypes: [
              {
                slug: 'round-robin',
                name: 'First available host',
                durationMinutes: 30,
                durations: [],
                url: `${publicUrl}/demo-team/round-robin`,
              },
              {
                slug: 'collective',
                name: 'All of us',
                durationMinutes: 30,
                durations: [],
                url: `${publicUrl}/demo-team/collective`,
              },
            ],
          },
        },
        404: says({ unknown: 'There is no booking page at this address.' }),
      },
    },
    getEventWidget: {
      path: { userSlug: 'demo', eventSlug: 'quick' },
      answers: {
        200: {
          withQuestions: {
            kind: 'event',
            name: 'Quick question',
            url: `${publicUrl}/demo/quick`,
            ...look,
            ...shownOf(quick),
            questions: [
              { key: 'company', label: 'Company', type: 'text', required: false, options: [] },
              {
                key: 'topic',
                label: 'Topic',
                type: 'select',
                required: false,
                options: ['Sales', 'Support', 'Something else'],
              },
            ],
            abuseConfig: {
              enableHoneypot: false,
              enableCaptcha: false,
              captchaProvider: '',
              captchaSiteKey: '',
            },
            slotsUrl: `${api}/scheduling/demo/quick/slots`,
            bookUrl: `${api}/scheduling/demo/quick/book`,
            allowedOrigins: [],
            returnUrl: '',
          },
        },
        404: says({ unknown: 'There is no such event type. Check the address.' }),
      },
    },
    getFormWidget: {
      path: demoContact,
      answers: {
        200: {
          contact: {
            kind: 'form',
            name: form.name,
            url: `${publicUrl}/demo/forms/contact`,
            ...look,
            form,
            abuseConfig: {
              enableHoneypot: false,
              enableCaptcha: false,
              captchaProvider: '',
              captchaSiteKey: '',
            },
            evaluateUrl: `${api}/routing/demo/contact/evaluate`,
          },
        },
        404: says({ unknown: 'There is no such form. Check the address.' }),
      },
    },
  }
}

const NO_SUCH_BOOKING = 'There is no such booking. Use the whole link, as it was sent to you.'
const TOKEN = 'wTQ2lWq7mJmZc0dQnE8Vb1xkG5y9oRr4sUuPpAaSdFg'

/** A guest's booking as it is made, moved and cancelled. */
function ownBooking(
  monday: Temporal.PlainDate,
  guest: { readonly name: string; readonly email: string; readonly timezone: string },
  now: number,
  publicUrl: string,
) {
  const at = (hour: number) => ({
    startTime: instantOn(monday, hour * 60),
    endTime: instantOn(monday, hour * 60 + 30),
    cancelUntil: instantOn(monday, hour * 60),
    rescheduleUntil: instantOn(monday, hour * 60),
  })
  const manageUrl = `${publicUrl}/booking/${idOf('b2')}?token=${TOKEN}`
  const linksOf = ({ startTime, endTime }: { readonly startTime: string; readonly endTime: string }) =>
    calendarLinks({
      title: 'Intro call: Grace Guest & Demo Host',
      startsAt: Date.parse(startTime),
      endsAt: Date.parse(endTime),
      details: `Reschedule or cancel: ${manageUrl}`,
      location: MEETING_PAGE,
    })
  const booked = {
    id: idOf('b2'),
    eventTypeId: idOf('01'),
    status: 'Confirmed',
    invitee: { name: guest.name, email: guest.email, phone: '', timezone: guest.timezone },
    location: { type: 'Video', value: MEETING_PAGE },
    createdAt: Temporal.Instant.fromEpochMilliseconds(now).toString({ smallestUnit: 'second' }),
    eventType: { slug: 'intro', name: 'Intro call', durationMinutes: 30 },
    userSlug: 'demo',
    host: { name: 'Demo Host', email: 'demo@example.com' },
    hosts: [{ name: 'Demo Host', avatarUrl: '' }],
    guests: [],
    answers: [],
    notes: NOTES,
    reason: '',
    payment: null,
    canCancel: true,
    canReschedule: true,
    manageUrl,
    ...at(11),
    calendarLinks: linksOf(at(11)),
    returnUrl: '',
  }
  const moved = { ...booked, ...at(14), calendarLinks: linksOf(at(14)) }
  const cancelled = {
    ...moved,
    status: 'Cancelled',
    location: { type: 'Video', value: '' },
    reason: 'Something came up.',
    canCancel: false,
    canReschedule: false,
    calendarLinks: [],
  }
  return { booked, moved, cancelled }
}

/** Written by hand, and held against a real one by the tests: loading the writer would slow every start. */
function calendarFileOf(booking: ReturnType<typeof ownBooking>['booked'], now: number): string {
  const compact = (instant: string) => instant.replaceAll(/[-:]|\.\d+/g, '')
  const { id, startTime, endTime, manageUrl, invitee, host } = booking
  const [startsAt, endsAt] = [Date.parse(startTime), Date.parse(endTime)]
  const { date, time, zone, short } = meetingTime(startsAt, endsAt, invitee.timezone, 'en')
  const facts = [
    'Event: Intro call',
    `Host: ${host.name}`,
    `When: ${date}`,
    `  ${time}`,
    `  ${zone}`,
    'Where: Video call',
    `  Join: ${MEETING_PAGE}`,
    `Notes: ${NOTES}`,
    `Cancellation: You can cancel until ${short}.`,
    '',
    `Reschedule or cancel: ${manageUrl}`,
  ]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Punctual//Punctual//EN',
    'BEGIN:VEVENT',
    `UID:${id}@punctual`,
    'SEQUENCE:0',
    `DTSTAMP:${compact(new Date(now).toISOString())}`,
    `DTSTART:${compact(startTime)}`,
    `DTEND:${compact(endTime)}`,
    `SUMMARY:Intro call: ${invitee.name} & ${host.name}`,
    `LOCATION:${MEETING_PAGE}`,
    `DESCRIPTION:${facts.join('\\n').replaceAll(',', '\\,')}`,
    `ORGANIZER;CN="${host.name}":mailto:demo@example.com`,
    `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE;CN="${invitee.name}":MAILTO:${invitee.email}`,
    `URL;VALUE=URI:${manageUrl}`,
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

/** A Monday that is still ahead when the page has been open for a day. */
function nextMonday(now: number): Temporal.PlainDate {
  const soon = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(TIME_ZONE)
    .toPlainDate()
    .add({ days: 2 })
  return soon.add({ days: (8 - soon.dayOfWeek) % 7 })
}

function instantOn(date: Temporal.PlainDate, minuteOfDay: number): string {
  const midnight = new Temporal.PlainTime()
  return date
    .toZonedDateTime({ timeZone: TIME_ZONE, plainTime: midnight.add({ minutes: minuteOfDay }) })
    .toInstant()
    .toString()
}

/** Half hours from nine to five. */
function slotsOn(date: Temporal.PlainDate) {
  return Array.from({ length: 16 }, (_, index) => {
    const opens = 9 * 60 + index * 30
    return { startTime: instantOn(date, opens), endTime: instantOn(date, opens + 30) }
  })
}

const says = (sentences: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(sentences).map(([name, error]) => [name, { error }]))

const instantAt = (at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: 'second' })

const idOf = (last: string) => `01980a5e-5c00-7000-8000-0000000000${last}`

const branding = { primaryColor: '#2563eb', logoUrl: '' }
const look = { branding, theme: 'auto', locale: 'en' }

const quick = eventTypeOf({
  id: idOf('05'),
  slug: 'quick',
  name: 'Quick question',
  description: 'Fifteen minutes, with five to breathe on either side.',
  durationMinutes: 15,
  location: { type: 'Phone', value: '' },
})

const eventTypes = [
  eventTypeOf({
    id: idOf('01'),
    slug: 'intro',
    name: 'Intro call',
    description: 'Half an hour to get to know each other.',
    durationMinutes: 30,
  }),
  eventTypeOf({
    id: idOf('02'),
    slug: 'consultation',
    name: 'Consultation',
    description: 'An hour on your question. Each request is looked at before it is confirmed.',
    durationMinutes: 60,
    requiresApproval: true,
  }),
  eventTypeOf({
    id: idOf('03'),
    slug: 'protected',
    name: 'Protected call',
    description: 'A call behind a honeypot, a proof-of-work CAPTCHA and a blocklist.',
    durationMinutes: 30,
  }),
  eventTypeOf({
    id: idOf('04'),
    slug: 'workshop',
    name: 'Workshop',
    description: 'An hour with up to ten guests.',
    durationMinutes: 60,
    location: { type: 'InPerson', value: '' },
    seats: 10,
  }),
  quick,
]

/** What its widget shows besides its name. */
function shownOf({ id, slug, name, ...shown }: Readonly<Record<string, unknown>>) {
  return shown
}

/** An event type as the public API shows it, with the defaults of a new one. */
function eventTypeOf(given: Pick<EventType, 'id' | 'slug' | 'name'> & Partial<EventType>) {
  const shown = publicEventType({ ...EVENT_TYPE_DEFAULTS, schedulerId: '', ...given })
  const example = { ...shown, location: { type: shown.location.type } }
  const names = Object.keys(PUBLIC_EVENT_TYPE) as (keyof typeof example)[]
  return Object.fromEntries(names.map((name) => [name, example[name]]))
}

const form = {
  id: idOf('f1'),
  name: 'How can we help?',
  slug: 'contact',
  description: 'A question or two, and you are in the right place.',
  fields: [
    {
      id: 'reason',
      label: 'What is it about?',
      type: 'select',
      required: true,
      options: [
        { id: 'sales', label: 'Sales' },
        { id: 'support', label: 'Support' },
        { id: 'other', label: 'Something else' },
      ],
    },
    { id: 'email', label: 'Your email address', type: 'email', required: false, options: [] },
    { id: 'details', label: 'Anything else?', type: 'textarea', required: false, options: [] },
  ],
  branding,
}

const challengeAt = (now: number) => ({
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    cost: 2000,
    data: { subject: idOf('03') },
    expiresAt: Math.floor(now / 1000) + 20 * 60,
    keyLength: 32,
    keyPrefix: '8cb74b1030f8372df65fbd1615c05c7d',
    keySignature: '8f637d73d44311745bf509b824ea4025d01870fad6394e09ea2bc39fae7b6ab3',
    nonce: '515951119481f1568fdea33aa8f09f06',
    salt: '3f35915e68bcaa8ec39292ba9b1a9557',
  },
  signature: 'c6a00f7a353f7b08b61f6da8c0a209f5974fd083ec8c0eb94c97e410d92f713c',
})
