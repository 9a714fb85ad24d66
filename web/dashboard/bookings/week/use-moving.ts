import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { isActive } from '../../../../src/domain/bookings/states.ts'
import { eventAddress, listSlots } from '../../../parts/api.ts'
import { withBase } from '../../core/base.ts'
import { useOwners } from '../../core/data/data.ts'
import type { EventTypeView, ListedBookingView } from '../../core/data/views.ts'
import { tell, words } from '../../words.ts'

/** Whether a meeting can go to another time: the server has the last word. */
export const mayMove = (booking: ListedBookingView) =>
  isActive(booking) && booking.status !== 'PendingPayment' && Date.parse(booking.startTime) > Date.now()

interface Days {
  readonly from: string
  readonly to: string
  readonly zone: string
}

/** A meeting that is about to go to another time of these days: only to one that is free. */
export function useMoving({ from, to, zone }: Days, eventTypes: readonly EventTypeView[]) {
  const [moved, setMoved] = useState<{ readonly booking: ListedBookingView; readonly byKeys: boolean }>()
  const [startTime, setStartTime] = useState<string>()
  const owners = useOwners()
  const booking = moved?.booking
  const eventType = eventTypes.find(({ id }) => id === booking?.eventTypeId)
  const owner = owners.find(({ id }) => id === booking?.ownerId)
  const minutes = booking && (Date.parse(booking.endTime) - Date.parse(booking.startTime)) / 60_000
  const duration = minutes === eventType?.durationMinutes ? undefined : minutes
  const found = useQuery({
    queryKey: ['slots', 'week', booking?.id, from, zone],
    enabled: booking !== undefined && eventType !== undefined && owner !== undefined,
    queryFn: ({ signal }) => {
      const address = eventAddress(withBase(''), owner?.slug ?? '', eventType?.slug ?? '')
      return listSlots(address, { from, to, timeZone: zone, duration }, signal)
    },
  })
  const slots = booking === undefined ? [] : (found.data ?? []).flatMap((day) => day.slots)
  const isListed = booking !== undefined && found.data !== undefined
  const byKeys = moved?.byKeys === true
  useEffect(() => {
    if (!isListed || !byKeys) return
    const slots = [...document.querySelectorAll<HTMLElement>('.week-slot')]
    // A phone shows one day.
    slots.find((slot) => slot.offsetParent !== null)?.focus()
  }, [isListed, byKeys])
  const stop = () => {
    setMoved(undefined)
    setStartTime(undefined)
  }
  const w = words.week
  const name = booking?.invitee.name ?? ''
  return {
    slots: startTime === undefined ? slots : [],
    /** What to do now, or that nothing can be done. */
    text:
      !isListed || startTime !== undefined ? '' : slots.length === 0 ? w.noTimes : tell(w.moving, { name }),
    asking: booking && startTime !== undefined ? { booking, startTime } : undefined,
    start: (one: ListedBookingView, withKeys = false) => setMoved({ booking: one, byKeys: withKeys }),
    choose: setStartTime,
    stop,
    /** Lets it go over a free time, or where it was. */
    drop: (x: number, y: number) => {
      const slot = document.elementsFromPoint(x, y).find((one) => one.matches('.week-slot'))
      const start = slot instanceof HTMLElement ? slot.dataset.start : undefined
      if (start === undefined) stop()
      else setStartTime(start)
    },
    /** Escape ends it. Returns whether the key was meant for it. */
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (booking === undefined || event.key !== 'Escape') return false
      stop()
      return true
    },
  }
}
