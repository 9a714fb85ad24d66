import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { BookingData, Slot, SlotDay } from '../../../src/http/pages/page-data.ts'
import { ApiFailure, listSlots } from '../api.ts'
import { Live } from '../live.tsx'
import { useSpeech } from '../texts.tsx'
import { useHour12, writeTime } from './clock.ts'
import {
  addDays,
  addMonths,
  dateIn,
  firstOf,
  groupByDate,
  hourIn,
  LONG_DATE,
  lastOf,
  monthOf,
  SHORT_DATE,
  writeDate,
} from './dates.ts'
import { MonthCalendar } from './month-calendar.tsx'
import { ZonePicker } from './zone-picker.tsx'
import { offsetOf, zoneName } from './zones.ts'

interface Props {
  /** The API URL of the event type, or of the booking that moves. */
  readonly address: string
  /** Length of the meeting in minutes; undefined: the event type's default. */
  readonly duration?: number | undefined
  readonly hostName: string
  readonly hostZone?: string
  readonly zone: string
  readonly onZone: (zone: string) => void
  readonly onPick: (slot: Slot) => void
  /** The slots that came with the page. */
  readonly first?: BookingData['slots']
  /** Shown above the calendar, such as a choice of lengths. */
  readonly above?: ReactNode
  /** Shown above the times, such as why the guest has to choose again. */
  readonly notice?: ReactNode
  /** The date shown first. */
  readonly startAt?: string | undefined
  readonly headingRef?: Ref<HTMLHeadingElement>
}

const FRESH = 20_000

export const slotsKey = (address: string) => ['slots', address] as const

interface Searched {
  readonly address: string
  readonly duration: number | undefined
  readonly zone: string
}

const monthQuery = ({ address, duration, zone }: Searched, month: string, today: string) => ({
  queryKey: [...slotsKey(address), duration, zone, month],
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const from = firstOf(month) < today && monthOf(today) === month ? today : firstOf(month)
    return listSlots(address, { from, to: lastOf(month), timeZone: zone, duration }, signal)
  },
  staleTime: FRESH,
})

