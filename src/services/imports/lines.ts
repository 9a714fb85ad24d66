import type { PlanLine } from '../../domain/imports/plan.ts'
import type { PlacedLine } from '../../store/imports/lines.ts'
import type { PreparedMeeting } from './plan.ts'

/** Where lines of bookings begin; those of settings come before them. */
const FIRST_OF_BOOKINGS = 1_000_000_000

/** A booking has one line, and one for each part with which something is wrong. */
const MOST_OF_BOOKING = 32

/** After all lines of bookings. */
const FIRST_OF_VANISHED = Number.MAX_SAFE_INTEGER / 2

/** Where the lines of what is no longer there have their place. */
export const vanishedPlaces = (lines: readonly PlanLine[]): PlacedLine[] =>
  lines.map((line, index) => ({ ...line, position: Math.floor(FIRST_OF_VANISHED) + index }))

export const settingPlaces = (lines: readonly PlanLine[]): PlacedLine[] =>
  lines.map((line, position) => ({ ...line, position }))

/** Where the lines of all settings have their place: from the first to the second. */
export const SETTING_RANGE = [0, FIRST_OF_BOOKINGS] as const

/** Where the lines of all that is no longer there have their place. */
export const VANISHED_RANGE = [Math.floor(FIRST_OF_VANISHED), Number.MAX_SAFE_INTEGER] as const

const placeOf = (position: number) => FIRST_OF_BOOKINGS + position * MOST_OF_BOOKING

export const bookingPlaces = (page: readonly PreparedMeeting[]): PlacedLine[] =>
  page.flatMap(({ position, lines }) =>
    lines.slice(0, MOST_OF_BOOKING).map((line, index) => ({ ...line, position: placeOf(position) + index })),
  )

/** Where the lines of these bookings have their place. */
export function bookingRange(page: readonly { readonly position: number }[]): readonly [number, number] {
  const positions = page.map(({ position }) => position)
  return [placeOf(Math.min(...positions)), placeOf(Math.max(...positions) + 1)]
}
