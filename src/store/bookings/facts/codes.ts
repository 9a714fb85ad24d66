import { type Selectable, sql } from 'kysely'
import type { MailedCode } from '../../../domain/bookings/facts/codes.ts'
import { engine, type IdList } from '../../engine/engine.ts'
import { prepared } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'

export const codes: StoredFact = {
  ask(db, questions) {
    const asked = questions.flatMap(({ emailCode }) => emailCode ?? [])
    if (asked.length === 0) return []
    const wanted = {
      eventTypes: engine(db).idList(unique(asked.map(({ eventTypeId }) => eventTypeId))),
      addresses: engine(db).idList(unique(asked.map(({ address }) => address))),
    }
    return [
      reading(readCodes.bind(db, wanted), (rows, ledger) => {
        for (const row of rows) {
          const { event_type_id: eventTypeId, address_hash: address, code_hash: codeHash, tries } = row
          ledger.codes.add({ eventTypeId, address, codeHash, tries, expiresAt: row.expires_at })
        }
      }),
    ]
  },
  write: ({ usedCodes = [], failedCodes = [] }) => [
    writing(usedCodes.map(codeRow), deleteCodes),
    writing(
      usedCodes.map(({ mailbox }) => ({ address_hash: mailbox })),
      insertAnswered,
    ),
    writing(failedCodes.map(codeRow), countTries),
  ],
}

const codeRow = ({ eventTypeId, address }: MailedCode) => ({
  event_type_id: eventTypeId,
  address_hash: address,
})

// Locked, so that two bookings never use one code, and every wrong one is counted.
const readCodes = prepared<{ eventTypes: IdList; addresses: IdList }, Selectable<Schema['email_codes']>>(
  (db, value) => sql`select * from email_codes
    where ${engine(db).isAmong('event_type_id', value('eventTypes'))}
      and ${engine(db).isAmong('address_hash', value('addresses'), 'text')}
    order by event_type_id, address_hash ${engine(db).lockRows}`,
)

const deleteCodes = rowStatement(
  (db, rows) => sql`delete from email_codes where (event_type_id, address_hash)
    in (${engine(db).rowsFromJson('email_codes', ['event_type_id', 'address_hash'], rows)})`,
)

// `where true`, because SQLite would read "on conflict" as part of a join.
const insertAnswered = rowStatement(
  (db, rows) => sql`insert into answered_guests (address_hash, answered_at)
    select distinct address_hash, ${engine(db).now}
      from (${engine(db).rowsFromJson('answered_guests', ['address_hash'], rows)}) as used where true
    on conflict do nothing`,
)

const countTries = rowStatement(
  (db, rows) => sql`update email_codes set tries = email_codes.tries + failed.times
    from (
      select event_type_id, address_hash, count(*) as times
        from (${engine(db).rowsFromJson('email_codes', ['event_type_id', 'address_hash'], rows)}) as each_try
        group by event_type_id, address_hash
    ) as failed
    where email_codes.event_type_id = failed.event_type_id
      and email_codes.address_hash = failed.address_hash`,
)
