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
  write: ({ spentLinks = [] }) => [
    writing(
      spentLinks.map((id) => ({ id })),
      spendLinks,
    ),
  ],
}

// Locked: a link may be used with different hosts, when those of its event type change.
const readLinks = prepared<Ids, Selectable<Schema['private_links']>>(
  (db, value) => sql`select * from private_links where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

const spendLinks = rowStatement(
  (db, rows) => sql`update private_links set used = used + spent.uses
    from (
      select id, count(*) as uses from (${engine(db).rowsFromJson('private_links', ['id'], rows)}) as each_use group by id
    ) as spent
    where private_links.id = spent.id`,
)
