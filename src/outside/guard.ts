import type { LookupFunction } from 'node:net'

/** Decides which servers may be asked when somebody else has chosen the address. */
export interface Guard {
  /** For when an address is saved. Throws an error whose message is a sentence for whoever chose it. */
  readonly check: (address: string) => Promise<URL>
  /** The same without asking a name server: for when a connection is made. */
  readonly read: (address: string) => URL
  /** What a socket asks for the address of a name; refuses those that must not be reached. */
  readonly lookup: LookupFunction
}

const refusal = () => new Error('Other servers cannot be reached from here.')

/** Lets nobody out. */
export const closedGuard: Guard = {
  check: async () => {
    throw refusal()
  },
  read: () => {
    throw refusal()
  },
  lookup: (_hostname, _options, callback) => callback(refusal(), ''),
}
