import { useSpeech } from '../../../parts/texts.tsx'
import { useFirstDay, useHour12, writeTime } from '../../../parts/time/clock.ts'
import { addDays, dateIn, LONG_DATE, weekdaysFrom, writeDate } from '../../../parts/time/dates.ts'
import { tell, words } from '../../words.ts'
import { useMe } from '../data/data.ts'
import type { MeView } from '../data/views.ts'

const MINUTE = 60_000
const SHORT_DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** How far a zone's clock is ahead of UTC at that instant, in milliseconds. */
function offsetAt(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(instant)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  return wall - Math.floor(instant / MINUTE) * MINUTE
}

/** An instant as the API takes it. */
export const formatInstant = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}Z`

/** The instant when that zone's clock shows this date and time (`HH:MM`). */
export function instantAt(zone: string, date: string, time: string): number {
  const wall = Date.parse(`${date}T${time}:00Z`)
  // The first offset is wrong only near a change of clocks; the second is right there, too.
  const guess = wall - offsetAt(zone, wall)
  return wall - offsetAt(zone, guess)
}

const FIRST_DAYS = { auto: undefined, monday: 1, saturday: 6, sunday: 7 } as const

/** The user's preferences as the clock of the pages takes them. */
export const clockSettingsOf = ({ timeFormat, weekStart }: Pick<MeView, 'timeFormat' | 'weekStart'>) => ({
  hour12: timeFormat === 'auto' ? undefined : timeFormat === '12h',
  firstDay: FIRST_DAYS[weekStart],
})

/** The ISO weekdays (1 is Monday), beginning with the host's first day of the week. */
export function useWeekdays(): readonly number[] {
  return weekdaysFrom(useFirstDay(useSpeech().locale.tag))
}

/** A weekday (1 is Monday) in few letters. The first day of 2024 was a Monday. */
export const shortWeekday = (tag: string, weekday: number) =>
  writeDate(tag, `2024-01-0${weekday}`, { weekday: 'short' }).replace(/\.$/, '')

/** Writes times in the host's zone, or in another. */
export function useTimes(wanted?: string) {
  const { locale } = useSpeech()
  const [hour12] = useHour12(locale.tag)
  const own = useMe().data?.body.timezone ?? 'UTC'
  const zone = wanted ?? own
  const time = (instant: number, inZone = zone) => writeTime(locale.tag, inZone, instant, hour12)
  return {
    zone,
    tag: locale.tag,
    time,
    /** A wall-clock time such as 17:00, as the host's locale writes it. */
    clock: (wall: string) =>
      wall === '24:00' ? '24:00' : writeTime(locale.tag, 'UTC', Date.parse(`2024-01-01T${wall}Z`), hour12),
    day: (instant: number) => {
      const date = dateIn(zone, instant)
      const today = dateIn(zone, Date.now())
      const written = writeDate(locale.tag, date, LONG_DATE)
      if (date === today) return tell(words.bookings.today, { date: written })
      if (date === addDays(today, 1)) return tell(words.bookings.tomorrow, { date: written })
      return written
    },
    /** The time of day (`HH:MM`), for a time field. */
    wallTime: (instant: number) => writeTime('en-GB', zone, instant, false),
    date: (instant: number) => dateIn(zone, instant),
    onDate: (date: string) => writeDate(locale.tag, date, SHORT_DATE),
    moment: (instant: string | number, inZone = zone) => {
      const at = typeof instant === 'string' ? Date.parse(instant) : instant
      const date = writeDate(locale.tag, dateIn(inZone, at), SHORT_DATE)
      return tell(words.dateAndTime, { date, time: time(at, inZone) })
    },
  }
}
