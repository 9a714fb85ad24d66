import { useId } from 'react'
import { useTimes } from '../time/times.ts'
import { DAY_MINUTES, wallTimeOf } from '../time/wall-time.ts'

const STEP = 15
const QUARTERS = Array.from({ length: DAY_MINUTES / STEP + 1 }, (_, index) => wallTimeOf(index * STEP))

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The end of a range, which may be midnight. */
  readonly closing?: boolean
  readonly hideLabel?: boolean
}

/** A time of day in steps of 15 minutes; another time that was set elsewhere stays. */
export function TimeSelect({ label, value, onChange, closing = false, hideLabel = false }: Props) {
  const id = useId()
  const { clock } = useTimes()
  const offered = closing ? QUARTERS.slice(1) : QUARTERS.slice(0, -1)
  const times = offered.includes(value) ? offered : [...offered, value].sort()
  return (
    <div className="field">
      <label className={hideLabel ? 'sr-only' : 'label'} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="input time-input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {times.map((time) => (
          <option key={time} value={time}>
            {clock(time)}
          </option>
        ))}
      </select>
    </div>
  )
}
