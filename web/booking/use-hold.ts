import { useEffect, useEffectEvent, useState } from 'react'
import type { Slot } from '../../src/http/pages/page-data.ts'
import { ApiFailure, post, under } from '../parts/api.ts'

/** How long the server keeps a time. Measured from its answer, since a guest's clock may be wrong. */
const HELD_FOR = 5 * 60_000

/** The time that is kept for the guest; without an id it no longer is. */
interface HeldTime {
  readonly id?: string
  /** By the guest's clock. */
  readonly until: number
}

/**
 * Holds the chosen time while the form is open, and gives it back when the guest leaves.
 *
 * If the time cannot be held, the form works without: `book` decides. `onGone` is called if someone else has the time.
 */
export function useHold(
  address: string,
  slot: Slot,
  enabled: boolean,
  onGone: (slot: Slot) => void,
): HeldTime | undefined {
  const [held, setHeld] = useState<HeldTime>()
  const gone = useEffectEvent(onGone)
  useEffect(() => {
    if (!enabled) return
    let id: string | undefined
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const release = () => {
      left = true
      if (id !== undefined) {
        // Survives the page.
        void fetch(under(address, `hold/${id}`), { method: 'DELETE', keepalive: true }).catch(() => {})
      }
      id = undefined
    }
    const { startTime, endTime } = slot
    post<{ holdId: string }>(under(address, 'hold'), { startTime, endTime }).then(
      ({ body }) => {
        id = body.holdId
        if (left) return release()
        const until = Date.now() + HELD_FOR
        setHeld({ id, until })
        timer = setTimeout(() => setHeld({ until }), HELD_FOR)
      },
      (error) => {
        if (!left && error instanceof ApiFailure && error.status === 400) gone(slot)
      },
    )
    addEventListener('pagehide', release)
    return () => {
      removeEventListener('pagehide', release)
      clearTimeout(timer)
      release()
    }
  }, [address, slot, enabled])
  return held
}
