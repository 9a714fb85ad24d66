/** A length of time in words, such as "30 minutes" or "1 hr 30 min". */
export function writeDuration(tag: string, minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  const write = (value: number, unit: 'hour' | 'minute', unitDisplay: 'long' | 'short') =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay }).format(value)
  if (hours === 0) return write(rest, 'minute', 'long')
  if (rest === 0) return write(hours, 'hour', 'long')
  return `${write(hours, 'hour', 'short')} ${write(rest, 'minute', 'short')}`
}

/** The lengths to choose from, such as "15–90 min"; of one, its length in words. */
export function writeDurations(tag: string, minutes: readonly number[]): string {
  const [least, most] = [Math.min(...minutes), Math.max(...minutes)]
  if (least === most) return writeDuration(tag, least)
  return new Intl.NumberFormat(tag, { style: 'unit', unit: 'minute', unitDisplay: 'short' }).formatRange(
    least,
    most,
  )
}
