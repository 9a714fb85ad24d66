import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { ERASED_GUEST, isAddress, mentions } from '../../domain/bookings/erased.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import type { SavedFilter } from '../../domain/people/saved-filter.ts'
import { guestsFrom } from '../bookings/rows.ts'
import type { Db, Trx } from '../engine/database.ts'
import { compareKeys, pageById } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'
import { containing } from '../engine/search.ts'
import { lockHosts } from '../people/schedulers.ts'

/** Whose guests are erased: those of these users and teams, or of all. */
export type ErasureScope = readonly string[] | 'all'

/** What was erased, and who owns it. */
export interface Erased {
  readonly kind: 'booking' | 'response'
  readonly id: string
  readonly ownerId: string
}

type BookingRow = Selectable<Schema['bookings']>
type ResponseRow = Selectable<Schema['routing_responses']>

/** Rows that one statement looks through: on SQLite, requests wait for it. */
const PAGE = 1000

const isIn = (scope: ErasureScope, ownerId: string) => scope === 'all' || scope.includes(ownerId)

/** The bookings of this guest. `address` is canonical here and below. */
export async function findBookingsOfGuest(
  db: Db,
  address: string,
  scope: ErasureScope,
): Promise<BookingRow[]> {
  const rows = await db
    .selectFrom('bookings')
    .selectAll()
    // Addresses of one mailbox share it.
    .where('guest', '=', guestKey(address))
    .execute()
  return rows.filter((row) => isAddress(row.invitee_email, address) && isIn(scope, row.scheduler_id))
}

/** The bookings of other guests that bring this address. */
export async function findBookingsWithGuest(
  db: Db,
  address: string,
  scope: ErasureScope,
): Promise<BookingRow[]> {
  const found: BookingRow[] = []
  let after: string | undefined
  for (;;) {
    // Only those that bring anyone are in the index.
    const page = await db
      .selectFrom('bookings')
      .select(['id', 'guests', 'scheduler_id'])
      .where('guests', 'is not', null)
      .$call(pageById({ after, limit: PAGE }))
      .execute()
    const ids = page
      .filter((row) => isIn(scope, row.scheduler_id))
      .filter((row) => guestsFrom(row.guests).some((guest) => isAddress(guest, address)))
      .map(({ id }) => id)
    if (ids.length > 0)
      found.push(...(await db.selectFrom('bookings').selectAll().where('id', 'in', ids).execute()))
    if (page.length < PAGE) return found
    after = page.at(-1)?.id
    await nextTurn()
  }
}

/** The responses with an answer that has this address. */
export async function findResponsesWith(
  db: Db,
  address: string,
  scope: ErasureScope,
): Promise<{ readonly row: ResponseRow; readonly ownerId: string }[]> {
  const found: { row: ResponseRow; ownerId: string }[] = []
  const forms = await db.selectFrom('routing_forms').select(['id', 'scheduler_id']).execute()
  const owners = new Map(forms.map((form) => [form.id, form.scheduler_id]))
  let after: string | undefined
  for (;;) {
    const page = await db
      .selectFrom('routing_responses')
      .selectAll()
      .$call(pageById({ after, limit: PAGE }))
      .execute()
    for (const row of page) {
      const ownerId = owners.get(row.form_id)
      if (ownerId !== undefined && isIn(scope, ownerId) && mentions(row.answers, address))
        found.push({ row, ownerId })
    }
    if (page.length < PAGE) return found
    after = page.at(-1)?.id
    await nextTurn()
  }
}

/** These responses, as far as their answers were not erased. */
export async function findResponsesOf(
  db: Db,
  ids: readonly string[],
): Promise<{ readonly row: ResponseRow; readonly ownerId: string }[]> {
  const found: { row: ResponseRow; ownerId: string }[] = []
  for (const id of new Set(ids)) {
    const row = await db
      .selectFrom('routing_responses as r')
      .innerJoin('routing_forms as f', 'f.id', 'r.form_id')
      .selectAll('r')
      .select('f.scheduler_id as owner_id')
      .where('r.id', '=', id)
      .where('r.answers', '<>', '{}')
      .executeTakeFirst()
    if (row !== undefined) found.push({ row, ownerId: row.owner_id })
  }
  return found
}

/** Whether a column contains the address, in either of the forms in which accents are stored. */
const mentioning = (column: string, address: string) =>
  sql<boolean>`(${containing([column], address)} or ${containing([column], address.normalize('NFD'))})`

