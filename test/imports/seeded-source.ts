import type { Sourced } from '../../src/domain/imports/source.ts'
import { SEEDED_NOW, startSeed } from './seed.ts'
import { seedCredentials, seedWatchlist, seedWebhooks, seedWorkflows } from './seeded-automations.ts'
import { seedBookings, seedBrokenBookings } from './seeded-bookings.ts'
import { seedAttributes, seedEventTypes } from './seeded-event-types.ts'
import { seedForms } from './seeded-forms.ts'
import { seedPeople } from './seeded-people.ts'

export { asDump, intoDatabase } from './dumps.ts'
export { SEEDED_ENCRYPTION_KEY, SEEDED_NOW } from './seed.ts'

export interface SeededOptions {
  /** Besides a few broken ones. */
  readonly bookings?: number
  /** Half of the bookings are before it. */
  readonly now?: number
}

/**
 * The rows of an organization with something of everything: 40 people, 3 teams, every kind of event type, forms, webhooks,
 * workflows, bookings of all kinds, and a few broken rows. The same ones every time.
 */
export function seededSource({ bookings = 1000, now = SEEDED_NOW }: SeededOptions = {}): Sourced[] {
  const seed = startSeed(now)
  seedPeople(seed)
  seedEventTypes(seed)
  seedAttributes(seed)
  seedForms(seed)
  seedWebhooks(seed)
  seedWorkflows(seed)
  seedWatchlist(seed)
  seedCredentials(seed)
  seedBookings(seed, bookings)
  seedBrokenBookings(seed)
  return seed.rows
}
