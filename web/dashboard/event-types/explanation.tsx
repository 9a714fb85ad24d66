import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call, withQuery } from '../core/data/api.ts'
import type { ExplanationView } from '../core/data/views.ts'
import { TextInput } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { instantAt, useTimes } from '../core/time/times.ts'
import { words } from '../words.ts'

interface Props {
  readonly eventTypeId: string
  /** In minutes, if the event type has several. */
  readonly duration: number | undefined
  readonly date: string
  readonly time: string
  readonly onClose: () => void
}

/** Names every rule that keeps a start from being offered. */
export function Explanation({ eventTypeId, duration, date: givenDate, time: givenTime, onClose }: Props) {
  const { zone } = useTimes()
  const [date, setDate] = useState(givenDate)
  const [time, setTime] = useState(givenTime)
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
    queryKey: ['slots', 'explain', eventTypeId, start, duration],
    enabled: complete,
    queryFn: async ({ signal }) => {
      const path = withQuery(`/event-types/${eventTypeId}/explain`, {
        start,
        duration: duration === undefined ? undefined : String(duration),
      })
      return (await call<ExplanationView>(path, { signal })).body
    },
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
