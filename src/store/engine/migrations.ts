import { MAX_DURATION } from '../../domain/slots/openings.ts'
import type { Engine } from './database.ts'

export interface Migration {
  readonly name: string
  readonly statements: (engine: Engine) => readonly string[]
}

/** Append only: what has run on someone's data is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-foundation', statements: foundation },
  { name: '002-desk', statements: desk },
  { name: '003-after-the-booking', statements: afterTheBooking },
  { name: '004-webhooks', statements: webhooks },
  { name: '005-calendars', statements: calendars },
  { name: '006-embed', statements: embed },
  { name: '007-bookings-by-time', statements: bookingsByTime },
]

function foundation(engine: Engine): string[] {
  const id = engine === 'postgres' ? 'uuid' : 'text'
  return [
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
    ...claims(engine, id),
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
    // The engine itself refuses a guest too many, and the same guest twice.
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
    // Counters may be lost with a crash: unlogged spares the disk a write per request.
    ...(engine === 'postgres'
      ? [
          `create unlogged table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
        ]
      : []),
  ]
}

/** The time of hosts that is taken. No two claims of one host overlap, whatever the code above does. */
function claims(engine: Engine, id: string): string[] {
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
  if (engine === 'postgres') {
    return [
      `create extension if not exists btree_gist`,
      `create table claims (${columns},
      constraint claims_overlap exclude using gist (host_id with =, int8range(starts_at, ends_at) with &&)
    )`,
      `create index claims_meeting on claims (meeting_id)`,
    ]
  }
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
}

/** Sign-in, teams, and what hosts keep beside their event types. */
function desk(engine: Engine): string[] {
  const id = engine === 'postgres' ? 'uuid' : 'text'
  return [
    `alter table schedulers add column admin integer not null default 0`,
    `alter table schedulers add column disabled_at bigint`,
    `alter table event_type_hosts add column weight integer not null default 1`,
    // Whose booking it is, so that a desk with a million of them pages by one index.
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
    // Addresses that have moved: kept until someone else claims them.
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

/** The life of a booking, and what is still to be done about it. */
function afterTheBooking(engine: Engine): string[] {
  const serial =
    engine === 'postgres'
      ? 'bigint generated by default as identity primary key'
      : 'integer primary key autoincrement'
  return [
    `alter table bookings add column sequence integer not null default 0`,
    `alter table bookings add column reason text not null default ''`,
    `alter table bookings add column utm text not null default '{}'`,
    // Since when a request waits for its answer, when that is not since it was made.
    `alter table bookings add column requested_at bigint`,
    `create index bookings_pending on bookings (starts_at) where status = 'PendingApproval'`,
    `create index bookings_confirmed on bookings (ends_at) where status = 'Confirmed'`,
    `alter table event_types add column cancel_notice_minutes integer not null default 0`,
    `alter table event_types add column reschedule_notice_minutes integer not null default 0`,
    `alter table event_types add column reminder_minutes text not null default '[1440,60]'`,
    // In the order they were written, which a lane keeps.
    `create table outbox (
      id ${serial},
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

/** Whom to tell what happens, and what became of telling them. */
function webhooks(engine: Engine): string[] {
  const id = engine === 'postgres' ? 'uuid' : 'text'
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
    // The id is what the receiver knows it by, and the same however often it is sent.
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

/** Calendars that hosts keep elsewhere, and what is known of them. */
function calendars(engine: Engine): string[] {
  const id = engine === 'postgres' ? 'uuid' : 'text'
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
    // Those of one calendar are merged, so no two of them begin together.
    `create table busy_times (
      calendar_id ${id} not null references calendars (id) on delete cascade,
      user_id ${id} not null references schedulers (id) on delete cascade,
      starts_at bigint not null,
      ends_at bigint not null,
      primary key (calendar_id, starts_at),
      check (ends_at > starts_at)
    )`,
    `create index busy_times_user on busy_times (user_id, starts_at)`,
    // Where a booking has been written, or is about to be: so that it is found again when it moves.
    `create table calendar_events (
      calendar_id ${id} not null references calendars (id) on delete cascade,
      booking_id ${id} not null references bookings (id) on delete cascade,
      href text not null,
      primary key (calendar_id, booking_id)
    )`,
    `create index calendar_events_booking on calendar_events (booking_id)`,
  ]
}

/** On which sites an event type's page may be embedded. */
function embed(): string[] {
  return [`alter table event_types add column allowed_origins text not null default '[]'`]
}

/** Bookings are made for about the same time: then they meet on few pages of an index, whoever's they are. */
function bookingsByTime(): string[] {
  return [
    `drop index bookings_duplicate`,
    `create unique index bookings_duplicate on bookings (starts_at, event_type_id, duplicate_key)
      where status in ('PendingApproval', 'Confirmed')`,
  ]
}
