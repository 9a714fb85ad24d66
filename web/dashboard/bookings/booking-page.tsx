import { useOne } from '../core/data/data.ts'
import type { BookingView } from '../core/data/views.ts'
import { Page } from '../core/page.tsx'
import { words } from '../words.ts'
import { BookingDetails } from './booking-details.tsx'

export default function BookingPage({ id }: { readonly id: string }) {
  const booking = useOne<BookingView>(`/bookings/${id}`)
  return (
    <Page
      title={booking.data?.body.invitee.name ?? words.bookings.title}
      back={{ to: '/app/bookings', label: words.bookings.title }}
    >
      <BookingDetails id={id} />
    </Page>
  )
}
