import { useState } from 'react'
import { cityOf, currentZone, isPlaceless, isZone } from '../../../src/domain/zone-names.ts'
import { useSpeech } from '../texts.tsx'
import { read, write } from './clock.ts'

const KEPT = 'punctual:zone'

/** The guest's time zone: the one chosen before, or the device's. */
export function useZone(): [string, (zone: string) => void] {
  const [zone, setZone] = useState(() => {
    const kept = read(KEPT)
    return kept !== null && isZone(kept) ? currentZone(kept) : ownZone()
  })
  return [
    zone,
    (chosen) => {
      write(KEPT, chosen)
      setZone(chosen)
    },
  ]
}

/** The device's time zone. */
export function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  // Some systems only report an offset.
  return timeZone !== undefined && /^[A-Z]/i.test(timeZone) ? currentZone(timeZone) : 'UTC'
}

/** A host and the zone they are in. */
export interface HostZone {
  readonly name: string
  readonly zone: string
}

/** The name of a zone's city, as the reader calls it. */
export function useCity(): (zone: string) => string {
  const { cities } = useSpeech()
  return (zone) => cityOf(zone, cities)
}

/** A zone as people read it: `Berlin (GMT+1)`, or only its offset if it has no city. */
export function useZoneLabel(): (zone: string, at: number) => string {
  const { locale, cities } = useSpeech()
  return (zone, at) => {
    const offset = offsetOf(locale.tag, zone, at)
    return isPlaceless(zone) ? offset : `${cityOf(zone, cities)} (${offset})`
  }
}

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
