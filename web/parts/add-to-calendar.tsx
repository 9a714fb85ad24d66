import { useEffect, useState } from 'react'
import { type CalendarEntry, googleLink, outlookLink, writeIcs } from './ics.ts'
import { useSpeech } from './texts.tsx'

export function AddToCalendar({ entry }: { readonly entry: CalendarEntry }) {
  const { tell } = useSpeech()
  const ics = writeIcs(entry)
  const [file, setFile] = useState('')
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([ics], { type: 'text/calendar' }))
    setFile(url)
    return () => URL.revokeObjectURL(url)
  }, [ics])
  return (
    <div className="add-to-calendar">
      <p>{tell('addToCalendar')}</p>
      <div className="chips">
        <a className="chip" href={googleLink(entry)} target="_blank" rel="noreferrer">
          {tell('googleCalendar')}
        </a>
        <a className="chip" href={outlookLink(entry)} target="_blank" rel="noreferrer">
          {tell('outlookCalendar')}
        </a>
        <a className="chip" href={file} download="meeting.ics">
          {tell('icsFile')}
        </a>
      </div>
    </div>
  )
}
