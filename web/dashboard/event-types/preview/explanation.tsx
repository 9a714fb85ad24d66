import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { addDays, dateIn } from '../../../parts/time/dates.ts'
import { Button } from '../../core/buttons.tsx'
import { TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { instantAt, useTimes } from '../../core/time/times.ts'
import { words } from '../../words.ts'
import { type Edited, explainDraftStart } from './draft-slots.ts'

interface Props {
  readonly edited: Edited
  readonly onClose: () => void
}

/** Names every rule that keeps a start from being offered, with the settings that are being edited. */
export function Explanation({ edited, onClose }: Props) {
  const { zone } = useTimes()
  const [date, setDate] = useState(() => addDays(dateIn(zone, Date.now()), 1))
  const [time, setTime] = useState('09:00')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus()
    return () => {
      // The button that opened it, or none if the page has moved on.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  const p = words.preview
  const complete = date !== '' && time !== ''
  const start = complete ? new Date(instantAt(zone, date, time)).toISOString() : ''
  const answer = useQuery({
    queryKey: ['slots', 'explain', edited.saved.id, start, JSON.stringify(edited.draft)],
    enabled: complete,
    retry: false,
    queryFn: () => explainDraftStart(edited, start),
  })
  const reasons = [...new Set(answer.data?.groups.flatMap((group) => group.reasons))]
  return (
    <fieldset className="nested" aria-label={p.whyTitle}>
      <h3 ref={heading} tabIndex={-1}>
        {p.whyTitle}
      </h3>
      <div className="pair">
        <TextInput label={p.date} type="date" value={date} onChange={setDate} />
        <TextInput label={p.time} type="time" value={time} onChange={setTime} />
      </div>
      <ErrorAlert error={answer.error} />
      <div role="status">
        {answer.data?.offered && <p className="good">{p.offered}</p>}
        {answer.data?.offered === false && (
          <ul className="reasons">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </div>
      <div>
        <Button small onPress={onClose}>
          {words.close}
        </Button>
      </div>
    </fieldset>
  )
}
