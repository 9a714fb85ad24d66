import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { User } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { prepared } from '../engine/prepared.ts'
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

/** Reads a booking and everything around it in one round trip; undefined if some of it is gone. */
export async function findMeeting(db: Db, bookingId: string): Promise<Meeting | undefined> {
  const id = { id: bookingId }
  const [bookings, eventTypes, schedulers, users, claims, seats] = await engine(db).readTogether([
    bookingById.bind(db, id),
    eventTypeOf.bind(db, id),
    schedulerOf.bind(db, id),
    hostsOf.bind(db, id),
    claimingHostsOf.bind(db, id),
    sharingHostsOf.bind(db, id),
  ])
  const [booking] = (bookings?.rows ?? []) as Selectable<Schema['bookings']>[]
  const [eventType] = (eventTypes?.rows ?? []) as Selectable<Schema['event_types']>[]
  const [scheduler] = (schedulers?.rows ?? []) as Selectable<Schema['schedulers']>[]
  if (booking === undefined || eventType === undefined || scheduler === undefined) return undefined
  const claiming = idsOf(claims?.rows).filter((id) => id !== booking.host_id)
  // Cancelling deletes the claims, which name the hosts. The event type still names those who attend every meeting.
  const sharing = isTaken(booking.status) || claiming.length > 0 ? [] : idsOf(seats?.rows)
  const known = new Map(
    ((users?.rows ?? []) as Selectable<Schema['schedulers']>[]).map((row) => [row.id, userFromRow(row)]),
  )
  const hostIds = [...new Set([booking.host_id, ...claiming, ...sharing])]
  return {
    listed: listedFromRow(booking),
    eventType: eventTypeFromRow(eventType),
    scheduler: schedulerFromRow(scheduler),
    hosts: hostIds.flatMap((id) => known.get(id) ?? []),
  }
}

const isTaken = (status: string) => status === 'PendingApproval' || status === 'Confirmed'

const idsOf = (rows: readonly unknown[] = []) => (rows as { host_id: string }[]).map(({ host_id }) => host_id)

type Id = { readonly id: string }

const bookingById = statement(({ id }) => sql`select * from bookings where id = ${id}`)

const eventTypeOf = statement(
  ({ id }) => sql`select * from event_types where id = (select event_type_id from bookings where id = ${id})`,
)

const schedulerOf = statement(
  ({ id }) => sql`select * from schedulers where id = (select scheduler_id from bookings where id = ${id})`,
)

const claimingHosts = ({ id }: Id) => sql`select host_id from claims
  where meeting_id = (select meeting_id from bookings where id = ${id})`

const sharingHosts = ({ id }: Id) => sql`select h.host_id from event_type_hosts as h
  join event_types as e on e.id = h.event_type_id
  where h.event_type_id = (select event_type_id from bookings where id = ${id})
    and (h.fixed = 1 or e.assignment = 'collective')`

const claimingHostsOf = statement((id) => sql`${claimingHosts(id)} order by host_id`)

const sharingHostsOf = statement((id) => sql`${sharingHosts(id)} order by h.host_id`)

const hostsOf = statement(
  (id) => sql`select * from schedulers where kind = 'user' and id in (
    select host_id from bookings where id = ${id.id}
    union all ${claimingHosts(id)}
    union all ${sharingHosts(id)})`,
)

function statement(build: (id: Id) => RawBuilder<unknown>) {
  return prepared<Id, unknown>((_, value) => build({ id: value('id') }))
}
