import { useState } from 'react'
import type { ScopeOfChange } from '../../../src/domain/bookings/series.ts'
import { Button } from '../core/buttons.tsx'
import type { BookingView } from '../core/data/views.ts'
import { Sheet } from '../core/dialogs.tsx'
import { FormError, FormErrors } from '../core/fields/form-errors.tsx'
import { useTimes } from '../core/time/times.ts'
import { words } from '../words.ts'
import { ScopeChoice } from './scope-choice.tsx'
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
  readonly onMove: (startTime: string, scope: ScopeOfChange) => void
}

/** Asks for the new time of a booking: a listed slot, or any other. */
export function RescheduleSheet({ booking, address, duration, busy, error, onClose, onMove }: Props) {
  const times = useTimes()
  const [zone, setZone] = useState(times.zone)
  const [chosen, setChosen] = useState<string>()
  const [scope, setScope] = useState<ScopeOfChange>('one')
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
        <ScopeChoice booking={booking} scope={scope} onChange={setScope} />
        {chosen !== undefined && (
          <strong role="status">
            {b.newTime}: {times.moment(chosen, zone)}
          </strong>
        )}
        <FormError />
        <div className="actions actions-end">
          <Button onPress={onClose}>{b.keepTime}</Button>
          {chosen !== undefined && (
            <Button kind="primary" busy={busy} onPress={() => onMove(chosen, scope)}>
              {b.confirmTime}
            </Button>
          )}
        </div>
      </FormErrors>
    </Sheet>
  )
}
