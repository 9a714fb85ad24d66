import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { Live } from '../../parts/live.tsx'
import { type Page as ApiPage, call, withQuery } from '../core/api.ts'
import { Action, Segments, TextInput, Trouble } from '../core/controls.tsx'
import { useEventTypes, useMe, useOwners } from '../core/data.ts'
import { ConfirmWithReason } from '../core/dialogs.tsx'
import { Empty, Page, RowsSkeleton } from '../core/page.tsx'
import { Link, navigate, usePlace } from '../core/router.tsx'
import { useTimes } from '../core/times.ts'
import type { ListedBookingView } from '../core/views.ts'
import { usePendingCount } from '../frame.tsx'
import { words } from '../words.ts'

const VIEWS = ['upcoming', 'pending', 'past', 'cancelled'] as const
type View = (typeof VIEWS)[number]

/** To the minute, so that the question stays the same while one looks at its answer. */
const thisMinute = () => `${new Date().toISOString().slice(0, 16)}:00Z`

function questionOf(view: View, now: string): Record<string, string> {
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

type Listed = InfiniteData<ApiPage<ListedBookingView>>

export default function BookingsPage() {
  const { query } = usePlace()
  const asked = query.get('view')
  const view = VIEWS.find((one) => one === asked) ?? 'upcoming'
  const [typed, setTyped] = useState(query.get('text') ?? '')
  const text = useDeferredValue(useSettled(typed.trim()))
  const [now] = useState(thisMinute)
  const pending = usePendingCount()
  const key = ['bookings', '/bookings', view, text]
  const list = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const path = withQuery('/bookings', {
        ...questionOf(view, now),
        limit: '30',
        text: text === '' ? undefined : text,
        cursor: pageParam === '' ? undefined : pageParam,
      })
      return (await call<ApiPage<ListedBookingView>>(path, { signal })).body
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // While one types, what was found before stays until something else is found.
    placeholderData: (before, query) => (query?.queryKey[2] === view ? before : undefined),
  })
  const found = list.data?.pages.flatMap(({ items }) => items)
  return (
    <Page title={words.bookings.title}>
      <div className="toolbar">
        <Segments
          label={words.bookings.which}
          value={view}
          options={VIEWS.map((id) => ({
            id,
            label: words.bookings.views[id],
            ...(id === 'pending' && { count: pending }),
          }))}
          onChange={(id) => navigate(`/app/bookings?view=${id}`, { replace: true })}
        />
        <div className="toolbar-search">
          <TextInput
            label={words.bookings.search}
            hideLabel
            type="search"
            placeholder={`${words.bookings.search} …`}
            maxLength={200}
            value={typed}
            onChange={setTyped}
          />
        </div>
      </div>
      <Live>
        {found === undefined || list.isPlaceholderData ? words.loading : words.bookings.found(found.length)}
      </Live>
      <Trouble error={list.error} />
      {found === undefined && !list.isError && <RowsSkeleton rows={5} />}
      {found !== undefined && found.length === 0 && (
        <NothingFound view={view} searched={text !== ''} more={list.hasNextPage} />
      )}
      {found !== undefined && <Days bookings={found} view={view} listKey={key} />}
      {list.hasNextPage && (
        <div className="mt-6 text-center">
          <Action busy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {found?.length === 0 ? words.bookings.goOn : words.more}
          </Action>
        </div>
      )}
    </Page>
  )
}

