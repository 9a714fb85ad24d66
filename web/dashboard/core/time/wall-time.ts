export const DAY_MINUTES = 24 * 60

/** Minutes since midnight, as a wall-clock time. */
export const wallTimeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** A wall-clock time, as minutes since midnight. */
export const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
