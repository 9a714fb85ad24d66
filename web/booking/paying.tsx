import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { guestFacts } from '../../src/domain/bookings/guest-facts.ts'
import { isActive } from '../../src/domain/bookings/states.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import type { BookingData } from '../../src/http/pages/page-data.ts'
import { withCarriedQuery } from '../parts/embedding.ts'
import { ClockIcon } from '../parts/icons.tsx'
import { AwaitedPayment } from '../parts/meeting/awaited-payment.tsx'
import { useInstant } from '../parts/meeting/deadlines.tsx'
import { MeetingFacts } from '../parts/meeting/meeting-facts.tsx'
import { loadOwnBooking, type NewBooking, type OwnLink, toldOf } from '../parts/meeting/own-booking.ts'
import { PayPanel } from '../parts/meeting/pay.tsx'
import { openBeside } from '../parts/meeting/pay-elsewhere.ts'
import { PaymentFact } from '../parts/meeting/payment-fact.tsx'
import {
  endUnpaid,
  findUnpaid,
  forgetUnpaid,
  rememberUnpaid,
  untilNextLook,
} from '../parts/meeting/unpaid.ts'
import { type Speech, useSpeech } from '../parts/texts.tsx'
import { useWhen } from '../parts/time/when.tsx'
import type { Booked, ConfirmationProps } from './booked.ts'
import { type Bought, countsOf, totalOf } from './total.ts'

interface NoticeProps {
  readonly base: string
  readonly eventTypeId: string
  readonly zone: string
  readonly isEmbedded: boolean
  /** It was paid meanwhile: in another tab. */
  readonly onPaid: (paid: NewBooking) => void
  /** Its time is free again. */
  readonly onEnded: () => void
}

/** Reminds a guest who came back without paying: the time is still theirs. */
export function UnpaidNotice({ base, eventTypeId, zone, isEmbedded, onPaid, onEnded }: NoticeProps) {
  const { tell } = useSpeech()
  const when = useWhen()
  const [openedAt] = useState(() => Date.now())
  const [unpaid, setUnpaid] = useState(() => findUnpaid(eventTypeId))
  const own = useQuery({
    queryKey: ['booking', unpaid?.id],
    enabled: unpaid !== undefined,
    queryFn: ({ signal }) => loadOwnBooking(base, { id: '', token: '', ...unpaid }, signal),
    // It may be paid in another tab.
    refetchInterval: ({ state }) => (state.data ? untilNextLook(state.data, openedAt) : false),
  })
  const paid = useEffectEvent(onPaid)
  useEffect(() => {
    const { status } = own.data ?? {}
    if (status === undefined || status === 'PendingPayment' || unpaid === undefined) return
    if (forgetUnpaid(unpaid.id) && own.data && isActive({ status })) paid(own.data)
  }, [unpaid, own.data])
  if (unpaid === undefined || own.data === undefined) return null
  const { status } = own.data
  const { day, start } = when(Date.parse(own.data.startTime), Date.parse(own.data.endTime), zone)
  const time = `${day}, ${start}`
  if (status !== 'PendingPayment') {
    if (!isActive({ status })) return null
    return (
      <section className="unpaid" role="status">
        <p>
          <strong>{tell(status === 'PendingApproval' ? 'requested' : 'booked')}</strong>
          <br />
          {time}
        </p>
        <a className="link" href={withCarriedQuery(`${base}/booking/${unpaid.id}?token=${unpaid.token}`)}>
          {tell('toYourBooking')}
        </a>
      </section>
    )
  }
  return (
    <section className="unpaid" aria-label={tell('statusPendingPayment')}>
      <p>
        <strong>{tell('unpaid', { time })}</strong>
      </p>
      <PayPanel
        base={base}
        booking={own.data}
        link={unpaid}
        zone={zone}
        isEmbedded={isEmbedded}
        onEnded={() => {
          setUnpaid(undefined)
          onEnded()
        }}
      />
    </section>
  )
}

