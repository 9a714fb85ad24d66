import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How far an instant is from now, such as "5 minutes ago" or "in 2 hours". */
function writeDistance(tag: string, instant: number, now: number): string {
  const away = instant - now
  const [unit, length] = UNITS.find(([, size]) => Math.abs(away) >= size) ?? UNITS[3]
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(Math.trunc(away / length), unit)
}

/** Writes when something was or will be: how far from now, or with its date and time. */
export function useMoments() {
  const times = useTimes()
  const distance = (instant: string) => writeDistance(times.tag, Date.parse(instant), Date.now())
  return {
    tag: times.tag,
    moment: times.moment,
    distance,
    both: (instant: string) =>
      tell(words.system.andAgo, { moment: times.moment(instant), ago: distance(instant) }),
  }
}
