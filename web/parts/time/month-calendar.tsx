import { type CalendarDate, parseDate } from '@internationalized/date'
import { useRef } from 'react'
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
import { BackIcon, NextIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'
import { useFirstDay } from './clock.ts'

interface Props {
  /** Whether this is the present month: there is nothing before it. */
  readonly isFirst: boolean
  readonly today: string
  readonly firstFree: string | undefined
  readonly chosen: string | undefined
  readonly focused: string
  readonly isFree: (date: string) => boolean
  readonly onChoose: (date: string) => void
  /** The focused date, which also decides the month shown. The arrow keys also lead to days that are not free. */
  readonly onFocus: (date: string, byKeys: boolean) => void
  /** Called when the focus leaves the days. */
  readonly onLeave: () => void
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** A month as an ARIA grid: unavailable days can be focused and are announced, but not chosen. */
export function MonthCalendar(props: Props) {
  const { isFirst, today, firstFree, chosen, focused, isFree, onChoose, onFocus, onLeave } = props
  const { locale, tell } = useSpeech()
  const days = useRef<HTMLDivElement>(null)
  const firstDay = useFirstDay(locale.tag)
  return (
    <I18nProvider locale={gregorian(locale.tag)}>
      <Calendar<CalendarDate>
        aria-label={tell('chooseTime')}
        value={chosen === undefined ? null : parseDate(chosen)}
        focusedValue={parseDate(focused)}
        // It is read out as the first available date, so it has to be one.
        minValue={isFirst && firstFree !== undefined ? parseDate(firstFree) : null}
        firstDayOfWeek={WEEKDAYS[firstDay - 1] ?? 'mon'}
        isDateUnavailable={(date) => !isFree(date.toString().slice(0, 10))}
        onChange={(date) => onChoose(date.toString())}
        onFocusChange={(date) =>
          onFocus(date.toString(), days.current?.contains(document.activeElement) === true)
        }
      >
        <div className="month-bar">
          <Heading />
          <span className="month-buttons">
            <Button slot="previous" className="round" isDisabled={isFirst} aria-label={tell('previousMonth')}>
              <BackIcon size={20} />
            </Button>
            <Button slot="next" className="round" aria-label={tell('nextMonth')}>
              <NextIcon size={20} />
            </Button>
          </span>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the focus leaving the days */}
        <div
          className="month-space"
          ref={days}
          onBlur={({ relatedTarget }) => days.current?.contains(relatedTarget) || onLeave()}
        >
          <CalendarGrid className="month" weekdayStyle="short">
            <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
            <CalendarGridBody>
              {(date) => (
                <CalendarCell
                  date={date}
                  className={({ isUnavailable, isDisabled }) =>
                    `day${isUnavailable || isDisabled ? '' : ' day-free'}${date.toString() < today ? ' day-past' : ''}`
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
