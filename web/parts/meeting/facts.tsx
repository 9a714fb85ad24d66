import type { ReactNode } from 'react'
import { writeDuration } from '../../../src/format/duration.ts'
import type { EventTypeData } from '../../../src/http/pages/page-data.ts'
import { CameraIcon, ClockIcon, LinkIcon, PhoneIcon, PinIcon, SeatsIcon, ShieldIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'

export const LOCATIONS = {
  InPerson: { icon: PinIcon, text: 'inPerson' },
  Phone: { icon: PhoneIcon, text: 'phone' },
  Video: { icon: CameraIcon, text: 'video' },
  Link: { icon: LinkIcon, text: 'link' },
} as const

/** Duration, location and the like of an event type. */
export function Facts({ eventType }: { readonly eventType: EventTypeData }) {
  const { locale, tell } = useSpeech()
  const place = LOCATIONS[eventType.location.type]
  return (
    <ul className="facts">
      <Fact icon={<ClockIcon />}>{writeDuration(locale.tag, eventType.durationMinutes)}</Fact>
      <Fact icon={<place.icon />}>{tell(place.text)}</Fact>
      {eventType.requiresApproval && <Fact icon={<ShieldIcon />}>{tell('needsApproval')}</Fact>}
      {eventType.seats > 1 && <Fact icon={<SeatsIcon />}>{tell('seats', { count: eventType.seats })}</Fact>}
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
