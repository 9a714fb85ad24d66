import { MAX_DURATION } from '../../domain/slots/openings.ts'
import type { EngineName, Index } from './engine.ts'
import type { Schema } from './schema.ts'

/** A step to the newest schema: statements that all happen or none, or indexes on tables that are in use. */
export type Migration = { readonly name: string } & (
  | { readonly statements: (engine: EngineName) => readonly string[]; readonly indexes?: never }
  | { readonly indexes: (engine: EngineName) => readonly Index[]; readonly statements?: never }
)

/**
 * Append only: a migration that has run on someone's data is never edited.
 *
 * The version before runs beside it while instances are upgraded one by one, and knows nothing of it. So a migration only
 * adds: tables, columns that may be left out, and indexes. What is no longer used is dropped one version later.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-foundation', statements: foundation },
  { name: '002-desk', statements: signInAndTeams },
  { name: '003-after-the-booking', statements: outboxAndChanges },
  { name: '004-webhooks', statements: webhooks },
  { name: '005-calendars', statements: calendars },
  { name: '006-embed', statements: embed },
  { name: '007-bookings-by-time', statements: bookingsByTime },
  { name: '008-booking-revision', statements: bookingRevision },
  { name: '009-leases-and-retention', statements: leasesAndRetention },
  { name: '010-calendar-leases', statements: calendarLeases },
  { name: '011-first-admin', statements: firstAdmin },
  { name: '012-no-scans', statements: noScans },
  { name: '013-lanes-of-owners', statements: lanesOfOwners },
  { name: '014-confirmed-hours', statements: confirmedHours },
  { name: '015-guest-mails', statements: guestMails },
  { name: '016-audit-token', statements: auditToken },
  { name: '017-preferences', statements: preferences },
  { name: '018-form-protection', statements: formProtection },
  { name: '019-entries-of-meetings', statements: entriesOfMeetings },
  { name: '020-bookings-by-guest', statements: bookingsByGuest },
  { name: '021-connections', statements: connections },
  { name: '022-created-by-token', statements: createdByToken },
  { name: '023-images', statements: images },
  { name: '024-calendar-differences', statements: calendarDifferences },
  { name: '025-email-changes', statements: emailChanges },
  { name: '026-meeting-links', statements: meetingLinks },
  { name: '027-return-url', statements: returnUrl },
  { name: '028-provider-calendars', statements: providerCalendars },
  { name: '029-live-check', statements: liveCheck },
  { name: '030-durations', statements: durations },
  { name: '031-audit-by-actor', statements: auditByActor },
  { name: '032-whole-day-items', statements: wholeDayItems },
  { name: '033-fewer-booking-indexes', statements: fewerBookingIndexes },
  { name: '034-locations', statements: locations },
  { name: '035-channel-renewal', statements: channelRenewal },
  { name: '036-private-links', statements: privateLinks },
  { name: '037-holds', statements: holds },
  { name: '038-read-only-calendars', statements: readOnlyCalendars },
  { name: '039-guests', statements: guests },
  { name: '040-email-codes', statements: emailCodes },
  { name: '041-series', statements: series },
  { name: '042-form-tests', statements: formTests },
  { name: '043-fair-assignment', statements: fairAssignment },
  { name: '044-attributes', statements: attributes },
  { name: '045-routing-tokens', statements: routingTokens },
  { name: '046-single-sign-on', statements: singleSignOn },
  { name: '047-form-counts', statements: formCounts },
  { name: '048-owners-by-domain', statements: ownersByDomain },
  { name: '049-invitation-links', statements: invitationLinks },
  { name: '050-owner-lookup', statements: ownerLookup },
  { name: '051-members-see-all', statements: membersSeeAll },
  { name: '052-german-address', statements: germanAddress },
  { name: '053-passkeys', statements: passkeys },
  { name: '054-erasure', statements: erasure },
  { name: '055-retained', statements: retained },
  { name: '056-failing', indexes: failing },
  { name: '057-no-jit', statements: noJit },
  { name: '058-search', statements: search },
  { name: '059-sentence-parts', statements: sentenceParts },
  { name: '060-closed-accounts', statements: closedAccounts },
  { name: '061-guest-moves', statements: guestMoves },
  { name: '062-held-hosts', indexes: heldHosts },
  { name: '063-tentative-events', statements: tentativeEvents },
  { name: '064-followed-events', statements: followedEvents },
  { name: '065-mail-clients', statements: mailClients },
  { name: '066-saved-filters', statements: savedFilters },
  { name: '067-workspace', statements: workspace },
  { name: '068-workspace-indexes', indexes: workspaceIndexes },
  { name: '073-test-deliveries', statements: testDeliveries },
  { name: '074-has-messages', statements: hasMessages },
  { name: '075-messages', statements: messages },
  { name: '076-unsubscribed', statements: unsubscribed },
  { name: '077-has-push', statements: hasPush },
  { name: '078-push-subscriptions', statements: pushSubscriptions },
  { name: '079-session-devices', statements: sessionDevices },
  { name: '081-text-messages', statements: textMessages },
  { name: '082-text-message-indexes', indexes: textMessageIndexes },
  { name: '085-limit-minutes', statements: limitMinutes },
  { name: '086-stand-ins', statements: standIns },
  { name: '087-stand-in-indexes', indexes: standInIndexes },
  { name: '088-imports', statements: imports },
  { name: '092-calendar-uids', statements: calendarUids },
  { name: '093-calendar-uid-indexes', indexes: calendarUidIndexes },
  { name: '095-numbers', statements: numbers },
  { name: '096-booking-metadata', statements: bookingMetadata },
  { name: '097-webhook-formats', statements: webhookFormats },
  { name: '098-import-secrets', statements: importSecrets },
  { name: '099-payments', statements: payments },
  { name: '100-payments-claim-times', indexes: paymentsClaimTimes },
  { name: '110-import-memories', statements: importMemories },
]

/** The migration that made each column of event types. A new field is a type error here, until it has one. */
export const EVENT_TYPE_COLUMNS: Readonly<Record<keyof Schema['event_types'], string>> = {
  id: '001-foundation',
  scheduler_id: '001-foundation',
  slug: '001-foundation',
  name: '001-foundation',
  description: '001-foundation',
  duration_minutes: '001-foundation',
  interval_minutes: '001-foundation',
  buffer_before_minutes: '001-foundation',
  buffer_after_minutes: '001-foundation',
  notice_minutes: '001-foundation',
  booking_window: '001-foundation',
  limits: '001-foundation',
  limit_minutes: '085-limit-minutes',
  seats: '001-foundation',
  requires_approval: '001-foundation',
  hidden: '001-foundation',
  location_type: '001-foundation',
  location_value: '001-foundation',
  questions: '001-foundation',
  abuse: '001-foundation',
  assignment: '001-foundation',
  position: '001-foundation',
  schedule_id: '001-foundation',
  cancel_notice_minutes: '003-after-the-booking',
  reschedule_notice_minutes: '003-after-the-booking',
  reminder_minutes: '003-after-the-booking',
  allowed_origins: '006-embed',
  location_provider: '026-meeting-links',
  return_url: '027-return-url',
  live_check: '029-live-check',
  write_to_calendar_id: '029-live-check',
  durations: '030-durations',
  locations: '034-locations',
  link_only: '036-private-links',
  holds: '037-holds',
  max_guests: '039-guests',
  confirm_email: '040-email-codes',
  series: '041-series',
  keep_personal_data_days: '054-erasure',
  price: '099-payments',
  erased_until: '054-erasure',
}

/** Column types that the engines spell differently. */
const ID: Readonly<Record<EngineName, string>> = { sqlite: 'text', postgres: 'uuid' }

const SERIAL: Readonly<Record<EngineName, string>> = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigint generated by default as identity primary key',
}

function foundation(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    ...peopleTables(id),
    ...eventTypeTables(id),
    ...claims(engine),
    ...bookingTables(id),
    ...formTables(id),
    ...RATE_LIMITS[engine],
  ]
}

