import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ManageData } from '../../src/http/pages/page-data.ts'
import { wearAccent } from '../parts/accent.ts'
import { ApiFailure, ask } from '../parts/api.ts'
import { Frame } from '../parts/frame.tsx'
import { carryJustBooked, wasJustBooked } from '../parts/meeting/just-booked.ts'
import { loadOwnBooking } from '../parts/meeting/own-booking.ts'
import { untilNextLook } from '../parts/meeting/unpaid.ts'
import { Queries } from '../parts/queries.tsx'
import { useSpeech } from '../parts/texts.tsx'
import { OwnBookingCard } from './own-booking-card.tsx'

/** Where guests see, reschedule and cancel their own booking. */
export function ManagePage({ data }: { readonly data: ManageData }) {
  return (
    <Queries>
      <Frame {...data} onLanguage={() => wasJustBooked(data.bookingId) && carryJustBooked(data.bookingId)}>
        <Booking data={data} />
      </Frame>
    </Queries>
  )
}

function Booking({ data }: { readonly data: ManageData }) {
  const { tell } = useSpeech()
  const token = new URLSearchParams(location.search).get('token') ?? ''
  const link = { id: data.bookingId, token }
  const [openedAt] = useState(() => Date.now())
  const booking = useQuery({
    queryKey: ['booking'],
    queryFn: ({ signal }) => loadOwnBooking(data.base, link, signal),
    refetchInterval: ({ state }) => (state.data ? untilNextLook(state.data, openedAt) : false),
  })
  useLook(data.base, booking.data?.userSlug)

  useEffect(() => {
    document.title = `${booking.data?.eventType.name ?? tell('yourBooking')} · Punctual`
  }, [booking.data?.eventType.name, tell])

  // The confirmation took this address without loading a page, so that going back does not load one either.
  useEffect(() => {
    const leave = () => location.pathname.endsWith(`/${data.bookingId}`) || location.reload()
    addEventListener('popstate', leave)
    return () => removeEventListener('popstate', leave)
  }, [data.bookingId])

  if (booking.data !== undefined) {
    return (
      <OwnBookingCard base={data.base} booking={booking.data} link={link} isEmbedded={data.embed !== false} />
    )
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

/** Applies the host's colour and theme as soon as the host is known. */
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
    // A site that embeds the page may have set a colour.
    const isSet = new URLSearchParams(location.search).has('primary_color')
    if (primaryColor !== undefined && !isSet) wearAccent(primaryColor)
    // A site that embeds the page has set its own theme.
    if (theme !== undefined && theme !== 'auto') document.documentElement.dataset.theme ??= theme
  }, [primaryColor, theme])
}
