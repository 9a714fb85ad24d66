import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Trx } from '../engine/database.ts'
import { compareKeys } from '../engine/paging.ts'
import { deleteInBatches } from '../expiry.ts'

const BATCH = 500

/** The name of a host who has deleted their account, on past meetings of their teams. */
const FORMER_HOST = 'Former host'

/** Deletes what a user owns or has connected, a few rows at a time. Can be repeated after a crash. */
export async function deleteOwned(db: Db, userId: string): Promise<void> {
  const own = sql`scheduler_id = ${userId}`
  const theirs = sql`user_id = ${userId}`
  await deleteInBatches(db, 'busy_times', ['calendar_id', 'starts_at'], theirs)
  await deleteInBatches(
    db,
    'calendar_events',
    ['calendar_id', 'meeting_id'],
    sql`calendar_id in (select id from calendars where ${theirs})`,
  )
  await deleteInBatches(
    db,
    'calendar_items',
    ['calendar_id', 'external_id'],
    sql`calendar_id in (select id from calendars where ${theirs})`,
  )
  await db
    .updateTable('event_types')
    .set({ write_to_calendar_id: null })
    .where('write_to_calendar_id', 'in', (eb) =>
      eb.selectFrom('calendars').select('id').where('user_id', '=', userId),
    )
    .execute()
  await deleteInBatches(db, 'calendars', ['id'], theirs)
  await deleteInBatches(db, 'meeting_links', ['meeting_id'], sql`host_id = ${userId}`)
  await deleteInBatches(
    db,
    'webhook_deliveries',
    ['id'],
    sql`webhook_id in (select id from webhooks where ${own})`,
  )
  await deleteInBatches(db, 'webhooks', ['id'], own)
  await deleteInBatches(db, 'messages', ['id'], own)
  await deleteInBatches(db, 'unsubscribed', ['scheduler_id', 'address_hash'], own)
  await deleteInBatches(
    db,
    'routing_responses',
    ['id'],
    sql`form_id in (select id from routing_forms where ${own})`,
  )
  await deleteInBatches(db, 'routing_forms', ['id'], own)
  await deleteInBatches(
    db,
    'idempotency_keys',
    ['event_type_id', 'key'],
    sql`event_type_id in (select id from event_types where ${own})`,
  )
  while ((await deleteSomeBookings(db, userId)) === BATCH) await nextTurn()
  await deleteInBatches(db, 'event_types', ['id'], own)
  await deleteInBatches(db, 'event_type_hosts', ['event_type_id', 'host_id'], sql`host_id = ${userId}`)
  await db
    .updateTable('event_types')
    .set({ schedule_id: null })
    .where('schedule_id', 'in', (eb) => eb.selectFrom('schedules').select('id').where('user_id', '=', userId))
    .execute()
  await deleteInBatches(db, 'schedules', ['id'], theirs)
  await deleteInBatches(db, 'absences', ['id'], theirs)
  await deleteInBatches(db, 'images', ['id'], own)
  const readElsewhere = sql`address <> '' and address = (select email from schedulers where id = ${userId})`
  await deleteInBatches(db, 'import_rows', ['import_id', 'table_name', 'position'], readElsewhere)
  await deleteInBatches(db, 'blocked_guests', ['id'], own)
  // They may have joined one in the very moment of leaving.
  await deleteInBatches(db, 'team_members', ['team_id', 'user_id'], theirs)
  await deleteInBatches(db, 'invitations', ['id'], sql`invited_by = ${userId}`)
  await deleteInBatches(db, 'connection_attempts', ['state_hash'], theirs)
  await deleteInBatches(db, 'email_changes', ['user_id'], theirs)
  await deleteInBatches(db, 'identities', ['issuer', 'subject'], theirs)
  await deleteInBatches(db, 'passkeys', ['id'], theirs)
  await deleteInBatches(db, 'recovery_codes', ['user_id', 'code_hash'], theirs)
  await deleteInBatches(db, 'passkey_challenges', ['holder_hash'], theirs)
}

/** Deletes some bookings of a user's own event types with what hangs on them. Returns how many. */
async function deleteSomeBookings(db: Db, userId: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('bookings')
      .select(['id', 'meeting_id'])
      .where('scheduler_id', '=', userId)
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return 0
    const meetings = rows.map((row) => row.meeting_id)
    await trx.deleteFrom('claims').where('meeting_id', 'in', meetings).execute()
    await trx.deleteFrom('meeting_sequences').where('meeting_id', 'in', meetings).execute()
    const ids = rows.map(({ id }) => id)
    await trx
      .deleteFrom('booking_history')
      .where('booking_id', 'in', [...ids, ...meetings])
      .execute()
    await trx.deleteFrom('bookings').where('id', 'in', ids).execute()
    return rows.length
  })
}

