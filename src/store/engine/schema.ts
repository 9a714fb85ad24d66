import type { Generated } from 'kysely'
import type { CalendarKind, Tentative } from '../../domain/calendars/calendar.ts'
import type { ProviderName } from '../../domain/calendars/connection.ts'
import type { EVENT_TYPE_FIELDS } from '../../domain/event-types/event-type.ts'
import type { LinkProvider } from '../../domain/event-types/location.ts'
import type { ImportState, LineState } from '../../domain/imports/plan.ts'
import type { Source, SourceTable } from '../../domain/imports/source.ts'
import type { JobKind } from '../../domain/job.ts'
import type { Channel } from '../../domain/messages/message.ts'
import type { Moment, Recipient } from '../../domain/messages/moments.ts'
import type { CheckoutStatus, LedgerKind, RefundStatus } from '../../domain/payments/payment.ts'
import type { GermanAddress } from '../../domain/people/scheduler.ts'
import type { Preferences, Role } from '../../domain/people/user.ts'
import type { WebhookFormat } from '../../domain/webhooks/formats.ts'
import type { DeliveryStatus } from '../../domain/webhooks/webhook.ts'
import type { ImageType } from '../../format/image.ts'
import type { ColumnsOf } from './field-columns.ts'

/** What has a number besides its id. */
export type NumberedKind = 'event-type' | 'user' | 'team' | 'schedule' | 'booking'

/**
 * The tables and their columns. On both engines, instants are epoch milliseconds, lists and trees are JSON text,
 * and flags are 0 or 1.
 */
