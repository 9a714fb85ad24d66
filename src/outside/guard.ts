import type { LookupFunction } from 'node:net'
import { checkAddress, guardedLookup, type Reach, readAddress } from './reachable-address.ts'

/** Decides which servers may be asked when somebody else has chosen the address. */
export interface Guard {
  /** For when an address is saved. Throws an error whose message is a sentence for whoever chose it. */
  readonly check: (address: string) => Promise<URL>
  /** The same without asking a name server: for when a connection is made. */
  readonly read: (address: string) => URL
  /** What a socket asks for the address of a name; refuses those that must not be reached. */
  readonly lookup: LookupFunction
}

export const createGuard = (reach: Reach): Guard => ({
  check: (address) => checkAddress(address, reach),
  read: (address) => readAddress(address, reach),
  lookup: guardedLookup(reach),
})
