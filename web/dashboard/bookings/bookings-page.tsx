import { useState } from 'react'
import { Attention } from '../core/attention.tsx'
import { Button } from '../core/buttons.tsx'
import { useAll, useOne } from '../core/data/data.ts'
import type { ScheduleView } from '../core/data/views.ts'
import { Segments } from '../core/fields/fields.tsx'
import { Page, RowsSkeleton } from '../core/page.tsx'
import { Link, navigate, useRoute } from '../core/router.tsx'
import { words } from '../words.ts'
import { BookSheet } from './book-sheet.tsx'
import { BookingList } from './list/booking-list.tsx'
import { WeekView } from './week/week-view.tsx'

const LAYOUTS = ['list', 'week'] as const

export default function BookingsPage() {
  const layout = useRoute().query.get('layout') === 'week' ? 'week' : 'list'
  const wanted = useRoute().query.get('book')
  const [booking, setBooking] = useState(wanted !== null)
  /** The free time in the week that was chosen. */
  const [bookAt, setBookAt] = useState<number>()
  // What stands above the bookings must not push them down later: they load meanwhile, unseen.
  const [attention, schedules] = [useOne('/attention'), useAll('/schedules')]
  const isSettled = !attention.isPending && !schedules.isPending
  const b = words.bookings
  return (
    <Page
      wide
      title={b.title}
      actions={
        <>
          <Button small onPress={() => setBooking(true)}>
            {b.bookForGuest}
          </Button>
          <Segments
            label={b.layout}
            value={layout}
            options={LAYOUTS.map((id) => ({ id, label: b.layouts[id] }))}
            onChange={(id) =>
              navigate(`/app/bookings${id === 'week' ? '?layout=week' : ''}`, { replace: true })
            }
          />
        </>
      }
    >
      {booking && <BookSheet {...(wanted && { eventTypeId: wanted })} onClose={() => setBooking(false)} />}
      {bookAt !== undefined && <BookSheet startAt={bookAt} onClose={() => setBookAt(undefined)} />}
      {isSettled ? (
        <>
          <Attention />
          <Unconfirmed />
        </>
      ) : (
        <RowsSkeleton rows={5} />
      )}
      <div hidden={!isSettled}>{layout === 'week' ? <WeekView onBook={setBookAt} /> : <BookingList />}</div>
    </Page>
  )
}

/** Says that an invited person can't be booked until they have looked at their hours. */
function Unconfirmed() {
  const hours = useAll<ScheduleView>('/schedules').data?.find(({ isDefault }) => isDefault)
  const a = words.availability
  if (hours?.confirmed !== false) return null
  return (
    <div className="alert conflict">
      <span>
        {a.unconfirmed}. {a.unconfirmedHint}
      </span>
      <Link className="button button-small" to="/app/availability">
        {a.checkHours}
      </Link>
    </div>
  )
}
