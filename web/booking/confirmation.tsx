import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { cancelUntil, rescheduleUntil } from '../../src/domain/bookings/states.ts'
import type { BookingData } from '../../src/http/pages/page-data.ts'
import { withCarriedQuery } from '../parts/embedding.ts'
import { CheckIcon, ClockIcon } from '../parts/icons.tsx'
import { AddToCalendar } from '../parts/meeting/add-to-calendar.tsx'
import { Deadlines } from '../parts/meeting/deadlines.tsx'
import { MeetingFacts } from '../parts/meeting/meeting-facts.tsx'
import { loadOwnBooking, type OwnLink, ownAddress, type SeriesMeeting } from '../parts/meeting/own-booking.ts'
import { SeriesDates } from '../parts/meeting/series-dates.tsx'
import { useSpeech } from '../parts/texts.tsx'

/** The response to `book`. */
export interface Booked {
  readonly id: string
  readonly status: string
  readonly startTime: string
  readonly endTime: string
  readonly invitee: { readonly email: string; readonly phone: string; readonly timezone: string }
  readonly location: { readonly type: BookingData['eventType']['location']['type']; readonly value: string }
  /** All meetings of a series; left out without one. */
  readonly series?: readonly SeriesMeeting[]
  /** With it the guest can change the booking. */
  readonly link: OwnLink | undefined
}

interface Props {
  readonly data: BookingData
  readonly booked: Booked
  readonly headingRef: Ref<HTMLHeadingElement>
  /** Undefined: they can't. */
  readonly onAgain: (() => void) | undefined
}

export function Confirmation({ data, booked, headingRef, onAgain }: Props) {
  const { tell } = useSpeech()
  const { base, host, eventType } = data
  const startsAt = Date.parse(booked.startTime)
  const pending = booked.status === 'PendingApproval'
  return (
    <section className="details confirmation fade-in">
      <span className="mark" data-waiting={pending || undefined} aria-hidden="true">
        {pending ? <ClockIcon size={26} /> : <CheckIcon size={26} />}
      </span>
      <h2 ref={headingRef} tabIndex={-1}>
        {tell(pending ? 'requested' : 'booked')}
      </h2>
      <p className="muted">
        {tell(pending ? 'requestedHint' : 'bookedHint', { email: booked.invitee.email, name: host.name })}
      </p>
      <MeetingFacts
        name={eventType.name}
        hostName={host.name}
        startTime={booked.startTime}
        endTime={booked.endTime}
        zone={booked.invitee.timezone}
        location={booked.location}
        guestPhone={booked.invitee.phone}
      />
      {booked.series && <SeriesDates series={booked.series} id={booked.id} zone={booked.invitee.timezone} />}
      <Deadlines
        startsAt={startsAt}
        cancelUntil={cancelUntil({ startsAt }, eventType)}
        rescheduleUntil={rescheduleUntil({ startsAt }, eventType)}
        zone={booked.invitee.timezone}
      />
      {!pending && booked.link && <OwnCalendar base={base} link={booked.link} />}
      <div className="actions">
        {booked.link && (
          <a
            className="button button-quiet"
            href={withCarriedQuery(`${base}/booking/${booked.link.id}?token=${booked.link.token}`)}
          >
            {tell('manage')}
          </a>
        )}
        {onAgain && (
          <button type="button" className="button button-quiet" onClick={onAgain}>
            {tell('bookAnother')}
          </button>
        )}
      </div>
    </section>
  )
}

/** Loads the links of the mail, which only the server writes: the response to `book` does not have them. */
function OwnCalendar({ base, link }: { readonly base: string; readonly link: OwnLink }) {
  const own = useQuery({
    queryKey: ['booking', link.id],
    queryFn: ({ signal }) => loadOwnBooking(base, link, signal),
  })
  // If they cannot be loaded, the file is still offered.
  const links = own.isError ? [] : own.data?.calendarLinks
  return <AddToCalendar links={links} file={ownAddress(base, link, '/calendar.ics')} />
}
