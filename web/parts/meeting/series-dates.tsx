import { withCarriedQuery } from '../embedding.ts'
import { useSpeech } from '../texts.tsx'
import { useWhen } from '../time/when.tsx'
import type { SeriesMeeting } from './own-booking.ts'

interface Props {
  readonly series: readonly SeriesMeeting[]
  /** The meeting that the page is about. */
  readonly id: string
  readonly zone: string
}

/** All dates of a series; those of other meetings lead to their pages. */
export function SeriesDates({ series, id, zone }: Props) {
  const { tell } = useSpeech()
  const when = useWhen()
  return (
    <div className="field">
      <h2 className="label">{tell('repeatDates')}</h2>
      <ol className="series-dates">
        {series.map((meeting) => {
          const { day, hours } = when(Date.parse(meeting.startTime), Date.parse(meeting.endTime), zone)
          const { pathname, search } = new URL(meeting.manageUrl)
          return (
            <li key={meeting.id} aria-current={meeting.id === id || undefined}>
              {meeting.id === id ? (
                `${day}, ${hours}`
              ) : (
                <a className="link" href={withCarriedQuery(`${pathname}${search}`)}>
                  {day}, {hours}
                </a>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
