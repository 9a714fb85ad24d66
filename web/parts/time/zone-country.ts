import { useEffect, useState } from 'react'
import { ownZone } from './zones.ts'

/** The country of the device's time zone, once the list of zones is there; undefined for zones of no country. */
export function useZoneCountry(): string | undefined {
  const [country, setCountry] = useState<string>()
  useEffect(() => {
    import('./zone-places.ts').then(
      ({ COUNTRY_ZONES }) => {
        const zone = ownZone()
        setCountry(Object.entries(COUNTRY_ZONES).find(([, zones]) => zones.split(' ').includes(zone))?.[0])
      },
      // Without the list, the guest's language has to do.
      () => {},
    )
  }, [])
  return country
}
