import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Live } from '../../../parts/live.tsx'
import { Button } from '../../core/buttons.tsx'
import { withQuery } from '../../core/data/api.ts'
import { useEventTypes, useOwners, usePages } from '../../core/data/data.ts'
import { saveFile } from '../../core/data/save-file.ts'
import type { ListedBookingView } from '../../core/data/views.ts'
import { Segments, TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { useSettled, useTyped } from '../../core/fields/typed.ts'
import { EmptyState, RowsSkeleton, ShowMore } from '../../core/page.tsx'
import { Link, navigate, useRoute } from '../../core/router.tsx'
import { useTimes } from '../../core/time/times.ts'
import { list, tell, words } from '../../words.ts'
import {
  BookingFilterFields,
  type BookingFilters,
  filtersIn,
  isFiltered,
  toQuery,
} from '../booking-filters.tsx'
import { BookingRow, HostBadge } from '../booking-row.tsx'
import { BOOKING_VIEWS, type BookingsView } from '../bookings-view.ts'
import { usePendingCount } from '../pending-count.ts'
import { type Answer, useAnswers } from '../use-answers.ts'
import { BulkBar } from './bulk-bar.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { SidePanel } from './side-panel.tsx'

/** To the minute, so that the query stays the same while the host looks at its answer. */
const thisMinute = () => `${new Date().toISOString().slice(0, 16)}:00Z`

function filterOf(view: BookingsView, now: string): Record<string, string> {
  switch (view) {
    case 'upcoming':
      return { status: 'Confirmed,PendingPayment', from: now, order: 'asc' }
    case 'pending':
      return { status: 'PendingApproval', order: 'asc' }
    case 'past':
      return { status: 'Confirmed,Completed,NoShow', to: now, order: 'desc' }
    case 'cancelled':
      return { status: 'Cancelled,Declined', order: 'desc' }
  }
}

/** The bookings of the user and their teams. What it shows is in the address. */
export function BookingList() {
  const { query } = useRoute()
  const wanted = query.get('view')
  const view = BOOKING_VIEWS.find((one) => one === wanted) ?? 'upcoming'
  const text = query.get('text') ?? ''
  const [typed, setTyped] = useTyped(text)
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
  const shared = new URLSearchParams({ view, ...givenOf(filters), ...(text !== '' && { text }) }).toString()
  const addressOf = (id: string | undefined) =>
    `/app/bookings?${shared}${id === undefined ? '' : `&open=${id}`}`
  const show = (next: BookingsView, narrowed: BookingFilters) =>
    navigate(
      withQuery('/app/bookings', { view: next, ...givenOf(narrowed), text: typed.trim() || undefined }),
      {
        replace: true,
      },
    )
  const settled = useSettled(typed.trim())
  const search = useEffectEvent(() => settled === typed.trim() && settled !== text && show(view, filters))
  useEffect(() => {
    if (settled !== undefined) search()
  }, [settled])
  const open = query.get('open') ?? undefined
  const hasTeams = useOwners().some(({ team }) => team)
  const pages = usePages<ListedBookingView>(
    '/bookings',
    { ...filter, ...searched },
    // While the host types, the last result stays until there is another.
    ([, , previous]) => isSameView(previous, filter),
  )
  const { items } = pages
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
        {hasTeams && (
          <Segments
            label={b.whose}
            value={filters.scope === 'mine' ? 'mine' : 'team'}
            options={(['mine', 'team'] as const).map((id) => ({ id, label: b.whoseBookings[id] }))}
            onChange={(id) => show(view, { ...filters, scope: id === 'mine' ? 'mine' : '' })}
          />
        )}
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
      <SavedFilters query={shared} worthSaving={isFiltered(filters) || text !== '' || filters.scope !== ''} />
      <ErrorAlert error={download.error} />
      <Live>
        {items === undefined || pages.isPlaceholderData
          ? words.loading
          : tell(b.found, { count: items.length })}
      </Live>
      <ErrorAlert error={pages.error} />
      {items === undefined && !pages.isError && <RowsSkeleton rows={5} />}
      {items !== undefined && (
        <Days
          key={JSON.stringify([filter, text])}
          bookings={items}
          view={view}
          openId={open}
          addressOf={addressOf}
          whenEmpty={
            <NoBookings
              view={view}
              searched={text !== ''}
              filtered={isFiltered(filters)}
              unfinished={pages.hasNextPage}
            />
          }
        />
      )}
      <ShowMore list={pages} label={items?.length === 0 ? searchOn(view) : words.more} />
    </>
  )
}

