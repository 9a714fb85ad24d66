import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScopeOfChange } from '../../../src/domain/bookings/series.ts'
import type { RefundWish } from '../../../src/domain/payments/refund.ts'
import { eventAddress } from '../../parts/api.ts'
import { Live } from '../../parts/live.tsx'
import { withBase } from '../core/base.ts'
import { Button } from '../core/buttons.tsx'
import { call, type Versioned } from '../core/data/api.ts'
import { useEventTypes, useOne, useOwners } from '../core/data/data.ts'
import { isConflict } from '../core/data/errors.ts'
import type { BookingView, EventTypeView } from '../core/data/views.ts'
import { Confirm, ConfirmWithReason } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Conflict, Loaded, RowsSkeleton, Section } from '../core/page.tsx'
import { TimedUndoToast } from '../core/undo-toast.tsx'
import { BookingMessages } from '../messages/lazy-messages.tsx'
import { tell, words } from '../words.ts'
import { AddLink } from './add-link.tsx'
import { BookSheet } from './book-sheet.tsx'
import { BookingFacts } from './booking-facts.tsx'
import { DifferenceNotice } from './calendar-difference.tsx'
import { History } from './details/history.tsx'
import { HostNotes } from './details/host-notes.tsx'
import { RefundChoice, ReturnedMoney } from './details/refund-choice.tsx'
import { RelatedBookings } from './details/related-bookings.tsx'
import { HandOverSheet } from './hand-over-sheet.tsx'
import { useMayChange } from './may-change.ts'
import { RescheduleSheet } from './reschedule-sheet.tsx'
import { ScopeChoice } from './scope-choice.tsx'

/** A booking with all that a host can do about it: on its page, and beside the list. */
export function BookingDetails({ id }: { readonly id: string }) {
  const booking = useOne<BookingView>(`/bookings/${id}`)
  return (
    <Loaded query={booking} skeleton={<RowsSkeleton rows={5} />}>
      {(found) => (
        <>
          <Booking loaded={found} reload={() => void booking.refetch()} />
          <HostNotes key={found.body.hostNotes} booking={found} />
          <RelatedBookings booking={found.body} />
          <BookingMessages id={id} />
          <History id={id} />
        </>
      )}
    </Loaded>
  )
}

type Action =
  | 'approve'
  | 'decline'
  | 'cancel'
  | 'reschedule'
  | 'reassign'
  | 'no-show'
  | 'link'
  | 'follow-calendar'
  | 'restore-calendar'

interface Change {
  readonly action: Action
  readonly body?: object
}

const DONE: Readonly<Record<Action, string>> = {
  approve: words.bookings.approved,
  decline: words.bookings.declined,
  cancel: words.bookings.cancelled,
  reschedule: words.bookings.rescheduled,
  reassign: words.bookings.reassigned,
  'no-show': words.bookings.markedNoShow,
  link: words.bookings.linkAdded,
  'follow-calendar': words.bookings.followed,
  'restore-calendar': words.bookings.restored,
}

interface BookingProps {
  readonly loaded: Versioned<BookingView>
  readonly reload: () => void
}

