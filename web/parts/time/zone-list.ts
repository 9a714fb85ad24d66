import { cityOf, currentZone, isPlaceless } from '../../../src/domain/zone-names.ts'
import { ABBREVIATIONS, CITIES, COUNTRY_ZONES, STATES } from './zone-places.ts'

interface Zone {
  readonly id: string
  /** In the guest's language; empty for zones of no place. */
  readonly city: string
  /** In the guest's language; empty for zones of no country. */
  readonly country: string
  /** Everything it can be found by, as it is written. */
  readonly names: readonly string[]
}

/** Every zone of a place that this browser knows, by its present name; `others` are added. `cities` has local names. */
export function listZones(
  tag: string,
  cities: Readonly<Record<string, string>> = {},
  others: readonly string[] = [],
): readonly Zone[] {
  const countries = countriesByZone()
  const local = new Intl.DisplayNames(tag, { type: 'region' })
  const english = new Intl.DisplayNames('en', { type: 'region' })
  const known = Intl.supportedValuesOf('timeZone')
  const ids = new Set([...known.filter((id) => !isPlaceless(id)), 'UTC', ...others].map(currentZone))
  return [...ids]
    .map((id) => {
      const code = countries.get(id)
      const city = isPlaceless(id) ? '' : cityOf(id, cities)
      const country = code === undefined ? '' : (local.of(code) ?? '')
      const inEnglish = code === undefined ? '' : (english.of(code) ?? '')
      const more = [ABBREVIATIONS[id], CITIES[id], STATES[id]].flatMap((list) => list?.split(', ') ?? [])
      const names = [city, cityOf(id), ...more, country, inEnglish, id.replaceAll('_', ' ')]
      return { id, city, country, names: names.filter((name) => name !== '') }
    })
    .sort((a, b) => a.city.localeCompare(b.city, tag))
}

export interface Match {
  readonly zone: Zone
  /** The name that was found, unless it is the city or the country. */
  readonly by: string
}

/** The zones that `typed` may mean, the likeliest first. */
export function findZones(zones: readonly Zone[], typed: string, offsetOf: (id: string) => string): Match[] {
  const wanted = fold(typed.trim())
  if (wanted === '') return zones.map((zone) => ({ zone, by: '' }))
  const ranked: { match: Match; rank: number }[] = []
  for (const zone of zones) {
    let best = fold(offsetOf(zone.id)).includes(wanted) ? NOT_BY_NAME : NO_MATCH
    let by = ''
    for (const name of zone.names) {
      // The city's own name comes before other names that match as well.
      const rank = rankOf(fold(name), wanted) + (name === zone.city ? 0 : OTHER_NAME)
      if (rank >= best) continue
      best = rank
      by = name
    }
    if (best === NO_MATCH) continue
    const shown = by === zone.city || by === zone.country || by.includes('/')
    ranked.push({ match: { zone, by: shown ? '' : by }, rank: best })
  }
  return ranked.sort((a, b) => a.rank - b.rank).map(({ match }) => match)
}

const OTHER_NAME = 0.5
const NOT_BY_NAME = 3
const NO_MATCH = 4

/** An exact name comes first, then one that starts with it, then one with such a word. */
function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  return name.split(/[\s/(-]+/).some((word) => word.startsWith(wanted)) || name.includes(` ${wanted}`)
    ? 2
    : NO_MATCH
}

/** "sao paulo" finds São Paulo. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function countriesByZone(): ReadonlyMap<string, string> {
  const pairs = Object.entries(COUNTRY_ZONES).flatMap(([code, zones]) =>
    zones.split(' ').map((zone) => [currentZone(zone), code] as const),
  )
  return new Map(pairs)
}
