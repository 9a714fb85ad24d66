import { useState } from 'react'
import { writeTime } from '../../parts/time/clock.ts'
import { dateIn } from '../../parts/time/dates.ts'
import { SlotPicker } from '../../parts/time/slot-picker.tsx'
import { useCity } from '../../parts/time/zones.ts'
import { TextInput } from '../core/fields/fields.tsx'
import { instantAt } from '../core/time/times.ts'
import { words } from '../words.ts'

interface Props {
  /** The public address of the event type, whose slots are listed. */
  readonly address: string
  /** In minutes, unless it is the default. */
  readonly duration: number | undefined
  readonly zone: string
  readonly onZone: (zone: string) => void
  /** The day to begin with. */
  readonly startAt: number
  /** Begins with that time itself, listed or not. */
  readonly custom?: boolean
  readonly onChoose: (startTime: string | undefined) => void
}

/** A listed slot, or any other time. */
export function TimeChoice({ address, duration, zone, onZone, startAt, onChoose, ...given }: Props) {
  const cityOf = useCity()
  const [slot, setSlot] = useState<string>()
  const [custom, setCustom] = useState(given.custom ?? false)
  const [date, setDate] = useState(dateIn(zone, startAt))
  const [time, setTime] = useState(given.custom ? writeTime('en-GB', zone, startAt, false) : '09:00')
  const b = words.bookings
  const customTime = (date: string, time: string) =>
    date !== '' && time !== '' ? new Date(instantAt(zone, date, time)).toISOString() : undefined
  return (
    <>
      {custom ? (
        <div className="columns">
          <TextInput
            label={b.date}
            field="startTime"
            type="date"
            value={date}
            onChange={(next) => {
              setDate(next)
              onChoose(customTime(next, time))
            }}
          />
          <TextInput
            label={b.time}
            hint={cityOf(zone)}
            type="time"
            value={time}
            onChange={(next) => {
              setTime(next)
              onChoose(customTime(date, next))
            }}
          />
        </div>
      ) : (
        <div className="picker">
          <SlotPicker
            address={address}
            duration={duration}
            hostName=""
            zone={zone}
            onZone={onZone}
            startAt={dateIn(zone, Math.max(startAt, Date.now()))}
            onPick={({ startTime }) => {
              setSlot(startTime)
              onChoose(startTime)
            }}
          />
        </div>
      )}
      <div>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            setCustom(!custom)
            onChoose(custom ? slot : customTime(date, time))
          }}
        >
          {custom ? b.listedTimes : b.customTime}
        </button>
        {custom && <p className="hint">{b.customTimeHint}</p>}
      </div>
    </>
  )
}