/**
 * Takes the guest out of their bookings, which stay for the counts. Notes in the same transaction that traces of them
 * are left elsewhere.
 */
export async function anonymizeBookings(trx: Trx, rows: readonly BookingRow[]): Promise<void> {
  if (rows.length === 0) return
  await lockHosts(trx, [...new Set(rows.map((row) => row.host_id))])
  for (const { id, assignment, payment } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await trx
      .updateTable('bookings')
      .set({
        invitee_name: ERASED_GUEST,
        invitee_email: '',
        invitee_phone: '',
        sms_number: null,
        invitee_time_zone: 'UTC',
        invitee_locale: '',
        // A guest may have given their own number or address.
        location_value: '',
        notes: '',
        custom_fields: '{}',
        utm: '{}',
        guests: null,
        host_notes: null,
        metadata: null,
        reason: '',
        guest: '',
        client: null,
        duplicate_key: id,
        // It may name the guest's company.
        assignment: assignment === null ? null : withoutDetail(assignment),
      })
      .where('id', '=', id)
      .execute()
    await trx.deleteFrom('added_guests').where('booking_id', '=', id).execute()
    if (payment !== null) await anonymizeCheckout(trx, JSON.parse(payment).checkoutId)
    await notePending(trx, 'booking', id)
  }
}

/** The ledger names nobody, but what the provider was asked for does, and so does its page. The amounts stay. */
async function anonymizeCheckout(trx: Trx, id: string): Promise<void> {
  const row = await trx.selectFrom('checkouts').select('wanted').where('id', '=', id).executeTakeFirst()
  if (row === undefined) return
  const wanted = JSON.stringify({ ...JSON.parse(row.wanted), email: '' })
  await trx.updateTable('checkouts').set({ wanted, url: null }).where('id', '=', id).execute()
}

const withoutDetail = (json: string) => JSON.stringify({ ...JSON.parse(json), detail: '' })

/** Takes a guest whom someone else brings out of their booking. Notes that traces are left elsewhere. */
export async function removeAddedGuest(trx: Trx, bookingId: string, address: string): Promise<void> {
  const row = await trx
    .selectFrom('bookings')
    .select(['guests', 'host_id'])
    .where('id', '=', bookingId)
    .executeTakeFirst()
  const guests = guestsFrom(row?.guests ?? null)
  const kept = guests.filter((guest) => !isAddress(guest, address))
  if (row === undefined || kept.length === guests.length) return
  await lockHosts(trx, [row.host_id])
  await trx
    .updateTable('bookings')
    .set({ guests: kept.length === 0 ? null : JSON.stringify(kept) })
    .where('id', '=', bookingId)
    .execute()
  await trx
    .deleteFrom('added_guests')
    .where('booking_id', '=', bookingId)
    .where('guest', '=', guestKey(address))
    .execute()
  await renumberGuestMails(trx, bookingId, guests, kept)
  await notePending(trx, 'booking', bookingId)
}

/** Mails to those whom a guest brings name them by their place in the list. */
async function renumberGuestMails(
  trx: Trx,
  bookingId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const laneOf = (index: number) => `mail:${bookingId}:addedGuest:${index}`
  for (const [index, guest] of before.entries()) {
    const place = after.indexOf(guest)
    if (place === index) continue
    const jobs = await trx
      .selectFrom('outbox')
      .select(['id', 'data'])
      .where('lane', '=', laneOf(index))
      .execute()
    for (const { id, data } of jobs) {
      if (place < 0) {
        await trx.deleteFrom('outbox').where('id', '=', id).execute()
        continue
      }
      const job = JSON.parse(data)
      const moved = { ...job, recipient: { ...job.recipient, index: place } }
      await trx
        .updateTable('outbox')
        .set({ data: JSON.stringify(moved), lane: laneOf(place) })
        .where('id', '=', id)
        .execute()
    }
  }
}

/** Takes the answers out of a response, or those that mention the address. The response stays for the counts. */
export async function anonymizeResponse(trx: Trx, row: ResponseRow, answers: object): Promise<void> {
  await trx
    .updateTable('routing_responses')
    .set({
      answers: JSON.stringify(answers),
      route: row.route === null ? null : withoutDetail(row.route),
    })
    .where('id', '=', row.id)
    .execute()
  await notePending(trx, 'response', row.id)
}

