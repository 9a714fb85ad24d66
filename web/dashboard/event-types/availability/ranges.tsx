import type { WallRange } from '../../../../src/domain/event-types/hours.ts'
import { IconButton } from '../../core/buttons.tsx'
import { TimeSelect } from '../../core/fields/time-select.tsx'
import { CrossIcon } from '../../core/icons.tsx'
import { DAY_MINUTES, minutesOf, wallTimeOf } from '../../core/time/wall-time.ts'
import { tell, words } from '../../words.ts'

interface RangesProps {
  readonly name: string
  readonly ranges: readonly WallRange[]
  readonly onChange: (ranges: readonly WallRange[]) => void
}

/** These hours with some more at the end; undefined: the day is full. */
export function withMoreHours(ranges: readonly WallRange[]): readonly WallRange[] | undefined {
  const last = ranges.at(-1)
  if (last !== undefined && minutesOf(last.closes) >= DAY_MINUTES) return undefined
  const opens = last === undefined ? 9 * 60 : Math.min(minutesOf(last.closes) + 60, DAY_MINUTES - 60)
  const closes = last === undefined ? 17 * 60 : Math.min(opens + 60, DAY_MINUTES)
  return [...ranges, { opens: wallTimeOf(opens), closes: wallTimeOf(closes) }]
}

/** The hours of one day. */
export function Ranges({ name, ranges, onChange }: RangesProps) {
  const a = words.availability
  const replace = (index: number, part: Partial<WallRange>) =>
    onChange(ranges.map((range, at) => (at === index ? { ...range, ...part } : range)))
  return (
    <div className="ranges">
      {ranges.map((range, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ranges have no identity of their own
        <div key={index} className="range">
          <TimeSelect
            label={tell(a.opens, { day: name, number: index + 1 })}
            hideLabel
            value={range.opens}
            onChange={(opens) => replace(index, { opens })}
          />
          <span aria-hidden="true">–</span>
          <TimeSelect
            label={tell(a.closes, { day: name, number: index + 1 })}
            hideLabel
            closing
            value={range.closes}
            onChange={(closes) => replace(index, { closes })}
          />
          <IconButton
            label={tell(a.removeHours, { day: name, number: index + 1 })}
            onPress={() => onChange(ranges.filter((_, at) => at !== index))}
          >
            <CrossIcon size={16} />
          </IconButton>
        </div>
      ))}
    </div>
  )
}
