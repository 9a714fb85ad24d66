import { useQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useEffectEvent, useState } from 'react'
import { guestFacts, type ToldHost } from '../../src/domain/bookings/guest-facts.ts'
import { isActive, rescheduleUntil } from '../../src/domain/bookings/states.ts'
import type { BookingData } from '../../src/http/pages/page-data.ts'
import { withCarriedQuery } from '../parts/embedding.ts'
import { CheckIcon, ClockIcon } from '../parts/icons.tsx'
import { AddToCalendar } from '../parts/meeting/add-to-calendar.tsx'
import { AwaitedPayment } from '../parts/meeting/awaited-payment.tsx'
import { Deadlines } from '../parts/meeting/deadlines.tsx'
import { MeetingFacts } from '../parts/meeting/meeting-facts.tsx'
import {
  loadOwnBooking,
  type NewBooking,
  type OwnLink,
  ownAddress,
  toldOf,
} from '../parts/meeting/own-booking.ts'
import { untilNextLook } from '../parts/meeting/pay.tsx'
import { SeriesDates } from '../parts/meeting/series-dates.tsx'
import { forgetUnpaid } from '../parts/meeting/unpaid.ts'
import { useSpeech } from '../parts/texts.tsx'

/** The response to `book`. */
export interface Booked extends NewBooking {
  /** With it the guest can change the booking. */
  readonly link: OwnLink | undefined
}

interface Props {
  readonly data: BookingData
  readonly booked: Booked
  readonly headingRef: Ref<HTMLHeadingElement>
  /** Undefined: they can't. */
  readonly onAgain: (() => void) | undefined
  /** It was to be paid, and is. */
  readonly onPaid: (paid: NewBooking) => void
  /** The guest wants another time instead of paying for this one. */
  readonly onEnded: () => void
}

/** What was booked; of something that costs money, once it is paid. */
export function Confirmation(props: Props) {
  const { data, booked, headingRef, onPaid, onEnded } = props
  const own = useOwn(data.base, booked)
  const paid = useEffectEvent(onPaid)
  const status = own.data?.status ?? booked.status
  const [openedAt] = useState(() => Date.now())
  const facts = guestFacts(toldOf(booked, { eventName: data.eventType.name, hosts: [] }), openedAt)
  useEffect(() => {
    if (booked.status !== 'PendingPayment' || status === 'PendingPayment') return
    forgetUnpaid(booked.id)
    if (own.data && isActive({ status })) paid(own.data)
  }, [booked, status, own.data])
  if (booked.link === undefined || (status !== 'PendingPayment' && status !== 'Expired')) {
    return <BookedMeeting {...props} own={own} />
  }
  return (
    <section className="details confirmation fade-in">
      <span className="mark" data-waiting aria-hidden="true">
        <ClockIcon size={26} />
      </span>
      <MeetingFacts
        facts={facts.filter(({ name }) => name === 'what' || name === 'when')}
        zone={booked.invitee.timezone}
      />
      <AwaitedPayment
        base={data.base}
        booking={own.data ?? booked}
        link={booked.link}
        zone={booked.invitee.timezone}
        isEmbedded={data.embed !== false}
        headingRef={headingRef}
        onEnded={onEnded}
      />
    </section>
  )
}

type Own = ReturnType<typeof useOwn>

function BookedMeeting({ data, booked: made, headingRef, onAgain, own }: Props & { readonly own: Own }) {
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
      <MeetingFacts facts={guestFacts(told, openedAt)} zone={booked.invitee.timezone} />
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
function useOwn(base: string, booked: Booked) {
  const { link } = booked
  const [openedAt] = useState(() => Date.now())
  return useQuery({
    queryKey: ['booking', link?.id],
    enabled: link !== undefined,
    queryFn: ({ signal }) => loadOwnBooking(base, link as OwnLink, signal),
    refetchInterval: ({ state }) => untilNextLook(state.data ?? booked, openedAt),
  })
}

/** Who comes. Of a team, that is known once the booking is loaded. */
function hostsOf({ host }: BookingData, own: Own): readonly ToldHost[] {
  const page = [{ name: host.name, avatarUrl: host.avatarUrl || host.branding.logoUrl }]
  if (host.kind === 'user' || own.isError || own.fetchStatus === 'paused') return page
  return own.data?.hosts ?? (own.isEnabled ? [] : page)
}
