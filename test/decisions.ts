import { type BookableEventType, groupHosts, hostIdsIn } from '../src/domain/bookings/bookable.ts'
import type { Author } from '../src/domain/bookings/decisions/author.ts'
import type { Decision, Findings, Given, Plan } from '../src/domain/bookings/decisions/decision.ts'
import { seriesZone, startsOf } from '../src/domain/bookings/decisions/hosts/choose-hosts.ts'
import type { WantedBooking } from '../src/domain/bookings/decisions/wanted-booking.ts'
import { applyWrites, emptyLedger, type Ledger } from '../src/domain/bookings/ledger.ts'
import type { Repeat } from '../src/domain/bookings/series.ts'
import { EVENT_TYPE_DEFAULTS, type EventType } from '../src/domain/event-types/event-type.ts'
import { slotRules } from '../src/domain/slots/rules.ts'
import { compiled, zones } from './openings.ts'

/** A Monday. */
export const NOW = Date.UTC(2027, 0, 11, 8)

const ALWAYS = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7].map((day) => [day, [{ opens: '00:00', closes: '24:00' }]]),
)

/** An event type of an hour that these hosts offer at any time. */
export function bookableBy(hostIds: readonly string[], given: Partial<EventType> = {}): BookableEventType {
  const eventType: EventType = {
    ...EVENT_TYPE_DEFAULTS,
    noticeMinutes: 0,
    durationMinutes: 60,
    id: 'talk',
    schedulerId: 'team',
    slug: 'talk',
    name: 'Talk',
    ...given,
  }
  const schedule = compiled({ timeZone: 'Europe/Berlin', weekly: ALWAYS, overrides: {} })
  const hosts = hostIds.map((hostId) => ({
    hostId,
    fixed: false,
    revision: 1,
    schedule,
    confirmed: true,
    disabled: false,
    hasLiveCalendars: false,
  }))
  const groups = groupHosts(eventType, hosts)
  const dependsOn = ['team', ...hostIds]
  return {
    scheduler: { id: 'team', slug: 'team', timeZone: 'Europe/Berlin' } as BookableEventType['scheduler'],
    eventType,
    rules: slotRules(eventType),
    hosts,
    hostIds: hostIdsIn(groups),
    groups,
    absences: new Map(),
    busyTimes: new Map(),
    blocklist: [],
    dependsOn,
    revisions: new Map(dependsOn.map((id) => [id, 1])),
    freshUntil: NOW,
  }
}

/** The ledger of an event type that nobody has booked. */
export function ledgerOf({ dependsOn, hostIds, eventType }: BookableEventType): Ledger {
  const ledger = emptyLedger()
  for (const id of dependsOn) ledger.schedulers.add(id, 1, true)
  for (const hostId of hostIds) {
    ledger.turns.add(eventType.id, { hostId, balance: 0, weight: 1, lastAssignedAt: null })
  }
  ledger.holds.databaseTime = NOW
  return ledger
}

/** A guest's wish to book at a start. */
export function wish(
  bookable: BookableEventType,
  startsAt: number,
  { email = `guest-${startsAt}@guests.example`, repeat, guests = [], ...given }: Wish = {},
): WantedBooking {
  const zone = seriesZone(bookable, zones)
  const author: Author = { by: 'guest' }
  return {
    bookable,
    requested: {
      startsAt,
      endsAt: startsAt + bookable.rules.duration,
      invitee: { name: 'Grace', email, phone: '', timeZone: 'UTC', locale: 'en' },
      location: { type: 'Video', value: '' },
      notes: '',
      customFields: {},
      source: 'API',
      utm: {},
      guests,
      ...(repeat && { repeat }),
    },
    starts: startsOf({ startsAt, ...(repeat && { repeat }) }, zone),
    zone,
    author,
    duplicateKey: email,
    access: {},
    ...given,
  }
}

type Wish = Partial<Omit<WantedBooking, 'requested' | 'starts'>> & {
  readonly email?: string
  readonly repeat?: Repeat
  readonly guests?: readonly string[]
}

export const NOTHING_FOUND: Findings = {
  asked: new Set(),
  silent: new Set(),
  exempt: { mails: new Set(), open: new Set() },
}

/** Makes decisions one after the other on a ledger, as one transaction does: each sees what those before it write. */
export function deciding(ledger: Ledger, given: Partial<Given> = {}) {
  let ids = 0
  return <T>({ decide }: Plan<T>, more: Partial<Given> = {}): Decision<T> => {
    const newId = () => `id-${++ids}`
    const decision = decide(ledger, { now: NOW, newId, found: NOTHING_FOUND, ...given, ...more })
    if (decision.kind !== 'needs') applyWrites(ledger, decision.writes)
    return decision
  }
}

/** What became of a decision, in a word: `done`, a code of refusal, or what it needs. */
export function outcomeOf(decision: Decision<unknown>): string {
  if (decision.kind === 'done') return 'done'
  return decision.kind === 'refused' ? decision.problem.code : `needs ${decision.need.what}`
}