async function notePending(trx: Trx, kind: Erased['kind'], id: string): Promise<void> {
  await trx
    .insertInto('pending_erasures')
    .values({ kind, id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Bookings and responses whose traces elsewhere have still to be removed. */
export async function findPendingErasures(
  db: Db,
  limit: number,
): Promise<{ readonly bookings: BookingRow[]; readonly responses: ResponseRow[]; readonly ids: string[] }> {
  const idsOf = async (kind: Erased['kind']) => {
    const rows = await db
      .selectFrom('pending_erasures')
      .select('id')
      .where('kind', '=', kind)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  }
  const ids = [...(await idsOf('booking')), ...(await idsOf('response'))]
  if (ids.length === 0) return { bookings: [], responses: [], ids }
  const [bookings, responses] = [
    await db.selectFrom('bookings').selectAll().where('id', 'in', ids).execute(),
    await db.selectFrom('routing_responses').selectAll().where('id', 'in', ids).execute(),
  ]
  return { bookings, responses, ids }
}

export async function deletePendingErasures(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('pending_erasures').where('id', 'in', ids).execute()
}

/** Deletes what refers to the address without a booking: answers to repeated requests, codes, prefilled links. */
export async function deleteMentions(
  db: Db,
  address: string,
  /** Of the address, and of its mailbox. */
  hashes: { readonly address: string; readonly mailbox: string },
  scope: ErasureScope,
): Promise<void> {
  const ofScope = (column: string) =>
    scope === 'all'
      ? sql<boolean>`1 = 1`
      : sql<boolean>`${sql.ref(column)} in (select id from event_types where scheduler_id in (${sql.join(scope)}))`
  await deleteAnswersWith(db, address, ofScope('event_type_id'))
  await db
    .deleteFrom('email_codes')
    .where('address_hash', '=', hashes.address)
    .where(ofScope('event_type_id'))
    .execute()
  await forgetFilters(db, address, scope)
  await db
    .updateTable('private_links')
    .set({ answers: '{}' })
    .where(ofScope('event_type_id'))
    .where(mentioning('answers', address))
    .execute()
  if (scope !== 'all') return
  await db.deleteFrom('answered_guests').where('address_hash', '=', hashes.mailbox).execute()
  await db.deleteFrom('added_guests').where('guest', '=', guestKey(address)).execute()
  await forgetJobErrors(db, address)
  await forgetReadBookings(db, address)
  const user = await db.selectFrom('schedulers').select('id').where('email', '=', address).executeTakeFirst()
  // Those of an account belong to it, and go with it.
  if (user !== undefined) return
  await db.deleteFrom('invitations').where('email', '=', address).execute()
  await db
    .deleteFrom('login_links')
    .where('email', 'in', [address, `nobody:${address}`])
    .execute()
}

/** Forgets bookings of this guest that were read from another service, and what was planned of them. */
async function forgetReadBookings(db: Db, address: string): Promise<void> {
  const found = await db
    .selectFrom('import_rows')
    .select(['import_id', 'booking'])
    .distinct()
    .where('address', '=', address)
    .where('address', '<>', '')
    .where('booking', '<>', '')
    .execute()
  for (const { import_id, booking } of found) {
    await db
      .deleteFrom('import_rows')
      .where('import_id', '=', import_id)
      .where('booking', '=', booking)
      .where('booking', '<>', '')
      .execute()
    await db
      .deleteFrom('import_lines')
      .where('import_id', '=', import_id)
      .where('table_name', '=', 'Booking')
      .where('source_id', '=', booking)
      .execute()
  }
  // Undoing that import then leaves the booking as it is by now, without the guest.
  await db
    .deleteFrom('import_changes')
    .where('table_name', '=', 'bookings')
    .where(mentioning('content', address))
    .execute()
}

/** Deletes saved filters that search for the address: all, or those of these users and of members of these teams. */
async function forgetFilters(db: Db, address: string, scope: ErasureScope): Promise<void> {
  const ofScope =
    scope === 'all'
      ? sql<boolean>`1 = 1`
      : sql<boolean>`(id in (${sql.join(scope)})
          or id in (select user_id from team_members where team_id in (${sql.join(scope)})))`
  const rows = await db
    .selectFrom('schedulers')
    .select(['id', 'saved_filters'])
    .where('saved_filters', 'is not', null)
    .where(ofScope)
    .execute()
  for (const { id, saved_filters: saved } of rows) {
    const filters: SavedFilter[] = JSON.parse(saved ?? '[]')
    const kept = filters.filter((filter) => !filterMentions(filter, address))
    if (kept.length === filters.length) continue
    await db
      .updateTable('schedulers')
      .set({ saved_filters: kept.length === 0 ? null : JSON.stringify(kept) })
      .where('id', '=', id)
      .where('saved_filters', '=', saved)
      .execute()
  }
}

const filterMentions = ({ name, query }: SavedFilter, address: string): boolean =>
  [name, ...new URLSearchParams(query).values()].some((text) => mentions(text, address))

async function deleteAnswersWith(
  db: Db,
  address: string,
  ofScope: ReturnType<typeof sql<boolean>>,
): Promise<void> {
  const keys = ['event_type_id', 'key'] as const
  let after: readonly [string, string] | undefined
  for (;;) {
    const page = await db
      .selectFrom('idempotency_keys')
      .select(keys)
      .$if(after !== undefined, (query) =>
        query.where(compareKeys(keys, '>', after as readonly [string, string])),
      )
      .orderBy('event_type_id')
      .orderBy('key')
      .limit(PAGE)
      .execute()
    const [first, last] = [page[0], page.at(-1)]
    if (first === undefined || last === undefined) return
    await db
      .deleteFrom('idempotency_keys')
      .where(compareKeys(keys, '>=', [first.event_type_id, first.key]))
      .where(compareKeys(keys, '<=', [last.event_type_id, last.key]))
      .where(ofScope)
      .where(sql<boolean>`(${mentioning('answer', address)} or ${mentioning('key', address)})`)
      .execute()
    if (page.length < PAGE) return
    after = [last.event_type_id, last.key]
    await nextTurn()
  }
}

/** Mail servers quote the address that they refuse. */
async function forgetJobErrors(db: Db, address: string): Promise<void> {
  let after = 0
  for (;;) {
    const page = await db
      .selectFrom('outbox')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const last = page.at(-1)?.id
    if (last === undefined) return
    await db
      .updateTable('outbox')
      .set({ error: '' })
      .where('id', '>', after)
      .where('id', '<=', last)
      .where(mentioning('error', address))
      .execute()
    if (page.length < PAGE) return
    after = last
    await nextTurn()
  }
}

/** An event type or a form whose guests are erased after some days. */
interface Retained {
  readonly id: string
  readonly schedulerId: string
  readonly keepDays: number
  /** How far they were erased already. */
  readonly erasedUntil: number
}

export async function findRetained(db: Db, table: 'event_types' | 'routing_forms'): Promise<Retained[]> {
  const rows = await db
    .selectFrom(table)
    .select(['id', 'scheduler_id', 'keep_personal_data_days', 'erased_until'])
    .where('keep_personal_data_days', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    schedulerId: row.scheduler_id,
    keepDays: row.keep_personal_data_days ?? 0,
    erasedUntil: row.erased_until,
  }))
}

/** Notes how far guests were erased, so that the next sweep begins there. */
export async function updateErasedUntil(
  db: Db,
  table: 'event_types' | 'routing_forms',
  id: string,
  until: number,
): Promise<void> {
  await db.updateTable(table).set({ erased_until: until }).where('id', '=', id).execute()
}

/** From `since` until `until`. */
interface Period {
  readonly since: number
  readonly until: number
}

/** Bookings of an event type that started since then, ended by `until`, and still have their guest. */
export async function findEndedBookings(
  db: Db,
  { id, schedulerId }: Retained,
  { since, until }: Period,
  limit: number,
): Promise<BookingRow[]> {
  return db
    .selectFrom('bookings')
    .selectAll()
    .where('scheduler_id', '=', schedulerId)
    .where('starts_at', '>=', since)
    .where('starts_at', '<', until)
    .where('ends_at', '<=', until)
    .where('event_type_id', '=', id)
    .where('invitee_email', '<>', '')
    .orderBy('starts_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Responses to a form from this span that still have answers. */
export async function findOldResponses(
  db: Db,
  { id }: Retained,
  { since, until }: Period,
  limit: number,
): Promise<ResponseRow[]> {
  return db
    .selectFrom('routing_responses')
    .selectAll()
    .where('form_id', '=', id)
    .where('created_at', '>=', since)
    .where('created_at', '<=', until)
    .where('answers', '<>', '{}')
    .orderBy('created_at')
    .limit(limit)
    .execute()
}
