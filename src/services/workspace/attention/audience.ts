import { type Sentence, sentence } from '../../../domain/sentence.ts'
import type { Owners } from '../../../store/workspace/attention.ts'

export const ATTENTION_KINDS = [
  'calendar-failing',
  'connection-lost',
  'video-without-link',
  'captcha-without-keys',
  'webhook-failing',
  'mail-failing',
  'sms-refused',
  'payment-differs',
  'refund-failed',
  'payment-disputed',
  'invitation-unanswered',
  'nothing-bookable',
  'backup-overdue',
  'newer-schema',
] as const

export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export const ATTENTION_SCOPES = ['me', 'team', 'instance'] as const

export type AttentionScope = (typeof ATTENTION_SCOPES)[number]

/** Something that does not work until someone mends it. */
export interface AttentionItem {
  readonly kind: AttentionKind
  readonly scope: AttentionScope
  /** Names the thing. */
  readonly sentence: Sentence
  /** The page of the dashboard where it is mended. */
  readonly url: string
  /** Null where nothing tells it. */
  readonly since: number | null
}

/** Whose things are looked through: a user hears of what they can mend, and the metrics of everything. */
export interface Audience {
  /** Whose calendars and accounts. */
  readonly users: Owners
  /** Whose event types, forms, webhooks and invitations. */
  readonly owners: Owners
  /** Whether it hears of the instance. */
  readonly admin: boolean
}

/** Whether something of this owner is among what this audience can mend. */
export const isFor = (owners: Owners, id: string): boolean => owners === 'everyone' || owners.includes(id)

export const scopeOf = ({ users }: Audience, ownerId: string): AttentionScope =>
  isFor(users, ownerId) ? 'me' : 'team'

/** A sentence, and why. */
export const withReason = (says: Sentence, reason: Sentence): Sentence =>
  reason.pattern === '' ? says : sentence`${says} ${reason}`
