import type { Insertable } from 'kysely'
import type { EventType } from '../src/domain/event-types/event-type.ts'
import { MESSAGE_DEFAULTS, type Message } from '../src/domain/messages/message.ts'
import { insertBooking, insertClaim } from '../src/store/bookings/bookings.ts'
import type { Db, Trx } from '../src/store/engine/database.ts'
import type { Schema } from '../src/store/engine/schema.ts'
import { insertMessage } from '../src/store/messages/messages.ts'
import { claimRecord } from '../src/store/messages/records.ts'
import { countSms, insertStopped } from '../src/store/messages/text-messages.ts'
import { insertUnsubscribed } from '../src/store/messages/unsubscribed.ts'
import { newId } from '../src/store/new-id.ts'
import { insertJobs } from '../src/store/outbox.ts'
import { beginSnapshot, type Row, readPages } from '../src/store/workspace/dump.ts'
import { addEventType, addTeam, addUser, MONDAY_NOON } from './kit.ts'
import { addDelivery, addWebhook } from './webhooks.ts'

const MINUTE = 60_000

/** Every row of every table that has any, as both engines give it. */
export async function rowsOf(db: Db): Promise<Record<string, Row[]>> {
  const trx = await beginSnapshot(db)
  const rows: Record<string, Row[]> = {}
  for await (const page of readPages(trx)) {
    rows[page.table] = [...(rows[page.table] ?? []), ...page.rows]
  }
  await trx.rollback().execute()
  return rows
}

/** A confirmed booking, with the claim that belongs to it, past every rule of the service. */
export async function addBooking(db: Db, eventType: EventType, startsAt: number): Promise<void> {
  await db.transaction().execute((trx) => insertMeeting(trx, eventType, startsAt))
}

export async function insertMeeting(trx: Trx, eventType: EventType, startsAt: number): Promise<void> {
  const id = newId()
  const { id: eventTypeId, schedulerId, location } = eventType
  const times = { startsAt, endsAt: startsAt + eventType.durationMinutes * MINUTE }
  await insertClaim(trx, schedulerId, {
    ...times,
    meetingId: id,
    eventTypeId,
    bufferBefore: 0,
    bufferAfter: 0,
    seatsTaken: 1,
  })
  await insertBooking(trx, {
    booking: {
      ...times,
      id,
      eventTypeId,
      meetingId: id,
      status: 'Confirmed',
      invitee: {
        name: 'Gräce “Guest” 🎈',
        email: `${id}@guests.example`,
        phone: '',
        timeZone: 'Europe/Berlin',
        locale: 'de',
      },
      guests: [],
      location,
      notes: 'Two lines,\nand a \\ backslash.',
      customFields: { topic: ['a', 1, null] },
      source: 'API',
      utm: {},
      createdAt: MONDAY_NOON,
      sequence: 0,
      reason: '',
    },
    schedulerId,
    hostId: schedulerId,
    seat: 1,
    seats: 1,
    duplicateKey: id,
  })
}

