import { type CompiledQuery, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { User } from '../../domain/people/user.ts'
import { batchedRead } from '../engine/batcher.ts'
import type { Db } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { eventTypeFromRow } from '../event-types/event-types.ts'
import { schedulerFromRow } from '../people/schedulers.ts'
import { userFromRow } from '../people/users.ts'
import { isAgreed } from './active.ts'
import { listedFromRow } from './list.ts'

/** A booking with the people and settings around it. */
export interface Meeting {
  readonly listed: ListedBooking
  readonly eventType: EventType
  readonly scheduler: Scheduler
  /** All its hosts, first the one who gets the mail. */
  readonly hosts: readonly User[]
  /** The confirmed bookings of a meeting that it shares, itself included, oldest first. */
  readonly confirmedIds: readonly string[]
}

/** A booking and everything around it; undefined if some of it is gone. Requests at the same time share a round trip. */
export const findMeeting = batchedRead<Meeting>(findMeetings)

async function findMeetings(db: Db, bookingIds: readonly string[]): Promise<Map<string, Meeting>> {
  const ids = { ids: engine(db).idList(bookingIds) }
  const [bookings, eventTypes, people, claims, seats, agreed] = await engine(db).readTogether([
    bookingsById.bind(db, ids),
    eventTypesOf.bind(db, ids),
    peopleOf.bind(db, ids),
    claimingHostsOf.bind(db, ids),
    sharingHostsOf.bind(db, ids),
    agreedBookingsOf.bind(db, ids),
  ])
  const around: Around = {
    eventTypes: byId(eventTypes?.rows as Selectable<Schema['event_types']>[]),
    people: byId(people?.rows as Selectable<Schema['schedulers']>[]),
    claiming: grouped((claims?.rows ?? []) as Grouped[]),
    sharing: grouped((seats?.rows ?? []) as Grouped[]),
    confirmed: grouped(
      ((agreed?.rows ?? []) as (Grouped & { status: string })[]).filter(
        ({ status }) => status === 'Confirmed',
      ),
    ),
  }
  const meetings = ((bookings?.rows ?? []) as Selectable<Schema['bookings']>[]).flatMap((row) => {
    const meeting = meetingOf(row, around)
    return meeting === undefined ? [] : [[row.id, meeting] as const]
  })
  return new Map(meetings)
}

interface Around {
  readonly eventTypes: ReadonlyMap<string, Selectable<Schema['event_types']>>
  readonly people: ReadonlyMap<string, Selectable<Schema['schedulers']>>
  /** The hosts of each meeting, and those who always share an event type. */
  readonly claiming: ReadonlyMap<string, readonly string[]>
  readonly sharing: ReadonlyMap<string, readonly string[]>
  /** The confirmed bookings of each meeting. */
  readonly confirmed: ReadonlyMap<string, readonly string[]>
}

function meetingOf(booking: Selectable<Schema['bookings']>, around: Around): Meeting | undefined {
  const eventType = around.eventTypes.get(booking.event_type_id)
  const scheduler = around.people.get(booking.scheduler_id ?? '')
  if (eventType === undefined || scheduler === undefined) return undefined
  const claiming = (around.claiming.get(booking.meeting_id) ?? []).filter((id) => id !== booking.host_id)
  // Cancelling deletes the claims that say who shared a meeting; its event type still knows who always does.
  const isGone = !isTaken(booking.status) && claiming.length === 0
  const sharing = isGone ? (around.sharing.get(booking.event_type_id) ?? []) : []
  const hostIds = [...new Set([booking.host_id, ...claiming, ...sharing])]
  return {
    listed: listedFromRow(booking),
    eventType: eventTypeFromRow(eventType),
    scheduler: schedulerFromRow(scheduler),
    hosts: hostIds.flatMap((id) => {
      const row = around.people.get(id)
      return row?.kind === 'user' ? [userFromRow(row)] : []
    }),
    confirmedIds: around.confirmed.get(booking.meeting_id) ?? [],
  }
}

const isTaken = (status: string) =>
  status === 'PendingPayment' || status === 'PendingApproval' || status === 'Confirmed'

const byId = <Row extends { readonly id: string }>(rows: readonly Row[] = []) =>
  new Map(rows.map((row) => [row.id, row]))

type Grouped = { readonly key: string; readonly id: string }

function grouped(rows: readonly Grouped[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { key, id } of rows) {
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [id])
    else known.push(id)
  }
  return groups
}

type Ids = { readonly ids: IdList }
type Values = Placeholder<Ids>

const among = (db: Db, value: Values) => engine(db).isAmong('id', value('ids'))

const bookingsById = statement((db, value) => sql`select * from bookings where ${among(db, value)}`)

const eventTypesOf = statement(
  (db, value) => sql`select * from event_types
    where id in (select event_type_id from bookings where ${among(db, value)})`,
)

const claimingHosts = (db: Db, value: Values) => sql`from claims
  where ${engine(db).isOneOf('meeting_id', sql`select meeting_id from bookings where ${among(db, value)}`)}`

const sharingHosts = (db: Db, value: Values) => sql`from event_type_hosts as h
  join event_types as e on e.id = h.event_type_id
  where h.event_type_id in (select event_type_id from bookings where ${among(db, value)})
    and (h.fixed = 1 or e.assignment = 'collective')`

const claimingHostsOf = statement(
  (db, value) => sql`select meeting_id as key, host_id as id ${claimingHosts(db, value)} order by host_id`,
)

const sharingHostsOf = statement(
  (db, value) =>
    sql`select h.event_type_id as key, h.host_id as id ${sharingHosts(db, value)} order by h.host_id`,
)

// Confirmed ones are picked afterwards: PostgreSQL might read all of them by an index of their own.
const agreedBookingsOf = statement((db, value) => {
  const meetings = sql`select distinct meeting_id from bookings where ${among(db, value)}`
  const isAgreedThere = sql<SqlBool>`found.meeting_id = wanted.meeting_id and ${isAgreed('found')}`
  return sql`select found.meeting_id as key, found.id, found.status
    from ${engine(db).lookUpEach(meetings, 'bookings', isAgreedThere)} order by found.id`
})

/** The owners and the hosts. */
const peopleOf = statement(
  (db, value) => sql`select * from schedulers where id in (
    select scheduler_id from bookings where ${among(db, value)}
    union select host_id from bookings where ${among(db, value)}
    union select host_id ${claimingHosts(db, value)}
    union select h.host_id ${sharingHosts(db, value)})`,
)

function statement(build: (db: Db, value: Values) => RawBuilder<unknown>) {
  return prepared<Ids, unknown>((db, value) => ({
    compile: () => build(db, value).compile(db) as CompiledQuery<unknown>,
  }))
}
