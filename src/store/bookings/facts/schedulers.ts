import { sql } from 'kysely'
import type { Question } from '../../../domain/bookings/ledger.ts'
import type { Db } from '../../engine/database.ts'
import { engine, type IdList } from '../../engine/engine.ts'
import { type Placeholder, prepared } from '../../engine/prepared.ts'
import { type Ids, type Reading, reading, type StoredFact, unique } from './fact.ts'

/** What becomes of hosts that another transaction holds; `look` locks none. */
export type Locking = 'wait' | 'skip' | 'look'

/** Locks the hosts of these questions, and reads their revisions. It comes before everything else. */
export function lockHosts(db: Db, questions: readonly Question[], locking: Locking): Reading {
  const hostIds = unique(questions.flatMap((question) => question.hostIds))
  const meetingIds = unique(questions.flatMap((question) => question.meetingIds ?? []))
  const ids = { ids: engine(db).idList(hostIds), meetings: engine(db).idList(meetingIds) }
  const lock = {
    wait: meetingIds.length > 0 ? lockMeetingHosts : lockAll,
    skip: meetingIds.length > 0 ? lockFreeMeetingHosts : lockFree,
    look: readRevisions,
  }[locking]
  return reading(lock.bind(db, ids), (rows, ledger) => {
    for (const { id, revision } of rows) ledger.schedulers.add(id, revision, true)
  })
}

/** The revisions of others whose settings matter: those of the hosts came with the lock. */
export const schedulers: StoredFact = {
  ask(db, questions) {
    const hostIds = new Set(questions.flatMap((question) => question.hostIds))
    const others = unique(questions.flatMap(({ dependsOn = [] }) => dependsOn)).filter(
      (id) => !hostIds.has(id),
    )
    if (others.length === 0) return []
    return [
      reading(readRevisions.bind(db, { ids: engine(db).idList(others) }), (rows, ledger) => {
        for (const { id, revision } of rows) ledger.schedulers.add(id, revision, false)
      }),
    ]
  },
}

type Locked = { readonly id: string; readonly revision: number }

/** In one order everywhere, so that two transactions never wait for each other. */
export const lockAll = prepared<Ids, Locked>(
  (db, value) => sql`select id, revision from schedulers where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

const lockFree = prepared<Ids, Locked>(
  (db, value) => sql`select id, revision from schedulers where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockFreeRows}`,
)

const meetingHosts = (db: Db, value: Placeholder<{ ids: IdList; meetings: IdList }>) => sql`
  select id from schedulers where ${engine(db).isAmong('id', value('ids'))}
  union all
  select host_id from claims where ${engine(db).isAmong('meeting_id', value('meetings'))}`

const lockMeetingHosts = prepared<Ids & { meetings: IdList }, Locked>(
  (db, value) => sql`select id, revision from schedulers where id in (${meetingHosts(db, value)})
    order by id ${engine(db).lockRows}`,
)

const lockFreeMeetingHosts = prepared<Ids & { meetings: IdList }, Locked>(
  (db, value) => sql`select id, revision from schedulers where id in (${meetingHosts(db, value)})
    order by id ${engine(db).lockFreeRows}`,
)

const readRevisions = prepared<Ids, Locked>(
  (db, value) => sql`select id, revision from schedulers where ${engine(db).isAmong('id', value('ids'))}`,
)