const givenOf = (filters: BookingFilters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))

const isSameView = (previous: unknown, filter: Record<string, string>) =>
  Object.entries(filter).every(([key, value]) => (previous as typeof filter)[key] === value)

const searchOn = (view: BookingsView) =>
  view === 'upcoming' || view === 'pending' ? words.bookings.searchLater : words.bookings.searchOlder

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
  readonly openId: string | undefined
  readonly addressOf: (id: string | undefined) => string
  readonly whenEmpty: ReactNode
}

function Days({ bookings, view, openId, addressOf, whenEmpty }: DaysProps) {
  const times = useTimes()
  const { shown, answers, undoable, answered, undone, listProps } = useAnswers(bookings)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const b = words.bookings
  const selected = shown.filter(({ id }) => chosen.has(id))
  const select = (ids: readonly string[], on: boolean) =>
    setChosen((before) => {
      const after = new Set(before)
      for (const id of ids) {
        if (on) after.add(id)
        else after.delete(id)
      }
      return after
    })
  const days = Map.groupBy(shown, ({ startTime }) => times.date(Date.parse(startTime)))
  const row = (booking: ListedBookingView) => (
    <BookingRow
      key={booking.id}
      booking={booking}
      view={view}
      answer={answers.get(booking.id)}
      mayUndo={booking.id === undoable}
      onAnswered={(answer: Answer) => answered(booking.id, answer)}
      onUndone={() => undone(booking.id)}
      selected={chosen.has(booking.id)}
      onSelect={(on) => select([booking.id], on)}
      onOpen={() => navigate(addressOf(booking.id), { scroll: false })}
    />
  )
  return (
    <>
      {openId !== undefined && (
        <SidePanel id={openId} ids={shown.map(({ id }) => id)} addressOf={addressOf} />
      )}
      <BulkBar selected={selected} onClear={() => setChosen(new Set())} />
      {shown.length === 0 && whenEmpty}
      {shown.length > 0 && (
        <label className="select-all">
          <input
            type="checkbox"
            checked={selected.length === shown.length}
            onChange={({ target }) =>
              select(
                shown.slice(0, MOST_AT_ONCE).map(({ id }) => id),
                target.checked,
              )
            }
          />
          {b.selectAll}
        </label>
      )}
      <div {...listProps}>
        {[...days].map(([date, ofDay]) => (
          <section key={date} className="block">
            <h2 className="day-head">{times.day(Date.parse(ofDay[0]?.startTime ?? ''))}</h2>
            <ul className="panel">
              {[...Map.groupBy(ofDay, ({ meetingId }) => meetingId).values()].map((seats) =>
                seats.length > 1 ? (
                  <Seats key={seats[0]?.meetingId} seats={seats} row={row} />
                ) : (
                  seats.map(row)
                ),
              )}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

/** As many as the server changes at once. */
const MOST_AT_ONCE = 200

interface SeatsProps {
  readonly seats: readonly ListedBookingView[]
  readonly row: (booking: ListedBookingView) => ReactNode
}

/** The guests of one meeting, in one row that unfolds. */
function Seats({ seats, row }: SeatsProps) {
  const times = useTimes()
  const [unfolded, setUnfolded] = useState(false)
  const eventTypes = useEventTypes().data
  const [first] = seats
  if (first === undefined) return null
  const [startsAt, endsAt] = [Date.parse(first.startTime), Date.parse(first.endTime)]
  const sorted = seats.toSorted((a, b) => a.seat - b.seat)
  return (
    <li>
      <div className="row row-booking">
        <span className="row-check" />
        <p className="row-time">
          {times.time(startsAt)} <span className="muted">– {times.time(endsAt)}</span>
        </p>
        <div className="row-main">
          <button
            type="button"
            className="row-title"
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
          >
            {tell(words.week.guests, { count: seats.length })}
          </button>
          <p className="row-sub">{list(sorted.map(({ invitee }) => invitee.name))}</p>
        </div>
        <p className="row-cell">{eventTypes?.find(({ id }) => id === first.eventTypeId)?.name}</p>
        <HostBadge booking={first} />
        <p className="row-cell">{words.locations[first.location.type]}</p>
      </div>
      {unfolded && <ul className="row-seats">{sorted.map(row)}</ul>}
    </li>
  )
}
