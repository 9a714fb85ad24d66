import { sql } from 'kysely'
import { bookingLane } from '../../../domain/job.ts'
import { engine } from '../../engine/engine.ts'
import { prepared } from '../../engine/prepared.ts'
import { insertJobRows, jobRow } from '../../outbox.ts'
import { reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'

export const announcements: StoredFact = {
  ask(db, questions) {
    const bookingIds = unique(questions.flatMap(({ unannouncedIds = [] }) => unannouncedIds))
    if (bookingIds.length === 0) return []
    const lanes = JSON.stringify(bookingIds.map((id) => ({ lane: bookingLane(id) })))
    return [
      reading(readAnnouncements.bind(db, { lanes }), (rows, ledger) => {
        for (const { id, data } of rows) ledger.announcements.add({ jobId: id, record: JSON.parse(data) })
      }),
    ]
  },
  write: ({ withdrawnJobs = [], jobs = [] }) => [
    writing(
      withdrawnJobs.map((id) => ({ id })),
      deleteWithdrawn,
    ),
    writing(
      jobs.map((job) => jobRow(job, job.dueAt)),
      insertJobRows,
    ),
  ],
}

// Locked, so that no worker announces what is being withdrawn. One that a worker has locked is being announced.
const readAnnouncements = prepared<{ lanes: string }, { id: number; data: string }>(
  (db, value) => sql`select id, data from outbox
    where lane in (${engine(db).rowsFromJson('outbox', ['lane'], value('lanes'))})
      and kind = 'announce' and failed_at is null
    order by id ${engine(db).skipLocked}`,
)

const deleteWithdrawn = rowStatement(
  (db, rows) => sql`delete from outbox where id in (${engine(db).rowsFromJson('outbox', ['id'], rows)})`,
)
