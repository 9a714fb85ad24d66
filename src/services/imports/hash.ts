import { createHash } from 'node:crypto'
import type { PlannedMeeting, PlannedSetting } from '../../domain/imports/plan.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A hash of what a plan says of a setting: another one means that its source has changed. */
export const contentHash = ({ content }: Pick<PlannedSetting, 'content'>) => hashOf(JSON.stringify(content))

/** The same of our rows, as texts; empty: there are none. */
export const rowHash = (text: string | undefined) => (text === undefined ? '' : hashOf(text))

/** What time alone makes of a booking is no change. */
const lasting = (status: string) => (status === 'Completed' ? 'Confirmed' : status)

/** The same for a meeting. What it claims depends on others as well. */
export function meetingHash({ content }: Pick<PlannedMeeting, 'content'>): string {
  const { claims: _, bookings, ...rest } = content
  const kept = bookings.map((booking) => ({ ...booking, status: lasting(booking.status) }))
  return hashOf(JSON.stringify([rest, kept]))
}

/** The same of our rows of a meeting. */
export function meetingRowHash(
  rows: readonly {
    readonly id: string
    readonly status: string
    readonly startsAt: number
    readonly endsAt: number
    readonly sequence: number
  }[],
): string {
  if (rows.length === 0) return ''
  const facts = rows
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, status, startsAt, endsAt, sequence }) => [id, lasting(status), startsAt, endsAt, sequence])
  return hashOf(JSON.stringify(facts))
}
