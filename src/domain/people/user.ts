import type { Scheduler } from './scheduler.ts'

export const TIME_FORMATS = ['auto', '12h', '24h'] as const

export type TimeFormat = (typeof TIME_FORMATS)[number]
export const WEEK_STARTS = ['auto', 'monday', 'saturday', 'sunday'] as const

/** How a user reads times and weeks; `auto` follows their browser. Guests keep what their own locale does. */
export interface Preferences {
  readonly timeFormat: TimeFormat
  readonly weekStart: (typeof WEEK_STARTS)[number]
}

/** A person who can sign in, has a page and can host meetings. */
export interface User extends Scheduler, Preferences {
  readonly kind: 'user'
  readonly email: string
  /** May invite others to this instance. The first user to sign up is an admin. */
  readonly admin: boolean
  readonly disabledAt: number | null
  /** When the deletion of the account began: from then on they are gone, though a job still needs their data. */
  readonly closedAt: number | null
  /** Whether a browser of theirs takes notifications; left out: no. */
  readonly hasPush?: true
}

/** Whether the account is deleted, or is being deleted. */
export const isGone = ({ email, closedAt }: User) => email === '' || closedAt !== null

export const ROLES = ['owner', 'admin', 'member'] as const

/** What someone may do in a team: members host, admins manage, owners also appoint and delete. */
export type Role = (typeof ROLES)[number]

/** True when `role` includes everything that `needed` may do. */
export function reaches(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) <= ROLES.indexOf(needed)
}

/** Bookings of a user or team: all of them, or those of one host. */
export interface VisibleBookings {
  readonly schedulerId: string
  readonly hostId?: string
}

const SIGNUP_MODES = ['first', 'open', 'closed'] as const

/** Who may sign up without an invitation: the first user only, everyone, or no one. */
export type SignupMode = (typeof SIGNUP_MODES)[number]

export const SCOPES = ['read', 'write'] as const

/** What an API token may do; `write` includes `read`. */
export type Scope = (typeof SCOPES)[number]
