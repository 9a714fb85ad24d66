import assert from 'node:assert/strict'
import type { ChangeRecord } from '../src/domain/bookings/change.ts'
import type { ListedBooking } from '../src/domain/bookings/listed-booking.ts'
import type { EventType } from '../src/domain/event-types/event-type.ts'
import type { Scheduler } from '../src/domain/people/scheduler.ts'
import { book } from '../src/services/bookings/guest/book.ts'
import type { Context } from '../src/services/context.ts'
import { findBooking } from '../src/store/bookings/list.ts'
import type { Db } from '../src/store/engine/database.ts'
import { bookingOf } from './kit.ts'

/** Books as a guest does, and returns the booking as the store has it. */
export async function bookAt(
  context: Context,
  owner: Scheduler,
  eventType: EventType,
  startsAt: number,
  given: Record<string, unknown> = {},
): Promise<ListedBooking> {
  const bookable = await context.slots.getBookable(owner.slug, eventType.slug)
  const request = bookingOf(eventType, startsAt, given)
  const { id } = await book(context, bookable, request, { clientAddress: '::1', idempotencyKey: undefined })
  return getListed(context.db, id)
}

export async function getListed(db: Db, id: string): Promise<ListedBooking> {
  const listed = await findBooking(db, id)
  assert.ok(listed)
  return listed
}

/** Changes of a booking that still wait in the outbox, oldest first. */
export async function changesOf(db: Db, bookingId: string): Promise<ChangeRecord[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['data', 'kind'])
    .where('lane', '=', `booking:${bookingId}`)
    .orderBy('id')
    .execute()
  return rows
    .map((row) => {
      assert.equal(row.kind, 'announce')
      return JSON.parse(row.data) as ChangeRecord
    })
    .filter(({ type }) => type !== 'created')
}

/** When a host's time is taken, in order. */
export async function startsTaken(db: Db, hostId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('claims')
    .select('starts_at')
    .where('host_id', '=', hostId)
    .orderBy('starts_at')
    .execute()
  return rows.map((row) => row.starts_at)
}
