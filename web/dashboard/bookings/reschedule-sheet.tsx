import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { Sheet } from '../core/dialogs.tsx'
import { FormError, FormErrors } from '../core/form-errors.tsx'
import { useTimes } from '../core/times.ts'
import type { BookingView } from '../core/views.ts'
import { words } from '../words.ts'
import { TimeChoice } from './time-choice.tsx'

interface Props {
  readonly booking: BookingView
  /** The public address of the event type, whose slots are listed. */
  readonly address: string
  /** The booking's own length in minutes, if it is offered and not the default. */
  readonly duration: number | undefined
  readonly busy: boolean
  readonly error: unknown
  readonly onClose: () => void
  readonly onMove: (startTime: string) => void
}

/** Asks for the new time of a booking: a listed slot, or any other. */
export function RescheduleSheet({ booking, address, duration, busy, error, onClose, onMove }: Props) {
  const times = useTimes()
  const [zone, setZone] = useState(times.zone)
  const [chosen, setChosen] = useState<string>()
  const b = words.bookings
  return (
    <Sheet title={b.rescheduleTitle} onClose={onClose} wide>
      <FormErrors error={error}>
        <p className="muted">
          {b.currently}: {times.moment(booking.startTime, zone)}
        </p>
        <TimeChoice
          address={address}
          duration={duration}
          zone={zone}
          onZone={setZone}
          startAt={Date.parse(booking.startTime)}
          onChoose={setChosen}
        />
        {chosen !== undefined && (
          <strong role="status">
            {b.newTime}: {times.moment(chosen, zone)}
          </strong>
        )}
        <FormError />
        <div className="actions actions-end">
          <Button onPress={onClose}>{b.keepTime}</Button>
          {chosen !== undefined && (
            <Button kind="primary" busy={busy} onPress={() => onMove(chosen)}>
              {b.confirmTime}
            </Button>
          )}
        </div>
      </FormErrors>
    </Sheet>
  )
}
