import { useState } from 'react'
import { writeInstant } from './dates.ts'

const KEPT = 'punctual:hours'

/** Whether to show 12 hours: the guest's choice, or the default of their locale. */
export function useHour12(tag: string): [boolean, (hour12: boolean) => void] {
  const [hour12, setHour12] = useState(() => {
    const kept = read(KEPT)
    if (kept !== null) return kept === '12'
    return new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 === true
  })
  return [
    hour12,
    (chosen) => {
      write(KEPT, chosen ? '12' : '24')
      setHour12(chosen)
    },
  ]
}

export function writeTime(tag: string, timeZone: string, instant: number, hour12: boolean): string {
  const style = hour12
    ? ({ hour: 'numeric', minute: '2-digit', hour12: true } as const)
    : ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
  return writeInstant(tag, timeZone, instant, style)
}

/** Storage may be forbidden, for example in another site's frame; nothing is remembered then. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Not remembered.
  }
}
