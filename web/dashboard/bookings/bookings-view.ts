export const BOOKING_VIEWS = ['upcoming', 'pending', 'past', 'cancelled'] as const

/** Which bookings the list shows. */
export type BookingsView = (typeof BOOKING_VIEWS)[number]
