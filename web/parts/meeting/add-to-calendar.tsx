import { type CalendarLink, WEB_CALENDARS } from '../../../src/format/calendar-links.ts'
import { useSpeech } from '../texts.tsx'

interface Props {
  /** Undefined while they load; their space is reserved, so that nothing moves. */
  readonly links: readonly CalendarLink[] | undefined
  /** The URL of the calendar file. */
  readonly file: string
}

export function AddToCalendar({ links, file }: Props) {
  const { tell } = useSpeech()
  // An `a` without a URL is not a link yet.
  const chips = links ?? WEB_CALENDARS.map((name) => ({ name, url: undefined }))
  return (
    <div className="add-to-calendar">
      <p>{tell('addToCalendar')}</p>
      <div className="chips">
        {chips.map(({ name, url }) => (
          <a key={name} className="chip" href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        ))}
        <a className="chip" href={file} download>
          {tell('icsFile')}
        </a>
      </div>
    </div>
  )
}
