import { type ListPage, withQuery } from '../../core/data/api.ts'
import { useEventTypes, useOne } from '../../core/data/data.ts'
import type { BookingView, ListedBookingView } from '../../core/data/views.ts'
import { Section } from '../../core/page.tsx'
import { Link } from '../../core/router.tsx'
import { useTimes } from '../../core/time/times.ts'
import { list, words } from '../../words.ts'

const SHOWN = 10

/** Other bookings of the same guest, the latest first. */
export function RelatedBookings({ booking }: { readonly booking: BookingView }) {
  const { email } = booking.invitee
  const path = withQuery('/bookings', { q: email, sort: '-start', limit: '50' })
  const found = useOne<ListPage<ListedBookingView>>(path, email !== '')
  const eventTypes = useEventTypes().data ?? []
  const times = useTimes()
  const others = (found.data?.body.items ?? []).filter(
    ({ id, invitee }) => id !== booking.id && invitee.email.toLowerCase() === email.toLowerCase(),
  )
  if (others.length === 0) return null
  return (
    <Section title={words.bookings.related}>
      <ul className="related">
        {others.slice(0, SHOWN).map(({ id, startTime, status, eventTypeId }) => (
          <li key={id}>
            <Link className="link" to={`/app/bookings/${id}`}>
              {times.moment(startTime)}
            </Link>{' '}
            <span className="muted small">
              {list([
                ...eventTypes.filter((one) => one.id === eventTypeId).map(({ name }) => name),
                words.statuses[status],
              ])}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
