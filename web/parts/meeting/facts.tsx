import type { ReactNode } from 'react'
import { writeDuration } from '../../../src/format/duration.ts'
import { writeNames } from '../../../src/format/names.ts'
import type { BookingData, EventTypeData, LocationData } from '../../../src/http/pages/page-data.ts'
import {
  CameraIcon,
  ClockIcon,
  LinkIcon,
  PersonIcon,
  PhoneIcon,
  PinIcon,
  SeatsIcon,
  ShieldIcon,
} from '../icons.tsx'
import { type Tell, useSpeech } from '../texts.tsx'

export const LOCATIONS = {
  InPerson: { icon: PinIcon, text: 'inPerson' },
  Phone: { icon: PhoneIcon, text: 'phone' },
  Video: { icon: CameraIcon, text: 'video' },
  Link: { icon: LinkIcon, text: 'link' },
} as const

interface FactsProps {
  readonly eventType: EventTypeData
  readonly members?: BookingData['members']
}

/** Duration, location and the like of an event type. */
export function Facts({ eventType, members }: FactsProps) {
  const { locale, tell } = useSpeech()
  const { location, locations } = eventType
  const places = locations.length > 0 ? locations : [{ id: '', label: '', ...location }]
  return (
    <ul className="facts">
      <Fact icon={<ClockIcon />}>{writeDuration(locale.tag, eventType.durationMinutes)}</Fact>
      {places.map(({ id, label, ...place }) => {
        const { icon: Icon } = LOCATIONS[place.type]
        return (
          <Fact key={id} icon={<Icon />}>
            {label || describeLocation(tell, place)}
          </Fact>
        )
      })}
      {eventType.requiresApproval && <Fact icon={<ShieldIcon />}>{tell('needsApproval')}</Fact>}
      {eventType.seats > 1 && <Fact icon={<SeatsIcon />}>{tell('seats', { count: eventType.seats })}</Fact>}
      {members !== undefined && members.names.length > 0 && (
        <Fact icon={<PersonIcon />}>{writeNames(locale.tag, members.names, members.all)}</Fact>
      )}
    </ul>
  )
}

/** A location in the guest's language: its place, or what kind it is and who calls whom. */
export function describeLocation(tell: Tell, { type, place, guestCalls }: LocationData): string {
  if (type === 'Phone') return tell(guestCalls ? 'youCall' : 'theyCall')
  return place || tell(LOCATIONS[type].text)
}

export function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li>
      <span className="icon">{icon}</span>
      <span>{children}</span>
    </li>
  )
}
