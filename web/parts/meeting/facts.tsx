import { Fragment, type ReactNode } from 'react'
import { offeredDurations } from '../../../src/domain/event-types/durations.ts'
import type { PublicLocation } from '../../../src/domain/event-types/public-event-type.ts'
import { formatPrices } from '../../../src/domain/payments/price.ts'
import { writeDurations } from '../../../src/format/duration.ts'
import { writeNames } from '../../../src/format/names.ts'
import type { BookingData, EventTypeFacts, FactName } from '../../../src/http/pages/page-data.ts'
import {
  CameraIcon,
  ClockIcon,
  LinkIcon,
  PersonIcon,
  PhoneIcon,
  PinIcon,
  PriceIcon,
  SeatsIcon,
  ShieldIcon,
} from '../icons.tsx'
import { type Speech, type Tell, useSpeech } from '../texts.tsx'

export const LOCATIONS = {
  InPerson: { icon: PinIcon, text: 'inPerson' },
  Phone: { icon: PhoneIcon, text: 'phone' },
  Video: { icon: CameraIcon, text: 'video' },
  Link: { icon: LinkIcon, text: 'link' },
} as const

interface FactsProps {
  readonly eventType: EventTypeFacts
  readonly members?: BookingData['members']
}

/** In this order; the first paint has the same. */
const FACTS: Readonly<Record<FactName, (eventType: EventTypeFacts, speech: Speech) => ReactNode>> = {
  durationMinutes: (eventType, { locale }) => (
    <Fact icon={<ClockIcon />}>{writeDurations(locale.tag, offeredDurations(eventType))}</Fact>
  ),
  location: ({ location, locations }, { tell }) =>
    (locations.length > 0 ? locations : [{ id: '', label: '', ...location }]).map(
      ({ id, label, ...place }) => {
        const { icon: Icon } = LOCATIONS[place.type]
        return (
          <Fact key={id} icon={<Icon />}>
            {label || describeLocation(tell, place)}
          </Fact>
        )
      },
    ),
  requiresApproval: ({ requiresApproval }, { tell }) =>
    requiresApproval && <Fact icon={<ShieldIcon />}>{tell('needsApproval')}</Fact>,
  seats: ({ seats }, { tell }) =>
    seats > 1 && <Fact icon={<SeatsIcon />}>{tell('seats', { count: seats })}</Fact>,
  price: (eventType, { locale }) =>
    eventType.price && (
      <Fact icon={<PriceIcon />}>
        {formatPrices(eventType.price, offeredDurations(eventType), locale.tag)}
      </Fact>
    ),
}

/** Duration, location and the like of an event type. */
export function Facts({ eventType, members }: FactsProps) {
  const speech = useSpeech()
  return (
    <ul className="facts">
      {Object.entries(FACTS).map(([name, show]) => (
        <Fragment key={name}>{show(eventType, speech)}</Fragment>
      ))}
      {members !== undefined && members.names.length > 0 && (
        <Fact icon={<PersonIcon />}>{writeNames(speech.locale.tag, members.names, members.all)}</Fact>
      )}
    </ul>
  )
}

/** A location in the guest's language: its address, or what kind it is and who calls whom. */
export function describeLocation(tell: Tell, { type, value, requiresPhone }: PublicLocation): string {
  if (type === 'Phone') return tell(requiresPhone ? 'theyCall' : 'youCall')
  return value || tell(LOCATIONS[type].text)
}

function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li>
      <span className="icon">{icon}</span>
      <span>{children}</span>
    </li>
  )
}
