import { call } from '../../core/data/api.ts'
import { useChange } from '../../core/data/data.ts'
import type { BookingView, ListedBookingView } from '../../core/data/views.ts'
import { ConfirmWithReason } from '../../core/dialogs.tsx'
import { useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'

interface Props {
  readonly booking: ListedBookingView
  readonly startTime: string
  readonly zone: string
  readonly onClose: () => void
}

/** Asks before a meeting that was dragged is rescheduled. */
export function MoveQuestion({ booking, startTime, zone, onClose }: Props) {
  const times = useTimes(zone)
  const move = useChange(
    (reason: string) =>
      call<BookingView>(`/bookings/${booking.id}/reschedule`, {
        method: 'POST',
        body: { startTime, ...(reason.trim() !== '' && { reason }) },
      }),
    ['/bookings'],
  )
  const { name } = booking.invitee
  return (
    <ConfirmWithReason
      title={tell(words.week.moveTitle, { name, time: times.moment(startTime) })}
      hint={tell(words.week.moveHint, { time: times.moment(booking.startTime) })}
      confirm={words.bookings.confirmTime}
      cancel={words.bookings.keepTime}
      danger={false}
      busy={move.isPending}
      error={move.error}
      onClose={onClose}
      onConfirm={(reason) => move.mutate(reason, { onSuccess: onClose })}
    />
  )
}
