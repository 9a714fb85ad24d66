import { at, DAY, HOUR, MINUTE, type Seed } from './seed.ts'
import {
  COLLECTIVE,
  PRICED,
  QUESTIONS,
  RECURRING,
  ROUND_ROBIN,
  SEATED,
  usualOf,
} from './seeded-event-types.ts'
import { emailOf } from './seeded-people.ts'

/** Every group has one booking of each kind. */
const KINDS = 25

/** Hosts of the usual bookings. */
const HOSTS = 30

const LENGTH = 30 * MINUTE

interface Plan {
  readonly host: number
  readonly startsAt: number
  readonly eventType?: number | null
  readonly booking?: object
  readonly responses?: object
  readonly guests?: readonly Guest[]
}

interface Guest {
  readonly email: string
  readonly name?: string
  readonly values?: object
}

export const uidOf = (id: number) => `booking-uid-${id}`

/** Bookings around now, half of them past. Only the pairs made for it overlap. */
export function seedBookings(seed: Seed, count: number): void {
  const { now } = seed
  const groups = Math.ceil(count / KINDS)
  const daysBefore = Math.floor(groups / 2)

  /** A free hour of a host: eight a day, from nine o'clock. */
  const usualStart = (index: number) => {
    const turn = Math.floor(index / HOSTS)
    const days = Math.floor(turn / 8) - Math.floor(count / HOSTS / 16)
    return now + days * DAY + (9 + (turn % 8)) * HOUR
  }
  const hostOf = (index: number) => 1 + (index % HOSTS)
  /** Half past, once a day, beside the usual hours. */
  const specialStart = (group: number, hour: number) =>
    now + (group - daysBefore) * DAY + hour * HOUR + 30 * MINUTE

  for (let index = 0; index < count; index++) {
    const id = index + 1
    const group = Math.floor(index / KINDS)
    const usual = { host: hostOf(index), startsAt: usualStart(index) }
    const made = planOf(index % KINDS)
    add(id, made)

    function planOf(kind: number): Plan {
      switch (kind) {
        case 0:
          return {
            ...usual,
            booking: {
              status: 'cancelled',
              cancellationReason: 'Ill',
              cancelledBy: `guest${id}@example.com`,
            },
          }
        case 1:
          return {
            ...usual,
            booking: { status: 'cancelled', rescheduled: true, rescheduledBy: emailOf(usual.host) },
          }
        case 2:
          // Where the one before went: it keeps its calendar entry.
          return {
            host: hostOf(index - 1),
            startsAt: usualStart(index - 1) + 30 * MINUTE,
            booking: { fromReschedule: uidOf(id - 1), iCalUID: `${uidOf(id - 1)}@Cal.com`, iCalSequence: 1 },
            responses: { rescheduleReason: 'A clash' },
          }
        case 3:
          return { ...usual, booking: { status: 'pending' } }
        case 4:
          return { ...usual, booking: { status: 'rejected', rejectionReason: 'Not now' } }
        case 5:
          return { ...usual, booking: { status: 'awaiting_host' } }
        case 6:
          return { ...usual, guests: [{ email: `guest${id}@example.com`, values: { noShow: true } }] }
        case 7:
          return { ...usual, booking: { noShowHost: true, rating: 2, ratingFeedback: 'Nobody was there' } }
        case 8:
          return {
            host: 2,
            startsAt: specialStart(group, 12),
            eventType: SEATED,
            guests: [1, 2, 3].map((seat) => ({ email: `seat${id}-${seat}@example.com` })),
          }
        case 9:
        case 10:
        case 11:
          return {
            host: 2,
            startsAt:
              now +
              (Math.floor(group / 8) * 21 + (kind - 9) * 7 - Math.floor(daysBefore / 8) * 21) * DAY +
              18 * HOUR +
              (group % 8) * LENGTH,
            eventType: RECURRING,
            booking: { recurringEventId: `series-${group}` },
            guests: [{ email: `series${group}@example.com` }],
          }
        case 12:
          return {
            host: 6,
            startsAt: specialStart(group, 15),
            eventType: COLLECTIVE,
            guests: [
              { email: `guest${id}@example.com` },
              { email: emailOf(7), name: 'Person 7' },
              { email: `colleague${id}@example.com` },
            ],
            responses: { guests: [`colleague${id}@example.com`] },
          }
        case 13:
          return usual
        case 14:
          // Overlaps the one before.
          return { host: hostOf(index - 1), startsAt: usualStart(index - 1) + 15 * MINUTE }
        case 15:
          return { ...usual, eventType: null }
        case 16:
          return { host: 1 + (group % 5), startsAt: specialStart(group, 14), eventType: ROUND_ROBIN }
        case 17:
          return {
            ...usual,
            guests: [
              { email: `guest${id}@example.com` },
              { email: `colleague${id}@example.com`, name: '' },
              { email: `boss${id}@example.com` },
            ],
            responses: { guests: [`colleague${id}@example.com`, `boss${id}@example.com`] },
          }
        case 21:
          return {
            ...usual,
            eventType: null,
            booking: { dynamicEventSlugRef: '30min', dynamicGroupSlugRef: 'person-1+person-2' },
          }
        case 22:
          return { host: 4, startsAt: specialStart(group, 11), eventType: PRICED, booking: { paid: true } }
        case 23:
          return {
            host: 1,
            startsAt: specialStart(group, 10),
            eventType: QUESTIONS,
            responses: {
              company: 'Example Ltd',
              story: 'Two\nlines',
              seats: 12,
              plan: 'team',
              topics: ['prices', 'support'],
              days: ['monday'],
              size: 'large',
              where: { value: '+441632960002', optionValue: 'phone' },
              terms: true,
              website: 'https://example.com',
            },
          }
        default:
          return usual
      }
    }
  }

  function add(id: number, plan: Plan): void {
    const { host, startsAt, eventType = usualOf(host), booking = {}, responses = {} } = plan
    const guests = plan.guests ?? [{ email: `guest${id}@example.com` }]
    const [booker] = guests
    const notes = id % 10 === 0 ? "Tab\there, back\\slash \\N \\.\nand a line with 'quotes' and 🎉" : ''
    const kind = (id - 1) % KINDS
    seed.add('Booking', {
      id,
      uid: uidOf(id),
      userId: host,
      eventTypeId: eventType,
      title: `Meeting ${id}`,
      description: notes || null,
      startTime: at(startsAt),
      endTime: at(startsAt + LENGTH),
      createdAt: at(startsAt - (5 + Math.floor(seed.random() * 20)) * DAY),
      location: ['integrations:daily', 'https://meet.example.org/room', '1 Example Street', '+441632960000'][
        id % 4
      ],
      metadata: id % 4 === 0 ? { videoCallUrl: `https://app.cal.com/video/${uidOf(id)}` } : {},
      responses: {
        name: booker?.name ?? `Guest ${id}`,
        email: booker?.email,
        notes,
        location: { value: 'integrations:daily', optionValue: '' },
        ...responses,
      },
      iCalUID: `${uidOf(id)}@Cal.com`,
      userPrimaryEmail: emailOf(host),
      ...booking,
    })
    for (const [index, { email, name, values }] of guests.entries()) {
      const attendeeId = seed.nextId('Attendee')
      seed.add('Attendee', {
        id: attendeeId,
        email,
        name: name ?? `Guest ${id}`,
        timeZone: ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'][id % 3],
        locale: ['en', 'de', 'ja'][id % 3],
        bookingId: id,
        phoneNumber: id % 7 === 0 ? '+441632960003' : null,
        ...values,
      })
      if (eventType === SEATED)
        seed.add('BookingSeat', {
          id: seed.nextId('BookingSeat'),
          referenceUid: `seat-uid-${attendeeId}`,
          bookingId: id,
          attendeeId,
          data: { responses: { name: `Seat ${index + 1}`, email, notes: '' } },
        })
    }
    if (kind === 18)
      seed.add('Tracking', {
        id: seed.nextId('Tracking'),
        bookingId: id,
        utm_source: 'newsletter',
        utm_medium: 'email',
        utm_campaign: 'spring',
      })
    if (kind === 2 || kind === 19 || kind === 12) {
      refer(id, 'google_calendar', { externalCalendarId: 'person1@example.org', credentialId: 1 })
      refer(id, 'google_meet_video', { meetingUrl: `https://meet.google.com/abc-${id}` })
    }
    if (kind === 20) {
      refer(id, 'office365_calendar', { externalCalendarId: 'AQMkAD==', credentialId: 2 })
      refer(id, 'zoom_video', {
        meetingId: String(8_000_000 + id),
        meetingPassword: 'passcode',
        meetingUrl: `https://zoom.us/j/${8_000_000 + id}`,
        credentialId: 3,
      })
      refer(id, 'daily_video', { deleted: true })
    }
    if (kind === 22)
      seed.add('Payment', {
        id: seed.nextId('Payment'),
        uid: `payment-${id}`,
        bookingId: id,
        amount: 2500,
        currency: 'eur',
        success: true,
        externalId: `pi_${id}`,
        appId: 'stripe',
        paymentOption: 'ON_BOOKING',
        data: { object: 'payment_intent' },
      })
    if (kind === 24)
      seed.add('BookingInternalNote', {
        id: seed.nextId('BookingInternalNote'),
        text: 'Was late',
        bookingId: id,
        createdById: 1,
        createdAt: at(startsAt + HOUR),
      })
  }

  function refer(bookingId: number, type: string, values: object): void {
    const id = seed.nextId('BookingReference')
    seed.add('BookingReference', { id, type, uid: `event-${bookingId}-${type}`, bookingId, ...values })
  }
}

