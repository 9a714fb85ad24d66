import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { SlotDay } from '../../../src/http/pages/page-data.ts'
import { eventAddress, listSlots } from '../../parts/api.ts'
import { addDays, dateIn, SHORT_DATE, writeDate } from '../../parts/dates.ts'
import { BackIcon, NextIcon } from '../../parts/icons.tsx'
import { cityOf } from '../../parts/zones.ts'
import { call, withQuery } from '../core/api.ts'
import { Action, TextInput, Trouble } from '../core/controls.tsx'
import { type Owner, sentenceOf } from '../core/data.ts'
import { Section } from '../core/page.tsx'
import { addressOf } from '../core/router.tsx'
import { instantAt, useTimes } from '../core/times.ts'
import type { EventTypeView, ExplanationView } from '../core/views.ts'
import { words } from '../words.ts'

interface Props {
  readonly saved: EventTypeView
  readonly draft: EventTypeView
  readonly dirty: boolean
  /** Whose it is: what members may not change, they see as guests do. */
  readonly owner: Owner
}

const WEEK = 7
const SHOWN_TIMES = 6

/** What guests would be offered with these settings, saved or not. */
export function Preview({ saved, draft, dirty, owner }: Props) {
  const times = useTimes()
  const today = dateIn(times.zone, Date.now())
  const [from, setFrom] = useState(today)
  const [why, setWhy] = useState<string>()
  const settings = useDeferredValue(draft)
  const p = words.preview
  const { id, ownerId, hosts, scheduleId, ...rules } = settings
  const week = useQuery({
    queryKey: [
      'slots',
      id,
      from,
      times.zone,
      JSON.stringify(rules),
      JSON.stringify(saved.hosts),
      saved.scheduleId,
    ],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => {
      // While someone types, only the last of it is asked about.
      await new Promise((resolve) => setTimeout(resolve, 200))
      if (signal.aborted) throw signal.reason
      const to = addDays(from, WEEK - 1)
      if (!owner.manages) {
        return listSlots(eventAddress(addressOf(''), owner.slug, saved.slug), from, to, times.zone, signal)
      }
      const query = { dateFrom: from, dateTo: to, timezone: times.zone }
      const path = withQuery(`/event-types/${id}/preview`, query)
      return (await call<readonly SlotDay[]>(path, { method: 'POST', body: rules, signal })).body
    },
  })
  const days = Array.from({ length: WEEK }, (_, index) => addDays(from, index))
  return (
    <Section
      title={p.title}
      hint={`${p.hint} ${cityOf(times.zone)}.`}
      actions={
        <span className="month-buttons">
          <button
            type="button"
            className="round"
            aria-label={p.earlier}
            disabled={from <= today}
            onClick={() => setFrom(addDays(from, -WEEK) < today ? today : addDays(from, -WEEK))}
          >
            <BackIcon size={18} />
          </button>
          <button
            type="button"
            className="round"
            aria-label={p.later}
            onClick={() => setFrom(addDays(from, WEEK))}
          >
            <NextIcon size={18} />
          </button>
        </span>
      }
    >
      {week.isError ? (
        <p className="alert">{sentenceOf(week.error)}</p>
      ) : (
        <ul className="preview" aria-busy={week.isFetching}>
          {days.map((date) => {
            const slots = week.data?.find((day) => day.date === date)?.slots ?? []
            return (
              <li key={date}>
                <span className="preview-day">{writeDate(times.tag, date, SHORT_DATE)}</span>
                {week.data === undefined ? (
                  <span className="bar" />
                ) : slots.length === 0 ? (
                  <span className="preview-none">
                    {p.nothing}
                    <button
                      type="button"
                      className="text-button"
                      aria-label={p.whyOn(writeDate(times.tag, date, SHORT_DATE))}
                      onClick={() => setWhy(date)}
                    >
                      {p.why}
                    </button>
                  </span>
                ) : (
                  <span className="preview-times">
                    {slots.slice(0, SHOWN_TIMES).map(({ startTime }) => (
                      <span key={startTime}>{times.time(Date.parse(startTime))}</span>
                    ))}
                    {slots.length > SHOWN_TIMES && (
                      <span className="text-muted">{p.more(slots.length - SHOWN_TIMES)}</span>
                    )}
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {dirty && (draft.scheduleId !== saved.scheduleId || draft.hosts !== saved.hosts) && (
        <p className="hint">{p.afterSaving}</p>
      )}
      <div>
        {why === undefined ? (
          <button type="button" className="text-button" onClick={() => setWhy(today)}>
            {p.askAny}
          </button>
        ) : (
          <Why key={why} id={id} date={why} zone={times.zone} onClose={() => setWhy(undefined)} />
        )}
      </div>
    </Section>
  )
}

interface WhyProps {
  readonly id: string
  readonly date: string
  readonly zone: string
  readonly onClose: () => void
}

/** Every rule that strikes a start out, in words. */
function Why({ id, date: given, zone, onClose }: WhyProps) {
  const [date, setDate] = useState(given)
  const [time, setTime] = useState('10:00')
  const p = words.preview
  const complete = date !== '' && time !== ''
  const start = complete ? new Date(instantAt(zone, date, time)).toISOString() : ''
  const answer = useQuery({
    queryKey: ['slots', 'explain', id, start],
    enabled: complete,
    queryFn: async ({ signal }) =>
      (await call<ExplanationView>(withQuery(`/event-types/${id}/explain`, { start }), { signal })).body,
  })
  const reasons = [...new Set(answer.data?.groups.flatMap((group) => group.reasons))]
  return (
    <fieldset className="nested" aria-label={p.whyTitle}>
      <h3 className="m-0 text-base font-semibold">{p.whyTitle}</h3>
      <div className="grid grid-cols-2 gap-3">
        <TextInput label={p.date} type="date" value={date} onChange={setDate} />
        <TextInput label={p.time} type="time" value={time} onChange={setTime} />
      </div>
      <Trouble error={answer.error} />
      <div role="status">
        {answer.data?.offered && <p className="m-0 text-good">{p.offered}</p>}
        {answer.data?.offered === false && (
          <ul className="reasons">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </div>
      <div>
        <Action small onPress={onClose}>
          {words.close}
        </Action>
      </div>
    </fieldset>
  )
}
