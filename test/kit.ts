import { lookup } from 'node:dns'
import type { FastifyInstance } from 'fastify'
import { EVENT_TYPE_DEFAULTS, type EventType } from '../src/domain/event-types/event-type.ts'
import type { Schedule } from '../src/domain/event-types/hours.ts'
import type { Scheduler } from '../src/domain/people/scheduler.ts'
import type { SignupMode } from '../src/domain/people/user.ts'
import { type AppOptions, buildApp } from '../src/http/app.ts'
import type { Kinds } from '../src/outside/kinds/kind.ts'
import { fileMailer, type Mail } from '../src/outside/mail/mail.ts'
import type { Guard } from '../src/outside/network/guard.ts'
import type { PaymentProvider } from '../src/outside/payments/provider.ts'
import type { PushSender } from '../src/outside/push/push.ts'
import type { WebhookSender } from '../src/outside/webhooks/webhook.ts'
import {
  type CaptchaSettings,
  type Context,
  createContext,
  type Providers,
  type SingleSignOn,
  type SmsService,
} from '../src/services/context.ts'
import type { Surroundings } from '../src/services/surroundings.ts'
import { type Db, isUnavailable, type Trx } from '../src/store/engine/database.ts'
import { openDatabase } from '../src/store/engine/open-database.ts'
import { insertEventType } from '../src/store/event-types/event-types.ts'
import { insertSchedule } from '../src/store/event-types/schedules.ts'
import { newId } from '../src/store/new-id.ts'
import { bumpRevisions, insertScheduler } from '../src/store/people/schedulers.ts'
import { createRateLimit } from '../src/store/rate-limits.ts'

/** A Monday, at noon UTC, far from any change of clocks. */
export const MONDAY_NOON = Date.UTC(2027, 0, 11, 12)

/** A clock that stands until it is moved. */
export function stoppedClock(at = MONDAY_NOON) {
  let now = at
  return {
    now: () => now,
    moveTo: (instant: number) => {
      now = instant
    },
  }
}

const NINE_TO_FIVE = [{ opens: '09:00', closes: '17:00' }]

/** Weekdays from nine to five, UTC unless told otherwise. */
export const weekdays = (timeZone = 'UTC'): Schedule => ({
  timeZone,
  weekly: { 1: NINE_TO_FIVE, 2: NINE_TO_FIVE, 3: NINE_TO_FIVE, 4: NINE_TO_FIVE, 5: NINE_TO_FIVE },
  overrides: {},
})

let lastId = ''

/** An id that comes after all before it: those of the same millisecond are in no order. */
function nextId(): string {
  let id = newId()
  while (id <= lastId) id = newId()
  lastId = id
  return id
}

/** An event type without any rule; a test overrides the fields it is about. */
export const plainEventType = (given: Partial<EventType> = {}): EventType => ({
  id: nextId(),
  schedulerId: '',
  slug: `event-${newId()}`,
  name: 'A meeting',
  ...EVENT_TYPE_DEFAULTS,
  noticeMinutes: 0,
  location: { type: 'Video', value: 'https://meet.example.com/room' },
  abuse: { ...EVENT_TYPE_DEFAULTS.abuse, honeypot: false },
  ...given,
})

/** A user with a default schedule. */
export async function addUser(db: Db, slug: string, schedule = weekdays()): Promise<Scheduler> {
  const user = await addScheduler(db, 'user', slug)
  await insertSchedule(db, {
    ...schedule,
    id: newId(),
    userId: user.id,
    name: 'Hours',
    isDefault: true,
    confirmed: true,
  })
  return user
}

export async function addTeam(db: Db, slug: string): Promise<Scheduler> {
  return addScheduler(db, 'team', slug)
}

async function addScheduler(db: Db, kind: Scheduler['kind'], slug: string): Promise<Scheduler> {
  const scheduler: Scheduler = {
    id: nextId(),
    kind,
    slug,
    name: `Name of ${slug}`,
    bio: '',
    avatarUrl: '',
    timeZone: 'UTC',
    locale: 'en',
    germanAddress: 'sie',
    theme: 'auto',
    branding: { primaryColor: '#123456', logoUrl: '' },
  }
  const email = kind === 'user' ? `${slug}@hosts.example` : null
  await insertScheduler(db, { ...scheduler, email, createdAt: 0 })
  return scheduler
}

/** An event type of `owner`; its hosts are the owner, unless others are named. */
export async function addEventType(
  db: Db,
  owner: Pick<Scheduler, 'id'>,
  given: Partial<EventType> = {},
  hosts: readonly { readonly hostId: string; readonly fixed: boolean }[] = [
    { hostId: owner.id, fixed: true },
  ],
): Promise<EventType> {
  const eventType = plainEventType({ ...given, schedulerId: owner.id })
  await db.transaction().execute((trx) => insertEventType(trx, eventType, hosts))
  return eventType
}

/** Where the service of a test runs: nothing here is asked or written to, unless the test says where. */
export const plainSurroundings: Surroundings = {
  version: '0.0.0',
  commit: '',
  production: false,
  publicUrl: 'http://127.0.0.1:1',
  dataDir: 'no-such-folder',
  smtpUrl: '',
  mailFrom: 'Punctual <book@example.com>',
  mailFolder: 'no-such-folder/mail',
  databaseUrl: '',
  databaseReadUrl: '',
  databasePooler: 'off',
  databasePoolSize: 10,
  sqliteFile: 'no-such-folder/punctual.sqlite',
  openStore: (options, url = '') => openDatabase(url, options),
  backupEvery: 0,
  backupKeep: 14,
  backupDir: 'no-such-folder/backups',
  oidc: { issuer: '', clientId: '', clientSecret: '', scopes: '' },
  requirePasskey: false,
}

