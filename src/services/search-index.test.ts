import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { before, it } from 'node:test'
import { sql } from 'kysely'
import { onEveryDatabase } from '../../test/databases.ts'
import { addTeam, addUser, appOn, MONDAY_NOON } from '../../test/kit.ts'
import type { Scheduler } from '../domain/people/scheduler.ts'
import { queryTerms, type SearchTerms } from '../domain/search-terms.ts'
import { findBookingPage } from '../store/bookings/list.ts'
import { engine } from '../store/engine/engine.ts'
import { newId } from '../store/new-id.ts'
import { findPeople } from '../store/people/people.ts'
import { anonymizeBookings } from '../store/workspace/erasure.ts'
import { keepSearchIndex } from './search-index.ts'

const HOUR = 3_600_000

/** More than a search without the index reads. */
const CROWD = 12_000

/** Before everything else here. */
const LATE_ID = '00000000-0000-7000-8000-000000000001'

onEveryDatabase('the search index', ({ db, url, engine: name }) => {
  let owner: Scheduler
  let other: Scheduler

  before(async () => {
    owner = await addUser(db(), 'ada')
    other = await addTeam(db(), 'team')
    for (let from = 0; from < CROWD; from += 500) {
      const rows = Array.from({ length: 500 }, (_, i) => rowOf(owner, from + i, `Guest ${from + i}`))
      await db()
        .insertInto('bookings')
        .values(rows as never)
        .execute()
    }
  })

  /** Indexes everything, as if a minute had passed since it was made. */
  async function runIndexer(): Promise<void> {
    const { context, app } = await appOn(db(), { now: () => Date.now() + 2 * 60_000 })
    const isDone = async () => {
      const { rows } = await sql<{ left: number }>`
        select (select count(*) from search_pending) + (select count(*) from bookings)
          - (select count(*) from search_entries where object_id in (select id from bookings)) as left`.execute(
        db(),
      )
      return Number(rows[0]?.left) === 0
    }
    do await keepSearchIndex(context)
    while (!(await isDone()))
    await app.close()
  }

  async function insert(n: number, name: string, more: object = {}): Promise<string> {
    const row = { ...rowOf(owner, n, name), ...more }
    await db()
      .insertInto('bookings')
      .values(row as never)
      .execute()
    return row.id
  }

  async function search(text: string, of = owner, order: 'asc' | 'desc' = 'asc') {
    const page = await findBookingPage(db(), [{ schedulerId: of.id }], { statuses: [], order, text }, 50)
    return {
      names: page.found.map(({ booking }) => booking.invitee.name),
      isWhole: page.searchedTo === undefined,
    }
  }

  async function entriesFor(text: string, scope: Parameters<typeof queryTerms>[0] = { ownerId: owner.id }) {
    return (await engine(db()).findEntries(db(), queryTerms(scope, text) as SearchTerms, 10)).length
  }

  it('has the search look through everything in one request', async () => {
    assert.equal((await search('guest 11990')).isWhole, false, 'nothing is indexed yet')
    await insert(CROWD + 1, 'Änne Needle')
    await insert(CROWD + 2, 'NEEDLEMAN')
    await runIndexer()
    for (const text of ['needle', 'EEDL', 'ne n', 'Needle'])
      assert.deepEqual(await search(text), {
        names: text === 'ne n' ? ['Änne Needle'] : ['Änne Needle', 'NEEDLEMAN'],
        isWhole: true,
      })
    assert.deepEqual((await search('needle', owner, 'desc')).names, ['NEEDLEMAN', 'Änne Needle'])
    assert.deepEqual((await search('guest 11990')).names, ['Guest 11990'])
    // Two letters are enough; one is searched for as if there were no index.
    assert.deepEqual((await search('än')).names, ['Änne Needle'])
    assert.equal((await search('ä')).isWhole, false)
    // Has all threes of one, in another order.
    assert.deepEqual(await search('eedleneedl'), { names: [], isWhole: true })
    // Common ones are read in their order.
    assert.equal((await search('guest')).names.length, 50)
    assert.deepEqual(await search('nowhere'), { names: [], isWhole: true })
    assert.deepEqual(await search('needle', other), { names: [], isWhole: true })
  })

  it('misses nothing that is not indexed yet', async () => {
    await insert(CROWD + 3, 'Just booked')
    assert.deepEqual(await search('just b'), { names: ['Just booked'], isWhole: true })
    // By a server whose clock is slow: its id is smaller than those that are indexed.
    await insert(CROWD + 4, 'Late riser', { id: LATE_ID })
    assert.deepEqual(await search('late r'), { names: ['Late riser'], isWhole: true })
    await runIndexer()
    assert.deepEqual([await entriesFor('just b'), await entriesFor('late r')], [1, 1])
    assert.deepEqual((await search('late r')).names, ['Late riser'])
  })

  it('forgets at once who was erased, renamed or deleted', async () => {
    const id = await insert(CROWD + 5, 'Xquizv Personal')
    await runIndexer()
    assert.equal(await entriesFor('xquizv'), 1)
    if (name === 'sqlite') assert.equal(termsOnDisk(url(), 'xqu').length, 1)
    const row = await db().selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await db()
      .transaction()
      .execute((trx) => anonymizeBookings(trx, [row]))
    assert.equal(await entriesFor('xquizv'), 0)
    if (name === 'sqlite') assert.deepEqual(termsOnDisk(url(), 'xqu'), [])
    await runIndexer()
    assert.deepEqual([await entriesFor('xquizv'), (await search('xquizv')).names], [0, []])
    assert.deepEqual((await search('Erased gu')).names, ['Erased guest'])

    const gone = await insert(CROWD + 6, 'Short lived')
    await runIndexer()
    await db().deleteFrom('bookings').where('id', '=', gone).execute()
    assert.equal(await entriesFor('short l'), 0)
  })

  it('follows a booking to its new owner', async () => {
    const id = await insert(CROWD + 7, 'Wanderer')
    await runIndexer()
    await db().updateTable('bookings').set({ scheduler_id: other.id }).where('id', '=', id).execute()
    assert.deepEqual(
      [(await search('wanderer')).names, (await search('wanderer', other)).names],
      [[], ['Wanderer']],
    )
    await runIndexer()
    assert.equal(await entriesFor('wanderer', { ownerId: other.id }), 1)
    assert.equal(await entriesFor('wanderer'), 0)
  })

  it('finds people among many', async () => {
    const people = async (text: string) => {
      const found = await findPeople(db(), { search: text, sort: 'created', now: 0 }, { limit: 10 })
      return found.map(({ user }) => user.name)
    }
    for (let i = 0; i < 600; i++) await addUser(db(), `host-${i}`)
    const rare = await addUser(db(), 'rare')
    await db().updateTable('schedulers').set({ name: 'Ölund Rare' }).where('id', '=', rare.id).execute()
    assert.deepEqual(await people('ölund'), ['Ölund Rare'])
    await runIndexer()
    assert.equal(await entriesFor('ölund', 'people'), 1)
    assert.deepEqual(await people('LUND R'), ['Ölund Rare'])
    assert.deepEqual(await people('nobody'), [])
    await db().updateTable('schedulers').set({ email: null }).where('id', '=', rare.id).execute()
    assert.equal(await entriesFor('ölund', 'people'), 0)
    await runIndexer()
    assert.deepEqual([await entriesFor('ölund', 'people'), await people('ölund')], [0, []])
  })
})

/** The terms that end like this and are still in SQLite's index, found by anybody or not. */
function termsOnDisk(path: string, ending: string): unknown[] {
  const database = new DatabaseSync(path)
  database.exec(`create virtual table temp.vocabulary using fts5vocab ('main', 'search_index', 'row')`)
  const terms = database.prepare(`select term from vocabulary where term like ?`).all(`%${ending}`)
  database.close()
  return terms
}

function rowOf(owner: Scheduler, n: number, name: string) {
  const id = newId()
  return {
    id,
    scheduler_id: owner.id,
    event_type_id: owner.id,
    meeting_id: id,
    host_id: owner.id,
    seat: 1,
    seats: 1,
    status: 'Cancelled',
    starts_at: MONDAY_NOON + n * HOUR,
    ends_at: MONDAY_NOON + (n + 1) * HOUR,
    invitee_name: name,
    invitee_email: `guest-${n}@guests.example`,
    invitee_phone: '',
    invitee_time_zone: 'UTC',
    invitee_locale: 'en',
    location_type: 'link',
    location_value: '',
    notes: '',
    custom_fields: '{}',
    source: 'API',
    duplicate_key: id,
    guest: `guest-${n}@guests.example`,
    created_at: 0,
  }
}