/** At least one row in every table. */
export async function fillEveryTable(db: Db): Promise<void> {
  const user = await addUser(db, 'ada')
  const team = await addTeam(db, 'crew')
  const eventType = await addEventType(db, user, { slug: 'intro' })
  await addBooking(db, eventType, MONDAY_NOON)
  await db
    .transaction()
    .execute((trx) =>
      insertJobs(
        trx,
        [{ kind: 'mail', lane: 'booking:1', data: { to: 'a' }, dueAt: MONDAY_NOON }],
        MONDAY_NOON,
      ),
    )
  const [id, created_at, expires_at] = [newId, MONDAY_NOON, MONDAY_NOON + MINUTE]
  await db
    .insertInto('idempotency_keys')
    .values({ event_type_id: eventType.id, key: 'k 1', body_hash: 'h', answer: '{}', expires_at })
    .execute()
  await db.insertInto('secrets').values({ name: 'jwt', value: 'a secret of the backed-up one' }).execute()
  await db.insertInto('used_solutions').values({ id: 'solution', expires_at }).execute()
  const form = { id: id(), scheduler_id: user.id, slug: 'contact', name: 'Contact', description: null }
  await db
    .insertInto('routing_forms')
    .values({ ...form, fields: '[]', rules: '[]', fallback: '{"action":"message","message":"Hello"}' })
    .execute()
  await db
    .insertInto('routing_responses')
    .values({ id: id(), form_id: form.id, answers: '{}', result: '{}', created_at })
    .execute()
  await db
    .insertInto('form_counts')
    .values({ form_id: form.id, day: 20_000, step: 'left', field: 'topic', count: 3 })
    .execute()
  await db
    .insertInto('added_guests')
    .values({ booking_id: newId(), position: 0, guest: 'tom@guests.example', created_at })
    .execute()
  await db.insertInto('answered_guests').values({ address_hash: 'hash', answered_at: created_at }).execute()
  await db
    .insertInto('login_links')
    .values({ token_hash: 'hash', email: 'a@b.example', expires_at })
    .execute()
  await db
    .insertInto('email_changes')
    .values({ user_id: user.id, email: 'new@b.example', token_hash: 'hash', expires_at })
    .execute()
  const sessionId = id()
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      user_id: user.id,
      refresh_hash: 'hash',
      id_token: 'sealed',
      browser: 'Firefox',
      system: 'Linux',
      last_used_at: created_at,
      created_at,
      expires_at,
    })
    .execute()
  await db
    .insertInto('push_subscriptions')
    .values({
      id: id(),
      user_id: user.id,
      session_id: sessionId,
      endpoint: 'https://push.example/1',
      p256dh: 'key',
      auth: 'secret',
      kinds: '["request"]',
      created_at,
    })
    .execute()
  await db
    .insertInto('identities')
    .values({ issuer: 'https://id.example', subject: '1', user_id: user.id, created_at })
    .execute()
  await db
    .insertInto('passkeys')
    .values({
      id: id(),
      user_id: user.id,
      credential_id: 'credential',
      public_key: 'key',
      counter: 7,
      transports: '["usb"]',
      name: 'Blue key',
      created_at,
      last_used_at: null,
    })
    .execute()
  await db.insertInto('recovery_codes').values({ user_id: user.id, code_hash: 'hash' }).execute()
  await db
    .insertInto('passkey_challenges')
    .values({ holder_hash: 'holder', user_id: user.id, challenge: 'challenge', attempts: 0, expires_at })
    .execute()
  await db
    .insertInto('sign_in_attempts')
    .values({ state_hash: 'state', challenge: 'challenge', return_to: '/app', expires_at })
    .execute()
  await db
    .insertInto('api_tokens')
    .values({ id: id(), user_id: user.id, name: 'CI', scopes: '["read"]', created_at, expires_at: null })
    .execute()
  await db
    .insertInto('team_members')
    .values({
      team_id: team.id,
      user_id: user.id,
      role: 'owner',
      created_at,
      attributes: '{"region":"EMEA"}',
    })
    .execute()
  await db.insertInto('team_attributes').values({ team_id: team.id, attributes: '[]' }).execute()
  await db
    .insertInto('invitations')
    .values({
      id: id(),
      email: 'a@b.example',
      team_id: team.id,
      role: 'member',
      invited_by: user.id,
      created_at,
      expires_at,
    })
    .execute()
  await db
    .insertInto('images')
    .values({ id: id(), scheduler_id: user.id, type: 'image/png', bytes: 'AAAA', hash: 'h', created_at })
    .execute()
  await db
    .insertInto('blocked_guests')
    .values({ id: id(), scheduler_id: user.id, entry: 'spam.example', created_at })
    .execute()
  await db
    .insertInto('absences')
    .values({ id: id(), user_id: user.id, starts_at: created_at, ends_at: expires_at, note: 'Away' })
    .execute()
  await insertCalendars(db, user.id)
  await db
    .insertInto('email_codes')
    .values({ event_type_id: eventType.id, address_hash: 'h', code_hash: 'c', tries: 1, expires_at })
    .execute()
  await db
    .insertInto('erasure_codes')
    .values({ address_hash: 'h', code_hash: 'c', tries: 1, expires_at })
    .execute()
  await db.insertInto('pending_erasures').values({ kind: 'booking', id: newId() }).execute()
  await db
    .insertInto('booking_history')
    .values({
      booking_id: newId(),
      id: newId(),
      at: MONDAY_NOON,
      kind: 'mail',
      what: 'created',
      subject: 'guest',
    })
    .execute()
  await db
    .insertInto('private_links')
    .values({
      id: id(),
      event_type_id: eventType.id,
      token_hash: 'hash-of-a-link',
      uses: 1,
      used: 0,
      expires_at,
      duration_minutes: 45,
      host_ids: '[]',
      answers: '{"name":"Grace"}',
      note: 'VIP',
      created_at,
    })
    .execute()
  await db
    .insertInto('meeting_links')
    .values({
      meeting_id: id(),
      provider: 'zoom',
      host_id: user.id,
      connection_id: null,
      external_id: '123',
      url: 'https://zoom.example/j/123',
      starts_at: created_at,
      ends_at: expires_at,
      attempted_at: created_at,
      awaited_until: expires_at,
    })
    .execute()
  await db
    .insertInto('numbers')
    .values({ kind: 'event-type', number: 2 ** 31 - 1, object_id: eventType.id })
    .execute()
  await db
    .insertInto('old_slugs')
    .values({ kind: 'scheduler', scope: '', slug: 'ada-before', target_id: user.id })
    .execute()
  await db
    .insertInto('audit')
    .values({
      id: id(),
      scheduler_id: user.id,
      actor_id: null,
      actor: 'command line',
      action: 'created',
      object_type: 'user',
      object_id: user.id,
      changes: '[]',
      created_at,
    })
    .execute()
  await addDelivery(db, await addWebhook(db, user))
  await addMessage(db, user.id)
}

