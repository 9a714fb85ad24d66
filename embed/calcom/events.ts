/** What our pages say, besides ids: only to this script, and nothing about the guest. */
type Said = Readonly<Record<string, unknown>>

type Named = readonly [type: string, data: unknown]

const STATUSES: Said = { Confirmed: 'ACCEPTED', PendingApproval: 'PENDING', Cancelled: 'CANCELLED' }

/** Names and addresses stay here, though the fields are there. */
const ORGANIZER = { name: '', email: '', timeZone: '' }

/** An event of our pages in the words that a site of Cal.com listens for. */
export function eventsFor(event: string, said: Said, address: string): readonly Named[] {
  const { eventTypeNumber: id = null, eventTypeSlug: slug } = said
  const eventType = { id, slug }
  const { routedTo, actionType } = said
  switch (event) {
    case 'ready':
      return [
        ['linkReady', {}],
        ...(slug && said.eventTypeId ? [named('bookerReady', { eventId: id, eventSlug: slug })] : []),
      ]
    case 'eventTypeSelected':
      return [['eventTypeSelected', { eventType }]]
    case 'booked':
      return bookingEvents('bookingSuccessful', said)
    case 'rescheduled':
      return bookingEvents('rescheduleBookingSuccessful', said)
    case 'cancelled':
      return [
        [
          'bookingCancelled',
          {
            booking: { ...bookingOf(said), status: 'CANCELLED', cancellationReason: '' },
            organizer: ORGANIZER,
            eventType,
          },
        ],
      ]
    case 'routed':
      return [['routed', { actionType, actionValue: routedTo }]]
    case 'failed':
      // A refusal on a page that works is no failure of the link.
      return said.eventTypeId || said.bookingId || said.formId ? [] : [linkFailed(said.status, address)]
    default:
      return []
  }
}

const named = (type: string, data: unknown): Named => [type, data]

const linkFailed = (status: unknown, url: string) =>
  named('linkFailed', { code: String(status || 503), msg: 'Problem loading the link', data: { url } })

function bookingOf({
  bookingId: uid,
  startTime,
  endTime,
  status,
  eventTypeNumber: eventTypeId = null,
}: Said) {
  return { uid, title: '', startTime, endTime, eventTypeId, status: STATUSES[String(status)] ?? status }
}

/** The newer event, and the older with everything that ours has of it. */
function bookingEvents(type: string, said: Said): readonly Named[] {
  const booking = bookingOf(said)
  const { eventTypeNumber: id = null, eventTypeSlug: slug, allBookings } = said
  const { startTime: date } = booking
  const duration = (Date.parse(String(booking.endTime)) - Date.parse(String(date))) / 60_000
  return [
    [
      type,
      {
        booking,
        eventType: { id, slug },
        date,
        duration,
        organizer: ORGANIZER,
        confirmed: booking.status !== 'PENDING',
      },
    ],
    [
      `${type}V2`,
      {
        ...booking,
        paymentRequired: false,
        isRecurring: allBookings !== undefined,
        ...(allBookings !== undefined && { allBookings }),
      },
    ],
  ]
}