function Booking({ loaded, reload }: BookingProps) {
  const booking = loaded.body
  const [asking, setAsking] = useState<Action>()
  const change = useBookingChange(loaded, () => setAsking(undefined))
  const close = () => {
    setAsking(undefined)
    change.reset()
  }
  const mayChange = useMayChange(booking)
  const [again, setAgain] = useState(false)
  const conflict = isConflict(change.error)
  const action = change.isSuccess ? change.variables.action : undefined
  // The guest is emailed once the answer can't be undone.
  const [ended, setEnded] = useState<number>()
  const answer =
    (action === 'approve' || action === 'decline') && ended !== change.submittedAt ? action : undefined
  const undo = useUndo(booking.id, change.reset)
  const done = action === undefined || answer !== undefined ? '' : DONE[action]
  const { name } = booking.invitee
  const adding = change.variables?.action === 'link'
  return (
    <>
      <Live>{done}</Live>
      {conflict && (
        <Conflict
          onReload={() => {
            change.reset()
            reload()
          }}
        />
      )}
      {done !== '' && (
        <p className="notice-good" aria-hidden="true">
          {done}
        </p>
      )}
      <Section
        title={words.bookings.details}
        actions={
          <span className="status" data-status={booking.status}>
            {words.statuses[booking.status]}
          </span>
        }
      >
        {booking.calendarDifference && done !== DONE['restore-calendar'] && (
          <DifferenceNotice
            difference={booking.calendarDifference}
            mayChange={mayChange}
            restoring={change.isPending && change.variables.action === 'restore-calendar'}
            onFollow={() => setAsking('follow-calendar')}
            onRestore={() => change.mutate({ action: 'restore-calendar' })}
          />
        )}
        {booking.awaitsLink && mayChange && (
          <AddLink
            busy={adding && change.isPending}
            error={adding && !conflict ? change.error : undefined}
            onAdd={(link) => change.mutate({ action: 'link', body: { link } })}
          />
        )}
        <BookingFacts booking={booking} />
        {asking === undefined && !conflict && !adding && <ErrorAlert error={change.error ?? undo.error} />}
        <Actions
          booking={booking}
          approving={change.isPending && change.variables.action === 'approve'}
          onApprove={() => change.mutate({ action: 'approve', body: { undoable: true } })}
          onAsk={setAsking}
        />
        {mayChange && (
          <div>
            <Button small onPress={() => setAgain(true)}>
              {words.bookings.bookAgain}
            </Button>
          </div>
        )}
      </Section>
      {again && (
        <BookSheet
          eventTypeId={booking.eventTypeId}
          guest={booking.invitee}
          onClose={() => setAgain(false)}
        />
      )}
      {answer !== undefined && (
        <TimedUndoToast
          key={change.submittedAt}
          text={tell(words.bookings.answered[answer], { name })}
          label={tell(words.bookings.undoOf, { name })}
          busy={undo.isPending}
          onUndo={() => undo.mutate()}
          onEnd={() => setEnded(change.submittedAt)}
        />
      )}
      <Questions
        asking={asking}
        booking={booking}
        busy={change.isPending}
        error={change.error}
        onClose={close}
        onChange={change.mutate}
      />
    </>
  )
}

/** Changes the booking for the version that is shown. */
function useBookingChange({ body: { id }, version }: Versioned<BookingView>, onSettled: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ action, body = {} }: Change) =>
      call<BookingView>(`/bookings/${id}/${action}`, { method: 'POST', body, version }),
    onSuccess: (answer) => {
      onSettled()
      client.setQueryData(['one', `/bookings/${id}`], answer)
      return client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/bookings'),
      })
    },
    onError: (error) => isConflict(error) && onSettled(),
  })
}

/** Takes back the answer to a request, while the guest does not know it yet. */
function useUndo(id: string, onUndone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call<BookingView>(`/bookings/${id}/undo`, { method: 'POST', body: {} }),
    onSuccess: onUndone,
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/bookings') }),
  })
}

interface ActionsProps {
  readonly booking: BookingView
  readonly approving: boolean
  readonly onApprove: () => void
  /** Opens the dialog of an action. */
  readonly onAsk: (action: Action) => void
}

/** Whether others could host this meeting. */
function useTakesTurns({ eventTypeId, hostId }: BookingView): boolean {
  const eventType = useEventTypes().data?.find(({ id }) => id === eventTypeId)
  if (eventType?.assignment !== 'round-robin') return false
  return eventType.hosts.some(({ userId, fixed }) => !fixed && userId !== hostId)
}

/** What the host can do with the booking now. */
function Actions({ booking, approving, onApprove, onAsk }: ActionsProps) {
  const b = words.bookings
  const takesTurns = useTakesTurns(booking)
  if (!useMayChange(booking)) return null
  const { status } = booking
  const started = Date.parse(booking.startTime) <= Date.now()
  if (status === 'NoShow') return <UndoNoShow id={booking.id} />
  const pending = status === 'PendingApproval'
  if (started && status !== 'Confirmed' && status !== 'Completed') return null
  if (!started && status !== 'Confirmed' && !pending) return null
  return (
    <div className="actions">
      {started && <Button onPress={() => onAsk('no-show')}>{b.noShow}</Button>}
      {!started && pending && (
        <>
          <Button kind="primary" busy={approving} onPress={onApprove}>
            {b.approve}
          </Button>
          <Button onPress={() => onAsk('decline')}>{b.decline}</Button>
        </>
      )}
      {!started && <Button onPress={() => onAsk('reschedule')}>{b.reschedule}</Button>}
      {!started && takesTurns && <Button onPress={() => onAsk('reassign')}>{b.handOver}</Button>}
      {!started && status === 'Confirmed' && <Button onPress={() => onAsk('cancel')}>{b.cancel}</Button>}
    </div>
  )
}

