import { writeAnswer } from '../../../src/domain/event-types/questions.ts'
import { formatPrice } from '../../../src/domain/payments/price.ts'
import { mailtoOf } from '../../../src/format/text/mailto.ts'
import { useCity } from '../../parts/time/zones.ts'
import { CopyButton } from '../core/buttons.tsx'
import type { ListPage } from '../core/data/api.ts'
import { useEventTypes, useMe, useOne, useOwners } from '../core/data/data.ts'
import type { BookingView, MemberView, PaymentEntryView } from '../core/data/views.ts'
import { language } from '../core/language.ts'
import { Fact } from '../core/page.tsx'
import { Link } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { list, tell, words } from '../words.ts'
import { FailedRefunds } from './details/money-trouble.tsx'
import { paymentText } from './payment-text.ts'

/** Everything about a booking that the host may want to read. */
export function BookingFacts({ booking }: { readonly booking: BookingView }) {
  const times = useTimes()
  const owner = useOwners().find(({ id }) => id === booking.ownerId)
  const eventType = useEventTypes().data?.find(({ id }) => id === booking.eventTypeId)
  const b = words.bookings
  const { invitee, location } = booking
  const labelOf = (key: string) => eventType?.questions.find((one) => one.key === key)?.label ?? key
  return (
    <dl className="facts-list">
      <When booking={booking} />
      <Fact name={b.what}>
        <Link className="link" to={`/app/event-types/${booking.eventTypeId}`}>
          {eventType?.name ?? booking.eventTypeId}
        </Link>
        {owner?.team && <span className="muted"> · {owner.name}</span>}
      </Fact>
      <Fact name={b.where}>
        {words.locations[location.type]}
        {location.value !== '' && (
          <>
            <br />
            {location.value}
          </>
        )}
        {isOnline(location) && (
          <span className="actions join">
            <a className="button button-small" href={location.value} target="_blank" rel="noreferrer">
              {b.join}
            </a>
            <CopyButton text={location.value}>{words.copyLink}</CopyButton>
          </span>
        )}
      </Fact>
      <Fact name={words.email}>
        <a className="link" href={mailtoOf(invitee.email)}>
          {invitee.email}
        </a>
      </Fact>
      {booking.guests.length > 0 && (
        <Fact name={b.additionalGuests}>
          {booking.guests.map((email) => (
            <a key={email} className="link guest-address" href={mailtoOf(email)}>
              {email}
            </a>
          ))}
        </Fact>
      )}
      {invitee.phone !== '' && <Fact name={b.phone}>{invitee.phone}</Fact>}
      {owner?.team && (
        <Fact name={b.host}>
          <HostNames booking={booking} />
          {booking.assignment && (
            <>
              <br />
              <span className="muted small">{b.assigned[booking.assignment.reason]}</span>
            </>
          )}
        </Fact>
      )}
      {booking.routing && (
        <Fact name={b.routing}>
          <Link className="link" to={`/app/forms/${booking.routing.formId}?view=responses`}>
            {b.response}
          </Link>
        </Fact>
      )}
      {booking.seats > 1 && (
        <Fact name={b.seatLabel}>{tell(b.seat, { seat: booking.seat, seats: booking.seats })}</Fact>
      )}
      {booking.seriesPlace && (
        <Fact name={b.series}>
          {tell(b.meetingOf, { number: booking.seriesPlace.number, count: booking.seriesPlace.count })}
          <OtherDates booking={booking} />
        </Fact>
      )}
      {booking.payment && (
        <Fact name={b.payment}>
          {paymentText(booking.payment, language())}
          <Disputes booking={booking} />
          <FailedRefunds booking={booking} />
        </Fact>
      )}
      {booking.notes !== '' && <Fact name={b.notes}>{booking.notes}</Fact>}
      {Object.entries(booking.customFields).map(([key, value]) => (
        <Fact key={key} name={labelOf(key)}>
          {answerText(value)}
        </Fact>
      ))}
      {booking.reason !== '' && <Fact name={b.reason}>{booking.reason}</Fact>}
      <Fact name={b.bookedAt}>{list([times.moment(booking.createdAt), b.sources[booking.source]])}</Fact>
      <Fact name={b.id}>
        <code className="small">{booking.id}</code>
      </Fact>
    </dl>
  )
}

/** What the guest's bank wants back. */
function Disputes({ booking: { id, payment } }: { readonly booking: BookingView }) {
  const { data } = useOne<ListPage<PaymentEntryView>>(
    `/payments?bookingId=${id}&kind=disputed`,
    payment !== null,
  )
  return data?.body.items.map(({ id: entry, amount, currency }) => (
    <p key={entry} className="alert">
      {tell(words.bookings.disputed, { price: formatPrice({ amount, currency }, language()) })}
    </p>
  ))
}

/** Whether there is a link to join it. */
const isOnline = ({ type, value }: BookingView['location']) =>
  (type === 'Video' || type === 'Link') && /^https?:\/\//.test(value)

function When({ booking }: { readonly booking: BookingView }) {
  const cityOf = useCity()
  const times = useTimes()
  const b = words.bookings
  const [startsAt, endsAt] = [Date.parse(booking.startTime), Date.parse(booking.endTime)]
  const guestZone = booking.invitee.timezone
  return (
    <Fact name={b.when}>
      <strong>{times.day(startsAt)}</strong>
      <br />
      {times.time(startsAt)} – {times.time(endsAt)} ({cityOf(times.zone)})
      {guestZone !== times.zone && (
        <>
          <br />
          <span className="muted small">
            {tell(b.guestTime, { time: times.moment(booking.startTime, guestZone), zone: cityOf(guestZone) })}
          </span>
        </>
      )}
    </Fact>
  )
}

/** The dates of its series, each with a link to its booking. */
function OtherDates({ booking }: { readonly booking: BookingView }) {
  const times = useTimes()
  return (
    <ol className="series-dates">
      {booking.series.map(({ id, startTime, status }) => (
        <li key={id}>
          {id === booking.id ? (
            <span aria-current="true">
              {times.moment(startTime)} · {words.bookings.thisMeeting}
            </span>
          ) : (
            <Link className="link" to={`/app/bookings/${id}`}>
              {times.moment(startTime)}
            </Link>
          )}
          {id !== booking.id && status !== booking.status && ` · ${words.statuses[status]}`}
        </li>
      ))}
    </ol>
  )
}

function HostNames({ booking }: { readonly booking: BookingView }) {
  const me = useMe().data?.body
  const members = useOne<ListPage<MemberView>>(`/teams/${booking.ownerId}/members?limit=100`)
  const nameOf = (id: string) =>
    members.data?.body.items.find(({ userId }) => userId === id)?.name ??
    (id === me?.id ? me.name : undefined) ??
    // They have left the team, or deleted their account.
    (members.data?.body.nextCursor === null ? words.bookings.formerHost : undefined)
  const names = new Set(booking.hostIds.map((id) => nameOf(id) ?? ''))
  return list([...names].filter(Boolean)) || '…'
}

function answerText(value: unknown): string {
  if (typeof value === 'boolean') return value ? words.bookings.yes : words.bookings.no
  return writeAnswer(value)
}
