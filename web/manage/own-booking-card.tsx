import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ScopeOfChange } from '../../src/domain/bookings/series.ts'
import type { Slot } from '../../src/http/pages/page-data.ts'
import { ApiFailure, post } from '../parts/api.ts'
import { factsOf, tellSite } from '../parts/embedding.ts'
import { useFocusedHeading } from '../parts/focused-heading.ts'
import { isWanted, Lazy, lazyPart, usePreloaded } from '../parts/lazy-part.tsx'
import { wasJustBooked } from '../parts/meeting/just-booked.ts'
import { forgetBookings } from '../parts/meeting/link-bookings.ts'
import { isFollowed, type OwnBooking, type OwnLink, ownAddress } from '../parts/meeting/own-booking.ts'
import { forgetUnpaid } from '../parts/meeting/unpaid.ts'
import { useSpeech } from '../parts/texts.tsx'
import { slotsKey } from '../parts/time/slot-picker.tsx'
import { useZone } from '../parts/time/zones.ts'
import { BookingDetails } from './booking-details.tsx'
import { ChooseTime, ConfirmTime } from './new-time.tsx'
import { useView } from './use-view.ts'

const cancelDialog = lazyPart('cancel', () => import('./cancel-dialog.tsx'))
const eraseDialog = lazyPart('erase', () => import('./erase-dialog.tsx'))

interface Props {
  readonly base: string
  readonly booking: OwnBooking
  readonly link: OwnLink
  readonly isEmbedded: boolean
}

/** The guest's booking, and the steps to change it. */
export function OwnBookingCard({ base, booking, link, isEmbedded }: Props) {
  const { tell } = useSpeech()
  const client = useQueryClient()
  const [zone, setZone] = useZone()
  const { view, ...views } = useView(booking, isEmbedded)
  /** What the guest just did, in a sentence. */
  const [done, setDone] = useState(() => {
    const text = JUST_BOOKED[booking.status]
    return text !== undefined && wasJustBooked(booking.id) ? tell(text) : undefined
  })
  usePaid(booking, (text) => setDone(tell(text)))
  const [erased, setErased] = useState(false)
  const [cancelling, setCancelling] = useState(() => isWanted(cancelDialog))
  const [erasing, setErasing] = useState(() => isWanted(eraseDialog))
  const [scope, setScope] = useState<ScopeOfChange>('one')
  const heading = useFocusedHeading(erased || view)
  usePreloaded(cancelDialog, eraseDialog)

  const slotsAddress = ownAddress(base, link)
  const reloadAnd = async (sentence: string) => {
    await client.invalidateQueries({ queryKey: ['booking'] })
    setDone(sentence)
    views.showDetails()
  }
  const move = useMutation({
    mutationFn: (slot: Slot) =>
      post<OwnBooking>(ownAddress(base, link, '/reschedule'), {
        startTime: slot.startTime,
        ...scopeIn(scope),
      }),
    onSuccess: ({ body: moved }) => {
      tellSite('rescheduled', { bookingId: booking.id }, factsOf(booking.eventType.slug, moved))
      return reloadAnd(tell('rescheduled'))
    },
    onError: (error) => {
      tellSite('failed', { bookingId: booking.id, status: statusOf(error) })
      void client.invalidateQueries({ queryKey: slotsKey(slotsAddress) })
    },
  })
  const cancel = (reason: string, which: ScopeOfChange) =>
    post(ownAddress(base, link, '/cancel'), { reason, ...scopeIn(which) }).catch((error) => {
      tellSite('failed', { bookingId: booking.id, status: statusOf(error) })
      throw error
    })

  if (erased) return <Erased headingRef={heading} />
  if (view.name === 'times') {
    return (
      <ChooseTime
        booking={booking}
        address={slotsAddress}
        zone={zone}
        onZone={setZone}
        headingRef={heading}
        onBack={views.back}
        onPick={(slot) => {
          move.reset()
          views.confirm(slot)
        }}
      />
    )
  }
  if (view.name === 'confirm') {
    return (
      <ConfirmTime
        booking={booking}
        slot={view.slot}
        scope={scope}
        onScope={setScope}
        zone={zone}
        headingRef={heading}
        busy={move.isPending}
        error={move.error}
        onBack={views.back}
        onConfirm={() => move.mutate(view.slot)}
        onKeep={views.showDetails}
      />
    )
  }
  return (
    <BookingDetails
      base={base}
      booking={booking}
      link={link}
      zone={zone}
      isEmbedded={isEmbedded}
      headingRef={heading}
      done={done}
      onReschedule={() => {
        setDone(undefined)
        views.chooseTime()
      }}
      onCancel={() => setCancelling(true)}
      onErase={() => setErasing(true)}
    >
      {cancelling && (
        <Lazy part={cancelDialog}>
          {(CancelDialog) => (
            <CancelDialog
              hostName={booking.host.name}
              isFollowed={isFollowed(booking)}
              booking={booking}
              cancel={cancel}
              onClose={() => setCancelling(false)}
              onCancelled={() => {
                setCancelling(false)
                tellSite('cancelled', { bookingId: booking.id }, factsOf(booking.eventType.slug, booking))
                void reloadAnd(tell('cancelled'))
              }}
            />
          )}
        </Lazy>
      )}
      {erasing && (
        <Erasing
          base={base}
          email={booking.invitee.email}
          onClose={() => setErasing(false)}
          onErased={() => setErased(true)}
        />
      )}
    </BookingDetails>
  )
}

/** Greets a guest who comes back from paying, and leads them on where the host wants that. */
function usePaid(booking: OwnBooking, greet: (text: 'booked' | 'requested') => void): void {
  const { id, status, returnUrl } = booking
  const hasWaited = useRef(false)
  const greetNow = useEffectEvent((text: 'booked' | 'requested') => {
    greet(text)
    tellSite('booked', { bookingId: id }, factsOf(booking.eventType.slug, booking))
  })
  useEffect(() => {
    const text = JUST_BOOKED[status]
    if (status === 'PendingPayment') hasWaited.current = true
    if (status === 'PendingPayment') return
    // The storage of a frame is another one: what it has remembered is not known in a tab beside it.
    const isNew = forgetUnpaid(id) || hasWaited.current
    if (!isNew || text === undefined) return
    hasWaited.current = false
    greetNow(text)
    if (returnUrl !== '') location.assign(returnUrl)
  }, [id, status, returnUrl])
}

function Erasing(props: {
  readonly base: string
  readonly email: string
  readonly onClose: () => void
  readonly onErased: () => void
}) {
  const finish = () => {
    forgetBookings()
    props.onClose()
    props.onErased()
  }
  return <Lazy part={eraseDialog}>{(EraseDialog) => <EraseDialog {...props} onErased={finish} />}</Lazy>
}

function Erased({ headingRef }: { readonly headingRef: Ref<HTMLHeadingElement> }) {
  const { tell } = useSpeech()
  return (
    <main className="card manage">
      <h1 ref={headingRef} tabIndex={-1}>
        {tell('erased')}
      </h1>
      <p className="muted">{tell('erasedHint')}</p>
    </main>
  )
}

/** What is said about a booking that was just made. */
const JUST_BOOKED = {
  Confirmed: 'booked',
  PendingPayment: undefined,
  PendingApproval: 'requested',
  Declined: undefined,
  Cancelled: undefined,
  Expired: undefined,
  Completed: undefined,
  NoShow: undefined,
} as const

const scopeIn = (scope: ScopeOfChange) => (scope === 'one' ? {} : { scope })

const statusOf = (error: unknown) => (error instanceof ApiFailure ? error.status : 0)
