import { type SqlBool, sql } from 'kysely'
import { MAX_DURATION } from '../../../domain/slots/openings.ts'
import type { Db } from '../../engine/database.ts'
import { engine, type IdList } from '../../engine/engine.ts'
import { type Placeholder, prepared } from '../../engine/prepared.ts'

/** Whose meetings, and since when. `now` is the end: what has not started doesn't count. */
interface Since {
  readonly since: number
  readonly now: number
}

interface Met {
  readonly meeting_id: string
  readonly host_id: string
}

/** More meetings say nothing new: hosts are tried from the latest on. */
const MOST = sql.lit(20)

/** The hosts of meetings that a guest had, the latest first. `guest` is what all addresses of a mailbox share. */
export async function findHostsOfGuest(
  db: Db,
  guest: string,
  { since, now }: Since,
): Promise<readonly string[]> {
  return hostsOf(db, (await byGuest(db, { guest, since, now })).rows)
}

/** The same for everyone with an address at a domain. */
export async function findHostsOfDomain(
  db: Db,
  domain: string,
  { since, now }: Since,
): Promise<readonly string[]> {
  return hostsOf(db, (await byDomain(db, { domain, since, now, until: now + MAX_DURATION })).rows)
}

/** The main host of each meeting, then those who attended with them. */
async function hostsOf(db: Db, met: readonly Met[]): Promise<readonly string[]> {
  if (met.length === 0) return []
  const ids = engine(db).idList([...new Set(met.map(({ meeting_id }) => meeting_id))])
  const { rows } = await byMeeting(db, { ids })
  const hostIds = met.flatMap(({ meeting_id, host_id }) => [
    host_id,
    ...rows.filter((row) => row.meeting_id === meeting_id).map((row) => row.host_id),
  ])
  return [...new Set(hostIds)]
}

const byGuest = prepared<{ guest: string; since: number; now: number }, Met>(
  (_, value) => sql`select meeting_id, host_id from bookings
    where guest = ${value('guest')} and starts_at > ${value('since')} and starts_at <= ${value('now')}
      and status in ('Confirmed', 'Completed')
    order by starts_at desc limit ${MOST}`,
)

// Two partial indexes: the first holds nothing that booking writes, the second only what has not been completed yet.
const byDomain = prepared<{ domain: string; since: number; now: number; until: number }, Met>((db, value) => {
  const domain = engine(db).mailDomain('guest')
  const fits = sql<SqlBool>`${domain} = ${value('domain')} and starts_at > ${value('since')} and starts_at <= ${value('now')}`
  return sql`select meeting_id, host_id from (
      select meeting_id, host_id, starts_at from bookings where status = 'Completed' and ${fits}
      union all
      select meeting_id, host_id, starts_at from bookings
        where status = 'Confirmed' and ends_at > ${value('since')} and ends_at <= ${value('until')} and ${fits}
    ) as met
    order by starts_at desc limit ${MOST}`
})

const byMeeting = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('claims')
    .select(['meeting_id', 'host_id'])
    .where(engine(db).isAmong('meeting_id', value('ids')))
    .orderBy('host_id'),
)
