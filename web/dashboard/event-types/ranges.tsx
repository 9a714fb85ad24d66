import { useId } from 'react'
import type { WallRange } from '../../../src/domain/event-types/hours.ts'
import { CrossIcon, PlusIcon } from '../core/icons.tsx'
import { useTimes } from '../core/times.ts'
import { words } from '../words.ts'

const STEP = 15
const DAY = 24 * 60

const wall = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const QUARTERS = Array.from({ length: DAY / STEP + 1 }, (_, index) => wall(index * STEP))

interface TimeProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The end of hours, which may be midnight. */
  readonly closing?: boolean
  readonly hideLabel?: boolean
}

/** A time of the day, by the quarter; one in between that was set elsewhere is kept. */
export function TimeSelect({ label, value, onChange, closing = false, hideLabel = false }: TimeProps) {
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

interface RangesProps {
  readonly name: string
  readonly ranges: readonly WallRange[]
  readonly onChange: (ranges: readonly WallRange[]) => void
}

/** The hours of one day. */
export function Ranges({ name, ranges, onChange }: RangesProps) {
  const replace = (index: number, part: Partial<WallRange>) =>
    onChange(ranges.map((range, at) => (at === index ? { ...range, ...part } : range)))
  const last = ranges.at(-1)
  const room = last === undefined || minutesOf(last.closes) < DAY
  const add = () => {
    const opens = last === undefined ? 9 * 60 : Math.min(minutesOf(last.closes) + 60, DAY - 60)
    const closes = last === undefined ? 17 * 60 : Math.min(opens + 60, DAY)
    onChange([...ranges, { opens: wall(opens), closes: wall(closes) }])
  }
  return (
    <div className="ranges">
      {ranges.map((range, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ranges have nothing else to be known by
        <div key={index} className="range">
          <TimeSelect
            label={words.availability.opens(name, index + 1)}
            hideLabel
            value={range.opens}
            onChange={(opens) => replace(index, { opens })}
          />
          <span aria-hidden="true">–</span>
          <TimeSelect
            label={words.availability.closes(name, index + 1)}
            hideLabel
            closing
            value={range.closes}
            onChange={(closes) => replace(index, { closes })}
          />
          <button
            type="button"
            className="round"
            aria-label={words.availability.removeHours(name, index + 1)}
            onClick={() => onChange(ranges.filter((_, at) => at !== index))}
          >
            <CrossIcon size={16} />
          </button>
        </div>
      ))}
      {room && (
        <button type="button" className="text-button" onClick={add}>
          <PlusIcon size={16} />
          {ranges.length === 0 ? words.availability.addFirst : words.availability.addMore}
          <span className="sr-only"> ({name})</span>
        </button>
      )}
    </div>
  )
}

/** A day at a glance: when it is open. */
export function DayStrip({ ranges }: { readonly ranges: readonly WallRange[] }) {
  return (
    <div className="strip" aria-hidden="true">
      {ranges.map(({ opens, closes }) => (
        <span
          key={`${opens}${closes}`}
          style={{
            insetInlineStart: `${(minutesOf(opens) / DAY) * 100}%`,
            inlineSize: `${(Math.max(0, minutesOf(closes) - minutesOf(opens)) / DAY) * 100}%`,
          }}
        />
      ))}
    </div>
  )
}