const peopleTables = (id: string): string[] => [
  `create table schedulers (
      id ${id} primary key,
      kind text not null check (kind in ('user', 'team')),
      slug text not null unique,
      email text unique,
      name text not null,
      bio text not null,
      avatar_url text not null,
      time_zone text not null,
      locale text not null,
      theme text not null,
      primary_color text not null,
      logo_url text not null,
      revision bigint not null default 0,
      calendar bigint not null default 0,
      created_at bigint not null
    )`,
  `create table schedules (
      id ${id} primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      name text not null,
      time_zone text not null,
      weekly text not null,
      overrides text not null,
      is_default integer not null
    )`,
  `create index schedules_user on schedules (user_id)`,
  `create unique index schedules_default on schedules (user_id) where is_default = 1`,
]

const eventTypeTables = (id: string): string[] => [
  `create table event_types (
      id ${id} primary key,
      scheduler_id ${id} not null references schedulers (id) on delete cascade,
      slug text not null,
      name text not null,
      description text not null,
      duration_minutes integer not null,
      interval_minutes integer,
      buffer_before_minutes integer not null,
      buffer_after_minutes integer not null,
      notice_minutes integer not null,
      booking_window text not null,
      limits text not null,
      seats integer not null,
      requires_approval integer not null,
      hidden integer not null,
      location_type text not null,
      location_value text not null,
      questions text not null,
      abuse text not null,
      assignment text not null,
      position integer not null,
      schedule_id ${id} references schedules (id),
      unique (scheduler_id, slug)
    )`,
  `create table event_type_hosts (
      event_type_id ${id} not null references event_types (id) on delete cascade,
      host_id ${id} not null references schedulers (id) on delete cascade,
      fixed integer not null,
      last_assigned_at bigint,
      primary key (event_type_id, host_id)
    )`,
  `create index event_type_hosts_host on event_type_hosts (host_id)`,
]

const bookingTables = (id: string): string[] => [
  `create table bookings (
      id ${id} primary key,
      event_type_id ${id} not null references event_types (id),
      meeting_id ${id} not null,
      host_id ${id} not null references schedulers (id),
      seat integer not null,
      seats integer not null,
      status text not null,
      starts_at bigint not null,
      ends_at bigint not null,
      invitee_name text not null,
      invitee_email text not null,
      invitee_phone text not null,
      invitee_time_zone text not null,
      invitee_locale text not null,
      location_type text not null,
      location_value text not null,
      notes text not null,
      custom_fields text not null,
      source text not null,
      duplicate_key text not null,
      created_at bigint not null,
      constraint bookings_capacity check (seat between 1 and seats)
    )`,
  // The database itself refuses one guest too many, and the same guest twice.
  `create unique index bookings_seat on bookings (meeting_id, seat)
      where status in ('PendingApproval', 'Confirmed')`,
  `create unique index bookings_duplicate on bookings (event_type_id, starts_at, duplicate_key)
      where status in ('PendingApproval', 'Confirmed')`,
  `create table idempotency_keys (
      event_type_id ${id} not null references event_types (id) on delete cascade,
      key text not null,
      body_hash text not null,
      answer text not null,
      expires_at bigint not null,
      primary key (event_type_id, key)
    )`,
  `create index idempotency_keys_expiry on idempotency_keys (expires_at)`,
  `create table secrets (name text primary key, value text not null)`,
  `create table used_solutions (id text primary key, expires_at bigint not null)`,
  `create index used_solutions_expiry on used_solutions (expires_at)`,
]

const formTables = (id: string): string[] => [
  `create table routing_forms (
      id ${id} primary key,
      scheduler_id ${id} not null references schedulers (id) on delete cascade,
      slug text not null,
      name text not null,
      description text,
      fields text not null,
      rules text not null,
      fallback text not null,
      unique (scheduler_id, slug)
    )`,
  `create table routing_responses (
      id ${id} primary key,
      form_id ${id} not null references routing_forms (id) on delete cascade,
      answers text not null,
      result text not null,
      created_at bigint not null
    )`,
  `create index routing_responses_form on routing_responses (form_id, created_at)`,
]