/** A message that was sent for a booking that there is, and someone who wants no more of them. */
async function addMessage(db: Db, userId: string): Promise<void> {
  const message: Message = {
    ...MESSAGE_DEFAULTS,
    id: newId(),
    schedulerId: userId,
    name: 'Thanks',
    on: 'booked',
    texts: { en: { subject: 'Hello', body: 'Hello' } },
    createdAt: 0,
  }
  await db.transaction().execute((trx) => insertMessage(trx, message))
  const booking = await db.selectFrom('bookings').select('id').executeTakeFirstOrThrow()
  const key = { messageId: message.id, bookingId: booking.id, responseId: null }
  await claimRecord(db, { ...key, recipient: 'guest', occasion: '' }, { channel: 'email', jobId: 1, now: 0 })
  await insertUnsubscribed(db, userId, 'hash', 0)
  await insertStopped(db, 'hash', 0)
  await countSms(db, '2027-01-01', 'hash', 1)
}

/** A CalDAV calendar that the user's bookings are written to. */
export async function addCalendar(
  db: Db,
  userId: string,
  given: Partial<Insertable<Schema['calendars']>> = {},
): Promise<string> {
  const calendarId = newId()
  await db
    .insertInto('calendars')
    .values({
      id: calendarId,
      user_id: userId,
      kind: 'caldav',
      name: 'Work',
      url: 'https://calendar.example/ada/work/',
      username: 'ada',
      sealed_password: 'sealed',
      busy: 1,
      write_to: 1,
      etag: '',
      last_modified: '',
      ctag: '"1"',
      expanded_at: MONDAY_NOON,
      expanded_zone: 'UTC',
      refreshed_at: MONDAY_NOON,
      next_refresh_at: MONDAY_NOON,
      failures: 0,
      last_error: '',
      skipped: 0,
      created_at: MONDAY_NOON,
      ...given,
    })
    .execute()
  return calendarId
}