/** Whoever books another time gives the first one back, and is led to where this one is paid. */
export function keepUnpaid({ base, eventType, embed }: BookingData, booked: Booked): void {
  const first = findUnpaid(eventType.id)
  if (first !== undefined && first.id !== booked.id) void endUnpaid(base, first)
  if (booked.payBy === undefined || booked.link === undefined) return
  rememberUnpaid({ ...booked.link, eventTypeId: eventType.id, payBy: booked.payBy })
  if (booked.paymentUrl === undefined) return
  if (embed === false) location.assign(booked.paymentUrl)
  // In a frame it opens beside the site, if the browser still takes it for what the guest pressed; else they press again.
  else if (navigator.userActivation?.isActive) openBeside(booked.paymentUrl)
}

interface UnpaidProps extends ConfirmationProps {
  readonly link: OwnLink
  /** Shown once it is paid, with a line that says so. */
  readonly children: (paid: ReactNode) => ReactNode
}

/** What was booked and waits for its payment. */
export function UnpaidConfirmation({
  data,
  booked,
  link,
  headingRef,
  onPaid,
  onEnded,
  children,
}: UnpaidProps) {
  const [openedAt] = useState(() => Date.now())
  const own = useQuery({
    queryKey: ['booking', link.id],
    queryFn: ({ signal }) => loadOwnBooking(data.base, link, signal),
    refetchInterval: ({ state }) => untilNextLook(state.data ?? booked, openedAt),
    // The guest is in another tab, and the site around this one wants to hear of it.
    refetchIntervalInBackground: true,
  })
  const isTold = useRef(false)
  const paid = useEffectEvent(onPaid)
  const status = own.data?.status ?? booked.status
  useEffect(() => {
    if (status === 'PendingPayment') return
    forgetUnpaid(booked.id)
    if (own.data === undefined || !isActive({ status }) || isTold.current) return
    // What changes later is no new booking.
    isTold.current = true
    paid(own.data)
  }, [booked, status, own.data])
  if (status !== 'PendingPayment' && status !== 'Expired') {
    const { payment } = own.data ?? booked
    // Of a series, for all its meetings.
    const all = payment && { ...payment, amount: booked.amountDue ?? payment.amount }
    return children(all && <PaymentFact booking={{ ...booked, ...own.data, payment: all }} />)
  }
  const facts = guestFacts(toldOf(booked, { eventName: data.eventType.name, hosts: [] }), openedAt)
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
        link={link}
        zone={booked.invitee.timezone}
        isEmbedded={data.embed !== false}
        headingRef={headingRef}
        onEnded={onEnded}
      />
    </section>
  )
}

/** What the guest pays, and what they get back if they cancel. */
export function PriceSummary(bought: Bought & { readonly zone: string }) {
  const { tell, locale } = useSpeech()
  const write = useInstant(bought.zone)
  const { host, eventType } = bought.data
  const total = totalOf(bought, locale.tag)
  if (total === undefined || eventType.refund === null) return null
  const { people, meetings } = countsOf(bought)
  const each = totalOf({ ...bought, typed: { ...bought.typed, guests: '' }, repeat: undefined }, locale.tag)
  return (
    <div className="price-summary">
      <p>
        <strong>{tell('total', { price: total })}</strong>
      </p>
      {people * meetings > 1 && (
        <p className="muted small">
          {[meetings, people].filter((count) => count > 1).join(' × ')} × {each}
        </p>
      )}
      <p className="muted small">
        {[
          tell('payHint'),
          eventType.requiresApproval && tell('reservedOnly', { name: host.name }),
          refundSentence(eventType.refund, Date.parse(bought.slot.startTime), { tell, locale, write }),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </div>
  )
}

/** The rule for the chosen time. */
function refundSentence(
  { fullUntilMinutes, laterPercent }: NonNullable<BookingData['eventType']['refund']>,
  startsAt: number,
  { tell, locale, write }: Pick<Speech, 'tell' | 'locale'> & { readonly write: (instant: number) => string },
): string {
  if (laterPercent === 100 || fullUntilMinutes === 0) return tell('refundAll')
  const until = startsAt - fullUntilMinutes * MINUTE
  const percent = new Intl.NumberFormat(locale.tag, { style: 'percent' }).format(laterPercent / 100)
  if (until <= Date.now())
    return laterPercent === 0 ? tell('refundNothing') : tell('refundShare', { percent })
  const later = laterPercent === 0 ? tell('refundNothingLater') : tell('refundLater', { percent })
  return `${tell('refundUntil', { time: write(until) })} ${later}`
}