/** What is typed, once nothing has been typed for a moment. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), 250)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}

function NothingFound(props: { readonly view: View; readonly searched: boolean; readonly more: boolean }) {
  const { view, searched, more } = props
  if (more) return <Empty title={words.bookings.searching} />
  if (searched) return <Empty title={words.bookings.noMatch}>{words.bookings.noMatchHint}</Empty>
  return (
    <Empty
      title={words.bookings.empty[view]}
      action={
        view === 'upcoming' && (
          <Link className="button" to="/app/event-types">
            {words.bookings.share}
          </Link>
        )
      }
    >
      {words.bookings.emptyHint[view]}
    </Empty>
  )
}

interface DaysProps {
  readonly bookings: readonly ListedBookingView[]
  readonly view: View
  readonly listKey: readonly unknown[]
}

function Days({ bookings, view, listKey }: DaysProps) {
  const times = useTimes()
  const days = Map.groupBy(bookings, ({ startTime }) => times.date(Date.parse(startTime)))
  return [...days].map(([date, ofDay]) => (
    <section key={date} className="mt-6">
      <h2 className="day-head">{times.day(Date.parse(ofDay[0]?.startTime ?? ''))}</h2>
      <ul className="panel rows">
        {ofDay.map((booking) => (
          <Row key={booking.id} booking={booking} view={view} listKey={listKey} />
        ))}
      </ul>
    </section>
  ))
}

interface RowProps {
  readonly booking: ListedBookingView
  readonly view: View
  readonly listKey: readonly unknown[]
}

function Row({ booking, view, listKey }: RowProps) {
  const times = useTimes()
  const owners = useOwners()
  const me = useMe().data?.body
  const eventType = useEventTypes().data?.find(({ id }) => id === booking.eventTypeId)
  const owner = owners.find(({ id }) => id === booking.ownerId)
  const client = useQueryClient()
  const [declining, setDeclining] = useState(false)
  const [startsAt, endsAt] = [Date.parse(booking.startTime), Date.parse(booking.endTime)]

  const decide = useMutation({
    mutationFn: ({ action, reason }: { action: 'approve' | 'decline'; reason?: string }) =>
      call(`/bookings/${booking.id}/${action}`, { method: 'POST', body: reason ? { reason } : {} }),
    // It is off the list at once; if that was wrong, it comes back and says why.
    onMutate: async () => {
      await client.cancelQueries({ queryKey: listKey })
      const before = client.getQueryData<Listed>(listKey)
      client.setQueryData<Listed>(
        listKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.filter(({ id }) => id !== booking.id),
            })),
          },
      )
      return { before }
    },
    onError: (_error, _given, context) => client.setQueryData(listKey, context?.before),
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/bookings'),
      }),
  })
  const mayDecide = view === 'pending' && (owner?.manages === true || booking.hostId === me?.id)
  return (
    <li className="row booking-row">
      <p className="row-time">
        {times.time(startsAt)} <span className="text-muted">– {times.time(endsAt)}</span>
      </p>
      <div className="min-w-0 flex-1">
        <Link className="row-title" to={`/app/bookings/${booking.id}`}>
          {booking.invitee.name}
        </Link>
        <p className="row-sub">
          {eventType?.name ?? ' '}
          {owner?.team && ` · ${owner.name}`}
          {booking.seats > 1 && ` · ${words.bookings.seat(booking.seat, booking.seats)}`}
        </p>
      </div>
      {mayDecide ? (
        <div className="flex flex-wrap gap-2">
          <Action
            small
            kind="main"
            busy={decide.isPending}
            label={words.bookings.approveOf(booking.invitee.name)}
            onPress={() => decide.mutate({ action: 'approve' })}
          >
            {words.bookings.approve}
          </Action>
          <Action
            small
            label={words.bookings.declineOf(booking.invitee.name)}
            onPress={() => setDeclining(true)}
          >
            {words.bookings.decline}
          </Action>
        </div>
      ) : (
        view !== 'upcoming' && (
          <span className="status" data-status={booking.status}>
            {words.statuses[booking.status]}
          </span>
        )
      )}
      {decide.error && (
        <div className="basis-full">
          <Trouble error={decide.error} />
        </div>
      )}
      {declining && (
        <ConfirmWithReason
          title={words.bookings.declineTitle(booking.invitee.name)}
          hint={words.bookings.declineHint}
          confirm={words.bookings.decline}
          onClose={() => setDeclining(false)}
          onConfirm={(reason) => {
            setDeclining(false)
            decide.mutate({ action: 'decline', reason })
          }}
        />
      )}
    </li>
  )
}
