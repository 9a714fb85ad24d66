const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const GIGABYTE = UNITS.indexOf('gigabyte')

/** An amount of data in the units of a language, such as "340 MB" or "1.2 GB". A kilobyte has 1024 bytes. */
export function writeSize(tag: string, bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024
    unit++
  }
  const digits = unit >= GIGABYTE ? 1 : 0
  const format = new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: UNITS[unit] ?? 'byte',
    // "byte" is a word in English, and the others are short for one.
    unitDisplay: unit === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(amount)
}
