/** ISO weekdays: 1 is Monday. */
export const WORKDAYS = [1, 2, 3, 4, 5] as const
export const WEEK = [...WORKDAYS, 6, 7] as const

/** The hours of a day that becomes available. */
export const NINE_TO_FIVE = [{ opens: '09:00', closes: '17:00' }]
