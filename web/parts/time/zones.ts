import { useState } from 'react'
import { read, write } from './clock.ts'

const KEPT = 'punctual:zone'

/** The guest's time zone: the one chosen before, or the device's. */
export function useZone(): [string, (zone: string) => void] {
  const [zone, setZone] = useState(() => {
    const kept = read(KEPT)
    return kept !== null && isZone(kept) ? kept : ownZone()
  })
  return [
    zone,
    (chosen) => {
      write(KEPT, chosen)
      setZone(chosen)
    },
  ]
}

function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  // Some systems only report an offset.
  return timeZone !== undefined && /^[A-Z]/i.test(timeZone) ? timeZone : 'UTC'
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

/** The city in the name of a zone. */
export const cityOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** The offset at that instant, such as GMT+2. */
export function offsetOf(tag: string, zone: string, at: number): string {
  return zoneName(tag, zone, at, 'shortOffset')
}

export function zoneName(
  tag: string,
  zone: string,
  at: number,
  timeZoneName: 'shortOffset' | 'long',
): string {
  // The name is one part of the text; its position depends on the language.
  const parts = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** Every zone that this browser knows. */
export function allZones(present: string): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', present])].sort()
}
