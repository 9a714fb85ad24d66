import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type ListPage } from '../core/api.ts'
import { Button } from '../core/buttons.tsx'
import { useEventTypes, useMe, useOwners } from '../core/data.ts'
import { ConfirmWithReason } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/form-errors.tsx'
import { Link } from '../core/router.tsx'
import { useTimes } from '../core/times.ts'
import type { ListedBookingView } from '../core/views.ts'
import { words } from '../words.ts'
import type { BookingsView } from './bookings-view.ts'

interface Props {
  readonly booking: ListedBookingView
  readonly view: BookingsView
  /** The query that the row was loaded by. */
  readonly listKey: readonly unknown[]
}

/** A booking in the list; a request can be approved or declined right there. */
export function BookingRow({ booking, view, listKey }: Props) {
  const times = useTimes()
  const me = useMe().data?.body
  const eventType = useEventTypes().data?.find(({ id }) => id === booking.eventTypeId)
  const owner = useOwners().find(({ id }) => id === booking.ownerId)
  const [declining, setDeclining] = useState(false)
  const decide = useDecision(booking.id, listKey)
  const b = words.bookings
  const { name } = booking.invitee
  const [startsAt, endsAt] = [Date.parse(booking.startTime), Date.parse(booking.endTime)]
  const mayDecide = view === 'pending' && (owner?.manages === true || booking.hostId === me?.id)
  return (
    <li className="row">
      <p className="row-time">
        {times.time(startsAt)} <span className="muted">– {times.time(endsAt)}</span>
      </p>
      <div className="row-main">
        <Link className="row-title" to={`/app/bookings/${booking.id}`}>
          {name}
        </Link>
        <p className="row-sub">
          {eventType?.name ?? ' '}
          {owner?.team && ` · ${owner.name}`}
          {booking.seats > 1 && ` · ${b.seat(booking.seat, booking.seats)}`}
        </p>
      </div>
      {mayDecide && (
        <div className="row-tools">
          <Button
            small
            kind="primary"
            busy={decide.isPending}
            label={b.approveOf(name)}
            onPress={() => decide.mutate({ action: 'approve' })}
          >
            {b.approve}
          </Button>
          <Button small label={b.declineOf(name)} onPress={() => setDeclining(true)}>
            {b.decline}
          </Button>
        </div>
      )}
      {!mayDecide && view !== 'upcoming' && (
        <span className="status" data-status={booking.status}>
          {words.statuses[booking.status]}
        </span>
      )}
      {decide.error && (
        <div className="row-note">
          <ErrorAlert error={decide.error} />
        </div>
      )}
      {declining && (
        <ConfirmWithReason
          title={b.declineTitle(name)}
          hint={b.freesTime}
          confirm={b.decline}
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

type Listed = InfiniteData<ListPage<ListedBookingView>>

/** Approves or declines. The row leaves the list at once; after a failure it returns, with the error. */
function useDecision(id: string, listKey: readonly unknown[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ action, reason }: { action: 'approve' | 'decline'; reason?: string }) =>
      call(`/bookings/${id}/${action}`, { method: 'POST', body: reason ? { reason } : {} }),
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
              items: page.items.filter((booking) => booking.id !== id),
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
}
