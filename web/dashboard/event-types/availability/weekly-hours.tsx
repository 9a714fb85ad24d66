import type { ScheduleView } from '../../core/data/views.ts'
import { Switch } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { ZoneField } from '../../core/fields/zone-field.tsx'
import { Section } from '../../core/page.tsx'
import { useWeekdays } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'
import { DayStrip, Ranges } from './ranges.tsx'
import { NINE_TO_FIVE, WEEK, WORKDAYS } from './week.ts'

interface Props {
  readonly schedule: ScheduleView
  readonly set: (part: Partial<ScheduleView>) => void
}

/** The hours of each weekday, and their time zone. */
export function WeeklyHours({ schedule: { weekly, timezone }, set }: Props) {
  const a = words.availability
  const weekdays = useWeekdays()
  const hoursOf = (day: number) => weekly[day] ?? []
  const setDay = (day: number, ranges: ScheduleView['weekly'][string]) =>
    set({ weekly: { ...weekly, [day]: ranges } })
  const first = WEEK.find((day) => hoursOf(day).length > 0)
  const sameAsFirst = (day: number) =>
    first !== undefined && JSON.stringify(hoursOf(day)) === JSON.stringify(hoursOf(first))
  const copyToWorkdays = (from: number) =>
    set({ weekly: { ...weekly, ...Object.fromEntries(WORKDAYS.map((day) => [day, hoursOf(from)])) } })
  return (
    <Section
      title={a.weekly}
      hint={a.weeklyHint}
      actions={
        first !== undefined &&
        !WORKDAYS.every(sameAsFirst) && (
          <button type="button" className="text-button" onClick={() => copyToWorkdays(first)}>
            {tell(a.copyToWeekdays, { day: words.weekdays[first - 1] ?? '' })}
          </button>
        )
      }
    >
      <div>
        {weekdays.map((day) => {
          const weekday = words.weekdays[day - 1] ?? ''
          const ranges = hoursOf(day)
          return (
            <div key={weekday} className="week-day" data-closed={ranges.length === 0 || undefined}>
              <Switch
                label={weekday}
                on={ranges.length > 0}
                onChange={(on) => setDay(day, on ? NINE_TO_FIVE : [])}
              />
              <div>
                <DayStrip ranges={ranges} />
                {ranges.length === 0 ? (
                  <p className="muted small">{a.unavailable}</p>
                ) : (
                  <Ranges name={weekday} ranges={ranges} onChange={(next) => setDay(day, next)} />
                )}
                <FieldError field={`weekly.${day}`} />
              </div>
            </div>
          )
        })}
      </div>
      <FieldError field="weekly" />
      <ZoneField zone={timezone} hint={a.zoneHint} onChange={(zone) => set({ timezone: zone })} />
    </Section>
  )
}
