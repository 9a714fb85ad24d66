import type { ReactNode } from 'react'
import { writeDuration } from '../../../src/format/duration.ts'
import { writeNames } from '../../../src/format/names.ts'
import type { BookingData, EventTypeData } from '../../../src/http/pages/page-data.ts'
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
import { useSpeech } from '../texts.tsx'

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
  const { type, place: where, guestCalls } = eventType.location
  const place = LOCATIONS[type]
  const said = type === 'Phone' ? tell(guestCalls ? 'youCall' : 'theyCall') : where || tell(place.text)
  return (
    <ul className="facts">
      <Fact icon={<ClockIcon />}>{writeDuration(locale.tag, eventType.durationMinutes)}</Fact>
      <Fact icon={<place.icon />}>{said}</Fact>
      {eventType.requiresApproval && <Fact icon={<ShieldIcon />}>{tell('needsApproval')}</Fact>}
      {eventType.seats > 1 && <Fact icon={<SeatsIcon />}>{tell('seats', { count: eventType.seats })}</Fact>}
      {members !== undefined && members.names.length > 0 && (
        <Fact icon={<PersonIcon />}>{writeNames(locale.tag, members.names, members.all)}</Fact>
      )}
    </ul>
  )
}

export function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li>
      <span className="icon">{icon}</span>
      <span>{children}</span>
    </li>
  )
}
