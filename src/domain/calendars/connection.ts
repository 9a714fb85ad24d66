import type { Sentence } from '../sentence.ts'

/** A service at which hosts connect accounts, by its name in the registry of kinds. */
export type ProviderName = string

/** A host's account at a provider, with our access to it. */
export interface Connection {
  readonly id: string
  readonly userId: string
  readonly provider: ProviderName
  /** The provider's own id of the account, which stays when its address changes. */
  readonly subject: string
  /** The account's address, as the host knows it. */
  readonly account: string
  /** `reconnect`: the provider has ended our access, and only the host can give it again. */
  readonly status: 'ok' | 'reconnect'
  /** A sentence for the host; empty while all is well. */
  readonly lastError: Sentence
  readonly createdAt: number
}

export const MAX_CONNECTIONS = 20

/** An access token that ends sooner than this is replaced before it is used. */
export const RENEW_BEFORE = 60_000

/** How the host's way through a provider's pages ended. The dashboard has a sentence for each. */
const CONNECT_OUTCOMES = [
  'connected',
  'denied',
  'missing-scope',
  'expired',
  'refused',
  'unavailable',
  'too-many',
] as const

export type ConnectOutcome = (typeof CONNECT_OUTCOMES)[number]
