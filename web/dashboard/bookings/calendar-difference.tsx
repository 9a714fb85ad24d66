import { Button } from '../core/buttons.tsx'
import type { ListedBookingView } from '../core/data/views.ts'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'

type Difference = NonNullable<ListedBookingView['calendarDifference']>

/** Says in a sentence what the host's calendar has instead of the meeting. */
export function useDifferenceText() {
  const times = useTimes()
  return (difference: Difference) =>
    difference.kind === 'deleted'
      ? words.bookings.deletedInCalendar
      : tell(words.bookings.movedInCalendar, {
          time: `${times.moment(difference.startTime)} – ${times.time(Date.parse(difference.endTime))}`,
        })
}

interface Props {
  readonly difference: Difference
  /** Whether the viewer can change the booking. */
  readonly mayChange: boolean
  readonly restoring: boolean
  readonly onFollow: () => void
  readonly onRestore: () => void
}

/** The difference between a booking and the host's calendar, with both ways out. */
export function DifferenceNotice({ difference, mayChange, restoring, onFollow, onRestore }: Props) {
  const b = words.bookings
  const text = useDifferenceText()
  return (
    <div className="notice-differs">
      <span>{text(difference)}</span>
      {mayChange && (
        <div className="actions">
          <Button small onPress={onFollow}>
            {difference.kind === 'moved' ? b.followCalendar : b.cancelMeeting}
          </Button>
          <Button small busy={restoring} onPress={onRestore}>
            {b.restoreCalendar}
          </Button>
        </div>
      )}
    </div>
  )
}
