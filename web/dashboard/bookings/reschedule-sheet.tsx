import { useState } from 'react'
import { dateIn } from '../../parts/time/dates.ts'
import { SlotPicker } from '../../parts/time/slot-picker.tsx'
import { cityOf } from '../../parts/time/zone-names.ts'
import { Button } from '../core/buttons.tsx'
import { Sheet } from '../core/dialogs.tsx'
import { TextInput } from '../core/fields.tsx'
import { FormError, FormErrors } from '../core/form-errors.tsx'
import { instantAt, useTimes } from '../core/times.ts'
import type { BookingView } from '../core/views.ts'
import { words } from '../words.ts'

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
  const [slot, setSlot] = useState<string>()
  const [custom, setCustom] = useState(false)
  const [date, setDate] = useState(dateIn(times.zone, Date.parse(booking.startTime)))
  const [time, setTime] = useState('09:00')
  const b = words.bookings
  const complete = date !== '' && time !== ''
  const customTime = complete ? new Date(instantAt(zone, date, time)).toISOString() : undefined
  const chosen = custom ? customTime : slot
  return (
    <Sheet title={b.rescheduleTitle} onClose={onClose} wide>
      <FormErrors error={error}>
        <p className="muted">
          {b.currently}: {times.moment(booking.startTime, zone)}
        </p>
        {custom ? (
          <div className="columns">
            <TextInput label={b.date} field="startTime" type="date" value={date} onChange={setDate} />
            <TextInput label={b.time} hint={cityOf(zone)} type="time" value={time} onChange={setTime} />
          </div>
        ) : (
          <div className="picker">
            <SlotPicker
              address={address}
              duration={duration}
              hostName=""
              zone={zone}
              onZone={setZone}
              startAt={dateIn(zone, Math.max(Date.parse(booking.startTime), Date.now()))}
              onPick={({ startTime }) => setSlot(startTime)}
            />
          </div>
        )}
        <div>
          <button type="button" className="text-button" onClick={() => setCustom(!custom)}>
            {custom ? b.listedTimes : b.customTime}
          </button>
          {custom && <p className="hint">{b.customTimeHint}</p>}
        </div>
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