/** Takes a host out of what was sent, or is still to be sent, to these teams' webhooks. */
export async function anonymizeDeliveries(db: Db, teamIds: readonly string[], userId: string): Promise<void> {
  if (teamIds.length === 0) return
  const webhooks = await db
    .selectFrom('webhooks')
    .select('id')
    .where('scheduler_id', 'in', teamIds)
    .orderBy('id')
    .execute()
  for (const { id: webhookId } of webhooks) {
    let after: readonly [number, string] | undefined
    for (;;) {
      // By the index, so that no statement reads more than one batch of bodies.
      const page = await db
        .selectFrom('webhook_deliveries')
        .select(['id', 'created_at'])
        .where('webhook_id', '=', webhookId)
        .$if(after !== undefined, (query) =>
          query.where(compareKeys(['created_at', 'id'], '>', [after?.[0], after?.[1]])),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(BATCH)
        .execute()
      const last = page.at(-1)
      if (last === undefined) break
      const ids = page.map(({ id }) => id)
      const about = await db
        .selectFrom('webhook_deliveries')
        .select(['id', 'body'])
        .where('id', 'in', ids)
        .where(contains('body', userId))
        .execute()
      for (const { id, body } of about) {
        await db
          .updateTable('webhook_deliveries')
          // A receiver may have answered with what it got.
          .set({ body: withoutHost(body, userId), response_body: '' })
          .where('id', '=', id)
          .execute()
      }
      if (page.length < BATCH) break
      after = [last.created_at, last.id]
      await nextTurn()
    }
  }
}

function withoutHost(body: string, userId: string): string {
  const message = JSON.parse(body)
  const hosts: readonly { readonly id?: string }[] = message.data?.hosts ?? []
  const kept = hosts.map((host) => (host.id === userId ? { ...host, ...nameless(userId), email: '' } : host))
  return JSON.stringify({ ...message, data: { ...message.data, hosts: kept } })
}

/** What is left of a user's name and slug. */
export const nameless = (userId: string) => ({ slug: `deleted-${userId}`, name: FORMER_HOST })

/** Takes a user's address and their tokens' names out of the audit. What they did stays. */
export async function anonymizeAudit(db: Db, userId: string, actor: string): Promise<void> {
  for (;;) {
    const { numUpdatedRows } = await db
      .updateTable('audit')
      .set({ actor, token: '' })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('audit')
          .select('id')
          .where('actor_id', '=', userId)
          .where((or) => or.or([or('actor', '<>', actor), or('token', '<>', '')]))
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow()
    if (numUpdatedRows < BATCH) return
    await nextTurn()
  }
}

/** Deletes what refers to an address alone: invitations to it, sign-in links, and dead jobs whose error names it. */
export async function deleteTracesOf(trx: Trx, email: string): Promise<void> {
  await trx.deleteFrom('invitations').where('email', '=', email).execute()
  await trx
    .deleteFrom('login_links')
    .where('email', 'in', [email, `nobody:${email}`])
    .execute()
  await trx.deleteFrom('outbox').where('failed_at', 'is not', null).where(contains('error', email)).execute()
}

/** Whether links of this host's meetings are still being made or deleted at a provider. */
export async function hasLinkJobs(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select o.id from outbox as o
    join meeting_links as l on o.lane = 'link:' || cast(l.meeting_id as text)
    where o.kind = 'meeting-link' and o.failed_at is null and l.host_id = ${userId} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether jobs of these kinds wait or run whose data has one of these ids. */
export async function hasJobsAbout(
  db: Db,
  kinds: readonly ('announce' | 'mail' | 'calendar-write' | 'meeting-link')[],
  ids: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', 'in', kinds)
    .where('failed_at', 'is', null)
    .where((eb) => eb.or(ids.map((id) => contains('data', id))))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const contains = (column: string, text: string) =>
  sql<boolean>`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** Leaves nothing of a user but a row without a name, because past meetings of teams refer to it. */
export async function emptyUser(trx: Trx, userId: string, now: number): Promise<void> {
  // Old slugs have no owner, only a target or a scope.
  await trx
    .deleteFrom('old_slugs')
    .where((eb) => eb.or([eb('target_id', '=', userId), eb('scope', '=', userId)]))
    .execute()
  await trx
    .updateTable('schedulers')
    .set({
      ...nameless(userId),
      email: null,
      bio: '',
      avatar_url: '',
      time_zone: 'UTC',
      locale: 'en',
      german_address: 'sie',
      theme: 'auto',
      primary_color: '',
      logo_url: '',
      admin: 0,
      disabled_at: now,
      feed_token_hash: null,
      feed_created_by_token: null,
      time_format: 'auto',
      week_start: 'auto',
      saved_filters: null,
      has_push: 0,
    })
    .where('id', '=', userId)
    .execute()
}
