import { type RefObject, useEffect, useRef } from 'react'

/** The heading of each step, which gets the focus for screen readers; but not when the page opens. */
export function useFocusedHeading(step: unknown): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const arrived = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the step that moves the focus
  useEffect(() => {
    if (arrived.current) heading.current?.focus()
    arrived.current = true
  }, [step])
  return heading
}
