import { type CalendarDate, parseDate } from '@internationalized/date'
import { useState } from 'react'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  I18nProvider,
  Button as MonthButton,
} from 'react-aria-components'
import { BackIcon, NextIcon } from '../../../parts/icons.tsx'
import { useSpeech } from '../../../parts/texts.tsx'
import { dateIn, LONG_DATE, writeDate } from '../../../parts/time/dates.ts'
import { AddItem, Button } from '../../core/buttons.tsx'
import type { ScheduleView } from '../../core/data/views.ts'
import { Switch } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { Section } from '../../core/page.tsx'
import { useTimes, useWeekdays } from '../../core/time/times.ts'
import { list, words } from '../../words.ts'
import { Ranges, withMoreHours } from './ranges.tsx'
import { NINE_TO_FIVE } from './week.ts'

type Hours = ScheduleView['overrides'][string]

interface Props {
  readonly schedule: ScheduleView
  readonly onChange: (overrides: ScheduleView['overrides']) => void
}

/** Dates whose hours differ from the weekly ones. */
export function Overrides({ schedule, onChange }: Props) {
  const [chosen, setChosen] = useState<string>()
  const { overrides, weekly } = schedule
  const a = words.availability
  const today = dateIn(schedule.timezone, Date.now())
  const weeklyHours = (date: string) => weekly[((new Date(date).getUTCDay() + 6) % 7) + 1] ?? []
  const stateOf = (date: string): DayState => {
    const override = overrides[date]
    if (override !== undefined) return override.length === 0 ? 'off' : 'changed'
    return weeklyHours(date).length === 0 ? 'closed' : 'open'
  }
  const set = (date: string, hours: Hours | undefined) => {
    const others = Object.entries(overrides).filter(([one]) => one !== date)
    onChange(Object.fromEntries(hours === undefined ? others : [...others, [date, hours]]))
  }
  const upcoming = Object.entries(overrides)
    .filter(([date]) => date >= today)
    .sort(([a], [b]) => a.localeCompare(b))
  return (
    <Section title={a.overrides} hint={a.overridesHint}>
      <FieldError field="overrides" />
      <div className="overrides">
        <OverrideCalendar today={today} chosen={chosen} stateOf={stateOf} onChoose={setChosen} />
        <div>
          {chosen === undefined ? (
            <p className="muted">{a.pickDate}</p>
          ) : (
            <DayEditor
              date={chosen}
              override={overrides[chosen]}
              weekly={weeklyHours(chosen)}
              onChange={(hours) => set(chosen, hours)}
            />
          )}
          {upcoming.length > 0 && <UpcomingOverrides upcoming={upcoming} onChoose={setChosen} />}
        </div>
      </div>
    </Section>
  )
}

/** `open` and `closed` by the weekly hours, `changed` and `off` by an override. */
type DayState = 'open' | 'closed' | 'changed' | 'off'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

interface CalendarProps {
  readonly today: string
  readonly chosen: string | undefined
  readonly stateOf: (date: string) => DayState
  readonly onChoose: (date: string) => void
}

function OverrideCalendar({ today, chosen, stateOf, onChoose }: CalendarProps) {
  const { locale } = useSpeech()
  const [firstDay = 1] = useWeekdays()
  const a = words.availability
  return (
    <I18nProvider locale={new Intl.Locale(locale.tag, { calendar: 'gregory' }).toString()}>
      <Calendar<CalendarDate>
        aria-label={a.overrides}
        value={chosen === undefined ? null : parseDate(chosen)}
        minValue={parseDate(today)}
        // The schedule's today, which may not be that of this browser.
        defaultFocusedValue={parseDate(chosen ?? today)}
        firstDayOfWeek={WEEKDAYS[firstDay - 1] ?? 'mon'}
        onChange={(date) => onChoose(date.toString())}
      >
        <div className="month-bar">
          <Heading />
          <span className="month-buttons">
            <MonthButton slot="previous" className="round" aria-label={a.previousMonth}>
              <BackIcon size={20} />
            </MonthButton>
            <MonthButton slot="next" className="round" aria-label={a.nextMonth}>
              <NextIcon size={20} />
            </MonthButton>
          </span>
        </div>
        <CalendarGrid className="month month-small" weekdayStyle="short">
          <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
          <CalendarGridBody>
            {(date) => (
              <CalendarCell
                date={date}
                className={({ isDisabled }) =>
                  isDisabled ? 'day' : `day day-${stateOf(date.toString().slice(0, 10))}`
                }
              />
            )}
          </CalendarGridBody>
        </CalendarGrid>
        <p className="legend" aria-hidden="true">
          <span className="day-open" /> {a.legendOpen}
          <span className="day-changed" /> {a.legendChanged}
          <span className="day-off" /> {a.legendOff}
        </p>
      </Calendar>
    </I18nProvider>
  )
}

interface DayProps {
  readonly date: string
  readonly override: Hours | undefined
  readonly weekly: Hours
  /** Undefined: the weekly hours again. */
  readonly onChange: (hours: Hours | undefined) => void
}

function DayEditor({ date, override, weekly, onChange }: DayProps) {
  const { locale } = useSpeech()
  const a = words.availability
  const hours = override ?? weekly
  const more = withMoreHours(hours)
  const name = writeDate(locale.tag, date, LONG_DATE)
  return (
    <fieldset className="day-editor" aria-label={name}>
      <h3>{name}</h3>
      <Switch
        label={a.availableThatDay}
        on={hours.length > 0}
        onChange={(on) => onChange(on ? (weekly.length > 0 ? weekly : NINE_TO_FIVE) : [])}
      />
      {hours.length > 0 && <Ranges name={name} ranges={hours} onChange={onChange} />}
      {hours.length > 0 && more && (
        <AddItem to={name} onPress={() => onChange(more)}>
          {a.addHours}
        </AddItem>
      )}
      {override !== undefined && (
        <div>
          <Button small onPress={() => onChange(undefined)}>
            {a.useWeekly}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface UpcomingProps {
  readonly upcoming: readonly (readonly [string, Hours])[]
  readonly onChoose: (date: string) => void
}

function UpcomingOverrides({ upcoming, onChoose }: UpcomingProps) {
  const { locale } = useSpeech()
  const { clock } = useTimes()
  return (
    <ul className="mini-list">
      {upcoming.map(([date, hours]) => (
        <li key={date}>
          <button type="button" className="text-button" onClick={() => onChoose(date)}>
            {writeDate(locale.tag, date, {
              weekday: 'short',
              day: 'numeric',
              month: 'short',
              year: 'numeric',
            })}
          </button>
          <span className="muted">
            {hours.length === 0
              ? words.availability.unavailable
              : list(hours.map(({ opens, closes }) => `${clock(opens)}–${clock(closes)}`))}
          </span>
        </li>
      ))}
    </ul>
  )
}
