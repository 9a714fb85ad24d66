import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { Live } from '../../parts/live.tsx'
import { Attention } from '../core/attention.tsx'
import { Button } from '../core/buttons.tsx'
import { withQuery } from '../core/data/api.ts'
import { useAll, usePages } from '../core/data/data.ts'
import { saveFile } from '../core/data/save-file.ts'
import type { ListedBookingView, ScheduleView } from '../core/data/views.ts'
import { Segments, TextInput } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { EmptyState, Page, RowsSkeleton, ShowMore } from '../core/page.tsx'
import { Link, navigate, useRoute } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'
import { BookSheet } from './book-sheet.tsx'
import {
  BookingFilterFields,
  type BookingFilters,
  filtersIn,
  isFiltered,
  toQuery,
} from './booking-filters.tsx'
import { BookingRow } from './booking-row.tsx'
import { BOOKING_VIEWS, type BookingsView } from './bookings-view.ts'
import { usePendingCount } from './pending-count.ts'
import { useAnswers } from './use-answers.ts'
import { WeekView } from './week/week-view.tsx'

/** To the minute, so that the query stays the same while the host looks at its answer. */
const thisMinute = () => `${new Date().toISOString().slice(0, 16)}:00Z`

function filterOf(view: BookingsView, now: string): Record<string, string> {
  switch (view) {
    case 'upcoming':
      return { status: 'Confirmed', from: now, order: 'asc' }
    case 'pending':
      return { status: 'PendingApproval', order: 'asc' }
    case 'past':
      return { status: 'Confirmed,Completed,NoShow', to: now, order: 'desc' }
    case 'cancelled':
      return { status: 'Cancelled,Declined', order: 'desc' }
  }
}

const LAYOUTS = ['list', 'week'] as const

export default function BookingsPage() {
  const layout = useRoute().query.get('layout') === 'week' ? 'week' : 'list'
  const wanted = useRoute().query.get('book')
  const [booking, setBooking] = useState(wanted !== null)
  const b = words.bookings
  return (
    <Page
      wide={layout === 'week'}
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
      <Attention />
      <Unconfirmed />
      {layout === 'week' ? <WeekView /> : <List />}
    </Page>
  )
}

function List() {
  const { query } = useRoute()
  const wanted = query.get('view')
  const view = BOOKING_VIEWS.find((one) => one === wanted) ?? 'upcoming'
  const [typed, setTyped] = useState(query.get('text') ?? '')
  const text = useDeferredValue(useSettled(typed.trim()))
  const [now] = useState(thisMinute)
  const pending = usePendingCount()
  const b = words.bookings
  const { zone } = useTimes()
  const filters = filtersIn(query)
  const [filtering, setFiltering] = useState(isFiltered(filters))
  const wantedQuery = toQuery(filters, filterOf(view, now), zone)
  const filter = { ...wantedQuery, limit: '30' }
  const searched = { text: text === '' ? undefined : text }
  const download = useMutation({
    mutationFn: () => saveFile(withQuery('/bookings.csv', { ...wantedQuery, ...searched }), 'bookings.csv'),
  })
  const show = (next: BookingsView, narrowed: BookingFilters) =>
    navigate(withQuery('/app/bookings', { view: next, ...givenOf(narrowed) }), { replace: true })
  const list = usePages<ListedBookingView>(
    '/bookings',
    { ...filter, ...searched },
    // While the host types, the last result stays until there is another.
    ([, , previous]) => isSameView(previous, filter),
  )
  const { items } = list
  return (
    <>
      <div className="toolbar">
        <Segments
          label={b.which}
          value={view}
          options={BOOKING_VIEWS.map((id) => ({
            id,
            label: b.views[id],
            ...(id === 'pending' && { count: pending }),
          }))}
          onChange={(id) => show(id, filters)}
        />
        <div className="toolbar-search">
          <TextInput
            label={b.search}
            hideLabel
            type="search"
            placeholder={b.search}
            maxLength={200}
            value={typed}
            onChange={setTyped}
          />
        </div>
        <div className="actions">
          <button
            type="button"
            className="button button-quiet button-small"
            aria-expanded={filtering}
            onClick={() => setFiltering(!filtering)}
          >
            {b.filter}
          </button>
          <Button small busy={download.isPending} onPress={() => download.mutate()}>
            {b.csv}
          </Button>
        </div>
      </div>
      {filtering && <BookingFilterFields filters={filters} onChange={(narrowed) => show(view, narrowed)} />}
      <ErrorAlert error={download.error} />
      <Live>
        {items === undefined || list.isPlaceholderData
          ? words.loading
          : tell(b.found, { count: items.length })}
      </Live>
      <ErrorAlert error={list.error} />
      {items === undefined && !list.isError && <RowsSkeleton rows={5} />}
      {items !== undefined && (
        <Days
          key={JSON.stringify([filter, text])}
          bookings={items}
          view={view}
          whenEmpty={
            <NoBookings
              view={view}
              searched={text !== ''}
              filtered={isFiltered(filters)}
              unfinished={list.hasNextPage}
            />
          }
        />
      )}
      <ShowMore list={list} label={items?.length === 0 ? searchOn(view) : words.more} />
    </>
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

const givenOf = (filters: BookingFilters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))

const isSameView = (previous: unknown, filter: Record<string, string>) =>
  Object.entries(filter).every(([key, value]) => (previous as typeof filter)[key] === value)

const searchOn = (view: BookingsView) =>
  view === 'upcoming' || view === 'pending' ? words.bookings.searchLater : words.bookings.searchOlder

/** What is typed, after a short pause. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), 250)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}

interface NoBookingsProps {
  readonly view: BookingsView
  readonly searched: boolean
  readonly filtered: boolean
  /** The server has looked through a part of the bookings only. */
  readonly unfinished: boolean
}

function NoBookings({ view, searched, filtered, unfinished }: NoBookingsProps) {
  const b = words.bookings
  if (unfinished) return <EmptyState title={b.noneSoFar} />
  if (filtered) return <EmptyState title={b.noneFiltered}>{b.noneFilteredHint}</EmptyState>
  if (searched) return <EmptyState title={b.noMatch}>{b.noMatchHint}</EmptyState>
  return (
    <EmptyState
      title={b.empty[view]}
      action={
        view === 'upcoming' && (
          <Link className="button" to="/app/event-types">
            {b.share}
          </Link>
        )
      }
    >
      {b.emptyHint[view]}
    </EmptyState>
  )
}

interface DaysProps {
  readonly bookings: readonly ListedBookingView[]
  readonly view: BookingsView
  readonly whenEmpty: ReactNode
}

function Days({ bookings, view, whenEmpty }: DaysProps) {
  const times = useTimes()
  const { shown, answers, undoable, answered, undone, listProps } = useAnswers(bookings)
  const days = Map.groupBy(shown, ({ startTime }) => times.date(Date.parse(startTime)))
  if (shown.length === 0) return whenEmpty
  return (
    <div {...listProps}>
      {[...days].map(([date, ofDay]) => (
        <section key={date} className="block">
          <h2 className="day-head">{times.day(Date.parse(ofDay[0]?.startTime ?? ''))}</h2>
          <ul className="panel">
            {ofDay.map((booking) => (
              <BookingRow
                key={booking.id}
                booking={booking}
                view={view}
                answer={answers.get(booking.id)}
                mayUndo={booking.id === undoable}
                onAnswered={(answer) => answered(booking.id, answer)}
                onUndone={() => undone(booking.id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
