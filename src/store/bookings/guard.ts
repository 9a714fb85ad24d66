import { type CompiledQuery, sql } from 'kysely'
import type { Ledger, Question } from '../../domain/bookings/ledger.ts'
import type { Db } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { prepared } from '../engine/prepared.ts'
import { claimsWithin, spansByHost } from './facts/claims.ts'
import { unique } from './facts/fact.ts'
import { lockAll } from './facts/schedulers.ts'

/** The parts of a question that `guardLedger` checks. Caps of a guest span hosts, so no lock keeps them exact. */
const GUARDED: ReadonlySet<string> = new Set<keyof Question>([
  'hostIds',
  'dependsOn',
  'spans',
  'retry',
  'guests',
])

/** Whether the ledger of this question may be read before the lock, since `guardLedger` can check all of it. */
export const mayLookFirst = (question: Question): boolean =>
  Object.entries(question).every(([part, asked]) => asked === undefined || GUARDED.has(part))

/** Locks the hosts of these questions, and fails if a decision on this ledger would now be another. */
export function guardLedger(db: Db, questions: readonly Question[], ledger: Ledger): CompiledQuery[] {
  const hostIds = unique(questions.flatMap((question) => question.hostIds))
  const ids = unique(questions.flatMap(({ hostIds, dependsOn = [] }) => [...hostIds, ...dependsOn]))
  const revisions = ids.map((id) => ({ id, revision: ledger.schedulers.revisionOf(id) ?? null }))
  const taken = hostIds.flatMap((hostId) => ledger.claims.of(hostId).map((claim) => ({ hostId, claim })))
  // Ended holds are known, too: they are deleted, and in nobody's way.
  const known = [...taken, ...ledger.claims.endedHolds].map(({ hostId, claim }) => {
    return { host_id: hostId, starts_at: claim.startsAt, meeting_id: claim.meetingId }
  })
  const retries = questions.flatMap(({ retry }) => retry ?? [])
  return [
    lockAll.bind(db, { ids: engine(db).idList(hostIds) }),
    checkUnchanged.bind(db, {
      ids: engine(db).idList(ids),
      revisions: JSON.stringify(revisions),
      count: ids.length,
      spans: JSON.stringify(spansByHost(questions)),
      known: JSON.stringify(known),
      eventTypes: engine(db).idList(unique(retries.map(({ eventTypeId }) => eventTypeId))),
      keys: engine(db).idList(unique(retries.map(({ key }) => key))),
    }),
  ]
}

// Claims that are gone do no harm: the time is free.
const checkUnchanged = prepared<
  {
    ids: IdList
    revisions: string
    count: number
    spans: string
    known: string
    eventTypes: IdList
    keys: IdList
  },
  { unchanged: number }
>(
  (db, value) => sql`select 1 / (case when
    (select count(*) from schedulers where ${engine(db).isAmong('id', value('ids'))}
      and (id, revision) in (
        ${engine(db).rowsFromJson('schedulers', ['id', 'revision'], value('revisions'))}
      )
    ) < ${value('count')}
    or exists (
      select 1 from ${claimsWithin(db, value('spans'))}
        and (found.host_id, found.starts_at, found.meeting_id) not in (
          ${engine(db).rowsFromJson('claims', ['host_id', 'starts_at', 'meeting_id'], value('known'))}
        )
    )
    or exists (
      select 1 from idempotency_keys
      where ${engine(db).isAmong('event_type_id', value('eventTypes'))}
        and ${engine(db).isAmong('key', value('keys'), 'text')}
    )
    then 0 else 1 end) as unchanged`,
)
