import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import type { Slot, SlotDay } from '../../../src/http/pages/page-data.ts'
import { eventAddress, listSlots } from '../../parts/api.ts'
import { BackIcon, NextIcon } from '../../parts/icons.tsx'
import { addDays, dateIn, SHORT_DATE, writeDate } from '../../parts/time/dates.ts'
import { useCity } from '../../parts/time/zones.ts'
import { withBase } from '../core/base.ts'
import { IconButton } from '../core/buttons.tsx'
import { call, withQuery } from '../core/data/api.ts'
import type { Owner } from '../core/data/data.ts'
import { errorText } from '../core/data/errors.ts'
import type { EventTypeView } from '../core/data/views.ts'
import { Select } from '../core/fields/fields.tsx'
import { Section } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'
import { Explanation } from './explanation.tsx'

interface Props {
  readonly saved: EventTypeView
  readonly draft: EventTypeView
  readonly dirty: boolean
  /** Members who may not change it see the same as guests. */
  readonly owner: Owner
}

const DAYS = 7

/** Asks about a time of any day. */
const ANY = 'any'

/** What guests would be offered with these settings, saved or not. */
export function Preview({ saved, draft, dirty, owner }: Props) {
  const cityOf = useCity()
  const times = useTimes()
  const today = dateIn(times.zone, Date.now())
  const [from, setFrom] = useState(today)
  const [explained, setExplained] = useState<string>()
  const [minutes, setMinutes] = useState<number>()
  const choosable = draft.durations.length > 1
  // One that was just taken off the list is no longer asked for.
  const duration = choosable
    ? (draft.durations.find((one) => one === minutes) ?? draft.durationMinutes)
    : undefined
  const week = useOfferedWeek(saved, useDeferredValue(draft), owner, { from, duration })
  const p = words.preview
  const firstStarts = week.data?.flatMap(({ slots }) => slots.slice(0, 1)) ?? []
  const [earliest = '09:00'] = firstStarts.map((slot) => times.wallTime(Date.parse(slot.startTime))).sort()
  const explanation = explained !== undefined && (
    <Explanation
      key={explained}
      eventTypeId={saved.id}
      duration={duration !== undefined && saved.durations.includes(duration) ? duration : undefined}
      date={explained === ANY ? from : explained}
      time={earliest}
      onClose={() => setExplained(undefined)}
    />
  )
  const previous = addDays(from, -DAYS)
  return (
    <Section
      id="preview"
      title={p.title}
      hint={tell(p.hint, { city: cityOf(times.zone) })}
      actions={
        <span className="month-buttons">
          <IconButton
            label={p.previous}
            disabled={from <= today}
            onPress={() => setFrom(previous < today ? today : previous)}
          >
            <BackIcon size={18} />
          </IconButton>
          <IconButton label={p.next} onPress={() => setFrom(addDays(from, DAYS))}>
            <NextIcon size={18} />
          </IconButton>
        </span>
      }
    >
      {choosable && (
        <Select
          label={words.eventTypes.duration}
          value={String(duration)}
          options={draft.durations.map((one) => ({
            id: String(one),
            label: tell(words.bookings.minutes, { count: one }),
          }))}
          onChange={(id) => setMinutes(Number(id))}
        />
      )}
      {week.isError ? (
        <p className="alert">{errorText(week.error)}</p>
      ) : (
        <ul className="preview" aria-busy={week.isFetching}>
          {Array.from({ length: DAYS }, (_, index) => addDays(from, index)).map((date) => (
            <PreviewDay
              key={date}
              date={writeDate(times.tag, date, SHORT_DATE)}
              slots={week.data && (week.data.find((day) => day.date === date)?.slots ?? [])}
              onWhy={() => setExplained(date)}
              explanation={explained === date && explanation}
            />
          ))}
        </ul>
      )}
      {dirty && (draft.scheduleId !== saved.scheduleId || draft.hosts !== saved.hosts) && (
        <p className="hint">{p.afterSaving}</p>
      )}
      <div>
        <button
          type="button"
          className="text-button"
          aria-expanded={explained === ANY}
          onClick={() => setExplained(explained === ANY ? undefined : ANY)}
        >
          {p.askAny}
        </button>
        {explained === ANY && explanation}
      </div>
    </Section>
  )
}

/** The slots of the week from that date. */
function useOfferedWeek(
  saved: EventTypeView,
  settings: EventTypeView,
  owner: Owner,
  { from, duration }: { readonly from: string; readonly duration: number | undefined },
) {
  const { zone } = useTimes()
  // The server uses the hosts and the schedule that are saved.
  const { id, ownerId, hosts, scheduleId, ...rules } = settings
  return useQuery({
    queryKey: [
      'slots',
      id,
      from,
      zone,
      duration,
      JSON.stringify(rules),
      JSON.stringify(saved.hosts),
      saved.scheduleId,
    ],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => {
      // Wait for a pause in typing.
      await new Promise((resolve) => setTimeout(resolve, 200))
      if (signal.aborted) throw signal.reason
      const to = addDays(from, DAYS - 1)
      if (!owner.manages) {
        return listSlots(
          eventAddress(withBase(''), owner.slug, saved.slug),
          { from, to, timeZone: zone, duration },
          signal,
        )
      }
      const asked = duration === undefined ? undefined : String(duration)
      const query = { dateFrom: from, dateTo: to, timezone: zone, duration: asked }
      const path = withQuery(`/event-types/${id}/preview`, query)
      return (await call<readonly SlotDay[]>(path, { method: 'POST', body: rules, signal })).body
    },
  })
}

interface DayProps {
  readonly date: string
  /** Undefined while they load. */
  readonly slots: readonly Slot[] | undefined
  readonly onWhy: () => void
  /** Why this day has no times, once the host has asked. */
  readonly explanation: ReactNode
}

const SHOWN_TIMES = 5

function PreviewDay({ date, slots, onWhy, explanation }: DayProps) {
  const times = useTimes()
  const p = words.preview
  return (
    <li>
      <span className="preview-day">{date}</span>
      {slots === undefined ? (
        <span className="bar" />
      ) : slots.length === 0 ? (
        <span className="preview-none">
          {p.none}
          <button type="button" className="text-button" aria-label={tell(p.whyOn, { date })} onClick={onWhy}>
            {p.why}
          </button>
        </span>
      ) : (
        <span className="preview-times">
          {slots.slice(0, SHOWN_TIMES).map(({ startTime }) => (
            <span key={startTime}>{times.time(Date.parse(startTime))}</span>
          ))}
          {slots.length > SHOWN_TIMES && <small>{tell(p.more, { count: slots.length - SHOWN_TIMES })}</small>}
        </span>
      )}
      {explanation}
    </li>
  )
}
