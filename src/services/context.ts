import type { Need } from '../domain/bookings/decisions/decision.ts'
import type { CaptchaProvider } from '../domain/event-types/event-type.ts'
import type { Channel } from '../domain/messages/message.ts'
import type { SignupMode } from '../domain/people/user.ts'
import type { AccountProvider, Provider } from '../outside/accounts/provider.ts'
import type { Tries } from '../outside/captcha/altcha.ts'
import type { CaptchaService } from '../outside/captcha/captcha.ts'
import type { Kinds } from '../outside/kinds/kind.ts'
import type { Mailer } from '../outside/mail/mail.ts'
import { createGuard, type Guard } from '../outside/network/guard.ts'
import type { PaymentProvider } from '../outside/payments/provider.ts'
import { stripeProvider } from '../outside/payments/stripe/stripe.ts'
import type { PushSender } from '../outside/push/push.ts'
import { KINDS } from '../outside/registry.ts'
import type { IdentityProvider } from '../outside/sign-on/oidc.ts'
import type { SmsSender } from '../outside/sms/sms.ts'
import { createWebhookSender, type WebhookSender } from '../outside/webhooks/webhook.ts'
import type { Db } from '../store/engine/database.ts'
import { Numbers } from '../store/numbers.ts'
import { FormCounts } from './form-counts.ts'
import { PublishedForms } from './published-forms.ts'
import { Slots } from './slots/slots.ts'
import { StorageWatch } from './storage-watch.ts'
import type { Surroundings } from './surroundings.ts'
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
  /** Notifies browsers of hosts; undefined: the operator has turned it off. */
  readonly webPush?: PushSender | undefined
  /** Sends text messages, if the operator has set that up. */
  readonly sms?: SmsService | undefined
  /** Where guests pay. */
  readonly payments: PaymentProvider
  /** With which Cal.com encrypted passwords of calendars that may come along; empty: not known. */
  readonly calcomKey: string
  /** The providers that the operator has set up, by their kinds' names. */
  readonly providers: Providers
  /** Every kind of calendars and meeting links, whether it is set up or not. */
  readonly kinds: Kinds
  /** Where people sign in besides, or instead of, by an emailed link. */
  readonly singleSignOn?: SingleSignOn | undefined
  /** Whether those who sign in by an emailed link must have a passkey. */
  readonly requirePasskey: boolean
  readonly surroundings: Surroundings
  /** Does something after the answer; what goes wrong there is the operator's to hear of. */
  readonly inBackground: (task: () => Promise<void>) => void
  /** Rung when a job has been queued for the worker. */
  readonly outbox: WakeSignal
  /** How calendars answered when they were asked at booking, for each host that was asked. */
  readonly liveChecks: LiveCheckCounts
  /** How often a decision about bookings was made again, by what it needed first. */
  readonly decidedAgain: DecidedAgainCounts
  /** What became of hosts' own messages, by their channel. */
  readonly messagesSent: MessageCounts
  readonly publishedForms: PublishedForms
  /** How often forms were opened and left, until that is saved. */
  readonly formCounts: FormCounts
  /** Answers what can be booked; every change to settings and bookings must be reported to it. */
  readonly slots: Slots
  /** Whole numbers for programs that want such; they never change. */
  readonly numbers: Numbers
  /** Knows whether the disk is full; errors that may say so must be reported to it. */
  readonly storage: StorageWatch
}

/** Who sends text messages, where they may go, and how many. */
export interface SmsService {
  readonly sender: SmsSender
  /** Calling codes, such as `+49`. */
  readonly countries: readonly string[]
  /** The most a day. */
  readonly dailyLimit: number
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
type LiveCheckCounts = Record<'free' | 'busy' | 'unknown', number>

/** `answer`: another instance has answered the same request meanwhile. */
type DecidedAgainCounts = Record<Need['what'] | 'answer', number>

type MessageCounts = Readonly<Record<Channel, Record<'sent' | 'skipped' | 'failed', number>>>

export type Providers = Readonly<Partial<Record<string, Provider | AccountProvider>>>

export interface CaptchaSettings {
  /** Signs ALTCHA challenges; all instances share it. */
  readonly altchaSecret: string
  /** How much work they are, if not as much as usual. */
  readonly altchaTries?: Tries
  readonly services: Readonly<Partial<Record<CaptchaProvider, CaptchaService>>>
}

export function createContext(
  given: Pick<
    Context,
    'db' | 'publicUrl' | 'captcha' | 'jwtSecret' | 'signup' | 'mailer' | 'surroundings' | 'inBackground'
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
    readonly webPush?: PushSender | undefined
    /** Without any, hosts can connect only calendars at an address. */
    readonly providers?: Providers
    /** Those of the registry, unless given. */
    readonly kinds?: Kinds
    readonly singleSignOn?: SingleSignOn | undefined
    readonly requirePasskey?: boolean
    /** Without it, no text message is sent. */
    readonly sms?: SmsService | undefined
    /** Stripe, unless given. */
    readonly payments?: PaymentProvider
    /** Without it, passwords of calendars don't come along from Cal.com. */
    readonly calcomKey?: string
  },
): Context {
  const now = given.now ?? Date.now
  const { kinds = KINDS } = given
  return {
    guard: given.guard ?? createGuard({ allowPrivate: false }),
    webhooks: given.webhooks ?? createWebhookSender({ allowPrivate: false }),
    providers: {},
    requirePasskey: false,
    payments: stripeProvider({ apiUrl: 'https://api.stripe.com' }),
    calcomKey: '',
    ...given,
    kinds,
    now,
    outbox: new WakeSignal(),
    publishedForms: new PublishedForms(given.db),
    formCounts: new FormCounts(),
    liveChecks: { free: 0, busy: 0, unknown: 0 },
    messagesSent: {
      email: { sent: 0, skipped: 0, failed: 0 },
      sms: { sent: 0, skipped: 0, failed: 0 },
    },
    decidedAgain: { settings: 0, calendars: 0, exemption: 0, answer: 0 },
    slots: new Slots({ db: given.db, replica: given.replica, now, liveKinds: kinds.names.live }),
    numbers: new Numbers(given.db),
    storage: new StorageWatch(given.db),
  }
}
