import type { BookableEventType } from '../../domain/bookings/bookable.ts'
import { daysOf } from '../../domain/event-types/absence.ts'
import { DAY } from '../../domain/interval.ts'
import { isGone } from '../../domain/people/user.ts'
import { findEventType } from '../../store/event-types/event-types.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'

/** Who stands in for a host, when, and where they can be booked. */
export interface StandIn {
  readonly startsAt: number
  readonly endsAt: number
  /** Whether it is made of whole days in the host's zone. */
  readonly wholeDays: boolean
  readonly name: string
  readonly path: string
}

/** Guests who look today don't need to know of later time off. */
const AHEAD = 60 * DAY
const MOST = 3

/** Who stands in for the only host of an event type, now and soon; where there are others, they take over. */
export async function findStandIns(
  { db, now, slots }: Context,
  { scheduler, eventType, hosts, absences }: BookableEventType,
): Promise<StandIn[]> {
  const [host, ...others] = hosts
  if (host === undefined || others.length > 0) return []
  const standIns: StandIn[] = []
  for (const { start, end, redirectTo } of absences.get(host.hostId) ?? []) {
    if (redirectTo === undefined || end <= now() || start > now() + AHEAD) continue
    const user = await findUser(db, redirectTo)
    if (user === undefined || isGone(user) || user.disabledAt !== null) continue
    const same = await findEventType(db, user.id, eventType.slug)
    const isOffered = same !== undefined && !same.hidden && !same.linkOnly
    const span = { startsAt: start, endsAt: end }
    standIns.push({
      ...span,
      wholeDays: daysOf(span, slots.zones.get(scheduler.timeZone)) !== null,
      name: user.name,
      path: isOffered ? `/${user.slug}/${same.slug}` : `/${user.slug}`,
    })
  }
  return standIns.slice(0, MOST)
}
