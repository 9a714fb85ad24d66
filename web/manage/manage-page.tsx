import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { ManageData, Slot } from '../../src/http/pages/page-data.ts'
import { wearAccent } from '../parts/accent.ts'
import { AddToCalendar } from '../parts/add-to-calendar.tsx'
import { ApiFailure, ask, eventAddress, post } from '../parts/api.ts'
import { dateIn, writeInstant } from '../parts/dates.ts'
import { tellSite, withCarriedQuery } from '../parts/embedding.ts'
import { Frame } from '../parts/frame.tsx'
import { BackIcon } from '../parts/icons.tsx'
import { Live } from '../parts/live.tsx'
import { MeetingFacts } from '../parts/meeting-facts.tsx'
import { loadOwnBooking, type OwnBooking, type OwnLink, ownAddress } from '../parts/own-booking.ts'
import { Queries } from '../parts/queries.tsx'
import { SlotPicker, slotsKey } from '../parts/slot-picker.tsx'
import { useSpeech } from '../parts/texts.tsx'
import { useWhen } from '../parts/when.tsx'
import { useZone } from '../parts/zones.ts'

const CancelDialog = lazy(() => import('./cancel-dialog.tsx'))

/** What a guest can still do about a booking of their own. */
export function ManagePage({ data }: { readonly data: ManageData }) {
  return (
    <Queries>
      <Frame {...data}>
        <Booking data={data} />
      </Frame>
    </Queries>
  )
}

function Booking({ data }: { readonly data: ManageData }) {
  const { tell } = useSpeech()
  const token = new URLSearchParams(location.search).get('token') ?? ''
  const link = { id: data.bookingId, token }
  const booking = useQuery({
    queryKey: ['booking'],
    queryFn: ({ signal }) => loadOwnBooking(data.base, link, signal),
  })
  useLook(data.base, booking.data?.userSlug)

  useEffect(() => {
    document.title = `${booking.data?.eventType.name ?? tell('yourBooking')} · Punctual`
  }, [booking.data?.eventType.name, tell])

  if (booking.data !== undefined) {
    return <OwnBookingCard base={data.base} booking={booking.data} link={link} />
  }
  if (!booking.isError) {
    return (
      <main className="card manage" aria-busy="true">
        <h1 className="sr-only">{tell('yourBooking')}</h1>
        <span className="bar bar-title" />
        <span className="bar bar-wide" />
        <span className="bar" />
      </main>
    )
  }
  const away =
    !(booking.error instanceof ApiFailure) || booking.error.status === 0 || booking.error.status >= 500
  return (
    <main className="card manage">
      <h1>{tell(away ? 'yourBooking' : 'linkDead')}</h1>
      <p className="muted">{tell(away ? 'notReached' : 'linkDeadHint')}</p>
      {away && (
        <button type="button" className="button" onClick={() => void booking.refetch()}>
          {tell('tryAgain')}
        </button>
      )}
    </main>
  )
}

/** The host's colours, as soon as we know whose they are. */
function useLook(base: string, userSlug: string | undefined): void {
  const look = useQuery({
    queryKey: ['look', userSlug],
    enabled: userSlug !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (
        await ask<{ branding: { primaryColor: string }; theme: string }>(`${base}/api/embed/${userSlug}`, {
          signal,
        })
      ).body,
  })
  const primaryColor = look.data?.branding.primaryColor
  const theme = look.data?.theme
  useEffect(() => {
    if (primaryColor !== undefined) wearAccent(primaryColor)
    // A site that shows this has had its say already.
    if (theme !== undefined && theme !== 'auto') document.documentElement.dataset.theme ??= theme
  }, [primaryColor, theme])
}

interface CardProps {
  readonly base: string
  readonly booking: OwnBooking
  readonly link: OwnLink
}

type View =
  | { readonly name: 'facts'; readonly said?: string }
  | { readonly name: 'times' }
  | {
      readonly name: 'confirm'
      readonly slot: Slot
    }

