import { BOOKING_STATUSES, type BookingStatus } from '../../../domain/bookings/booking.ts'
import {
  countByDay,
  countByHour,
  type DayCount,
  type HourCount,
  isCalledOff,
  isCounted,
  LEAD_HOURS,
} from '../../../domain/bookings/insights.ts'
import { formatDate } from '../../../domain/calendar-date.ts'
import {
  countByEventType,
  countLeadTimes,
  countRoutes,
  countStarts,
  type RoutingCount,
} from '../../../store/bookings/insights.ts'
import { type MoneyTotal, sumLedger } from '../../../store/payments/entries.ts'
import { findUser } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'
import { listedSchedulers, notFound, visibleBookings } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { type PeriodQuery, readPeriod } from '../../period.ts'

/** The query as it arrives, with its names on the wire. */
interface InsightsQuery extends PeriodQuery {
  readonly ownerId?: string
}

interface Insights {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly totals: Readonly<Record<BookingStatus, number>>
  readonly byDay: readonly DayCount[]
  readonly byEventType: readonly {
    readonly eventTypeId: string
    readonly held: number
    readonly calledOff: number
  }[]
  readonly byHour: readonly HourCount[]
  /** Bookings made up to `hours` ahead; null is the last group, without a limit. */
  readonly leadTimes: readonly { readonly hours: number | null; readonly count: number }[]
  /** What came in and went out in that time. */
  readonly payments: readonly MoneyTotal[]
  readonly routes: readonly RoutingCount[]
}

/** Counts the bookings that start between two dates, for the user and their teams or for one of them. */
export async function getInsights(
  context: Context,
  principal: Principal,
  query: InsightsQuery,
): Promise<Insights> {
  const { db } = context
  const owners = await listedSchedulers(db, principal, query.ownerId)
  const user = await findUser(db, principal.userId)
  if (user === undefined) throw notFound()
  const zone = context.slots.zones.get(user.timeZone)
  const { first, last, span } = readPeriod(query, zone, context.now())
  const starts = await countStarts(db, owners, span)
  const leads = await countLeadTimes(db, owners, span)
  const totals = Object.fromEntries(BOOKING_STATUSES.map((status) => [status, 0])) as Record<
    BookingStatus,
    number
  >
  for (const { status, count } of starts) totals[status] += count
  return {
    from: formatDate(first),
    to: formatDate(last),
    timeZone: zone.id,
    totals,
    byDay: countByDay(starts, zone, first, last),
    byEventType: await eventTypesOf(context, owners, span),
    byHour: countByHour(starts, zone),
    leadTimes: [...LEAD_HOURS, null].map((hours, index) => ({ hours, count: leads.get(index) ?? 0 })),
    payments: await sumLedger(db, await visibleBookings(db, principal, query.ownerId), span),
    routes: await countRoutes(db, owners, span),
  }
}

async function eventTypesOf(
  { db }: Context,
  owners: readonly string[],
  span: { readonly start: number; readonly end: number },
): Promise<Insights['byEventType']> {
  const found = new Map<string, { held: number; calledOff: number }>()
  for (const { eventTypeId, status, count } of await countByEventType(db, owners, span)) {
    if (!isCounted(status)) continue
    const counts = found.get(eventTypeId) ?? { held: 0, calledOff: 0 }
    counts[isCalledOff(status) ? 'calledOff' : 'held'] += count
    found.set(eventTypeId, counts)
  }
  return [...found]
    .map(([eventTypeId, counts]) => ({ eventTypeId, ...counts }))
    .sort((a, b) => b.held - a.held || a.eventTypeId.localeCompare(b.eventTypeId))
}
