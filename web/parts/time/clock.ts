import { createContext, use, useState } from 'react'
import { firstWeekday } from '../../../src/domain/languages.ts'
import { writeInstant } from './dates.ts'

const KEPT = 'punctual:hours'

interface ClockSettings {
  readonly hour12?: boolean | undefined
  /** 1 is Monday, 7 is Sunday. */
  readonly firstDay?: number | undefined
}

/** What a signed-in host has set. Guests have no settings: their locale decides. */
export const ClockContext = createContext<ClockSettings>({})

/** Whether to show 12 hours: the host's setting, the guest's choice, or the default of their locale. */
export function useHour12(tag: string): [boolean, (hour12: boolean) => void] {
  const setting = use(ClockContext).hour12
  const [chosen, setChosen] = useState<boolean>()
  const [usual] = useState(() => {
    const kept = read(KEPT)
    if (kept !== null) return kept === '12'
    return new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 === true
  })
  return [
    chosen ?? setting ?? usual,
    (hour12) => {
      write(KEPT, hour12 ? '12' : '24')
      setChosen(hour12)
    },
  ]
}

/** The first day of the week: the host's setting, or that of the locale. 1 is Monday, 7 is Sunday. */
export function useFirstDay(tag: string): number {
  return use(ClockContext).firstDay ?? firstWeekday(tag)
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