function OwnBookingCard({ base, booking, link }: CardProps) {
  const { locale, tell } = useSpeech()
  const client = useQueryClient()
  const [zone, setZone] = useZone()
  const [view, setView] = useState<View>({ name: 'facts' })
  const [cancelling, setCancelling] = useState(false)
  const when = useWhen()
  const heading = useRef<HTMLHeadingElement>(null)
  const arrived = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the view that moves the focus
  useEffect(() => {
    if (arrived.current) heading.current?.focus()
    arrived.current = true
  }, [view])

  const slotsAddress = eventAddress(base, booking.userSlug, booking.eventType.slug)
  const tellFailed = (error: unknown) =>
    tellSite('failed', { bookingId: booking.id, status: error instanceof ApiFailure ? error.status : 0 })
  const settle = async (said: string) => {
    await client.invalidateQueries({ queryKey: ['booking'] })
    setView({ name: 'facts', said })
  }
  const move = useMutation({
    mutationFn: (slot: Slot) => post(ownAddress(base, link, '/reschedule'), { startTime: slot.startTime }),
    onSuccess: () => {
      tellSite('rescheduled', { bookingId: booking.id })
      return settle(tell('rescheduled'))
    },
    onError: (error) => {
      tellFailed(error)
      void client.invalidateQueries({ queryKey: slotsKey(slotsAddress) })
    },
  })
  const present = when(Date.parse(booking.startTime), Date.parse(booking.endTime), zone)

  if (view.name === 'times') {
    return (
      <main className="card booking-move">
        <div className="move-head">
          <BackButton onClick={() => setView({ name: 'facts' })} />
          <h1 ref={heading} tabIndex={-1}>
            {tell('chooseNewTime')}
          </h1>
          <p className="muted">{tell('currentTime', { time: `${present.day}, ${present.hours}` })}</p>
        </div>
        <SlotPicker
          address={slotsAddress}
          hostName={booking.host.name}
          zone={zone}
          onZone={setZone}
          startAt={startDate(booking, zone)}
          onPick={(slot) => {
            move.reset()
            setView({ name: 'confirm', slot })
          }}
        />
      </main>
    )
  }
  if (view.name === 'confirm') {
    const { day, hours } = when(Date.parse(view.slot.startTime), Date.parse(view.slot.endTime), zone)
    return (
      <main className="card manage">
        <BackButton onClick={() => setView({ name: 'times' })} />
        <h1 ref={heading} tabIndex={-1}>
          {tell('confirmMove', { time: `${day}, ${hours}` })}
        </h1>
        <p className="muted">{tell('currentTime', { time: `${present.day}, ${present.hours}` })}</p>
        <div role="alert">{move.error && <p className="alert">{failureText(move.error)}</p>}</div>
        <div className="actions">
          <button
            type="button"
            className="button"
            aria-disabled={move.isPending}
            onClick={() => move.isPending || move.mutate(view.slot)}
          >
            {move.isPending && <span className="spinner" aria-hidden="true" />}
            {tell(move.isPending ? 'sending' : 'move')}
          </button>
          <button type="button" className="button button-quiet" onClick={() => setView({ name: 'facts' })}>
            {tell('keepTime')}
          </button>
        </div>
      </main>
    )
  }

  const live = booking.status === 'Confirmed' || booking.status === 'PendingApproval'
  const until = (instant: string) =>
    writeInstant(locale.tag, zone, Date.parse(instant), { dateStyle: 'medium', timeStyle: 'short' })
  // Until it begins is what everyone expects anyway.
  const isEarly = (instant: string) => Date.parse(instant) < Date.parse(booking.startTime)
  const deadlines = [
    booking.canReschedule &&
      isEarly(booking.rescheduleUntil) &&
      tell('rescheduleUntil', { time: until(booking.rescheduleUntil) }),
    booking.canCancel &&
      isEarly(booking.cancelUntil) &&
      tell('cancelUntil', { time: until(booking.cancelUntil) }),
  ].filter((sentence) => sentence !== false)
  return (
    <main className="card manage">
      <div>
        <p className="status" data-status={booking.status}>
          {tell(`status${booking.status}`)}
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {booking.eventType.name}
        </h1>
        <Live>{view.said ?? ''}</Live>
        {view.said !== undefined && (
          <p className="muted" aria-hidden="true">
            {view.said}
          </p>
        )}
      </div>
      <MeetingFacts
        hostName={booking.host.name}
        startTime={booking.startTime}
        endTime={booking.endTime}
        zone={zone}
        location={booking.location}
      />
      {booking.reason !== '' && (
        <p className="reason">
          <strong>{tell('reason')}:</strong> {booking.reason}
        </p>
      )}
      {booking.status === 'Confirmed' && (
        <AddToCalendar links={booking.calendarLinks} file={ownAddress(base, link, '/calendar.ics')} />
      )}
      {live && (booking.canReschedule || booking.canCancel) && (
        <div className="actions">
          {booking.canReschedule && (
            <button type="button" className="button" onClick={() => setView({ name: 'times' })}>
              {tell('reschedule')}
            </button>
          )}
          {booking.canCancel && (
            <button type="button" className="button button-quiet" onClick={() => setCancelling(true)}>
              {tell('cancelBooking')}
            </button>
          )}
        </div>
      )}
      {live && !booking.canReschedule && !booking.canCancel && (
        <p className="muted">{tell('tooLateToChange', { name: booking.host.name })}</p>
      )}
      {deadlines.length > 0 && <p className="muted small">{deadlines.join(' ')}</p>}
      {!live && (
        <a
          className="button"
          href={withCarriedQuery(`${base}/${booking.userSlug}/${booking.eventType.slug}`)}
        >
          {tell('bookAgain')}
        </a>
      )}
      {cancelling && (
        <Suspense>
          <CancelDialog
            hostName={booking.host.name}
            cancel={(reason) =>
              post(ownAddress(base, link, '/cancel'), { reason }).catch((error) => {
                tellFailed(error)
                throw error
              })
            }
            failureText={failureText}
            onClose={() => setCancelling(false)}
            onCancelled={() => {
              setCancelling(false)
              tellSite('cancelled', { bookingId: booking.id })
              void settle(tell('cancelled'))
            }}
          />
        </Suspense>
      )}
    </main>
  )

  function failureText(error: Error): string {
    if (!(error instanceof ApiFailure) || error.status === 0 || error.status >= 500) return tell('notReached')
    return error.message
  }
}

function BackButton({ onClick }: { readonly onClick: () => void }) {
  const { tell } = useSpeech()
  return (
    <button type="button" className="text-button" onClick={onClick}>
      <BackIcon size={16} />
      {tell('back')}
    </button>
  )
}

/** Where the calendar opens: on the booking's own day, unless that is over. */
function startDate({ startTime }: OwnBooking, zone: string): string | undefined {
  const startsAt = Date.parse(startTime)
  return startsAt > Date.now() ? dateIn(zone, startsAt) : undefined
}