/** A month, and the times of one day. */
export function SlotPicker(props: Props) {
  const { address, duration, hostName, hostZone, zone, onZone, onPick, first, above, notice, startAt } = props
  const { headingRef } = props
  const { locale, tell } = useSpeech()
  const client = useQueryClient()
  const [hour12, setHour12] = useHour12(locale.tag)
  const [openedAt] = useState(() => Date.now())
  const today = dateIn(zone, openedAt)
  const [chosen, setChosen] = useState<string | undefined>(startAt)
  const [focused, setFocused] = useState<string | undefined>(startAt)
  /** Whether the guest is moving through the month with the arrow keys. */
  const [roaming, setRoaming] = useState(false)
  const times = useRef<HTMLDivElement>(null)
  const shown = focused !== undefined && focused >= today ? focused : today
  const month = monthOf(shown)

  const { data, error, isPending, isError, isPlaceholderData, refetch } = useQuery({
    ...monthQuery({ address, duration, zone }, month, today),
    initialData: () => daysFromPage(first, month, zone, today),
    initialDataUpdatedAt: openedAt,
    placeholderData: keepPreviousData,
  })
  const waiting = isPending || isPlaceholderData
  const days = waiting ? undefined : data
  const free = new Map(days?.map((day) => [day.date, day.slots]))
  // The chosen day, or the first that is available after it.
  const date = (days?.find((day) => day.date >= (chosen ?? '')) ?? days?.[0])?.date
  const slots = date === undefined ? [] : (free.get(date) ?? [])

  useEffect(() => {
    if (waiting) return
    void client.prefetchQuery(monthQuery({ address, duration, zone }, addMonths(month, 1), today))
  }, [client, address, duration, month, zone, today, waiting])

  const choose = (day: string) => {
    setChosen(day)
    setFocused(day)
  }
  /** For controls that disappear when they are used: the focus would be lost with them. */
  const focusHeading = (change: () => void) => {
    flushSync(change)
    times.current?.querySelector('h2')?.focus()
  }

  const monthName = writeDate(locale.tag, firstOf(month), { month: 'long', year: 'numeric' })
  const spoken = () => {
    if (isError) return tell('timesFailed')
    if (waiting) return tell('loadingTimes')
    if (date === undefined) return tell('noneInMonth', { month: monthName })
    return tell('timesOn', { count: slots.length, date: writeDate(locale.tag, date, LONG_DATE) })
  }

  return (
    <section className="choose" aria-label={tell('chooseTime')}>
      <div className="calendar">
        {above}
        <MonthCalendar
          today={today}
          isFirst={month === monthOf(today)}
          firstFree={days?.[0]?.date}
          chosen={date}
          // Tab leads to the chosen day, never to one that cannot be chosen.
          focused={roaming ? shown : (date ?? shown)}
          isFree={(day) => free.has(day)}
          onChoose={(day) => {
            choose(day)
            if (times.current !== null) showBelow(times.current)
          }}
          onFocus={(day, byKeys) => {
            setFocused(day)
            setRoaming(byKeys)
          }}
          onLeave={() => setRoaming(false)}
        />
        <ZonePicker
          zone={zone}
          onChange={onZone}
          at={Date.parse(date ?? shown)}
          {...(hostZone !== undefined && { host: { name: hostName, zone: hostZone } })}
        />
      </div>
      <div className="times" ref={times}>
        <div className="times-head">
          <h2 ref={headingRef} tabIndex={-1}>
            {date === undefined ? monthName : writeDate(locale.tag, date, SHORT_DATE)}
          </h2>
          <HourToggle hour12={hour12} onChange={setHour12} />
        </div>
        <Live>{spoken()}</Live>
        {notice}
        {isError ? (
          <TimesFailed error={error} onRetry={() => focusHeading(() => void refetch())} />
        ) : waiting ? (
          <AwaitedTimes />
        ) : date === undefined ? (
          <NothingFree
            address={address}
            duration={duration}
            after={lastOf(month)}
            monthName={monthName}
            zone={zone}
            hostName={hostName}
            onGo={(day) => focusHeading(() => choose(day))}
          />
        ) : (
          <Times slots={slots} date={date} zone={zone} hour12={hour12} onPick={onPick} />
        )}
      </div>
    </section>
  )
}

function TimesFailed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { tell } = useSpeech()
  return (
    <div className="empty">
      <p>
        {tell(error instanceof ApiFailure && error.code === 'start_again' ? 'startFromForm' : 'timesFailed')}
      </p>
      <button type="button" className="text-button" onClick={onRetry}>
        {tell('tryAgain')}
      </button>
    </div>
  )
}

function AwaitedTimes() {
  return (
    <div className="slots" aria-hidden="true">
      {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => (
        <span key={key} className="bar slot-bar" />
      ))}
    </div>
  )
}

/** On a phone, the times are below the month, and out of sight. */
function showBelow(times: HTMLElement): void {
  if (!matchMedia('(width < 40rem)').matches) return
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  times.scrollIntoView({ block: 'start', behavior: calm ? 'instant' : 'smooth' })
}

/** The month from the page's own data; undefined if it has to be loaded. */
function daysFromPage(
  first: BookingData['slots'] | undefined,
  month: string,
  zone: string,
  today: string,
): readonly SlotDay[] | undefined {
  // A preview has none.
  if (first === undefined || first.from === '') return undefined
  // The data covers a month with a day on either side, in UTC. Far to the east, the next month may have begun.
  const isCovered =
    monthOf(today) === month ? monthOf(addDays(first.from, 1)) === month : firstOf(month) > first.from
  if (!isCovered || lastOf(month) >= first.to) return undefined
  const days = groupByDate(
    first.days.flatMap((day) => day.slots),
    zone,
  )
  return days.filter((day) => monthOf(day.date) === month && day.date >= today)
}

function HourToggle(props: { readonly hour12: boolean; readonly onChange: (hour12: boolean) => void }) {
  const { tell } = useSpeech()
  return (
    <fieldset className="segments" aria-label={tell('hours')}>
      {[true, false].map((value) => (
        <button
          key={String(value)}
          type="button"
          aria-pressed={props.hour12 === value}
          onClick={() => props.onChange(value)}
        >
          {tell(value ? 'hours12' : 'hours24')}
        </button>
      ))}
    </fieldset>
  )
}

