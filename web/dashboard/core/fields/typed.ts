import { useEffect, useState } from 'react'

/** What is typed, which begins with what the address says, and follows it when a link leads elsewhere. */
export function useTyped(text: string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(text)
  const [known, setKnown] = useState(text)
  if (known !== text) {
    setKnown(text)
    if (typed.trim() !== text) setTyped(text)
  }
  return [typed, setTyped]
}

/** What is typed, after a short pause. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), 250)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
