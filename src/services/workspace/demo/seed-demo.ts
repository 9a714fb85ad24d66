import {
  checkEventType,
  EVENT_TYPE_DEFAULTS,
  type EventType,
} from '../../../domain/event-types/event-type.ts'
import { checkSchedule, type Schedule } from '../../../domain/event-types/hours.ts'
import { checkForm, FORM_DEFAULTS, type RoutingForm } from '../../../domain/forms/routing.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import type { Db, Trx } from '../../../store/engine/database.ts'
import { insertEventType } from '../../../store/event-types/event-types.ts'
import { insertSchedule } from '../../../store/event-types/schedules.ts'
import { insertForm } from '../../../store/forms/forms.ts'
import { newId } from '../../../store/new-id.ts'
import { insertTeamMember } from '../../../store/people/members.ts'
import { hasNoSchedulers, insertScheduler, lockSchedulers } from '../../../store/people/schedulers.ts'
import { addDemoBookings } from './demo-bookings.ts'

/** The demo user, whose dashboard the printed sign-in link opens. */
export const DEMO_EMAIL = 'demo@example.com'

const TIME_ZONE = 'America/New_York'
const NINE_TO_FIVE = [{ opens: '09:00', closes: '17:00' }]
const WEEKDAYS: Schedule = {
  timeZone: TIME_ZONE,
  weekly: { 1: NINE_TO_FIVE, 2: NINE_TO_FIVE, 3: NINE_TO_FIVE, 4: NINE_TO_FIVE, 5: NINE_TO_FIVE },
  overrides: {},
}

const PLAIN = {
  ...EVENT_TYPE_DEFAULTS,
  noticeMinutes: 0,
  window: { kind: 'rolling', days: 365 } as const,
  location: { type: 'Video', value: 'https://meet.example.com/demo' } as const,
  abuse: { ...EVENT_TYPE_DEFAULTS.abuse, honeypot: false },
}

const PROTECTION = {
  honeypot: true,
  captcha: 'altcha',
  blocklist: ['spam.example', 'blocked@example.com'],
} as const

type DemoEventType = Partial<EventType> & Pick<EventType, 'slug' | 'name'>

const EVENT_TYPES: readonly DemoEventType[] = [
  { slug: 'intro', name: 'Intro call', description: 'Half an hour to get to know each other.' },
  {
    slug: 'consultation',
    name: 'Consultation',
    description: 'An hour on your question. Each request is looked at before it is confirmed.',
    durationMinutes: 60,
    requiresApproval: true,
  },
  {
    slug: 'protected',
    name: 'Protected call',
    description: 'A call behind a honeypot, a proof-of-work CAPTCHA and a blocklist.',
    abuse: { ...PLAIN.abuse, ...PROTECTION },
  },
  {
    slug: 'workshop',
    name: 'Workshop',
    description: 'An hour with up to ten guests.',
    durationMinutes: 60,
    seats: 10,
    location: { type: 'InPerson', value: '1 Example Street, New York' },
  },
  {
    slug: 'quick',
    name: 'Quick question',
    description: 'Fifteen minutes, with five to breathe on either side.',
    durationMinutes: 15,
    bufferBeforeMinutes: 5,
    bufferAfterMinutes: 5,
    location: { type: 'Phone', value: '+1 212 555 0100' },
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
  },
  {
    slug: 'confirmed',
    name: 'With a confirmed address',
    description: 'Guests prove their email address with a code.',
    hidden: true,
    confirmEmail: true,
  },
  {
    slug: 'careful',
    name: 'A careful booking',
    description: 'The time is held while you fill in the form.',
    durationMinutes: 30,
    hidden: true,
    holds: true,
  },
]

