import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { User } from '../../domain/people/user.ts'
import { Batcher, type Pending } from '../engine/batcher.ts'
import type { Db } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { eventTypeFromRow } from '../event-types/event-types.ts'
import { schedulerFromRow } from '../people/schedulers.ts'
import { userFromRow } from '../people/users.ts'
import { type ListedBooking, listedFromRow } from './list.ts'

/** A booking with the people and settings around it. */
export interface Meeting {
  readonly listed: ListedBooking
  readonly eventType: EventType
  readonly scheduler: Scheduler
  /** All its hosts, first the one who gets the mail. */
  readonly hosts: readonly User[]
}

const batchers = new WeakMap<Db, Batcher<string, Meeting | undefined>>()

/** A booking and everything around it; undefined if some of it is gone. Those asked for at the same time share a round trip. */
export function findMeeting(db: Db, bookingId: string): Promise<Meeting | undefined> {
  let batcher = batchers.get(db)
  if (batcher === undefined) {
    batcher = new Batcher({ run: (batch) => readAll(db, batch) })
    batchers.set(db, batcher)
  }
  return batcher.submit(bookingId)
}

async function readAll(db: Db, batch: readonly Pending<string, Meeting | undefined>[]): Promise<void> {
  const meetings = await findMeetings(
    db,
    batch.map(({ request }) => request),
  )
  for (const { request, resolve } of batch) resolve(meetings.get(request))
}

async function findMeetings(db: Db, bookingIds: readonly string[]): Promise<Map<string, Meeting>> {
  const ids = { ids: engine(db).idList([...new Set(bookingIds)]) }
  const [bookings, eventTypes, people, claims, seats] = await engine(db).readTogether([
    bookingsById.bind(db, ids),
    eventTypesOf.bind(db, ids),
    peopleOf.bind(db, ids),
    claimingHostsOf.bind(db, ids),
    sharingHostsOf.bind(db, ids),
  ])
  const around: Around = {
    eventTypes: byId(eventTypes?.rows as Selectable<Schema['event_types']>[]),
    people: byId(people?.rows as Selectable<Schema['schedulers']>[]),
    claiming: hostsBy(claims?.rows),
    sharing: hostsBy(seats?.rows),
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
  }
}

const isTaken = (status: string) => status === 'PendingApproval' || status === 'Confirmed'

const byId = <Row extends { readonly id: string }>(rows: readonly Row[] = []) =>
  new Map(rows.map((row) => [row.id, row]))

function hostsBy(rows: readonly unknown[] = []): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const { key, host_id } of rows as { key: string; host_id: string }[]) {
    const known = hosts.get(key)
    if (known === undefined) hosts.set(key, [host_id])
    else known.push(host_id)
  }
  return hosts
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
  where meeting_id in (select meeting_id from bookings where ${among(db, value)})`

const sharingHosts = (db: Db, value: Values) => sql`from event_type_hosts as h
  join event_types as e on e.id = h.event_type_id
  where h.event_type_id in (select event_type_id from bookings where ${among(db, value)})
    and (h.fixed = 1 or e.assignment = 'collective')`

const claimingHostsOf = statement(
  (db, value) => sql`select meeting_id as key, host_id ${claimingHosts(db, value)} order by host_id`,
)

const sharingHostsOf = statement(
  (db, value) => sql`select h.event_type_id as key, h.host_id ${sharingHosts(db, value)} order by h.host_id`,
)

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