/** Broken in one way each. */
export function seedBrokenBookings(seed: Seed): void {
  const add = (id: number, values: object) => {
    seed.add('Booking', {
      id,
      uid: uidOf(id),
      userId: 10,
      eventTypeId: usualOf(10),
      title: `Broken ${id}`,
      startTime: at(seed.now + id * HOUR),
      endTime: at(seed.now + id * HOUR + LENGTH),
      responses: {},
      ...values,
    })
    seed.add('Attendee', {
      id: seed.nextId('Attendee'),
      bookingId: id,
      email: `guest${id}@example.com`,
      name: `Guest ${id}`,
    })
  }
  add(900_001, { status: 'dreamt' })
  add(900_002, { responses: '{"name": "Gue' })
  add(900_003, { userId: 999 })
  add(900_004, { endTime: at(seed.now - DAY) })
  add(900_005, { userId: null, eventTypeId: 4999 })
  seed.add('Attendee', {
    id: seed.nextId('Attendee'),
    bookingId: 999_999,
    email: 'lost@example.com',
    name: 'Lost',
  })
  seed.add('Booking', {
    id: 900_006,
    uid: uidOf(900_006),
    userId: 10,
    eventTypeId: usualOf(10),
    title: 'Without a guest',
    startTime: at(seed.now + 50 * DAY),
    endTime: at(seed.now + 50 * DAY + LENGTH),
  })
}
