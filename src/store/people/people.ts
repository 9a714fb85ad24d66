import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { Role, User } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { pageAfter } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'
import { containing } from '../engine/search.ts'
import { type Candidates, findCandidates } from '../search.ts'
import { userFromRow } from './users.ts'

/** A user as the instance's admins see them. */
export interface Person {
  readonly user: User
  readonly createdAt: number
  readonly teams: readonly { readonly id: string; readonly name: string; readonly role: Role }[]
  /** How many browsers they are signed in with. */
  readonly sessions: number
  readonly tokens: number
  /** Whether they have signed in at the identity provider. */
  readonly singleSignOn: boolean
  readonly passkeys: number
}

export const PEOPLE_ORDERS = ['created', '-created', 'name', '-name'] as const

/** By age or by name; with a minus, the newest or the last name comes first. */
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number]

interface PeopleQuery {
  readonly search: string
  readonly sort: PeopleOrder
  readonly now: number
}

/** Users whose name or address contains this text, after the one with id `after`. */
export async function findPeople(db: Db, { search, sort, now }: PeopleQuery, page: Page): Promise<Person[]> {
  const candidates = search === '' ? undefined : await findCandidates(db, 'people', search)
  const keys = sort.endsWith('name') ? ['name', 'id'] : ['id']
  const keysOfLast = page.after === undefined ? undefined : await findKeys(db, page.after, keys)
  const rows = await (candidates === undefined ? db.selectFrom('schedulers') : among(db, candidates))
    .selectAll()
    .where('kind', '=', 'user')
    // Deleted users have no address.
    .where('email', 'is not', null)
    .where('closed_at', 'is', null)
    .$if(search !== '', (query) => query.where(containing(['name', 'email'], search)))
    .$call(pageAfter(keys, sort.startsWith('-') ? 'desc' : 'asc', { ...page, after: keysOfLast }))
    .execute()
  return describe(
    db,
    rows.map((row) => ({ user: userFromRow(row), createdAt: row.created_at })),
    now,
  )
}

/** What a list has gone on from. A person who was deleted meanwhile had the empty name. */
async function findKeys(db: Db, id: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 1) return [id]
  const row = await db.selectFrom('schedulers').select('name').where('id', '=', id).executeTakeFirst()
  return [row?.name ?? '', id]
}

/** A person as a search shows them. */
export interface FoundPerson {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** People who may have this text in their name or address; the first `limit` of all where the index can't say. */
export async function findPossiblePeople(db: Db, text: string, limit: number): Promise<FoundPerson[]> {
  const candidates = await findCandidates(db, 'people', text)
  const rows = await (candidates === undefined ? db.selectFrom('schedulers') : among(db, candidates))
    .select(['id', 'name', 'email'])
    .where('kind', '=', 'user')
    .where('email', 'is not', null)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .$if(candidates === undefined, (query) => query.limit(limit))
    .execute()
  return rows.map(({ id, name, email }) => ({ id, name, email: email ?? '' }))
}

function among(db: Db, { ids }: Candidates): SelectQueryBuilder<Schema, 'schedulers', object> {
  const isOne = sql<SqlBool>`found.id = wanted.object_id`
  const rows = sql`select found.* from ${engine(db).lookUpEach(ids, 'schedulers', isOne)}`
  return db.selectFrom(sql<Selectable<Schema['schedulers']>>`(${rows})`.as('schedulers')) as never
}

export async function findPerson(db: Db, id: string, now: number): Promise<Person | undefined> {
  const row = await db
    .selectFrom('schedulers')
    .selectAll()
    .where('kind', '=', 'user')
    .where('email', 'is not', null)
    .where('closed_at', 'is', null)
    .where('id', '=', id)
    .executeTakeFirst()
  const [person] = row ? await describe(db, [{ user: userFromRow(row), createdAt: row.created_at }], now) : []
  return person
}

async function describe(
  db: Db,
  people: readonly Pick<Person, 'user' | 'createdAt'>[],
  now: number,
): Promise<Person[]> {
  if (people.length === 0) return []
  const ids = people.map(({ user }) => user.id)
  const teams = await db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as t', 't.id', 'm.team_id')
    .select(['m.user_id', 'm.team_id as id', 't.name', 'm.role'])
    .where('m.user_id', 'in', ids)
    .orderBy('m.team_id')
    .execute()
  const count = sql<number>`count(*)`.as('count')
  const sessions = await db
    .selectFrom('sessions')
    .select(['user_id', count])
    .where('user_id', 'in', ids)
    .where('expires_at', '>', now)
    .groupBy('user_id')
    .execute()
  const tokens = await db
    .selectFrom('api_tokens')
    .select(['user_id', count])
    .where('user_id', 'in', ids)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .groupBy('user_id')
    .execute()
  const identities = await db.selectFrom('identities').select('user_id').where('user_id', 'in', ids).execute()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['user_id', count])
    .where('user_id', 'in', ids)
    .groupBy('user_id')
    .execute()
  const countOf = (rows: readonly { user_id: string; count: number }[], id: string) =>
    Number(rows.find((row) => row.user_id === id)?.count ?? 0)
  return people.map(({ user, createdAt }) => ({
    user,
    createdAt,
    teams: teams.filter((row) => row.user_id === user.id).map(({ user_id: _, ...team }) => team),
    sessions: countOf(sessions, user.id),
    tokens: countOf(tokens, user.id),
    singleSignOn: identities.some((row) => row.user_id === user.id),
    passkeys: countOf(passkeys, user.id),
  }))
}
