interface Lengths {
  readonly durationMinutes: number
  /** Empty: only that one. */
  readonly durations: readonly number[]
}

/** The lengths that guests can choose, in minutes. */
export const offeredDurations = ({ durationMinutes, durations }: Lengths): readonly number[] =>
  durations.length === 0 ? [durationMinutes] : durations
