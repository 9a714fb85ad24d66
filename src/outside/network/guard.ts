import type { LookupFunction } from 'node:net'
import { checkAddress, guardedLookup, type Reach, readAddress } from './reachable-address.ts'

/** Decides which servers may be contacted at URLs that users have entered. */
export interface Guard {
  /** Checks a URL when it is saved. Throws an error with a message for the user who entered it. */
  readonly check: (address: string) => Promise<URL>
  /** The same without a DNS query, for when a connection is made. */
  readonly read: (address: string) => URL
  /** The sockets' DNS lookup; refuses addresses that must not be reached. */
  readonly lookup: LookupFunction
}

export const createGuard = (reach: Reach): Guard => ({
  check: (address) => checkAddress(address, reach),
  read: (address) => readAddress(address, reach),
  lookup: guardedLookup(reach),
})
