import { useSpeech } from '../texts.tsx'
import { useHour12, writeTime } from '../time/clock.ts'
import { writeInstant } from '../time/dates.ts'

interface Props {
  readonly startsAt: number
  /** Until when the guest can change it; undefined: nothing is said about it. */
  readonly cancelUntil: number | undefined
  readonly rescheduleUntil: number | undefined
  readonly zone: string
}

/** A day and a time, as the reader wants its hours. */
export function useInstant(zone: string): (instant: number) => string {
  const { locale } = useSpeech()
  const [hour12] = useHour12(locale.tag)
  return (instant) =>
    `${writeInstant(locale.tag, zone, instant, { dateStyle: 'medium' })}, ${writeTime(locale.tag, zone, instant, hour12)}`
}

/** Until when the guest can change the meeting, unless that is until it starts, as everyone expects. */
export function Deadlines({ startsAt, cancelUntil, rescheduleUntil, zone }: Props) {
  const { tell } = useSpeech()
  const write = useInstant(zone)
  const sentences = [
    { until: rescheduleUntil, open: 'rescheduleUntil', over: 'noRescheduling' } as const,
    { until: cancelUntil, open: 'cancelUntil', over: 'noCancelling' } as const,
  ].flatMap(({ until, open, over }) => {
    if (until === undefined || until >= startsAt) return []
    return until > Date.now() ? tell(open, { time: write(until) }) : tell(over)
  })
  return sentences.length > 0 && <p className="muted small">{sentences.join(' ')}</p>
}
