/** What the service calls things that it adds to calendars and accounts. */
export default {
  /** The first schedule of a person. */
  workingHours: 'Working hours',
  /** How many seats of a meeting are taken. */
  seats: '{taken} of {seats} seats',
} as const
