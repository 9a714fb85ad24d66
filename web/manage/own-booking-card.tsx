import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, type Ref, Suspense, useState } from 'react'
import type { ScopeOfChange } from '../../src/domain/bookings/series.ts'
import type { Slot } from '../../src/http/pages/page-data.ts'
import { ApiFailure, post } from '../parts/api.ts'
import { tellSite } from '../parts/embedding.ts'
import { useFocusedHeading } from '../parts/focused-heading.ts'
import { isFollowed, type OwnBooking, type OwnLink, ownAddress } from '../parts/meeting/own-booking.ts'
import { useSpeech } from '../parts/texts.tsx'
import { slotsKey } from '../parts/time/slot-picker.tsx'
import { useZone } from '../parts/time/zones.ts'
import { BookingDetails } from './booking-details.tsx'
import { ChooseTime, ConfirmTime } from './new-time.tsx'

const CancelDialog = lazy(() => import('./cancel-dialog.tsx'))
const EraseDialog = lazy(() => import('./erase-dialog.tsx'))

interface Props {
  readonly base: string
  readonly booking: OwnBooking
  readonly link: OwnLink
}

type View =
  | { readonly name: 'details'; readonly done?: string }
  | { readonly name: 'times' }
  | { readonly name: 'confirm'; readonly slot: Slot }
  | { readonly name: 'erased' }

/** The guest's booking, and the steps to change it. */
export function OwnBookingCard({ base, booking, link }: Props) {
  const { tell } = useSpeech()
  const client = useQueryClient()
  const [zone, setZone] = useZone()
  const [view, setView] = useState<View>(() => {
    // The confirmation has this address, and was reloaded.
    if (history.state?.step !== 'booked') return { name: 'details' }
    return { name: 'details', done: tell(booking.status === 'PendingApproval' ? 'requested' : 'booked') }
  })
  const [cancelling, setCancelling] = useState(false)
  const [erasing, setErasing] = useState(false)
  const [scope, setScope] = useState<ScopeOfChange>('one')
  const heading = useFocusedHeading(view)

  const slotsAddress = ownAddress(base, link)
  const showDetails = (done?: string) => setView({ name: 'details', ...(done !== undefined && { done }) })
  const reloadAnd = async (done: string) => {
    await client.invalidateQueries({ queryKey: ['booking'] })
    showDetails(done)
  }
  const move = useMutation({
    mutationFn: (slot: Slot) =>
      post(ownAddress(base, link, '/reschedule'), { startTime: slot.startTime, ...scopeIn(scope) }),
    onSuccess: () => {
      tellSite('rescheduled', { bookingId: booking.id })
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

  if (view.name === 'times') {
    return (
      <ChooseTime
        booking={booking}
        address={slotsAddress}
        zone={zone}
        onZone={setZone}
        headingRef={heading}
        onBack={() => showDetails()}
        onPick={(slot) => {
          move.reset()
          setView({ name: 'confirm', slot })
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
        onBack={() => setView({ name: 'times' })}
        onConfirm={() => move.mutate(view.slot)}
        onKeep={() => showDetails()}
      />
    )
  }
  if (view.name === 'erased') {
    return <Erased headingRef={heading} />
  }
  return (
    <BookingDetails
      base={base}
      booking={booking}
      link={link}
      zone={zone}
      headingRef={heading}
      done={view.done}
      onReschedule={() => setView({ name: 'times' })}
      onCancel={() => setCancelling(true)}
      onErase={() => setErasing(true)}
    >
      {cancelling && (
        <Suspense>
          <CancelDialog
            hostName={booking.host.name}
            isFollowed={isFollowed(booking)}
            cancel={cancel}
            onClose={() => setCancelling(false)}
            onCancelled={() => {
              setCancelling(false)
              tellSite('cancelled', { bookingId: booking.id })
              void reloadAnd(tell('cancelled'))
            }}
          />
        </Suspense>
      )}
      {erasing && (
        <Suspense>
          <EraseDialog
            base={base}
            email={booking.invitee.email}
            onClose={() => setErasing(false)}
            onErased={() => {
              setErasing(false)
              setView({ name: 'erased' })
            }}
          />
        </Suspense>
      )}
    </BookingDetails>
  )
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

const scopeIn = (scope: ScopeOfChange) => (scope === 'one' ? {} : { scope })

const statusOf = (error: unknown) => (error instanceof ApiFailure ? error.status : 0)
