import type { ReactNode } from 'react'
import type { GuestFact, ToldHost } from '../../../src/domain/bookings/guest-facts.ts'
import { writeNames } from '../../../src/format/names.ts'
import { Portrait } from '../frame.tsx'
import { CalendarIcon, ClockIcon, CrossIcon, NoteIcon, PersonIcon, SeatsIcon } from '../icons.tsx'
import { type Speech, useSpeech } from '../texts.tsx'
import { useWhen } from '../time/when.tsx'
import { useInstant } from './deadlines.tsx'
import { LOCATIONS } from './facts.tsx'

interface Props {
  readonly facts: readonly GuestFact[]
  readonly zone: string
  /** More lines. */
  readonly children?: ReactNode
}

/** What the guest wants to know, in the order of emails and calendars. */
export function MeetingFacts({ facts, zone, children }: Props) {
  return (
    <dl className="meeting">
      {facts.map((fact) => (
        <Fact key={fact.name === 'answer' ? `answer ${fact.label}` : fact.name} fact={fact} zone={zone} />
      ))}
      {children}
    </dl>
  )
}

function Fact({ fact, zone }: { readonly fact: GuestFact; readonly zone: string }) {
  const speech = useSpeech()
  const when = useWhen()
  const write = useInstant(zone)
  const { tell, locale } = speech
  switch (fact.name) {
    case 'what':
      return (
        <Line icon={<CalendarIcon />} term={tell('what')}>
          {fact.eventName}
        </Line>
      )
    case 'who':
      return (
        <Line icon={<Pictures hosts={fact.hosts} />} term={tell('withWhom')}>
          {fact.hosts.length === 0 ? (
            <span className="bar" />
          ) : (
            writeNames(
              locale.tag,
              fact.hosts.map(({ name }) => name),
              true,
            )
          )}
        </Line>
      )
    case 'when': {
      const { day, hours } = when(fact.startsAt, fact.endsAt, zone)
      return (
        <Line icon={<ClockIcon />} term={tell('when')}>
          <span className="capitalised">{day}</span>
          <br />
          {hours}
        </Line>
      )
    }
    case 'where': {
      const { icon: Icon } = LOCATIONS[fact.place.type]
      return (
        <Line icon={<Icon />} term={tell('where')}>
          {placeOf(fact.place, speech)}
        </Line>
      )
    }
    case 'guests':
      return (
        <Line icon={<SeatsIcon />} term={tell('guestsBrought')}>
          {fact.emails.map((email) => (
            <span key={email} className="line">
              {email}
            </span>
          ))}
        </Line>
      )
    case 'answer':
      return (
        <Line icon={<NoteIcon />} term={fact.label}>
          <Asked>{fact.label}</Asked>
          {fact.isTick ? tell(fact.value === 'true' ? 'yes' : 'no') : fact.value}
        </Line>
      )
    case 'notes':
      return (
        <Line icon={<NoteIcon />} term={tell('notes')}>
          <Asked>{tell('notes')}</Asked>
          {fact.notes}
        </Line>
      )
    case 'cancellation': {
      const time = write(fact.until)
      return (
        <Line icon={<CrossIcon />} term={tell('cancellation')}>
          {tell('cancelUntil', { time })}
        </Line>
      )
    }
  }
}

/** What was asked; screen readers hear it as the term. */
function Asked({ children }: { readonly children: ReactNode }) {
  return (
    <span className="asked" aria-hidden="true">
      {children}
    </span>
  )
}

function Pictures({ hosts }: { readonly hosts: readonly ToldHost[] }) {
  const [host] = hosts
  return host === undefined ? (
    <PersonIcon />
  ) : (
    <Portrait name={host.name} picture={host.avatarUrl} size="small" />
  )
}

/** Where it takes place, and how the guest gets there. */
function placeOf(
  { type, value, access }: Extract<GuestFact, { readonly name: 'where' }>['place'],
  { tell }: Speech,
): ReactNode {
  const kind = tell(LOCATIONS[type].text)
  if (access === 'join') {
    return (
      <>
        <span className="line">{kind}</span>
        <a className="link" href={value} rel="noreferrer">
          {tell('join')}
          <span className="sr-only">: </span>
        </a>
        <span className="muted small line">{value}</span>
      </>
    )
  }
  const more = access === 'follows' ? tell('linkFollows') : value
  const first = access === 'called' ? tell('theyCall') : kind
  if (access === 'told') return value || kind
  return (
    <>
      <span className="line">{first}</span>
      <span className="line">{more}</span>
    </>
  )
}

interface LineProps {
  readonly icon: ReactNode
  readonly term: string
  readonly children: ReactNode
}

export function Line({ icon, term, children }: LineProps) {
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
