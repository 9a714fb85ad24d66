import type { WallRange } from '../../../../src/domain/event-types/hours.ts'
import { AddItem, IconButton } from '../../core/buttons.tsx'
import { TimeSelect } from '../../core/fields/time-select.tsx'
import { CrossIcon } from '../../core/icons.tsx'
import { DAY_MINUTES, minutesOf, wallTimeOf } from '../../core/time/wall-time.ts'
import { tell, words } from '../../words.ts'

interface RangesProps {
  readonly name: string
  readonly ranges: readonly WallRange[]
  readonly onChange: (ranges: readonly WallRange[]) => void
}

/** The hours of one day. */
export function Ranges({ name, ranges, onChange }: RangesProps) {
  const a = words.availability
  const replace = (index: number, part: Partial<WallRange>) =>
    onChange(ranges.map((range, at) => (at === index ? { ...range, ...part } : range)))
  const last = ranges.at(-1)
  const hasRoom = last === undefined || minutesOf(last.closes) < DAY_MINUTES
  const add = () => {
    const opens = last === undefined ? 9 * 60 : Math.min(minutesOf(last.closes) + 60, DAY_MINUTES - 60)
    const closes = last === undefined ? 17 * 60 : Math.min(opens + 60, DAY_MINUTES)
    onChange([...ranges, { opens: wallTimeOf(opens), closes: wallTimeOf(closes) }])
  }
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
      {hasRoom && (
        <AddItem to={name} onPress={add}>
          {a.addHours}
        </AddItem>
      )}
    </div>
  )
}

/** A day at a glance: when it is open. */
export function DayStrip({ ranges }: { readonly ranges: readonly WallRange[] }) {
  const share = (minutes: number) => `${(Math.max(0, minutes) / DAY_MINUTES) * 100}%`
  return (
    <div className="strip" aria-hidden="true">
      {ranges.map(({ opens, closes }) => (
        <span
          key={`${opens}${closes}`}
          style={{
            insetInlineStart: share(minutesOf(opens)),
            inlineSize: share(minutesOf(closes) - minutesOf(opens)),
          }}
        />
      ))}
    </div>
  )
}
