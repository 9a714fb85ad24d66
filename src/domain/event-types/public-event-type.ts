import { type PublicPrice, publicPrice } from '../payments/price.ts'
import { EVENT_TYPE_FIELDS, type EventType } from './event-type.ts'
import type { ShownOf } from './field.ts'
import { hostCalls, type Location, type OfferedLocation, publicValue } from './location.ts'

/** What guests see of a location before they book. */
export interface PublicLocation extends Pick<Location, 'type'> {
  /** The address of a meeting in person. Numbers and links are told after booking. */
  readonly value: string
  /** The host calls: guests give their number. */
  readonly requiresPhone: boolean
}

type PublicName = 'id' | 'slug' | 'name' | ShownOf<typeof EVENT_TYPE_FIELDS>

/** What guests see of an event type before they book, on the profile and in widgets, guides and pages. */
export interface PublicEventType
  extends Omit<Pick<EventType, PublicName>, 'location' | 'locations' | 'price'> {
  readonly location: PublicLocation
  readonly locations: readonly (PublicLocation & Pick<OfferedLocation, 'id' | 'label'>)[]
  /** Null: free. */
  readonly price: PublicPrice | null
}

const SHOWN = Object.entries(EVENT_TYPE_FIELDS).flatMap(([name, field]) => (field.shown ? [name] : []))

const PUBLIC_NAMES = ['id', 'slug', 'name', ...SHOWN] as readonly PublicName[]

export function publicEventType(eventType: EventType): PublicEventType {
  const shown = Object.fromEntries(PUBLIC_NAMES.map((name) => [name, eventType[name]]))
  return {
    ...(shown as Pick<EventType, PublicName>),
    location: publicLocation(eventType.location),
    locations: eventType.locations.map((offered) => ({
      id: offered.id,
      label: offered.label,
      ...publicLocation(offered),
    })),
    price: eventType.price && publicPrice(eventType.price),
  }
}

const publicLocation = (location: Location): PublicLocation => ({
  type: location.type,
  value: publicValue(location),
  requiresPhone: hostCalls(location),
})
