import { type Selectable, sql } from 'kysely'
import { engine } from '../../engine/engine.ts'
import { prepared } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { privateLinkFromRow } from '../private-links.ts'
import { type Ids, reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'

export const links: StoredFact = {
  ask(db, questions) {
    const ids = unique(questions.flatMap(({ linkId }) => linkId ?? []))
    if (ids.length === 0) return []
    return [
      reading(readLinks.bind(db, { ids: engine(db).idList(ids) }), (rows, ledger) => {
        for (const row of rows) ledger.links.add(privateLinkFromRow(row))
      }),
    ]
  },
  write: ({ spentLinks = [], unspentLinks = [] }) => [
    writing(
      [...spentLinks.map((id) => ({ id, used: 1 })), ...unspentLinks.map((id) => ({ id, used: -1 }))],
      useLinks,
    ),
  ],
}

// Locked: a link may be used with different hosts, when those of its event type change.
const readLinks = prepared<Ids, Selectable<Schema['private_links']>>(
  (db, value) => sql`select * from private_links where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

// Links that an old backup brought back may know of fewer uses than are given back.
const useLinks = rowStatement(
  (db, rows) => sql`update private_links
    set used = case when private_links.used + changed.used > 0 then private_links.used + changed.used else 0 end
    from (
      select id, sum(used) as used from (${engine(db).rowsFromJson('private_links', ['id', 'used'], rows)}) as each_use group by id
    ) as changed
    where private_links.id = changed.id`,
)
