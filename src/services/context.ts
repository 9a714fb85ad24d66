import type { CaptchaProvider } from '../domain/event-types/event-type.ts'
import type { SignupMode } from '../domain/people/user.ts'
import type { CaptchaService } from '../outside/captcha.ts'
import { createGuard, type Guard } from '../outside/guard.ts'
import type { Mailer } from '../outside/mail.ts'
import { createWebhookSender, type WebhookSender } from '../outside/webhook.ts'
import type { Db } from '../store/engine/database.ts'
import { KeyedTurns } from './bookings/keyed-turns.ts'
import { type BusyTimeCache, createBusyTimeCache } from './calendars/busy-times.ts'
import { Changes } from './slots/changes.ts'
import { createListingCache, type ListingCache } from './slots/list.ts'
import { createOfferCache, type OfferCache } from './slots/offers.ts'
import { createTakenTimeCache, type TakenTimeCache } from './slots/taken-time.ts'
import { WakeSignal } from './wake-signal.ts'

/** What the services stand on. Made once, in `main.ts` or a test, and passed as the first argument. */
export interface Context {
  readonly db: Db
  readonly now: () => number
  /** Where guests reach this service: links are built from it, never from a request. */
  readonly publicUrl: string
  readonly captcha: CaptchaSettings
  /** Keys for everything that is signed are derived from it. */
  readonly jwtSecret: string
  readonly signup: SignupMode
  readonly mailer: Mailer
  /** Decides which servers of others may be asked. */
  readonly guard: Guard
  readonly webhooks: WebhookSender
  /** Does something after the answer; what goes wrong there is the operator's to hear of. */
  readonly inBackground: (task: () => Promise<void>) => void
  /** Changes to what is offered, by scheduler. */
  readonly changes: Changes
  /** Changes to what is booked, by host, or by a stretch of a host's time. */
  readonly bookings: Changes
  /** Rung when something has been written down for the worker. */
  readonly outbox: WakeSignal
  readonly turns: KeyedTurns
  readonly offers: OfferCache
  readonly taken: TakenTimeCache
  readonly listings: ListingCache
  readonly busyTimes: BusyTimeCache
}

export interface CaptchaSettings {
  /** Signs ALTCHA challenges; all instances share it. */
  readonly altchaSecret: string
  readonly services: Readonly<Partial<Record<CaptchaProvider, CaptchaService>>>
}

export function createContext(
  given: Pick<
    Context,
    'db' | 'publicUrl' | 'captcha' | 'jwtSecret' | 'signup' | 'mailer' | 'inBackground'
  > & {
    readonly now?: () => number
    /** Without one, calendars are read from public addresses alone. */
    readonly guard?: Guard
    /** Without one, webhooks are sent to public addresses alone. */
    readonly webhooks?: WebhookSender
  },
): Context {
  return {
    now: Date.now,
    guard: given.guard ?? createGuard({ allowPrivate: false }),
    webhooks: given.webhooks ?? createWebhookSender({ allowPrivate: false }),
    ...given,
    changes: new Changes(),
    bookings: new Changes(),
    outbox: new WakeSignal(),
    turns: new KeyedTurns(),
    offers: createOfferCache(),
    taken: createTakenTimeCache(),
    listings: createListingCache(),
    busyTimes: createBusyTimeCache(),
  }
}