/** Creates the demo workspace if the database is empty; returns whether it did. */
export async function seedDemo(db: Db, now: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Two instances that start together must not both find it empty.
    await lockSchedulers(trx)
    if (!(await hasNoSchedulers(trx))) return false
    const demo = await addScheduler(trx, now, {
      kind: 'user',
      slug: 'demo',
      name: 'Demo Host',
      bio: 'Here to be booked. Try anything.',
      email: DEMO_EMAIL,
    })
    const colleague = await addScheduler(trx, now, {
      kind: 'user',
      slug: 'demo-colleague',
      name: 'Demo Colleague',
      bio: 'The other half of the demo team.',
      email: 'colleague@example.com',
    })
    const team = await addScheduler(trx, now, {
      kind: 'team',
      slug: 'demo-team',
      name: 'Demo Team',
      bio: 'Two hosts who share their work.',
      email: null,
    })
    for (const userId of [demo, colleague]) {
      await insertSchedule(trx, {
        ...WEEKDAYS,
        id: newId(),
        userId,
        name: 'Working hours',
        isDefault: true,
        confirmed: true,
      })
    }

    await insertTeamMember(trx, { teamId: team, userId: demo, role: 'owner' }, now)
    await insertTeamMember(trx, { teamId: team, userId: colleague, role: 'member' }, now)
    const eventTypes = new Map<string, EventType>()
    for (const [position, eventType] of EVENT_TYPES.entries()) {
      eventTypes.set(eventType.slug, await addEventType(trx, demo, { ...eventType, position }, [demo]))
    }
    const idOf = (slug: string) => eventTypes.get(slug)?.id ?? ''
    const both = [demo, colleague]
    await addEventType(
      trx,
      team,
      {
        slug: 'round-robin',
        name: 'First available host',
        description: 'Half an hour with one of the team.',
        assignment: 'round-robin',
      },
      both,
    )
    await addEventType(
      trx,
      team,
      {
        slug: 'collective',
        name: 'All of us',
        description: 'Half an hour with the whole team.',
        assignment: 'collective',
        position: 1,
      },
      both,
    )
    await addForm(trx, contactForm(demo, idOf('intro')))
    await addForm(trx, protectedForm(demo, idOf('protected')))
    await addDemoBookings(trx, { hostId: demo, timeZone: TIME_ZONE, eventTypes }, now)
    return true
  })
}

async function addScheduler(
  trx: Trx,
  now: number,
  given: Pick<Scheduler, 'kind' | 'slug' | 'name' | 'bio'> & { readonly email: string | null },
): Promise<string> {
  checkSchedule(WEEKDAYS)
  const id = newId()
  await insertScheduler(trx, {
    ...given,
    id,
    avatarUrl: '',
    timeZone: TIME_ZONE,
    locale: 'en',
    germanAddress: 'sie',
    theme: 'auto',
    branding: { primaryColor: '#2563eb', logoUrl: '' },
    createdAt: now,
  })
  return id
}

async function addEventType(
  trx: Trx,
  schedulerId: string,
  given: DemoEventType,
  hostIds: readonly string[],
): Promise<EventType> {
  const eventType: EventType = { ...PLAIN, ...given, id: newId(), schedulerId }
  checkEventType(eventType)
  const fixed = eventType.assignment === 'collective'
  await insertEventType(
    trx,
    eventType,
    hostIds.map((hostId) => ({ hostId, fixed })),
  )
  return eventType
}

async function addForm(trx: Trx, form: RoutingForm): Promise<void> {
  checkForm(form)
  await insertForm(trx, form)
}

function protectedForm(schedulerId: string, eventTypeId: string): RoutingForm {
  return {
    ...FORM_DEFAULTS,
    id: newId(),
    schedulerId,
    slug: 'protected',
    name: 'Request a protected call',
    description: 'A form behind a honeypot, a proof-of-work CAPTCHA and a blocklist.',
    fields: [{ id: 'email', label: 'Your email address', type: 'email', required: true, options: [] }],
    fallback: { action: 'routeToEvent', eventTypeId },
    abuse: PROTECTION,
  }
}

function contactForm(schedulerId: string, introId: string): RoutingForm {
  return {
    ...FORM_DEFAULTS,
    id: newId(),
    schedulerId,
    slug: 'contact',
    name: 'How can we help?',
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
    rules: [
      {
        when: { field: 'reason', operator: 'equals', value: 'sales' },
        target: { action: 'routeToEvent', eventTypeId: introId },
      },
      {
        when: { field: 'reason', operator: 'equals', value: 'support' },
        target: { action: 'redirect', url: 'https://support.example.com/' },
      },
    ],
    fallback: { action: 'message', message: 'Thank you. We will write to you within a day.' },
    abuse: { ...FORM_DEFAULTS.abuse, honeypot: false },
  }
}
