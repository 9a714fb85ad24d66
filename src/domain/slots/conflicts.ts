/** A host's meeting with the time that must stay free around it. */
export interface BufferedMeeting {
  readonly startsAt: number
  readonly endsAt: number
  readonly bufferBefore: number
  readonly bufferAfter: number
}

/**
 * The time that must lie between two meetings of one host.
 *
 * A buffer must not run into the other meeting, but two buffers may overlap: so this is the longer one, not the sum.
 */
export function requiredGap(
  early: Pick<BufferedMeeting, 'bufferAfter'>,
  late: Pick<BufferedMeeting, 'bufferBefore'>,
): number {
  return Math.max(early.bufferAfter, late.bufferBefore)
}

/** Whether two meetings of one host overlap, or the buffer of one runs into the other. */
export function conflicts(one: BufferedMeeting, other: BufferedMeeting): boolean {
  return (
    one.startsAt < other.endsAt + requiredGap(other, one) &&
    other.startsAt < one.endsAt + requiredGap(one, other)
  )
}
