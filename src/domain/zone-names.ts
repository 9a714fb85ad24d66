/** Zones that some systems know by a former name, and what they are called today. */
export const CURRENT: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Cities whose zone says only a part of their name. */
const CITIES: Readonly<Record<string, string>> = { 'Asia/Ho_Chi_Minh': 'Ho Chi Minh City' }

/** The present name of a zone, if this browser knows it. */
export function currentZone(zone: string): string {
  const current = CURRENT[zone]
  return current !== undefined && isZone(current) ? current : zone
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

/** Zones of no place, such as Etc/GMT+5, whose sign is the other way round: their offset says all. */
export const isPlaceless = (zone: string): boolean => /^(?:Etc\/)?GMT[+-]?\d/.test(zone)

/** The city in the name of a zone, as it is called today; `local` has names in other languages. */
export function cityOf(zone: string, local: Readonly<Record<string, string>> = {}): string {
  const current = CURRENT[zone] ?? zone
  return local[current] ?? CITIES[current] ?? (current.split('/').at(-1) ?? current).replaceAll('_', ' ')
}
