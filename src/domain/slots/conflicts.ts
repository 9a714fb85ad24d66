import type { Interval } from '../interval.ts'

/** A host's meeting with the time that must stay free around it. */
export interface BufferedMeeting {
  readonly startsAt: number
  readonly endsAt: number
  readonly bufferBefore: number
  readonly bufferAfter: number
}

type Times = Pick<BufferedMeeting, 'startsAt' | 'endsAt'>

/** What of an event type decides which meetings are in its way. */
interface MeetingRules {
  readonly duration: number
  readonly bufferBefore: number
  readonly bufferAfter: number
}

/**
 * The time that must lie between two meetings of one host.
 *
 * A buffer must not run into the other meeting, but two buffers may overlap: so this is the longer one, not the sum.
 */
const requiredGap = (bufferAfter: number, bufferBefore: number): number => Math.max(bufferAfter, bufferBefore)

/**
 * The one rule of conflicts, solved for the start, since the listing asks about many: a meeting is in the way of
 * something that is taken if it starts after `blockedAfter` and before `blockedBefore`.
 */
export const blockedAfter = (
  { duration, bufferAfter }: MeetingRules,
  startsAt: number,
  bufferBefore = 0,
): number => startsAt - requiredGap(bufferAfter, bufferBefore) - duration

export const blockedBefore = ({ bufferBefore }: MeetingRules, endsAt: number, bufferAfter = 0): number =>
  endsAt + requiredGap(bufferAfter, bufferBefore)

/** Whether two meetings of one host overlap, or the buffer of one runs into the other. */
export function conflicts(one: BufferedMeeting, other: BufferedMeeting): boolean {
  const rules = { ...one, duration: one.endsAt - one.startsAt }
  return (
    one.startsAt > blockedAfter(rules, other.startsAt, other.bufferBefore) &&
    one.startsAt < blockedBefore(rules, other.endsAt, other.bufferAfter)
  )
}

/** Whether one of these takes the time of a meeting, for people who may overrule buffers. */
export const isTaken = (taken: readonly Times[], meeting: Times): boolean =>
  taken.some((one) => conflicts({ ...meeting, ...NO_BUFFERS }, { ...one, ...NO_BUFFERS }))

const NO_BUFFERS = { bufferBefore: 0, bufferAfter: 0 }

/** Time off or a busy time, which have no buffers, as something that is taken. */
export const takenBy = ({ start, end }: Interval): BufferedMeeting => ({
  startsAt: start,
  endsAt: end,
  ...NO_BUFFERS,
})
