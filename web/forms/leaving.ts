import { useEffect, useRef } from 'react'

/**
 * Tells the host at which question a visitor has left the form without an answer.
 *
 * Only the question's id is sent, by a beacon, which outlives the page.
 */
export function useLeaving(address: string, fieldIds: readonly string[]) {
  const furthest = useRef(-1)
  const answered = useRef(false)
  const order = useRef(fieldIds)
  useEffect(() => {
    const leave = () => {
      const field = order.current[furthest.current]
      if (answered.current || field === undefined) return
      // A page that comes back from the browser's cache must not count twice.
      answered.current = true
      navigator.sendBeacon(
        `${address}/left`,
        new Blob([JSON.stringify({ field })], { type: 'application/json' }),
      )
    }
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [address])
  return {
    /** The visitor has come to this question. */
    reach: (fieldId: string) => {
      furthest.current = Math.max(furthest.current, order.current.indexOf(fieldId))
    },
    answer: () => {
      answered.current = true
    },
  }
}
