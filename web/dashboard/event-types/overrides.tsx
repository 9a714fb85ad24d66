import { type CalendarDate, parseDate } from '@internationalized/date'
import { useState } from 'react'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  I18nProvider,
} from 'react-aria-components'
import { firstWeekday } from '../../../src/domain/languages.ts'
import { dateIn, LONG_DATE, writeDate } from '../../parts/dates.ts'
import { BackIcon, NextIcon } from '../../parts/icons.tsx'
import { useSpeech } from '../../parts/texts.tsx'
import { Action, Switch } from '../core/controls.tsx'
import { Section } from '../core/page.tsx'
import { useTimes } from '../core/times.ts'
import type { ScheduleView } from '../core/views.ts'
import { words } from '../words.ts'
import { Ranges } from './ranges.tsx'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

interface Props {
  readonly schedule: ScheduleView
  readonly onChange: (overrides: ScheduleView['overrides']) => void
}

/** Days whose hours are not the week's. */
export function Overrides({ schedule, onChange }: Props) {
  const { locale } = useSpeech()
  const { clock } = useTimes()
  const today = dateIn(schedule.timezone, Date.now())
  const [chosen, setChosen] = useState<string>()
  const { overrides, weekly } = schedule
  const usual = (date: string) => weekly[((new Date(date).getUTCDay() + 6) % 7) + 1] ?? []
  const set = (date: string, ranges: ScheduleView['overrides'][string]) =>
    onChange({ ...overrides, [date]: ranges })
  const forget = (date: string) =>
    onChange(Object.fromEntries(Object.entries(overrides).filter(([one]) => one !== date)))
  const coming = Object.entries(overrides)
    .filter(([date]) => date >= today)
    .sort(([a], [b]) => a.localeCompare(b))
  const stateOf = (date: string) => {
    const changed = overrides[date]
    if (changed !== undefined) return changed.length === 0 ? 'off' : 'changed'
    return usual(date).length === 0 ? 'closed' : 'open'
  }
  const write = (date: string) => writeDate(locale.tag, date, LONG_DATE)
  return (
    <Section title={words.availability.overrides} hint={words.availability.overridesHint}>
      <div className="grid gap-6 md:grid-cols-[20rem_1fr]">
        <I18nProvider locale={new Intl.Locale(locale.tag, { calendar: 'gregory' }).toString()}>
          <Calendar<CalendarDate>
            aria-label={words.availability.overrides}
            value={chosen === undefined ? null : parseDate(chosen)}
            minValue={parseDate(today)}
            firstDayOfWeek={WEEKDAYS[firstWeekday(locale.tag) - 1] ?? 'mon'}
            onChange={(date) => setChosen(date.toString())}
          >
            <div className="month-bar">
              <Heading className="!text-base" />
              <span className="month-buttons">
                <Button slot="previous" className="round" aria-label={words.availability.previousMonth}>
                  <BackIcon size={20} />
                </Button>
                <Button slot="next" className="round" aria-label={words.availability.nextMonth}>
                  <NextIcon size={20} />
                </Button>
              </span>
            </div>
            <CalendarGrid className="month month-small" weekdayStyle="short">
              <CalendarGridHeader>
                {(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}
              </CalendarGridHeader>
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
              <span className="day-open" /> {words.availability.legendOpen}
              <span className="day-changed" /> {words.availability.legendChanged}
              <span className="day-off" /> {words.availability.legendOff}
            </p>
          </Calendar>
        </I18nProvider>
        <div className="min-w-0">
          {chosen === undefined ? (
            <p className="m-0 text-muted">{words.availability.chooseDay}</p>
          ) : (
            <fieldset className="day-editor" aria-label={write(chosen)}>
              <h3>{write(chosen)}</h3>
              <Switch
                label={words.availability.openThatDay}
                on={(overrides[chosen] ?? usual(chosen)).length > 0}
                onChange={(on) =>
                  set(
                    chosen,
                    on
                      ? usual(chosen).length > 0
                        ? usual(chosen)
                        : [{ opens: '09:00', closes: '17:00' }]
                      : [],
                  )
                }
              />
              {(overrides[chosen] ?? usual(chosen)).length > 0 && (
                <Ranges
                  name={write(chosen)}
                  ranges={overrides[chosen] ?? usual(chosen)}
                  onChange={(ranges) => set(chosen, ranges)}
                />
              )}
              {overrides[chosen] !== undefined && (
                <div>
                  <Action small onPress={() => forget(chosen)}>
                    {words.availability.backToWeek}
                  </Action>
                </div>
              )}
            </fieldset>
          )}
          {coming.length > 0 && (
            <ul className="mini-list mt-5">
              {coming.map(([date, ranges]) => (
                <li key={date}>
                  <button type="button" className="text-button" onClick={() => setChosen(date)}>
                    {writeDate(locale.tag, date, {
                      weekday: 'short',
                      day: 'numeric',
                      month: 'short',
                      year: 'numeric',
                    })}
                  </button>
                  <span className="text-muted">
                    {ranges.length === 0
                      ? words.availability.closed
                      : ranges.map(({ opens, closes }) => `${clock(opens)}–${clock(closes)}`).join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Section>
  )
}
