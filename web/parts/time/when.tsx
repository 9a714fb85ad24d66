import { cityOf, isPlaceless } from '../../../src/domain/zone-names.ts'
import { useSpeech } from '../texts.tsx'
import { useHour12, writeTime } from './clock.ts'
import { dateIn, LONG_DATE, writeDate } from './dates.ts'
import { offsetOf } from './zones.ts'

/** A meeting's time in words: the day, then start, end and time zone. */
export function useWhen(): (
  startsAt: number,
  endsAt: number,
  zone: string,
) => { day: string; start: string; hours: string } {
  const { locale, cities } = useSpeech()
  const [hour12] = useHour12(locale.tag)
  const place = (at: number, zone: string) =>
    [!isPlaceless(zone) && cityOf(zone, cities), offsetOf(locale.tag, zone, at)].filter(Boolean).join(', ')
  return (startsAt, endsAt, zone) => {
    const time = (instant: number) => writeTime(locale.tag, zone, instant, hour12)
    return {
      start: time(startsAt),
      day: writeDate(locale.tag, dateIn(zone, startsAt), LONG_DATE),
      hours: `${time(startsAt)} – ${time(endsAt)} (${place(startsAt, zone)})`,
    }
  }
}
