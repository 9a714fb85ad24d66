import type { ReactNode } from 'react'
import type { PublicLocation } from '../../../src/domain/event-types/public-event-type.ts'
import { isWebAddress } from '../../../src/domain/people/contact.ts'
import { CalendarIcon, ClockIcon, PersonIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'
import { useWhen } from '../time/when.tsx'
import { LOCATIONS } from './facts.tsx'

interface Props {
  /** Left out where the page already shows it. */
  readonly name?: string
  readonly hostName: string
  readonly startTime: string
  readonly endTime: string
  readonly zone: string
  readonly location: Pick<PublicLocation, 'type' | 'value'>
  /** Where the host calls, this is also the location. */
  readonly guestPhone: string
  /** Whether the meeting takes place, so that a missing link is still to come. */
  readonly isOn: boolean
}

/** Event, time, location and host. */
export function MeetingFacts(props: Props) {
  const { name, hostName, startTime, endTime, zone, location, guestPhone, isOn } = props
  const { tell } = useSpeech()
  const { day, hours } = useWhen()(Date.parse(startTime), Date.parse(endTime), zone)
  const place = LOCATIONS[location.type]
  const isCalled = location.type === 'Phone' && location.value !== '' && location.value === guestPhone
  const awaitsLink = isOn && location.type === 'Video' && location.value === ''
  return (
    <dl className="meeting">
      {name !== undefined && (
        <Line icon={<CalendarIcon />} term={tell('what')}>
          {name}
        </Line>
      )}
      <Line icon={<ClockIcon />} term={tell('when')}>
        <span className="capitalised">{day}</span>
        <br />
        {hours}
      </Line>
      <Line icon={<place.icon />} term={tell('where')}>
        {isWebAddress(location.value) ? (
          <a className="link" href={location.value} rel="noreferrer">
            {location.value}
          </a>
        ) : (
          <>
            {isCalled && (
              <>
                {tell('theyCall')}
                <br />
              </>
            )}
            {location.value || tell(awaitsLink ? 'linkFollows' : place.text)}
          </>
        )}
      </Line>
      <Line icon={<PersonIcon />} term={tell('withWhom')}>
        {hostName}
      </Line>
    </dl>
  )
}

interface LineProps {
  readonly icon: ReactNode
  readonly term: string
  readonly children: ReactNode
}

function Line({ icon, term, children }: LineProps) {
  return (
    <div>
      <dt>
        <span className="icon">{icon}</span>
        <span className="sr-only">{term}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