function UndoNoShow({ id }: { readonly id: string }) {
  const client = useQueryClient()
  const undo = useMutation({
    mutationFn: () => call(`/bookings/${id}/no-show`, { method: 'DELETE' }),
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/bookings') }),
  })
  return (
    <div className="actions">
      <ErrorAlert error={undo.error} />
      <Button busy={undo.isPending} onPress={() => undo.mutate()}>
        {words.bookings.undoNoShow}
      </Button>
    </div>
  )
}

interface QuestionsProps {
  readonly asking: Action | undefined
  readonly booking: BookingView
  readonly busy: boolean
  readonly error: unknown
  readonly onClose: () => void
  readonly onChange: (change: Change) => void
}

/** The dialog of an action, before it is done. */
function Questions({ asking, booking, onChange, ...dialog }: QuestionsProps) {
  const owner = useOwners().find(({ id }) => id === booking.ownerId)
  const eventType = useEventTypes().data?.find(({ id }) => id === booking.eventTypeId)
  const b = words.bookings
  const { name } = booking.invitee
  const [scope, setScope] = useState<ScopeOfChange>('one')
  const [refund, setRefund] = useState<RefundWish>('full')
  if (asking === 'decline') {
    return (
      <ConfirmWithReason
        {...dialog}
        title={tell(b.declineTitle, { name })}
        hint={b.freesTime}
        confirm={b.decline}
        onConfirm={(reason) =>
          onChange({ action: 'decline', body: { undoable: true, ...(reason && { reason }) } })
        }
      >
        <ReturnedMoney booking={booking} />
      </ConfirmWithReason>
    )
  }
  if (asking === 'cancel') {
    return (
      <ConfirmWithReason
        {...dialog}
        title={tell(b.cancelTitle, { name })}
        hint={b.freesTime}
        confirm={b.cancel}
        cancel={b.keep}
        onConfirm={(reason) =>
          onChange({
            action: 'cancel',
            body: { ...(reason && { reason }), scope, ...(booking.payment && { refund }) },
          })
        }
      >
        <ScopeChoice booking={booking} scope={scope} onChange={setScope} />
        <RefundChoice
          booking={booking}
          withOthers={scope === 'following'}
          refund={refund}
          onChange={setRefund}
        />
      </ConfirmWithReason>
    )
  }
  if (asking === 'reassign') {
    return (
      <HandOverSheet
        {...dialog}
        booking={booking}
        onHandOver={(body) => onChange({ action: 'reassign', body })}
      />
    )
  }
  if (asking === 'follow-calendar') {
    const moved = booking.calendarDifference?.kind === 'moved'
    return (
      <ConfirmWithReason
        {...dialog}
        title={moved ? tell(b.followTitle, { name }) : tell(b.cancelTitle, { name })}
        hint={b.followHint}
        confirm={moved ? b.confirmTime : b.cancelMeeting}
        cancel={moved ? b.keepTime : b.keep}
        danger={!moved}
        onConfirm={(reason) => onChange({ action: 'follow-calendar', body: reason ? { reason } : {} })}
      />
    )
  }
  if (asking === 'no-show') {
    return (
      <Confirm
        {...dialog}
        title={b.noShowTitle}
        confirm={b.noShow}
        danger={false}
        onConfirm={() => onChange({ action: 'no-show' })}
      >
        {b.noShowHint}
      </Confirm>
    )
  }
  if (asking === 'reschedule' && owner && eventType) {
    return (
      <RescheduleSheet
        {...dialog}
        booking={booking}
        address={eventAddress(withBase(''), owner.slug, eventType.slug)}
        duration={otherDuration(booking, eventType)}
        onMove={(startTime, scope) => onChange({ action: 'reschedule', body: { startTime, scope } })}
      />
    )
  }
  return null
}

/** The booking's own length in minutes, if it is offered and not the default. */
function otherDuration(
  { startTime, endTime }: BookingView,
  { durationMinutes, durations }: EventTypeView,
): number | undefined {
  const minutes = (Date.parse(endTime) - Date.parse(startTime)) / 60_000
  return minutes !== durationMinutes && durations.includes(minutes) ? minutes : undefined
}