export interface Schema {
  /** Leases on work that instances share: not part of a backup. */
  leases: {
    name: string
    leased_until: number
    done_at: number | null
  }
  /** What guests and people are found by: made from other tables, so not part of a backup. */
  search_entries: {
    object_id: string
    /** Separated by spaces. */
    terms: string
  }
  /** What has no entry, or an outdated one, which is gone already. */
  search_pending: {
    object_id: string
  }
  search_progress: {
    /** Bookings up to this id have entries, except those that are pending; null: none yet. */
    indexed_to: string | null
  }
  schedulers: {
    id: string
    kind: 'user' | 'team'
    slug: string
    email: string | null
    name: string
    bio: string
    avatar_url: string
    time_zone: string
    locale: string
    theme: 'light' | 'dark' | 'auto'
    primary_color: string
    logo_url: string
    /** Grows with every change to what this scheduler offers. */
    revision: number
    /** Grows with every change to the host's bookings: bumping it is the lock on a host. */
    booking_revision: number
    created_at: number
    admin: Generated<number>
    disabled_at: number | null
    /** When their deletion began. */
    closed_at: Generated<number | null>
    feed_token_hash: Generated<string | null>
    /** The API token that made the present link to the feed. */
    feed_created_by_token: Generated<string | null>
    time_format: Generated<Preferences['timeFormat']>
    week_start: Generated<Preferences['weekStart']>
    /** Of a team. */
    members_see_all: Generated<number>
    german_address: Generated<GermanAddress>
    /** The filters of bookings that a user keeps, as JSON; null: none. */
    saved_filters: Generated<string | null>
    /** Whether there are messages of theirs. */
    has_messages: Generated<number>
    /** Whether a browser of theirs takes notifications. It may have ended with its session. */
    has_push: Generated<number>
  }
  schedules: {
    id: string
    user_id: string
    name: string
    time_zone: string
    weekly: string
    overrides: string
    is_default: number
    confirmed: Generated<number>
  }
  event_types: ColumnsOf<typeof EVENT_TYPE_FIELDS> & {
    id: string
    scheduler_id: string
    slug: string
    name: string
    /** Guests of meetings that started before were erased. */
    erased_until: Generated<number>
  }
  event_type_hosts: {
    event_type_id: string
    host_id: string
    fixed: number
    last_assigned_at: number | null
    weight: Generated<number>
    /** The meetings that the round robin owes them. */
    balance: Generated<number>
  }
  claims: {
    host_id: string
    starts_at: number
    ends_at: number
    meeting_id: string
    event_type_id: string
    buffer_before: number
    buffer_after: number
    /** When a hold ends; null: a meeting. */
    expires_at: Generated<number | null>
    /** Whose hold it is. */
    hold_client: Generated<string | null>
  }
  bookings: {
    id: string
    scheduler_id: string
    event_type_id: string
    meeting_id: string
    host_id: string
    seat: number
    seats: number
    status: string
    starts_at: number
    ends_at: number
    invitee_name: string
    invitee_email: string
    invitee_phone: string
    invitee_time_zone: string
    invitee_locale: string
    location_type: string
    location_value: string
    /** Makes the meeting link; empty: none is made. */
    location_provider: Generated<string>
    notes: string
    custom_fields: string
    source: string
    duplicate_key: string
    /** What all addresses of the guest's mailbox share. */
    guest: string
    created_at: number
    /** Grows with every change. */
    sequence: Generated<number>
    /** Why it was declined or cancelled. */
    reason: Generated<string>
    utm: Generated<string>
    /** When a rescheduled booking last asked for approval; null: when it was created. */
    requested_at: number | null
    /** Addresses of those whom the guest brings, as JSON; null: nobody. */
    guests: Generated<string | null>
    /** The private link that it was made through. */
    link_id: string | null
    routing: string | null
    /** The series that it was booked in, and its place there; null: none. */
    series_id: string | null
    series: string | null
    /** How the round robin chose the host; null: it did not. */
    assignment: Generated<string | null>
    /** When the guest moved it in the last day, as JSON; null: never. */
    guest_moves: Generated<string | null>
    /** A tag of the client that booked, which differs for every mailbox; null: a host, or not known. */
    client: Generated<string | null>
    /** What hosts have written about it, for themselves; null: nothing. */
    host_notes: Generated<string | null>
    /** Where the guest has agreed to get text messages; null: nowhere. */
    sms_number: Generated<string | null>
    /** What the program that booked keeps with it, as JSON; null: nothing. */
    metadata: Generated<string | null>
    /** The iCalendar UID that it has in calendars, if it was made elsewhere; null: one of ours. */
    ical_uid: Generated<string | null>
    /** What it costs, and what became of that, as JSON; null: nothing. */
    payment: Generated<string | null>
  }
  /** Who gets the money for a user's or team's meetings. */
  payment_accounts: {
    id: string
    scheduler_id: string
    provider: 'stripe'
    /** What the provider calls it. */
    account: string
    name: string
    sealed_key: string
    /** The address at the provider to which notices are sent; empty: not made yet. */
    hook_id: string
    sealed_hook_secret: string
    status: 'ok' | 'reconnect'
    last_error: string
    last_error_parts: Generated<string | null>
    created_at: number
  }
  /** Purchases. They outlive their bookings, as the ledger does. */
  checkouts: {
    id: string
    account_id: string
    scheduler_id: string
    event_type_id: string
    /** As JSON. */
    booking_ids: string
    status: CheckoutStatus
    amount: number
    currency: string
    /** The rule at the time of booking, as JSON. */
    refund: string
    manual: number
    created_at: number
    pay_by: number
    /** What the session is made of, as JSON. */
    wanted: string
    session_id: string | null
    url: string | null
    intent_id: string | null
  }
  /** The ledger: rows are only added. */
  payments: {
    id: string
    kind: LedgerKind
    booking_id: string
    checkout_id: string
    scheduler_id: string
    event_type_id: string
    amount: number
    currency: string
    at: number
    reference: string
  }
  payment_refunds: {
    id: string
    checkout_id: string
    booking_id: string
    scheduler_id: string
    amount: number
    status: RefundStatus
    reference: string | null
    last_error: Generated<string>
    last_error_parts: Generated<string | null>
    created_at: number
  }
  /** Notices of the provider that were heard. */
  payment_notices: {
    id: string
    at: number
  }
  /** What the last comparison with the provider found. */
  payment_differences: {
    account_id: string
    position: number
    booking_id: string | null
    sentence: string
    sentence_parts: string | null
    found_at: number
  }
  /** What was done about a booking, and by whom unless by a host: that is in the audit. */
  booking_history: {
    booking_id: string
    id: string
    at: number
    kind: 'change' | 'mail' | 'calendar' | 'link'
    /** Such as `created`, or the kind of mail. */
    what: string
    /** Who did it, or who got the mail; the id of a user, or a role. */
    subject: string
  }
  /** Codes that were mailed to guests, to prove their addresses. */
  email_codes: {
    event_type_id: string
    address_hash: string
    code_hash: string
    /** How many wrong codes were sent. */
    tries: number
    expires_at: number
  }
  /** Codes that were mailed to guests, to prove that they may erase an address. */
  erasure_codes: {
    address_hash: string
    code_hash: string
    /** How many wrong codes were sent. */
    tries: number
    expires_at: number
  }
  /** Erased bookings and responses whose traces elsewhere have still to be removed. */
  pending_erasures: {
    kind: 'booking' | 'response'
    id: string
  }
  private_links: {
    id: string
    event_type_id: string
    token_hash: string
    /** How many bookings it is good for; null: any number. */
    uses: number | null
    used: number
    expires_at: number | null
    duration_minutes: number | null
    host_ids: string
    answers: string
    note: string
    created_at: number
  }
  outbox: {
    id: Generated<number>
    kind: JobKind
    lane: string | null
    data: string
    due_at: number
    attempts: Generated<number>
    leased_until: number | null
    failed_at: number | null
    error: Generated<string>
    error_parts: Generated<string | null>
    created_at: number
  }
  idempotency_keys: {
    event_type_id: string
    key: string
    body_hash: string
    answer: string
    expires_at: number
  }
  secrets: {
    name: string
    value: string
  }
  used_solutions: {
    id: string
    expires_at: number
  }
  /** Guests who have used a link that we mailed to them. */
  answered_guests: {
    address_hash: string
    answered_at: number
  }
  /** Those whom guests brought in the last hour: each of them got a mail. */
  added_guests: {
    booking_id: string
    position: number
    guest: string
    created_at: number
    /** As that of a booking. */
    client: Generated<string | null>
  }
  routing_forms: {
    id: string
    scheduler_id: string
    slug: string
    name: string
    description: string | null
    fields: string
    rules: string
    fallback: string
    abuse: Generated<string>
    tests: Generated<string>
    /** Sealed; null until the form looks owners up. */
    lookup_secret: string | null
    /** Days until the answers of a response are erased; null: never. */
    keep_personal_data_days: Generated<number | null>
    /** Responses up to this instant were erased. */
    erased_until: Generated<number>
  }
  routing_responses: {
    id: string
    form_id: string
    answers: string
    result: string
    created_at: number
    /** JSON; null: to all hosts. */
    route: string | null
    booking_id: string | null
  }
  form_counts: {
    form_id: string
    /** Days since 1970, in the time zone of the form's owner. */
    day: number
    step: 'opened' | 'left'
    /** The question at which a visitor left; empty for `opened`. */
    field: string
    count: number
  }
  login_links: {
    token_hash: string
    email: string
    expires_at: number
  }
  /** A user's new address, until its owner follows the link that was mailed there. */
  email_changes: {
    user_id: string
    email: string
    token_hash: string
    expires_at: number
  }
  sessions: {
    id: string
    user_id: string
    refresh_hash: string
    /** Sealed; null for sign-ins by link. */
    id_token: string | null
    /** Null: of an earlier version. */
    browser: string | null
    system: string | null
    last_used_at: number | null
    created_at: number
    expires_at: number
  }
  identities: {
    issuer: string
    subject: string
    user_id: string
    created_at: number
  }
  passkeys: {
    id: string
    user_id: string
    /** Base64url. */
    credential_id: string
    /** COSE, in base64url. */
    public_key: string
    counter: number
    /** JSON. */
    transports: string
    name: string
    created_at: number
    last_used_at: number | null
  }
  recovery_codes: {
    user_id: string
    code_hash: string
  }
  /** Of sign-ins that wait for a passkey, and of passkeys that are being added. */
  passkey_challenges: {
    holder_hash: string
    user_id: string
    challenge: string
    attempts: number
    expires_at: number
  }
  sign_in_attempts: {
    state_hash: string
    challenge: string
    return_to: string
    expires_at: number
  }
  api_tokens: {
    id: string
    user_id: string
    name: string
    scopes: string
    created_at: number
    expires_at: number | null
  }
  team_members: {
    team_id: string
    user_id: string
    role: Role
    created_at: number
    attributes: Generated<string>
  }
  team_attributes: {
    team_id: string
    attributes: string
  }
  invitations: {
    id: string
    email: string
    team_id: string | null
    role: Role
    invited_by: string | null
    token_hash: string | null
    created_at: number
    expires_at: number
  }
  blocked_guests: {
    id: string
    scheduler_id: string
    entry: string
    created_at: number
  }
  images: {
    id: string
    scheduler_id: string
    type: ImageType
    /** In base64. */
    bytes: string
    hash: string
    created_at: number
  }
  absences: {
    id: string
    user_id: string
    starts_at: number
    ends_at: number
    note: string
    /** Who stands in. */
    redirect_to: Generated<string | null>
  }
  connections: {
    id: string
    user_id: string
    provider: ProviderName
    subject: string
    account: string
    sealed_tokens: string
    expires_at: number
    token_revision: number
    leased_until: number
    status: 'ok' | 'reconnect'
    last_error: string
    /** The pattern and the values of the text before, as JSON; so in every column of this name. */
    last_error_parts: Generated<string | null>
    created_at: number
  }
  connection_attempts: {
    state_hash: string
    user_id: string
    provider: ProviderName
    challenge: string
    expires_at: number
  }
  calendars: {
    id: string
    user_id: string
    kind: CalendarKind
    connection_id: string | null
    external_id: Generated<string>
    name: string
    url: string
    username: string
    sealed_password: string
    busy: number
    tentative: Generated<Tentative>
    write_to: number
    /** Whether the account may add events to it. */
    writable: Generated<number>
    etag: string
    last_modified: string
    ctag: string
    expanded_at: number | null
    expanded_zone: string
    refreshed_at: number | null
    next_refresh_at: number
    leased_until: Generated<number>
    failures: number
    last_error: string
    last_error_parts: Generated<string | null>
    skipped: number
    /** Where the provider's list of changes goes on, and until when it reaches; empty and null before the first time. */
    sync_token: Generated<string>
    synced_until: Generated<number | null>
    /** How often the provider has said that something changed. */
    notices: Generated<number>
    /** The API token that made it; null: the user themselves. */
    created_by_token: Generated<string | null>
    created_at: number
  }
  /** Events of a provider's calendar: only when they are, and whether they block time. */
  calendar_items: {
    calendar_id: string
    external_id: string
    /** The repeating event that it belongs to; empty if to none. */
    series_id: string
    uid: string
    /** Null for a repeating event itself, which takes no time apart from its occurrences. */
    starts_at: number | null
    ends_at: number | null
    /** Null: as its series. */
    whole_day: number | null
    /** Null: as its series. */
    blocks: number | null
  }
  /** By which a provider tells us that a calendar has changed. Every calendar of a provider that blocks time has a row. */
  calendar_channels: {
    calendar_id: string
    /** Null while there is no channel. */
    channel_id: Generated<string | null>
    /** The provider's name for what is watched, or for the subscription; needed to end it. */
    resource_id: string
    token_hash: string
    expires_at: number
    /** When to open or renew it. While an instance is at it, the end of its lease. */
    renew_at: number
    /** Failed attempts in a row. */
    failures: number
  }
  busy_times: {
    calendar_id: string
    user_id: string
    starts_at: number
    ends_at: number
  }
  /** Meetings that were written to a calendar. Entries of older versions have the id of a booking instead. */
  calendar_events: {
    calendar_id: string
    meeting_id: string
    href: string
    /** When the meeting is by what we wrote last; null before the first time. */
    starts_at: Generated<number | null>
    ends_at: Generated<number | null>
    /** Grows each time we write it. */
    version: Generated<number>
    /** The host has moved it to this calendar, where it stays. */
    followed: Generated<number>
    /** What the host has done to the entry since; null: nothing. */
    difference: Generated<'moved' | 'deleted' | null>
    /** Where the host has moved it, and when we saw a difference first. */
    moved_starts_at: Generated<number | null>
    moved_ends_at: Generated<number | null>
    seen_at: Generated<number | null>
  }
  /** How often a seated meeting or its guests have changed. */
  meeting_sequences: {
    meeting_id: string
    sequence: number
    /** The iCalendar UID of its hosts' entry, if that was made elsewhere; null: one of ours. */
    ical_uid: Generated<string | null>
  }
  old_slugs: {
    kind: 'scheduler' | 'event-type' | 'routing-form'
    scope: string
    slug: string
    target_id: string
  }
  audit: {
    id: string
    scheduler_id: string
    actor_id: string | null
    actor: string
    token: Generated<string>
    action: string
    object_type: string
    object_id: string
    changes: string
    created_at: number
  }
  webhooks: {
    id: string
    scheduler_id: string
    url: string
    secret: string
    /** Deliveries are also signed with it until `previous_secret_until`. */
    previous_secret: string | null
    previous_secret_until: number | null
    format: Generated<WebhookFormat>
    events: string
    event_type_ids: string
    active: number
    created_by_token: Generated<string | null>
    created_at: number
    failing_since: number | null
    disabled_at: number | null
    disabled_reason: Generated<string>
    disabled_reason_parts: Generated<string | null>
  }
  webhook_deliveries: {
    id: string
    webhook_id: string
    event: string
    booking_id: string | null
    /** A sample that a host sent to try the webhook. */
    is_test: Generated<number>
    /** Exactly as it is sent. */
    body: string
    status: DeliveryStatus
    /** Since it was queued or replayed. */
    attempts: Generated<number>
    created_at: number
    next_attempt_at: number | null
    /** This and the columns below are about the last attempt. */
    attempted_at: number | null
    duration: number | null
    request_headers: Generated<string>
    response_status: number | null
    response_headers: Generated<string>
    response_body: Generated<string>
    error: Generated<string>
    error_parts: Generated<string | null>
  }
  messages: {
    id: string
    scheduler_id: string
    name: string
    moment: Moment
    minutes: number | null
    recipient: Recipient
    channel: Channel
    event_type_ids: string
    form_ids: string
    enabled: number
    replaces: number
    texts: string
    created_at: number
  }
  /** What became of a message for one recipient. */
  message_records: {
    id: string
    message_id: string
    /** One of these two. */
    booking_id: string | null
    response_id: string | null
    /** `guest`, `guests:` with a place in the list, or `hosts:` with an id. */
    recipient: string
    /** What it may be sent again for. */
    occasion: string
    channel: Channel
    state: 'sending' | 'sent' | 'skipped' | 'failed'
    /** The job that sends it. */
    job_id: number | null
    at: number
    reason: Generated<string>
    reason_parts: Generated<string | null>
    /** What the provider calls a text message; empty if it was asked and has not said so; null: it was not asked. */
    external_id: Generated<string | null>
  }
  /** Phone numbers that must not be texted. */
  stopped_numbers: {
    number_hash: string
    created_at: number
  }
  /** How many text messages were sent on a day (UTC) to a number, and to all (an empty hash). */
  sms_counts: {
    day: string
    number_hash: string
    count: number
  }
  /** Who wants no more mail that is not about a coming meeting. */
  unsubscribed: {
    scheduler_id: string
    address_hash: string
    created_at: number
  }
  /** The browsers in which hosts want notifications. */
  push_subscriptions: {
    id: string
    user_id: string
    session_id: string
    endpoint: string
    p256dh: string
    auth: string
    kinds: string
    created_at: number
  }
  /** Moving in from another service. */
  imports: {
    id: string
    source: Source
    state: ImportState
    done: Generated<number>
    total: Generated<number>
    /** By table and state. */
    counts: Generated<string>
    /** What can be chosen. */
    offered: Generated<string>
    /** What was chosen. */
    choices: Generated<string>
    /** What the reader noted, as sentences. */
    notes: Generated<string>
    /** Why it failed. */
    reason: Generated<string>
    reason_parts: Generated<string | null>
    created_by: string | null
    created_at: number
    /** While it is read: the process that reads it has died if this has passed. */
    leased_until: Generated<number | null>
    applied_at: Generated<number | null>
    undone_at: Generated<number | null>
    /** Under what `import_objects` remembers what became of its rows; empty: under its source. */
    memory: Generated<string>
  }
  /** What was read, until the import is forgotten. */
  import_rows: {
    import_id: string
    table_name: SourceTable
    /** In the order in which they were read. */
    position: number
    /** The id of the booking that the row is or belongs to; empty: none. */
    booking: Generated<string>
    /** An address in lower case that finds the row when its person is erased. */
    address: Generated<string>
    content: string
  }
  /** What accounts of another service sign in with, encrypted, until the import is applied. */
  import_secrets: {
    import_id: string
    source_key: string
    sealed: string
  }
  /** What a plan says of each row. */
  import_lines: {
    import_id: string
    position: number
    state: LineState
    table_name: SourceTable
    source_id: string
    name: string
    sentence: Generated<string>
    sentence_parts: Generated<string | null>
  }
  /** What became of a row of a source. */
  import_objects: {
    /** The memory of its import: the service, and which of several instances of it. */
    source: string
    source_key: string
    kind: string
    object_id: string
    /** 0: it was here before. */
    made: number
    /** Of what was applied. */
    content_hash: string
    /** Of our row right after that. */
    row_hash: string
    import_id: string
    last_import_id: string
  }
  /** How rows were before an import changed them, to undo it. */
  import_changes: {
    import_id: string
    position: number
    table_name: string
    content: string
  }
  /** What bookings were called in addresses of the service that they came from. */
  import_uids: {
    uid: string
    /** Null: the uid is of a meeting with seats, and opens no booking. */
    booking_id: string | null
    meeting_id: string
    import_id: Generated<string | null>
  }
  /** Addresses of the service before, and where they lead here. */
  old_links: {
    path: string
    kind: 'user' | 'team' | 'event-type' | 'form'
    object_id: string
    import_id: Generated<string | null>
  }
  meeting_links: {
    meeting_id: string
    provider: LinkProvider
    /** The host whose account has the meeting. */
    host_id: string
    connection_id: string | null
    /** The meeting's id at the provider; empty if not known yet. */
    external_id: string
    /** Empty until it is made. */
    url: string
    /** When the meeting is, as the provider was told last. */
    starts_at: number | null
    ends_at: number | null
    /** Set before the provider is asked for a meeting. */
    attempted_at: number | null
    /** How long emails and webhooks wait for the link. */
    awaited_until: number
  }
  /** By which programs that want whole numbers know an object. The object may be gone. */
  numbers: {
    kind: NumberedKind
    number: number
    object_id: string
  }
  migrations: {
    name: string
    ran_at: number
  }
}