const PARTS_OF_DAY = [
  { text: 'night', until: 6 },
  { text: 'morning', until: 12 },
  { text: 'afternoon', until: 17 },
  { text: 'evening', until: 24 },
] as const

interface TimesProps {
  readonly slots: readonly Slot[]
  readonly date: string
  readonly zone: string
  readonly hour12: boolean
  readonly onPick: (slot: Slot) => void
}

function Times({ slots, date, zone, hour12, onPick }: TimesProps) {
  const { locale, tell } = useSpeech()
  const { tag } = locale
  const written = slots.map((slot) => writeTime(tag, zone, Date.parse(slot.startTime), hour12))
  const groups = PARTS_OF_DAY.map(({ text, until }, number) => {
    const from = PARTS_OF_DAY[number - 1]?.until ?? 0
    const within = [...slots.entries()].filter(([, slot]) => {
      const hour = hourIn(zone, Date.parse(slot.startTime))
      return hour >= from && hour < until
    })
    return { text, within }
  }).filter(({ within }) => within.length > 0)
  return (
    <div className="slots fade-in" key={date}>
      {groups.map(({ text, within }) => (
        <div key={text}>
          <h3 className="slot-label">{tell(text)}</h3>
          <div className="slot-group">
            {within.map(([number, slot]) => {
              const startsAt = Date.parse(slot.startTime)
              const time = written[number] as string
              // When clocks go back, an hour occurs twice.
              const twice = written.indexOf(time) !== written.lastIndexOf(time)
              const seats =
                slot.seatsLeft === undefined ? undefined : tell('seatsLeft', { count: slot.seatsLeft })
              const spoken = ` ${writeDate(tag, date, LONG_DATE)}, ${zoneName(tag, zone, startsAt, 'long')}`
              return (
                <button key={slot.startTime} type="button" className="slot" onClick={() => onPick(slot)}>
                  <span>
                    {time}
                    <span className="sr-only">{spoken}</span>
                  </span>
                  {twice && <small>{offsetOf(tag, zone, startsAt)}</small>}
                  {seats !== undefined && <small>{seats}</small>}
                </button>
              )
            })}
          </div>
        </div>
      ))}
    </div>
  )
}

interface NothingFreeProps {
  readonly address: string
  readonly duration: number | undefined
  /** The last date that is known to have no times. */
  readonly after: string
  readonly monthName: string
  readonly zone: string
  readonly hostName: string
  readonly onGo: (date: string) => void
}

const SEARCHED_AT_ONCE = 92
const SEARCHES = 4

/** Finds the next available day, so that guests need not page through empty months. */
function NothingFree({ address, duration, after, monthName, zone, hostName, onGo }: NothingFreeProps) {
  const { locale, tell } = useSpeech()
  const { data: next, isPending } = useQuery({
    queryKey: [...slotsKey(address), duration, zone, 'after', after],
    staleTime: FRESH,
    queryFn: async ({ signal }) => {
      for (let search = 0; search < SEARCHES; search++) {
        const from = addDays(after, 1 + search * SEARCHED_AT_ONCE)
        const days = await listSlots(
          address,
          { from, to: addDays(from, SEARCHED_AT_ONCE - 1), timeZone: zone, duration },
          signal,
        )
        if (days[0] !== undefined) return days[0].date
      }
      return null
    },
  })
  return (
    <div className="empty">
      <p>{tell('noneInMonth', { month: monthName })}.</p>
      {isPending && <p>{tell('lookingAhead')}</p>}
      {next === null && <p>{tell('noneAhead', { name: hostName })}</p>}
      {typeof next === 'string' && (
        <button type="button" className="text-button" onClick={() => onGo(next)}>
          {tell('nextFree', { date: writeDate(locale.tag, next, SHORT_DATE) })}
          <span aria-hidden="true">→</span>
        </button>
      )}
    </div>
  )
}