/** SQLite has one process, which counts in memory. A crash may lose counters: unlogged, they cost no write to the log. */
const RATE_LIMITS: Readonly<Record<EngineName, readonly string[]>> = {
  sqlite: [],
  postgres: [
    `create unlogged table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
  ],
}

/** Taken time of hosts. The database refuses overlapping claims of one host, whatever the code does. */
function claims(engine: EngineName): string[] {
  const id = ID[engine]
  const columns = `
      host_id ${id} not null references schedulers (id),
      starts_at bigint not null,
      ends_at bigint not null,
      meeting_id ${id} not null,
      event_type_id ${id} not null,
      buffer_before bigint not null,
      buffer_after bigint not null,
      primary key (host_id, starts_at),
      check (ends_at > starts_at and ends_at - starts_at <= ${MAX_DURATION})`
  return CLAIMS[engine](columns)
}

const CLAIMS: Readonly<Record<EngineName, (columns: string) => string[]>> = {
  sqlite(columns) {
    const clash = `select 1 from claims
        where host_id = new.host_id and starts_at < new.ends_at
          and starts_at > new.starts_at - ${MAX_DURATION} and ends_at > new.starts_at`
    return [
      `create table claims (${columns}
    ) without rowid`,
      `create index claims_meeting on claims (meeting_id)`,
      `create trigger claims_insert_overlap before insert on claims
      when exists (${clash})
      begin select raise(abort, 'host_overlap'); end`,
      `create trigger claims_update_overlap before update of host_id, starts_at, ends_at on claims
      when exists (${clash} and not (host_id = old.host_id and starts_at = old.starts_at))
      begin select raise(abort, 'host_overlap'); end`,
    ]
  },
  postgres: (columns) => [
    `create extension if not exists btree_gist`,
    `create table claims (${columns},
      constraint claims_overlap exclude using gist (host_id with =, int8range(starts_at, ends_at) with &&)
    )`,
    `create index claims_meeting on claims (meeting_id)`,
  ],
}

/** Sign-in, teams, blocked guests, absences, old slugs and the audit log. */
function signInAndTeams(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `alter table schedulers add column admin integer not null default 0`,
    `alter table schedulers add column disabled_at bigint`,
    `alter table event_type_hosts add column weight integer not null default 1`,
    // The owner, so that one index pages through a million bookings.
    `alter table bookings add column scheduler_id ${id} references schedulers (id)`,
    `update bookings set scheduler_id = (select scheduler_id from event_types where id = bookings.event_type_id)`,
    `create index bookings_desk on bookings (scheduler_id, starts_at, id)`,
    `create table login_links (token_hash text primary key, email text not null, expires_at bigint not null)`,
    `create index login_links_email on login_links (email)`,
    `create table sessions (
      id ${id} primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      refresh_hash text not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create index sessions_user on sessions (user_id)`,
    `create table api_tokens (
      id ${id} primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      name text not null,
      scopes text not null,
      created_at bigint not null,
      expires_at bigint
    )`,
    `create index api_tokens_user on api_tokens (user_id)`,
    `create table team_members (
      team_id ${id} not null references schedulers (id) on delete cascade,
      user_id ${id} not null references schedulers (id) on delete cascade,
      role text not null check (role in ('owner', 'admin', 'member')),
      created_at bigint not null,
      primary key (team_id, user_id)
    )`,
    `create index team_members_user on team_members (user_id)`,
    `create table invitations (
      id ${id} primary key,
      email text not null,
      team_id ${id} references schedulers (id) on delete cascade,
      role text not null,
      invited_by ${id} references schedulers (id) on delete set null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create index invitations_email on invitations (email)`,
    `create index invitations_team on invitations (team_id)`,
    `create table blocked_guests (
      id ${id} primary key,
      scheduler_id ${id} not null references schedulers (id) on delete cascade,
      entry text not null,
      created_at bigint not null,
      unique (scheduler_id, entry)
    )`,
    `create table absences (
      id ${id} primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      starts_at bigint not null,
      ends_at bigint not null,
      note text not null,
      check (ends_at > starts_at)
    )`,
    `create index absences_user on absences (user_id, ends_at)`,
    // Slugs from before a rename: they redirect until another owner takes them.
    `create table old_slugs (
      kind text not null check (kind in ('scheduler', 'event-type', 'routing-form')),
      scope text not null,
      slug text not null,
      target_id ${id} not null,
      primary key (kind, scope, slug)
    )`,
    `create index old_slugs_target on old_slugs (target_id)`,
    `create table audit (
      id ${id} primary key,
      scheduler_id ${id} not null,
      actor_id ${id},
      actor text not null,
      action text not null,
      object_type text not null,
      object_id text not null,
      changes text not null,
      created_at bigint not null
    )`,
    `create index audit_scheduler on audit (scheduler_id, id)`,
  ]
}

/** Changes to bookings, and the outbox of jobs that follow from them. */
function outboxAndChanges(engine: EngineName): string[] {
  return [
    `alter table bookings add column sequence integer not null default 0`,
    `alter table bookings add column reason text not null default ''`,
    `alter table bookings add column utm text not null default '{}'`,
    // Since when a request waits for approval, if it was rescheduled.
    `alter table bookings add column requested_at bigint`,
    `create index bookings_pending on bookings (starts_at) where status = 'PendingApproval'`,
    `create index bookings_confirmed on bookings (ends_at) where status = 'Confirmed'`,
    `alter table event_types add column cancel_notice_minutes integer not null default 0`,
    `alter table event_types add column reschedule_notice_minutes integer not null default 0`,
    `alter table event_types add column reminder_minutes text not null default '[1440,60]'`,
    // Ids grow: a lane runs in their order.
    `create table outbox (
      id ${SERIAL[engine]},
      kind text not null,
      lane text,
      data text not null,
      due_at bigint not null,
      attempts integer not null default 0,
      leased_until bigint,
      failed_at bigint,
      error text not null default '',
      created_at bigint not null
    )`,
    `create index outbox_turn on outbox (kind, due_at, id) where failed_at is null`,
    `create index outbox_lane on outbox (lane, id) where failed_at is null and lane is not null`,
    `create index outbox_failed on outbox (failed_at) where failed_at is not null`,
  ]
}

/** Webhooks and their deliveries. */
function webhooks(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `create table webhooks (
      id ${id} primary key,
      scheduler_id ${id} not null references schedulers (id) on delete cascade,
      url text not null,
      secret text not null,
      previous_secret text,
      previous_secret_until bigint,
      events text not null,
      event_type_ids text not null,
      active integer not null,
      created_at bigint not null,
      failing_since bigint,
      disabled_at bigint,
      disabled_reason text not null default ''
    )`,
    `create index webhooks_scheduler on webhooks (scheduler_id)`,
    // The receiver sees the same id on every attempt.
    `create table webhook_deliveries (
      id ${id} primary key,
      webhook_id ${id} not null references webhooks (id) on delete cascade,
      event text not null,
      booking_id ${id},
      body text not null,
      status text not null check (status in ('pending', 'succeeded', 'failed')),
      attempts integer not null default 0,
      created_at bigint not null,
      next_attempt_at bigint,
      attempted_at bigint,
      duration integer,
      request_headers text not null default '{}',
      response_status integer,
      response_headers text not null default '{}',
      response_body text not null default '',
      error text not null default ''
    )`,
    `create index webhook_deliveries_page on webhook_deliveries (webhook_id, created_at, id)`,
    `create index webhook_deliveries_status on webhook_deliveries (webhook_id, status, created_at, id)`,
    `create index webhook_deliveries_age on webhook_deliveries (created_at)`,
  ]
}

/** Connected calendars, their busy times, and the bookings written to them. */
function calendars(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `alter table schedulers add column feed_token_hash text`,
    `create table calendars (
      id ${id} primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      kind text not null check (kind in ('feed', 'caldav')),
      name text not null,
      url text not null,
      username text not null,
      sealed_password text not null,
      busy integer not null,
      write_to integer not null,
      etag text not null,
      last_modified text not null,
      ctag text not null,
      expanded_at bigint,
      expanded_zone text not null,
      refreshed_at bigint,
      next_refresh_at bigint not null,
      failures integer not null,
      last_error text not null,
      skipped integer not null,
      created_at bigint not null
    )`,
    `create index calendars_user on calendars (user_id, id)`,
    `create unique index calendars_write_to on calendars (user_id) where write_to = 1`,
    `create index calendars_due on calendars (next_refresh_at) where busy = 1`,
    // Busy times of one calendar are merged, so no two start together.
    `create table busy_times (
      calendar_id ${id} not null references calendars (id) on delete cascade,
      user_id ${id} not null references schedulers (id) on delete cascade,
      starts_at bigint not null,
      ends_at bigint not null,
      primary key (calendar_id, starts_at),
      check (ends_at > starts_at)
    )`,
    `create index busy_times_user on busy_times (user_id, starts_at)`,
    // Where a booking has been written, or will be, so that it is found again when it moves.
    `create table calendar_events (
      calendar_id ${id} not null references calendars (id) on delete cascade,
      booking_id ${id} not null references bookings (id) on delete cascade,
      href text not null,
      primary key (calendar_id, booking_id)
    )`,
    `create index calendar_events_booking on calendar_events (booking_id)`,
  ]
}

/** The sites on which an event type's page may be embedded. */
function embed(): string[] {
  return [`alter table event_types add column allowed_origins text not null default '[]'`]
}

/** Starts the index with the time: bookings of all hosts for the same week then change few of its pages. */
function bookingsByTime(): string[] {
  return [
    `drop index bookings_duplicate`,
    `create unique index bookings_duplicate on bookings (starts_at, event_type_id, duplicate_key)
      where status in ('PendingApproval', 'Confirmed')`,
  ]
}

/** The column is a counter; elsewhere, a calendar is a connected one. */
function bookingRevision(): string[] {
  return [`alter table schedulers rename column calendar to booking_revision`]
}

/** Leases on work that one instance does for all, and indexes to find rows that are old enough to delete. */
function leasesAndRetention(): string[] {
  return [
    `create table leases (name text primary key, leased_until bigint not null, done_at bigint)`,
    `create index audit_age on audit (created_at)`,
    `create index routing_responses_age on routing_responses (created_at)`,
    `create index sessions_expiry on sessions (expires_at)`,
    `create index login_links_expiry on login_links (expires_at)`,
    `create index invitations_expiry on invitations (expires_at)`,
  ]
}

/** Until when an instance reads a calendar, by the database's clock. `next_refresh_at` goes by the instance's. */
function calendarLeases(): string[] {
  return [`alter table calendars add column leased_until bigint not null default 0`]
}

/** The oldest user runs an instance without an admin: those that the command line made used to be none. */
function firstAdmin(): string[] {
  return [
    `update schedulers set admin = 1
      where not exists (select 1 from schedulers where admin = 1)
        and id = (
          select id from schedulers
          where kind = 'user' and disabled_at is null and email not in ('demo@example.com', 'colleague@example.com')
          order by created_at, id limit 1
        )`,
  ]
}

/** Deleting a user, an event type or a schedule would read all bookings or event types, to see that none refers to it. */
function noScans(): string[] {
  return [
    `create index bookings_event_type on bookings (event_type_id)`,
    `create index bookings_host on bookings (host_id)`,
    `create index event_types_schedule on event_types (schedule_id) where schedule_id is not null`,
    `create index invitations_inviter on invitations (invited_by) where invited_by is not null`,
    `create index old_slugs_scope on old_slugs (scope)`,
    `create index schedulers_admin on schedulers (id) where admin = 1`,
  ]
}

/** Lanes of deliveries name the webhook's owner: `webhook:{owner}:{webhook}:{booking}`. */
function lanesOfOwners(): string[] {
  const webhook = `substr(outbox.lane, 9, 36)`
  return [
    `update outbox set lane =
        'webhook:' || (select cast(scheduler_id as text) from webhooks where cast(id as text) = ${webhook}) || substr(lane, 8)
      where kind = 'webhook' and exists (select 1 from webhooks where cast(id as text) = ${webhook})`,
  ]
}

/** Hours that an invited user has not looked at yet offer nothing. */
function confirmedHours(): string[] {
  return [`alter table schedules add column confirmed integer not null default 1`]
}

/** How many mails guests got, and who has used a link in one: they may get more than strangers. */
function guestMails(engine: EngineName): string[] {
  return [
    `create table answered_guests (address_hash text primary key, answered_at bigint not null)`,
    `create table guest_mails (
      booking_id ${ID[engine]} primary key,
      address_hash text not null,
      sent_at bigint not null
    )`,
    `create index guest_mails_address on guest_mails (address_hash, sent_at)`,
    `create index guest_mails_age on guest_mails (sent_at)`,
  ]
}

/** The name of the API token with which a change was made. */
function auditToken(): string[] {
  return [`alter table audit add column token text not null default ''`]
}

/** How a user reads times and weeks. */
function preferences(): string[] {
  return [
    `alter table schedulers add column time_format text not null default 'auto'`,
    `alter table schedulers add column week_start text not null default 'auto'`,
  ]
}

/** Spam protection of routing forms. */
function formProtection(): string[] {
  return [
    `alter table routing_forms add column abuse text not null default '{"honeypot":true,"captcha":"","blocklist":[]}'`,
  ]
}

/**
 * Calendars have one entry per meeting. They used to have one per booking, and so several for a seated meeting: the
 * worker merges those.
 */
function entriesOfMeetings(engine: EngineName): string[] {
  const id = ID[engine]
  const now = { sqlite: 'unixepoch() * 1000', postgres: '(extract(epoch from now()) * 1000)::bigint' }[engine]
  const seated = `from calendar_events as e join bookings as b on b.id = e.booking_id
    where b.seats > 1 and b.status = 'Confirmed'`
  return [
    // Grows with every change to a seated meeting or its guests. Others have the sequence of their booking.
    `create table meeting_sequences (meeting_id ${id} primary key, sequence bigint not null)`,
    // A new table, because a meeting need not have the id of one of its bookings, and SQLite can't drop a reference.
    `create table calendar_entries (
      calendar_id ${id} not null references calendars (id) on delete cascade,
      meeting_id ${id} not null,
      href text not null,
      primary key (calendar_id, meeting_id)
    )`,
    `insert into calendar_entries (calendar_id, meeting_id, href)
      select calendar_id, booking_id, href from calendar_events`,
    `insert into calendar_entries (calendar_id, meeting_id, href)
      select distinct e.calendar_id, b.meeting_id, '' ${seated} on conflict do nothing`,
    `insert into outbox (kind, lane, data, due_at, created_at)
      select 'calendar-write', 'calendar:' || calendar_id || ':' || meeting_id,
        '{"calendarId":"' || calendar_id || '","meetingId":"' || meeting_id || '"}', ${now}, ${now}
      from (
        select e.calendar_id, b.id as meeting_id ${seated} union select e.calendar_id, b.meeting_id ${seated}
      ) as several`,
    `drop table calendar_events`,
    // Backups name the table.
    `alter table calendar_entries rename to calendar_events`,
    `create index calendar_events_meeting on calendar_events (meeting_id)`,
  ]
}

/**
 * Finds a guest's bookings, which also tell how many mails they caused: a table of those mails was a third of what a
 * booking wrote.
 */
function bookingsByGuest(engine: EngineName): string[] {
  const position = (text: string) =>
    engine === 'sqlite' ? `instr(invitee_email, '${text}')` : `strpos(invitee_email, '${text}')`
  return [
    `alter table bookings add column guest text not null default ''`,
    `update bookings set guest = lower(
      case when ${position('+')} between 2 and ${position('@')} - 1
        then substr(invitee_email, 1, ${position('+')} - 1) || substr(invitee_email, ${position('@')})
        else invitee_email
      end)`,
    `create index bookings_guest on bookings (guest, starts_at)`,
    `drop table guest_mails`,
  ]
}

/** Accounts at calendar and meeting providers, and the calendars that are read through them. */
function connections(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `create table connections (
      id ${id} primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      provider text not null,
      subject text not null,
      account text not null,
      sealed_tokens text not null,
      expires_at bigint not null,
      token_revision integer not null,
      leased_until bigint not null,
      status text not null,
      last_error text not null,
      created_at bigint not null
    )`,
    `create unique index connections_account on connections (user_id, provider, subject)`,
    `create index connections_user on connections (user_id, id)`,
    `create index connections_subject on connections (provider, subject)`,
    `create table connection_attempts (
      state_hash text primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      provider text not null,
      challenge text not null,
      expires_at bigint not null
    )`,
    `create index connection_attempts_user on connection_attempts (user_id)`,
    `create index connection_attempts_expiry on connection_attempts (expires_at)`,
    // The column's check knows two kinds. It goes with the column, since SQLite cannot drop it alone.
    `alter table calendars add column kind_of text not null default ''`,
    `update calendars set kind_of = kind`,
    `alter table calendars drop column kind`,
    `alter table calendars rename column kind_of to kind`,
    `alter table calendars add column connection_id ${id} references connections (id) on delete cascade`,
    `alter table calendars add column external_id text not null default ''`,
    `create unique index calendars_connection on calendars (connection_id, external_id)
      where connection_id is not null`,
  ]
}

/** Which API token made something that outlives it. */
function createdByToken(engine: EngineName): string[] {
  const made = [
    ['webhooks', 'created_by_token'],
    ['calendars', 'created_by_token'],
    ['schedulers', 'feed_created_by_token'],
  ]
  return made.flatMap(([table, column]) => [
    `alter table ${table} add column ${column} ${ID[engine]}`,
    `create index ${table}_by_token on ${table} (${column}) where ${column} is not null`,
  ])
}

function images(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `create table images (
      id ${id} primary key,
      scheduler_id ${id} not null references schedulers (id) on delete cascade,
      type text not null,
      bytes text not null,
      hash text not null,
      created_at bigint not null
    )`,
    `create unique index images_scheduler on images (scheduler_id, hash)`,
  ]
}

/** What hosts have done to our entries in their calendars. */
function calendarDifferences(): string[] {
  const claimed = (column: string) =>
    `(select min(c.${column}) from claims as c where c.meeting_id = calendar_events.meeting_id)`
  return [
    `alter table calendar_events add column starts_at bigint`,
    `alter table calendar_events add column ends_at bigint`,
    `alter table calendar_events add column version integer not null default 0`,
    `alter table calendar_events add column difference text`,
    `alter table calendar_events add column moved_starts_at bigint`,
    `alter table calendar_events add column moved_ends_at bigint`,
    `alter table calendar_events add column seen_at bigint`,
    `update calendar_events set starts_at = ${claimed('starts_at')}, ends_at = ${claimed('ends_at')}
      where href <> ''`,
  ]
}

/** New addresses of users that are not proved yet. */
function emailChanges(engine: EngineName): string[] {
  return [
    `create table email_changes (
      user_id ${ID[engine]} primary key references schedulers (id) on delete cascade,
      email text not null,
      token_hash text not null,
      expires_at bigint not null
    )`,
    `create index email_changes_expiry on email_changes (expires_at)`,
  ]
}

/** Who makes the links of video calls, and those that were made. */
function meetingLinks(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `alter table event_types add column location_provider text not null default ''`,
    `alter table bookings add column location_provider text not null default ''`,
    `create table meeting_links (
      meeting_id ${id} primary key,
      provider text not null,
      host_id ${id} not null,
      connection_id ${id},
      external_id text not null,
      url text not null,
      starts_at bigint,
      ends_at bigint,
      attempted_at bigint,
      awaited_until bigint not null
    )`,
  ]
}

function returnUrl(): string[] {
  return [`alter table event_types add column return_url text not null default ''`]
}

/** What incremental reading of a provider's calendar needs to know, and the channels by which the provider tells us. */
function providerCalendars(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `alter table calendars add column sync_token text not null default ''`,
    `alter table calendars add column synced_until bigint`,
    `alter table calendars add column notices integer not null default 0`,
    `create table calendar_items (
      calendar_id ${id} not null references calendars (id) on delete cascade,
      external_id text not null,
      series_id text not null,
      uid text not null,
      starts_at bigint,
      ends_at bigint,
      blocks integer,
      primary key (calendar_id, external_id)
    )`,
    `create table calendar_channels (
      calendar_id ${id} primary key references calendars (id) on delete cascade,
      channel_id text not null,
      resource_id text not null,
      token_hash text not null,
      expires_at bigint not null
    )`,
    `create unique index calendar_channels_channel on calendar_channels (channel_id)`,
  ]
}

/** Whether an event type insists on asking calendars, and which calendar its bookings are written to. */
function liveCheck(engine: EngineName): string[] {
  return [
    `alter table event_types add column live_check text not null default 'accept'`,
    // Not a reference: calendars are restored after event types.
    `alter table event_types add column write_to_calendar_id ${ID[engine]}`,
    `create index event_types_calendar on event_types (write_to_calendar_id)
      where write_to_calendar_id is not null`,
  ]
}

function durations(): string[] {
  return [`alter table event_types add column durations text not null default '[]'`]
}

/** Finds what a user did, to take their address out of it when they delete their account. */
function auditByActor(): string[] {
  return [`create index audit_actor on audit (actor_id) where actor_id is not null`]
}

function wholeDayItems(): string[] {
  return [`alter table calendar_items add column whole_day integer`]
}

/**
 * Bookings no longer refer to their event type and host: the two indexes that these references needed were a third of
 * what a booking wrote. Users are never deleted, and an event type only under the locks of its hosts.
 */
function fewerBookingIndexes(engine: EngineName): string[] {
  if (engine === 'postgres') {
    return [
      `alter table bookings drop constraint bookings_event_type_id_fkey`,
      `alter table bookings drop constraint bookings_host_id_fkey`,
      `drop index bookings_event_type`,
      `drop index bookings_host`,
    ]
  }
  const columns = `id, event_type_id, meeting_id, host_id, seat, seats, status, starts_at, ends_at, invitee_name,
    invitee_email, invitee_phone, invitee_time_zone, invitee_locale, location_type, location_value, notes,
    custom_fields, source, duplicate_key, created_at, scheduler_id, sequence, reason, utm, requested_at, guest,
    location_provider`
  return [
    // A new table with the same columns, because SQLite can't drop a reference.
    `create table fewer_indexes (
      id text primary key,
      event_type_id text not null,
      meeting_id text not null,
      host_id text not null,
      seat integer not null,
      seats integer not null,
      status text not null,
      starts_at bigint not null,
      ends_at bigint not null,
      invitee_name text not null,
      invitee_email text not null,
      invitee_phone text not null,
      invitee_time_zone text not null,
      invitee_locale text not null,
      location_type text not null,
      location_value text not null,
      notes text not null,
      custom_fields text not null,
      source text not null,
      duplicate_key text not null,
      created_at bigint not null,
      scheduler_id text references schedulers (id),
      sequence integer not null default 0,
      reason text not null default '',
      utm text not null default '{}',
      requested_at bigint,
      guest text not null default '',
      location_provider text not null default '',
      constraint bookings_capacity check (seat between 1 and seats)
    )`,
    `insert into fewer_indexes (${columns}) select ${columns} from bookings order by rowid`,
    `drop table bookings`,
    `alter table fewer_indexes rename to bookings`,
    `create unique index bookings_seat on bookings (meeting_id, seat)
      where status in ('PendingApproval', 'Confirmed')`,
    `create unique index bookings_duplicate on bookings (starts_at, event_type_id, duplicate_key)
      where status in ('PendingApproval', 'Confirmed')`,
    `create index bookings_desk on bookings (scheduler_id, starts_at, id)`,
    `create index bookings_pending on bookings (starts_at) where status = 'PendingApproval'`,
    `create index bookings_confirmed on bookings (ends_at) where status = 'Confirmed'`,
    `create index bookings_guest on bookings (guest, starts_at)`,
  ]
}

/** The locations that guests choose from. */
function locations(): string[] {
  return [`alter table event_types add column locations text not null default '[]'`]
}

/** When to see to a calendar's channel, and how often that has failed. The former table was never filled. */
function channelRenewal(engine: EngineName): string[] {
  return [
    `drop table calendar_channels`,
    `create table calendar_channels (
      calendar_id ${ID[engine]} primary key references calendars (id) on delete cascade,
      channel_id text,
      resource_id text not null,
      token_hash text not null,
      expires_at bigint not null,
      renew_at bigint not null,
      failures integer not null
    )`,
    `create unique index calendar_channels_channel on calendar_channels (channel_id)`,
    `create index calendar_channels_renewal on calendar_channels (renew_at)`,
    `insert into calendar_channels (calendar_id, resource_id, token_hash, expires_at, renew_at, failures)
      select id, '', '', 0, 0, 0 from calendars where kind in ('google', 'microsoft') and busy = 1`,
  ]
}

/** Links that open one event type, a number of times. */
function privateLinks(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `alter table event_types add column link_only integer not null default 0`,
    `create table private_links (
      id ${id} primary key,
      event_type_id ${id} not null references event_types (id) on delete cascade,
      token_hash text not null unique,
      uses bigint,
      used bigint not null default 0,
      expires_at bigint,
      duration_minutes integer,
      host_ids text not null,
      answers text not null,
      note text not null,
      created_at bigint not null,
      constraint private_links_uses check (used <= uses)
    )`,
    `create index private_links_event_type on private_links (event_type_id, id)`,
    // Not a reference: a booking outlives the link that it was made through.
    `alter table bookings add column link_id ${id}`,
  ]
}

/** A hold is a claim with an end. Claims of bookings are in neither index. */
function holds(): string[] {
  return [
    `alter table event_types add column holds integer not null default 0`,
    `alter table claims add column expires_at bigint`,
    `alter table claims add column hold_client text`,
    `create index claims_expiry on claims (expires_at) where expires_at is not null`,
    `create index claims_holds on claims (event_type_id, hold_client) where expires_at is not null`,
  ]
}

/** Calendars that were connected before count as writable: the provider is asked before one is chosen for bookings. */
function readOnlyCalendars(): string[] {
  return [`alter table calendars add column writable integer not null default 1`]
}

/** Those whom a guest brings, and for an hour whom of them we have mailed. */
function guests(engine: EngineName): string[] {
  return [
    `alter table event_types add column max_guests integer not null default 0`,
    `alter table bookings add column guests text`,
    `create table added_guests (
      booking_id ${ID[engine]} not null,
      position integer not null,
      guest text not null,
      created_at bigint not null,
      primary key (booking_id, position)
    )`,
    `create index added_guests_guest on added_guests (guest, created_at)`,
    `create index added_guests_time on added_guests (created_at)`,
  ]
}

/** Codes that prove a guest's address. */
function emailCodes(engine: EngineName): string[] {
  return [
    `alter table event_types add column confirm_email integer not null default 0`,
    `create table email_codes (
      event_type_id ${ID[engine]} not null references event_types (id) on delete cascade,
      address_hash text not null,
      code_hash text not null,
      tries integer not null,
      expires_at bigint not null,
      primary key (event_type_id, address_hash)
    )`,
    `create index email_codes_expiry on email_codes (expires_at)`,
  ]
}

/** Meetings that repeat. Only bookings of a series are in its index. */
function series(engine: EngineName): string[] {
  return [
    `alter table event_types add column series text`,
    `alter table bookings add column series_id ${ID[engine]}`,
    `alter table bookings add column series text`,
    `create index bookings_series on bookings (series_id) where series_id is not null`,
  ]
}

/** What hosts expect of their forms. */
function formTests(): string[] {
  return [`alter table routing_forms add column tests text not null default '[]'`]
}

/** What each round-robin host is owed, and what a booking changed about it. */
function fairAssignment(engine: EngineName): string[] {
  const balance = { sqlite: 'real', postgres: 'double precision' }[engine]
  return [
    `alter table event_type_hosts add column balance ${balance} not null default 0`,
    `alter table bookings add column assignment text`,
  ]
}

/** What teams record about their members. */
function attributes(engine: EngineName): string[] {
  return [
    `create table team_attributes (
      team_id ${ID[engine]} primary key references schedulers (id) on delete cascade,
      attributes text not null
    )`,
    `alter table team_members add column attributes text not null default '{}'`,
  ]
}

/** To which hosts a response was routed, and what was booked with it. Neither is a reference: each outlives the other. */
function routingTokens(engine: EngineName): string[] {
  return [
    `alter table routing_responses add column route text`,
    `alter table routing_responses add column booking_id ${ID[engine]}`,
    `alter table bookings add column routing text`,
  ]
}

/** Who people are at an identity provider, and sign-ins that have begun there. */
function singleSignOn(engine: EngineName): string[] {
  return [
    `create table identities (
      issuer text not null,
      subject text not null,
      user_id ${ID[engine]} not null references schedulers (id) on delete cascade,
      created_at bigint not null,
      primary key (issuer, subject)
    )`,
    `create index identities_user on identities (user_id)`,
    `create table sign_in_attempts (
      state_hash text primary key,
      challenge text not null,
      return_to text not null,
      expires_at bigint not null
    )`,
    `create index sign_in_attempts_expiry on sign_in_attempts (expires_at)`,
    `alter table sessions add column id_token text`,
  ]
}

/** How often a form was opened on a day of its owner, and at which question visitors left it. */
function formCounts(engine: EngineName): string[] {
  return [
    `create table form_counts (
      form_id ${ID[engine]} not null references routing_forms (id) on delete cascade,
      day bigint not null,
      step text not null,
      field text not null,
      count bigint not null,
      primary key (form_id, day, step, field)
    )`,
  ]
}

/** Who has met guests of a domain. Bookings get into it once they are completed, so that booking does not pay for it. */
function ownersByDomain(engine: EngineName): string[] {
  const domain = { sqlite: `substr(guest, instr(guest, '@') + 1)`, postgres: `split_part(guest, '@', 2)` }[
    engine
  ]
  return [
    `create index bookings_completed_domain on bookings (${domain}, starts_at) where status = 'Completed'`,
  ]
}

/** Links in invitations that create an account. */
function invitationLinks(): string[] {
  return [
    `alter table invitations add column token_hash text`,
    `create unique index invitations_token on invitations (token_hash) where token_hash is not null`,
  ]
}

/** What signs a form's lookups of owners. */
function ownerLookup(): string[] {
  return [`alter table routing_forms add column lookup_secret text`]
}

/** Whether a team's members see each other's bookings. They did before this was a choice. */
function membersSeeAll(): string[] {
  return [
    `alter table schedulers add column members_see_all integer not null default 0`,
    `update schedulers set members_see_all = 1 where kind = 'team'`,
  ]
}

/** Whether German says Sie or du. */
function germanAddress(): string[] {
  return [`alter table schedulers add column german_address text not null default 'sie'`]
}

/** Passkeys as a second factor of the emailed link, and codes for those who have lost theirs. */
function passkeys(engine: EngineName): string[] {
  const user = `user_id ${ID[engine]} not null references schedulers (id) on delete cascade`
  return [
    `create table passkeys (
      id ${ID[engine]} primary key,
      ${user},
      credential_id text not null,
      public_key text not null,
      counter bigint not null,
      transports text not null,
      name text not null,
      created_at bigint not null,
      last_used_at bigint
    )`,
    `create unique index passkeys_credential on passkeys (credential_id)`,
    `create index passkeys_user on passkeys (user_id)`,
    `create table recovery_codes (
      ${user},
      code_hash text not null,
      primary key (user_id, code_hash)
    )`,
    `create table passkey_challenges (
      holder_hash text primary key,
      ${user},
      challenge text not null,
      attempts bigint not null,
      expires_at bigint not null
    )`,
    `create index passkey_challenges_user on passkey_challenges (user_id)`,
    `create index passkey_challenges_expiry on passkey_challenges (expires_at)`,
  ]
}

/** Erasing guests: on request, and after some days. Only bookings that bring others are in the index. */
function erasure(engine: EngineName): string[] {
  const retention = ['event_types', 'routing_forms'].flatMap((table) => [
    `alter table ${table} add column keep_personal_data_days integer`,
    `alter table ${table} add column erased_until bigint not null default 0`,
  ])
  return [
    ...retention,
    `create table pending_erasures (
      kind text not null,
      id ${ID[engine]} not null,
      primary key (kind, id)
    )`,
    `create table erasure_codes (
      address_hash text primary key,
      code_hash text not null,
      tries integer not null,
      expires_at bigint not null
    )`,
    `create index erasure_codes_expiry on erasure_codes (expires_at)`,
    `create index bookings_with_guests on bookings (id) where guests is not null`,
  ]
}

/** What erases guests after some days, so that the sweep reads nothing else. */
function retained(): string[] {
  return ['event_types', 'routing_forms'].map(
    (table) => `create index ${table}_retained on ${table} (id) where keep_personal_data_days is not null`,
  )
}

/** What fails, so that counting it reads nothing else. */
function failing(): Index[] {
  return [
    { name: 'outbox_failing', on: 'outbox (kind, id) where attempts > 0 and failed_at is null' },
    {
      name: 'webhook_deliveries_failed',
      on: `webhook_deliveries (created_at, id) where status = 'failed'`,
    },
  ]
}

/**
 * For single statements through a pooler, to which no session of ours says it: every login of this role to this
 * database. A role may set that for itself; where an operator has forbidden it, the service does without.
 */
function noJit(engine: EngineName): string[] {
  if (engine === 'sqlite') return []
  return [
    `do $$ begin
      execute format('alter role session_user in database %I set jit = off', current_database());
    exception when insufficient_privilege then null;
    end $$`,
  ]
}

/**
 * What guests and people are found by. The service fills it in the background (`services/search-index.ts`), up to the
 * booking at `indexed_to`.
 *
 * Triggers do the rest, so that an older version that still runs leaves nothing behind: what changes or is deleted
 * loses its entry at once, and is pending until it is indexed again.
 */
function search(engine: EngineName): string[] {
  const tables = [
    `create table search_pending (object_id ${ID[engine]} primary key)`,
    `create table search_progress (indexed_to ${ID[engine]})`,
    `insert into search_progress (indexed_to) values (null)`,
  ]
  const fill = `insert into search_pending (object_id) select id from schedulers where kind = 'user'`
  if (engine === 'postgres') {
    return [
      ...tables,
      `create table search_entries (object_id uuid primary key, terms tsvector not null)`,
      `create index search_entries_terms on search_entries using gin (terms)`,
      `create or replace function search_forget() returns trigger language plpgsql as $$ begin
        delete from search_entries where object_id = old.id;
        if tg_op = 'DELETE' then delete from search_pending where object_id = old.id;
        else insert into search_pending (object_id) values (old.id) on conflict do nothing;
        end if;
        return null;
      end $$`,
      `create or replace function search_add() returns trigger language plpgsql as $$ begin
        insert into search_pending (object_id) values (new.id) on conflict do nothing;
        return null;
      end $$`,
      // A booking that is older by its id than those that are indexed: its server's clock is slow.
      `create or replace function search_add_late() returns trigger language plpgsql as $$ begin
        if new.id <= (select indexed_to from search_progress) then
          insert into search_pending (object_id) values (new.id) on conflict do nothing;
        end if;
        return null;
      end $$`,
      `create trigger bookings_search_insert after insert on bookings
        for each row execute function search_add_late()`,
      `create trigger bookings_search_update after update of invitee_name, invitee_email, scheduler_id on bookings
        for each row execute function search_forget()`,
      `create trigger bookings_search_delete after delete on bookings
        for each row execute function search_forget()`,
      `create trigger schedulers_search_insert after insert on schedulers
        for each row when (new.kind = 'user') execute function search_add()`,
      `create trigger schedulers_search_update after update of name, email on schedulers
        for each row when (new.kind = 'user') execute function search_forget()`,
      `create trigger schedulers_search_delete after delete on schedulers
        for each row execute function search_forget()`,
      fill,
    ]
  }
  const forget = `delete from search_entries where object_id = old.id`
  const forgetAndAdd = `begin
      ${forget};
      insert or ignore into search_pending (object_id) values (old.id);
    end`
  const forgetAll = `begin
      ${forget};
      delete from search_pending where object_id = old.id;
    end`
  return [
    ...tables,
    `create table search_entries (
      number integer primary key,
      object_id text not null unique,
      terms text not null
    )`,
    `create virtual table search_index using fts5 (
      terms, content = 'search_entries', content_rowid = 'number', detail = none, columnsize = 0, tokenize = 'ascii'
    )`,
    // Otherwise it would only mark what is deleted, and keep it.
    `insert into search_index (search_index, rank) values ('secure-delete', 1)`,
    `create trigger search_entries_insert after insert on search_entries begin
      insert into search_index (rowid, terms) values (new.number, new.terms);
    end`,
    `create trigger search_entries_delete after delete on search_entries begin
      insert into search_index (search_index, rowid, terms) values ('delete', old.number, old.terms);
    end`,
    `create trigger bookings_search_insert after insert on bookings
      when new.id <= (select indexed_to from search_progress) begin
      insert or ignore into search_pending (object_id) values (new.id);
    end`,
    `create trigger bookings_search_update after update of invitee_name, invitee_email, scheduler_id on bookings
      ${forgetAndAdd}`,
    `create trigger bookings_search_delete after delete on bookings ${forgetAll}`,
    `create trigger schedulers_search_insert after insert on schedulers when new.kind = 'user' begin
      insert or ignore into search_pending (object_id) values (new.id);
    end`,
    `create trigger schedulers_search_update after update of name, email on schedulers when new.kind = 'user'
      ${forgetAndAdd}`,
    `create trigger schedulers_search_delete after delete on schedulers ${forgetAll}`,
    fill,
  ]
}

/** Beside each sentence that is stored in English: its pattern and values, to say it in another language. */
function sentenceParts(): string[] {
  return [
    `alter table calendars add column last_error_parts text`,
    `alter table connections add column last_error_parts text`,
    `alter table webhooks add column disabled_reason_parts text`,
    `alter table webhook_deliveries add column error_parts text`,
    `alter table outbox add column error_parts text`,
  ]
}

/** Accounts that are being deleted: to everyone else they are gone already. */
function closedAccounts(): string[] {
  return [`alter table schedulers add column closed_at bigint`]
}

/** When guests moved a booking, so that they can't do so without end. */
function guestMoves(): string[] {
  return [`alter table bookings add column guest_moves text`]
}

/** The holds of a host, so that counting them reads none of their meetings. */
function heldHosts(): Index[] {
  return [{ name: 'claims_held', on: 'claims (host_id, expires_at) where expires_at is not null' }]
}

/** Whether tentative events of a calendar block time. */
function tentativeEvents(): string[] {
  return [`alter table calendars add column tentative text not null default 'busy'`]
}

/** Events that their hosts have moved to another calendar of theirs, where they stay. */
function followedEvents(): string[] {
  return [`alter table calendar_events add column followed integer not null default 0`]
}

/** Which client caused a mail to a guest, as a tag that means nothing elsewhere. */
function mailClients(): string[] {
  return [`alter table bookings add column client text`, `alter table added_guests add column client text`]
}

/** The filters that people keep. Apart from other tables: locking two would make bookings wait for each other. */
function savedFilters(): string[] {
  return [`alter table schedulers add column saved_filters text`]
}

/** What hosts note about a booking, and what has happened to it. */
function workspace(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `alter table bookings add column host_notes text`,
    // Without a reference: rows are written after the change, when the booking may be gone.
    `create table booking_history (
      booking_id ${id} not null,
      id ${id} not null,
      at bigint not null,
      kind text not null,
      what text not null,
      subject text not null,
      primary key (booking_id, id)
    )`,
    `create index booking_history_age on booking_history (at)`,
  ]
}

/** Bookings in the order in which they were made, and what was done to one of them. */
function workspaceIndexes(): Index[] {
  return [
    { name: 'bookings_created', on: 'bookings (scheduler_id, created_at, id)' },
    { name: 'audit_object', on: 'audit (object_id)' },
    {
      name: 'webhook_deliveries_booking',
      on: 'webhook_deliveries (booking_id) where booking_id is not null',
    },
  ]
}

/** Which deliveries were samples that a host sent to try a webhook. */
function testDeliveries(): string[] {
  return [`alter table webhook_deliveries add column is_test integer not null default 0`]
}

/** Who has messages, so that owners without them cost nothing. */
function hasMessages(): string[] {
  return [`alter table schedulers add column has_messages integer not null default 0`]
}

/** Hosts' own messages, and what became of each for each booking or response. */
function messages(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `create table messages (
      id ${id} primary key,
      scheduler_id ${id} not null references schedulers (id) on delete cascade,
      name text not null,
      moment text not null,
      minutes integer,
      recipient text not null,
      channel text not null,
      event_type_ids text not null,
      form_ids text not null,
      enabled integer not null,
      replaces integer not null,
      texts text not null,
      created_at bigint not null
    )`,
    `create index messages_scheduler on messages (scheduler_id, id)`,
    `create table message_records (
      id ${id} primary key,
      message_id ${id} not null,
      booking_id ${id} references bookings (id) on delete cascade,
      response_id ${id} references routing_responses (id) on delete cascade,
      recipient text not null,
      occasion text not null,
      channel text not null,
      state text not null check (state in ('sending', 'sent', 'skipped', 'failed')),
      job_id bigint,
      at bigint not null,
      reason text not null default '',
      reason_parts text,
      check ((booking_id is null) <> (response_id is null))
    )`,
    // Each message reaches a recipient once.
    `create unique index message_records_booking
      on message_records (booking_id, message_id, recipient, occasion)`,
    `create unique index message_records_response on message_records (response_id, message_id, recipient)`,
  ]
}

/** Who wants no more mail that is not about a coming meeting, by owner. Only hashes, which outlast an erasure. */
function unsubscribed(engine: EngineName): string[] {
  return [
    `create table unsubscribed (
      scheduler_id ${ID[engine]} not null references schedulers (id) on delete cascade,
      address_hash text not null,
      created_at bigint not null,
      primary key (scheduler_id, address_hash)
    )`,
  ]
}

/** Who has notifications, so that hosts without them cost nothing. */
function hasPush(): string[] {
  return [`alter table schedulers add column has_push integer not null default 0`]
}

/** The browsers in which hosts want notifications. They end with the session of the browser. */
function pushSubscriptions(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `create table push_subscriptions (
      id ${id} primary key,
      user_id ${id} not null references schedulers (id) on delete cascade,
      session_id ${id} not null references sessions (id) on delete cascade,
      endpoint text not null unique,
      p256dh text not null,
      auth text not null,
      kinds text not null,
      created_at bigint not null
    )`,
    `create index push_subscriptions_user on push_subscriptions (user_id, id)`,
    `create index push_subscriptions_session on push_subscriptions (session_id)`,
  ]
}

/** Which guests have agreed to text messages, what providers call them, who has stopped them, and how many were sent. */
function textMessages(): string[] {
  return [
    `alter table bookings add column sms_number text`,
    `alter table message_records add column external_id text`,
    `create table stopped_numbers (number_hash text primary key, created_at bigint not null)`,
    `create table sms_counts (
      day text not null,
      number_hash text not null,
      count integer not null,
      primary key (day, number_hash)
    )`,
  ]
}

function textMessageIndexes(): Index[] {
  return [
    { name: 'message_records_external', on: `message_records (external_id) where external_id <> ''` },
    { name: 'message_records_sms', on: `message_records (at) where channel = 'sms'` },
  ]
}

/** Where each session is, and when it was last renewed; null where an earlier version opened or renewed it. */
function sessionDevices(): string[] {
  return ['browser text', 'system text', 'last_used_at bigint'].map(
    (column) => `alter table sessions add column ${column}`,
  )
}

/** How long the meetings of an event type may be together, by period. */
function limitMinutes(): string[] {
  const none = `{"day":null,"week":null,"month":null,"year":null}`
  return [`alter table event_types add column limit_minutes text not null default '${none}'`]
}

/** Who stands in during time off. */
function standIns(engine: EngineName): string[] {
  return [
    `alter table absences add column redirect_to ${ID[engine]} references schedulers (id) on delete set null`,
  ]
}

/** Deleting a user looks for those whom they stand in for. */
function standInIndexes(): Index[] {
  return [{ name: 'absences_redirect', on: 'absences (redirect_to) where redirect_to is not null' }]
}

/** Whole numbers for programs that know objects by such. Without references: a number outlasts its object, and is not used again. */
function numbers(engine: EngineName): string[] {
  return [
    `create table numbers (
      kind text not null,
      number bigint not null,
      object_id ${ID[engine]} not null,
      primary key (kind, number),
      unique (kind, object_id)
    )`,
  ]
}

/** What programs keep with a booking that they made. */
function bookingMetadata(): string[] {
  return [`alter table bookings add column metadata text`]
}

/** In whose words each webhook is told. */
function webhookFormats(): string[] {
  return [`alter table webhooks add column format text not null default 'standard'`]
}

/**
 * Moving in from another service: what was read there, what becomes of it, what was made of it here, and the old addresses
 * that lead there. What was read is forgotten after a while; what was made is remembered.
 */
function imports(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    `create table imports (
      id ${id} primary key,
      source text not null,
      state text not null check (state in ('reading', 'planned', 'applying', 'applied', 'undone', 'failed')),
      done bigint not null default 0,
      total bigint not null default 0,
      counts text not null default '{}',
      offered text not null default '[]',
      choices text not null default '{}',
      notes text not null default '[]',
      reason text not null default '',
      reason_parts text,
      created_by ${id} references schedulers (id) on delete set null,
      created_at bigint not null,
      leased_until bigint,
      applied_at bigint,
      undone_at bigint
    )`,
    `create index imports_age on imports (created_at, id)`,
    `create index imports_creator on imports (created_by, created_at) where created_by is not null`,
    `create table import_rows (
      import_id ${id} not null references imports (id) on delete cascade,
      table_name text not null,
      position bigint not null,
      booking text not null default '',
      address text not null default '',
      content text not null,
      primary key (import_id, table_name, position)
    )`,
    `create index import_rows_booking on import_rows (import_id, booking) where booking <> ''`,
    `create index import_rows_address on import_rows (address) where address <> ''`,
    `create table import_lines (
      import_id ${id} not null references imports (id) on delete cascade,
      position bigint not null,
      state text not null,
      table_name text not null,
      source_id text not null,
      name text not null,
      sentence text not null default '',
      sentence_parts text,
      primary key (import_id, position)
    )`,
    `create index import_lines_table on import_lines (import_id, table_name, state, position)`,
    `create index import_lines_state on import_lines (import_id, state, position)`,
    `create table import_objects (
      source text not null,
      source_key text not null,
      kind text not null,
      object_id ${id} not null,
      made integer not null,
      content_hash text not null,
      row_hash text not null,
      import_id ${id} not null,
      last_import_id ${id} not null,
      primary key (source, source_key)
    )`,
    `create index import_objects_import on import_objects (import_id)`,
    `create index import_objects_last on import_objects (last_import_id)`,
    `create table import_changes (
      import_id ${id} not null references imports (id) on delete cascade,
      position bigint not null,
      table_name text not null,
      content text not null,
      primary key (import_id, position)
    )`,
    `create table import_uids (
      uid text primary key,
      booking_id ${id} references bookings (id) on delete cascade,
      meeting_id ${id} not null,
      import_id ${id}
    )`,
    `create index import_uids_booking on import_uids (booking_id) where booking_id is not null`,
    `create index import_uids_import on import_uids (import_id)`,
    `create table old_links (
      path text primary key,
      kind text not null,
      object_id ${id} not null,
      import_id ${id}
    )`,
    `create index old_links_import on old_links (import_id)`,
  ]
}

/** What accounts of another service sign in with, encrypted, until the import is applied. */
function importSecrets(engine: EngineName): string[] {
  return [
    `create table import_secrets (
      import_id ${ID[engine]} not null references imports (id) on delete cascade,
      source_key text not null,
      sealed text not null,
      primary key (import_id, source_key)
    )`,
  ]
}

/** Two instances of one service have the same ids for different things. */
function importMemories(): string[] {
  return [`alter table imports add column memory text not null default ''`]
}

/** What calendars call the meetings that were made elsewhere. */
function calendarUids(): string[] {
  return ['bookings', 'meeting_sequences'].map((table) => `alter table ${table} add column ical_uid text`)
}

/** Reading a host's calendar looks for what is theirs. */
function calendarUidIndexes(): Index[] {
  return [{ name: 'bookings_ical_uid', on: 'bookings (host_id, ends_at) where ical_uid is not null' }]
}

/** What meetings cost, who gets the money, and what became of it. The ledger outlives the bookings that it is about. */
function payments(engine: EngineName): string[] {
  const id = ID[engine]
  return [
    'alter table event_types add column price text',
    'alter table bookings add column payment text',
    `create table payment_accounts (
      id ${id} primary key,
      scheduler_id ${id} not null references schedulers (id) on delete cascade,
      provider text not null,
      account text not null,
      name text not null,
      sealed_key text not null,
      hook_id text not null default '',
      sealed_hook_secret text not null default '',
      status text not null,
      last_error text not null default '',
      last_error_parts text,
      created_at bigint not null,
      constraint payment_accounts_one unique (scheduler_id, provider)
    )`,
    `create table checkouts (
      id ${id} primary key,
      account_id ${id} not null,
      scheduler_id ${id} not null,
      event_type_id ${id} not null,
      booking_ids text not null,
      status text not null,
      amount bigint not null,
      currency text not null,
      refund text not null,
      manual integer not null,
      created_at bigint not null,
      pay_by bigint not null,
      wanted text not null,
      session_id text,
      url text,
      intent_id text
    )`,
    `create unique index checkouts_session on checkouts (session_id) where session_id is not null`,
    `create index checkouts_intent on checkouts (intent_id) where intent_id is not null`,
    `create index checkouts_open on checkouts (pay_by) where status = 'open'`,
    `create index checkouts_account on checkouts (account_id, created_at)`,
    `create table payments (
      id ${id} primary key,
      kind text not null,
      booking_id ${id} not null,
      checkout_id ${id} not null,
      scheduler_id ${id} not null,
      event_type_id ${id} not null,
      amount bigint not null,
      currency text not null,
      at bigint not null,
      reference text not null,
      constraint payments_once unique (booking_id, kind, reference)
    )`,
    `create index payments_desk on payments (scheduler_id, at, id)`,
    `create index payments_checkout on payments (checkout_id)`,
    `create index payments_disputed on payments (at) where kind = 'disputed'`,
    `create table payment_refunds (
      id ${id} primary key,
      checkout_id ${id} not null,
      booking_id ${id} not null,
      scheduler_id ${id} not null,
      amount bigint not null,
      status text not null,
      reference text,
      last_error text not null default '',
      last_error_parts text,
      created_at bigint not null
    )`,
    `create index payment_refunds_checkout on payment_refunds (checkout_id)`,
    `create index payment_refunds_open on payment_refunds (scheduler_id, status) where status <> 'done'`,
    `create table payment_notices (
      id text primary key,
      at bigint not null
    )`,
    `create index payment_notices_at on payment_notices (at)`,
    // What the last comparison with the provider found; one row for each difference.
    `create table payment_differences (
      account_id ${id} not null references payment_accounts (id) on delete cascade,
      position integer not null,
      booking_id ${id},
      sentence text not null,
      sentence_parts text,
      found_at bigint not null,
      primary key (account_id, position)
    )`,
  ]
}

/**
 * A time that is being paid for is taken. The unique indexes `bookings_seat` and `bookings_duplicate` stay as the version
 * before knows them: a seat that is being paid for is kept by the hosts' lock, and by those once it is paid.
 */
function paymentsClaimTimes(): Index[] {
  // Only those: other bookings write to no more indexes than before. `isActive` asks for these beside the others.
  const paying = "where status = 'PendingPayment'"
  return [
    { name: 'bookings_paying', on: `bookings (meeting_id, seat) ${paying}` },
    { name: 'bookings_paying_by', on: `bookings (starts_at, event_type_id, duplicate_key) ${paying}` },
  ]
}
