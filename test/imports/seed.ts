import { columnsOf } from '../../src/domain/imports/columns.ts'
import type { Sourced, SourceRow, SourceTable } from '../../src/domain/imports/source.ts'
import { seededRandom } from '../seeded-random.ts'

/** What lies before this instant is past. A Monday. */
export const SEEDED_NOW = Date.UTC(2030, 0, 7)

export const SEEDED_ORGANIZATION = 100

/** `CALENDSO_ENCRYPTION_KEY` of the seeded source. */
export const SEEDED_ENCRYPTION_KEY = 'a-key-for-tests-32-bytes-long-00'

export const DAY = 86_400_000
export const HOUR = 3_600_000
export const MINUTE = 60_000

/** Rows in the making. */
export interface Seed {
  readonly now: number
  readonly rows: Sourced[]
  readonly random: () => number
  add(table: SourceTable, values: SourceRow): void
  /** The next id of a table that gives them in turn. */
  nextId(table: SourceTable): number
}

export function startSeed(now: number): Seed {
  const rows: Sourced[] = []
  const ids = new Map<SourceTable, number>()
  return {
    now,
    rows,
    random: seededRandom(31),
    add(table, values) {
      // All columns, so that a row is the same whichever way it is read.
      const row: Record<string, unknown> = {}
      for (const [column, kind] of columnsOf(table)) {
        const usual = DEFAULTS[table]?.[column]
        row[column] =
          values[column] ?? usual ?? (kind === 'timestamp' && MADE.has(column) ? at(now - 400 * DAY) : null)
      }
      rows.push({ table, row })
    },
    nextId(table) {
      const id = (ids.get(table) ?? 0) + 1
      ids.set(table, id)
      return id
    },
  }
}

export const at = (instant: number) => new Date(instant).toISOString()

/** An id such as PostgreSQL makes, the same for the same number. */
export const uuidOf = (kind: number, number: number) =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

const MADE: ReadonlySet<string> = new Set(['created', 'createdAt', 'lastUpdatedAt'])

/** Values of columns that can't be null there. */
const DEFAULTS: Partial<Record<SourceTable, SourceRow>> = {
  users: {
    bufferTime: 0,
    timeZone: 'Europe/London',
    weekStart: 'Sunday',
    hideBranding: false,
    allowDynamicBooking: true,
    role: 'USER',
    locked: false,
    isPlatformManaged: false,
  },
  Team: {
    hideBranding: false,
    hideBookATeamMember: false,
    timeZone: 'Europe/London',
    weekStart: 'Sunday',
    isPrivate: false,
    pendingPayment: false,
    isOrganization: false,
    isPlatform: false,
    hideTeamProfileLink: false,
  },
  Membership: { accepted: true, role: 'MEMBER' },
  OutOfOfficeEntry: { showNotePublicly: false },
  EventType: {
    length: 30,
    hidden: false,
    requiresConfirmation: false,
    minimumBookingNotice: 120,
    currency: 'usd',
    price: 0,
    disableGuests: false,
    position: 0,
    periodType: 'unlimited',
    afterEventBuffer: 0,
    beforeEventBuffer: 0,
    hideCalendarNotes: false,
    offsetStart: 0,
    requiresBookerEmailVerification: false,
    lockTimeZoneToggleOnBookingPage: false,
    onlyShowFirstAvailableSlot: false,
    isInstantEvent: false,
    assignAllTeamMembers: false,
    useEventTypeDestinationCalendarEmail: false,
    isRRWeightsEnabled: false,
    rescheduleWithSameRoundRobinHost: false,
    requiresConfirmationWillBlockSlot: false,
    hideCalendarEventDetails: false,
    assignRRMembersUsingSegment: false,
    requiresConfirmationForFreeEmail: false,
    useEventLevelSelectedCalendars: false,
    allowReschedulingPastBookings: false,
    hideOrganizerEmail: false,
    includeNoShowInRRCalculation: false,
    useBookerTimezone: false,
    maxActiveBookingPerBookerOfferReschedule: false,
    bookingRequiresAuthentication: false,
    rrHostSubsetEnabled: false,
    enablePerHostLocations: false,
  },
  EventTypeCustomInput: { required: false, placeholder: '' },
  Host: { isFixed: false },
  HashedLink: { maxUsageCount: 1, usageCount: 0 },
  App_RoutingForms_Form: { disabled: false, position: 0 },
  Attribute: { enabled: true, usersCanEditRelation: false, isWeightsEnabled: false, isLocked: false },
  AttributeOption: { contains: [], isGroup: false },
  Webhook: { active: true, eventTriggers: [], version: '2021-10-20' },
  Workflow: { position: 0, isActiveOnAll: false, type: 'EVENT_TYPE' },
  WorkflowStep: { template: 'CUSTOM', includeCalendarEvent: false },
  Watchlist: { action: 'BLOCK', isGlobal: false, source: 'MANUAL' },
  Booking: { paid: false, status: 'accepted', iCalSequence: 0 },
  Attendee: { timeZone: 'Europe/Berlin', noShow: false },
  Payment: { success: false, refunded: false },
  App: { enabled: true },
}
