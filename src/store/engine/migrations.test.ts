import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type FreshDatabase, freshDatabase, openPatiently } from '../../../test/databases.ts'
import { findBreaks } from '../../../test/expansion.ts'
import { PREVIOUS } from '../../../test/previous-release.ts'
import type { Db } from './database.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'

const count = MIGRATIONS.findIndex(({ name }) => name === PREVIOUS.lastMigration) + 1
const EARLIER = MIGRATIONS.slice(0, count)

describe(`the migrations since version ${PREVIOUS.version}`, () => {
  let fresh: FreshDatabase
  let db: Db
  beforeEach(async () => {
    fresh = await freshDatabase('postgres')
    db = openPatiently(fresh.url, { queryTimeout: 0 })
  })
  afterEach(async () => {
    await db.destroy()
    await fresh.drop()
  })

  it('only add to what that version knows', async () => {
    assert.ok(count > 0, `there is no migration ${PREVIOUS.lastMigration}`)
    assert.deepEqual(await findBreaks(db, EARLIER, MIGRATIONS.slice(count)), [])
  })

  it('may add tables, columns and indexes', async () => {
    const harmless: Migration[] = [
      {
        name: '900-nicknames',
        statements: () => [
          `create table nicknames (id uuid primary key, host_id uuid not null references schedulers (id))`,
          `create unique index nicknames_host on nicknames (host_id)`,
          `insert into nicknames (id, host_id) select id, id from schedulers`,
          `alter table schedulers add column nickname text check (nickname <> '') references schedulers (slug)`,
          `alter table schedulers add column pet_name text not null default ''`,
          `alter table schedulers add column badge text unique`,
          `alter table bookings alter column notes drop not null`,
        ],
      },
      {
        name: '901-nicknames',
        indexes: () => [{ name: 'schedulers_nickname', on: 'schedulers (nickname)' }],
      },
    ]
    assert.deepEqual(await findBreaks(db, EARLIER, harmless), [])
  })

  it('may do nothing that breaks it', async () => {
    const breaking: Record<string, string> = {
      'drop table recovery_codes': 'recovery_codes is gone',
      'alter table passkeys drop column transports': 'passkeys.transports is gone',
      'alter table sessions alter column expires_at type numeric': 'sessions.expires_at has another type',
      'alter table bookings alter column guests set not null': 'bookings.guests is required now',
      'alter table schedules alter column confirmed drop default': 'schedules.confirmed has another default',
      'alter table webhooks add column style text not null':
        'webhooks.style is required, and the version before leaves it out',
      'alter table invitations add constraint short check (length(email) < 9)':
        'invitations has a new rule, short',
      'alter table audit add constraint once unique (actor_id)': 'audit has a new rule, once',
      "alter table team_members add column rank text not null default '' unique":
        'team_members has a new rule, team_members_rank_key',
      'create unique index routing_forms_names on routing_forms (name)':
        'routing_forms has a new rule, routing_forms_names',
      'create index bookings_notes on bookings (notes)':
        '900-broken locks bookings to build an index: name it in `indexes`',
      "update event_types set description = ''":
        '900-broken changes rows of event_types: let a job or a sweep do that, some at a time',
      'alter table calendars add column made_at timestamptz default clock_timestamp()':
        'calendars is written anew, and locked meanwhile',
    }
    const statements = () => Object.keys(breaking)
    const found = await findBreaks(db, EARLIER, [{ name: '900-broken', statements }])
    for (const expected of Object.values(breaking)) {
      assert.ok(found.includes(expected), `${expected}\nnot in\n${found.join('\n')}`)
    }
  })
})
