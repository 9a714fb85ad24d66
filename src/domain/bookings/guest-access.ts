import type { RoutedResponse } from '../forms/route.ts'
import type { PrivateLink } from './private-link.ts'

/** What a guest came with: a private link, answers to a routing form, both or nothing. */
export interface GuestAccess {
  readonly link?: PrivateLink | undefined
  readonly routed?: RoutedResponse | undefined
}

/** The tokens in the address that a guest came with. */
export interface AccessTokens {
  /** Of a private link. */
  readonly link?: string
  /** Of the answers to a routing form. */
  readonly routing?: string
}

/** The tokens as a query, without a question mark; empty without any. */
export const queryOf = (tokens: AccessTokens): string =>
  Object.entries(tokens)
    .map(([name, token]) => `${name}=${encodeURIComponent(token)}`)
    .join('&')

/** Whether the guest came with anything. It opens event types that are link-only. */
export const isInvited = ({ link, routed }: GuestAccess): boolean =>
  link !== undefined || routed !== undefined
