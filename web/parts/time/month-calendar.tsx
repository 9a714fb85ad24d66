import { type CalendarDate, parseDate } from '@internationalized/date'
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
import { BackIcon, NextIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'

interface Props {
  readonly today: string
  readonly chosen: string | undefined
  readonly focused: string
  readonly isFree: (date: string) => boolean
  readonly onChoose: (date: string) => void
  /** The focused date, which also decides the month shown. */
  readonly onFocus: (date: string) => void
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** A month as an ARIA grid: unavailable days can be focused and are announced, but not chosen. */
export function MonthCalendar({ today, chosen, focused, isFree, onChoose, onFocus }: Props) {
  const { locale, tell } = useSpeech()
  return (
    <I18nProvider locale={gregorian(locale.tag)}>
      <Calendar<CalendarDate>
        aria-label={tell('chooseTime')}
        value={chosen === undefined ? null : parseDate(chosen)}
        focusedValue={parseDate(focused)}
        minValue={parseDate(today)}
        firstDayOfWeek={WEEKDAYS[firstWeekday(locale.tag) - 1] ?? 'mon'}
        isDateUnavailable={(date) => !isFree(date.toString().slice(0, 10))}
        onChange={(date) => onChoose(date.toString())}
        onFocusChange={(date) => onFocus(date.toString())}
      >
        <div className="month-bar">
          <Heading />
          <span className="month-buttons">
            <Button slot="previous" className="round" aria-label={tell('previousMonth')}>
              <BackIcon size={20} />
            </Button>
            <Button slot="next" className="round" aria-label={tell('nextMonth')}>
              <NextIcon size={20} />
            </Button>
          </span>
        </div>
        <div className="month-space">
          <CalendarGrid className="month" weekdayStyle="short">
            <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
            <CalendarGridBody>
              {(date) => (
                <CalendarCell
                  date={date}
                  className={({ isUnavailable, isDisabled }) =>
                    isUnavailable || isDisabled ? 'day' : 'day day-free'
                  }
                />
              )}
            </CalendarGridBody>
          </CalendarGrid>
        </div>
      </Calendar>
    </I18nProvider>
  )
}

/** Slots have Gregorian dates, so the months are Gregorian, even if the locale prefers another calendar. */
function gregorian(tag: string): string {
  return new Intl.Locale(tag, { calendar: 'gregory' }).toString()
}
