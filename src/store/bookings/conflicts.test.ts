import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { onEveryDatabase } from '../../../test/databases.ts'
import { HOUR, MINUTE } from '../../domain/interval.ts'
import { type BufferedMeeting, conflicts } from '../../domain/slots/conflicts.ts'
import { MAX_DURATION } from '../../domain/slots/openings.ts'
import { engine } from '../engine/engine.ts'
import { claimConflictsWith, type MeetingSql } from './conflicts.ts'

const NOON = Date.UTC(2026, 9, 5, 12)

/** Lengths that often meet exactly, and lengths up to the longest that there are. */
const length = (min: number) =>
  fc
    .oneof(
      fc.constantFrom(0, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, HOUR, MAX_DURATION - 1, MAX_DURATION),
      fc.integer({ min: 0, max: MAX_DURATION }),
    )
    .map((milliseconds) => Math.max(min, milliseconds))

const meetings: fc.Arbitrary<BufferedMeeting> = fc
  .record({
    start: fc.oneof(
      fc.integer({ min: -60, max: 60 }).map((steps) => steps * 5 * MINUTE),
      fc.integer({ min: -4 * MAX_DURATION, max: 4 * MAX_DURATION }),
    ),
    duration: length(1),
    bufferBefore: length(0),
    bufferAfter: length(0),
  })
  .map(({ start, duration, ...buffers }) => ({
    startsAt: NOON + start,
    endsAt: NOON + start + duration,
    ...buffers,
  }))

onEveryDatabase('conflicts in SQL', ({ db }) => {
  it('are those of the domain', async () => {
    const instant = (value: number) => sql`cast(${value} as bigint)`
    const columns = ['meeting_id', 'starts_at', 'ends_at', 'buffer_before', 'buffer_after']
    const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`

    await fc.assert(
      fc.asyncProperty(
        fc.array(meetings, { minLength: 1, maxLength: 50 }),
        meetings,
        async (claims, meeting) => {
          const rows = claims.map((claim, index) => ({
            meeting_id: idOf(index),
            starts_at: claim.startsAt,
            ends_at: claim.endsAt,
            buffer_before: claim.bufferBefore,
            buffer_after: claim.bufferAfter,
          }))
          const asked: MeetingSql = {
            startsAt: instant(meeting.startsAt),
            endsAt: instant(meeting.endsAt),
            bufferBefore: instant(meeting.bufferBefore),
            bufferAfter: instant(meeting.bufferAfter),
          }
          const found = await sql<{ id: string }>`
          select c.meeting_id as id from (${engine(db()).rowsFromJson('claims', columns, JSON.stringify(rows))}) as c
          where ${claimConflictsWith('c', asked)} order by c.meeting_id`.execute(db())
          assert.deepEqual(
            found.rows.map(({ id }) => id),
            claims.flatMap((claim, index) => (conflicts(claim, meeting) ? [idOf(index)] : [])),
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})
