import { type ReactNode, type Ref, useState } from 'react'
import { guestFacts } from '../../src/domain/bookings/guest-facts.ts'
import { withCarriedQuery } from '../parts/embedding.ts'
import { Live } from '../parts/live.tsx'
import { AddToCalendar } from '../parts/meeting/add-to-calendar.tsx'
import { AwaitedPayment } from '../parts/meeting/awaited-payment.tsx'
import { Deadlines } from '../parts/meeting/deadlines.tsx'
import { MeetingFacts } from '../parts/meeting/meeting-facts.tsx'
import { type OwnBooking, type OwnLink, ownAddress, toldOf } from '../parts/meeting/own-booking.ts'
import { PaymentFact } from '../parts/meeting/payment-fact.tsx'
import { SeriesDates } from '../parts/meeting/series-dates.tsx'
import { useSpeech } from '../parts/texts.tsx'

interface Props {
  readonly base: string
  readonly booking: OwnBooking
  readonly link: OwnLink
  readonly zone: string
  readonly isEmbedded: boolean
  readonly headingRef: Ref<HTMLHeadingElement>
  /** What the guest just changed, in a sentence. */
  readonly done: string | undefined
  readonly onReschedule: () => void
  readonly onCancel: () => void
  readonly onErase: () => void
  /** A dialog over it. */
  readonly children: ReactNode
}

/** What was booked, and what the guest can still do about it. */
export function BookingDetails(props: Props) {
  const {
    base,
    booking,
    link,
    zone,
    isEmbedded,
    headingRef,
    done,
    onReschedule,
    onCancel,
    onErase,
    children,
  } = props
  const { tell } = useSpeech()
  const { canReschedule, canCancel } = booking
  const [openedAt] = useState(() => Date.now())
  const facts = guestFacts(
    toldOf(booking, { eventName: booking.eventType.name, hosts: booking.hosts }),
    openedAt,
  )
  const live = booking.status === 'Confirmed' || booking.status === 'PendingApproval'
  const isUnpaid = booking.status === 'PendingPayment'
  const again = withCarriedQuery(`${base}/${booking.userSlug}/${booking.eventType.slug}`)
  return (
    <main className="card manage">
      <div>
        <p className="status" data-status={booking.status}>
          {tell(`status${booking.status}`)}
        </p>
        <h1 ref={headingRef} tabIndex={-1}>
          {booking.eventType.name}
        </h1>
        <Live>{done ?? ''}</Live>
        {done !== undefined && (
          <p className="muted" aria-hidden="true">
            {done}
          </p>
        )}
      </div>
      <MeetingFacts facts={facts.filter(({ name }) => name !== 'what')} zone={zone}>
        <PaymentFact booking={booking} />
      </MeetingFacts>
      {(isUnpaid || booking.status === 'Expired') && (
        <AwaitedPayment
          base={base}
          booking={booking}
          link={link}
          zone={zone}
          isEmbedded={isEmbedded}
          onEnded={() => location.assign(again)}
        />
      )}
      {booking.series && <SeriesDates series={booking.series} id={booking.id} zone={zone} />}
      {booking.reason !== '' && (
        <p className="reason">
          <strong>{tell('reason')}:</strong> {booking.reason}
        </p>
      )}
      {booking.status === 'Confirmed' && (
        <AddToCalendar links={booking.calendarLinks} file={ownAddress(base, link, '/calendar.ics')} />
      )}
      {live && (canReschedule || canCancel) && (
        <div className="actions">
          {canReschedule && (
            <button type="button" className="button" onClick={onReschedule}>
              {tell('reschedule')}
            </button>
          )}
          {canCancel && (
            <button type="button" className="button button-quiet" onClick={onCancel}>
              {tell('cancelBooking')}
            </button>
          )}
        </div>
      )}
      {live && !canReschedule && !canCancel && (
        <p className="muted">{tell('tooLateToChange', { name: booking.host.name })}</p>
      )}
      <Deadlines
        startsAt={Date.parse(booking.startTime)}
        // A fact above tells it.
        cancelUntil={undefined}
        rescheduleUntil={canReschedule ? Date.parse(booking.rescheduleUntil) : undefined}
        zone={zone}
      />
      {booking.host.email !== '' && (
        <p className="muted small">
          {tell('writeTo', { name: booking.host.name })}{' '}
          <a className="link" href={`mailto:${booking.host.email}`}>
            {booking.host.email}
          </a>
        </p>
      )}
      {!live && !isUnpaid && booking.status !== 'Expired' && (
        <a className="button" href={again}>
          {tell('bookAgain')}
        </a>
      )}
      <div>
        <button type="button" className="text-button" onClick={onErase}>
          {tell('eraseData')}
        </button>
      </div>
      {children}
    </main>
  )
}
