import type { ProviderName } from '../domain/calendars/connection.ts'
import type { CaptchaProvider } from '../domain/event-types/event-type.ts'
import type { SignupMode } from '../domain/people/user.ts'
import type { CaptchaService } from '../outside/captcha.ts'
import { createGuard, type Guard } from '../outside/guard.ts'
import type { Mailer } from '../outside/mail.ts'
import type { IdentityProvider } from '../outside/oidc.ts'
import type { Provider } from '../outside/provider.ts'
import { createWebhookSender, type WebhookSender } from '../outside/webhook.ts'
import type { Db } from '../store/engine/database.ts'
import { FormCounts } from './form-counts.ts'
import { ParsedForms } from './parsed-forms.ts'
import { Slots } from './slots/slots.ts'
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
  /** The one before: what it sealed can still be read, and guests' links that it signed still work. */
  readonly previousJwtSecret?: string
  readonly signup: SignupMode
  readonly mailer: Mailer
  /** Where emails are, or were, saved that are not sent. */
  readonly mailFolder?: string
  /** Decides which servers of others may be asked. */
  readonly guard: Guard
  readonly webhooks: WebhookSender
  /** Where hosts can connect accounts: the providers at which the operator has registered a client. */
  readonly providers: Providers
  /** Where Jitsi meetings are held; empty: nowhere. */
  readonly jitsiUrl: string
  /** Where people sign in besides, or instead of, by an emailed link. */
  readonly singleSignOn?: SingleSignOn | undefined
  /** Whether those who sign in by an emailed link must have a passkey. */
  readonly requirePasskey: boolean
  /** Does something after the answer; what goes wrong there is the operator's to hear of. */
  readonly inBackground: (task: () => Promise<void>) => void
  /** Rung when a job has been queued for the worker. */
  readonly outbox: WakeSignal
  /** How calendars answered when they were asked at booking, for each host that was asked. */
  readonly liveChecks: LiveCheckCounts
  readonly parsedForms: ParsedForms
  /** How often forms were opened and left, until that is saved. */
  readonly formCounts: FormCounts
  /** Answers what can be booked; every change to settings and bookings must be reported to it. */
  readonly slots: Slots
}

export interface SingleSignOn {
  readonly provider: IdentityProvider
  /** What the sign-in page calls it. */
  readonly name: string
  /** Nobody signs in by an emailed link. */
  readonly only: boolean
  /** Whose members are admins of this instance; empty: groups do not matter. */
  readonly adminGroup: string
}

/** `unknown`: a calendar did not answer in time. */
export type LiveCheckCounts = Record<'free' | 'busy' | 'unknown', number>

export type Providers = Readonly<Partial<Record<ProviderName, Provider>>>

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
    readonly previousJwtSecret?: string
    readonly mailFolder?: string
    /** Without one, calendars are read from public addresses alone. */
    readonly guard?: Guard
    /** A standby from which listings may be read. */
    readonly replica?: Db | undefined
    /** Without one, webhooks are sent to public addresses alone. */
    readonly webhooks?: WebhookSender
    /** Without any, hosts can connect feeds and CalDAV alone. */
    readonly providers?: Providers
    readonly jitsiUrl?: string
    readonly singleSignOn?: SingleSignOn | undefined
    readonly requirePasskey?: boolean
  },
): Context {
  const now = given.now ?? Date.now
  return {
    guard: given.guard ?? createGuard({ allowPrivate: false }),
    webhooks: given.webhooks ?? createWebhookSender({ allowPrivate: false }),
    providers: {},
    jitsiUrl: '',
    requirePasskey: false,
    ...given,
    now,
    outbox: new WakeSignal(),
    parsedForms: new ParsedForms(),
    formCounts: new FormCounts(),
    liveChecks: { free: 0, busy: 0, unknown: 0 },
    slots: new Slots({ db: given.db, replica: given.replica, now }),
  }
}
