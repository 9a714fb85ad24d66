import { useEffect, useEffectEvent, useRef } from 'react'
import { BackIcon, NextIcon } from '../../../parts/icons.tsx'
import { IconButton } from '../../core/buttons.tsx'
import { useOne } from '../../core/data/data.ts'
import type { BookingView } from '../../core/data/views.ts'
import { Sheet } from '../../core/dialogs.tsx'
import { CrossIcon } from '../../core/icons.tsx'
import { hasUnsaved, Link, navigate } from '../../core/router.tsx'
import { words } from '../../words.ts'
import { BookingDetails } from '../booking-details.tsx'

interface Props {
  readonly id: string
  /** The bookings of the list, in its order. */
  readonly ids: readonly string[]
  /** The address of the list with this booking open, or with none. */
  readonly addressOf: (id: string | undefined) => string
}

/** A booking beside its list; `j` and `k` lead to the next and the previous one. */
export function SidePanel({ id, ids, addressOf }: Props) {
  const booking = useOne<BookingView>(`/bookings/${id}`)
  const around = useNeighbours(id, ids)
  const b = words.bookings
  // With unsaved changes it asks, which it does not when an address is replaced.
  const go = (to: string | undefined) => navigate(addressOf(to), { replace: !hasUnsaved(), scroll: false })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (target instanceof HTMLElement && target.closest('input, textarea, select, [role="alertdialog"]'))
      return
    const next = key === 'j' ? around.next : key === 'k' ? around.previous : undefined
    if (next !== undefined) go(next)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <Sheet side title={booking.data?.body.invitee.name ?? b.title} onClose={() => go(undefined)}>
      <div className="panel-tools">
        <IconButton
          label={b.previousBooking}
          disabled={around.previous === undefined}
          onPress={() => go(around.previous)}
        >
          <BackIcon size={18} />
        </IconButton>
        <IconButton
          label={b.nextBooking}
          disabled={around.next === undefined}
          onPress={() => go(around.next)}
        >
          <NextIcon size={18} />
        </IconButton>
        <Link className="text-button" to={`/app/bookings/${id}`}>
          {b.openPage}
        </Link>
        <IconButton label={words.close} onPress={() => go(undefined)}>
          <CrossIcon size={18} />
        </IconButton>
      </div>
      <BookingDetails key={id} id={id} />
    </Sheet>
  )
}

/** The bookings before and after it. One that has left the list since keeps its place. */
function useNeighbours(id: string, ids: readonly string[]) {
  const place = useRef(0)
  const index = ids.indexOf(id)
  useEffect(() => {
    if (index !== -1) place.current = index
  }, [index])
  if (index !== -1) return { previous: ids[index - 1], next: ids[index + 1] }
  return { previous: ids[place.current - 1], next: ids[place.current] }
}
