import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fragment, useRef, useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useEventTypes, useMe, useOwners } from '../core/data/data.ts'
import type { ListedBookingView } from '../core/data/views.ts'
import { ConfirmWithReason } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { language } from '../core/language.ts'
import { Link, opensElsewhere } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { UndoToast } from '../core/undo-toast.tsx'
import { tell, words } from '../words.ts'
import type { BookingsView } from './bookings-view.ts'
import { useDifferenceText } from './calendar-difference.tsx'
import { useMoneyTrouble } from './details/money-trouble.tsx'
import { ReturnedMoney } from './details/refund-choice.tsx'
import { colourOf, initialsOf } from './host-colour.ts'
import { paymentText } from './payment-text.ts'
import { type Answer, focusRow } from './use-answers.ts'

interface Props {
  readonly booking: ListedBookingView
  readonly view: BookingsView
  /** The answer that was just given to this request. */
  readonly answer: Answer | undefined
  readonly mayUndo: boolean
  readonly onAnswered: (answer: Answer) => void
  readonly onUndone: () => void
  readonly selected: boolean
  readonly onSelect: (selected: boolean) => void
  /** Opens it beside the list. */
  readonly onOpen: () => void
}

const STATUS_AFTER = { approve: 'Confirmed', decline: 'Declined' } as const

/** A booking in the list; a request can be approved or declined right there. */
export function BookingRow({ booking, view, answer, mayUndo, onAnswered, onUndone, ...props }: Props) {
  const row = useRef<HTMLLIElement>(null)
  const times = useTimes()
  const differenceText = useDifferenceText()
  const me = useMe().data?.body
  const eventType = useEventTypes().data?.find(({ id }) => id === booking.eventTypeId)
  const owner = useOwners().find(({ id }) => id === booking.ownerId)
  const [declining, setDeclining] = useState(false)
  const { decide, undo } = useDecision(
    booking.id,
    (given) => {
      focusRow(row.current)
      onAnswered(given)
    },
    () => {
      focusRow(row.current)
      onUndone()
    },
  )
  const b = words.bookings
  const { name } = booking.invitee
  const status = answer === undefined ? booking.status : STATUS_AFTER[answer]
  const [startsAt, endsAt] = [Date.parse(booking.startTime), Date.parse(booking.endTime)]
  const isAnswered = answer !== undefined
  const mayDecide =
    !isAnswered && view === 'pending' && (owner?.manages === true || booking.hostId === me?.id)
  return (
    <li
      ref={row}
      className="row row-booking"
      data-selected={props.selected || undefined}
      data-faded={status === 'PendingPayment' || undefined}
    >
      <input
        type="checkbox"
        className="row-check"
        aria-label={tell(b.select, { name })}
        checked={props.selected}
        onChange={(event) => props.onSelect(event.target.checked)}
      />
      <p className="row-time">
        {times.time(startsAt)} <span className="muted">– {times.time(endsAt)}</span>
      </p>
      <div className="row-main">
        <Link
          className="row-title"
          to={`/app/bookings/${booking.id}`}
          onClick={(event) => {
            if (opensElsewhere(event)) return
            event.preventDefault()
            props.onOpen()
          }}
        >
          {name}
        </Link>
        <p className="row-sub">{booking.invitee.email}</p>
        {booking.calendarDifference && (
          <p className="row-sub">{differenceText(booking.calendarDifference)}</p>
        )}
      </div>
      <p className="row-cell">
        {eventType?.name ?? '\u00a0'}
        {owner?.team && ` · ${owner.name}`}
        {booking.seats > 1 && ` · ${tell(b.seat, { seat: booking.seat, seats: booking.seats })}`}
        {booking.seriesPlace &&
          ` · ${tell(b.meetingOf, { number: booking.seriesPlace.number, count: booking.seriesPlace.count })}`}
      </p>
      <HostBadge booking={booking} />
      <p className="row-cell">
        {words.locations[booking.location.type]} · {b.shortSources[booking.source]}
        {booking.payment && ` · ${paymentText(booking.payment, language())}`}
        <MoneyTrouble booking={booking} />
      </p>
      {mayDecide && (
        <div className="row-tools">
          <Button
            small
            kind="primary"
            busy={decide.isPending}
            label={tell(b.approveOf, { name })}
            onPress={() => decide.mutate({ answer: 'approve' })}
          >
            {b.approve}
          </Button>
          <Button small label={tell(b.declineOf, { name })} onPress={() => setDeclining(true)}>
            {b.decline}
          </Button>
        </div>
      )}
      {!mayDecide && (
        <span className="status" data-status={status}>
          {words.statuses[status]}
        </span>
      )}
      {(decide.error ?? undo.error) && (
        <div className="row-note">
          <ErrorAlert error={decide.error ?? undo.error} />
        </div>
      )}
      {isAnswered && mayUndo && (
        <UndoToast
          text={tell(b.answered[answer], { name })}
          label={tell(b.undoOf, { name })}
          busy={undo.isPending}
          onUndo={() => undo.mutate()}
        />
      )}
      {declining && (
        <ConfirmWithReason
          title={tell(b.declineTitle, { name })}
          hint={b.freesTime}
          confirm={b.decline}
          onClose={() => setDeclining(false)}
          onConfirm={(reason) => {
            setDeclining(false)
            decide.mutate({ answer: 'decline', reason })
          }}
        >
          <ReturnedMoney booking={booking} />
        </ConfirmWithReason>
      )}
    </li>
  )
}

/** What is wrong with its money, in a word. */
function MoneyTrouble({ booking }: { readonly booking: ListedBookingView }) {
  const kinds = new Set(useMoneyTrouble(booking).map(({ kind }) => kind))
  return [...kinds].map((kind) => (
    <Fragment key={kind}>
      {' · '}
      <strong className="danger">{words.bookings.moneyTrouble[kind]}</strong>
    </Fragment>
  ))
}

/** Who hosts a meeting. */
export function HostBadge({ booking }: { readonly booking: ListedBookingView }) {
  const { host, hostAvatarUrl } = booking
  return (
    <p className="row-cell host-badge">
      {hostAvatarUrl === '' ? (
        <span className="initials" data-colour={colourOf(host.id)} aria-hidden="true">
          {initialsOf(host.name)}
        </span>
      ) : (
        // Only the path, which works at any address of this service. No alt text: the name is next to it.
        <img className="initials" src={new URL(hostAvatarUrl).pathname} alt="" loading="lazy" />
      )}
      {host.name}
    </p>
  )
}

/** Approves or declines, or takes that back. */
function useDecision(id: string, onAnswered: (answer: Answer) => void, onUndone: () => void) {
  const client = useQueryClient()
  const reload = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/bookings') })
  const decide = useMutation({
    mutationFn: ({ answer, reason }: { answer: Answer; reason?: string }) =>
      call(`/bookings/${id}/${answer}`, {
        method: 'POST',
        body: { undoable: true, ...(reason && { reason }) },
      }),
    onSuccess: (_answer, { answer }) => onAnswered(answer),
    onSettled: reload,
  })
  const undo = useMutation({
    mutationFn: () => call(`/bookings/${id}/undo`, { method: 'POST', body: {} }),
    onSuccess: async () => {
      // The row may leave the list before it is loaded again.
      await reload()
      onUndone()
    },
    onError: reload,
  })
  return { decide, undo }
}