/** Confirms a booking, and makes its meeting look as if its host had moved it in their own calendar. */
export async function moveInCalendar(db: Db, bookingId: string, start: number, end: number): Promise<void> {
  const { host_id, meeting_id } = await db
    .updateTable('bookings')
    .set({ status: 'Confirmed' })
    .where('id', '=', bookingId)
    .returning(['host_id', 'meeting_id'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('calendar_events')
    .values({
      calendar_id: await addCalendar(db, host_id),
      meeting_id,
      href: 'https://calendar.example/ada/work/1.ics',
      difference: 'moved',
      moved_starts_at: start,
      moved_ends_at: end,
      seen_at: start,
    })
    .execute()
}

async function insertCalendars(db: Db, userId: string): Promise<void> {
  const connectionId = newId()
  await db
    .insertInto('connections')
    .values({
      id: connectionId,
      user_id: userId,
      provider: 'google',
      subject: '1000000000000000001',
      account: 'ada@gmail.example',
      sealed_tokens: 'sealed',
      expires_at: MONDAY_NOON,
      token_revision: 2,
      leased_until: 0,
      status: 'ok',
      last_error: '',
      created_at: MONDAY_NOON,
    })
    .execute()
  await db
    .insertInto('connection_attempts')
    .values({
      state_hash: 'hash of a state',
      user_id: userId,
      provider: 'zoom',
      challenge: 'hash of a verifier',
      expires_at: MONDAY_NOON + MINUTE,
    })
    .execute()
  const calendarId = await addCalendar(db, userId, {
    kind: 'google',
    connection_id: connectionId,
    external_id: 'primary',
    sync_token: 'a-token',
    synced_until: MONDAY_NOON,
    notices: 3,
  })
  await db
    .insertInto('calendar_items')
    .values({
      calendar_id: calendarId,
      external_id: 'an-event',
      series_id: 'a-series',
      uid: 'an-event@google.example',
      starts_at: MONDAY_NOON,
      ends_at: MONDAY_NOON + MINUTE,
      blocks: 1,
      whole_day: 0,
    })
    .execute()
  await db
    .insertInto('calendar_channels')
    .values({
      calendar_id: calendarId,
      channel_id: 'a-channel',
      resource_id: 'a-resource',
      token_hash: 'hash of a token',
      expires_at: MONDAY_NOON + MINUTE,
      renew_at: MONDAY_NOON,
      failures: 1,
    })
    .execute()
  await db
    .insertInto('busy_times')
    .values({
      calendar_id: calendarId,
      user_id: userId,
      starts_at: MONDAY_NOON,
      ends_at: MONDAY_NOON + MINUTE,
    })
    .execute()
  const { id, starts_at, ends_at } = await db
    .selectFrom('bookings as b')
    .innerJoin('claims as c', 'c.meeting_id', 'b.meeting_id')
    .select(['b.meeting_id as id', 'c.starts_at', 'c.ends_at'])
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('calendar_events')
    .values({
      calendar_id: calendarId,
      meeting_id: id,
      href: `https://calendar.example/ada/work/${id}.ics`,
      starts_at,
      ends_at,
    })
    .execute()
  await db.insertInto('meeting_sequences').values({ meeting_id: id, sequence: 1 }).execute()
  await addImport(db, id)
  await addPayment(db, userId, id)
}

/** Something that was paid, and partly given back. */
async function addPayment(db: Db, ownerId: string, bookingId: string): Promise<void> {
  const [accountId, checkoutId] = [newId(), newId()]
  const owner = { scheduler_id: ownerId }
  await db
    .insertInto('payment_accounts')
    .values({
      ...owner,
      id: accountId,
      provider: 'stripe',
      account: 'acct_1',
      name: 'Crew',
      sealed_key: 'sealed',
      hook_id: 'we_1',
      sealed_hook_secret: 'sealed',
      status: 'ok',
      last_error: '',
      created_at: MONDAY_NOON,
    })
    .execute()
  const about = { ...owner, event_type_id: newId() }
  await db
    .insertInto('checkouts')
    .values({
      ...about,
      id: checkoutId,
      account_id: accountId,
      booking_ids: JSON.stringify([bookingId]),
      status: 'paid',
      amount: 4900,
      currency: 'EUR',
      refund: '{"fullUntilMinutes":60,"laterPercent":50}',
      manual: 0,
      created_at: MONDAY_NOON,
      pay_by: MONDAY_NOON + 35 * MINUTE,
      wanted: '{"email":""}',
      session_id: 'cs_1',
      url: 'https://checkout.example/cs_1',
      intent_id: 'pi_1',
    })
    .execute()
  const money = { booking_id: bookingId, checkout_id: checkoutId }
  const line = { ...about, ...money, currency: 'EUR', at: MONDAY_NOON }
  await db
    .insertInto('payments')
    .values({ ...line, id: newId(), kind: 'paid', amount: 4900, reference: 'pi_1' })
    .execute()
  const refund = { amount: 900, status: 'failed' as const, reference: 're_1', created_at: MONDAY_NOON }
  await db
    .insertInto('payment_refunds')
    .values({ ...owner, ...money, ...refund, id: newId() })
    .execute()
  await db.insertInto('payment_notices').values({ id: 'evt_1', at: MONDAY_NOON }).execute()
  const what = { sentence: 'They differ.', sentence_parts: null, found_at: MONDAY_NOON }
  await db
    .insertInto('payment_differences')
    .values({ account_id: accountId, position: 0, booking_id: bookingId, ...what })
    .execute()
}

/** Something that came from another service. */
async function addImport(db: Db, bookingId: string): Promise<void> {
  const importId = newId()
  const of = { import_id: importId }
  const [source, object_id] = ['calcom' as const, bookingId]
  const memory = { kind: 'meeting', object_id, made: 1, content_hash: 'hash', row_hash: 'hash' }
  await db
    .insertInto('import_objects')
    .values({ source, source_key: 'Booking/1', ...memory, ...of, last_import_id: importId })
    .execute()
  await db
    .insertInto('import_uids')
    .values({ uid: 'old-uid', booking_id: bookingId, meeting_id: bookingId, ...of })
    .execute()
  await db
    .insertInto('old_links')
    .values({ path: '/team/crew', kind: 'team', object_id, ...of })
    .execute()
}
