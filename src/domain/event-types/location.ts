import { isWebAddress } from '../people/contact.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { isLine } from '../text.ts'

export const LOCATION_TYPES = ['InPerson', 'Phone', 'Video', 'Link'] as const

/** A service that makes a meeting link for each booking, by its name in the registry of kinds. */
export type LinkProvider = string

export interface Location {
  readonly type: (typeof LOCATION_TYPES)[number]
  readonly value: string
  /** Makes the link of each booking, which is then its `value`; empty or left out: the host gives the value. */
  readonly provider?: LinkProvider
}

/** A location that guests can choose. */
export interface OfferedLocation extends Required<Location> {
  readonly id: string
  /** The host's own name for it; empty: pages name its type. */
  readonly label: string
}

/** Where the meetings of an event type take place. */
export interface Locations {
  readonly location: Location
  /** What guests choose from; `location` is the first. Empty: only `location`. */
  readonly locations: readonly OfferedLocation[]
}

/** A location as it is stored. Those without a provider have no such field. */
export function locationOf(type: string, value: string, provider: string): Location {
  const location = { type: type as Location['type'], value }
  return provider === '' ? location : { ...location, provider }
}

/** Whether the host calls the guest, and so needs their number. */
export const hostCalls = ({ type, value }: Location): boolean => type === 'Phone' && value === ''

/** Whether a video call has no link: its host gave none, and nobody makes one. It may follow by email. */
export const lacksLink = ({ type, value, provider = '' }: Location): boolean =>
  type === 'Video' && value === '' && provider === ''

/** The fields in which the links of video calls are missing. */
export function missingLinksOf({ location, locations }: Places): readonly string[] {
  if (locations.length === 0) return lacksLink(location) ? ['location.value'] : []
  return locations.flatMap((offered, index) => (lacksLink(offered) ? [`locations.${index}.value`] : []))
}

interface Places {
  readonly location: Location
  readonly locations: readonly Location[]
}

/** Whether it is a guest's own number, at which the host calls. */
export const isCalledAt = ({ type, value }: Location, phone: string): boolean =>
  type === 'Phone' && value !== '' && value === phone

/** What guests see of a location before they book: an address, but no number and no link. */
export const publicValue = ({ type, value }: Location): string => (type === 'InPerson' ? value : '')

/** The location that a guest has chosen, or the first; throws `invalid` if it is not offered or lacks their number. */
export function chooseLocation(
  { location, locations }: Locations,
  locationId: string | undefined,
  phone: string,
): Location {
  if (locationId === undefined && locations.length === 0) return location
  const chosen = locationId === undefined ? locations[0] : locations.find(({ id }) => id === locationId)
  if (chosen === undefined) {
    const ids = locations.map(({ id }) => id)
    throw invalidField(
      'locationId',
      ids.length === 0
        ? sentence`{field} must be left out: this event type has one location.`
        : sentence`{field} must be one of ${ids}.`,
    )
  }
  if (!hostCalls(chosen)) return locationOf(chosen.type, chosen.value, chosen.provider)
  if (phone === '')
    throw invalidField('inviteePhone', sentence`{field} is required, because the host calls you.`)
  return { type: 'Phone', value: phone }
}

/** New locations, as the host gives them. */
export interface GivenLocations {
  readonly location?: Location
  readonly locations?: readonly (Location & Pick<OfferedLocation, 'id'> & Partial<OfferedLocation>)[]
}

/** The locations after a change: `location` is always the first of those to choose from. */
export function withLocations(before: Locations, given: GivenLocations): Locations {
  const locations = (given.locations ?? before.locations).map(
    ({ id, type, value, provider = '', label = '' }) => ({ id, type, value, provider, label }),
  )
  const [first, ...others] = locations
  if (first === undefined) return { location: given.location ?? before.location, locations }
  // Who knows of one location only changes the first.
  const isOnlyOne = given.locations === undefined && given.location !== undefined
  const changed = isOnlyOne ? { ...first, provider: '' as const, ...given.location } : first
  return {
    location: locationOf(changed.type, changed.value, changed.provider),
    locations: [changed, ...others],
  }
}

const ID = /^[A-Za-z0-9_-]{1,64}$/
const MAX_LOCATIONS = 10
/** A video call may be described in words, but not by what a browser would run. */
const SCRIPT = /^\s*(?:javascript|data|vbscript):/i

/** Throws `invalid` with the reason if a location cannot be offered. */
export function checkLocations({ location, locations }: Locations, seats: number): void {
  checkLocation(location, 'location')
  if (locations.length > MAX_LOCATIONS) {
    refuse('locations', sentence`Guests can choose from at most ${MAX_LOCATIONS} locations.`)
  }
  if (locations.length > 1 && seats > 1) {
    refuse('locations', sentence`Guests who share a slot meet in one place. Use 1 seat, or one location.`)
  }
  for (const [index, offered] of locations.entries()) {
    const field = `locations.${index}`
    if (!ID.test(offered.id)) {
      throw invalidField(
        `${field}.id`,
        sentence`{field} must be 1 to 64 letters, digits, hyphens or underscores.`,
      )
    }
    if (locations.findIndex(({ id }) => id === offered.id) < index) {
      refuse(`${field}.id`, sentence`Two locations have the same id.`)
    }
    if (!isLine(offered.label))
      throw invalidField(`${field}.label`, sentence`{field} must be one line of text.`)
    checkLocation(offered, field)
  }
}

/** Throws `invalid` with the reason if no meeting can be there. */
export function checkLocation({ type, value, provider = '' }: Location, field: string): void {
  if (!isLine(value)) throw invalidField(`${field}.value`, sentence`{field} must be one line of text.`)
  if ((type === 'Link' && !isWebAddress(value)) || (type === 'Video' && SCRIPT.test(value))) {
    throw invalidField(
      `${field}.value`,
      sentence`{field} must be a web address that begins with https:// or http://.`,
    )
  }
  if (provider === '') return
  if (type !== 'Video')
    refuse(`${field}.provider`, sentence`Only video calls get a meeting link of their own.`)
  if (value !== '') refuse(`${field}.value`, sentence`Leave this empty: every booking gets its own link.`)
}

function refuse(field: string, reason: Sentence): never {
  throw new Problem('invalid', reason, { field })
}
