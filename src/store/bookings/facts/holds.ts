import { sql } from 'kysely'
import { engine, type IdList } from '../../engine/engine.ts'
import { prepared } from '../../engine/prepared.ts'
import { reading, type StoredFact, unique } from './fact.ts'

/** Holds are claims, and written with them. */
export const holds: StoredFact = {
  ask(db, questions) {
    const asked = questions.flatMap(({ holdsOf }) => holdsOf ?? [])
    if (asked.length === 0) return []
    const hosts = engine(db).idList(unique(questions.flatMap(({ heldHosts = [] }) => heldHosts)))
    const wanted = {
      eventTypes: engine(db).idList(unique(asked.map(({ eventTypeId }) => eventTypeId))),
      clients: engine(db).idList(unique(asked.map(({ client }) => client))),
    }
    return [
      reading(readHolds.bind(db, wanted), (rows, ledger) => {
        for (const row of rows) {
          const { event_type_id: eventTypeId, hold_client: client, expires_at: expiresAt } = row
          ledger.holds.add({ id: row.meeting_id, eventTypeId, client, expiresAt })
        }
      }),
      reading(readHeld.bind(db, { hosts }), (rows, ledger) => {
        for (const row of rows) ledger.holds.addHeld(row.host_id, row.meeting_id)
      }),
      reading(readTime.bind(db, {}), ([row], ledger) => {
        if (row !== undefined) ledger.holds.databaseTime = row.now
      }),
    ]
  },
}

const readHolds = prepared<
  { eventTypes: IdList; clients: IdList },
  { meeting_id: string; event_type_id: string; hold_client: string; expires_at: number }
>(
  (db, value) => sql`select meeting_id, event_type_id, hold_client, expires_at from claims
    where ${engine(db).isAmong('event_type_id', value('eventTypes'))}
      and ${engine(db).isAmong('hold_client', value('clients'), 'text')}
      and expires_at is not null and expires_at > ${engine(db).now}`,
)

const readHeld = prepared<{ hosts: IdList }, { host_id: string; meeting_id: string }>(
  (db, value) => sql`select host_id, meeting_id from claims
    where ${engine(db).isAmong('host_id', value('hosts'))}
      and expires_at is not null and expires_at > ${engine(db).now}`,
)

const readTime = prepared<Record<never, never>, { now: number }>((db) => sql`select ${engine(db).now} as now`)
