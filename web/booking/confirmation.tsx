import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { guestFacts, type ToldHost } from '../../src/domain/bookings/guest-facts.ts'
import { rescheduleUntil } from '../../src/domain/bookings/states.ts'
import type { BookingData } from '../../src/http/pages/page-data.ts'
import { withCarriedQuery } from '../parts/embedding.ts'
import { CheckIcon, ClockIcon } from '../parts/icons.tsx'
import { Lazy, lazyPart } from '../parts/lazy-part.tsx'
import { AddToCalendar } from '../parts/meeting/add-to-calendar.tsx'
import { Deadlines } from '../parts/meeting/deadlines.tsx'
import { MeetingFacts } from '../parts/meeting/meeting-facts.tsx'
import { loadOwnBooking, type OwnLink, ownAddress, toldOf } from '../parts/meeting/own-booking.ts'
import { SeriesDates } from '../parts/meeting/series-dates.tsx'
import { useSpeech } from '../parts/texts.tsx'
import type { Booked, ConfirmationProps } from './booked.ts'

/** Few event types cost something. */
export const unpaidConfirmation = lazyPart('payment', async () => ({
  default: (await import('./paying.tsx')).UnpaidConfirmation,
}))

/** What was booked; of something that costs money, once it is paid. */
export function Confirmation(props: ConfirmationProps) {
  const own = useOwn(props.data.base, props.booked)
  const { status, link } = props.booked
  const meeting = (paid?: ReactNode) => <BookedMeeting {...props} own={own} paid={paid} />
  if (status !== 'PendingPayment' || link === undefined) return meeting()
  return (
    <Lazy part={unpaidConfirmation}>
      {(UnpaidConfirmation) => (
        <UnpaidConfirmation {...props} link={link}>
          {meeting}
        </UnpaidConfirmation>
      )}
    </Lazy>
  )
}

type Own = ReturnType<typeof useOwn>

function BookedMeeting({
  data,
  booked: made,
  headingRef,
  onAgain,
  own,
  paid,
}: ConfirmationProps & { readonly own: Own; readonly paid: ReactNode }) {
  const { tell } = useSpeech()
  const { base, host, eventType } = data
  const booked = { ...made, status: own.data?.status ?? made.status }
  const startsAt = Date.parse(booked.startTime)
  const pending = booked.status === 'PendingApproval'
  const [openedAt] = useState(() => Date.now())
  const told = toldOf(own.data ?? booked, { eventName: eventType.name, hosts: hostsOf(data, own) })
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
      <MeetingFacts facts={guestFacts(told, openedAt)} zone={booked.invitee.timezone}>
        {paid}
      </MeetingFacts>
      {booked.series && <SeriesDates series={booked.series} id={booked.id} zone={booked.invitee.timezone} />}
      <Deadlines
        startsAt={startsAt}
        // Told as a fact, while that is possible.
        cancelUntil={told.cancelUntil > openedAt ? undefined : told.cancelUntil}
        rescheduleUntil={rescheduleUntil({ startsAt }, eventType)}
        zone={booked.invitee.timezone}
      />
      {!pending && booked.link && (
        <AddToCalendar
          // If they cannot be loaded, the file is still offered.
          links={own.isError ? [] : own.data?.calendarLinks}
          file={ownAddress(base, booked.link, '/calendar.ics')}
        />
      )}
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

/** Loads what the response to `book` does not have: who of a team comes, and the links of the mail. */
function useOwn(base: string, { link }: Booked) {
  return useQuery({
    queryKey: ['booking', link?.id],
    enabled: link !== undefined,
    queryFn: ({ signal }) => loadOwnBooking(base, link as OwnLink, signal),
  })
}

/** Who comes. Of a team, that is known once the booking is loaded. */
function hostsOf({ host }: BookingData, own: Own): readonly ToldHost[] {
  const page = [{ name: host.name, avatarUrl: host.avatarUrl || host.branding.logoUrl }]
  if (host.kind === 'user' || own.isError || own.fetchStatus === 'paused') return page
  return own.data?.hosts ?? (own.isEnabled ? [] : page)
}