/** What a context needs for signing in, where a test does not care. */
export const quietContext = {
  surroundings: plainSurroundings,
  jwtSecret: 'a-secret-that-only-the-tests-know-of',
  signup: 'first' as const,
  mailer: async () => {},
  inBackground: (task: () => Promise<void>) => void task(),
}

/** Lets everything be reached: the servers of the tests are on this machine. */
export const openGuard: Guard = {
  check: async (address) => new URL(address),
  read: (address) => new URL(address),
  lookup,
}

export interface AppUnderTest {
  readonly app: FastifyInstance
  readonly context: Context
  /** Mail that was sent, oldest first. */
  readonly mailbox: Mail[]
}

/** What a test may choose of the service under it. */
interface Given {
  now?: () => number
  captcha?: CaptchaSettings
  signup?: SignupMode
  webhooks?: WebhookSender
  webPush?: PushSender
  guard?: Guard
  providers?: Providers
  kinds?: Kinds
  singleSignOn?: SingleSignOn
  requirePasskey?: boolean
  sms?: SmsService
  calcomKey?: string
  payments?: PaymentProvider
  surroundings?: Surroundings
  publicUrl?: string
  replica?: Db
  /** Saves mail there, too, as without a mail server. */
  mailFolder?: string
}

/**
 * What `/readyz` answers.
 *
 * A database that takes more than two seconds is said to be unavailable. On a machine that stands still for so long, it is
 * asked again.
 */
export async function askReadiness(app: FastifyInstance) {
  for (let tries = 1; ; tries++) {
    const answer = await app.inject('/readyz')
    if (answer.json().status !== 'database unavailable' || tries === 30) return answer
  }
}

/** The services alone, for tests that send no requests: building the app takes longer than most of them. */
export function contextOn(db: Db, given: Given = {}): Omit<AppUnderTest, 'app'> {
  const mailbox: Mail[] = []
  const save = given.mailFolder && fileMailer(given.mailFolder, 'Punctual <book@example.com>', () => {})
  const context = createContext({
    db,
    publicUrl: given.publicUrl ?? 'https://book.example.com',
    // Solving one takes half a second otherwise.
    captcha: {
      altchaTries: [2, 9],
      ...(given.captcha ?? { altchaSecret: 'altcha-secret-of-the-tests', services: {} }),
    },
    jwtSecret: 'a-secret-that-only-the-tests-know-of',
    signup: given.signup ?? 'first',
    mailer: async (mail) => {
      mailbox.push(mail)
      if (save) await save(mail)
    },
    surroundings: given.surroundings ?? plainSurroundings,
    inBackground: (task) => void task(),
    guard: given.guard ?? openGuard,
    ...(given.now && { now: given.now }),
    ...(given.replica && { replica: given.replica }),
    ...(given.mailFolder && { mailFolder: given.mailFolder }),
    ...(given.webhooks && { webhooks: given.webhooks }),
    ...(given.webPush && { webPush: given.webPush }),
    ...(given.providers && { providers: given.providers }),
    ...(given.kinds && { kinds: given.kinds }),
    ...(given.singleSignOn && { singleSignOn: given.singleSignOn }),
    ...(given.requirePasskey && { requirePasskey: given.requirePasskey }),
    ...(given.sms && { sms: given.sms }),
    ...(given.calcomKey && { calcomKey: given.calcomKey }),
    ...(given.payments && { payments: given.payments }),
  })
  return { context, mailbox }
}

/** The real app over a real database. Requests come through a trusted proxy, so a test can be many clients. */
export async function appOn(
  db: Db,
  given: Given & {
    trustProxy?: false | string[] | number
    pagesFolder?: string
    homeUrl?: string
    logger?: AppOptions['logger']
  } = {},
): Promise<AppUnderTest> {
  const { context, mailbox } = contextOn(db, given)
  const app = await buildApp({
    context,
    rateLimits: (name, limit, windowSeconds) => createRateLimit(db, name, limit, windowSeconds),
    isUnavailable,
    trustProxy: given.trustProxy ?? ['127.0.0.1'],
    ...(given.logger && { logger: given.logger }),
    ...(given.pagesFolder && { pagesFolder: given.pagesFolder }),
    ...(given.homeUrl && { homeUrl: given.homeUrl }),
  })
  return { app, context, mailbox }
}

/** Changes something behind the service's back, as another instance would: with the revision of those concerned. */
export async function changeElsewhere(
  db: Db,
  schedulerId: string,
  work: (trx: Trx) => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await bumpRevisions(trx, [schedulerId])
    await work(trx)
  })
}

let clients = 0

/** A header that gives this request its own IP address, so that no rate limit applies. */
export function fromSomeoneNew(): { 'x-forwarded-for': string } {
  clients++
  return { 'x-forwarded-for': `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` }
}

/** A complete booking request for the slot that starts at `startsAt`. */
export function bookingOf(eventType: EventType, startsAt: number, given: Record<string, unknown> = {}) {
  return {
    startTime: new Date(startsAt).toISOString(),
    endTime: new Date(startsAt + eventType.durationMinutes * 60_000).toISOString(),
    inviteeName: 'Grace Guest',
    inviteeEmail: `guest-${newId()}@guests.example`,
    inviteeTimezone: 'Europe/Berlin',
    ...given,
  }
}
