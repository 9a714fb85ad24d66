import { CalendarDateTime, fromDate, toZoned } from '@internationalized/date'
import { daysFrom, type Repeat } from '../../src/domain/bookings/series.ts'
import type { SeriesStep } from '../../src/domain/event-types/series-offer.ts'
import type { Slot } from '../../src/http/pages/page-data.ts'
import { Field } from '../parts/fields/field.tsx'
import { useSpeech } from '../parts/texts.tsx'
import { useWhen } from '../parts/time/when.tsx'
import { type Bought, totalOf } from './total.ts'

const DAY = 86_400_000
const STEPS = { week: 'everyWeek', '2 weeks': 'everyTwoWeeks', month: 'everyMonth' } as const

interface Props extends Bought {
  readonly zone: string
  readonly onChange: (repeat: Repeat | undefined) => void
}

/** Whether the meeting repeats, and the dates on which it then takes place. */
export default function RepeatChoice({ data, slot, typed, repeat, zone, onChange }: Props) {
  const { tell, locale } = useSpeech()
  const when = useWhen()
  const { series } = data.eventType
  if (series === null) return null
  // What each meeting costs.
  const share = totalOf({ data, slot, typed, repeat: undefined }, locale.tag)
  const length = Date.parse(slot.endTime) - Date.parse(slot.startTime)
  const counts = Array.from({ length: series.most - 1 }, (_, index) => String(index + 2))
  return (
    <>
      <Field
        name="repeat"
        label={tell('repeat')}
        type="select"
        required={false}
        options={series.every.map((step) => ({ id: step, label: tell(STEPS[step]) }))}
        value={repeat?.every ?? ''}
        onChange={(step) =>
          onChange(
            step === ''
              ? undefined
              : { every: step as SeriesStep, count: repeat?.count ?? Math.min(4, series.most) },
          )
        }
      />
      {repeat && (
        <>
          <Field
            name="repeatCount"
            label={tell('repeatCount')}
            type="select"
            required
            options={counts.map((count) => ({ id: count, label: count }))}
            value={String(repeat.count)}
            onChange={(count) => count !== '' && onChange({ ...repeat, count: Number(count) })}
          />
          <div className="field" role="status">
            <p className="label">{tell('repeatDates')}</p>
            <ol className="muted">
              {repeatStarts(slot, repeat, series.timeZone).map((start) => {
                const { day, hours } = when(start, start + length, zone)
                return (
                  <li key={start}>
                    {day}, {hours}
                    {share && ` · ${share}`}
                  </li>
                )
              })}
            </ol>
          </div>
        </>
      )}
    </>
  )
}

/** The starts of the series, at the same wall time in the host's zone. */
function repeatStarts({ startTime }: Slot, repeat: Repeat, hostZone: string): number[] {
  const first = fromDate(new Date(startTime), hostZone)
  const day = Date.UTC(first.year, first.month - 1, first.day) / DAY
  return daysFrom(day, repeat).map((one) => {
    const date = new Date(one * DAY)
    const wall = new CalendarDateTime(
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      first.hour,
      first.minute,
    )
    return toZoned(wall, hostZone).toDate().getTime()
  })
}
