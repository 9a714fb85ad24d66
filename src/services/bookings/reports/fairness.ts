import { type HostShare, sharesOf } from '../../../domain/bookings/fairness.ts'
import { formatDate } from '../../../domain/calendar-date.ts'
import { countAssignments } from '../../../store/bookings/insights.ts'
import { findNames } from '../../../store/people/schedulers.ts'
import { findUser } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { getTeam } from '../../people/teams/teams.ts'
import { type PeriodQuery, readPeriod } from '../../period.ts'

/** How a team's meetings were shared out. */
interface Fairness {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  /** Of all event types together. */
  readonly hosts: readonly NamedShare[]
  /** Those with a choice of hosts. */
  readonly eventTypes: readonly { readonly eventTypeId: string; readonly hosts: readonly NamedShare[] }[]
}

export interface NamedShare extends HostShare {
  /** Empty if the account was deleted. */
  readonly name: string
}

/** Who got the team's meetings that start between two dates, for which reasons, and what was due to each host. */
export async function getFairness(
  context: Context,
  principal: Principal,
  teamId: string,
  query: PeriodQuery,
): Promise<Fairness> {
  const { team } = await getTeam(context.db, principal, teamId)
  const user = await findUser(context.db, principal.userId)
  if (user === undefined) throw notFound()
  const zone = context.slots.zones.get(user.timeZone)
  const { first, last, span } = readPeriod(query, zone, context.now())
  const counted = await countAssignments(context.db, team.id, span)
  const byEventType = Map.groupBy(counted, ({ eventTypeId }) => eventTypeId)
  const all = sharesOf(counted)
  const names = await findNames(
    context.db,
    all.map(({ hostId }) => hostId),
  )
  const named = (shares: readonly HostShare[]) =>
    shares.map((share) => ({ ...share, name: names.get(share.hostId) ?? '' }))
  return {
    from: formatDate(first),
    to: formatDate(last),
    timeZone: zone.id,
    hosts: named(all),
    eventTypes: [...byEventType].map(([eventTypeId, theirs]) => ({
      eventTypeId,
      hosts: named(sharesOf(theirs)),
    })),
  }
}
